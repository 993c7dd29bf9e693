"""Gradients in states against finite differences, and what else is known of them and of the gates beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.analysis.attribution.gradient_hooks import compute_gradient_norms
from model.decoding import SearchStopped
from model.networks.coverage import CoverageRNNsearch
from model.networks.luong import Luong
from model.networks.rnnsearch import RNNsearch
from model.networks.transformer import Transformer
from tests.model import tiny_lstm
from tests.model.networks import test_coverage, test_transformer
from tests.model.tiny import EOS, EVERY, PAD, PAIRS, batch, tiny

SOURCE, TARGET = [5, 3, 12, 7, EOS], [4, 9, EOS]
ONWARD, BACK = [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]
TURNED, ITS_BACK = [3, 2, 1, 0, 4], [4, 0, 1, 2, 3]  # EOS stays last; read the other way it comes first

NETWORKS: dict[str, Callable[[], Any]] = {
    **{f"{kind}, {wiring}": partial(tiny, kind, wiring) for kind, wiring in EVERY},
    **{f"coverage {way}, copying {copying}": partial(test_coverage.tiny, way, copying)
       for way, copying in test_coverage.KINDS},
    **{name: partial(tiny_lstm.tiny, name) for name in tiny_lstm.WAYS},
    **{f"transformer, {norm}": partial(test_transformer.tiny, norm) for norm in test_transformer.NORMS},
}  # fmt: skip
every = pytest.mark.parametrize("name", NETWORKS)


def one_row(network: Any) -> Any:
    return compute_gradient_norms(network, torch.tensor([SOURCE]), torch.tensor([TARGET]))


def highest(network: Any) -> list[tuple[Any, list[int]]]:
    """The cells of the encoder's highest layer, and the place that each of their calls reads."""
    if isinstance(network, Transformer):
        return []
    if hasattr(network.config, "reverse"):
        orders = [TURNED, ITS_BACK] if network.config.reverse else [ONWARD, BACK]
        return list(zip(network.encoder[-1], orders, strict=False))
    backward = [(network.encoder_backward, BACK)] if isinstance(network, RNNsearch) else []
    return [(network.encoder, ONWARD), *backward]


def log_p(network: Any, memory: Any) -> np.ndarray:
    state, values = network.start(memory), []
    for before, piece in zip([PAD, *TARGET], TARGET, strict=False):
        result = network.step(state, torch.tensor([before]))
        values.append(float(result.log_probs[0, piece]))
        state = result.state
    return np.array(values)


