"""Compare gradient norms with finite differences, and gate values with the cells run by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.analysis.attribution.gradient_hooks import GradientNorms, compute_gradient_norms
from model.networks.coverage import CoverageRNNsearch
from model.networks.luong import Luong
from model.networks.rnnsearch import RNNsearch
from model.networks.transformer import Transformer
from tests.model.networks.tiny_networks import NETWORKS
from tests.model.tiny import EOS, PAD, PAIRS, build_batch, build_tiny_network

SOURCE, TARGET = [5, 3, 12, 7, EOS], [4, 9, EOS]
FORWARD, BACKWARD = [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]
REVERSED, REVERSED_BACKWARD = [3, 2, 1, 0, 4], [4, 0, 1, 2, 3]  # EOS stays last in a reversed source

SAMPLE = ("rnnsearch, groundhog", "rnnencdec, appendix", "seq2seq", "general, two directions", "transformer, pre")


def compute_norms(network: Any) -> GradientNorms:
    return compute_gradient_norms(network, torch.tensor([SOURCE]), torch.tensor([TARGET]))


def find_top_cells(network: Any) -> list[tuple[Any, list[int]]]:
    """Return the cells of the top encoder layer, and the source position that each of their calls reads."""
    if isinstance(network, Transformer):
        return []
    if hasattr(network.config, "reverse"):
        orders = [REVERSED, REVERSED_BACKWARD] if network.config.reverse else [FORWARD, BACKWARD]
        return list(zip(network.encoder[-1], orders, strict=False))
    backward = [(network.encoder_backward, BACKWARD)] if isinstance(network, RNNsearch) else []
    return [(network.encoder, FORWARD), *backward]


def compute_log_probs(network: Any, memory: Any) -> np.ndarray:
    state, values = network.start(memory), []
    for previous, token in zip([PAD, *TARGET], TARGET, strict=False):
        result = network.step(state, torch.tensor([previous]))
        values.append(float(result.log_probs[0, token]))
        state = result.state
    return np.array(values)


def perturb_state(network: Any, cell: torch.nn.Module, call: int, part: int, unit: int, step: float) -> np.ndarray:
    """Return log p of the target tokens with one unit of a cell's state perturbed at one call."""
    calls = 0

    def move(_: torch.nn.Module, __: Any, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        nonlocal calls
        calls += 1
        if calls != call + 1:
            return outputs
        state = outputs[part].clone()
        state[0, unit] += step
        return (*outputs[:part], state, *outputs[part + 1 :])

    handle = cell.register_forward_hook(move)
    computed = compute_log_probs(network, network.encode(torch.tensor([SOURCE])))
    handle.remove()
    return computed


def replace_annotations(network: Any, h: Tensor) -> Any:
    """Return the encoder output of the source with other annotations."""
    output = network.encode(torch.tensor([SOURCE]))
    if isinstance(network, Transformer):
        return replace(output, annotations=h, cross_kv_caches=network.compute_cross_kv_caches(h))
    if isinstance(network, Luong):
        return replace(output, annotations=h, keys=network.compute_keys(h))
    output = replace(output, annotations=h, keys=h @ network.U_a.T, summary=h[:, 0, network.config.hidden :])
    if isinstance(network, CoverageRNNsearch):
        return replace(output, inverse_fertility=network.compute_inverse_fertility(h),
                       coverage_inputs=network.compute_coverage_inputs(h))  # fmt: skip
    return output


def differentiate(function: Callable[[float], np.ndarray], step: float = 1e-4) -> np.ndarray:
    """Return the derivative at 0 by central differences of the fourth order."""
    near_difference, far_difference = (function(size) - function(-size) for size in (step, 2 * step))
    return (8 * near_difference - far_difference) / (12 * step)


@pytest.mark.verdict
@pytest.mark.parametrize("name", [
    *SAMPLE, "rnnsearch, equation4", "rnnencdec, groundhog", "seq2seq forward, deep",
    "general, two directions, turned, deep", "scaled dot", "concat, not fed", "location", "local-m", "local-p, not fed",
    "coverage sum, copying True, groundhog", "coverage linguistic, copying False, equation4",
    "coverage neural, copying True, equation4",
])  # fmt: skip
@torch.no_grad()
def test_norms_equal_finite_differences(name: str) -> None:
    network = NETWORKS[name]()
    norms = compute_norms(network)
    squares = np.zeros((len(TARGET), len(SOURCE)))
    for cell, order in find_top_cells(network):
        parts = 2 if hasattr(cell, "W") and cell.W.shape[0] == 4 * cell.hidden else 1  # h and c, or s alone
        for call, place in enumerate(order):
            for part in range(parts):
                for unit in range(cell.hidden):
                    squares[:, place] += differentiate(partial(perturb_state, network, cell, call, part, unit)) ** 2
    if find_top_cells(network):
        np.testing.assert_allclose(norms.total[0], np.sqrt(squares), rtol=0, atol=1e-6)
    if not network.maps:
        assert norms.direct is None
        return
    h = network.encode(torch.tensor([SOURCE])).annotations
    squares = np.zeros((len(TARGET), len(SOURCE)))
    for place, unit in np.ndindex(*h.shape[1:]):
        def perturb(step: float, place: int = place, unit: int = unit) -> np.ndarray:
            perturbed = h.clone()
            perturbed[0, place, unit] += step
            return compute_log_probs(network, replace_annotations(network, perturbed))
        squares[:, place] += differentiate(perturb) ** 2
    assert norms.direct is not None
    np.testing.assert_allclose(norms.direct[0], np.sqrt(squares), rtol=0, atol=1e-6)
    if not find_top_cells(network):
        assert torch.equal(norms.total, norms.direct)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_padded_batch_equals_its_sentences_one_by_one(name: str) -> None:
    network = NETWORKS[name]()
    source, target = build_batch()
    batched = compute_gradient_norms(network, source, target)
    for row, (own_source, own_target) in enumerate(PAIRS):
        single_norms = compute_gradient_norms(network, torch.tensor([own_source]), torch.tensor([own_target]))
        rows, columns = len(own_target), len(own_source)
        for batch_norm, single_norm in ((batched.total, single_norms.total), (batched.direct, single_norms.direct)):
            if batch_norm is None or single_norm is None:
                assert batch_norm is single_norm is None
                continue
            torch.testing.assert_close(batch_norm[row, :rows, :columns], single_norm[0], rtol=0, atol=1e-9)
            assert not batch_norm[row, rows:].any()
            assert not batch_norm[row, :, columns:].any()
        torch.testing.assert_close(batched.log_probabilities[row, :rows], single_norms.log_probabilities[0])
        assert torch.equal(batched.remaining_steps[row, :columns], single_norms.remaining_steps[0])
        assert len(batched.gates) == len(single_norms.gates)
        for (recurrence, values), (_, single_values) in zip(batched.gates, single_norms.gates, strict=True):
            torch.testing.assert_close(values[row, :, : single_values.shape[2]], single_values[0])
            assert recurrence.side == "decoder" or not values[row, :, columns:].any()


@torch.no_grad()
def test_gates_are_means_over_the_units() -> None:
    network: Any = build_tiny_network("rnnsearch", "equation4")
    computed = compute_norms(network)
    assert not any(module._forward_hooks for module in network.modules())
    assert [one.side for one, _ in computed.gates] == ["encoder", "encoder", "decoder"]
    projected = network.encoder_backward.project(network.embed_source(torch.tensor([SOURCE])))[0]
    s = torch.zeros(1, network.config.hidden, dtype=torch.float64)
    for place in reversed(range(len(SOURCE))):
        s, z, r = network.encoder_backward(projected[None, place], s)
        torch.testing.assert_close(computed.gates[1][1][0, :, place], torch.stack([z.mean(), r.mean()]))
    state, previous = network.start(network.encode(torch.tensor([SOURCE]))), PAD
    for step, token in enumerate(TARGET):
        result = network.step(state, torch.tensor([previous]), detail=True)
        gates = torch.stack([result.detail[name].mean() for name in ("update", "reset")])
        torch.testing.assert_close(computed.gates[2][1][0, :, step], gates)
        state, previous = result.state, token
