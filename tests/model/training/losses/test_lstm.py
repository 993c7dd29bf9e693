"""The fused losses of Seq2Seq and Luong equal the networks' own losses, and so do their gradients."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
import torch
from torch import Tensor

from model.networks import registry
from model.training.losses import luong as fused_luong
from tests.model.tiny import PAD, build_batch, gradcheck
from tests.model.tiny_lstm import VARIANTS, M, N, build_tiny_network, get_settings
from tests.model.training.losses.test_gru import (
    BATCHES,
    assert_losses_equal,
    build_fixed_dropout,
    build_random_batch,
    compute_gradients,
    round_in_loops_only,
)

every = pytest.mark.parametrize("name", VARIANTS)
NOT_FUSED = {"concat", "location", "local-m", "local-m, concat", "local-p", "local-p, concat"}


def compute_loss(network: Any, source: Tensor, target: Tensor, **settings: Any) -> Tensor:
    """Return the loss that training uses."""
    return registry.find_kind(network.config.kind).compute_loss(network, source, target, **settings)


@pytest.mark.verdict
@every
@pytest.mark.parametrize("tokens", BATCHES.values(), ids=BATCHES.keys())
def test_fused_loss_and_gradients_equal_the_reference(name: str, tokens: tuple[Tensor, Tensor]) -> None:
    network = build_tiny_network(name, seed=20)
    assert_losses_equal(network, compute_loss(network, *tokens), network.loss(*tokens))
    if tokens is BATCHES["padded"]:
        smoothed = compute_loss(network, *tokens, smoothing=0.3)
        assert_losses_equal(network, smoothed, network.loss(*tokens, 0.3))


@every
def test_only_input_feeding_without_product_scores_uses_the_reference_loss(name: str) -> None:
    network = build_tiny_network(name)
    with mock.patch.object(type(network), "loss", side_effect=AssertionError("reference")):
        if name in NOT_FUSED:
            with pytest.raises(AssertionError, match="reference"):
                compute_loss(network, *build_batch())
        else:
            compute_loss(network, *build_batch())


@every
def test_every_used_parameter_has_a_gradient(name: str) -> None:
    """Otherwise equal gradients could be equal zeros."""
    network = build_tiny_network(name, seed=20)
    for label, gradient in compute_gradients(network, compute_loss(network, *build_batch())).items():
        used = gradient[1:] if "embedding" in label else gradient
        assert float(used.abs().max()) > 1e-4, label
        if "embedding" in label:
            assert not gradient[PAD].any()


@every
def test_gradcheck(name: str) -> None:
    assert gradcheck(build_tiny_network(name, seed=21), compute_loss)


@every
def test_dropout_is_applied_where_the_reference_applies_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build_tiny_network(name, seed=26, dropout=0.4).train()
    source, target = build_batch()
    layers = get_settings(name)["layers"]
    shapes = [*((*source.shape, size) for size in (M, *[N] * (layers - 1))),
              *((*target.shape, size) for size in (M, *[N] * layers))]
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=False))
    reference = network.loss(source, target)
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=name not in NOT_FUSED))
    assert_losses_equal(network, compute_loss(network, source, target), reference)
    monkeypatch.undo()
    assert not torch.equal(compute_loss(network, source, target), compute_loss(network, source, target))
    assert torch.equal(compute_loss(network.eval(), source, target), compute_loss(network, source, target))


def build_medium_network(name: str) -> Any:
    """Return a float32 network in which rounding errors show."""
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
@pytest.mark.parametrize(("half", "loss_error", "gradient_error"), [(False, 1e-6, 2e-5), (True, 2e-3, 3e-2)])
def test_rounding_errors_are_small(name: str, half: bool, loss_error: float, gradient_error: float) -> None:
    """In float32 and with bfloat16 factors, against float64; relative to the loss and to each gradient's norm."""
    network, tokens = build_medium_network(name), build_random_batch()
    loss, float32_loss = compute_loss(network, *tokens, half=half), compute_loss(network, *tokens)
    with round_in_loops_only():
        loop_loss = compute_loss(network, *tokens, half=half)
    assert torch.equal(loss, float32_loss) == torch.equal(loop_loss, float32_loss) == (not half)
    assert loss.dtype == torch.float32
    gradients = compute_gradients(network, loss)
    network.double()
    exact = network.loss(*tokens)
    assert abs(float(loss.detach() / exact.detach()) - 1) < loss_error
    for label, expected in compute_gradients(network, exact).items():
        assert gradients[label].dtype == torch.float32
        error = float((gradients[label] - expected).norm() / expected.norm())
        assert error < gradient_error, f"{label} differs by {error}"


@pytest.mark.parametrize("name", ["seq2seq", "general", "local-p, not fed"])
def test_training_with_the_fused_loss_memorises_five_pairs(name: str) -> None:
    network, tokens = build_tiny_network(name, seed=30).float(), build_batch()
    network.initialise(torch.Generator().manual_seed(31))
    optimiser = torch.optim.Adam(network.parameters(), lr=0.05)
    for _ in range(250):
        optimiser.zero_grad()
        compute_loss(network, *tokens).backward()
        optimiser.step()
    with torch.no_grad():
        assert float(network.loss(*tokens)) < 5.0  # 51 nats at the start


def test_another_network_is_refused() -> None:
    with pytest.raises(TypeError, match="that of Luong, not of Seq2Seq"):
        fused_luong.compute_loss(build_tiny_network("seq2seq"), *build_batch())
    with pytest.raises(TypeError, match="that of Seq2Seq, not of Luong"):
        registry.find_kind("seq2seq").compute_loss(build_tiny_network("dot"), *build_batch())
