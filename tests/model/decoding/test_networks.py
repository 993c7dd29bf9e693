"""Search over small random networks in float64, compared with teacher forcing and an independent oracle."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from model.decoding import Hypothesis, Settings, search
from model.decoding import settings as settings_module
from model.decoding.beam import beam_search
from model.decoding.greedy import greedy_search
from tests.model import tiny, tiny_lstm
from tests.model.decoding.helpers import assert_close
from tests.model.networks import lstm_oracle
from tests.model.tiny import EOS, PAIRS, V

SOURCES = [source for source, _ in PAIRS]
NAMES = [*tiny.KINDS_AND_WIRINGS, *tiny_lstm.VARIANTS]  # (kind, wiring) or the name of an LSTM network
every = pytest.mark.parametrize("name", NAMES, ids=str)
every_lstm = pytest.mark.parametrize("name", tiny_lstm.VARIANTS)


def build_network(name: Any) -> Any:
    return tiny_lstm.build_tiny_network(name) if isinstance(name, str) else tiny.build_tiny_network(*name)


def has_attention(name: Any) -> bool:
    return name in tiny_lstm.ATTENTION_VARIANTS if isinstance(name, str) else name[0] == "rnnsearch"


def compute_forced(name: Any, network: Any, source: list[int], target: Sequence[int]) -> tuple[Any, Any]:
    """Return log-probabilities and attention weights of a target: by the LSTM oracle, or by the network at once."""
    if isinstance(name, str):
        weights, settings = tiny_lstm.get_oracle_weights(network), tiny_lstm.get_settings(name)
        truth = lstm_oracle.force_decode(weights, settings, source, target)
        return truth.log_probs[range(len(target)), target], truth.alphas
    with torch.no_grad():
        forced = network(torch.tensor([source]), torch.tensor([target]))
    return forced.log_probs[0, range(len(target)), target], forced.weights["attention"][0] if forced.weights else None


@pytest.mark.verdict
@every_lstm
def test_beam_with_room_for_everything_is_exhaustive(name: str) -> None:
    """Compare with every target of at most four tokens, scored by the oracle."""
    network, source, max_length = tiny_lstm.build_tiny_network(name, vocabulary=6), [4, 3, 5, EOS], 4
    words = (3, 4, 5)
    targets = [(*body, EOS) for length in range(max_length) for body in itertools.product(words, repeat=length)]
    targets += itertools.product(words, repeat=max_length)
    weights, options = tiny_lstm.get_oracle_weights(network), tiny_lstm.get_settings(name)
    results = [lstm_oracle.force_decode(weights, options, source, target) for target in targets]
    scored = [(result.compute_log_prob(target) / len(target), target)
              for result, target in zip(results, targets, strict=True)]
    expected = sorted(scored, key=lambda pair: (pair[1][-1] != EOS, -pair[0]))[:30]
    with mock.patch.object(settings_module, "MIN_TARGET_LIMIT", max_length):
        (hypotheses,) = search(network, [source], Settings(beam=90, n_best=30, max_ratio=0.1))
    assert [hypothesis.tokens for hypothesis in hypotheses] == [target for _, target in expected]
    np.testing.assert_allclose([hypothesis.score for hypothesis in hypotheses], [score for score, _ in expected],
                               rtol=0, atol=1e-9)


@pytest.mark.parametrize(("name", "width", "options"), tiny.cycle_values(
    [[name] for name in NAMES], [1, 4, 4], [{}, {"length_penalty": "gnmt", "beta": 0.4, "stop": "beam"}]), ids=str)
def test_batch_equals_its_sentences_one_by_one(name: Any, width: int, options: dict[str, Any]) -> None:
    if options and not has_attention(name[0]):
        options = options | {"beta": 0.0}
    network, settings = build_network(name[0]), Settings(beam=width, n_best=width, **options)
    for source, hypotheses in zip(SOURCES, search(network, SOURCES, settings), strict=True):
        (alone,) = search(network, [source], settings)
        assert len(hypotheses) == len(alone) == width
        for hypothesis, expected in zip(hypotheses, alone, strict=True):
            assert_close(hypothesis, expected, 1e-9)


def has_near_ties(hypotheses: list[Hypothesis]) -> bool:
    """Tell whether rounding could decide between two continuations of a step or two finished hypotheses."""
    assert hypotheses[0].tree is not None
    steps: list[int] = []
    totals: list[float] = []
    for node in hypotheses[0].tree:
        steps.append(steps[node.parent] + 1 if node.parent >= 0 else 0)
        totals.append((totals[node.parent] if node.parent >= 0 else 0.0) + node.log_prob)
    groups = [[total for total, at in zip(totals, steps, strict=True) if at == step] for step in set(steps)]
    groups.append([node.score for node in hypotheses[0].tree if node.fate == "finished"])
    groups += [[value for _, value in listed] for hypothesis in hypotheses for listed in hypothesis.candidates]
    return any(later - earlier < 1e-4 for group in groups for earlier, later in pairwise(sorted(group)))


@pytest.mark.parametrize("width", [1, 3])
def test_in_float32_the_batch_decides_near_ties_only(width: int) -> None:
    settings, compared = Settings(beam=width, n_best=width, tree=True, candidates=3, max_ratio=1.0), 0
    for seed in range(6):
        network = tiny.build_tiny_network("rnnsearch", "groundhog", seed).float()
        for source, hypotheses in zip(SOURCES, search(network, SOURCES, settings), strict=True):
            if not has_near_ties(hypotheses):
                compared += 1
                for hypothesis, expected in zip(hypotheses, search(network, [source], settings)[0], strict=True):
                    assert_close(hypothesis, expected, 1e-4)
    assert compared >= 15


@every
def test_beam_of_one_is_greedy_search(name: Any) -> None:
    network = build_network(name)
    with torch.inference_mode():
        pairs = zip(beam_search(network, SOURCES, Settings()), greedy_search(network, SOURCES, Settings()), strict=True)
    for (hypothesis,), (expected,) in pairs:
        assert_close(hypothesis, expected, 0.0)


@every
def test_hypotheses_of_a_reordered_beam_equal_forced_decoding(name: Any) -> None:
    network = build_network(name)
    for source, hypotheses in zip(SOURCES, search(network, SOURCES, Settings(beam=5, n_best=5)), strict=True):
        for hypothesis in hypotheses:
            log_probs, alphas = compute_forced(name, network, source, hypothesis.tokens)
            np.testing.assert_allclose(hypothesis.log_probs, log_probs, rtol=0, atol=1e-9)
            assert list(hypothesis.weights) == (["attention"] if has_attention(name) else [])
            for weights in hypothesis.weights.values():
                np.testing.assert_allclose(weights, alphas, rtol=0, atol=1e-9)
                assert weights.shape == (len(hypothesis.tokens), len(source))


@every
def test_detail_is_stacked_over_the_steps(name: Any) -> None:
    network = build_network(name)
    plain, detailed = (search(network, SOURCES, Settings(beam=3, detail=detail)) for detail in (False, True))
    for source, (hypothesis,), (expected,) in zip(SOURCES, detailed, plain, strict=True):
        assert_close(hypothesis, expected, 1e-9)
        assert expected.detail is None
        detail, steps = hypothesis.detail, len(hypothesis.tokens)
        assert detail is not None
        assert all(len(values) == steps for values in detail.values())
        if isinstance(name, str):
            assert {"state", "cell", "input", "forget", "output"} <= set(detail)
        elif name[1] == "groundhog" and steps > 1:  # nothing is updated before the first token
            assert not detail["update"][0].any()
            assert detail["update"][1].all()
        if has_attention(name):
            assert detail["energies"].shape == (steps, len(source))
        if not isinstance(name, str) and has_attention(name):
            energies = np.exp(detail["energies"])
            np.testing.assert_allclose(energies / energies.sum(1, keepdims=True), hypothesis.weights["attention"],
                                       atol=1e-9)


def test_search_needs_a_network_in_eval_mode_and_leaves_it_trainable() -> None:
    network = tiny.build_tiny_network("rnnsearch", "equation4")
    search(network, SOURCES, Settings(beam=2))
    assert all(parameter.grad is None for parameter in network.parameters())
    network.loss(torch.tensor([SOURCES[0]]), torch.tensor([[3, V - 1, 1]])).backward()
    assert all(parameter.grad is not None for parameter in network.parameters())
    with pytest.raises(ValueError, match=r"call eval\(\)"):
        search(network.train(), SOURCES)
