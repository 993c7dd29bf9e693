"""Beginnings of a sentence, decoded together, against each alone; what is kept, and since when, by hand."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.analysis.ablation.word_changes import align_traces
from model.analysis.probing.prefixes import (
    MAX_PREFIXES,
    PrefixTranslations,
    choose_prefix_lengths,
    longest_common_subsequence,
    translate_prefixes,
)
from model.decoding import SearchStopped, Settings
from model.decoding.translate import SentenceError, translate_one
from model.text.normalise import normalise
from tests.model.analysis.probing.test_annotations import TEXT, model
from tests.pages.traces import trace

__all__ = ["model"]


@pytest.mark.verdict
@pytest.mark.parametrize("settings", [Settings(candidates=0), Settings(beam=3, candidates=0)], ids=["greedy", "beam"])
def test_each_beginning_is_translated_as_it_is_alone(model: SimpleNamespace, settings: Settings) -> None:
    found = translate_prefixes(model, TEXT, settings)
    words = ("The", "old", "dog", "runs", "in", "the", "garden", ".")
    assert (found.words, found.prefix_lengths) == (words, tuple(range(1, 9)))
    for count, made in zip(found.prefix_lengths, found.traces, strict=True):
        alone = translate_one(model, normalise(" ".join(words[:count]).replace(" .", ".")), settings)
        assert (made.source, made.target) == (alone.source, alone.target)
        assert made.log_probability == pytest.approx(alone.log_probability, abs=1e-6)
    assert found.full_trace.source.text == TEXT


@pytest.mark.parametrize(("whole", "part", "places"), [
    ("a b c a d", "a", {0}),
    ("a b c a d", "b a", {1, 3}),
    ("a b c a d", "a c a", {0, 2, 3}),
    ("un chat et un chien et un rat", "un chat et un", {0, 1, 2, 3}),
    ("un chat et un chien", "le chien", {4}),
    ("un chat", "", set()),
    ("", "un", set()),
])  # fmt: skip
def test_a_word_that_stands_twice_is_found_at_its_first_place(whole: str, part: str, places: set[int]) -> None:
    assert longest_common_subsequence(whole.split(), part.split()) == places


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_what_is_common_is_as_long_as_can_be_and_ends_first(whole: list[str], part: list[str]) -> None:
    found = sorted(longest_common_subsequence(whole, part))
    every = [places for count in range(len(whole) + 1) for places in combinations(range(len(whole)), count)
             if _within([whole[place] for place in places], part)]  # fmt: skip
    most = max(map(len, every))
    assert len(found) == most
    assert tuple(found) in every
    assert found[::-1] == min(list(reversed(places)) for places in every if len(places) == most)


def _within(words: list[str], others: list[str]) -> bool:
    rest = iter(others)
    return all(word in rest for word in words)


def test_what_is_kept_stands_in_both_and_stays() -> None:
    written = ("le .", "le chat noir dort .", "le chat dort ici .", "le petit chat dort ici .")
    found = PrefixTranslations(
        ("a", "b", "c", "d"), (1, 2, 3, 4), tuple(trace(target=text, order=None) for text in written)
    )
    assert found.words_present == (
        (True, False, False, False, False, True), (True, False, True, True, False, True),
        (True, False, True, True, True, True), (True,) * 6,
    )  # fmt: skip
    assert found.stable_from == (1, 4, 2, 2, 3, 1)
    for part, row in zip(found.traces, found.words_present, strict=True):
        assert sum(row) == sum(
            not pair.is_changed and pair.before != -1 for pair in align_traces(found.full_trace, part)
        )


@pytest.mark.parametrize("words", [1, 2, 59, 60, 61, 119, 120, 500])
def test_long_sentences_are_cut_evenly_and_in_the_end_not_at_all(words: int) -> None:
    after = choose_prefix_lengths(words)
    assert len(after) == min(words, MAX_PREFIXES)
    assert after[-1] == words
    gaps = [later - earlier for earlier, later in zip((0, *after), after, strict=False)]
    assert min(gaps) >= 1
    assert max(gaps) - min(gaps) <= 1


def test_what_cannot_be_cut(model: SimpleNamespace) -> None:
    with pytest.raises(SentenceError):
        translate_prefixes(model, normalise(""), Settings())
    with pytest.raises(SearchStopped):
        translate_prefixes(model, TEXT, Settings(), lambda: True)
