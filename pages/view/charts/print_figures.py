"""The figures that are printed: maps of weights, curves by length, curves in training. White paper, light colours.

Each is a drawing for `printing.render`, of the same numbers as the screen and the tables, rounded alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.measure.scores.length_curve import Bin
from pages.view.charts import training_curves
from pages.view.charts.alignment_grid import Grid, Scale, shade, short
from pages.view.charts.curves import Line, LineStyle, look, span
from pages.view.charts.printing import INK, Drawing, Sheet
from pages.view.charts.training_curves import Growth
from pages.view.results.evaluations import slug
from pages.view.service.cards import title_of
from pages.view.shell.messages import Messages
from pages.view.shell.numbers import millions

BLUE, AMBER = "#3b6fb6", "#9e6a21"  # the source's and the target's
VIOLET = "#6d4bc3"
_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (3.5, 2.5)), "dot": (0, (1, 2))}
_MARKERS = {"circle": "o", "square": "s", "diamond": "D"}
_WRITTEN = 0.1  # weights from here up are written into their cells


def alignment(name: str, of: Grid, scale: Scale, title: str, end: str, paper: bool = False) -> Drawing:
    """A map of weights: a column a source label, a row a target label. `end` stands for the sentences' end.

    On the screen's way with weights from 0.1 up written into the cells, labels aslant in the colours of their sides;
    on the `paper`'s with bare cells in a frame, labels upright in ink.
    """

    def draw(sheet: Sheet) -> None:
        _, bottom = _map(sheet, of, scale, end, paper)
        _legend(sheet, 24.0, bottom + 16, scale)

    return Drawing(name, title, draw)


@dataclass(frozen=True)
class Shown:
    """A map of weights among others: its name, and which words of the target (their numbers, -1 for the end) are
    marked."""

    grid: Grid
    name: str
    marked: frozenset[int] = frozenset()


def before_and_after(name: str, of: Sequence[Shown], title: str, end: str) -> Drawing:
    """Maps of weights side by side on the screen's way, each with its name below it; marked words stand out."""

    def draw(sheet: Sheet) -> None:
        left, lowest = 0.0, 0.0
        for one in of:
            left += 8 + max(_wide(sheet, label) for label in one.grid.target.shown(end))
            right, bottom = _map(sheet, one.grid, "violet", end, left=left, marked=one.marked)
            sheet.text((left + right) / 2, bottom + 22, one.name, 15)
            left, lowest = right + 46, max(lowest, bottom)
        _legend(sheet, 24.0, lowest + 40, "violet")

    return Drawing(name, title, draw)


def _wide(sheet: Sheet, label: str) -> float:
    """How wide a label of a map is, in points."""
    text = sheet.text(0, 0, label, 14.0)
    width = sheet.width(text)
    text.remove()
    return width


def _map(sheet: Sheet, of: Grid, scale: Scale, end: str, paper: bool = False, left: float = 0.0,
         marked: frozenset[int] | None = None) -> tuple[float, float]:  # fmt: skip
    """Draw one map, its cells from `left` on; returns where they end on the right and below."""
    source, target = of.source.shown(end), of.target.shown(end)
    wide, high, gap, size = (24.0, 24.0, 0.0, 14.0) if paper else (34.0, 28.0, 1.5, 14.0)
    right, bottom = left + wide * len(source), high * len(target)
    over, beside = (sheet.ink, sheet.ink) if paper else (BLUE, AMBER)
    weights = of.shown().tolist()
    _cells(sheet, weights, scale, wide, high, gap, left)
    for column, label in enumerate(source):
        if paper:
            sheet.text(left + (column + 0.5) * wide + 5, -6, label, size, over, "left", angle=90)
        else:
            sheet.text(left + (column + 0.5) * wide + 2, -8, label, size, over, "left", angle=45)
    for row, label in enumerate(target):
        plain = marked is not None and of.target.word_of[row] not in marked
        sheet.text(left - 8, (row + 0.5) * high + 5, label, size, sheet.line(False) if plain else beside, "right")
        for column, value in enumerate(weights[row]):
            if not paper and value >= _WRITTEN:
                dark = value < 0.45 if scale == "grey" else shade(value, scale) >= 0.75
                sheet.text(left + (column + 0.5) * wide - 0.8, (row + 0.5) * high + 3.5, short(value), 10.5,
                           "#ffffff" if dark else INK)  # fmt: skip
    if paper:
        sheet.axes.plot([left, right, right, left, left], [0, 0, bottom, bottom, 0], color=sheet.ink, lw=1,
                        clip_on=False)  # fmt: skip
    return right, bottom


