"""Shares with bootstrap bands, as the smaller records have them.

A share is a sum over sentences divided by another one; its band comes from resampling sentences. Several shares and
their differences use the same resamples, so that the difficulty of sentences cancels out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.metrics.length_curve import RESAMPLES, SEED, compute_middle_interval, resample_sums

Sums = Mapping[str, NDArray[np.float64]]
"""The sum of each column in each resample, (resamples,)."""


@dataclass(frozen=True)
class Estimate:
    """A measured number; `low` and `high` bound the middle 95 % of the bootstrap. The fields are JSON keys."""

    value: float
    low: float
    high: float


def estimate_with_band(
    columns: Mapping[str, Sequence[int]], measure: Callable[[Sums], NDArray[np.float64]]
) -> Estimate:
    """Apply `measure` to the sums of columns and estimate its band; columns have one whole number per sentence.

    Resamples with a division by zero are left out; without any other, all three numbers are NaN.
    """
    counts = np.array(list(columns.values()), dtype=np.int64).T
    observed, resampled = (dict(zip(columns, sums.T.astype(np.float64), strict=True))
                       for sums in (counts.sum(axis=0, keepdims=True), resample_sums(counts, RESAMPLES, SEED)))
    with np.errstate(divide="ignore", invalid="ignore"):
        value, values = measure(observed), measure(resampled)
    finite = values[np.isfinite(values)]
    low, high = compute_middle_interval(finite) if len(finite) else (float("nan"), float("nan"))
    return Estimate(float(value[0]), low, high)
