"""The fused loss of the GRU networks equals their own loss, and so do its gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from unittest import mock

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.networks.registry import build_network
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from model.training.losses import common
from model.training.losses import coverage as fused_coverage
from model.training.losses import gru as fused
from tests.model.tiny import (
    EOS,
    KINDS,
    KINDS_AND_WIRINGS,
    PAD,
    PAIRS,
    L,
    M,
    build_batch,
    build_tiny_network,
    gradcheck,
    pad,
)

every = pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)

Gradients = dict[str, Tensor]

BATCHES = {
    "padded": build_batch(),
    "padded everywhere": tuple(torch.cat([side, torch.full((len(side), 2), PAD)], dim=1) for side in build_batch()),
    "full": (pad([[4, 8, 8, EOS], [12, 3, 2, EOS]]), pad([[5, 6, EOS], [6, 7, EOS]])),
    "one pair": (pad([PAIRS[0][0]]), pad([PAIRS[0][1]])),
    "only EOS": (pad([[EOS], [EOS]]), pad([[EOS], [EOS]])),
    "only targets padded": (pad([[4, EOS], [5, EOS]]), pad([[5, 6, 6, 6, EOS], [EOS]])),
    "only sources padded": (pad([[4, 9, 9, 10, EOS], [EOS]]), pad([[5, EOS], [6, EOS]])),
}


def compute_gradients(network: GRUNetwork, loss: Tensor) -> Gradients:
    """Return the gradient of the loss by parameter name; zeros for an unused parameter."""
    names, parameters = zip(*network.named_parameters(), strict=True)
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    rows = zip(names, parameters, gradients, strict=True)
    return {name: torch.zeros_like(parameter) if grad is None else grad for name, parameter, grad in rows}


def assert_gradients_close(actual: Gradients, expected: Gradients, tolerance: float = 1e-9) -> None:
    assert actual.keys() == expected.keys()
    for name, gradient in expected.items():
        assert actual[name].dtype == gradient.dtype
        error = float((actual[name] - gradient).abs().max())
        assert error <= tolerance, f"{name} differs by {error}"


def assert_losses_equal(network: GRUNetwork, loss: Tensor, reference: Tensor) -> None:
    """Assert that two losses and their gradients are equal up to 1e-9."""
    torch.testing.assert_close(loss, reference, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, loss), compute_gradients(network, reference))


@pytest.mark.verdict
@every
@pytest.mark.parametrize("tokens", BATCHES.values(), ids=BATCHES.keys())
def test_fused_loss_and_gradients_equal_the_reference(
    kind: str, wiring: Wiring, tokens: tuple[Tensor, Tensor]
) -> None:
    network = build_tiny_network(kind, wiring, seed=20)
    assert_losses_equal(network, fused.compute_loss(network, *tokens), network.loss(*tokens))


@every
def test_label_smoothing_equals_the_reference_and_torch(kind: str, wiring: Wiring) -> None:
    network, (source, target) = build_tiny_network(kind, wiring, seed=20), build_batch()
    for smoothing in (0.1, 0.7):
        loss = fused.compute_loss(network, source, target, smoothing=smoothing)
        assert_losses_equal(network, loss, network.loss(source, target, smoothing))
        log_probs = network(source, target).log_probs.flatten(0, 1)
        expected = F.cross_entropy(log_probs, target.flatten(), ignore_index=PAD, reduction="sum",
                                   label_smoothing=smoothing)
        torch.testing.assert_close(loss, expected, rtol=0.0, atol=1e-9)


@every
def test_every_used_parameter_has_a_gradient(kind: str, wiring: Wiring) -> None:
    """Otherwise equal gradients could be equal zeros."""
    network = build_tiny_network(kind, wiring, seed=20)
    for name, gradient in compute_gradients(network, fused.compute_loss(network, *build_batch())).items():
        used = gradient[1:] if "embedding" in name else gradient
        assert float(used.abs().max()) > 1e-3, name
        if "embedding" in name:
            assert not gradient[PAD].any()


@every
def test_gradcheck(kind: str, wiring: Wiring) -> None:
    smoothing = 0.2 if wiring == "groundhog" else 0.0
    assert gradcheck(build_tiny_network(kind, wiring, seed=21), partial(fused.compute_loss, smoothing=smoothing))


@pytest.mark.parametrize("rows", [1, 3, 4])
def test_output_loss_in_chunks_equals_the_reference(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build_tiny_network("rnnsearch", "groundhog", seed=22)
    monkeypatch.setattr(common, "CHUNK_ROWS", rows)  # the batch has 20 target tokens
    assert_losses_equal(network, fused.compute_loss(network, *build_batch()), network.loss(*build_batch()))


@every
def test_gradients_flow_through_a_function_of_the_loss_repeatedly(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring, seed=23)
    loss, reference = fused.compute_loss(network, *build_batch()), network.loss(*build_batch())
    names, parameters = zip(*network.named_parameters(), strict=True)
    expected = dict(zip(names, torch.autograd.grad(reference.square() / 20, parameters), strict=True))
    for _ in range(2):
        gradients = torch.autograd.grad(loss.square() / 20, parameters, retain_graph=True)
        assert_gradients_close(dict(zip(names, gradients, strict=True)), expected)
    with torch.no_grad():
        loss = fused.compute_loss(network, *build_batch())
    assert not loss.requires_grad
    torch.testing.assert_close(loss, reference.detach(), rtol=0.0, atol=1e-9)


# --- dropout


def build_fixed_dropout(shapes: list[tuple[int, ...]], time_first: bool) -> Callable[[Tensor], Tensor]:
    """Return a replacement for `apply_dropout` with fixed masks, one per call.

    shapes: (batch, time, features) of each call. time_first: transpose the masks, for a time-major loss.
    """
    generator = torch.Generator().manual_seed(25)
    masks = iter([torch.rand(shape, dtype=torch.float64, generator=generator) < 0.6 for shape in shapes])

    def apply_dropout(values: Tensor) -> Tensor:
        mask = next(masks)
        mask = mask.transpose(0, 1) if time_first else mask
        assert values.shape == mask.shape
        return values * mask / 0.6

    return apply_dropout


@every
def test_dropout_is_applied_where_the_reference_applies_it(
    kind: str, wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = build_tiny_network(kind, wiring, seed=26)
    source, target = build_batch()
    shapes = [(*source.shape, M), (*target.shape, M), (*target.shape, L)]
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=False))
    reference = network.loss(source, target)
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=True))
    assert_losses_equal(network, fused.compute_loss(network, source, target), reference)


@every
def test_dropout_is_random_in_training_only(kind: str, wiring: Wiring) -> None:
    network, without = build_tiny_network(kind, wiring, dropout=0.4), build_tiny_network(kind, wiring)
    expected = fused.compute_loss(without, *build_batch())
    assert torch.equal(fused.compute_loss(network, *build_batch()), expected)
    network.train()
    losses = []
    for seed in (27, None, 27):
        if seed:
            torch.manual_seed(seed)
        losses.append(fused.compute_loss(network, *build_batch()).item())
    assert losses[0] == losses[2]
    assert len({*losses, expected.item()}) == 3


# --- precision


def build_medium_network(kind: str, wiring: Wiring) -> GRUNetwork:
    """Return a float32 network in which rounding errors show.

    Of each pair of the maxout readout the first wins by far. A rounding error could otherwise swap them, and gradients
    would jump.
    """
    network = build_network(
        RNNsearchConfig(kind, 200, embedding=24, hidden=32, alignment=40, readout=20, wiring=wiring)
    )
    generator = torch.Generator().manual_seed(28)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 16
            parameter.normal_(0.0, 1.0 / fan_in**0.5, generator=generator)
        for embedding in (network.source_embedding, network.target_embedding):
            embedding.weight[PAD] = 0.0
        network.b_o[1::2] -= 20.0
    return network


def build_random_batch() -> tuple[Tensor, Tensor]:
    """Return twelve pairs of 1 to 9 random tokens and EOS per side."""
    generator = torch.Generator().manual_seed(29)
    lengths = torch.randint(1, 10, (2, 12), generator=generator).tolist()
    tokens = [[[*torch.randint(2, 200, (k,), generator=generator).tolist(), EOS] for k in side] for side in lengths]
    return pad(tokens[0]), pad(tokens[1])


@contextmanager
def round_in_loops_only() -> Iterator[None]:
    """Round in the loops over time, but not in the output layer and in products over all steps."""
    with mock.patch.object(common, "to_half", keep_precision), \
            mock.patch.object(fused_coverage, "to_half", keep_precision):
        yield


def keep_precision(x: Tensor, half: bool) -> Tensor:
    return x


@every
@pytest.mark.parametrize(("half", "loss_error", "gradient_error"), [(False, 1e-6, 1e-5), (True, 2e-3, 2e-2)])
def test_rounding_errors_are_small(
    kind: str, wiring: Wiring, half: bool, loss_error: float, gradient_error: float
) -> None:
    """In float32 and with bfloat16 factors, against float64; relative to the loss and to each gradient's norm."""
    network, tokens = build_medium_network(kind, wiring), build_random_batch()
    loss, float32_loss = fused.compute_loss(network, *tokens, half=half), fused.compute_loss(network, *tokens)
    with round_in_loops_only():
        loop_loss = fused.compute_loss(network, *tokens, half=half)
    assert torch.equal(loss, float32_loss) == torch.equal(loop_loss, float32_loss) == (not half)
    assert loss.dtype == torch.float32
    gradients = compute_gradients(network, loss)
    network.double()
    exact = network.loss(*tokens)
    assert abs(float(loss.detach() / exact.detach()) - 1) < loss_error
    for name, expected in compute_gradients(network, exact).items():
        assert gradients[name].dtype == torch.float32
        error = float((gradients[name] - expected).norm() / expected.norm())
        assert error < gradient_error, f"{name} differs by {error}"


def test_hidden_states_are_not_rounded_to_bfloat16() -> None:
    """With recurrent matrices of zeros no product rounds, so the states must be bit-identical."""
    generator = torch.Generator().manual_seed(32)
    pre, start = torch.randn(9, 2, 15, generator=generator), torch.randn(2, 5, generator=generator)
    gates, candidate = torch.zeros(10, 5), torch.zeros(5, 5)
    full, half = (fused.GRUSequence.apply(pre, start, gates, candidate, None, False, half) for half in (False, True))
    assert torch.equal(full, half)
    assert not torch.equal(full, full.bfloat16().float())


@pytest.mark.parametrize("kind", KINDS)
def test_training_with_the_fused_loss_memorises_five_pairs(kind: str) -> None:
    network, tokens = build_tiny_network(kind, "groundhog", seed=30).float(), build_batch()
    network.initialise(torch.Generator().manual_seed(31))
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(200):
        optimiser.zero_grad()
        fused.compute_loss(network, *tokens).backward()
        optimiser.step()
    with torch.no_grad():
        assert float(network.loss(*tokens)) < 3.0  # 51 nats at the start
