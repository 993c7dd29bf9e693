"""Replace attention weights at one decoder step, as `OverrideRule`s and given rows ask for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

from model.decoding.overrides import StepOverride


class MapOverride:
    """Override one map at one step: called with the network's weights (rows, source), it returns those to use.

    row_overrides: the override of each row, or None, which leaves the row as it is.
    lengths: the number of weights of each row before its padding.
    previous_weights: the network's own weights at the previous step; None at the first.
    rows_sum_to_one: as in `MapDescription`; if False, a rule that removes weights leaves the others as they are.
    own_weights: the weights it was called with.
    """

    def __init__(self, step_number: int, row_overrides: Sequence[StepOverride | None], lengths: Sequence[int],
                 previous_weights: Tensor | None, rows_sum_to_one: bool = True) -> None:
        self.step_number, self.row_overrides, self.lengths = step_number, row_overrides, lengths
        self.previous_weights, self.rows_sum_to_one = previous_weights, rows_sum_to_one
        self.own_weights: Tensor | None = None

    def __call__(self, weights: Tensor) -> Tensor:
        self.own_weights = weights
        result = weights.clone()
        for row, (override, length) in enumerate(zip(self.row_overrides, self.lengths, strict=True)):
            if override is not None:
                result[row, :length] = self._override_row(override, row, weights[row, :length]).to(weights.dtype)
        return result

    def _override_row(self, override: StepOverride, row: int, weights: Tensor) -> Tensor:
        """Return the weights (source,) to use for one row."""
        if isinstance(override, tuple):
            return weights.new_tensor(override, dtype=torch.float64)
        positions = [position - 1 for position in override.positions]
        match override.kind:
            case "uniform":
                return torch.full_like(weights, 1 / len(weights))
            case "max":
                return _one_hot(weights, int(weights.argmax()))
            case "others":
                return self._remove_positions(weights, [int(weights.argmax())])
            case "before":
                return weights if self.previous_weights is None else self.previous_weights[row, : len(weights)]
            case "diagonal":
                return _one_hot(weights, min(self.step_number, len(weights)) - 1)
            case "shuffled":
                return weights[list(_shuffle(int(override.parameter), self.step_number, len(weights)))]
            case "temperature":
                if override.parameter == 1:
                    return weights
                weights = weights.double().clamp(min=0)
                total = 1 if self.rows_sum_to_one else weights.sum()
                return total * _normalise(weights ** (1 / override.parameter))
            case "never":
                return self._remove_positions(weights, positions)
            case "only":
                allowed = set(positions)
                return self._remove_positions(weights, [index for index in range(len(weights)) if index not in allowed])

    def _remove_positions(self, weights: Tensor, positions: Sequence[int]) -> Tensor:
        """Set some positions to 0; if rows sum to 1, normalise the others, or weight them equally if all are 0."""
        if not positions or len(positions) == len(weights):
            return weights
        kept_weights = weights.double().clone()
        kept_weights[list(positions)] = 0
        if not self.rows_sum_to_one:
            return kept_weights
        if not float(kept_weights.detach().sum()) > 0:
            kept_weights = torch.ones_like(kept_weights)
            kept_weights[list(positions)] = 0
        return _normalise(kept_weights)


def _one_hot(weights: Tensor, position: int) -> Tensor:
    one_hot = torch.zeros_like(weights)
    one_hot[position] = 1
    return one_hot


def _normalise(row: Tensor) -> Tensor:
    """Divide a row by its sum, unless that is 0, as in a coverage map before the first step."""
    total = row.sum()
    return row / total if float(total.detach()) else row


@lru_cache(maxsize=4096)
def _shuffle(seed: int, step_number: int, length: int) -> tuple[int, ...]:
    """Return a random order that depends on seed and step only, not on the machine."""
    order = list(range(length))
    Random(seed * 100_003 + step_number).shuffle(order)
    return tuple(order)
