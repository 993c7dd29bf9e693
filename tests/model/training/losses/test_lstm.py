"""The fast losses of Seq2Seq and of Luong's networks against the plain ones: the same number, the same gradients."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
import torch
from torch import Tensor

from model.networks import registry
from model.training.losses import luong as fast_luong
from tests.model.tiny import PAD, build_batch, gradcheck
from tests.model.tiny_lstm import VARIANTS, M, N, build_tiny_network, get_settings
from tests.model.training.losses.test_gru import (
    BATCHES,
    assert_gradients_close,
    build_fixed_dropout,
    build_random_batch,
    compute_gradients,
    round_in_loops_only,
)

every = pytest.mark.parametrize("name", VARIANTS)
LOOPED = {"concat", "location", "local-m", "local-m, concat", "local-p", "local-p, concat"}  # fed, and not by products


def fast(network: Any, source: Tensor, target: Tensor, **given: Any) -> Tensor:
    """The loss that training uses."""
    return registry.find_kind(network.config.kind).compute_loss(network, source, target, **given)


@pytest.mark.verdict
@every
@pytest.mark.parametrize("pieces", BATCHES.values(), ids=BATCHES.keys())
def test_loss_and_gradients_are_those_of_the_plain_loop(name: str, pieces: tuple[Tensor, Tensor]) -> None:
    network = build_tiny_network(name, seed=20)
    ours, plain = fast(network, *pieces), network.loss(*pieces)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_which_losses_take_the_plain_loop(name: str) -> None:
    network = build_tiny_network(name)
    with mock.patch.object(type(network), "loss", side_effect=AssertionError("looped")):
        if name in LOOPED:
            with pytest.raises(AssertionError, match="looped"):
                fast(network, *build_batch())
        else:
            fast(network, *build_batch())


@every
def test_no_gradient_is_zero_by_mistake(name: str) -> None:
    """Else the equality above would hold for a network cut in two."""
    network = build_tiny_network(name, seed=20)
    for label, grad in compute_gradients(network, fast(network, *build_batch())).items():
        used = grad[1:] if "embedding" in label else grad
        assert float(used.abs().max()) > 1e-4, label
        if "embedding" in label:
            assert not bool(grad[PAD].any()), "padding has no gradient"


@every
def test_smoothed_labels_are_those_of_the_plain_loop(name: str) -> None:
    network = build_tiny_network(name, seed=20)
    ours, plain = fast(network, *build_batch(), smoothing=0.3), network.loss(*build_batch(), 0.3)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_gradcheck(name: str) -> None:
    assert gradcheck(build_tiny_network(name, seed=21), fast)


@pytest.mark.parametrize("name", ["seq2seq", "general", "dot, not fed, deep"])
def test_a_function_of_the_loss(name: str) -> None:
    """What stands behind the loss reaches the parameters; going back twice through one graph changes nothing."""
    network = build_tiny_network(name, seed=23)
    ours, plain = fast(network, *build_batch()), network.loss(*build_batch())
    names, parameters = zip(*network.named_parameters(), strict=True)
    expected = dict(zip(names, torch.autograd.grad(plain.square() / 20, parameters), strict=True))
    for _ in range(2):
        found = torch.autograd.grad(ours.square() / 20, parameters, retain_graph=True)
        assert_gradients_close(dict(zip(names, found, strict=True)), expected)


@every
def test_dropout_falls_where_the_plain_loop_has_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build_tiny_network(name, seed=26, dropout=0.4).train()
    source, target = build_batch()
    layers = get_settings(name)["layers"]
    read = [(*source.shape, size) for size in (M, *[N] * (layers - 1))]
    shapes = [*read, *((*target.shape, size) for size in (M, *[N] * layers))]
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=False))
    plain = network.loss(source, target)
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=name not in LOOPED))
    ours = fast(network, source, target)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))
    monkeypatch.undo()
    assert not torch.equal(fast(network, source, target), fast(network, source, target))
    assert torch.equal(fast(network.eval(), source, target), fast(network, source, target))


def middling(name: str) -> Any:
    """A float32 network of sizes at which rounding shows."""
    kind = registry.find_kind(VARIANTS[name][0])
    network = kind.build(kind.configure({"kind": kind.name, "vocabulary": 200, "embedding": 24, "hidden": 32,
                                         "dropout": 0.0, **get_settings(name)}))
    generator = torch.Generator().manual_seed(28)
    with torch.no_grad():
        for label, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in label else 16
            parameter.normal_(0.0, 1.0 / fan_in**0.5, generator=generator)
        for embedding in (network.source_embedding, network.target_embedding):
            embedding.weight[PAD] = 0.0
    return network


@pytest.mark.parametrize("name", ["seq2seq", "seq2seq forward, deep", "general", "dot", "general, not fed",
                                  "local-p, not fed"])
@pytest.mark.parametrize(("half", "loss_off", "gradient_off"), [(False, 1e-6, 2e-5), (True, 2e-3, 3e-2)])
def test_rounding_stays_small(name: str, half: bool, loss_off: float, gradient_off: float) -> None:
    """In float32, and with bfloat16 factors, against float64: relative to the loss and to each gradient's norm."""
    network, pieces = middling(name), build_random_batch()
    ours, full = fast(network, *pieces, half=half), fast(network, *pieces)
    with round_in_loops_only():
        looped = fast(network, *pieces, half=half)
    assert torch.equal(ours, full) == torch.equal(looped, full) == (not half)
    assert ours.dtype == torch.float32
    found = compute_gradients(network, ours)
    network.double()
    exact = network.loss(*pieces)
    assert abs(float(ours.detach() / exact.detach()) - 1) < loss_off
    for label, expected in compute_gradients(network, exact).items():
        assert found[label].dtype == torch.float32
        off = float((found[label] - expected).norm() / expected.norm())
        assert off < gradient_off, f"{label} is {off} off"


@pytest.mark.parametrize("name", ["seq2seq", "general", "local-p, not fed"])
def test_training_on_the_fast_loss_learns(name: str) -> None:
    """Five pairs are learnt by heart from the papers' initialisation."""
    network, pieces = build_tiny_network(name, seed=30).float(), build_batch()
    network.initialise(torch.Generator().manual_seed(31))
    optimiser = torch.optim.Adam(network.parameters(), lr=0.05)
    for _ in range(250):
        optimiser.zero_grad()
        fast(network, *pieces).backward()
        optimiser.step()
    with torch.no_grad():
        assert float(network.loss(*pieces)) < 5.0  # of 20 pieces' 51 nats at the start


def test_another_network_is_refused() -> None:
    with pytest.raises(TypeError, match="that of Luong, not of Seq2Seq"):
        fast_luong.compute_loss(build_tiny_network("seq2seq"), *build_batch())
    with pytest.raises(TypeError, match="that of Seq2Seq, not of Luong"):
        registry.find_kind("seq2seq").compute_loss(build_tiny_network("dot"), *build_batch())
