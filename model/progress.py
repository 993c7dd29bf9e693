"""The type of progress callbacks."""

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]
"""Called with a description of the work, the number of finished parts and the number of all parts."""

FractionCallback = Callable[[float], object]
"""Called with the finished fraction of the work, from 0 to 1."""
