"""The record that a step of the fast decoder returns, by torch or compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torch import Tensor

if TYPE_CHECKING:
    from model.decoding.fast.rnnsearch import FastDecoderState


class StepParts(NamedTuple):
    """The parts of one decoder step.

    `log_probs`: (rows, vocabulary). `s` (rows, n): the state that the readout used. `alpha` (rows, source): None
    without attention.
    """

    log_probs: Tensor
    next_state: FastDecoderState
    s: Tensor
    alpha: Tensor | None
    detail: dict[str, Tensor]
