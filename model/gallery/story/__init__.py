"""What the story of the app is told with: a table of words and phrases counted in translated text, and Traces."""
