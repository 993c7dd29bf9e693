"""The parts of the page *The story*."""
