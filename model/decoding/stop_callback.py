"""Stop a search before its end."""

from __future__ import annotations

from collections.abc import Callable

StopCallback = Callable[[], bool]
"""Called before every step of a search; the search stops when it returns True."""


class SearchStopped(Exception):
    """A search was stopped before its end; there is no result."""

    def __init__(self) -> None:
        super().__init__("The search was stopped before its end.")


def raise_if_stopped(should_stop: StopCallback | None) -> None:
    """Raise SearchStopped if the callback asks for it."""
    if should_stop is not None and should_stop():
        raise SearchStopped
