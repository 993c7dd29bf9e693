"""Changed rows of attention at one step of a batch: what is used in place of a network's own weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

from model.decoding.override_rules import OverrideRule

RowChange = OverrideRule | tuple[float, ...]
"""A rule, or the weights themselves, one a piece."""


class AttentionOverride:
    """What one step uses in place of a map's own rows: called with these (rows, source), it gives the used ones, those
    of rows without a change to the bit. `own` has the rows it was called with.

    `changes`: of each row, None for none; `lengths`: the pieces of each row, behind which is padding; `before`:
    the network's own rows of the step before, None at the first.
    """

    def __init__(self, step: int, changes: Sequence[RowChange | None], lengths: Sequence[int],
                 before: Tensor | None) -> None:
        self.step, self.changes, self.lengths, self.before = step, changes, lengths, before
        self.own: Tensor | None = None

    def __call__(self, own: Tensor) -> Tensor:
        self.own = own
        used = own.clone()
        for row, (change, length) in enumerate(zip(self.changes, self.lengths, strict=True)):
            if change is not None:
                used[row, :length] = self._changed(change, row, own[row, :length]).to(own.dtype)
        return used

    def _changed(self, change: RowChange, row: int, own: Tensor) -> Tensor:
        """The used row (source,) for the network's own one."""
        if isinstance(change, tuple):
            return own.new_tensor(change, dtype=torch.float64)
        places = [place - 1 for place in change.positions]
        match change.kind:
            case "uniform":
                return torch.full_like(own, 1 / len(own))
            case "max":
                return _peak(own, int(own.argmax()))
            case "others":
                return _without(own, [int(own.argmax())])
            case "before":
                return own if self.before is None else self.before[row, : len(own)]
            case "diagonal":
                return _peak(own, min(self.step, len(own)) - 1)
            case "shuffled":
                return own[list(_order(int(change.parameter), self.step, len(own)))]
            case "temperature":
                return own if change.parameter == 1 else _share(own.double().clamp(min=0) ** (1 / change.parameter))
            case "never":
                return _without(own, places)
            case "only":
                return _without(own, [place for place in range(len(own)) if place not in set(places)])


def _peak(own: Tensor, place: int) -> Tensor:
    peak = torch.zeros_like(own)
    peak[place] = 1
    return peak


def _without(own: Tensor, places: Sequence[int]) -> Tensor:
    """The row without what lies on some places, the rest made to sum to 1; where nothing is left of it, the same weight
    on all other places."""
    if not places or len(places) == len(own):
        return own
    rest = own.double().clone()
    rest[list(places)] = 0
    if not float(rest.detach().sum()) > 0:
        rest = torch.ones_like(rest)
        rest[list(places)] = 0
    return _share(rest)


def _share(row: Tensor) -> Tensor:
    """The row made to sum to 1; as it is where it sums to 0, as coverage does before the first look."""
    total = row.sum()
    return row / total if float(total.detach()) else row


@lru_cache(maxsize=4096)
def _order(seed: int, step: int, length: int) -> tuple[int, ...]:
    """The order drawn for a step with a seed: the same on every machine."""
    order = list(range(length))
    Random(seed * 100_003 + step).shuffle(order)
    return tuple(order)
