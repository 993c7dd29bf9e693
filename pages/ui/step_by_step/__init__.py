"""Step by step: what the player needs of a Trace, and the page it leaves as."""
