"""The fused losses equal the networks' own losses, and so do their gradients."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.networks import registry
from model.training.losses import common, gru
from tests.model import tiny, tiny_lstm
from tests.model.tiny import KINDS_AND_WIRINGS, PAD, build_batch
from tests.model.tiny_lstm import VARIANTS, get_settings
from tests.model.training.losses.helpers import (
    BATCHES,
    assert_gradients_close,
    assert_losses_equal,
    build_fixed_dropout,
    build_medium_network,
    build_random_batch,
    compute_gradients,
    draw_medium_weights,
    round_in_loops_only,
)

GRU_VARIANTS = {f"{kind}, {wiring}": (kind, wiring) for kind, wiring in KINDS_AND_WIRINGS}
NOT_FUSED = {"concat", "location", "local-m", "local-m, concat", "local-p", "local-p, concat"}
every_network = pytest.mark.parametrize("name", [*GRU_VARIANTS, *VARIANTS])


def build(name: str, seed: int = 0, dropout: float = 0.0) -> Any:
    """Return a tiny float64 network in eval mode."""
    if name in GRU_VARIANTS:
        return tiny.build_tiny_network(*GRU_VARIANTS[name], seed, dropout)
    return tiny_lstm.build_tiny_network(name, seed, dropout)


def compute_loss(network: Any, source: Tensor, target: Tensor, **options: Any) -> Tensor:
    """Return the loss that training uses."""
    return registry.find_kind(network.config.kind).compute_loss(network, source, target, **options)


@pytest.mark.verdict
@every_network
@pytest.mark.parametrize("tokens", BATCHES.values(), ids=BATCHES.keys())
def test_fused_loss_and_gradients_equal_the_reference(name: str, tokens: tuple[Tensor, Tensor]) -> None:
    network = build(name, seed=20)
    assert_losses_equal(network, compute_loss(network, *tokens), network.loss(*tokens))
    with mock.patch.object(common, "CHUNK_ROWS", 3):  # the output layer in chunks of target tokens
        assert_losses_equal(network, compute_loss(network, *tokens), network.loss(*tokens))


@every_network
def test_label_smoothing_equals_the_reference_and_torch(name: str) -> None:
    network, (source, target) = build(name, seed=20), build_batch()
    loss = compute_loss(network, source, target, smoothing=0.3)
    assert_losses_equal(network, loss, network.loss(source, target, 0.3))
    if name in GRU_VARIANTS:
        log_probs = network(source, target).log_probs.flatten(0, 1)
        expected = F.cross_entropy(log_probs, target.flatten(), ignore_index=PAD, reduction="sum", label_smoothing=0.3)
        torch.testing.assert_close(loss, expected, rtol=0.0, atol=1e-9)


@every_network
def test_only_input_feeding_without_product_scores_uses_the_reference_loss(name: str) -> None:
    network = build(name)
    with mock.patch.object(type(network), "loss", side_effect=AssertionError("reference")):
        if name in NOT_FUSED:
            with pytest.raises(AssertionError, match="reference"):
                compute_loss(network, *build_batch())
        else:
            compute_loss(network, *build_batch())


@pytest.mark.parametrize("name", ["rnnsearch, groundhog", "seq2seq", "dot, not fed, deep"])
def test_gradients_flow_through_a_function_of_the_loss_repeatedly(name: str) -> None:
    network = build(name, seed=23)
    loss, reference = compute_loss(network, *build_batch()), network.loss(*build_batch())
    names, parameters = zip(*network.named_parameters(), strict=True)
    expected = dict(zip(names, torch.autograd.grad(reference.square() / 20, parameters), strict=True))
    for _ in range(2):
        gradients = torch.autograd.grad(loss.square() / 20, parameters, retain_graph=True)
        assert_gradients_close(dict(zip(names, gradients, strict=True)), expected)
    with torch.no_grad():
        loss = compute_loss(network, *build_batch())
    assert not loss.requires_grad
    torch.testing.assert_close(loss, reference.detach(), rtol=0.0, atol=1e-9)


@every_network
def test_dropout_is_applied_where_the_reference_applies_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build(name, seed=26, dropout=0.4).train()
    source, target = build_batch()
    if name in GRU_VARIANTS:
        source_sizes, target_sizes = [tiny.M], [tiny.M, tiny.L]
    else:
        layers = get_settings(name)["layers"]
        source_sizes = [tiny_lstm.M, *[tiny_lstm.N] * (layers - 1)]
        target_sizes = [*source_sizes, tiny_lstm.N]
    shapes = [*((*source.shape, size) for size in source_sizes), *((*target.shape, size) for size in target_sizes)]
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=False))
    reference = network.loss(source, target)
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=name not in NOT_FUSED))
    assert_losses_equal(network, compute_loss(network, source, target), reference)
    monkeypatch.undo()
    losses = []
    for seed in (27, None, 27):
        if seed:
            torch.manual_seed(seed)
        losses.append(compute_loss(network, source, target).item())
    assert losses[0] == losses[2] != losses[1]
    expected = compute_loss(build(name, seed=26), source, target)
    assert torch.equal(compute_loss(network.eval(), source, target), expected)
    assert expected.item() not in losses


# --- precision


def build_medium(name: str) -> Any:
    """Return a float32 network in which rounding errors show."""
    if name in GRU_VARIANTS:
        return build_medium_network(*GRU_VARIANTS[name])
    kind = registry.find_kind(VARIANTS[name][0])
    return draw_medium_weights(kind.build(kind.configure({
        "kind": kind.name, "vocabulary": 200, "embedding": 24, "hidden": 32, "dropout": 0.0, **get_settings(name)})))


@pytest.mark.parametrize("name", [*GRU_VARIANTS, "seq2seq", "seq2seq forward, deep", "general", "dot",
                                  "general, not fed", "local-p, not fed"])
@pytest.mark.parametrize(("use_bfloat16", "loss_error", "gradient_error"), [(False, 1e-6, 2e-5), (True, 2e-3, 3e-2)])
def test_rounding_errors_are_small(name: str, use_bfloat16: bool, loss_error: float, gradient_error: float) -> None:
    """In float32 and with bfloat16 factors, against float64; relative to the loss and to each gradient's norm."""
    network, tokens = build_medium(name), build_random_batch()
    loss, float32_loss = compute_loss(network, *tokens, use_bfloat16=use_bfloat16), compute_loss(network, *tokens)
    with round_in_loops_only():
        loop_loss = compute_loss(network, *tokens, use_bfloat16=use_bfloat16)
    assert torch.equal(loss, float32_loss) == torch.equal(loop_loss, float32_loss) == (not use_bfloat16)
    assert loss.dtype == torch.float32
    gradients = compute_gradients(network, loss)
    network.double()
    exact = network.loss(*tokens)
    assert abs(float(loss.detach() / exact.detach()) - 1) < loss_error
    for label, expected in compute_gradients(network, exact).items():
        assert gradients[label].dtype == torch.float32
        error = float((gradients[label] - expected).norm() / expected.norm())
        assert error < gradient_error, f"{label} differs by {error}"


def test_hidden_states_are_not_rounded_to_bfloat16() -> None:
    """With recurrent matrices of zeros no product rounds, so the states must be bit-identical."""
    generator = torch.Generator().manual_seed(32)
    pre, start = torch.randn(9, 2, 15, generator=generator), torch.randn(2, 5, generator=generator)
    gates, candidate = torch.zeros(10, 5), torch.zeros(5, 5)
    float32_states, bfloat16_states = (gru.GRUSequence.apply(pre, start, gates, candidate, None, False, use_bfloat16)
                                       for use_bfloat16 in (False, True))
    assert torch.equal(float32_states, bfloat16_states)
    assert not torch.equal(float32_states, float32_states.bfloat16().float())
