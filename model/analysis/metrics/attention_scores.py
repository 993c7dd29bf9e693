"""Attention scores of one sentence: how evenly and how decidedly the model looked, without any reference.

After Rikters, Fishel and Bojar 2017 ("Visualizing Neural Machine Translation Attention and Confidence") and their tool
SoftAlignments. Three sums of logarithms (nats), each 0 at best and negative otherwise, and their sum, the confidence:

- coverage deviation: every source word should be looked at once in all (a coverage of 1);
- absent-mindedness over source words: the attention that one source word got should come from few target words;
- absent-mindedness over target words: the attention that one target word gave should go to few source words.

They say nothing about whether a translation is right: a sentence copied word by word scores best of all. "</s>" counts
on both sides, as it does there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.trace import Trace, TraceError

PAPER_EXPONENT = 2
"""What a deviation from full coverage is raised to in the published paper; the tool's code has 6."""

_TOLERANCE = 1e-3  # how far a row may sum from 1: half-precision weights and rounded files do

Matrix = NDArray[np.float64]


class AttentionScoresError(ValueError):
    """Weights that are no soft alignment; the message is one sentence for the reader."""


@dataclass(frozen=True)
class AttentionScores:
    """The scores of one sentence, in nats and at most 0; `exponent` is the k of the coverage deviation.

    `coverage_deviation`: CDP = (1/J) sum_j ln(1 / (1 + |1 - cov_j|^k)) with cov_j = sum_i alpha_ij, J source words.
    `absentmindedness_source`: AP_out = -(1/J) sum_j H(alpha_.j / cov_j), an average over *source* words; one that was
    never looked at adds nothing. `absentmindedness_target`: AP_in = -(1/I) sum_i H(alpha_i.), over *target* words.
    """

    coverage_deviation: float
    absentmindedness_source: float
    absentmindedness_target: float
    exponent: int

    @property
    def confidence(self) -> float:
        """CDP + AP_out + AP_in."""
        return self.coverage_deviation + self.absentmindedness_source + self.absentmindedness_target

    @property
    def coverage_deviation_percent(self) -> float:
        """100 exp(-CDP^2), 0 to 100."""
        return 100 * math.exp(-self.coverage_deviation**2)

    @property
    def confidence_percent(self) -> float:
        """100 exp(-0.05 confidence^2), 0 to 100."""
        return _percent(self.confidence)


def score_attention(alpha: ArrayLike, exponent: int = PAPER_EXPONENT) -> AttentionScores:
    """The scores of α (target, source), rows summing to 1 and "</s>" kept on both sides.

    `exponent`: 2 as in the published paper, 6 as in the tool's code. Raises AttentionScoresError for anything else than
    shares of 1 in at least one row, and for an exponent below 1.
    """
    weights = _checked(alpha)
    if isinstance(exponent, bool) or not isinstance(exponent, int) or exponent < 1:
        raise AttentionScoresError(f"The exponent of the coverage deviation is a whole number from 1 up: "
                                   f"got {exponent!r}.")
    coverage = weights.sum(axis=0)
    received = np.divide(weights, coverage, out=np.zeros_like(weights), where=coverage > 0)
    deviations = np.log1p(np.abs(1 - coverage) ** exponent)
    return AttentionScores(
        coverage_deviation=_average(deviations),
        absentmindedness_source=_average(_entropies(received.T)),
        absentmindedness_target=_average(_entropies(weights)),
        exponent=exponent,
    )


def score_trace_attention(trace: Trace, exponent: int = PAPER_EXPONENT, *, pieces: bool = False) -> AttentionScores:
    """The scores of a Trace's attention over its words, or over its pieces; TraceError if it has none (RNNencdec)."""
    weights = trace.get_map()  # says so where there is none
    if (weights.rows, weights.columns) != ("target", "source"):
        raise TraceError(f"The attention must go from target to source: got {weights.rows} to {weights.columns}.")
    return score_attention(weights.values if pieces else trace.compute_word_map_with_end(), exponent)


def _checked(alpha: ArrayLike) -> Matrix:
    """The weights in float64, their rows made to sum to exactly 1."""
    try:
        weights = np.asarray(alpha, dtype=np.float64)
    except (ValueError, TypeError):
        raise AttentionScoresError("Attention weights are a matrix of numbers, (target, source).") from None
    if weights.ndim != 2 or 0 in weights.shape:
        raise AttentionScoresError(f"Attention weights are a matrix (target, source), not empty: got the shape "
                                   f"{weights.shape}.")
    if not np.isfinite(weights).all() or weights.min() < 0:
        raise AttentionScoresError(f"Attention weights are shares of 1, none below 0: got {weights.min()}.")
    sums = weights.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > _TOLERANCE:
        raise AttentionScoresError(f"Each row of attention weights must sum to 1: row {worst + 1} sums to "
                                   f"{sums[worst]:.4f}.")
    result: Matrix = weights / sums[:, None]
    return result


def _entropies(shares: Matrix) -> Matrix:
    """The entropy of each row, in nats; 0 ln 0 = 0."""
    logarithms = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropies: Matrix = -(shares * logarithms).sum(axis=1)
    return entropies


def _average(losses: Matrix) -> float:
    """Minus the mean, and never -0.0."""
    return 0.0 - max(0.0, float(losses.mean()))


def _percent(score: float) -> float:
    return 100 * math.exp(-0.05 * score**2)
