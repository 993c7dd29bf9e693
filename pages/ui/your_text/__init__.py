"""The parts of the page *Your text*."""
