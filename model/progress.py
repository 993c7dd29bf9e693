"""The types of progress callbacks."""

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]
"""Called with a description of the work, the number of finished parts and the number of all parts."""

FractionCallback = Callable[[float], object]
"""Called with the finished fraction of the work, from 0 to 1."""


def ignore_progress(stage: str, finished_count: int, total: int) -> None:
    """Do nothing, as the ProgressCallback of work whose progress nobody watches."""
