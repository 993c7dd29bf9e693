"""Tiny GRU networks and batches for tests of networks and fused losses."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.utils.rnn import pad_sequence

from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from tests.networks import build_network

KINDS: tuple[str, ...] = ("rnnsearch", "rnnencdec")
WIRINGS: tuple[Wiring, ...] = ("equation4", "appendix", "groundhog")
KINDS_AND_WIRINGS = [(kind, wiring) for kind in KINDS for wiring in WIRINGS]

PAD, EOS = 0, 1
V, M, N, A, L = 13, 4, 5, 7, 3  # all different, so that a transposition fails

# (source, target) with EOS last: longer, shorter and equal targets, repeated tokens, only EOS
PAIRS: list[tuple[list[int], list[int]]] = [
    ([5, 3, 12, 7, 7, EOS], [4, 4, 9, EOS]),
    ([EOS], [8, 2, 11, 6, 10, 3, EOS]),
    ([2, 9, EOS], [EOS]),
    ([12, 11, 10, 9, 8, 6, 4, EOS], [12, 5, EOS]),
    ([6, 4, 6, EOS], [7, 7, 7, 12, EOS]),
]


def build_tiny_network(kind: str, wiring: Wiring, seed: int = 0, dropout: float = 0.0) -> GRUNetwork:
    """Return a float64 network in eval mode, with weights large enough for nonlinear behaviour."""
    config = RNNsearchConfig(kind, V, M, N, A, L, wiring, dropout)
    network = build_network(config).double().eval()
    draw_large_weights(network, seed)
    return network


@torch.no_grad()
def draw_large_weights(network: GRUNetwork, seed: int) -> None:
    """Draw weights large enough for nonlinear behaviour."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in network.named_parameters():
        fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 1
        parameter.normal_(0.0, (3.0 if name == "v_a" else 1.7) / fan_in**0.5, generator=generator)
    for embedding in (network.source_embedding, network.target_embedding):
        embedding.weight[PAD] = 0.0


def pad(rows: list[list[int]]) -> Tensor:
    """Return token ids padded on the right: (batch, longest)."""
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


def cycle_values(rows: Iterable[Any], *axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return each row with one value of every axis, in turn: parameters without the full product."""
    return [(*(row if isinstance(row, tuple) else (row,)), *values)
            for row, *values in zip(rows, *map(itertools.cycle, axes), strict=False)]  # fmt: skip


def build_batch() -> tuple[Tensor, Tensor]:
    """Return all PAIRS as padded (source, target)."""
    return pad([source for source, _ in PAIRS]), pad([target for _, target in PAIRS])


def gradcheck(network: GRUNetwork, loss: Callable[[GRUNetwork, Tensor, Tensor], Tensor]) -> bool:
    """Return whether the gradients of `loss` in all parameters equal finite differences on a small padded batch."""

    class Loss(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, source: Tensor, target: Tensor) -> Tensor:
            return loss(self.network, source, target)

    module, not_padding = Loss(), (torch.arange(V) != PAD)[:, None]
    names, values = zip(*module.named_parameters(), strict=True)
    tokens = pad([[5, 3, EOS], [EOS]]), pad([[4, EOS], [9, 9, EOS]])

    def compute_loss(*parameters: Tensor) -> Tensor:
        # PAD's embedding has no gradient by design, so it must not be perturbed
        masked = {name: x * not_padding if "embedding" in name else x
                  for name, x in zip(names, parameters, strict=True)}
        result: Tensor = functional_call(module, masked, tokens)
        return result

    return torch.autograd.gradcheck(compute_loss, values, fast_mode=True)
