"""The printed figures: every number of the data is drawn where it belongs, every word as text, nothing runs."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from model.measure.scores.length_curve import BINS
from pages.view.charts import alignment_grid, curves, print_figures
from pages.view.shell.messages import LANGUAGES, load
from tests.hostile import CASES
from tests.pages.evaluated import evaluation, falling
from tests.pages.traces import ENGLISH, FRENCH, trace

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def texts(drawing: ET.Element) -> list[str]:
    return [element.text or "" for element in drawing.iter(f"{SPACE}text")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_curves_are_drawn_to_scale(language: str) -> None:
    say = load(language)
    pair = [curves.of(evaluation("rnnsearch-50"), BINS), curves.of(evaluation("rnnencdec-30", falling), BINS)]
    svg, width, height = print_figures.of_curves(pair, "a title", say)
    drawing = drawn(svg)
    assert (drawing.get("width"), drawing.get("height")) == (str(width), str(height))
    lines = [element.get("points", "").split() for element in drawing.iter(f"{SPACE}polyline")]
    assert [len(line) for line in lines] == [7, 7]
    # Heights are a linear function of BLEU: the same one for both lines.
    heights = np.array([float(point.split(",")[1]) for line in lines for point in line])
    scores = np.array([point.bleu for one in pair for point in one.points], dtype=float)
    slope, offset = np.polyfit(scores, heights, 1)
    assert slope < 0
    np.testing.assert_allclose(slope * scores + offset, heights, atol=0.1)
    assert len(list(drawing.iter(f"{SPACE}polygon"))) == 2
    for label in ("RNNsearch-50", "RNNencdec-30", "1–10", "61+", "30", say("curve.words")):
        assert label in texts(drawing)
    dashes = [element.get("stroke-dasharray") for element in drawing.iter(f"{SPACE}polyline")]
    assert dashes == [None, "7 5"]
    hollow = [element for element in drawing.iter(f"{SPACE}rect") if element.get("fill") == "#ffffff"]
    assert len(hollow) == 1 + 7 + 1  # the page, seven markers, the one of the legend


def test_an_empty_bin_breaks_the_line() -> None:
    one = curves.of(evaluation(lengths=[5] * 9 + [15] * 9 + [35] * 9), BINS)
    drawing = drawn(print_figures.of_curves([one], "a title", load("en"))[0])
    assert [len(element.get("points", "").split()) for element in drawing.iter(f"{SPACE}polyline")] == [2, 1]


def test_an_alignment_is_black_to_white_with_english_across() -> None:
    of = alignment_grid.grid(trace(), "words")
    svg, width, height = print_figures.of_alignment(of, "a title", "end")
    drawing = drawn(svg)
    labels = texts(drawing)
    assert labels[: len(ENGLISH.split()) + 1] == [*ENGLISH.split(), "end"]
    assert labels[len(ENGLISH.split()) + 1 : -2] == [*FRENCH.split(), "end"]
    cells = [element for element in drawing.iter(f"{SPACE}rect") if element.get("shape-rendering")]
    assert len(cells) == of.values.size
    for cell, value in zip(cells, of.values.ravel(), strict=True):
        level = round(255 * float(value))
        assert cell.get("fill") == f"rgb({level},{level},{level})"
    right = max(float(cell.get("x", 0)) + float(cell.get("width", 0)) for cell in cells)
    assert right <= width
    assert max(float(cell.get("y", 0)) + 24 for cell in cells) < height


@pytest.mark.parametrize("case", ["HTML", "script", "SVG", "closing tags", "null bytes", "control characters"])
def test_hostile_words_are_text(case: str) -> None:
    words = " ".join(CASES[case].split()) or "x"
    of = alignment_grid.grid(trace(words, words, tuple(range(len(words.split())))), "words")
    allowed = {
        f"{SPACE}{tag}" for tag in ("svg", "title", "rect", "text", "g", "path", "polyline", "polygon", "circle")
    }
    assert {element.tag for element in drawn(print_figures.of_alignment(of, CASES[case], "end")[0]).iter()} <= allowed
    one = curves.of(replace(evaluation(), model=CASES[case]), BINS)
    sheet = print_figures.of_curves([one], CASES[case], load("en"))[0]
    assert {element.tag for element in drawn(sheet).iter()} <= allowed
