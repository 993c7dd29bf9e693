"""The interface of a network. Implement `Translator` and decoding, Traces and pages work with it.

    encoder_output = network.encode(source)         # once per sentence
    state = network.start(encoder_output)
    result = network.step(state, token)             # log_probs of y_i, the next state, the attention weights
    state = result.state.select(rows)               # beam search keeps some hypotheses and drops others

A network with, say, location-aware attention:

1. A frozen dataclass `Config` with the fields `kind` and `vocabulary` and its sizes, checked by `check_sizes`.
2. An encoder output and a `DecoderState`: whatever `step` needs. Decoding only selects and reorders the state's rows.
   The weights of the previous step (batch, source), which location-aware attention reads, belong in the state.
3. An `nn.Module` with the attribute `config`, the methods of `Translator`, and `loss` (`model.networks.registry`).
4. `maps`: one `MapDescription` for each attention matrix that `step` returns in `StepResult.weights`, and for each
   source x source one of `get_encoder_attention_weights`.

Rows of a batch must not influence one another, and padding must not change any result. `model.networks.rnnsearch` is
the example to copy; `tests/model/networks/test_every_kind.py` tests every registered network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from model.text.vocabulary import PAD
from model.trace import MapDescription

Override = Tensor | Callable[[Tensor], Tensor]
"""Replacement for attention weights (batch, source).

