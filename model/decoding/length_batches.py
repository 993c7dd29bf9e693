"""Batch items of similar length, so that batches hold little padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
BatchLimit = int | Callable[[Sequence[Item]], bool]
"""The most items of a batch, or a predicate that tells whether a batch is small enough."""


def batch_by_length(
    items: Sequence[Item], get_length: Callable[[Item], Any], limit: BatchLimit[Item]
) -> Iterator[list[int]]:
    """Yield batches of item indices, sorted by `get_length`, shortest first; ties keep their order.

    A batch grows while it is within the limit. A single item always is.
    """
    batch: list[int] = []
    for index in sorted(range(len(items)), key=lambda index: get_length(items[index])):
        if batch and not (len(batch) < limit if isinstance(limit, int)
                          else limit([items[member] for member in (*batch, index)])):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def map_by_length(
    items: Sequence[Item], get_length: Callable[[Item], Any], limit: BatchLimit[Item],
    process_batch: Callable[[list[Item]], Sequence[Result]],
) -> Iterator[Result]:
    """Process items in the batches of `batch_by_length`; yield the results in the order of the items."""
    results: dict[int, Result] = {}
    for batch in batch_by_length(items, get_length, limit):
        results |= zip(batch, process_batch([items[index] for index in batch]), strict=True)
    for index in range(len(items)):
        yield results.pop(index)
