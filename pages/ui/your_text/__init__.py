"""The parts of the page *Your own text*."""
