"""Batches, networks and comparisons for tests of fused losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import torch
from torch import Tensor

from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from model.training.losses import common
from model.training.losses import coverage as fused_coverage
from tests.model.tiny import EOS, PAD, PAIRS, build_batch, pad
from tests.networks import build_network

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


def build_medium_network(kind: str, wiring: Wiring) -> GRUNetwork:
    """Return a float32 network in which rounding errors show."""
    config = RNNsearchConfig(kind, 200, embedding=24, hidden=32, alignment=40, readout=20, wiring=wiring)
    network = draw_medium_weights(build_network(config))
    with torch.no_grad():
        # Of each pair of the maxout readout the first wins by far. A rounding error could otherwise swap them.
        network.b_o[1::2] -= 20.0
    return network


def draw_medium_weights(network: Any) -> Any:
    generator = torch.Generator().manual_seed(28)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 16
            parameter.normal_(0.0, 1.0 / fan_in**0.5, generator=generator)
        for embedding in (network.source_embedding, network.target_embedding):
            embedding.weight[PAD] = 0.0
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
    with mock.patch.object(common, "cast_to_bfloat16", keep_precision), \
            mock.patch.object(fused_coverage, "cast_to_bfloat16", keep_precision):
        yield


def keep_precision(x: Tensor, use_bfloat16: bool) -> Tensor:
    return x
