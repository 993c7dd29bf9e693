"""What each target piece leans on in the source, asked in three ways that need no attention, and set beside alpha."""
