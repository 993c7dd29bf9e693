"""What the pages are made of: shared parts, and one folder per page."""
