"""The record of a saliency map: the effect of every source token on every target token. Needs no torch.

It is a matrix (target, source) in nats, with what is needed to judge it. Readers can download it as one line of JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.serialization.codec import CodecError, dump_json, to_plain
from model.serialization.messages import quote_value
from model.trace import Array, Provenance, Side, Trace
from model.trace.checks import check_finite, check_text, convert_to_tuples, freeze_array
from model.trace.trace import build_word_membership

SCHEMA = 2

Method = Literal["gradient", "integrated", "occlusion"]
METHODS: tuple[Method, ...] = get_args(Method)
MIN_CHANGE = 1.0  # nats; smaller changes of a log-probability are compared with this


class SaliencyError(CodecError):
    """Raised for an inconsistent or impossible saliency map; the message is one sentence for the user."""


@dataclass(frozen=True, eq=False)
class Saliency:
    """The effect of each of S source tokens on each of T target tokens, by one method. The fields are JSON keys.

    - "gradient": the gradient of log p(y_i | y_<i, x) in the embedding of x_j, times that embedding.
    - "integrated": the same, averaged on the straight line from zero embeddings to x (Sundararajan et al. 2017). Row i
      sums to the effect of the whole source.
    - "occlusion": how much log p(y_i) falls when the embedding of x_j is zero.

    Attributes:
        method: one of METHODS.
        source: the source sentence.
        target: the translation.
        values: (T, S), float32, read-only, in nats; positive where the source token raises the probability.
        log_probabilities: log p of the target tokens, (T,).
        provenance: the provenance of the Trace.
        words: for "occlusion", (T, source words + end): all tokens of a word occluded together.
        zero_source_log_probabilities: for "integrated", the log-probabilities with zero source embeddings, (T,).
        points: for "integrated", the number of points that each row is averaged over, (T,).
        schema: the version of the format.

    Raises SaliencyError for inconsistent values.
    """

    method: Method
    source: Side
    target: Side
    values: Array
    log_probabilities: tuple[float, ...]
    provenance: Provenance
    words: Array | None = None
    zero_source_log_probabilities: tuple[float, ...] = ()
    points: tuple[int, ...] = ()
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SaliencyError(f"The method of a saliency map is one of {', '.join(METHODS)}: got "
                                f"{quote_value(self.method)}.")
        convert_to_tuples(self, "log_probabilities", "zero_source_log_probabilities", "points")
        check_text("provenance", self.provenance.model)
        rows, columns = len(self.target.pieces), len(self.source.pieces)
        object.__setattr__(self, "values", self._freeze_matrix("values", self.values, (rows, columns)))
        if (self.words is None) != (self.method != "occlusion"):
            raise SaliencyError("A saliency map has `words` if and only if its method is occlusion.")
        if self.words is not None:
            words = len(build_word_membership(self.source.word_of, len(self.source.words)))
            object.__setattr__(self, "words", self._freeze_matrix("words", self.words, (rows, words)))
        for name in ("log_probabilities", "zero_source_log_probabilities"):
            values = tuple(
                check_finite(value, "A log-probability of the saliency map") for value in getattr(self, name)
            )
            object.__setattr__(self, name, values)
        expected = rows if self.method == "integrated" else 0
        counts = {"log_probabilities": rows, "zero_source_log_probabilities": expected, "points": expected}
        for name, count in counts.items():
            if len(getattr(self, name)) != count:
                raise SaliencyError(f"The {name.replace('_', '-')} of a saliency map of {rows} target pieces by "
                                    f"{self.method} are {count} numbers: got {len(getattr(self, name))}.")
        if min(self.points, default=1) < 1:
            raise SaliencyError(f"An average is taken at 1 point or more: got {min(self.points)}.")

    def _freeze_matrix(self, name: str, values: Array, shape: tuple[int, int]) -> Array:
        array = freeze_array(values, f"The {name} of the saliency map")
        if array.shape != shape:
            raise SaliencyError(f"The {name} of the saliency map must have the shape {shape}: got {array.shape}.")
        return array

    def compute_word_map_with_end(self) -> Array:
        """Return the map over words, (target words, source words), with a last row and column for the end.

        The layout is that of `Trace.compute_word_map_with_end`, but target tokens are summed like source tokens,
        because their log-probabilities add up.
        """
        rows = build_word_membership(self.target.word_of, len(self.target.words))
        if self.words is not None:
            return freeze_array(rows @ self.words, "The saliency map")
        return freeze_array(rows @ self.values @ build_word_membership(self.source.word_of, len(self.source.words)).T,
                      "The saliency map")

    def compute_completeness_gaps(self) -> NDArray[np.float64]:
        """Return `compute_completeness_gaps` of integrated gradients, (T,); empty for other methods."""
        if not self.zero_source_log_probabilities:
            return np.zeros(0)
        return compute_completeness_gaps(
            self.values, np.array(self.log_probabilities), np.array(self.zero_source_log_probabilities)
        )

    def to_json(self) -> str:
        """Return the map as one line of JSON."""
        return dump_json(to_plain(self))


def compute_completeness_gaps(
    values: NDArray[np.floating], log_probs: NDArray[np.float64], zero_source_log_probs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return by how much the sums of rows (T, S) miss `log_probs` - `zero_source_log_probs` (T,), as a share.

    A change smaller than MIN_CHANGE counts as MIN_CHANGE.
    """
    log_prob_changes = log_probs - zero_source_log_probs
    missed: NDArray[np.float64] = np.abs(values.sum(axis=1, dtype=np.float64) - log_prob_changes)
    return missed / np.maximum(np.abs(log_prob_changes), MIN_CHANGE)


@dataclass(frozen=True)
class Agreement:
    """Spearman's rank correlation of a saliency map and an attention map.

    `rows` has one value for each target word and the end, `overall` is over all cells. None for a constant map.
    """

    rows: tuple[float | None, ...]
    overall: float | None


def measure_agreement(saliency: Saliency, trace: Trace) -> Agreement:
    """Correlate absolute saliency over words with the attention map that the Trace shows.

    Raises TraceError for a Trace without attention, SaliencyError for a Trace of another translation.
    """
    if (saliency.source, saliency.target) != (trace.source, trace.target):
        raise SaliencyError("A saliency map is compared with the attention of its own translation: got another one.")
    effects, weights = np.abs(saliency.compute_word_map_with_end()), trace.compute_word_map_with_end()
    rows = tuple(compute_spearman_correlation(first, second) for first, second in zip(effects, weights, strict=True))
    return Agreement(rows, compute_spearman_correlation(effects.ravel(), weights.ravel()))


def compute_spearman_correlation(first: Sequence[float] | Array, second: Sequence[float] | Array) -> float | None:
    """Return Spearman's rank correlation of two columns of equal length, None if one is constant.

    Equal values share their mean rank.
    """
    if not len(first):
        return None
    ranks = [_rank_values(np.asarray(column)) for column in (first, second)]
    a, b = (column - column.mean() for column in ranks)
    norm = float(np.sqrt((a**2).sum() * (b**2).sum()))
    return float((a * b).sum() / norm) if norm else None


def _rank_values(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the rank of each value from 0; equal values share their mean rank."""
    _, inverse, count = np.unique(values, return_inverse=True, return_counts=True)
    means: NDArray[np.float64] = count.cumsum() - (count + 1) / 2
    return means[inverse]
