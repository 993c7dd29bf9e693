"""The room of the story: six scenes that tell a newcomer what α is, why one vector forgets, what the curve proves."""
