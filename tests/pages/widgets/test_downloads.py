"""The names of downloaded files."""

import re

import pytest

from pages.ui.widgets.downloads import build_file_name
from tests.hostile import CASES
from tests.traces import make_trace


def test_a_file_is_named_after_its_sentence_and_model() -> None:
    mixed = make_trace("I'm sure: the Cat sleeps here .", "a", (0,))
    assert build_file_name(mixed, "words") == "i-m-sure-the-cat-sleeps-rnnsearch-50-words"
    assert build_file_name(make_trace("고양이가 잔다 .", "a", (0,)), "pieces") == "고양이가-잔다-rnnsearch-50-pieces"
    assert build_file_name(make_trace("... !", "a", (0,)), "words") == "rnnsearch-50-words"
    assert build_file_name(make_trace("A cat", "a", (0,)), "words", ["a-1", "b"]) == "a-cat-a-1-b-words"
    assert build_file_name(make_trace("A cat", "a", (0,)), "words", list("abcd")) == "a-cat-4-models-words"


@pytest.mark.parametrize("case", CASES)
def test_file_names_are_valid_for_hostile_sentences(case: str) -> None:
    text = CASES[case].encode("utf-8", "replace").decode()
    name = build_file_name(make_trace(text, "a", (0,)) if text.split() else make_trace(), "words")
    assert len(name) < 100
    assert re.fullmatch(r"[^\W_]+(-[^\W_]+)*", name), name
