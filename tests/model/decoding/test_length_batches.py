"""Batches by length hold every item once, sorted, and results come in the order of the items."""

from __future__ import annotations

from model.decoding.length_batches import batch_by_length, map_by_length


def test_batches_are_sorted_by_length_and_limited() -> None:
    items = ["ccc", "a", "bb", "b", "aaa", ""]
    assert list(batch_by_length(items, len, 2)) == [[5, 1], [3, 2], [0, 4]]
    assert list(batch_by_length(items, lambda text: -len(text), 4)) == [[0, 4, 2, 1], [3, 5]]
    assert list(batch_by_length([], len, 2)) == []
    items = ["aaaa", "b", "cc", "dddddddd", "e"]  # with a predicate; a single item always fits
    assert list(batch_by_length(items, len, lambda batch: sum(map(len, batch)) <= 4)) == [[1, 4, 2], [0], [3]]


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(map_by_length(["cc", "a", "bbb"], len, 2, lambda batch: [text.upper() for text in batch])) == [
        "CC", "A", "BBB"]
