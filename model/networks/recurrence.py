"""What of a network goes from step to step, for measures of what lasts: its cells, when each reads which place, and
what its decoder looks at. Nothing is computed for it; a measure watches the cells of a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import torch
from torch import Tensor

from model.networks.base import SourceEmbedder

Stack = Literal["encoder", "decoder"]


class Cell(Protocol):
    """A module called once a step. It returns first what it hands on to the next step, `states` tensors (batch, units),
    then its gates, all of which side by side are as wide as `gates` has names, times the units."""

    states: ClassVar[int]
    gates: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Recurrence:
    """One cell of a network: `layer` from 1 on its side, and of an encoder's cell `places`, which makes of the mask
    (batch, source) the place that each of its steps reads, (batch, source), padding wherever it is left alone."""

    side: Stack
    layer: int
    cell: Any  # a Cell and an nn.Module
    reading_positions: Callable[[Tensor], Tensor] | None = None


@runtime_checkable
class RecurrentTranslator(SourceEmbedder, Protocol):
    """A network that says what of it is recurrent."""

    def recurrences(self) -> tuple[Recurrence, ...]:
        """Its cells, the encoder's first, of these the direction first that counts as its reading; () without any."""

    def get_annotations(self, encoder_output: Any) -> Tensor | None:
        """The h that all looks of a memory are made of, (batch, source, units); None for a decoder that never looks."""


def forward_positions(mask: Tensor) -> Tensor:
    """The places of a padded batch from the first to the last."""
    return torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)


def backward_positions(mask: Tensor) -> Tensor:
    """And from the last to the first."""
    return forward_positions(mask).flip(1)
