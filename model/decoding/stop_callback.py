"""How a search is stopped on its way, by whoever no longer wants what it looks for."""

from __future__ import annotations

from collections.abc import Callable

StopCallback = Callable[[], bool]
"""Asked before every step of a search: whether it is to stop there."""


class SearchStopped(Exception):
    """A search was stopped before its end, as it was told to; there is no result."""

    def __init__(self) -> None:
        super().__init__("The search was stopped before its end.")


def raise_if_stopped(stopped: StopCallback | None) -> None:
    """Raise SearchStopped if the search is to stop."""
    if stopped is not None and stopped():
        raise SearchStopped
