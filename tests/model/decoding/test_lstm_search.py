"""Search over small random Seq2Seq and Luong networks, in float64: everything of a hypothesis moves with it."""

from __future__ import annotations

import itertools
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from model.decoding import Settings, search
from model.decoding import settings as settings_module
from model.decoding.beam import beam_search
from model.decoding.greedy import greedy_search
from tests.model.decoding.test_networks import close
from tests.model.networks import lstm_oracle as oracle
from tests.model.tiny import EOS, PAIRS
from tests.model.tiny_lstm import ATTENTION_VARIANTS, VARIANTS, build_tiny_network, get_oracle_weights, get_settings

SOURCES = [source for source, _ in PAIRS]
every = pytest.mark.parametrize("name", VARIANTS)


@pytest.mark.verdict
@every
def test_a_beam_with_room_for_everything_is_exhaustive_search(name: str) -> None:
    """Against every target of at most four pieces, scored by the oracle."""
    network, source, longest = build_tiny_network(name, vocabulary=6), [4, 3, 5, EOS], 4
    words = (3, 4, 5)
    targets = [(*body, EOS) for length in range(longest) for body in itertools.product(words, repeat=length)]
    targets += itertools.product(words, repeat=longest)
    weights = get_oracle_weights(network)
    scored = [(oracle.forced(weights, get_settings(name), source, target).log_probability(target) / len(target), target)
              for target in targets]
    expected = sorted(scored, key=lambda pair: (pair[1][-1] != EOS, -pair[0]))[:30]
    with mock.patch.object(settings_module, "MIN_TARGET_LIMIT", longest):
        (found,) = search(network, [source], Settings(beam=90, n_best=30, max_ratio=0.1))
    assert [one.tokens for one in found] == [target for _, target in expected]
    np.testing.assert_allclose([one.score for one in found], [score for score, _ in expected], rtol=0, atol=1e-9)


@every
@pytest.mark.parametrize("width", [1, 4])
def test_a_batch_equals_its_sentences_one_by_one(name: str, width: int) -> None:
    network, settings = build_tiny_network(name), Settings(beam=width, n_best=width)
    together = search(network, SOURCES, settings)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = search(network, [source], settings)
        assert len(found) == len(alone) == width
        assert all(close(one, other, 1e-9) for one, other in zip(found, alone, strict=True))


@every
def test_a_beam_of_one_is_greedy_search(name: str) -> None:
    network = build_tiny_network(name)
    with torch.inference_mode():
        for (one,), (other,) in zip(
            beam_search(network, SOURCES, Settings()), greedy_search(network, SOURCES, Settings()), strict=True
        ):
            assert close(one, other, 0.0)


@every
def test_every_hypothesis_scores_and_looks_as_when_it_is_forced(name: str) -> None:
    """The cells, what was fed and the weights of a reordered beam against the oracle's forcing of what it wrote."""
    network = build_tiny_network(name)
    weights = get_oracle_weights(network)
    for source, found in zip(SOURCES, search(network, SOURCES, Settings(beam=5, n_best=5)), strict=True):
        for one in found:
            truth = oracle.forced(weights, get_settings(name), source, one.tokens)
            rows = truth.log_probs[range(len(one.tokens)), one.tokens]
            np.testing.assert_allclose(one.log_probs, rows, rtol=0, atol=1e-9)
            assert list(one.weights) == (["attention"] if name in ATTENTION_VARIANTS else [])
            if name in ATTENTION_VARIANTS:
                np.testing.assert_allclose(one.weights["attention"], truth.alphas, rtol=0, atol=1e-9)


@every
def test_detail_is_stacked_over_the_steps(name: str) -> None:
    network: Any = build_tiny_network(name)
    plain, detailed = (search(network, SOURCES, Settings(beam=3, detail=detail)) for detail in (False, True))
    for source, (one,), (other,) in zip(SOURCES, detailed, plain, strict=True):
        assert close(one, other, 1e-9)
        assert other.detail is None
        assert one.detail is not None
        assert {"state", "cell", "input", "forget", "output"} <= set(one.detail)
        assert all(len(values) == len(one.tokens) for values in one.detail.values())
        if name in ATTENTION_VARIANTS:
            assert one.detail["energies"].shape == (len(one.tokens), len(source))
