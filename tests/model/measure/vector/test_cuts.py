"""Beginnings of a sentence, decoded together, against each alone; what is kept, and since when, by hand."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from model.measure.counterfactual.changed import aligned
from model.measure.vector.cuts import MOST, Cuts, cut_after, cuts
from model.search import SearchStopped, Settings
from model.search.translate import SentenceError, translate_one
from model.text.normalise import normalise
from tests.model.measure.vector.test_annotations import TEXT, model
from tests.pages.traces import trace

__all__ = ["model"]


@pytest.mark.verdict
@pytest.mark.parametrize("settings", [Settings(candidates=0), Settings(beam=3, candidates=0)], ids=["greedy", "beam"])
def test_each_beginning_is_translated_as_it_is_alone(model: SimpleNamespace, settings: Settings) -> None:
    found = cuts(model, TEXT, settings)
    words = ("The", "old", "dog", "runs", "in", "the", "garden", ".")
    assert (found.words, found.after) == (words, tuple(range(1, 9)))
    for count, made in zip(found.after, found.traces, strict=True):
        alone = translate_one(model, normalise(" ".join(words[:count]).replace(" .", ".")), settings)
        assert (made.source, made.target) == (alone.source, alone.target)
        assert made.log_probability == pytest.approx(alone.log_probability, abs=1e-6)
    assert found.whole.source.text == TEXT


def test_what_is_kept_stands_in_both_and_stays() -> None:
    written = ("le .", "le chat noir dort .", "le chat dort ici .", "le petit chat dort ici .")
    found = Cuts(("a", "b", "c", "d"), (1, 2, 3, 4), tuple(trace(target=text, order=None) for text in written))
    assert found.kept == (
        (True, False, False, False, False, True), (True, False, True, True, False, True),
        (True, False, True, True, True, True), (True,) * 6,
    )  # fmt: skip
    assert found.since == (1, 4, 2, 2, 3, 1)
    for part, row in zip(found.traces, found.kept, strict=True):
        assert sum(row) == sum(not pair.flipped and pair.before != -1 for pair in aligned(found.whole, part))


@pytest.mark.parametrize("words", [1, 2, 59, 60, 61, 119, 120, 500])
def test_long_sentences_are_cut_evenly_and_in_the_end_not_at_all(words: int) -> None:
    after = cut_after(words)
    assert len(after) == min(words, MOST)
    assert after[-1] == words
    gaps = [later - earlier for earlier, later in zip((0, *after), after, strict=False)]
    assert min(gaps) >= 1
    assert max(gaps) - min(gaps) <= 1


def test_what_cannot_be_cut(model: SimpleNamespace) -> None:
    with pytest.raises(SentenceError):
        cuts(model, normalise(""), Settings())
    with pytest.raises(SearchStopped):
        cuts(model, TEXT, Settings(), lambda: True)
