"""The grid of attention weights over words and pieces, its colours and CSV."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from model.trace import END_PIECE, Provenance, Side, Step, Trace, WeightMap
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import build_grid, find_most_attended_words, format_weight, scale_weight, to_csv
from tests.traces import ENGLISH, FRENCH, make_trace

VALUES = [[0.6, 0.1, 0.2, 0.1], [0.0, 0.4, 0.4, 0.2], [0.2, 0.3, 0.3, 0.2], [0.0, 0.0, 0.1, 0.9]]


def handmade_trace() -> Trace:
    """Return "a bc" → "x yz": the second word of each side has two pieces; both ends are present."""
    source = Side("a bc", ("a", "bc"), ("▁a", "▁b", "c", END_PIECE), (0, 1, 1, -1))
    target = Side("x yz", ("x", "yz"), ("▁x", "▁y", "z", END_PIECE), (0, 1, 1, -1))
    logs = (-0.5, -0.25, -1.0, -0.125)
    steps = tuple(Step(k, piece, log) for k, (piece, log) in enumerate(zip(target.pieces, logs, strict=True), 3))
    maps = (WeightMap("attention", np.array(VALUES)),)
    provenance = Provenance("rnnsearch-50", "0" * 12, "greedy", {})
    return Trace(source, target, steps, maps, sum(logs), sum(logs), True, provenance)


@pytest.mark.verdict
def test_words_sum_over_source_pieces_and_average_over_target_pieces() -> None:
    grid = build_grid(handmade_trace(), "words")
    np.testing.assert_allclose(grid.values, [[0.6, 0.3, 0.1], [0.1, 0.7, 0.2], [0.0, 0.1, 0.9]], atol=1e-7)
    assert grid.source.labels == ("a", "bc", END_PIECE)
    assert grid.target.labels == ("x", "yz", END_PIECE)
    assert grid.target.word_of == (0, 1, -1)
    assert grid.log_probs == (-0.5, -1.25, -0.125)
    grid = build_grid(handmade_trace(), "pieces")
    np.testing.assert_array_equal(grid.values, np.array(VALUES, dtype=np.float32))
    assert grid.source.labels == ("▁a", "▁b", "c", END_PIECE)
    assert grid.source.word_of == (0, 1, 1, -1)


def test_unfinished_translation_has_no_end_row() -> None:
    grid = build_grid(make_trace(is_finished=False), "words")
    assert END_PIECE not in grid.target.labels
    assert grid.source.labels[-1] == END_PIECE
    assert len(grid.log_probs) == len(FRENCH.split())


def test_most_attended_word_is_minus_one_for_the_end() -> None:
    assert find_most_attended_words(handmade_trace()) == (0, 1)
    assert find_most_attended_words(make_trace("a b", "x y", (2, 0))) == (-1, 0)  # x attends to the end
    assert find_most_attended_words(make_trace(is_finished=False)) == find_most_attended_words(make_trace())


def test_colour_strength() -> None:
    assert scale_weight(0.25, "violet") == scale_weight(0.25, "grey") == 0.25
    assert scale_weight(0.25, "root") == 0.5
    for scale in alignment_grid.COLOUR_SCALES:
        assert [scale_weight(value, scale) for value in (-0.1, 0.0, 1.0, 1.6)] == [0.0, 0.0, 1.0, 1.0]
    weights = (0.0, 0.104, 0.96, 0.994, 0.995, 1.04, 1.6)
    assert [format_weight(value) for value in weights] == [".00", ".10", ".96", ".99", "1", "1", "1.6"]


def test_csv_has_every_weight_with_repeated_words() -> None:
    grid = build_grid(make_trace(), "words")
    rows = list(csv.reader(io.StringIO(to_csv(grid))))
    assert rows[0] == ["", *ENGLISH.split(), END_PIECE]
    assert [row[0] for row in rows[1:]] == [*FRENCH.split(), END_PIECE]
    np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]], dtype=np.float32), grid.values)


def test_fixed_point_and_rounded_values_agree() -> None:
    grid = build_grid(make_trace(), "words")
    scaled = np.rint(grid.get_rounded_values() * alignment_grid.FIXED_POINT_ONE)
    np.testing.assert_array_equal(scaled, grid.to_fixed_point())
    np.testing.assert_allclose(grid.get_rounded_values(), grid.values, atol=1e-6)
    # .91498 is .91; rounded to four decimals first it would become .9150 and then .92.
    changed_grid = replace(grid, values=np.full_like(grid.values, 0.91498))
    assert {format_weight(value) for value in changed_grid.get_rounded_values().ravel()} == {".91"}
