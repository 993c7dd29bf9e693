"""How the configuration of a network checks its fields: ValueError naming the one that is off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def check_sizes(configuration: Any, *names: str) -> None:
    """Whole numbers from 1 up, and dropout a share."""
    for name in names:
        size = getattr(configuration, name)
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(f"{name} is {size!r}; it must be a whole number from 1 up")
    if not 0.0 <= configuration.dropout <= 0.99:
        raise ValueError(f"dropout is {configuration.dropout!r}; it must be from 0 to 0.99")


def check_flags(configuration: Any, *names: str) -> None:
    """True or false."""
    for name in names:
        if not isinstance(getattr(configuration, name), bool):
            raise ValueError(f"{name} is {getattr(configuration, name)!r}; it must be true or false")


def check_choice(configuration: Any, name: str, allowed: Iterable[str]) -> None:
    """One of those."""
    if getattr(configuration, name) not in allowed:
        raise ValueError(f"{name} is {getattr(configuration, name)!r}; allowed: {', '.join(allowed)}")
