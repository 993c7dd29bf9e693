"""A saliency map: what every source piece did for the log-probability of every target piece. Needs no torch.

A small record with a file of its own beside the Trace that it is about: a matrix (target, source) in nats, and what is
needed to judge it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.serialization.codec import CodecError, dump_json, get_schema, parse_json, read_record, to_plain
from model.trace import Array, Provenance, Side, Trace, quote_value
from model.trace.checks import check_finite, check_text, convert_to_tuples, freeze_array
from model.trace.trace import build_word_membership

SCHEMA = 1

Method = Literal["gradient", "integrated", "occlusion"]
METHODS: tuple[Method, ...] = get_args(Method)
MIN_CHANGE = 1.0  # nats; what changes a log-probability by less is compared with so much


class SaliencyError(CodecError):
    """A saliency map that contradicts itself or cannot be made; the message is one sentence for the reader."""


@dataclass(frozen=True, eq=False)
class Saliency:
    """What each of S source pieces did for each of T target pieces, by one method.

    `values` (T, S), float32, read-only, in nats; above 0 where the source piece spoke for the target piece:
    - "gradient": the gradient of log p(y_i | y_<i, x) in the embedding of x_j, times that embedding;
    - "integrated": the same averaged on the straight way from a source of zero embeddings to x (Sundararajan et al.
      2017), whose row i sums to what the source as a whole did;
    - "occlusion": how much log p(y_i) falls when the embedding of x_j is zero.
    `words` (T, source words, and the end), for occlusion: the same with all pieces of a word at once, which is not the
    sum over them. `log_probabilities` (T,): those of the target pieces; for "integrated" `without` (T,), those with a
    source of zero embeddings, and `points` (T,), at how many points of the way row i was averaged. `made_by` is that
    of the Trace. Raises SaliencyError.
    """

    method: Method
    source: Side
    target: Side
    values: Array
    log_probabilities: tuple[float, ...]
    made_by: Provenance
    words: Array | None = None
    without: tuple[float, ...] = ()
    points: tuple[int, ...] = ()
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        check_schema(self.schema)
        if self.method not in METHODS:
            raise SaliencyError(f"The method of a saliency map is one of {', '.join(METHODS)}: got "
                                f"{quote_value(self.method)}.")
        convert_to_tuples(self, "log_probabilities", "without", "points")
        check_text("provenance", self.made_by.model)
        rows, columns = len(self.target.pieces), len(self.source.pieces)
        object.__setattr__(self, "values", self._matrix("values", self.values, (rows, columns)))
        if (self.words is None) != (self.method != "occlusion"):
            raise SaliencyError("A saliency map has an effect of whole words exactly where it was made by occlusion.")
        if self.words is not None:
            words = len(build_word_membership(self.source.word_of, len(self.source.words)))
            object.__setattr__(self, "words", self._matrix("words", self.words, (rows, words)))
        for name in ("log_probabilities", "without"):
            values = tuple(
                check_finite(value, "A log-probability of the saliency map") for value in getattr(self, name)
            )
            object.__setattr__(self, name, values)
        expected = rows if self.method == "integrated" else 0
        for name, count in (("log_probabilities", rows), ("without", expected), ("points", expected)):
            if len(getattr(self, name)) != count:
                raise SaliencyError(f"The {name.replace('_', '-')} of a saliency map of {rows} target pieces by "
                                    f"{self.method} are {count} numbers: got {len(getattr(self, name))}.")
        if min(self.points, default=1) < 1:
            raise SaliencyError(f"An average is taken at 1 point or more: got {min(self.points)}.")

    def _matrix(self, name: str, values: Array, shape: tuple[int, int]) -> Array:
        array = freeze_array(values, f"The {name} of the saliency map")
        if array.shape != shape:
            raise SaliencyError(f"The {name} of the saliency map must have the shape {shape}: got {array.shape}.")
        return array

    def word_map(self) -> Array:
        """The map over words, (target words, source words), each with one more for the pieces of no word (the end of
        the sentence) where there are any: laid out as `Trace.word_map_with_end`, but summed over the target pieces,
        whose log-probabilities add up, as over the source pieces."""
        rows = build_word_membership(self.target.word_of, len(self.target.words))
        if self.words is not None:
            return freeze_array(rows @ self.words, "The saliency map")
        return freeze_array(rows @ self.values @ build_word_membership(self.source.word_of, len(self.source.words)).T,
                      "The saliency map")

    def completeness_gaps(self) -> NDArray[np.float64]:
        """Of integrated gradients, by how much of what the source did (at least LEAST) the sum of each row misses it:
        (T,), 0 where it is complete. Empty for other methods."""
        return (
            completeness_gaps(self.values, np.array(self.log_probabilities), np.array(self.without))
            if self.without
            else np.zeros(0)
        )

    def to_json(self) -> str:
        """The map as one line of JSON; `from_json` gives back an equal one, every number exactly."""
        return dump_json(to_plain(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Saliency:
        """The map in a JSON text that may come from anywhere; CodecError, in one sentence, if it holds none."""
        value = parse_json(text, "a saliency map")
        check_schema(get_schema(value, "a saliency map"))
        return read_record(cls, value, "saliency map")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Saliency) and to_plain(self) == to_plain(other)


def check_schema(schema: object) -> None:
    """Refuse, with a SaliencyError, a map written in a form this version does not know."""
    if schema != SCHEMA or isinstance(schema, bool):
        raise SaliencyError(f"This version reads saliency maps of schema {SCHEMA}: got schema {quote_value(schema)}.")


def completeness_gaps(values: NDArray[np.floating], whole: NDArray[np.float64],
         without: NDArray[np.float64]) -> NDArray[np.float64]:
    """How incomplete rows (T, S) are that should sum to `whole` - `without` (T,): the difference, as a share of that or
    of LEAST where it is smaller."""
    change = whole - without
    missed: NDArray[np.float64] = np.abs(values.sum(axis=1, dtype=np.float64) - change)
    return missed / np.maximum(np.abs(change), MIN_CHANGE)


# ---- beside alpha ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How alike a saliency map and a map of weights rank the source words, by Spearman's rank correlation: `rows` of
    each target word (the end too), `overall` of all cells at once; None where one of the two has but one value."""

    rows: tuple[float | None, ...]
    overall: float | None


