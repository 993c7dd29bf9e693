"""Check the saliency record, its JSON and word map, and rank correlation against its definition."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.analysis.attribution.saliency_record import (
    Saliency,
    SaliencyError,
    compute_spearman_correlation,
    measure_agreement,
)
from model.serialization.codec import CodecError, to_plain
from tests.traces import make_trace

TRACE = make_trace("the house sleeps .", "la maison dort .", (0, 1, 2, 3))


def build_saliency(**fields: object) -> Saliency:
    rows, columns = len(TRACE.target.pieces), len(TRACE.source.pieces)
    values = np.random.default_rng(1).normal(size=(rows, columns)).astype(np.float32)
    result = Saliency("gradient", TRACE.source, TRACE.target, values, tuple(-0.1 * k for k in range(rows)),
                     TRACE.provenance)
    return replace(result, **fields)  # type: ignore[arg-type]


@pytest.mark.verdict
def test_json_has_every_field_exactly() -> None:
    rows = len(TRACE.target.pieces)
    words = np.random.default_rng(2).normal(size=(rows, 5))
    for saliency in (build_saliency(), build_saliency(method="occlusion", words=words),
                build_saliency(method="integrated", zero_source_log_probabilities=(-3.1,) * rows, points=(9,) * rows)):
        content = json.loads(saliency.to_json())
        assert content == to_plain(saliency)
        assert np.array(content["values"], np.float32).tobytes() == saliency.values.tobytes()


def test_the_word_map_sums_tokens() -> None:
    saliency = build_saliency()
    result: np.ndarray = saliency.compute_word_map_with_end()
    pieces = [[k for k, word in enumerate(side.word_of) if word == number] for side in (TRACE.target, TRACE.source)
              for number in (1, 2)]
    for row, target_pieces in enumerate(pieces[:2], 1):
        for column, source_pieces in enumerate(pieces[2:], 1):
            expected = saliency.values[np.ix_(target_pieces, source_pieces)].sum()
            assert result[row, column] == pytest.approx(expected, abs=1e-6)
    assert result[4, 4] == pytest.approx(saliency.values[-1, -1], abs=1e-6)


def test_gaps_are_shares_of_the_change_or_of_one_nat() -> None:
    values = np.zeros((6, 6))
    values[:, 0] = [3.96, 0.21, 0, 0, 0, 0]
    result = build_saliency(method="integrated", values=values, log_probabilities=(-1.0, -1.0, *[-2.0] * 4),
                            zero_source_log_probabilities=(-5.0, -1.2, *[-2.0] * 4), points=(9,) * 6)
    assert result.compute_completeness_gaps() == pytest.approx([0.01, 0.01, 0, 0, 0, 0], abs=1e-6)
    assert build_saliency().compute_completeness_gaps().tolist() == []


@pytest.mark.parametrize(("fields", "message"), [
    ({"method": "guess"}, "one of gradient, integrated, occlusion"),
    ({"values": np.zeros((2, 2))}, "must have the shape"),
    ({"values": np.full((6, 6), np.nan)}, "finite"),
    ({"method": "occlusion"}, "occlusion"),
    ({"method": "integrated"}, "are 6 numbers: got 0"),
    ({"zero_source_log_probabilities": (0.0,) * 6}, "are 0 numbers: got 6"),
    ({"method": "integrated", "zero_source_log_probabilities": (0.0,) * 6, "points": (0,) * 6}, "1 point or more"),
])
def test_inconsistent_records_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(CodecError, match=message):
        build_saliency(**fields)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=12))
def test_rank_correlation_equals_the_correlation_of_ranks_counted_one_by_one(pairs: list[tuple[int, int]]) -> None:
    columns = [list(map(float, column)) for column in zip(*pairs, strict=True)]
    ranks = [[sum(other < saliency for other in column) + (sum(other == saliency for other in column) - 1) / 2
              for saliency in column] for column in columns]
    result = compute_spearman_correlation(*columns)
    if any(len(set(column)) < 2 for column in columns):
        assert result is None
    else:
        assert result == pytest.approx(float(np.asarray(np.corrcoef(ranks))[0, 1]), abs=1e-12)


def test_agreement_correlates_absolute_saliency_with_attention() -> None:
    weights = TRACE.compute_word_map_with_end()
    rows, columns = len(TRACE.target.pieces), len(TRACE.source.pieces)
    words = np.zeros((rows, weights.shape[1]))
    for piece, word in enumerate(TRACE.target.word_of):
        words[piece] = weights[word] * (-1 if piece % 2 else 1)
    first = [k for k, word in enumerate(TRACE.target.word_of) if word not in TRACE.target.word_of[:k]]
    words[[k for k in range(rows) if k not in first]] = 0
    attention_saliency = build_saliency(method="occlusion", words=words, values=np.zeros((rows, columns)))
    result = measure_agreement(attention_saliency, TRACE)
    assert result.rows == pytest.approx((1.0,) * 5)
    assert result.overall == pytest.approx(1.0)
    with pytest.raises(SaliencyError, match="its own translation"):
        measure_agreement(attention_saliency, make_trace())
