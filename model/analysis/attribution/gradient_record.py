"""The record of gradients by distance and of gate values, for one sentence. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.analysis.attribution.saliency_record import SaliencyError
from model.trace import Side

Array = NDArray[np.float64]


class GradientsError(SaliencyError):
    """Raised where gradients cannot be measured; the message is one sentence for the user.

    `kind` is "unknown" for a network that does not list its recurrent cells, "long" for a side that has `got` tokens,
    more than `limit`. Pages have their own words for each kind.
    """

    def __init__(self, kind: Literal["unknown", "long"], message: str, got: int = 0, limit: int = 0) -> None:
        super().__init__(message)
        self.kind, self.got, self.limit = kind, got, limit


@dataclass(frozen=True, eq=False)
class Gates:
    """The gates of one cell, averaged over its units.

    Attributes:
        side: "encoder" or "decoder".
        layer: from 1.
        direction: 1, or 2 for the second direction of a bidirectional layer.
        names: the names of the gates.
        values: from 0 to 1, (gates, positions). Positions are the source tokens of an encoder, the last target tokens
            of a decoder; they are fewer where the cell does not run before the first token.
    """

    side: str
    layer: int
    direction: int
    names: tuple[str, ...]
    values: Array


@dataclass(frozen=True, eq=False)
class Gradients:
    """How strongly the encoder state h_j at each of S source tokens influences each of T target tokens.

    Attributes:
        model: the name of the model.
        source: the source sentence.
        target: the translation.
        log_probabilities: log p(y_i | y_<i, x), (T,).
        total: norm of the gradient of the log-probability in h_j over all paths, (T, S).
        direct: norm of the gradient in the encoder output alone, (T, S); None without attention.
        remaining_steps: encoder steps after each source token, (S,); tokens up to the end for a network without
            recurrence.
        is_recurrent: whether the encoder is recurrent.
        encoder_layers: the number of recurrent encoder layers; the states are those of the top layer.
        gates: the gates of all cells.
    """

    model: str
    source: Side
    target: Side
    log_probabilities: Array
    total: Array
    direct: Array | None
    remaining_steps: tuple[int, ...]
    is_recurrent: bool
    encoder_layers: int
    gates: tuple[Gates, ...]

    @property
    def positions_by_distance(self) -> tuple[int, ...]:
        """The source positions ordered by distance, from 0."""
        return tuple(int(position) for position in np.argsort(self.remaining_steps))

    def compute_decay_curve(self, values: Array) -> Array:
        """Average `total` or `direct` over target tokens, by distance from 0: (S,)."""
        mean: Array = values.mean(axis=0)[list(self.positions_by_distance)]
        return mean

    def compute_word_decay_curves(self, values: Array) -> list[Array]:
        """Compute the decay curve over all target tokens, then of each target word, then of the end if there is one."""
        words = np.array(self.target.word_of)
        parts = [np.flatnonzero(words == word) for word in (*range(len(self.target.words)), -1)]
        return [self.compute_decay_curve(part) for part in (values, *(values[part] for part in parts if len(part)))]

    def list_tokens_by_distance(self) -> tuple[str, ...]:
        """Return the source tokens in the order of `compute_decay_curve`."""
        return tuple(self.source.pieces[position] for position in self.positions_by_distance)


def fit_decay_factor(curve: Array) -> float | None:
    """Fit a geometric decay and return its factor per step; 1 means no decay.

    The fit is by least squares on the logarithms. Returns None for fewer than two positive values.
    """
    positive = np.flatnonzero(curve > 0)
    if len(positive) < 2:
        return None
    return float(np.exp(np.polyfit(positive, np.log(curve[positive]), 1)[0]))
