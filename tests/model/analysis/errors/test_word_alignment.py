"""Check alignments and matches of words on known examples, and alignments against all others."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.analysis.errors.word_alignment import Columns, align_words, is_same_or_form, match_words
from model.text.words import is_content_word, is_word


def iterate_alignments(rows: int, width: int) -> Iterator[Columns]:
    """Yield all alignments of two sentences of these lengths."""
    if not rows and not width:
        yield ()
    if rows and width:
        yield from ((*way, (rows - 1, width - 1)) for way in iterate_alignments(rows - 1, width - 1))
    if rows:
        yield from ((*way, (rows - 1, None)) for way in iterate_alignments(rows - 1, width))
    if width:
        yield from ((*way, (None, width - 1)) for way in iterate_alignments(rows, width - 1))


def compute_cost(first: list[str], second: list[str], way: Columns) -> tuple[int, int, int]:
    """Return (cost, -same words, -same words of the same case)."""

    def cost(left: str, right: str) -> int:
        if is_same_or_form(left, right, "fr"):
            return 0 if left.casefold() == right.casefold() else 1
        return (
            3 if (is_word(left), is_content_word(left, "fr")) == (is_word(right), is_content_word(right, "fr")) else 99
        )

    pairs = [(first[left], second[right]) for left, right in way if left is not None and right is not None]
    return (sum(cost(*pair) for pair in pairs) + 2 * (len(way) - len(pairs)),
            -sum(left.casefold() == right.casefold() for left, right in pairs),
            -sum(left == right for left, right in pairs))  # fmt: skip


SHORT = st.lists(st.sampled_from(("le", "Le", "la", "chat", "Chat", "chats", "noir", ".")), max_size=5)


@given(SHORT, SHORT)
@settings(max_examples=150)
def test_no_other_alignment_is_cheaper_or_keeps_more(first: list[str], second: list[str]) -> None:
    best = min(compute_cost(first, second, way) for way in iterate_alignments(len(first), len(second)))
    assert compute_cost(first, second, align_words(first, second, "fr")) == best


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("Chat", "chat", True), ("noir", "noirs", True), ("acheté", "achète", True), ("écouter", "écouté", True),
        ("vieux", "vieille", False), ("chat", "chats", True), ("car", "cars", False), ("compte", "comptoir", False),
        ("nous", "nousse", False), (".", ",", False),
    ],
)  # fmt: skip
def test_forms_of_one_word(first: str, second: str, is_same: bool) -> None:
    assert is_same_or_form(first, second, "fr") is is_same
    assert is_same_or_form(second, first, "fr") is is_same


def test_a_moved_word_is_matched() -> None:
    first, second = ["la", "Communauté", "économique", "européenne"], ["la", "Communauté", "européenne", "économique"]
    assert match_words(first, second, align_words(first, second, "fr"), "fr").keys() == {0, 1, 2, 3}
    twice = ["la", "maison", "de", "la", "maison"]
    result = match_words(twice, ["la", "maison"], align_words(twice, ["la", "maison"], "fr"), "fr")
    assert result.keys() <= {0, 1, 3, 4}
    assert len(result) == 2