def measure_agreement(saliency: Saliency, trace: Trace) -> Agreement:
    """Between how much each source word mattered, whichever way, and how much the Trace's shown map gave it.

    Raises TraceError for a Trace without attention, SaliencyError for one of another translation.
    """
    if (saliency.source, saliency.target) != (trace.source, trace.target):
        raise SaliencyError("A saliency map is compared with the attention of its own translation: got another one.")
    mattered, weights = np.abs(saliency.word_map()), trace.compute_word_map_with_end()
    return Agreement(tuple(spearman_correlation(one, other) for one, other in zip(mattered, weights, strict=True)),
                     spearman_correlation(mattered.ravel(), weights.ravel()))


def spearman_correlation(one: Sequence[float] | Array, other: Sequence[float] | Array) -> float | None:
    """Spearman's rank correlation of two columns of numbers of equal length, equal numbers sharing their mean rank;
    None where either has no two different ones."""
    if not len(one):
        return None
    ranks = [_ranks(np.asarray(column)) for column in (one, other)]
    spread = [column - column.mean() for column in ranks]
    size = float(np.sqrt((spread[0] ** 2).sum() * (spread[1] ** 2).sum()))
    return float((spread[0] * spread[1]).sum() / size) if size else None


def _ranks(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """The rank of each number from 0, equal ones sharing their mean rank."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    means: NDArray[np.float64] = count.cumsum() - (count + 1) / 2
    return means[place]
