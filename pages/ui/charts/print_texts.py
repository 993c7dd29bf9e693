"""Translations printed one below the other, for a slide: words that differ stand out, with a bar below each if asked
for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pages.ui.charts.print_maps import AMBER
from pages.ui.charts.printing import Drawing, Sheet

_WIDE = 880.0  # points of a line
_SPACE = 5.4  # points between words
_SIZE = 18.0
_LINE, _BARRED = 27.0, 34.0  # points from line to line, without bars and with them
_PALE = "#e3e5ea"


@dataclass(frozen=True)
class PrintedWord:
    """A word with what stands before it, whether it stands out, and which share of a bar below it is filled (None for
    no bar)."""

    gap: str
    text: str
    is_marked: bool = False
    share: float | None = None


@dataclass(frozen=True)
class PrintedRow:
    """A translation: what it is, a note beside that, and its words."""

    title: str
    note: str
    words: Sequence[PrintedWord]


def build_text_drawing(name: str, of: Sequence[PrintedRow], title: str) -> Drawing:
    """The rows, each wrapped to the same width."""

    def draw(sheet: Sheet) -> None:
        top = 0.0
        for row in of:
            head = sheet.write_text(0, top, row.title, 13, across="left")
            head.set_fontweight("bold")
            sheet.write_text(sheet.measure_width(head) + 10, top, row.note, 13, sheet.line_colour(False), "left")
            top = _words(sheet, row.words, top + 24) + 40

    return Drawing(name, title, draw)


def _words(sheet: Sheet, words: Sequence[PrintedWord], top: float) -> float:
    """Write words in lines, the first one's foot at `top`; returns the foot of the last one."""
    x = 0.0
    step = _BARRED if any(word.share is not None for word in words) else _LINE
    for word in chain.from_iterable(map(_split_copied, words)):
        text = sheet.write_text(0, 0, word.text, _SIZE, AMBER if word.is_marked else sheet.ink, "left")
        if word.is_marked:
            text.set_fontweight("bold")
        wide = sheet.measure_width(text)
        x += _SPACE if word.gap and x else 0.0
        if x and x + wide > _WIDE:
            x, top = 0.0, top + step
        text.set_position((x, top))
        if word.share is not None:
            _bar(sheet, x, top + 9, wide, word.share)
        x += wide
    return top


def _split_copied(word: PrintedWord) -> list[PrintedWord]:
    """A word and what is copied before it, each as a word of its own."""
    copied = word.gap.strip()
    if not copied:
        return [word]
    before, after = word.gap.split(copied, 1)
    return [PrintedWord(before, copied), *([replace(word, gap=after)] if word.text else [])]


def _bar(sheet: Sheet, left: float, y: float, wide: float, share: float) -> None:
    ends = left + wide * min(1.0, max(0.0, share))
    for start, end, colour, part in ((ends, left + wide, _PALE, "rest"), (left, ends, AMBER, "share")):
        if end > start:
            sheet.axes.plot([start, end], [y, y], color=colour, lw=4, solid_capstyle="butt", clip_on=False, gid=part)
