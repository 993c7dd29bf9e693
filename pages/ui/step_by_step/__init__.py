"""The page Step by step: the payload of its player."""
