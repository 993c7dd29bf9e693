"""Translations one below the other as a drawing for files, with marked words and optional bars below words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from pages.ui.charts.print_style import AMBER
from pages.ui.charts.printing import Drawing

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

# In points.
_LINE_WIDTH = 880.0
_WORD_SPACE = 5.4
_FONT_SIZE = 18.0
_LINE_HEIGHT, _LINE_HEIGHT_WITH_BARS = 27.0, 34.0
_EMPTY_BAR_COLOUR = "#e3e5ea"


@dataclass(frozen=True)
class PrintedWord:
    """A word with the space before it, whether it is marked, and the filled share of the bar below it (None: no
    bar)."""

    gap: str
    text: str
    is_marked: bool = False
    share: float | None = None


@dataclass(frozen=True)
class PrintedRow:
    """A translation: its title, a note beside the title, and its words."""

    title: str
    note: str
    words: Sequence[PrintedWord]


def build_text_drawing(name: str, rows: Sequence[PrintedRow], title: str) -> Drawing:
    """Return the translations, each wrapped to the same width."""

    def draw(sheet: Sheet) -> None:
        top = 0.0
        for row in rows:
            heading = sheet.write_text(0, top, row.title, 13, align="left")
            heading.set_fontweight("bold")
            sheet.write_text(sheet.measure_width(heading) + 10, top, row.note, 13, sheet.get_line_colour(False), "left")
            top = draw_words(sheet, row.words, 0.0, top + 24, _LINE_WIDTH) + 40

    return Drawing(name, title, draw)


def draw_words(sheet: Sheet, words: Sequence[PrintedWord], left: float, top: float, line_width: float,
               size: float = _FONT_SIZE, colour: str = "") -> float:  # fmt: skip
    """Write words in lines of `line_width` from the baseline `top` on; return the last baseline."""
    x = 0.0
    line_height = _LINE_HEIGHT_WITH_BARS if any(word.share is not None for word in words) else _LINE_HEIGHT
    line_height *= size / _FONT_SIZE
    for word in chain.from_iterable(map(_split_copied, words)):
        ink = AMBER if word.is_marked else colour or sheet.ink
        text = sheet.write_text(0, 0, word.text, size, ink, "left")
        if word.is_marked:
            text.set_fontweight("bold")
        width = sheet.measure_width(text)
        x += _WORD_SPACE * size / _FONT_SIZE if word.gap and x else 0.0
        if x and x + width > line_width:
            x, top = 0.0, top + line_height
        text.set_position((left + x, top))
        if word.share is not None:
            _draw_bar(sheet, left + x, top + 9, width, word.share)
        x += width
    return top


def _split_copied(word: PrintedWord) -> list[PrintedWord]:
    """Separate a word from the symbols copied before it."""
    symbols = word.gap.strip()
    if not symbols:
        return [word]
    gap_before, gap_after = word.gap.split(symbols, 1)
    return [PrintedWord(gap_before, symbols), *([replace(word, gap=gap_after)] if word.text else [])]


def _draw_bar(sheet: Sheet, left: float, y: float, width: float, share: float) -> None:
    middle = left + width * min(1.0, max(0.0, share))
    for start, end, colour, gid in ((middle, left + width, _EMPTY_BAR_COLOUR, "rest"), (left, middle, AMBER, "share")):
        if end > start:
            sheet.axes.plot([start, end], [y, y], color=colour, lw=4, solid_capstyle="butt", clip_on=False, gid=gid)