A tensor of that shape replaces the weights where it is not NaN. A function gets the network's weights and returns those
to use.
"""

AttentionOverrides = Mapping[str, Override]
"""Overrides by the key of their map (`MapDescription.key`)."""


class DecoderState(Protocol):
    """Everything a step needs from earlier steps, including the encoder output. Never changed in place."""

    def select(self, rows: Tensor) -> DecoderState:
        """Return the rows `rows` (k,) int64, in this order, of the state and of its encoder output.

        A row may occur several times.
        """

    def reorder(self, rows: Tensor) -> DecoderState:
        """Do as `select` where each new row comes from a row of the same sentence: the encoder output stays."""


@dataclass(frozen=True)
class StepResult:
    """The result of one decoder step.

    `log_probs` (batch, vocabulary): log p(y_i), in nats. `state`: input of the next step. `weights`: attention weights
    by the key of their map, (batch, source) with 0 on padding, or (batch, i) for a target x target map. `detail`:
    further tensors (batch, ...) by name, with `detail=True`.
    """

    log_probs: Tensor
    state: DecoderState
    weights: Mapping[str, Tensor] = field(default_factory=dict)
    detail: dict[str, Tensor] = field(default_factory=dict)


class Translator(Protocol):
    """A network that search can decode with. Encoder outputs and states are of the network's own types."""

    @property
    def maps(self) -> tuple[MapDescription, ...]:
        """All attention maps of the network. Pages show the first target x source map by default."""

    def encode(self, source: Tensor) -> Any:
        """Encode token ids (batch, source), int64: EOS ends each row, then PAD. Raises ValueError for an empty row."""

    def get_encoder_attention_weights(self, encoder_output: Any) -> dict[str, Tensor]:
        """Return the weights (batch, source, source) of the source x source maps by key, 0 on padding."""

    def start(self, encoder_output: Any) -> Any:
        """Return the state before the first token."""

    def step(
        self, state: Any, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        """Run one step. `token` (batch,), int64, is y_{i-1}; PAD at the first step.

        An override that equals the network's own weights must leave the result unchanged, bit by bit; in the fast
        decoder of the Transformer, but for rounding.
        """


@runtime_checkable
class SourceEmbedder(Translator, Protocol):
    """A network that can encode changed source embeddings, as gradient and saliency measurements need."""

    def embed_source(self, source: Tensor) -> Tensor:
        """Return the source embeddings: token ids (batch, source) -> (batch, source, m)."""

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> Any:
        """Encode as `Translator.encode` does, reading `embedded` (batch, source, m) instead of the embeddings.

        Lengths and padding are still those of `source`.
        """


# ---- helpers for implementations --------------------------------------------------------------------------------


def apply_override(weights: Tensor, override: Override | None) -> Tensor:
    """Return attention weights (batch, source) with an override applied."""
    if override is None:
        return weights
    if isinstance(override, Tensor):
        return torch.where(override.isnan(), weights, override.to(weights.dtype))
    return override(weights)


def check_source(source: Tensor, vocabulary: int) -> Tensor:
    """Return the mask (batch, source) of a padded batch: True where there is a token.

    Raises ValueError for anything that would give NaN, or that is no id of the vocabulary.
    """
    if source.dim() != 2:
        raise ValueError(f"a source batch has the shape (batch, source); this one has {tuple(source.shape)}")
    check_token_ids(source, vocabulary)
    mask = source != PAD
    if not bool(mask.any(dim=1).all()):
        raise ValueError("a source sentence is empty; each holds at least its EOS")
    if bool((mask[:, 1:] & ~mask[:, :-1]).any()):
        raise ValueError("a source sentence has padding before its end; padding stands on the right")
    return mask


def check_token_ids(token_ids: Tensor, vocabulary: int) -> None:
    """Raise ValueError unless all are ids of a vocabulary of this size."""
    if token_ids.dtype != torch.int64:
        raise ValueError(f"token ids are int64; these are {token_ids.dtype}")
    if token_ids.numel() and (int(token_ids.min()) < 0 or int(token_ids.max()) >= vocabulary):
        low, high = int(token_ids.min()), int(token_ids.max())
        raise ValueError(f"token ids run from {low} to {high}; the vocabulary has {vocabulary} tokens")


def check_token(token: Tensor, rows: int, vocabulary: int) -> None:
    """Raise ValueError unless `token` has one id of the vocabulary for each of the rows."""
    if token.shape != (rows,):
        raise ValueError(f"one token a row: got tokens {tuple(token.shape)} for {rows} rows")
    check_token_ids(token, vocabulary)


def check_target(source: Tensor, target: Tensor, vocabulary: int) -> None:
    """Raise ValueError unless the target (batch, target) has a row for each source row, and token ids only."""
    if target.dim() != 2 or target.shape[1] == 0 or len(target) != len(source):
        raise ValueError(f"{tuple(source.shape)} source and {tuple(target.shape)} target tokens do not pair up")
    check_token_ids(target, vocabulary)


def shift_target(target: Tensor) -> Tensor:
    """Return the decoder's input at each step, y_{i-1}: PAD, then all target tokens but the last."""
    return torch.cat([torch.full_like(target[:, :1], PAD), target[:, :-1]], dim=1)


def compute_summed_loss(log_probs: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the negative log-likelihood, in nats, summed over the target tokens (batch, target) that are not PAD.

    `log_probs`: (batch, target, vocabulary). `smoothing`: label smoothing (Szegedy et al. 2016, section 7).
    """
    return nn.functional.cross_entropy(
        log_probs.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="sum", label_smoothing=smoothing
    )


# ---- checks of a config -----------------------------------------------------------------------------------------


def check_sizes(config: Any, *names: str) -> None:
    """Raise ValueError unless these fields are whole numbers from 1 up."""
    for name in names:
        size = getattr(config, name)
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(f"{name} is {size!r}; it must be a whole number from 1 up")


def check_dropout(config: Any) -> None:
    """Raise ValueError unless dropout is from 0 to 0.99."""
    if not 0.0 <= config.dropout <= 0.99:
        raise ValueError(f"dropout is {config.dropout!r}; it must be from 0 to 0.99")


def check_flags(config: Any, *names: str) -> None:
    """Raise ValueError unless these fields are true or false."""
    for name in names:
        if not isinstance(getattr(config, name), bool):
            raise ValueError(f"{name} is {getattr(config, name)!r}; it must be true or false")


def check_choice(config: Any, name: str, allowed: Iterable[str]) -> None:
    """Raise ValueError unless the field is one of the allowed values."""
    if getattr(config, name) not in allowed:
        raise ValueError(f"{name} is {getattr(config, name)!r}; allowed: {', '.join(allowed)}")
