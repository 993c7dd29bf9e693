"""Check the choice of figure sentences, and the shipped Traces."""

from dataclasses import replace

import pytest

from model.analysis.paper.figures import (
    ALIGNMENTS,
    FIGURE_SENTENCES,
    LONG_SENTENCES,
    LONG_SENTENCES_FILE,
    ExpectedAlignment,
    FigureSentence,
    choose_alignments,
    read_traces,
)
from model.checkpoints import checkpoint
from model.checkpoints.selection import select_shipped_pair
from model.text.normalise import normalise
from model.trace import Trace
from tests.traces import make_trace


def test_an_expected_alignment_sums_the_weights_of_its_words() -> None:
    original = make_trace("the old cat sleeps", "le vieux chat dort", (0, 1, 2, 3))
    weights = original.compute_word_map("attention")
    assert ExpectedAlignment(("chat",), ("cat",)).compute_max_weight(original) == pytest.approx(float(weights[2, 2]))
    assert ExpectedAlignment(("chat", "dort"), ("old", "cat")).compute_max_weight(original) == pytest.approx(
        max(float(weights[2, 1] + weights[2, 2]), float(weights[3, 1] + weights[3, 2]))
    )
    assert ExpectedAlignment(("chien",), ("cat",)).compute_max_weight(original) == 0.0
    weight = ExpectedAlignment(("chat",), ("cat",)).compute_max_weight(original)
    assert ExpectedAlignment(("chat",), ("cat",), weight).is_met(original)
    assert not ExpectedAlignment(("chat",), ("cat",), weight + 0.001).is_met(original)


def test_the_likeliest_sentence_that_shows_the_phenomenon_is_chosen() -> None:
    expected = (ExpectedAlignment(("chat",), ("cat",)),)
    samples = [FigureSentence("order", text, expected) for text in ("a cat", "one cat", "no cat", "my cat")]
    right_traces = [make_trace(sample.sentence, "le chat", (0, 1)) for sample in samples[:2]]
    likely_trace = replace_log_probs(right_traces[1], -0.01)
    wrong_trace = replace_log_probs(make_trace("no cat", "le chien", (0, 1)), 0.0)
    (figure,) = choose_alignments([right_traces[0], likely_trace, wrong_trace], samples)
    assert figure.trace is likely_trace
    assert (figure.shown_count, figure.sentence_count, figure.is_shown) == (2, 3, True)  # the fourth has no Trace
    (figure,) = choose_alignments([wrong_trace], samples)
    assert (figure.trace, figure.shown_count, figure.sentence_count, figure.is_shown) == (wrong_trace, 0, 1, False)
    assert not list(choose_alignments([], samples))


def replace_log_probs(original: Trace, value: float) -> Trace:
    steps = tuple(replace(step, log_probability=value, candidates=()) for step in original.steps)
    total = value * len(steps)
    return replace(original, steps=steps, log_probability=total, score=total)


def test_shipped_traces_match_the_sentences_and_weights() -> None:
    fingerprints = {card.name: card.fingerprint for card in checkpoint.list_cards()}
    attending, plain = (card.name for card in select_shipped_pair())
    alignments, threads = read_traces(ALIGNMENTS), read_traces(LONG_SENTENCES_FILE)
    assert [item.source.text for item in alignments] == [normalise(sample.sentence) for sample in FIGURE_SENTENCES]
    sentences = [normalise(long.sentence) for long in LONG_SENTENCES]
    assert [item.source.text for item in threads] == sentences * 2
    assert [item.provenance.model for item in threads] == [name for name in (plain, attending) for _ in LONG_SENTENCES]
    for item in (*alignments, *threads):
        model = item.provenance.model
        assert item.provenance.fingerprint == fingerprints[model], "make them again: python -m model figures"
    assert {item.provenance.model for item in alignments} == {attending}
