"""The recurrent cells of a network, for measurements of gradients and gates (`model.analysis.attribution`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import torch
from torch import Tensor

from model.networks.base import SourceEmbedder

NetworkSide = Literal["encoder", "decoder"]


class Cell(Protocol):
    """A module that is called once per step.

    It returns `state_count` tensors (batch, units) for the next step, then its gates. All gates together are
    `len(gates)` * units wide.
    """

    state_count: ClassVar[int]
    gates: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Recurrence:
    """One cell of a network, in layer `layer` (from 1) of its encoder or decoder.

    `reading_positions`, for encoders: from the mask (batch, source) to the source position that each step reads,
    (batch, source). A GRU's backward direction reads the padding first and keeps its state there; an LSTM's leaves the
    padding in place.
    """

    side: NetworkSide
    layer: int
    cell: Any  # a Cell that is an nn.Module
    reading_positions: Callable[[Tensor], Tensor] | None = None


@runtime_checkable
class RecurrentTranslator(SourceEmbedder, Protocol):
    """A network that lists its recurrent cells."""

    def list_recurrences(self) -> tuple[Recurrence, ...]:
        """Return the encoder's cells, the main direction first, then the decoder's; () for a network without any."""

    def get_annotations(self, encoder_output: Any) -> Tensor | None:
        """Return the annotations that attention reads, (batch, source, units); None without attention."""


def build_forward_positions(mask: Tensor) -> Tensor:
    """Return the positions of a padded batch from first to last, (batch, source)."""
    return torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)


def build_backward_positions(mask: Tensor) -> Tensor:
    """Return the positions of a padded batch from last to first, (batch, source)."""
    return build_forward_positions(mask).flip(1)
