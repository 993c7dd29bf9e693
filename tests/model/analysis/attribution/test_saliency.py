"""Compare gradients with finite differences, integrated gradients with their definition, and occlusion with a rerun."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from model.analysis.attribution.saliency import compute_saliency
from model.analysis.attribution.saliency_computation import (
    MAX_GAP,
    SaliencyComputation,
    compute_clenshaw_curtis,
)
from model.analysis.attribution.saliency_record import METHODS, SaliencyError
from model.decoding import Overrides, RowOverride, SearchStopped, Settings
from model.decoding.translate import translate_n_best, translate_sentence
from model.networks.base import SourceEmbedder
from model.text.normalise import normalise
from model.text.vocabulary import PAD, Vocabulary
from tests.model.analysis.scripted import ScriptedModel, build_random_model
from tests.model.decoding.toy import random_toy
from tests.model.tiny import EOS, KINDS_AND_WIRINGS, build_tiny_network

SOURCE, TARGET = [5, 3, 12, 7, EOS], [4, 9, 9, EOS]


def build_computation(network: SourceEmbedder) -> SaliencyComputation:
    return SaliencyComputation(network, SOURCE, TARGET, lambda fraction: None)


def compute_log_probs(network: SourceEmbedder, embedded: torch.Tensor) -> np.ndarray:
    """Return log p of each target token for source embeddings (S, m), step by step."""
    with torch.no_grad():
        state = network.start(network.encode(torch.tensor([SOURCE]), embedded[None]))
        values = []
        for previous, token in zip([PAD, *TARGET], TARGET, strict=False):
            result = network.step(state, torch.tensor([previous]))
            values.append(float(result.log_probs[0, token]))
            state = result.state
    return np.array(values)


def differentiate(network: SourceEmbedder, x: torch.Tensor, scale: float = 1.0) -> np.ndarray:
    """Return gradient times input, (T, S), at the scaled embeddings x (S, m), by central differences."""
    gradient = np.zeros((len(TARGET), *x.shape))
    for place in np.ndindex(*x.shape):
        log_probs = []
        for sign in (1, -1):
            perturbed = scale * x.clone()
            perturbed[place] += sign * 1e-5
            log_probs.append(compute_log_probs(network, perturbed))
        gradient[(slice(None), *place)] = (log_probs[0] - log_probs[1]) / 2e-5
    total: np.ndarray = (gradient * x.numpy()).sum(-1)
    return total


@pytest.mark.verdict
@pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)
def test_gradient_times_input_equals_finite_differences(kind: str, wiring: str) -> None:
    network = build_tiny_network(kind, wiring)  # type: ignore[arg-type]
    computation = build_computation(network)
    assert computation.embedded.dtype == torch.float64
    expected = differentiate(network, computation.embedded[0])
    np.testing.assert_allclose(computation.compute_gradient_times_input(), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_integrated_gradients_are_the_mean_gradient_on_the_line(kind: str) -> None:
    network = build_tiny_network(kind, "groundhog")
    computation = build_computation(network)
    values, zero_source_log_probs, _ = computation.compute_integrated_gradients()
    midpoints = [(k + 0.5) / 160 for k in range(160)]  # many: the readout's maxima make kinks
    fine = computation.compute_gradients_at(midpoints, range(len(TARGET)))
    mean = np.stack([fine[row].mean(axis=0) for row in range(len(TARGET))])
    expected_gradients = differentiate(network, computation.embedded[0], 0.3)[2]
    np.testing.assert_allclose(computation.compute_gradients_at([0.3], [2])[2][0], expected_gradients, atol=1e-8)
    scales = np.maximum(np.abs(computation.log_probabilities - zero_source_log_probs), 1.0)
    assert (np.abs(values - mean).max(axis=1) <= 2 * MAX_GAP * scales).all()
    expected = compute_log_probs(network, 0 * computation.embedded[0])
    np.testing.assert_allclose(zero_source_log_probs, expected, rtol=0, atol=1e-12)


def test_occluded_tokens_have_a_zero_embedding() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    computation = build_computation(network)
    groups = np.array([[1.0, 0, 0, 0, 0], [0, 0, 1, 1, 0]])
    computed = computation.occlude(groups)
    for column, occluded_tokens in enumerate(([0], [2, 3])):
        embedded = computation.embedded[0].clone()
        embedded[occluded_tokens] = 0
        np.testing.assert_allclose(computed[:, column], compute_log_probs(network, embedded), rtol=0, atol=1e-12)


@pytest.mark.parametrize("intervals", [2, 4, 8, 16, 64])
def test_the_quadrature_is_exact_for_polynomials_up_to_its_degree(intervals: int) -> None:
    points, weights = compute_clenshaw_curtis(intervals)
    for degree in range(intervals + 1):
        got = sum(weight * point**degree for point, weight in zip(points, weights, strict=True))
        assert got == pytest.approx(1 / (degree + 1), abs=1e-13)
    assert min(weights) > 0


@pytest.mark.parametrize(("kind", "method"), [("rnnencdec", "integrated"), *(("rnnsearch", name) for name in METHODS)])
def test_saliency_describes_the_translation_of_the_trace(kind: str, method: str, tiny_vocabulary: Vocabulary) -> None:
    model = build_random_model(tiny_vocabulary, kind)
    trace = translate_sentence(model, normalise("The grey cat sleeps on the chair."), Settings(beam=3, max_ratio=0.5))
    shares: list[float] = []
    computed = compute_saliency(model, trace, method, shares.append)  # type: ignore[arg-type]
    assert (computed.source, computed.target, computed.provenance) == (trace.source, trace.target, trace.provenance)
    assert computed.log_probabilities == pytest.approx([step.log_probability for step in trace.steps], abs=1e-4)
    assert computed.values.shape == (len(trace.target.pieces), len(trace.source.pieces))
    assert np.abs(computed.values).max() > 0
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    if method == "integrated":
        assert (computed.compute_completeness_gaps() <= MAX_GAP).all()


def test_other_weights_networks_and_overridden_attention_are_refused(tiny_vocabulary: Vocabulary) -> None:
    model = build_random_model(tiny_vocabulary)
    text = normalise("I am a student.")
    trace = translate_sentence(model, text)
    with pytest.raises(SaliencyError, match="translate the sentence anew"):
        compute_saliency(model, replace(trace, provenance=replace(trace.provenance, fingerprint="0" * 12)), "gradient")
    row = RowOverride(1, "attention", tuple(trace.get_map().values[0].tolist()))
    (edited,) = translate_n_best(model, text, overrides=Overrides((row,)))
    with pytest.raises(SaliencyError, match="take the change back"):
        compute_saliency(model, edited, "gradient")
    with pytest.raises(SaliencyError, match="choose another model"):
        compute_saliency(ScriptedModel(tiny_vocabulary, random_toy(1)), trace, "gradient")
    with pytest.raises(SearchStopped):
        compute_saliency(model, trace, "integrated", should_stop=lambda: True)
