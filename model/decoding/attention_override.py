"""Replace attention weights at one decoder step, as `OverrideRule`s and given rows ask for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

from model.decoding.override_rules import OverrideRule

RowChange = OverrideRule | tuple[float, ...]
"""A rule, or the new weights of a row."""


class AttentionOverride:
    """A function from a map's own weights (rows, source) to those to use. Rows without a change stay as they are.

    changes: the change of each row, or None.
    lengths: the number of weights of each row before its padding.
    previous_weights: the network's own weights at the previous step; None at the first.
    own_weights: the weights it was called with.
    """

    def __init__(self, step_number: int, changes: Sequence[RowChange | None], lengths: Sequence[int],
                 previous_weights: Tensor | None) -> None:
        self.step_number, self.changes, self.lengths = step_number, changes, lengths
        self.previous_weights = previous_weights
        self.own_weights: Tensor | None = None

    def __call__(self, weights: Tensor) -> Tensor:
        self.own_weights = weights
        changed = weights.clone()
        for row, (change, length) in enumerate(zip(self.changes, self.lengths, strict=True)):
            if change is not None:
                changed[row, :length] = self._change_row(change, row, weights[row, :length]).to(weights.dtype)
        return changed

    def _change_row(self, change: RowChange, row: int, weights: Tensor) -> Tensor:
        """Return the new weights (source,) of one row."""
        if isinstance(change, tuple):
            return weights.new_tensor(change, dtype=torch.float64)
        positions = [position - 1 for position in change.positions]
        match change.kind:
            case "uniform":
                return torch.full_like(weights, 1 / len(weights))
            case "max":
                return _one_hot(weights, int(weights.argmax()))
            case "others":
                return _remove_positions(weights, [int(weights.argmax())])
            case "before":
                return weights if self.previous_weights is None else self.previous_weights[row, : len(weights)]
            case "diagonal":
                return _one_hot(weights, min(self.step_number, len(weights)) - 1)
            case "shuffled":
                return weights[list(_shuffle(int(change.parameter), self.step_number, len(weights)))]
            case "temperature":
                if change.parameter == 1:
                    return weights
                return _normalize(weights.double().clamp(min=0) ** (1 / change.parameter))
            case "never":
                return _remove_positions(weights, positions)
            case "only":
                allowed = set(positions)
                return _remove_positions(weights, [index for index in range(len(weights)) if index not in allowed])


def _one_hot(weights: Tensor, position: int) -> Tensor:
    one_hot = torch.zeros_like(weights)
    one_hot[position] = 1
    return one_hot


def _remove_positions(weights: Tensor, positions: Sequence[int]) -> Tensor:
    """Set some positions to 0 and normalise the others; if nothing is left of them, weight them equally."""
    if not positions or len(positions) == len(weights):
        return weights
    rest = weights.double().clone()
    rest[list(positions)] = 0
    if not float(rest.detach().sum()) > 0:
        rest = torch.ones_like(rest)
        rest[list(positions)] = 0
    return _normalize(rest)


def _normalize(row: Tensor) -> Tensor:
    """Divide a row by its sum, unless that is 0, as in a coverage map before the first step."""
    total = row.sum()
    return row / total if float(total.detach()) else row


@lru_cache(maxsize=4096)
def _shuffle(seed: int, step_number: int, length: int) -> tuple[int, ...]:
    """Return a random order that depends on seed and step only, not on the machine."""
    order = list(range(length))
    Random(seed * 100_003 + step_number).shuffle(order)
    return tuple(order)
