"""How long work tells whoever waits for it how far it is."""

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]
"""Called with what is being done, how many of it are done, and how many there are."""

FractionCallback = Callable[[float], object]
"""Called with the fraction of the work that is done, from 0 to 1."""
