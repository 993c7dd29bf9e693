"""Forced decoding gives the numbers of search, of recomputation and of the networks' teacher-forced pass."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Settings
from model.decoding.forced_decoding import (
    build_forced_trace,
    build_forced_traces,
    compute_log_likelihoods,
    force_decode,
)
from model.decoding.translate import SentenceError
from model.text.normalise import normalise
from tests.canonical import normalise_pairs
from tests.model.decoding.helpers import SEEDS, SOURCES, TinyModel
from tests.model.decoding.toy import EOS, PAD, UNK, constant_toy, random_toy
from tests.model.tiny import build_tiny_network

BODY = st.lists(st.sampled_from([UNK, 3, 4]), max_size=7)
TARGETS = st.one_of(BODY.map(lambda tokens: [*tokens, EOS]), BODY.filter(bool))


@given(SEEDS, SOURCES, st.data())
@run(max_examples=50, deadline=None)
def test_forced_record_equals_recomputation(seed: int, sources: list[list[int]], data: st.DataObject) -> None:
    toy = random_toy(seed)
    targets = [data.draw(TARGETS) for _ in sources]
    hypotheses = force_decode(toy, sources, targets, Settings(candidates=2, length_penalty="none"))
    for hypothesis, source, target in zip(hypotheses, sources, targets, strict=True):
        steps = toy.recompute(source, target)
        expected = [float(log_probs[token]) for (log_probs, _, _), token in zip(steps, target, strict=True)]
        assert (hypothesis.tokens, hypothesis.log_probs) == (tuple(target), tuple(expected))
        assert hypothesis.total_log_prob == hypothesis.score == pytest.approx(sum(expected), abs=1e-12)
        assert hypothesis.is_finished == (target[-1] == EOS)
        assert np.array_equal(hypothesis.weights["attention"], [weights for _, weights, _ in steps])
        for (log_probs, _, _), candidates in zip(steps, hypothesis.candidates, strict=True):
            ranked = sorted((-value, token) for token, value in enumerate(log_probs) if token not in (PAD, UNK))
            assert candidates == tuple((token, -value) for value, token in ranked[:2])
    assert compute_log_likelihoods(toy, sources, targets) == [one.total_log_prob for one in hypotheses]


def test_invalid_targets_and_sources_are_refused() -> None:
    toy = random_toy(1)
    assert force_decode(toy, [], []) == compute_log_likelihoods(toy, [], []) == []
    for target in ([], [3, PAD, EOS], [3, EOS, 4], [EOS, EOS]):
        with pytest.raises(ValueError, match="A target is a list of token ids without PAD"):
            force_decode(toy, [[3, EOS]], [target])
        with pytest.raises(ValueError, match="A target is a list"):
            compute_log_likelihoods(toy, [[3, EOS]], [target])
    with pytest.raises(ValueError, match="got 2 sources and 1 targets"):
        force_decode(toy, [[EOS], [EOS]], [[EOS]])
    with pytest.raises(ValueError, match="A source is a list of token ids that ends in EOS"):
        force_decode(toy, [[3]], [[EOS]])
    network = build_tiny_network("rnnsearch", "groundhog")
    with pytest.raises(ValueError, match="Token 13 is not in the network's vocabulary of 13 tokens"):
        force_decode(network, [[3, EOS]], [[13]])
    with pytest.raises(ValueError, match=r"call eval\(\)"):
        force_decode(network.train(), [[3, EOS]], [[3, EOS]])


def test_impossible_token_is_refused_and_padding_after_a_target_is_not() -> None:
    toy = constant_toy([0.0, 0.5, 0.0, 0.5, 0.0])
    with pytest.raises(ValueError, match="gives the token 4 at step 2 no usable log-probability: got -inf"):
        force_decode(toy, [[EOS]], [[3, 4, EOS]])
    totals = [hypothesis.total_log_prob for hypothesis in force_decode(toy, [[EOS], [EOS]], [[EOS], [3, 3, EOS]])]
    assert totals == pytest.approx([np.log(0.5), 3 * np.log(0.5)])
    assert compute_log_likelihoods(toy, [[EOS], [EOS]], [[EOS], [3, 3, EOS]]) == totals


# ---- texts -------------------------------------------------------------------------------------------------------


def test_trace_of_a_given_translation(model: TinyModel) -> None:
    trace = build_forced_trace(model, normalise("The grey  cat sleeps."), normalise("Le chat gris dort\u00a0!"))
    assert (trace.source.text, trace.target.text) == ("The grey cat sleeps.", "Le chat gris dort!")
    assert trace.is_finished
    assert (trace.provenance.search, trace.provenance.settings) == ("forced", {})
    assert all(len(step.candidates) == 10 for step in trace.steps)
    assert trace.get_map("attention").values.shape == (len(trace.target.pieces), len(trace.source.pieces))
    assert trace.score == pytest.approx(trace.log_probability / len(trace.steps))
    for settings in (Settings(beam=3, tree=True), Settings(sample=True, seed=4)):
        trace = build_forced_trace(model, normalise("Yes."), normalise("Oui."), settings)
        assert (trace.tree, trace.provenance.seed, trace.provenance.settings) == (None, None, {})


@pytest.mark.parametrize("batch_size", [1, 2])
def test_traces_of_a_stream_are_in_order(
    model: TinyModel, sentences: list[tuple[str, str]], batch_size: int
) -> None:
    pairs, settings = [*sentences[:5], ("", "Rien."), ("Nothing.", " \u200b"), *sentences[9:12]], Settings(candidates=0)
    traces = build_forced_traces(model, normalise_pairs(pairs), settings, batch_size)
    for number, (trace, (source, target)) in enumerate(zip(traces, pairs, strict=True)):
        if number in (5, 6):  # pairs with an empty side
            assert trace is None
            continue
        single_trace = build_forced_trace(model, normalise(source), normalise(target), settings)
        assert trace is not None
        assert (trace.source, trace.target) == (single_trace.source, single_trace.target)
        assert trace.log_probability == pytest.approx(single_trace.log_probability, abs=1e-9)
        assert trace.steps[0].candidates == ()


def test_invalid_texts_are_refused(model: TinyModel) -> None:
    pairs = [("A cat.", "Un chat."), ("A dog.", "Un chien."), ("A cat.", "chat " * 2000), ("A dog.", "Un chien.")]
    traces = build_forced_traces(model, normalise_pairs(pairs), batch_size=4)
    assert [trace.target.text for trace in (next(traces), next(traces)) if trace] == ["Un chat.", "Un chien."]
    with pytest.raises(SentenceError, match="The translation of sentence 3 has 4,000 tokens, and at most 1,024 can"):
        next(traces)
    for source, target, problem in (("", "Un chat.", "The sentence is empty"),
                                    ("A cat.", " ", "The given translation is empty"),
                                    ("A cat.", "a" * 20_001, "The given translation has 20,001 characters")):
        with pytest.raises(SentenceError, match=problem):
            build_forced_trace(model, normalise(source), normalise(target))
    with pytest.raises(ValueError, match="batch_size must be 1 or more: got 0"):
        build_forced_traces(model, [], batch_size=0)