def _cells(sheet: Sheet, weights: list[list[float]], scale: Scale, wide: float, high: float, gap: float,
           left: float) -> None:  # fmt: skip
    places = [(left + column * wide, row * high) for row, values in enumerate(weights) for column in range(len(values))]
    fills = [fill(value, scale) for values in weights for value in values]
    sheet.boxes(places, wide - gap, high - gap, fills, touching=not gap, gid="weights")


def fill(value: float, scale: Scale) -> str:
    """The colour of a cell: from black to white on "grey", else the deeper a violet the greater the weight."""
    if scale == "grey":
        return "#" + f"{round(255 * min(1.0, max(0.0, value))):02x}" * 3
    return _paler(VIOLET, 0.04 + 0.96 * shade(value, scale), "#ffffff")


def _legend(sheet: Sheet, x: float, y: float, scale: Scale) -> None:
    """The scale from 0 to 1, its name before it."""
    places = [(x + 6 * step, y) for step in range(21)]
    sheet.boxes(places, 6.2, 9, [fill(step / 20, scale) for step in range(21)], touching=True, gid="scale")
    sheet.axes.plot([x, x + 126.2, x + 126.2, x, x], [y, y, y + 9, y + 9, y], color=sheet.rule, lw=0.6, clip_on=False)
    sheet.text(x - 8, y + 9, ("α, √" if scale == "root" else "α") + " 0", 11, across="right")
    sheet.text(x + 134, y + 9, "1", 11, across="left")


@dataclass(frozen=True)
class Series:
    """One line of a chart: how it is drawn, and at each tick its value with its bounds, or None where there is none.

    `strength`: how much of its ink it is drawn with, from 0 to 1.
    """

    name: str
    look: LineStyle
    points: tuple[tuple[float, float, float] | None, ...]
    strength: float = 1.0


def curves(name: str, of: Sequence[Line], title: str, say: Messages) -> Drawing:
    """BLEU over the same bins of length with its bands, a line a model, the number of sentences below each bin."""
    found = [
        Series(title_of(one.model), look(one.model), tuple(_bounded(point) for point in one.points)) for one in of
    ]
    ticks = [(span(point), f"{point.sentences:,}") for point in of[0].points]
    return lines(name, found, ticks, (say("curve.words"), say("curve.bleu")), title)


def growth(of: Growth, say: Messages) -> Drawing:
    """BLEU by length at several amounts of training of one model, the later the stronger."""
    moments = of.doublings()
    found = [
        Series(
            say("growth.seen", amount=millions(moment.pieces, say)),
            look(of.model),
            tuple(None if score is None else (score, score, score) for score in moment.bleu),
            0.25 + 0.75 * number / len(moments),
        )
        for number, moment in enumerate(moments, 1)
    ]
    ticks = [(f"{first}–{last}", "") for first, last in of.bins]
    title = training_curves.description(of, say)
    return lines(f"bleu-in-training-{slug(of.model)}", found, ticks, (say("curve.words"), say("curve.bleu")), title)


def _bounded(point: Bin) -> tuple[float, float, float] | None:
    """A bin's score and its bounds, which are the score itself where it has none."""
    return None if point.bleu is None else (point.bleu, *(point.bounds or (point.bleu, point.bleu)))


