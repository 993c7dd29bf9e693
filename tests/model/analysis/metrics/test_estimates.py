"""Tests of estimates with bands."""

from __future__ import annotations

import math

from model.analysis.metrics.estimates import Estimate, estimate_with_band


def test_estimates_come_from_the_sums() -> None:
    columns = {"found": [1, 0, 3, 2], "asked": [2, 2, 4, 2]}
    result = estimate_with_band(columns, lambda sums: sums["found"] / sums["asked"])
    assert result.value == 0.6
    assert 0 <= result.low < 0.6 < result.high <= 1
    assert estimate_with_band({"a": [1, 1], "b": [2, 2]}, lambda sums: sums["a"] / sums["b"]) == Estimate(0.5, 0.5, 0.5)
    undefined_estimate = estimate_with_band({"a": [0, 0], "b": [0, 0]}, lambda sums: sums["a"] / sums["b"])
    assert all(map(math.isnan, (undefined_estimate.value, undefined_estimate.low, undefined_estimate.high)))
