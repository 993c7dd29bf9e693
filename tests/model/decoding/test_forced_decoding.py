"""Forced decoding: the same numbers as search, as recomputation and as the teacher-forced pass of the networks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Hypothesis, Settings, search
from model.decoding.forced_decoding import (
    build_forced_trace,
    build_forced_traces,
    compute_log_likelihoods,
    force_decode,
)
from model.decoding.translate import SentenceError, translate_sentence
from model.networks.registry import build_network
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from tests.canonical import iterate_normalised_pairs, normalise_pairs
from tests.model.decoding.toy import EOS, PAD, UNK, constant_toy, random_toy
from tests.model.tiny import KINDS_AND_WIRINGS, PAIRS, build_batch, build_tiny_network

SEEDS = st.integers(0, 10**6)
SOURCES = st.lists(st.lists(st.integers(3, 9), max_size=6).map(lambda pieces: [*pieces, EOS]), min_size=1, max_size=5)
BODY = st.lists(st.sampled_from([UNK, 3, 4]), max_size=7)
TARGETS = st.one_of(BODY.map(lambda pieces: [*pieces, EOS]), BODY.filter(bool))


@dataclass(frozen=True)
class Model:
    """A model as translating needs it."""

    vocabulary: Vocabulary
    network: GRUNetwork
    name: str = "tiny"
    fingerprint: str = "0" * 12
    languages: tuple[str, str] = ("en", "fr")


@pytest.fixture(scope="module")
def model(tiny_vocabulary: Vocabulary) -> Model:
    torch.manual_seed(3)
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 8, 12, 10, 6)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0.0, 0.5)
    return Model(tiny_vocabulary, network)


def same(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses agree to the last bit."""
    plain = all(getattr(one, name) == getattr(other, name) for name in (
        "tokens", "log_probs", "candidates", "total_log_prob", "score", "is_finished"))
    return plain and all(np.array_equal(one.weights[name], other.weights[name]) for name in other.weights)


# ---- a translator made by hand ----------------------------------------------------------------------------------


@given(SEEDS, st.data())
@run(max_examples=50)
def test_forced_numbers_are_the_recomputed_ones(seed: int, data: st.DataObject) -> None:
    toy, sources = random_toy(seed), data.draw(SOURCES)
    targets = [data.draw(TARGETS) for _ in sources]
    found = force_decode(toy, sources, targets, Settings(candidates=2, length_penalty="none"))
    for hypothesis, source, target in zip(found, sources, targets, strict=True):
        steps = toy.recompute(source, target)
        expected = [float(values[piece]) for (values, _, _), piece in zip(steps, target, strict=True)]
        assert hypothesis.tokens == tuple(target)
        assert hypothesis.log_probs == tuple(expected)
        assert hypothesis.total_log_prob == hypothesis.score == pytest.approx(sum(expected), abs=1e-12)
        assert hypothesis.is_finished == (target[-1] == EOS)
        assert hypothesis.weights["attention"].shape == (len(target), len(source))
        for row, (values, weights, _), listed in zip(
            hypothesis.weights["attention"], steps, hypothesis.candidates, strict=True
        ):
            assert np.array_equal(row, weights)
            allowed = sorted(((-value, piece) for piece, value in enumerate(values) if piece not in (PAD, UNK)))
            assert [(piece, value) for piece, value in listed] == [(piece, -value) for value, piece in allowed[:2]]
    assert compute_log_likelihoods(toy, sources, targets) == [one.total_log_prob for one in found]


@pytest.mark.verdict
@given(SEEDS, SOURCES, st.integers(1, 4))
@run(max_examples=30)
def test_what_search_wrote_is_forced_to_the_same_record(seed: int, sources: list[list[int]], width: int) -> None:
    toy, settings = random_toy(seed), Settings(beam=width, candidates=3)
    written = [found[0] for found in search(toy, sources, settings)]
    again = force_decode(toy, sources, [one.tokens for one in written], settings)
    assert all(map(same, again, written))


def test_detail_is_that_of_each_pair_alone() -> None:
    toy, source, target = random_toy(1), [5, 4, EOS], [3, 4, EOS]
    longer = force_decode(toy, [source, [6, 5, 4, 3, EOS]], [target, [4, EOS]], Settings(detail=True))
    codes = [code for _, _, code in toy.recompute(source, target)]
    assert longer[0].detail is not None
    assert longer[0].detail["code"][:, 0].tolist() == codes
    assert longer[1].weights["attention"].shape == (2, 5)
    assert force_decode(toy, [source], [target])[0].detail is None