def lines(
    name: str,
    of: Sequence[Series],
    ticks: Sequence[tuple[str, str]],
    axes: tuple[str, str],
    title: str,
    floor: float = 0.0,
) -> Drawing:
    """Lines with their bands. `ticks`: what stands below each place, in two lines; `axes`: what runs across and up;
    up begins at `floor`."""
    wide, high = 640.0, 330.0
    highest = max([floor + 1.0, *(above for one in of for point in one.points if point for above in point)])
    most = floor + (highest - floor) * 1.04
    step = next(size for size in (1, 2, 5, 10, 20) if size == 20 or (highest - floor) / size <= 8)

    def x(place: int) -> float:
        return wide * (place + 0.5) / len(ticks)

    def y(value: float) -> float:
        return high * (most - value) / (most - floor)

    def draw(sheet: Sheet) -> None:
        for value in range(math.ceil(floor / step) * step, int(most) + 1, step):
            sheet.axes.plot([0, wide], [y(value)] * 2, color=sheet.rule, lw=1, clip_on=False)
            sheet.text(-8, y(value) + 4.5, str(value), across="right")
        for place, (label, below) in enumerate(ticks):
            sheet.text(x(place), high + 20, label)
            sheet.text(x(place), high + 36, below, size=11, faint=0.7)
        sheet.text(wide / 2, high + (60 if any(below for _, below in ticks) else 46), axes[0])
        sheet.text(-42, high / 2, axes[1], angle=90)
        for one in of:
            for run in _runs(one):
                places = [x(place) for place, _ in run]
                low, above = ([y(bounds[side]) for _, bounds in run] for side in (1, 2))
                wide_there = [one_low != one_above for one_low, one_above in zip(low, above, strict=True)]
                if any(wide_there):
                    sheet.axes.fill_between(places, low, above, where=wide_there, color=sheet.line(one.look.ink),
                                            alpha=0.12, lw=0, clip_on=False)  # fmt: skip
        for number, one in enumerate(of):
            for run in _runs(one):
                places = [x(place) for place, _ in run]
                stroke(sheet, places, [y(value) for _, (value, _, _) in run], one, f"line-{number}")
        key(sheet, of, wide)

    return Drawing(name, title, draw)


def key(sheet: Sheet, of: Sequence[Series], wide: float) -> None:
    """The names of the lines above the chart, as many in a row as fit, each with a piece of its line."""
    x, row = 0.0, 0
    places = []
    texts = [sheet.text(0, 0, one.name, across="left") for one in of]
    for text in texts:
        needed = 42 + sheet.width(text) + 26
        if x and x + needed > wide:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += needed
    for one, text, (left, number) in zip(of, texts, places, strict=True):
        y = -22.0 - 20 * (row - number)
        text.set_position((left + 42, y + 4.5))
        stroke(sheet, [left, left + 17, left + 34], [y] * 3, one, "key", [1])


def stroke(
    sheet: Sheet, x: list[float], y: list[float], one: Series, gid: str, marked: int | list[int] = 1
) -> None:
    """A line with its markers: those at these places, or every so many-th."""
    ink = _paler(sheet.line(one.look.ink), one.strength, sheet.paper)
    symbol, _, hollow = one.look.symbol.partition("-")
    sheet.axes.plot(
        x, y, color=ink, lw=2, ls=_DASHES[one.look.dash], marker=_MARKERS[symbol], clip_on=False,
        ms=7 if symbol == "diamond" else 8, mfc=sheet.paper if hollow else ink, mec=ink, mew=1.8, gid=gid,
        markevery=marked,
    )  # fmt: skip


def _paler(ink: str, strength: float, paper: str) -> str:
    """An ink on paper of that colour, drawn with less than its whole strength."""
    inks, papers = ([int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in (ink, paper))
    mixed = (round(under + (over - under) * strength) for over, under in zip(inks, papers, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _runs(line: Series) -> list[list[tuple[int, tuple[float, float, float]]]]:
    """The neighbouring points with their places, a list for each stretch without a gap."""
    runs: list[list[tuple[int, tuple[float, float, float]]]] = [[]]
    for place, point in enumerate(line.points):
        if point is None:
            runs.append([])
        else:
            runs[-1].append((place, point))
    return [run for run in runs if run]
