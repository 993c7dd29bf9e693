"""Compare prefixes translated in one batch with each alone; check which words are present, and from where on."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.analysis.probing.prefixes import (
    MAX_PREFIXES,
    PrefixTranslations,
    choose_prefix_lengths,
    find_longest_common_subsequence,
    translate_prefixes,
)
from model.checkpoints.checkpoint import load_model
from model.decoding import Settings
from model.decoding.translate import translate_sentence
from model.text.normalise import normalise
from tests.model.analysis.probing.test_nearest_words import TEXT
from tests.traces import make_trace


@pytest.mark.verdict
@pytest.mark.parametrize("settings", [Settings(candidates=0), Settings(beam=3, candidates=0)], ids=["greedy", "beam"])
def test_each_prefix_is_translated_as_it_is_alone(model: SimpleNamespace, settings: Settings) -> None:
    result = translate_prefixes(model, TEXT, settings)
    words = ("The", "old", "dog", "runs", "in", "the", "garden", ".")
    assert (result.words, result.prefix_lengths) == (words, tuple(range(1, 9)))
    for count, trace in zip(result.prefix_lengths, result.traces, strict=True):
        single_trace = translate_sentence(model, normalise(" ".join(words[:count]).replace(" .", ".")), settings)
        assert (trace.source, trace.target) == (single_trace.source, single_trace.target)
        assert trace.log_probability == pytest.approx(single_trace.log_probability, abs=1e-6)
    assert result.full_trace.source.text == TEXT


@pytest.mark.parametrize(
    ("text", "prefixes"),
    [
        ("<formal> I am.", ["<formal> I", "<formal> I am"]),
        ("I <formal> am.", ["I", "I <formal>", "I <formal> am"]),
        ("<formal>", []),
    ],
    ids=["first", "inside", "alone"],
)
def test_a_style_tag_is_one_word_and_no_prefix_by_itself(text: str, prefixes: list[str]) -> None:
    result = translate_prefixes(load_model("rnnsearch-en-ko"), normalise(text), Settings(candidates=0))
    assert result.words == result.full_trace.source.words
    assert "<formal>" in result.words
    assert [trace.source.text for trace in result.traces] == [*prefixes, text]
    assert result.prefix_lengths == tuple(len(trace.source.words) for trace in result.traces)


def test_a_prefix_that_would_copy_a_sign_that_the_sentence_reads_is_left_out(model: SimpleNamespace) -> None:
    result = translate_prefixes(model, normalise("I ❤ you."), Settings(candidates=0))
    assert (result.words, result.prefix_lengths) == (("I", "❤", "you", "."), (1, 3, 4))
    assert len(result.traces) == 3


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_the_common_subsequence_is_a_longest_one_and_ends_first(full_words: list[str], prefix_words: list[str]) -> None:
    """A repeated word is matched at its first occurrence."""
    result = sorted(find_longest_common_subsequence(full_words, prefix_words))
    indices = range(len(full_words))
    subsequences = [places for count in range(len(full_words) + 1) for places in combinations(indices, count)
                    if _is_subsequence([full_words[place] for place in places], prefix_words)]  # fmt: skip
    max_length = max(map(len, subsequences))
    assert len(result) == max_length
    assert tuple(result) in subsequences
    assert result[::-1] == min(list(reversed(places)) for places in subsequences if len(places) == max_length)


def _is_subsequence(words: list[str], other_words: list[str]) -> bool:
    unread = iter(other_words)
    return all(word in unread for word in words)


def test_words_present_and_stable_from_are_as_counted_by_hand() -> None:
    translations = ("le .", "le chat noir dort .", "le chat dort ici .", "le petit chat dort ici .")
    result = PrefixTranslations(
        ("a", "b", "c", "d"), (1, 2, 3, 4), tuple(make_trace(target=text, order=None) for text in translations)
    )
    assert result.words_present == (
        (True, False, False, False, False, True), (True, False, True, True, False, True),
        (True, False, True, True, True, True), (True,) * 6,
    )  # fmt: skip
    assert result.stable_from == (1, 4, 2, 2, 3, 1)


@pytest.mark.parametrize("words", [1, 59, 60, 61, 119, 500])
def test_prefix_lengths_are_evenly_spaced_and_end_with_the_sentence(words: int) -> None:
    lengths = choose_prefix_lengths(words)
    assert len(lengths) == min(words, MAX_PREFIXES)
    assert lengths[-1] == words
    gaps = [later - earlier for earlier, later in zip((0, *lengths), lengths, strict=False)]
    assert min(gaps) >= 1
    assert max(gaps) - min(gaps) <= 1
