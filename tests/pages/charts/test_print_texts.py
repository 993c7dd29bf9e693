"""Printed translations: words in order, wrapped, marked where changed, over bars."""

import re
import xml.etree.ElementTree as ET

import pytest

from pages.ui.charts.print_style import AMBER
from pages.ui.charts.print_texts import PrintedRow, PrintedWord, build_text_drawing
from pages.ui.charts.printing import render

SPACE = "{http://www.w3.org/2000/svg}"


def render_svg(*rows: PrintedRow) -> ET.Element:
    return ET.fromstring(
        render(build_text_drawing("rows", rows, "a title"), "svg", lambda letters: [f"no font for {letters}"])
    )


def list_texts(svg: ET.Element) -> list[tuple[str, float, float, str]]:
    """Return every text with its position and style."""
    return [(element.text or "", float(element.get("x") or 0), float(element.get("y") or 0), element.get("style") or "")
            for element in svg.iter(f"{SPACE}text")]  # fmt: skip


def measure_bars(svg: ET.Element, name: str) -> list[float]:
    """Return the lengths of the bars of that name."""
    ends = [re.findall(r"[ML] ([-\d.]+)", path.get("d") or "") for part in svg.iter(f"{SPACE}g")
            if part.get("id") == name for path in part.iter(f"{SPACE}path")]  # fmt: skip
    return [float(last) - float(first) for first, last in ends]


def test_words_are_in_order_and_marked_words_bold() -> None:
    words = [PrintedWord("", "L"), PrintedWord("", "'"), PrintedWord(" ", "chat", True)]
    texts = list_texts(render_svg(PrintedRow("before", "a note", words)))
    assert [text for text, *_ in texts] == ["before", "a note", "L", "'", "chat"]
    places_across = [x for _, x, _, _ in texts[2:]]
    assert places_across == sorted(places_across)
    assert [AMBER in style and "700" in style for *_, style in texts[2:]] == [False, False, True]
    assert texts[0][2] < texts[2][2] == texts[4][2]


def test_long_translation_is_wrapped() -> None:
    long = PrintedRow("one", "", [PrintedWord(" ", f"word{k}") for k in range(60)])
    texts = list_texts(render_svg(long, PrintedRow("two", "", [PrintedWord("", "last")])))
    feet = [y for text, _, y, _ in texts if text.startswith("word")]
    assert feet == sorted(feet)
    assert len(set(feet)) > 3
    assert max(x for _, x, _, _ in texts) < 900
    assert texts[-1][0] == "last"
    assert texts[-1][2] > feet[-1] + 30


def test_bar_is_filled_by_its_share() -> None:
    words = [PrintedWord(" ", f"{share}", share=share) for share in (0.5, 7.0, 0.0)]
    svg = render_svg(PrintedRow("one", "", words))
    (half_bar, full_bar), (half_rest, empty_rest) = measure_bars(svg, "share"), measure_bars(svg, "rest")
    assert half_bar == pytest.approx(half_rest, rel=1e-3)
    assert half_bar < full_bar
    assert empty_rest > 0
