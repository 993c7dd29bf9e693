"""What the smaller files of measurements share: shares with their bands.

A share is a sum over sentences divided by another one; its band comes from resampling sentences. Several shares, and
differences of them, are drawn from the same resampled sentences, so that what makes sentences hard cancels out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.metrics.length_curve import RESAMPLES, SEED, middle_interval, resample_sums

Sums = Mapping[str, NDArray[np.float64]]
"""By column, its sum in each resample, (resamples,)."""


@dataclass(frozen=True)
class Estimate:
    """A number measured on sentences; `low` and `high` bound the bootstrap's middle 95 %."""

    value: float
    low: float
    high: float


def estimate_with_band(
    columns: Mapping[str, Sequence[int]], measure: Callable[[Sums], NDArray[np.float64]],
    resamples: int = RESAMPLES, seed: int = SEED,
) -> Estimate:
    """What `measure` makes of the columns' sums, with its band; columns of equal lengths, whole numbers a sentence.

    Where a resample has nothing to divide by, it is left out; where no one has, all three are NaN.
    """
    counts = np.array(list(columns.values()), dtype=np.int64).T
    observed, drawn = (dict(zip(columns, sums.T.astype(np.float64), strict=True))
                       for sums in (counts.sum(axis=0, keepdims=True), resample_sums(counts, resamples, seed)))
    with np.errstate(divide="ignore", invalid="ignore"):
        value, values = measure(observed), measure(drawn)
    known = values[np.isfinite(values)]
    low, high = middle_interval(known) if len(known) else (float("nan"), float("nan"))
    return Estimate(float(value[0]), low, high)
