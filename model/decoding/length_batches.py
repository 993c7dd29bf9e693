"""Many sentences at once: those of like length share a batch, so that little of it is padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Fits = Callable[[Sequence[Item]], bool]


def batch_by_length(items: Sequence[Item], length: Callable[[Item], Any], fits: int | Fits[Item]) -> Iterator[list[int]]:
    """The places of the items in batches: sorted by `length`, equal ones as they come, the least first.

    A batch is filled while it `fits`: a number of items, or what is asked of a batch with one more item than it has. A
    first item always fits.
    """
    asked = _at_most(fits) if isinstance(fits, int) else fits
    batch: list[int] = []
    for place in sorted(range(len(items)), key=lambda place: length(items[place])):
        if batch and not asked([items[one] for one in (*batch, place)]):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def map_by_length(
    items: Sequence[Item], length: Callable[[Item], Any], fits: int | Fits[Item],
    work: Callable[[list[Item]], Sequence[Result]],
) -> Iterator[Result]:
    """What `work` makes of each item, in the items' own order; it is given one of `batches` at a time."""
    made: dict[int, Result] = {}
    for batch in batch_by_length(items, length, fits):
        made |= zip(batch, work([items[place] for place in batch]), strict=True)
    for place in range(len(items)):
        yield made.pop(place)


def _at_most(size: int) -> Fits[Any]:
    return lambda batch: len(batch) <= size
