"""The grid of α and what is made of it: known-right numbers over words and pieces, CSV, SVG."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from model.trace import END_PIECE, Provenance, Side, Step, Trace, WeightMap
from pages.view.charts import alignment_grid
from pages.view.charts.alignment_grid import gloss, grid, shade, short, to_csv, to_svg
from tests.pages.traces import ENGLISH, FRENCH, trace

VALUES = [[0.6, 0.1, 0.2, 0.1], [0.0, 0.4, 0.4, 0.2], [0.2, 0.3, 0.3, 0.2], [0.0, 0.0, 0.1, 0.9]]


def by_hand() -> Trace:
    """"a bc" to "x yz": two words a side, the second of two pieces, with both ends."""
    source = Side("a bc", ("a", "bc"), ("▁a", "▁b", "c", END_PIECE), (0, 1, 1, -1))
    target = Side("x yz", ("x", "yz"), ("▁x", "▁y", "z", END_PIECE), (0, 1, 1, -1))
    logs = (-0.5, -0.25, -1.0, -0.125)
    steps = tuple(Step(k, piece, log) for k, (piece, log) in enumerate(zip(target.pieces, logs, strict=True), 3))
    maps = (WeightMap("attention", np.array(VALUES)),)
    made_by = Provenance("rnnsearch-50", "0" * 12, "greedy", {})
    return Trace(source, target, steps, maps, sum(logs), sum(logs), True, made_by)


@pytest.mark.verdict
def test_words_sum_over_source_pieces_and_average_over_target_pieces() -> None:
    of = grid(by_hand(), "words")
    np.testing.assert_allclose(of.values, [[0.6, 0.3, 0.1], [0.1, 0.7, 0.2], [0.0, 0.1, 0.9]], atol=1e-7)
    assert of.source.labels == ("a", "bc", END_PIECE)
    assert of.target.labels == ("x", "yz", END_PIECE)
    assert of.target.word_of == (0, 1, -1)
    assert of.log_probabilities == (-0.5, -1.25, -0.125)


def test_pieces_are_the_map_itself() -> None:
    of = grid(by_hand(), "pieces")
    np.testing.assert_array_equal(of.values, np.array(VALUES, dtype=np.float32))
    assert of.source.labels == ("▁a", "▁b", "c", END_PIECE)
    assert of.source.word_of == (0, 1, 1, -1)
    assert of.log_probabilities == (-0.5, -0.25, -1.0, -0.125)


@pytest.mark.parametrize("unit", alignment_grid.UNITS)
def test_rows_sum_to_one_with_the_end_kept(unit: alignment_grid.Unit) -> None:
    np.testing.assert_allclose(grid(trace(), unit).values.sum(axis=1), 1.0, atol=1e-5)


def test_an_unfinished_translation_has_no_end_row() -> None:
    of = grid(trace(finished=False), "words")
    assert END_PIECE not in of.target.labels
    assert of.source.labels[-1] == END_PIECE
    assert len(of.log_probabilities) == len(FRENCH.split())


def test_the_first_rows_and_columns() -> None:
    of = grid(by_hand(), "words").first(2)
    assert of.values.shape == (2, 2)
    assert of.source.labels == ("a", "bc")
    assert of.source.shown("end") == ["a", "bc"]
    assert len(of.log_probabilities) == 2


def test_the_gloss_is_the_word_looked_at_most_and_nothing_for_the_end() -> None:
    assert gloss(by_hand()) == (0, 1)
    assert gloss(trace("a b", "x y", (2, 0))) == (-1, 0)  # x looks at the end most
    assert gloss(trace(finished=False)) == gloss(trace())


def test_the_svg_gives_wide_letters_room() -> None:
    drawings = [to_svg(grid(trace("a b", word, (0,)), "words"), "violet", "t", "e") for word in ("abcde", "회색고양이")]
    narrow, wide = (float(ET.fromstring(drawing).attrib["viewBox"].split()[2]) for drawing in drawings)
    assert wide > narrow + 5 * 7


def test_shades() -> None:
    assert shade(0.25, "violet") == shade(0.25, "grey") == 0.25
    assert shade(0.25, "root") == 0.5
    assert [shade(value, scale) for scale in alignment_grid.SCALES for value in (0.0, 1.0)] == [0.0, 1.0] * 3
    assert [short(value) for value in (0.0, 0.104, 0.96, 0.994, 0.995, 1.0)] == [".00", ".10", ".96", ".99", "1", "1"]


def test_csv_holds_every_weight_and_keeps_repeated_words_apart() -> None:
    of = grid(trace(), "words")
    rows = list(csv.reader(io.StringIO(to_csv(of))))
    assert rows[0] == ["", *ENGLISH.split(), END_PIECE]
    assert [row[0] for row in rows[1:]] == [*FRENCH.split(), END_PIECE]
    np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]], dtype=np.float32), of.values)


def test_csv_is_safe_in_a_spreadsheet() -> None:
    of = grid(trace("=1+1 cat", "@x chat", (0, 1)), "words")
    rows = list(csv.reader(io.StringIO(to_csv(of))))
    assert rows[0][1] == "'=1+1"
    assert rows[1][0] == "'@x"


@pytest.mark.parametrize("scale", alignment_grid.SCALES)
def test_svg_is_a_picture_of_the_grid(scale: alignment_grid.Scale) -> None:
    of = grid(trace(), "words")
    drawing = ET.fromstring(to_svg(of, scale, "a title", "end"))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text or "" for element in drawing.iter(f"{space}text")]
    assert [text for text in texts if text in ENGLISH.split() + FRENCH.split()].count("the") == 3
    assert texts.count("end") == 2
    assert drawing.findtext(f"{space}title") == "a title"
    drawn = len([element for element in drawing.iter(f"{space}rect") if element.get("rx")])
    assert drawn == int((of.values >= 0.0005).sum())
    written = len([text for text in texts if text.startswith(".") and len(text) == 3])
    assert written == int(((of.values >= 0.1) & (of.values < 0.995)).sum())


@pytest.mark.verdict
def test_svg_draws_hostile_words_as_text() -> None:
    hostile = trace("<script>alert(1)</script> & \x00x", "\"><image href='x'/> b ]]>", (0, 1, 2, 2))
    svg = to_svg(grid(hostile, "words"), "violet", "</title><script>", "end")
    drawing = ET.fromstring(svg)
    assert {element.tag.rpartition("}")[2] for element in drawing.iter()} == {"svg", "title", "rect", "text"}


def _lightness(colour: str) -> float:
    """CIE L* of "rgb(r,g,b)"."""
    channels = [int(part) / 255 for part in colour[5:-2].split(",")]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * luminance ** (1 / 3) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def test_the_scale_is_even_to_the_eye() -> None:
    lightness = [_lightness(alignment_grid._fill(k / 10, "violet").removeprefix("fill=")) for k in range(11)]
    steps = np.diff(lightness)
    assert (steps < -4).all()
    assert steps.min() / steps.max() < 1.1, steps  # the largest step within a tenth of the smallest
