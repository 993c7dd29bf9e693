"""Batches by length hold every item once, sorted, and results come in the order of the items."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from model.decoding.length_batches import batch_by_length, map_by_length


def test_batches_are_sorted_by_length_and_limited() -> None:
    items = ["ccc", "a", "bb", "b", "aaa", ""]
    assert list(batch_by_length(items, len, 2)) == [[5, 1], [3, 2], [0, 4]]
    assert list(batch_by_length(items, lambda text: -len(text), 4)) == [[0, 4, 2, 1], [3, 5]]
    assert list(batch_by_length([], len, 2)) == []
    items = ["aaaa", "b", "cc", "dddddddd", "e"]  # with a predicate; a single item always fits
    assert list(batch_by_length(items, len, lambda batch: sum(map(len, batch)) <= 4)) == [[1, 4, 2], [0], [3]]


@given(st.lists(st.text("abc", max_size=9), max_size=40), st.integers(1, 9))
def test_every_item_is_processed_once_in_a_batch_of_similar_length(items: list[str], size: int) -> None:
    batches = list(batch_by_length(items, len, size))
    order = [index for batch in batches for index in batch]
    assert sorted(order) == list(range(len(items)))
    assert all((len(items[first]), first) < (len(items[second]), second) for first, second in pairwise(order))
    assert all(len(batch) == size for batch in batches[:-1])
    processed: list[list[str]] = []

    def to_upper(batch: list[str]) -> list[str]:
        processed.append(batch)
        return [text.upper() for text in batch]

    assert list(map_by_length(items, len, size, to_upper)) == [text.upper() for text in items]
    assert [[items[index] for index in batch] for batch in batches] == processed
