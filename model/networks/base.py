"""What every network offers to search, whatever paper it comes from.

    network.maps                                 # what its weights are called, and their axes
    memory = network.encode(source)
    state = network.start(memory)
    result = network.step(state, piece)          # log-probabilities of the next piece, the state after it, the weights

Search knows nothing else about a network: it keeps the state, hands it back, and moves its rows. Rows of a batch never
influence one another, and padding changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from model.text.vocabulary import PAD
from model.trace import MapDescription

AttentionOverrides = Mapping[str, Tensor | Callable[[Tensor], Tensor]]
"""Weights to use in place of a network's own, by the key of their map: (batch, source), NaN throughout a row that is to
keep its own; or a function from the network's own rows (batch, source) to those to be used."""


class EncoderOutput(Protocol):
    """What the encoder leaves for the decoder to consult; only its own network looks inside."""

    def select(self, rows: Tensor) -> EncoderOutput:
        """Pick or repeat sentences: `rows` (k,) int64 are rows of the batch, in the new order."""


class DecoderState(Protocol):
    """All that one step needs of the steps before it, the memory included; never changed in place."""

    def select(self, rows: Tensor) -> DecoderState:
        """Pick or repeat rows of everything, the memory included: `rows` (k,) int64, in the new order."""

    def reorder(self, rows: Tensor) -> DecoderState:
        """As `select`, where every new row comes from a row of the same sentence: the memory stays where it is."""


@dataclass(frozen=True)
class StepResult:
    """What one step gives, for each row of the batch.

    `log_probabilities` (batch, vocabulary), in nats, of the next piece y_i; `state` to hand to the next step;
    `weights` by the key of their map: of a target x source map (batch, source), 0 on padding, of a target x target map
    (batch, i); `detail`, when asked for, further tensors by name, (batch, ...).
    """

    log_probs: Tensor
    state: DecoderState
    weights: dict[str, Tensor] = field(default_factory=dict)
    detail: dict[str, Tensor] = field(default_factory=dict)


class Translator(Protocol):
    """A network that search can decode with; each network passes memories and states of its own types through."""

    @property
    def maps(self) -> tuple[MapDescription, ...]:
        """Every map of weights it makes; the first target x source one is what a reader sees first. () without any."""

    def encoder_attention_weights(self, encoder_output: Any) -> dict[str, Tensor]:
        """Of each source x source map, by its key, the weights (batch, source, source), 0 on padding; {} without."""

    def encode(self, source: Tensor) -> Any:
        """The memory of source pieces (batch, source), int64, each row ending in EOS, then padded with PAD.

        Raises ValueError for an empty row.
        """

    def start(self, encoder_output: Any) -> Any:
        """The state before the first piece."""

    def step(self, state: Any, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None) -> StepResult:
        """One step after `piece` (batch,), int64: the piece before, y_{i-1}, and PAD at the first step.

        `alpha`: weights to use in place of its own; its own ones given back change nothing, to the bit.
        """


@runtime_checkable
class SourceEmbedder(Translator, Protocol):
    """A network whose source embeddings can be looked at and changed, as measures of what it leans on need."""

    def embed_source(self, source: Tensor) -> Tensor:
        """The embedding of each source piece: (batch, source), int64 -> (batch, source, m)."""

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> Any:
        """The memory, as `Translator.encode`; of `embedded` (batch, source, m) in place of the pieces' own embeddings
        where it is given. What depends on the batch alone (lengths, padding) is read from `source`."""


def check_source(source: Tensor, vocabulary: int) -> Tensor:
    """The mask (batch, source) of a padded batch of pieces, true where there is one; ValueError for what would give NaN
    or is none of the vocabulary's pieces."""
    if source.dim() != 2:
        raise ValueError(f"a source batch has the shape (batch, source); this one has {tuple(source.shape)}")
    check_token_ids(source, vocabulary)
    mask = source != PAD
    if source.shape[1] == 0 or not bool(mask[:, 0].all()):
        raise ValueError("a source sentence is empty; each holds at least its EOS, with padding on the right")
    if bool((mask[:, 1:] & ~mask[:, :-1]).any()):
        raise ValueError("a source sentence has padding before its end; padding stands on the right")
    return mask


def check_token_ids(pieces: Tensor, vocabulary: int) -> None:
    """ValueError unless these are numbers of pieces of a vocabulary of so many."""
    if pieces.dtype != torch.int64:
        raise ValueError(f"piece numbers are int64; these are {pieces.dtype}")
    if pieces.numel() and (int(pieces.min()) < 0 or int(pieces.max()) >= vocabulary):
        low, high = int(pieces.min()), int(pieces.max())
        raise ValueError(f"piece numbers run from {low} to {high}; the vocabulary has {vocabulary} pieces")


def apply_override(own: Tensor, given: Tensor | Callable[[Tensor], Tensor] | None) -> Tensor:
    """A network's own weights (batch, source) with the rows of `given` that are not NaN in their places, or what it
    makes of them where it is a function. Every network asks here."""
    if given is None:
        return own
    return torch.where(given.isnan(), own, given.to(own.dtype)) if isinstance(given, Tensor) else given(own)
