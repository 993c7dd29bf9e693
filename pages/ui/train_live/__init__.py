"""Train: the reader's settings, the payload of its component, and files of a run."""
