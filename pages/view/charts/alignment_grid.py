"""Figures as pure functions of a Trace: the grid of α that is drawn, and the same grid as CSV and as SVG."""

import unicodedata
from dataclasses import dataclass
from math import sqrt
from typing import Literal, get_args

import numpy as np

from model.trace import END_PIECE, Side, Trace
from pages.view.shell.csv_table import csv_table
from pages.view.shell.escape import markup

Unit = Literal["words", "pieces"]
Scale = Literal["violet", "grey", "root"]
UNITS: tuple[Unit, ...] = get_args(Unit)
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class Axis:
    """One side of the grid. Positions are indices: words that are repeated stay apart.

    `labels` are canonical words or raw pieces; the sentence's end, where it is part of the axis, is END_PIECE.
    `word_of` gives the word each label belongs to, -1 for the end.
    """

    labels: tuple[str, ...]
    word_of: tuple[int, ...]

    def shown(self, end: str) -> list[str]:
        """The labels with `end` in the place of the end piece."""
        pairs = zip(self.labels, self.word_of, strict=True)
        return [end if word == -1 and label == END_PIECE else label for label, word in pairs]


@dataclass(frozen=True)
class Grid:
    """α over words or pieces: `values` is (target labels, source labels), read-only, each row the weights of one
    target label; `log_probabilities` has one natural logarithm for each target label."""

    target: Axis
    source: Axis
    values: np.ndarray
    log_probabilities: tuple[float, ...]

    def first(self, limit: int) -> "Grid":
        """The first `limit` rows and columns at most."""
        return Grid(
            Axis(self.target.labels[:limit], self.target.word_of[:limit]),
            Axis(self.source.labels[:limit], self.source.word_of[:limit]),
            self.values[:limit, :limit],
            self.log_probabilities[:limit],
        )


def grid(trace: Trace, unit: Unit, key: str | None = None) -> Grid:
    """The weight map `key` of `trace`, or the one that is shown first, over `unit`, the ends of both sentences kept as
    the last row and column."""
    target, source = axis(trace.target, unit), axis(trace.source, unit)
    if unit == "pieces":
        logs = tuple(step.log_probability for step in trace.steps)
        return Grid(target, source, trace.map(key).values, logs)
    logs = tuple(float(value) for value in trace.word_log_probabilities())
    ends = [step.log_probability for step, word in zip(trace.steps, trace.target.word_of, strict=True) if word == -1]
    if ends:
        logs += (sum(ends),)
    return Grid(target, source, trace.word_map_with_end(key), logs)


def axis(side: Side, unit: Unit) -> Axis:
    """One side over `unit`, its end (or whatever else belongs to no word) last."""
    if unit == "pieces":
        return Axis(side.pieces, side.word_of)
    ended = -1 in side.word_of
    return Axis(side.words + (END_PIECE,) * ended, tuple(range(len(side.words))) + (-1,) * ended)


def gloss(trace: Trace, key: str | None = None) -> tuple[int, ...]:
    """For each target word the number of the source word it looked at most, -1 where that was the sentence's end."""
    strongest = trace.word_map_with_end(key)[: len(trace.target.words)].argmax(axis=1)
    return tuple(int(word) if word < len(trace.source.words) else -1 for word in strongest)


def shade(value: float, scale: Scale) -> float:
    """How far from empty to full a cell of weight `value` (0 to 1) is drawn: `value`, or its square root on "root"."""
    return sqrt(value) if scale == "root" else value


def to_csv(of: Grid) -> str:
    """The grid as CSV: one line a target label, one column a source label, weights in full (float32) precision.
    Safe to open in a spreadsheet."""
    rows = ((label, *row) for label, row in zip(of.target.labels, of.values, strict=True))
    return csv_table(("", *of.source.labels), rows)


# The sizes of the SVG, in its own units (pixels at 100 %).
_CELL, _ROW, _LETTER = 34.0, 28.0, 7.6
_INK, _BLUE, _AMBER = "#1d2433", "#3b6fb6", "#9e6a21"
_VIOLET = (0x6D, 0x4B, 0xC3)
_FONTS = "Source Sans 3, Source Sans Pro, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"


