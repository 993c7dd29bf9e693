"""Search over small random networks of the real kinds, in float64."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from model.decoding import Hypothesis, Settings, search
from model.decoding.beam import beam_search
from model.decoding.greedy import greedy_search
from model.networks.rnnsearch import Wiring
from tests.model.tiny import KINDS_AND_WIRINGS, PAIRS, V, build_tiny_network

SOURCES = [source for source, _ in PAIRS]
every = pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)


def close(one: Hypothesis, other: Hypothesis, tolerance: float) -> bool:
    weights = one.weights.keys() == other.weights.keys() and all(
        np.allclose(one.weights[name], other.weights[name], rtol=0, atol=tolerance) for name in one.weights)
    return weights and (one.tokens, one.is_finished) == (other.tokens, other.is_finished) and (
        abs(one.score - other.score) <= tolerance)


@every
@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("given", [{}, {"length_penalty": "gnmt", "beta": 0.4, "stop": "beam"}])
def test_a_batch_equals_its_sentences_one_by_one(kind: str, wiring: Wiring, width: int, given: dict[str, Any]) -> None:
    if kind == "rnnencdec":
        given = given | ({"beta": 0.0} if given else {})  # without attention there is no coverage
    network, settings = build_tiny_network(kind, wiring), Settings(beam=width, n_best=width, **given)
    together = search(network, SOURCES, settings)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = search(network, [source], settings)
        assert len(found) == len(alone) == width
        assert all(close(one, other, 1e-9) for one, other in zip(found, alone, strict=True))


def near_ties(found: list[Hypothesis]) -> bool:
    """Whether rounding could have decided between two continuations of one step, or between two that ended."""
    assert found[0].tree is not None
    steps: list[int] = []
    totals: list[float] = []
    for node in found[0].tree:
        steps.append(steps[node.parent] + 1 if node.parent >= 0 else 0)
        totals.append((totals[node.parent] if node.parent >= 0 else 0.0) + node.log_prob)
    groups = [[total for total, at in zip(totals, steps, strict=True) if at == step] for step in set(steps)]
    groups.append([node.score for node in found[0].tree if node.fate == "finished"])
    groups += [[value for _, value in listed] for one in found for listed in one.candidates]
    return any(later - earlier < 1e-4 for group in groups for earlier, later in pairwise(sorted(group)))


@pytest.mark.parametrize("width", [1, 3])
def test_in_single_precision_only_near_ties_depend_on_the_batch(width: int) -> None:
    settings, told = Settings(beam=width, n_best=width, tree=True, candidates=3, max_ratio=1.0), 0
    for seed in range(6):
        network = build_tiny_network("rnnsearch", "groundhog", seed).float()
        for source, found in zip(SOURCES, search(network, SOURCES, settings), strict=True):
            if not near_ties(found):
                told += 1
                (alone,) = search(network, [source], settings)
                assert all(close(one, other, 1e-4) for one, other in zip(found, alone, strict=True))
    assert told >= 15


@every
def test_a_beam_of_one_is_greedy_search(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring)
    with torch.inference_mode():
        pairs = zip(beam_search(network, SOURCES, Settings()), greedy_search(network, SOURCES, Settings()), strict=True)
    for (one,), (other,) in pairs:
        assert close(one, other, 0.0)


@every
def test_every_hypothesis_scores_and_looks_as_when_it_is_forced(kind: str, wiring: Wiring) -> None:
    """The states, contexts and weights of a reordered beam against teacher forcing of what it wrote."""
    network = build_tiny_network(kind, wiring)
    for source, found in zip(SOURCES, search(network, SOURCES, Settings(beam=5, n_best=5)), strict=True):
        for one in found:
            with torch.no_grad():
                forced = network(torch.tensor([source]), torch.tensor([one.tokens]))
            rows = forced.log_probs[0, torch.arange(len(one.tokens)), list(one.tokens)]
            np.testing.assert_allclose(one.log_probs, rows, atol=1e-9)
            assert one.weights.keys() == forced.weights.keys()
            for name, weights in one.weights.items():
                np.testing.assert_allclose(weights, forced.weights[name][0], atol=1e-9)
                assert weights.shape == (len(one.tokens), len(source))


@every
def test_detail_is_stacked_over_the_steps(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring)
    plain, detailed = (search(network, SOURCES, Settings(beam=3, detail=detail)) for detail in (False, True))
    for source, (one,), (other,) in zip(SOURCES, detailed, plain, strict=True):
        assert close(one, other, 1e-9)
        assert other.detail is None
        assert one.detail is not None
        assert all(len(values) == len(one.tokens) for values in one.detail.values())
        if kind == "rnnsearch":
            assert one.detail["energies"].shape == (len(one.tokens), len(source))
            energies = np.exp(one.detail["energies"])
            np.testing.assert_allclose(energies / energies.sum(1, keepdims=True), one.weights["attention"], atol=1e-9)
        if wiring == "groundhog" and len(one.tokens) > 1:  # no update happens before the first piece
            assert not one.detail["update"][0].any()
            assert one.detail["update"][1].all()


def test_a_network_in_training_is_refused() -> None:
    with pytest.raises(ValueError, match=r"call eval\(\)"):
        search(build_tiny_network("rnnsearch", "equation4").train(), SOURCES)


def test_search_leaves_no_gradients_behind() -> None:
    network = build_tiny_network("rnnsearch", "equation4")
    search(network, SOURCES, Settings(beam=2))
    assert all(parameter.grad is None for parameter in network.parameters())
    network.loss(torch.tensor([SOURCES[0]]), torch.tensor([[3, V - 1, 1]])).backward()  # still possible afterwards
    assert all(parameter.grad is not None for parameter in network.parameters())
