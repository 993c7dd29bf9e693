"""Comparisons, strategies and small models that the tests of decoding share."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from hypothesis import HealthCheck
from hypothesis import settings as run
from hypothesis import strategies as st

from model.decoding import Hypothesis, Settings
from model.decoding.settings import StopRule
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from tests.model.decoding.toy import EOS, PAD, UNK, Toy
from tests.networks import build_network

CALM = run(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # the machine may be busy
SEEDS = st.integers(0, 10**6)
SOURCES = st.lists(st.lists(st.integers(3, 9), max_size=6).map(lambda tokens: [*tokens, EOS]), min_size=1, max_size=6)
PENALTIES: st.SearchStrategy[dict[str, Any]] = st.sampled_from([
    {"length_penalty": "none"}, {"length_penalty": "length"}, {"length_penalty": "gnmt"},
    {"length_penalty": "gnmt", "alpha": 1.0, "beta": 0.4}, {"length_penalty": "gnmt", "alpha": 0.0, "beta": 3.0},
])
STOPS: st.SearchStrategy[StopRule] = st.sampled_from(["exact", "beam"])
SEARCHES = {"greedy": Settings(), "beam": Settings(beam=3, n_best=3), "sampling": Settings(sample=True, seed=4)}


def are_identical(first: Hypothesis, second: Hypothesis) -> bool:
    """Tell whether two hypotheses agree to the last bit."""
    names = ("tokens", "log_probs", "candidates", "total_log_prob", "score", "is_finished", "tree")
    return all(getattr(first, name) == getattr(second, name) for name in names) and (
        first.weights.keys() == second.weights.keys()) and all(
        np.array_equal(weights, second.weights[key]) for key, weights in first.weights.items())


def are_all_identical(first: Sequence[Sequence[Hypothesis]], second: Sequence[Sequence[Hypothesis]]) -> bool:
    return list(map(len, first)) == list(map(len, second)) and all(
        map(are_identical, itertools.chain(*first), itertools.chain(*second)))


def assert_close_hypotheses(actual: Hypothesis, expected: Hypothesis, tolerance: float) -> None:
    """Compare tokens, log-probabilities, score and attention weights."""
    assert (actual.tokens, actual.is_finished) == (expected.tokens, expected.is_finished)
    np.testing.assert_allclose(actual.log_probs, expected.log_probs, rtol=0, atol=tolerance)
    assert abs(actual.score - expected.score) <= tolerance
    assert actual.weights.keys() == expected.weights.keys()
    for key, weights in actual.weights.items():
        np.testing.assert_allclose(weights, expected.weights[key], rtol=0, atol=tolerance)


def enumerate_targets(
    toy: Toy, source: list[int], max_length: int, settings: Settings
) -> list[tuple[tuple[int, ...], float]]:
    """Return every target of at most `max_length` tokens with its score: finished ones first, then by score."""
    words = [token for token in range(toy.table.shape[-1]) if token not in (PAD, EOS, UNK)]
    targets = [(*body, EOS) for length in range(max_length) for body in itertools.product(words, repeat=length)]
    targets += itertools.product(words, repeat=max_length)
    scored = []
    for target in targets:
        total, covered = 0.0, np.zeros(len(source) - 1)  # EOS of the source needs no coverage
        for (log_probs, weights, _), token in zip(toy.recompute(source, target), target, strict=True):
            total += float(log_probs[token])
            covered += weights[:-1]
        if settings.length_penalty == "gnmt":
            total /= math.pow((5 + len(target)) / (5 + 1), settings.alpha)
            total += settings.beta * float(np.log(np.minimum(covered, 1.0)).sum())
        scored.append((target, total / len(target) if settings.length_penalty == "length" else total))
    return sorted(scored, key=lambda pair: (pair[0][-1] != EOS, -pair[1]))


class PlainDecoder:
    """A network's own decoder step, without its fast decoder."""

    def __init__(self, network: Any) -> None:
        self.maps, self.encode, self.start = network.maps, network.encode, network.start
        self.step, self.get_encoder_attention_weights = network.step, network.get_encoder_attention_weights


@dataclass(frozen=True)
class TinyModel:
    """A model with random weights, as `model.decoding.translate` needs it."""

    network: GRUNetwork
    vocabulary: Vocabulary
    name: str = "tiny"
    fingerprint: str = "0123456789ab"
    languages: tuple[str, str] = ("en", "fr")


def build_tiny_model(vocabulary: Vocabulary, kind: str = "rnnsearch") -> TinyModel:
    torch.manual_seed(4)
    network = build_network(RNNsearchConfig(kind, len(vocabulary), 6, 7, 5, 4)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(60.0)  # far from uniform, so that rounding decides nothing
    return TinyModel(network, vocabulary)


def are_close_traces(first: Trace, second: Trace) -> bool:
    """Tell whether two Traces are equal but for rounding in float64."""
    return (first.source, first.target, first.is_finished) == (second.source, second.target, second.is_finished) and (
        abs(first.score - second.score) < 1e-9) and all(
        np.allclose(one.values, other.values, atol=1e-6) for one, other in zip(first.maps, second.maps, strict=True))