def test_no_pairs_no_hypotheses() -> None:
    assert force_decode(random_toy(1), [], []) == []
    assert compute_log_likelihoods(random_toy(1), [], []) == []


@pytest.mark.parametrize("target", [[], [3, PAD, EOS], [3, EOS, 4], [EOS, EOS]])
def test_other_targets_are_refused(target: list[int]) -> None:
    with pytest.raises(ValueError, match="A target is a list of piece ids without PAD"):
        force_decode(random_toy(1), [[3, EOS]], [target])
    with pytest.raises(ValueError, match="A target is a list"):
        compute_log_likelihoods(random_toy(1), [[3, EOS]], [target])


def test_sources_and_targets_come_in_pairs() -> None:
    with pytest.raises(ValueError, match="got 2 sources and 1 targets"):
        force_decode(random_toy(1), [[EOS], [EOS]], [[EOS]])
    with pytest.raises(ValueError, match="A source is a list of piece ids that ends in EOS"):
        force_decode(random_toy(1), [[3]], [[EOS]])


def test_an_impossible_piece_is_refused_but_only_where_it_stands() -> None:
    toy = constant_toy([0.0, 0.5, 0.0, 0.5, 0.0])
    with pytest.raises(ValueError, match="gives the piece 4 at step 2 no usable log-probability: got -inf"):
        force_decode(toy, [[EOS]], [[3, 4, EOS]])
    short, long = force_decode(
        toy, [[EOS], [EOS]], [[EOS], [3, 3, EOS]]
    )  # PAD, impossible, follows the short one's end
    assert short.total_log_prob == pytest.approx(math.log(0.5))
    assert long.total_log_prob == pytest.approx(3 * math.log(0.5))
    assert compute_log_likelihoods(toy, [[EOS], [EOS]], [[EOS], [3, 3, EOS]]) == [
        short.total_log_prob,
        long.total_log_prob,
    ]


# ---- the networks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)
def test_forced_is_the_teacher_forced_pass(kind: str, wiring: str) -> None:
    network = build_tiny_network(kind, wiring)  # type: ignore[arg-type]
    source, target = build_batch()
    with torch.no_grad():
        expected = network(source, target)
    found = force_decode(network, [one for one, _ in PAIRS], [other for _, other in PAIRS])
    for row, (hypothesis, (pieces, wanted)) in enumerate(zip(found, PAIRS, strict=True)):
        values = expected.log_probs[row, range(len(wanted)), wanted]
        assert hypothesis.log_probs == pytest.approx(values.tolist(), abs=1e-12)
        assert set(hypothesis.weights) == set(expected.weights)
        for name, weights in expected.weights.items():
            np.testing.assert_allclose(
                hypothesis.weights[name], weights[row, : len(wanted), : len(pieces)].numpy(), atol=1e-12)
    totals = compute_log_likelihoods(network, [one for one, _ in PAIRS], [other for _, other in PAIRS])
    assert sum(totals) == pytest.approx(-network.loss(source, target).item(), abs=1e-9)


def test_a_piece_out_of_the_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="Piece 13 is not in the network's vocabulary of 13 pieces"):
        force_decode(build_tiny_network("rnnsearch", "groundhog"), [[3, EOS]], [[13]])


def test_a_network_in_training_is_refused() -> None:
    with pytest.raises(ValueError, match=r"call eval\(\)"):
        force_decode(build_tiny_network("rnnsearch", "groundhog").train(), [[3, EOS]], [[3, EOS]])


# ---- texts ------------------------------------------------------------------------------------------------------


def test_a_translation_of_its_own_has_the_same_trace(model: Model) -> None:
    settings = Settings(max_ratio=1.0)
    text = normalise("The grey cat sleeps.")
    written = translate_sentence(model, text, settings)
    target = [*(step.id for step in written.steps if step.id != EOS), EOS]
    hypothesis = force_decode(model.network, [model.vocabulary.encode(text)], [target], settings)[0]
    for step, value, listed in zip(written.steps, hypothesis.log_probs, hypothesis.candidates, strict=False):
        assert value == pytest.approx(step.log_probability, abs=1e-9)
        assert [piece for piece, _ in listed] == [candidate.id for candidate in step.candidates]


