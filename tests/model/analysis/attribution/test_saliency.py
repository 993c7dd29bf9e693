"""Gradients against finite differences, integrals against their definition and their sum, words left out by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from model.analysis.attribution.saliency import (
    MAX_GAP,
    MAX_INTERVALS,
    SaliencyComputation,
    clenshaw_curtis,
    compute_saliency,
)
from model.analysis.attribution.saliency_record import METHODS, SaliencyError
from model.decoding import Edits, RowEdit, SearchStopped, Settings
from model.decoding.translate import translate_best, translate_one
from model.networks.base import SourceEmbedder
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import PAD, Vocabulary
from tests.model.decoding.toy import random_toy
from tests.model.tiny import EOS, EVERY, tiny

SOURCE, TARGET = [5, 3, 12, 7, EOS], [4, 9, 9, EOS]


def asking(network: SourceEmbedder) -> SaliencyComputation:
    return SaliencyComputation(network, SOURCE, TARGET, lambda share: None)


def log_p(network: SourceEmbedder, embedded: torch.Tensor) -> np.ndarray:
    """log p of each target piece for one source, its embeddings given (S, m): step by step, by hand."""
    with torch.no_grad():
        state = network.start(network.encode(torch.tensor([SOURCE]), embedded[None]))
        values = []
        for before, piece in zip([PAD, *TARGET], TARGET, strict=False):
            result = network.step(state, torch.tensor([before]))
            values.append(float(result.log_probs[0, piece]))
            state = result.state
    return np.array(values)


def slopes(network: SourceEmbedder, x: torch.Tensor, share: float = 1.0) -> np.ndarray:
    """Gradient times input at a share of the source, (T, S), by central differences in each number of x (S, m)."""
    found = np.zeros((len(TARGET), *x.shape))
    for place in np.ndindex(*x.shape):
        ends = []
        for sign in (1, -1):
            moved = share * x.clone()
            moved[place] += sign * 1e-5
            ends.append(log_p(network, moved))
        found[(slice(None), *place)] = (ends[0] - ends[1]) / 2e-5
    total: np.ndarray = (found * x.numpy()).sum(-1)
    return total


@pytest.mark.verdict
@pytest.mark.parametrize(("kind", "wiring"), EVERY)
def test_gradient_times_input_is_the_slope_times_the_input(kind: str, wiring: str) -> None:
    network = tiny(kind, wiring)  # type: ignore[arg-type]
    given = asking(network)
    assert given.embedded.dtype == torch.float64
    np.testing.assert_allclose(given.gradient_times_input(), slopes(network, given.embedded[0]), rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_integrated_gradients_are_the_mean_slope_on_the_way(kind: str) -> None:
    network = tiny(kind, "groundhog")
    given = asking(network)
    values, without, points = given.integrated_gradients()
    middles = [(k + 0.5) / 160 for k in range(160)]  # many: the readout's maxima bend the way at some places
    fine = given.gradients_at(middles, range(len(TARGET)))
    mean = np.stack([fine[row].mean(axis=0) for row in range(len(TARGET))])
    np.testing.assert_allclose(
        given.gradients_at([0.3], [2])[2][0], slopes(network, given.embedded[0], 0.3)[2], atol=1e-8
    )
    change = np.maximum(np.abs(given.log_probabilities - without), 1.0)
    assert (np.abs(values - mean).max(axis=1) <= 2 * MAX_GAP * change).all()
    assert min(points) >= 9
    np.testing.assert_allclose(without, log_p(network, 0 * given.embedded[0]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_integrated_gradients_sum_to_what_the_source_did(kind: str, seed: int) -> None:
    """Or as many points were taken as may be: these weights bend the way as no trained network's do."""
    given = asking(tiny(kind, "groundhog", seed=seed))
    values, without, points = given.integrated_gradients()
    change = given.log_probabilities - without
    missed = np.abs(values.sum(axis=1) - change) / np.maximum(np.abs(change), 1.0)
    assert all(row <= MAX_GAP or count == MAX_INTERVALS + 1 for row, count in zip(missed, points, strict=True))
    assert (missed <= MAX_GAP).sum() >= len(TARGET) - 1


def test_more_points_are_taken_only_where_the_sum_asks_for_them() -> None:
    """Weights as large as the tiny network's bend the way so much that eight intervals miss; small ones do not."""
    bent = asking(tiny("rnnsearch", "groundhog", seed=3)).integrated_gradients()[2]
    straight = tiny("rnnsearch", "groundhog", seed=3)
    with torch.no_grad():
        straight.source_embedding.weight.mul_(0.01)
    assert set(asking(straight).integrated_gradients()[2]) == {9}
    assert max(bent) > 9


