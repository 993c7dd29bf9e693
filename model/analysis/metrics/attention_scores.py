"""Attention scores of one sentence without a reference: how even and how focused its attention is.

After Rikters, Fishel and Bojar 2017 ("Visualizing Neural Machine Translation Attention and Confidence") and their tool
SoftAlignments. There are three means of logarithms in nats, 0 at best and negative otherwise; confidence is their sum:

- coverage deviation: every source word should get a total attention of 1;
- absent-mindedness over source words: a source word should get its attention from few target words;
- absent-mindedness over target words: a target word should attend to few source words.

They do not tell whether a translation is right: a sentence copied word by word scores best. "</s>" counts on both
sides, as in the tool.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.trace import Trace

_TOLERANCE = 1e-3  # for half-precision weights and rounded files

Matrix = NDArray[np.float64]


class AttentionScoresError(ValueError):
    """Raised for weights that are no soft alignment; the message is one sentence for the user."""


@dataclass(frozen=True)
class AttentionScores:
    """The scores of one sentence, in nats, at most 0.

    Attributes:
        coverage_deviation: CDP = (1/J) sum_j ln(1 / (1 + (1 - cov_j)^2)), cov_j = sum_i alpha_ij, J source words. The
            exponent is that of the paper; the tool's code has 6.
        absentmindedness_source: AP_out = -(1/J) sum_j H(alpha_.j / cov_j), over *source* words; 0 for a word without
            attention.
        absentmindedness_target: AP_in = -(1/I) sum_i H(alpha_i.), over *target* words.
    """

    coverage_deviation: float
    absentmindedness_source: float
    absentmindedness_target: float

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
        return 100 * math.exp(-0.05 * self.confidence**2)


def score_attention(alpha: ArrayLike) -> AttentionScores:
    """Score α (target, source) with rows summing to 1 and "</s>" on both sides.

    Raises AttentionScoresError for other weights.
    """
    weights = _normalise_rows(alpha)
    coverage = weights.sum(axis=0)
    received = np.divide(weights, coverage, out=np.zeros_like(weights), where=coverage > 0)
    deviations = np.log1p((1 - coverage) ** 2)
    return AttentionScores(
        coverage_deviation=_negate_mean(deviations),
        absentmindedness_source=_negate_mean(_compute_entropies(received.T)),
        absentmindedness_target=_negate_mean(_compute_entropies(weights)),
    )


def score_trace_attention(trace: Trace) -> AttentionScores:
    """Score a Trace's attention over its words. Raises TraceError without attention."""
    return score_attention(trace.compute_word_map_with_end())


def _normalise_rows(alpha: ArrayLike) -> Matrix:
    """Return the weights in float64 with rows that sum to exactly 1."""
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


def _compute_entropies(shares: Matrix) -> Matrix:
    """Return the entropy of each row in nats; 0 ln 0 = 0."""
    logarithms = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropies: Matrix = -(shares * logarithms).sum(axis=1)
    return entropies


def _negate_mean(losses: Matrix) -> float:
    """Return minus the mean, never -0.0."""
    return 0.0 - max(0.0, float(losses.mean()))
