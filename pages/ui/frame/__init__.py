"""What stands around every page: the frame, the link, the words of the interface, notices."""