@pytest.mark.parametrize("method", ["gradients", "integrated"])
def test_how_far_it_is_is_told_of_every_gradient(method: str) -> None:
    told: list[float] = []
    given = SaliencyComputation(tiny("rnnsearch", "groundhog", seed=3), SOURCE, TARGET, told.append)
    getattr(given, method)()
    assert told == sorted(told)
    assert len(told) >= len(TARGET)
    assert told[-1] == 1
    assert 0 < told[0] <= 1 / len(TARGET)


def test_what_is_left_out_has_an_embedding_of_zero() -> None:
    network = tiny("rnnsearch", "groundhog")
    given = asking(network)
    groups = np.array([[1.0, 0, 0, 0, 0], [0, 0, 1, 1, 0]])
    found = given.occlude(groups)
    for column, gone in enumerate(([0], [2, 3])):
        embedded = given.embedded[0].clone()
        embedded[gone] = 0
        np.testing.assert_allclose(found[:, column], log_p(network, embedded), rtol=0, atol=1e-12)


@pytest.mark.parametrize("intervals", [2, 4, 8, 16, 64])
def test_the_quadrature_is_exact_for_polynomials_up_to_its_degree(intervals: int) -> None:
    points, weights = clenshaw_curtis(intervals)
    for degree in range(intervals + 1):
        got = sum(weight * point**degree for point, weight in zip(points, weights, strict=True))
        assert got == pytest.approx(1 / (degree + 1), abs=1e-13)
    assert min(weights) > 0


@pytest.mark.parametrize("intervals", [8, 16, 128, 256])
def test_its_points_serve_again_to_the_bit(intervals: int) -> None:
    assert set(clenshaw_curtis(intervals)[0]) <= set(clenshaw_curtis(2 * intervals)[0])


# ---- of a Trace ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Model:
    network: Any
    vocabulary: Vocabulary
    name: str = "tiny"
    fingerprint: str = "0123456789ab"
    languages: tuple[str, str] = ("en", "fr")


def a_model(vocabulary: Vocabulary, kind: str = "rnnsearch") -> Model:
    """A network whose weights say something, and whose translations are short."""
    torch.manual_seed(4)
    network = build_network(RNNsearchConfig(kind, len(vocabulary), 6, 7, 5, 4)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0.0, 1 / parameter.shape[-1] ** 0.5)
    return Model(network, vocabulary)


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("method", METHODS)
def test_a_traces_saliency_is_about_its_own_translation(kind: str, method: str, tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary, kind)
    trace = translate_one(model, normalise("The grey cat sleeps on the chair."), Settings(beam=3, max_ratio=0.5))
    shares: list[float] = []
    found = compute_saliency(model, trace, method, shares.append)  # type: ignore[arg-type]
    assert (found.source, found.target, found.made_by) == (trace.source, trace.target, trace.made_by)
    assert found.log_probabilities == pytest.approx([step.log_probability for step in trace.steps], abs=1e-4)
    assert found.values.shape == (len(trace.target.pieces), len(trace.source.pieces))
    assert np.abs(found.values).max() > 0
    if method == "integrated":
        assert (found.completeness_gaps() <= MAX_GAP).all()
        assert shares[-1] == 1.0


def test_a_search_that_nobody_wants_stops(tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary)
    trace = translate_one(model, normalise("I am a student."))
    with pytest.raises(SearchStopped):
        compute_saliency(model, trace, "integrated", stopped=lambda: True)


def test_other_weights_and_changed_attention_are_refused_in_one_sentence(tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary)
    text = normalise("I am a student.")
    trace = translate_one(model, text)
    with pytest.raises(SaliencyError, match="translate the sentence anew"):
        compute_saliency(model, replace(trace, made_by=replace(trace.made_by, fingerprint="0" * 12)), "gradient")
    row = RowEdit(1, "attention", tuple(trace.get_map().values[0].tolist()))
    (edited,) = translate_best(model, text, edits=Edits((row,)))
    with pytest.raises(SaliencyError, match="take the change back"):
        compute_saliency(model, edited, "gradient")


def test_a_network_without_embeddings_to_ask_is_refused_in_one_sentence(tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary)
    trace = translate_one(model, normalise("I am a student."))
    with pytest.raises(SaliencyError, match="choose another model"):
        compute_saliency(replace(model, network=random_toy(1)), trace, "gradient")
