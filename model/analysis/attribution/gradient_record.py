"""Gradients by distance and gates of one sentence. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.analysis.attribution.saliency_record import SaliencyError
from model.trace import Side

Array = NDArray[np.float64]


class GradientsError(SaliencyError):
    """Gradients that are not taken; the message is one sentence for the reader. `kind` says why, for pages that say it
    in their own words: the network does not tell what of it is recurrent ("unknown"), or a side has `got` pieces, which
    are more than `limit` ("long")."""

    def __init__(self, kind: Literal["unknown", "long"], message: str, got: int = 0, limit: int = 0) -> None:
        super().__init__(message)
        self.kind, self.got, self.limit = kind, got, limit


@dataclass(frozen=True, eq=False)
class Gates:
    """The gates of one cell, means over its units from 0 to 1: `values` (gates, places), by `names`.

    `side` is "encoder", whose places are the source's pieces, or "decoder", whose places are the last of the target's:
    where there are fewer, the cell was not run before the first piece. `layer` from 1; `way`: 1, or 2 for the second
    direction that an encoder's layer reads in."""

    side: str
    layer: int
    direction: int
    names: tuple[str, ...]
    values: Array


@dataclass(frozen=True, eq=False)
class Gradients:
    """How much of the state h_j at each of S source pieces still reaches each of T target pieces.

    `whole` (T, S): the norm of the gradient of log p(y_i | y_<i, x) in h_j by all roads, nats for a step of length 1;
    `direct` (T, S): in the annotation alone that the decoder looks at, None for a decoder that does not look; `left`
    (S,): steps of reading between the piece and the end of the reading, or, of a network that reads everything at once
    (`recurrent` is false), pieces up to the sentence's end. `layers`: of the encoder, whose highest the states are of.
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
    def places_by_distance(self) -> tuple[int, ...]:
        """The source's places by distance from 0."""
        return tuple(int(place) for place in np.argsort(self.remaining_steps))

    def decay_curve(self, values: Array) -> Array:
        """The mean over the target pieces of `whole` or `direct`, by distance from 0: (S,)."""
        mean: Array = values.mean(axis=0)[list(self.places_by_distance)]
        return mean

    def word_decay_curves(self, values: Array) -> list[Array]:
        """`curve`, then the same of the pieces of each target word, then of what belongs to none, if anything does:
        the sentence's end."""
        words = np.array(self.target.word_of)
        parts = [np.flatnonzero(words == word) for word in (*range(len(self.target.words)), -1)]
        return [self.decay_curve(values), *(self.decay_curve(values[part]) for part in parts if len(part))]

    def pieces_by_distance(self) -> tuple[str, ...]:
        """The source pieces by distance, as `curve` has them."""
        return tuple(self.source.pieces[place] for place in self.places_by_distance)


def fit_decay_factor(curve: Array) -> float | None:
    """What one step leaves of a curve: the slope of the straight line through its logarithms, by least squares; None
    where fewer than two points are above 0. 1 where distance changes nothing."""
    there = np.flatnonzero(curve > 0)
    if len(there) < 2:
        return None
    return float(np.exp(np.polyfit(there, np.log(curve[there]), 1)[0]))
