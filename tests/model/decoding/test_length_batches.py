"""Batches by length: nothing is lost, neighbours are of like length, ties stay in their order, results come back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.decoding.length_batches import batch_by_length, map_by_length

WORDS = st.lists(st.text("abc", max_size=9), max_size=40)


def test_the_least_come_first_and_equal_ones_as_they_come() -> None:
    items = ["ccc", "a", "bb", "b", "aaa", ""]
    assert list(batch_by_length(items, len, 2)) == [[5, 1], [3, 2], [0, 4]]
    assert list(batch_by_length(items, lambda text: -len(text), 4)) == [[0, 4, 2, 1], [3, 5]]
    assert list(batch_by_length([], len, 2)) == []


def test_a_batch_is_filled_while_it_fits_and_a_first_item_always_does() -> None:
    items = ["aaaa", "b", "cc", "dddddddd", "e"]

    def fits(batch: Sequence[str]) -> bool:
        return sum(map(len, batch)) <= 4

    assert list(batch_by_length(items, len, fits)) == [[1, 4, 2], [0], [3]]


@given(WORDS, st.integers(1, 9))
def test_every_item_is_in_one_batch_beside_its_like(items: list[str], size: int) -> None:
    made = list(batch_by_length(items, len, size))
    places = [place for batch in made for place in batch]
    assert sorted(places) == list(range(len(items)))
    assert all((len(items[one]), one) < (len(items[other]), other) for one, other in pairwise(places))
    assert all(len(batch) == size for batch in made[:-1])


@given(WORDS, st.integers(1, 9))
def test_results_come_in_the_order_of_the_items(items: list[str], size: int) -> None:
    asked: list[list[str]] = []

    def upper(batch: list[str]) -> list[str]:
        asked.append(batch)
        return [text.upper() for text in batch]

    assert list(map_by_length(items, len, size, upper)) == [text.upper() for text in items]
    assert [[items[place] for place in batch] for batch in batch_by_length(items, len, size)] == asked


def test_work_that_loses_an_item_is_noticed() -> None:
    with pytest.raises(ValueError, match="zip"):
        list(map_by_length(["a", "b"], len, 2, lambda batch: batch[:1]))