def to_svg(of: Grid, scale: Scale, title: str, end: str) -> str:
    """The grid as a standalone SVG on white, in the colours of the light screen, weights from 0.1 up written into the
    cells; `title` is its description, `end` the label of the sentences' end. It needs no fonts, scripts or net."""
    source, target = of.source.shown(end), of.target.shown(end)
    left = 16 + _LETTER * max(map(_letters, target), default=0)
    top = 16 + 0.72 * _LETTER * max(map(_letters, source), default=0)
    wide, high = _CELL * len(source), _ROW * len(target)
    width, height = left + wide + top, top + high + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" role="img" font-family="{_FONTS}">',
        f"<title>{markup(title)}</title>",
        f'<rect width="{width:.1f}" height="{height:.1f}" fill="#ffffff"/>',
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide - 1.5:.1f}" height="{high - 1.5:.1f}" {_fill(0, scale)}/>',
    ]
    for j, label in enumerate(source):
        place = f"translate({left + (j + 0.5) * _CELL + 4:.1f},{top - 8:.1f}) rotate(-45)"
        parts.append(f'<text transform="{place}" font-size="14" fill="{_BLUE}">{markup(label)}</text>')
    for i, label in enumerate(target):
        place = f'x="{left - 8:.1f}" y="{top + i * _ROW + 19:.1f}" text-anchor="end"'
        parts.append(f'<text {place} font-size="14" fill="{_AMBER}">{markup(label)}</text>')
        for j, value in enumerate(map(float, of.values[i])):
            parts += _cell(left + j * _CELL, top + i * _ROW, value, scale)
    parts += _legend(left, top + high + 18, scale)
    return "\n".join([*parts, "</svg>\n"])


def _letters(label: str) -> int:
    """How many letters wide a label is: Hangul and the like are twice as wide, combining marks take no room."""
    spacing = [letter for letter in label if not unicodedata.combining(letter)]
    return len(spacing) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in spacing)


def _cell(x: float, y: float, value: float, scale: Scale) -> list[str]:
    if value < 0.0005:  # the ground is drawn already
        return []
    box = f'x="{x:.1f}" y="{y:.1f}" width="{_CELL - 1.5}" height="{_ROW - 1.5}" rx="2"'
    parts = [f"<rect {box} {_fill(value, scale)}/>"]
    if value >= 0.1:
        pale = value >= 0.45 if scale == "grey" else shade(value, scale) < 0.75
        place = f'x="{x + _CELL / 2 - 0.8:.1f}" y="{y + 18:.1f}" text-anchor="middle"'
        parts.append(f'<text {place} font-size="10.5" fill="{_INK if pale else "#ffffff"}">{short(value)}</text>')
    return parts


def _fill(value: float, scale: Scale) -> str:
    if scale == "grey":
        level = round(255 * value)
        return f'fill="rgb({level},{level},{level})"'
    strength = 0.04 + 0.96 * shade(value, scale)
    red, green, blue = (round(255 + (channel - 255) * strength) for channel in _VIOLET)
    return f'fill="rgb({red},{green},{blue})"'


def _legend(x: float, y: float, scale: Scale) -> list[str]:
    bar = [f'<rect x="{x + 6 * k:.1f}" y="{y:.1f}" width="6.2" height="9" {_fill(k / 20, scale)}/>' for k in range(21)]
    text = f'font-size="11" fill="{_INK}"'
    name = "α, √" if scale == "root" else "α"
    return [
        *bar,
        f'<text x="{x - 8:.1f}" y="{y + 9:.1f}" text-anchor="end" {text}>{name} 0</text>',
        f'<text x="{x + 134:.1f}" y="{y + 9:.1f}" {text}>1</text>',
    ]


def short(value: float) -> str:
    """A weight in two digits as the cells show it: ".96", "1" from 0.995 up."""
    return "1" if value >= 0.995 else f"{value:.2f}"[1:]
