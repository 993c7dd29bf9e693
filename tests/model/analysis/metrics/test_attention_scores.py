"""Check attention scores of matrices worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple

import numpy as np
import pytest

from model.analysis.metrics.attention_scores import (
    AttentionScoresError,
    score_attention,
    score_trace_attention,
)
from model.trace import Side
from tests.model.analysis.traces import build_trace

LN2, LN3 = math.log(2), math.log(3)


# weights (target, source); CDP; AP_out, over the source words; AP_in, over the target words
BY_HAND: dict[str, tuple[list[list[float]], float, float, float]] = {
    # Coverage 3/2 of each source word: off by 1/2. Attention of a source word is from 3 words, of a target word to 2.
    "uniform, 3 target and 2 source": ([[0.5, 0.5]] * 3, -math.log(5 / 4), -LN3, -LN2),
    # Coverage 2/3: off by 1/3.
    "uniform, 2 target and 3 source": ([[1 / 3] * 3] * 2, -math.log(10 / 9), -LN2, -LN3),
    # Coverage 2 and 0, both off by 1. The first source word gets half of its attention from each target word.
    "both attend to the first": ([[1, 0], [1, 0]], -LN2, -LN2 / 2, 0.0),
    # Coverage 1.25 and 0.75. H(1, 1/4) of the first: shares 4/5 and 1/5; the second gets attention from one word.
    "one certain, one not": (
        [[1, 0], [0.25, 0.75]], -math.log(17 / 16),
        (0.8 * math.log(0.8) + 0.2 * math.log(0.2)) / 2, (0.25 * math.log(0.25) + 0.75 * math.log(0.75)) / 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_scores_of_known_matrices(name: str) -> None:
    weights, *expected = BY_HAND[name]
    result = score_attention(weights)
    assert astuple(result) == pytest.approx(expected, abs=1e-12)
    assert result.confidence == pytest.approx(sum(expected), abs=1e-12)
    perfect = score_attention(np.eye(3))
    assert (perfect.confidence, perfect.coverage_deviation_percent, perfect.confidence_percent) == (0, 100, 100)
    assert str(perfect.coverage_deviation) == "0.0"  # not -0.0, which a page would show


@pytest.mark.parametrize(("weights", "expected"), [
    ([[0.5, 0.4]], "row 1 sums to 0.9"),
    ([[1.5, -0.5]], "none below 0: got -0.5"),
    ([[math.nan, 1.0]], "shares of 1"),
    ([0.5, 0.5], r"got the shape \(2,\)"),
    (np.zeros((0, 3)), r"got the shape \(0, 3\)"),
    ([["a"]], "a matrix of numbers"),
])  # fmt: skip
def test_invalid_weights_are_refused(weights: Sequence[Sequence[float]], expected: str) -> None:
    with pytest.raises(AttentionScoresError, match=expected):
        score_attention(weights)


def test_a_trace_is_scored_over_words() -> None:
    values = [[0.25, 0.25, 0.5, 0.0], [0.75, 0.25, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    source = Side("ab c", ("ab", "c"), ("▁a", "b", "▁c", "</s>"), (0, 0, 1, -1))
    target = Side("d", ("d",), ("▁", "d", "</s>"), (0, 0, -1))
    trace = build_trace(source, target, values)
    # The mean of (0.5, 0.5, 0) and (1, 0, 0), and the row of the end.
    assert score_trace_attention(trace) == score_attention([[0.75, 0.25, 0.0], [0.0, 0.0, 1.0]])