def by_all_roads(network: Any, cell: torch.nn.Module, call: int, part: int, unit: int, step: float) -> np.ndarray:
    """log p of the target where one number that a cell hands on at one call is moved."""
    calls = 0

    def move(_: torch.nn.Module, __: Any, out: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        nonlocal calls
        calls += 1
        if calls != call + 1:
            return out
        moved = out[part].clone()
        moved[0, unit] += step
        return (*out[:part], moved, *out[part + 1 :])

    handle = cell.register_forward_hook(move)
    found = log_p(network, network.encode(torch.tensor([SOURCE])))
    handle.remove()
    return found


def with_annotations(network: Any, h: Tensor) -> Any:
    """The memory of the source where its annotations are h, whatever they were made from."""
    memory = network.encode(torch.tensor([SOURCE]))
    if isinstance(network, Transformer):
        return replace(memory, annotations=h, offered=network.compute_cross_kv_caches(h))
    if isinstance(network, Luong):
        return replace(memory, annotations=h, keys=network.compute_keys(h))
    memory = replace(memory, annotations=h, keys=h @ network.U_a.T, summary=h[:, 0, network.config.hidden :])
    if isinstance(network, CoverageRNNsearch):
        return replace(memory, gain=network.compute_inverse_fertility(h), fed=network.project_annotations(h))
    return memory


def slope(of: Callable[[float], np.ndarray], step: float = 1e-4) -> np.ndarray:
    """By central differences of the fourth order: some of these slopes are steep and bend."""
    near, far = (of(size) - of(-size) for size in (step, 2 * step))
    return (8 * near - far) / (12 * step)


@pytest.mark.verdict
@every
@torch.no_grad()
def test_it_is_the_norm_of_the_slopes(name: str) -> None:
    network = NETWORKS[name]()
    found = one_row(network)
    squares = np.zeros((len(TARGET), len(SOURCE)))
    for cell, order in highest(network):
        parts = 2 if hasattr(cell, "W") and cell.W.shape[0] == 4 * cell.hidden else 1  # h and c, or s alone
        for call, place in enumerate(order):
            for part in range(parts):
                for unit in range(cell.hidden):
                    squares[:, place] += slope(partial(by_all_roads, network, cell, call, part, unit)) ** 2
    if highest(network):
        np.testing.assert_allclose(found.whole[0], np.sqrt(squares), rtol=0, atol=1e-6)
    if not network.maps:
        assert found.direct is None
        return
    h = network.encode(torch.tensor([SOURCE])).annotations
    squares = np.zeros((len(TARGET), len(SOURCE)))
    for place, unit in np.ndindex(*h.shape[1:]):
        def moved(step: float, place: int = place, unit: int = unit) -> np.ndarray:
            other = h.clone()
            other[0, place, unit] += step
            return log_p(network, with_annotations(network, other))
        squares[:, place] += slope(moved) ** 2
    np.testing.assert_allclose(found.direct[0], np.sqrt(squares), rtol=0, atol=1e-6)
    if not highest(network):
        assert torch.equal(found.whole, found.direct)


@every
def test_a_padded_batch_is_its_sentences_one_by_one(name: str) -> None:
    network = NETWORKS[name]()
    source, target = batch()
    together = compute_gradient_norms(network, source, target)
    for row, (own_source, own_target) in enumerate(PAIRS):
        alone = compute_gradient_norms(network, torch.tensor([own_source]), torch.tensor([own_target]))
        rows, columns = len(own_target), len(own_source)
        for one, other in ((together.total, alone.total), (together.direct, alone.direct)):
            if one is None or other is None:
                assert one is other is None
                continue
            torch.testing.assert_close(one[row, :rows, :columns], other[0], rtol=0, atol=1e-9)
            assert not one[row, rows:].any()
            assert not one[row, :, columns:].any()
        torch.testing.assert_close(together.log_probabilities[row, :rows], alone.log_probabilities[0])
        assert torch.equal(together.remaining_steps[row, :columns], alone.remaining_steps[0])
        assert len(together.gates) == len(alone.gates)
        for (of, values), (_, own) in zip(together.gates, alone.gates, strict=True):
            torch.testing.assert_close(values[row, :, : own.shape[2]], own[0])
            assert of.side == "decoder" or not values[row, :, columns:].any()


@every
def test_the_network_is_left_as_it_was(name: str) -> None:
    network = NETWORKS[name]()
    before = {key: value.clone() for key, value in network.state_dict().items()}
    found = one_row(network)
    assert all(torch.equal(value, before[key]) for key, value in network.state_dict().items())
    assert not any(module._forward_hooks for module in network.modules())
    assert all(value.grad is None for value in network.parameters())
    with torch.no_grad():
        np.testing.assert_allclose(found.log_probabilities[0], log_p(network, network.encode(torch.tensor([SOURCE]))),
                                   rtol=0, atol=1e-12)


def test_distance_is_steps_of_reading_to_the_end() -> None:
    left = {name: NETWORKS[name] for name in ("rnnencdec, groundhog", "rnnsearch, appendix", "seq2seq",
                                              "seq2seq forward, deep", "transformer, pre")}
    expected = {name: [4, 3, 2, 1, 0] for name in left} | {"seq2seq": [1, 2, 3, 4, 0]}
    assert {name: one_row(make()).left[0].tolist() for name, make in left.items()} == expected


@torch.no_grad()
def test_gates_are_the_means_over_the_units() -> None:
    network: Any = tiny("rnnsearch", "equation4")
    found = one_row(network)
    assert [one.side for one, _ in found.gates] == ["encoder", "encoder", "decoder"]
    projected = network.encoder_backward.project(network.embed_source(torch.tensor([SOURCE])))[0]
    s = torch.zeros(1, network.config.hidden, dtype=torch.float64)
    for place in reversed(range(len(SOURCE))):
        s, z, r = network.encoder_backward(projected[None, place], s)
        torch.testing.assert_close(found.gates[1][1][0, :, place], torch.stack([z.mean(), r.mean()]))
    state, before = network.start(network.encode(torch.tensor([SOURCE]))), PAD
    for step, piece in enumerate(TARGET):
        result = network.step(state, torch.tensor([before]), detail=True)
        gates = torch.stack([result.detail[name].mean() for name in ("update", "reset")])
        torch.testing.assert_close(found.gates[2][1][0, :, step], gates)
        state, before = result.state, piece


def test_a_decoder_that_updates_late_has_no_gates_at_first() -> None:
    assert one_row(tiny("rnnencdec", "groundhog")).gates[-1][1].shape == (1, 2, len(TARGET) - 1)
    assert one_row(tiny("rnnencdec", "appendix")).gates[-1][1].shape == (1, 2, len(TARGET))


def test_every_layer_has_its_gates() -> None:
    found = one_row(tiny_lstm.tiny("general, two directions, turned, deep"))
    assert [(one.side, one.layer) for one, _ in found.gates] == [
        *(("encoder", layer) for layer in (1, 1, 2, 2, 3, 3)), *(("decoder", layer) for layer in (1, 2, 3))]
    assert all(one.cell.gates == ("input", "forget", "output") for one, _ in found.gates)
    assert one_row(test_transformer.tiny("pre")).gates == ()


def test_a_shut_update_gate_keeps_everything_and_an_open_one_nothing() -> None:
    """z = 0 hands the state on as it is, so that every place matters alike; z = 1 with no recurrent matrix forgets."""
    for shut, expected in ((-60.0, 1.0), (60.0, 0.0)):
        network = tiny("rnnencdec", "groundhog")
        n = network.config.hidden
        with torch.no_grad():
            network.encoder.W.zero_()
            network.encoder.U.zero_()
            network.encoder.U_gates.zero_()
            network.source_embedding.weight[1:] = 1.0
            network.encoder.W[:n] = shut / network.config.embedding
        found = one_row(network).whole[0]
        torch.testing.assert_close(found[:, :-1], expected * found[:, -1:].expand(-1, 4), rtol=1e-9, atol=1e-12)
        assert found[:, -1].min() > 0


def test_told_and_stopped() -> None:
    told: list[float] = []
    network, rows = tiny("rnnsearch", "groundhog"), (torch.tensor([SOURCE]), torch.tensor([[4] * 40 + [EOS]]))
    compute_gradient_norms(network, *rows, told.append)
    assert told == sorted(told)
    assert (len(told), told[-1]) == (3, 1)
    with pytest.raises(SearchStopped):
        compute_gradient_norms(network, *rows, stopped=lambda: True)
