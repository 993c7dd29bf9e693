"""A small network that learns a toy task in a minute, in a process of its own: tasks, settings, the run, the worker."""
