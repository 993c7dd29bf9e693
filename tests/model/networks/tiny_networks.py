"""A tiny float64 network of every kind and setting, with weights large enough to bend every nonlinearity."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_args

import torch
from torch import Tensor

from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks.coverage import CoverageConfig, CoverageKind, CoverageRNNsearch
from model.networks.rnnsearch import Wiring
from model.networks.transformer import Transformer
from model.networks.transformer_layers import Norm, TransformerConfig
from tests.model import tiny_lstm
from tests.model.tiny import KINDS_AND_WIRINGS, WIRINGS, A, L, M, N, V, build_tiny_network, draw_large_weights
from tests.networks import build_network

COVERAGE_VARIANTS: list[tuple[CoverageKind, bool]] = [
    (coverage, copying) for coverage in get_args(CoverageKind) for copying in (False, True)
    if coverage != "none" or copying
]  # fmt: skip
NORMS: tuple[Norm, ...] = get_args(Norm)
COVERAGE_SIZE = 3  # of neural coverage
D, F, HEADS, LAYERS, DECODER_LAYERS = 6, 10, 3, 2, 3  # of the Transformer


def build_coverage_network(coverage: CoverageKind, copying: bool, wiring: Wiring = "groundhog", loss: float = 0.0,
                           dropout: float = 0.0) -> CoverageRNNsearch:  # fmt: skip
    """Return a network with coverage or copying, initialised as for training."""
    kind = "copy" if coverage == "none" else "coverage"
    config = CoverageConfig(kind, V, M, N, A, L, wiring, dropout, coverage, COVERAGE_SIZE, 2, loss, copying)
    network = build_network(config).double().eval()
    assert isinstance(network, CoverageRNNsearch)
    return network


def build_tiny_coverage_network(coverage: CoverageKind, copying: bool, wiring: Wiring = "groundhog", seed: int = 0,
                                loss: float = 0.0, dropout: float = 0.0) -> CoverageRNNsearch:  # fmt: skip
    """Return a network with coverage or copying, with large random weights."""
    network = build_coverage_network(coverage, copying, wiring, loss, dropout)
    draw_large_weights(network, seed)
    return network


@torch.no_grad()
def build_tiny_transformer(norm: Norm, seed: int = 0, dropout: float = 0.0) -> Transformer:
    """Return a Transformer with large random weights."""
    config = TransformerConfig("transformer", V, D, F, HEADS, LAYERS, norm, dropout, DECODER_LAYERS)
    network = build_network(config).double().eval()
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in network.named_parameters():
        size = 1.4 / parameter.shape[-1] ** 0.5 if parameter.dim() == 2 else 0.3
        parameter.normal_(1.0 if name.endswith("weight") else 0.0, size, generator=generator)
    assert isinstance(network, Transformer)
    return network


NETWORKS: dict[str, Callable[..., Any]] = {
    **{f"{kind}, {wiring}": partial(build_tiny_network, kind, wiring) for kind, wiring in KINDS_AND_WIRINGS},
    **{name: partial(tiny_lstm.build_tiny_network, name) for name in tiny_lstm.VARIANTS},
    **{f"coverage {coverage}, copying {copying}, {wiring}":
       partial(build_tiny_coverage_network, coverage, copying, wiring)
       for (coverage, copying), wiring in zip(COVERAGE_VARIANTS, itertools.cycle(WIRINGS), strict=False)},
    **{f"transformer, {norm}": partial(build_tiny_transformer, norm) for norm in NORMS},
}  # fmt: skip
"""Builders by name, called with `seed` and `dropout`."""


def run_teacher_forcing(network: Any, source: Tensor, target: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the log-probabilities (batch, target, V) of all steps, and the attention weights by key."""
    output = network(source, target)
    if isinstance(output, Tensor):
        return output, {}
    if isinstance(output, tuple):
        return output[0], {"attention": output[1]}
    return output.log_probs, output.weights


def get_decoder(network: Any, decoder: str) -> Any:
    """Return the network, for "reference", or its fast decoder, for "fast", which does not keep the network alive."""
    return network if decoder == "reference" else get_fast_decoder(network)


def run_steps(network: Any, source: Tensor, tokens: Sequence[int]) -> Any:
    """Return the result of the last step after feeding these tokens, for a source (1, T_x)."""
    state = network.start(network.encode(source))
    for token in tokens[:-1]:
        state = network.step(state, torch.tensor([token])).state
    return network.step(state, torch.tensor([tokens[-1]]))


def assert_close(actual: Tensor, expected: Any, tolerance: float = 1e-9) -> None:
    """Assert equal shapes, float64, and no element further off than the tolerance."""
    expected_tensor = torch.as_tensor(expected)
    assert actual.shape == expected_tensor.shape, f"{tuple(actual.shape)} and {tuple(expected_tensor.shape)}"
    assert actual.dtype == expected_tensor.dtype == torch.float64
    torch.testing.assert_close(actual, expected_tensor, rtol=0.0, atol=tolerance)
