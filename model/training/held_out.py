"""The loss on text that was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from model.networks.registry import NetworkKind
from model.text.vocabulary import PAD
from model.training.batches import pad_sequences

BATCH = 64

Coded = Sequence[tuple[list[int], list[int]]]  # source and target pieces of every pair


@torch.no_grad()
def held_out_loss(network: Any, kind: NetworkKind, pairs: Coded, device: torch.device) -> float:
    """The mean negative log-likelihood of a target piece, in nats, by a network in evaluation mode."""
    total, pieces = 0.0, 0
    in_order = sorted(pairs, key=lambda pair: len(pair[1]))
    for start in range(0, len(in_order), BATCH):
        source, target = (
            torch.from_numpy(pad_sequences(side)) for side in zip(*in_order[start : start + BATCH], strict=True)
        )
        total += float(kind.compute_loss(network, source.to(device), target.to(device)))
        pieces += int((target != PAD).sum())
    return total / pieces
