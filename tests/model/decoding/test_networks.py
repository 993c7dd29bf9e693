"""Search over small random networks in float64, compared with teacher forcing and an independent oracle."""

from __future__ import annotations

import itertools
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
import torch

from model.decoding import Hypothesis, Settings, search
from model.decoding import settings as settings_module
from model.decoding.beam import beam_search
from model.decoding.greedy import greedy_search
from tests.model import tiny_lstm
from tests.model.decoding.helpers import assert_close
from tests.model.networks import lstm_oracle
from tests.model.networks.tiny_networks import NETWORKS, run_teacher_forcing
from tests.model.tiny import EOS, KINDS_AND_WIRINGS, PAIRS, V, build_tiny_network

SOURCES = [source for source, _ in PAIRS]
RECURRENT = [*(f"{kind}, {wiring}" for kind, wiring in KINDS_AND_WIRINGS), *tiny_lstm.VARIANTS]
every = pytest.mark.parametrize("name", RECURRENT)


def has_attention(name: str) -> bool:
    return name.startswith("rnnsearch") or name in tiny_lstm.ATTENTION_VARIANTS


@pytest.mark.verdict
@pytest.mark.parametrize("name", ["seq2seq", "general, two directions", "dot, not fed, deep", "concat", "local-p"])
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


@every
@torch.no_grad()
def test_hypotheses_of_a_batch_equal_those_of_single_sentences_and_forced_decoding(name: str) -> None:
    network = NETWORKS[name]()
    beta = 0.4 if has_attention(name) else 0.0
    for settings in (Settings(), Settings(beam=5, n_best=5, length_penalty="gnmt", beta=beta, stop="beam")):
        for source, hypotheses in zip(SOURCES, search(network, SOURCES, settings), strict=True):
            (alone,) = search(network, [source], settings)
            for hypothesis, expected in zip(hypotheses, alone, strict=True):
                assert_close(hypothesis, expected, 1e-9)
                log_probs, weights = run_teacher_forcing(network, torch.tensor([source]),
                                                         torch.tensor([hypothesis.tokens]))
                expected_log_probs = log_probs[0, range(len(hypothesis.tokens)), hypothesis.tokens]
                np.testing.assert_allclose(hypothesis.log_probs, expected_log_probs, rtol=0, atol=1e-9)
                assert list(hypothesis.weights) == (["attention"] if has_attention(name) else [])
                for key, values in hypothesis.weights.items():
                    np.testing.assert_allclose(values, weights[key][0], rtol=0, atol=1e-9)


@every
def test_beam_of_one_is_greedy_search_and_detail_is_stacked_over_the_steps(name: str) -> None:
    network, settings = NETWORKS[name](), Settings(detail=True)
    for source in SOURCES:
        with torch.inference_mode():
            (beam,), (hypothesis,) = (decode(network, [source], settings)[0] for decode in (beam_search, greedy_search))
        assert_close(beam, hypothesis, 0.0)
        assert_close(search(network, [source])[0][0], hypothesis, 0.0)
        detail, steps = hypothesis.detail, len(hypothesis.tokens)
        assert detail is not None
        assert all(len(values) == steps for values in detail.values())
        if name in tiny_lstm.VARIANTS:
            assert {"state", "cell", "input", "forget", "output"} <= set(detail)
        elif name.endswith("groundhog") and steps > 1:  # nothing is updated before the first token
            assert not detail["update"][0].any()
            assert detail["update"][1].all()
        if has_attention(name):
            assert detail["energies"].shape == (steps, len(source))
        if name.startswith("rnnsearch"):
            energies = np.exp(detail["energies"])
            np.testing.assert_allclose(energies / energies.sum(1, keepdims=True), hypothesis.weights["attention"],
                                       atol=1e-9)


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
        network = build_tiny_network("rnnsearch", "groundhog", seed).float()
        for source, hypotheses in zip(SOURCES, search(network, SOURCES, settings), strict=True):
            if not has_near_ties(hypotheses):
                compared += 1
                for hypothesis, expected in zip(hypotheses, search(network, [source], settings)[0], strict=True):
                    assert_close(hypothesis, expected, 1e-4)
    assert compared >= 15


def test_search_needs_a_network_in_eval_mode_and_leaves_it_trainable() -> None:
    network = build_tiny_network("rnnsearch", "equation4")
    search(network, SOURCES, Settings(beam=2))
    assert all(parameter.grad is None for parameter in network.parameters())
    network.loss(torch.tensor([SOURCES[0]]), torch.tensor([[3, V - 1, 1]])).backward()
    assert all(parameter.grad is not None for parameter in network.parameters())
    with pytest.raises(ValueError, match=r"call eval\(\)"):
        search(network.train(), SOURCES)
