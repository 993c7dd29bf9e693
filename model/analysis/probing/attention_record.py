"""Records of the numbers inside attention (attention_forms.py). Needs no torch."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.trace import Side

Array = NDArray[np.float64]

TEMPERATURES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, math.inf)
"""Of the softmax over scores: 0 takes the best key alone, 1 is the model, infinity gives all keys the same weight."""

WINDOW_DISTANCES = tuple(range(1, 11))
"""D of local windows, in tokens on either side of the centre."""


@dataclass(frozen=True, eq=False)
class DecodedTranslation:
    """A translation: both sides, the target's token ids, and p(y_i) (T,)."""

    source: Side
    target: Side
    token_ids: tuple[int, ...]
    probabilities: Array


@dataclass(frozen=True, eq=False)
class Retrieval(DecodedTranslation):
    """Attention as retrieval.

    `queries` (T, blocks), `keys` and `values` (S, blocks): means over blocks of units of s, U_a h_j and h_j. `energies`
    (T, S). `predictions`: for each step and each of TEMPERATURES the token that would follow, and its probability.
    """

    queries: Array
    keys: Array
    values: Array
    energies: Array
    predictions: tuple[tuple[tuple[str, float], ...], ...]


@dataclass(frozen=True, eq=False)
class ScoredTranslation(DecodedTranslation):
    """Scores (T, S) by the name of their function."""

    scores: dict[str, Array]


@dataclass(frozen=True, eq=False)
class CopySplit(DecodedTranslation):
    """How a pointer-generator makes each token: p_gen (T,), attention (T, S), and the part of p(y_i) that is copied."""

    p_gen: Array
    alpha: Array
    copied: Array


@dataclass(frozen=True)
class WindowTranslations:
    """Translations with local windows, for each of WINDOW_DISTANCES: by local-m, and by local-p with the centre on the
    best score of the step."""

    local_m: tuple[Side, ...]
    local_p: tuple[Side, ...]
