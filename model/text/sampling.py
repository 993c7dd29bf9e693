"""Evenly spaced samples, always the same."""

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def sample_evenly(items: Sequence[Item], count: int) -> list[Item]:
    """Return at most `count` items, evenly spaced, in their order."""
    count = min(count, len(items))
    return [items[index * len(items) // count] for index in range(count)]