def test_a_given_translation_becomes_a_trace(model: Model) -> None:
    trace = build_forced_trace(model, normalise("The grey  cat sleeps."), normalise("Le chat gris dort\u00a0!"))
    assert (trace.source.text, trace.target.text) == ("The grey cat sleeps.", "Le chat gris dort!")
    assert trace.finished
    assert (trace.made_by.search, trace.made_by.settings) == ("forced", {})
    assert all(len(step.candidates) == 10 for step in trace.steps)
    assert trace.get_map("attention").values.shape == (len(trace.target.pieces), len(trace.source.pieces))
    assert trace.score == pytest.approx(trace.log_probability / len(trace.steps))


def test_symbols_of_a_given_translation_stand_where_it_has_them(model: Model) -> None:
    plain = build_forced_trace(model, normalise("The grey cat sleeps."), normalise("Le chat gris dort."))
    trace = build_forced_trace(model, normalise("The grey cat 🐱 sleeps. 😴"), normalise("Le 🐈 chat gris dort."))
    assert trace.target.text == "Le 🐈 chat gris dort."
    assert [symbol.text for symbol in trace.target.symbols] == ["🐈"]
    assert replace(trace, source=plain.source, target=plain.target) == plain


def test_many_pairs_come_in_order_and_lazily(model: Model, sentences: list[tuple[str, str]]) -> None:
    read = 0

    def coming() -> Iterator[tuple[str, str]]:
        nonlocal read
        for pair in [*sentences[:9], ("", "Rien."), ("Nothing.", " \u200b"), *sentences[9:20]]:
            read += 1
            yield pair

    settings = Settings(candidates=0)
    traces = build_forced_traces(model, iterate_normalised_pairs(coming()), settings, batch_size=2)
    first = next(traces)
    assert read == 2
    found = [first, *traces]
    assert [trace is None for trace in found] == [index in (9, 10) for index in range(22)]
    for trace, (source, target) in zip([one for one in found if one is not None], sentences[:20], strict=True):
        alone = build_forced_trace(model, normalise(source), normalise(target), settings)
        assert (trace.source, trace.target) == (alone.source, alone.target)
        assert trace.log_probability == pytest.approx(alone.log_probability, abs=1e-9)
        assert trace.steps[0].candidates == ()


def test_a_batch_size_of_one_waits_for_nobody(model: Model, sentences: list[tuple[str, str]]) -> None:
    read = 0

    def coming() -> Iterator[tuple[str, str]]:
        nonlocal read
        for pair in sentences[:5]:
            read += 1
            yield pair

    for number, _ in enumerate(
        build_forced_traces(model, iterate_normalised_pairs(coming()), Settings(candidates=0), batch_size=1), 1
    ):
        assert read == number
    assert read == 5


def test_a_pair_too_long_is_named_once_those_before_are_given_back(model: Model) -> None:
    pairs = [("A cat.", "Un chat."), ("A dog.", "Un chien."), ("A cat.", "chat " * 2000), ("A dog.", "Un chien.")]
    traces = build_forced_traces(model, normalise_pairs(pairs), batch_size=4)
    assert [trace.target.text for trace in (next(traces), next(traces)) if trace] == ["Un chat.", "Un chien."]
    with pytest.raises(SentenceError, match="Sentence 3 has 4,000 pieces, and at most 1,024 can"):
        next(traces)


def test_one_pair_must_be_whole(model: Model) -> None:
    for source, target in (("", "Un chat."), ("A cat.", " ")):
        with pytest.raises(SentenceError, match="empty"):
            build_forced_trace(model, normalise(source), normalise(target))
    with pytest.raises(SentenceError, match="characters"):
        build_forced_trace(model, normalise("A cat."), normalise("a" * 20_001))
    with pytest.raises(ValueError, match="batch_size must be 1 or more: got 0"):
        build_forced_traces(model, [], batch_size=0)


def test_rows_of_one_batch_do_not_touch_one_another(model: Model) -> None:
    sources = [model.vocabulary.encode(normalise(text)) for text in ("A cat.", "Where is the station?")]
    targets = [model.vocabulary.encode(normalise(text)) for text in ("Un chat.", "Où est la gare?")]
    together = force_decode(model.network, sources, targets)
    alone = [
        force_decode(model.network, [source], [target])[0] for source, target in zip(sources, targets, strict=True)
    ]
    for one, other in zip(together, alone, strict=True):
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-9)
        assert one.tokens == other.tokens
        np.testing.assert_allclose(one.weights["attention"], other.weights["attention"], atol=1e-9)
