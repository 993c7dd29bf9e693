"""Curves that are printed: BLEU by length, and in training. White paper, light colours.

Each is a drawing for `printing.render`, of the same numbers as the screen and the tables, rounded alike. They know of
evaluations and claims: what prints a map alone (print_maps.py) is loaded sooner.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.analysis.metrics.learning_curve import Amount
from model.analysis.metrics.length_curve import LengthBin
from model.networks.registry import Marker
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import slugify
from pages.ui.charts import learning_curves, training_curves
from pages.ui.charts.curves import CurveLike, LineStyle, format_bin, get_line_style
from pages.ui.charts.learning_curves import LearningCurve
from pages.ui.charts.printing import Drawing, Sheet, blend
from pages.ui.charts.training_curves import TrainingCurves
from pages.ui.i18n.messages import Messages

_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (3.5, 2.5)), "dot": (0, (1, 2))}
_MARKERS: dict[Marker, str] = {"circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "triangle-down": "v",
                               "pentagon": "p", "star": "*", "hexagon": "h"}  # fmt: skip
_SIZES: dict[Marker, float] = {"circle": 8, "square": 8, "diamond": 7, "triangle-up": 9, "triangle-down": 9,
                               "pentagon": 9, "star": 11, "hexagon": 9}  # fmt: skip
"""In points."""


@dataclass(frozen=True)
class Series:
    """One line of a chart: how it is drawn, and at each tick its value with its bounds, or None where there is none.

    `strength`: how much of its ink it is drawn with, from 0 to 1; `places`: where its points lie, counted in ticks,
    where that is not at the ticks; `marked`: which have a marker, or every how many-th.
    """

    name: str
    style: LineStyle
    points: tuple[tuple[float, float, float] | None, ...]
    strength: float = 1.0
    positions: tuple[float, ...] = ()
    markevery: int | list[int] = 1


def build_curves_drawing(name: str, of: Sequence[CurveLike], title: str, t: Messages) -> Drawing:
    """BLEU over the same bins of length with its bands, a line a model, the number of sentences below each bin."""
    found = [
        Series(get_title(one.model), get_line_style(one.model), tuple(_bounded(point) for point in one.points))
        for one in of
    ]
    ticks = [(format_bin(point), f"{point.sentences:,}") for point in of[0].points]
    return build_line_drawing(name, found, ticks, (t("curve.words"), t("curve.bleu")), title)


def build_learning_drawing(of: Sequence[LearningCurve], text: str, by: Amount, t: Messages) -> Drawing:
    """BLEU on a development text while the models learnt, by pieces or by hours, a line a model."""
    ticks = learning_curves.choose_ticks(of)
    found = [
        Series(
            get_title(one.model),
            get_line_style(one.model),
            tuple((bleu, bleu, bleu) for _, bleu in one.points),
            positions=tuple(at / ticks[1] for at, _ in one.points),
            markevery=learning_curves.choose_marked_points(one),
        )
        for one in of
    ]
    below = [(learning_curves.format_tick(tick), "") for tick in ticks]
    title = learning_curves.describe_curves(of, text, by, t)
    return build_line_drawing(f"bleu-by-{by}", found, below, (t(f"learning.{by}_across"), t("curve.bleu")), title)


def build_training_drawing(of: TrainingCurves, by: Amount, t: Messages) -> Drawing:
    """BLEU by length at several amounts of training of one model, the later the stronger."""
    moments = of.select_moments(by)
    found = [
        Series(
            of.describe_amount(moment, by, t),
            get_line_style(of.model),
            tuple(None if score is None else (score, score, score) for score in moment.bleu),
            0.25 + 0.75 * number / len(moments),
        )
        for number, moment in enumerate(moments, 1)
    ]
    ticks = [(f"{first}–{last}", "") for first, last in of.bins]
    title = training_curves.describe_curves(of, by, t)
    return build_line_drawing(
        f"bleu-in-training-{slugify(of.model)}", found, ticks, (t("curve.words"), t("curve.bleu")), title
    )


def _bounded(point: LengthBin) -> tuple[float, float, float] | None:
    """A bin's score and its bounds, which are the score itself where it has none."""
    return None if point.bleu is None else (point.bleu, *(point.band or (point.bleu, point.bleu)))


def build_line_drawing(
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

    def x(place: float) -> float:
        return wide * (place + 0.5) / len(ticks)

    def y(value: float) -> float:
        return high * (most - value) / (most - floor)

    def draw(sheet: Sheet) -> None:
        for value in range(math.ceil(floor / step) * step, int(most) + 1, step):
            sheet.axes.plot([0, wide], [y(value)] * 2, color=sheet.rule, lw=1, clip_on=False)
            sheet.write_text(-8, y(value) + 4.5, str(value), across="right")
        for place, (label, below) in enumerate(ticks):
            sheet.write_text(x(place), high + 20, label)
            sheet.write_text(x(place), high + 36, below, size=11, faint=0.7)
        sheet.write_text(wide / 2, high + (60 if any(below for _, below in ticks) else 46), axes[0])
        sheet.write_text(-42, high / 2, axes[1], angle=90)
        for one in of:
            for run in _runs(one):
                places = [x(place) for place, _ in run]
                low, above = ([y(bounds[side]) for _, bounds in run] for side in (1, 2))
                wide_there = [one_low != one_above for one_low, one_above in zip(low, above, strict=True)]
                if any(wide_there):
                    sheet.axes.fill_between(places, low, above, where=wide_there,
                                            color=sheet.line_colour(one.style.is_ink),
                                            alpha=0.12, lw=0, clip_on=False)  # fmt: skip
        for number, one in enumerate(of):
            for run in _runs(one):
                places = [x(place) for place, _ in run]
                draw_line(sheet, places, [y(value) for _, (value, _, _) in run], one, f"line-{number}", one.markevery)
        draw_legend(sheet, of, wide)

    return Drawing(name, title, draw)


def draw_legend(sheet: Sheet, of: Sequence[Series], wide: float) -> None:
    """The names of the lines above the chart, as many in a row as fit, each with a piece of its line."""
    x, row = 0.0, 0
    places = []
    texts = [sheet.write_text(0, 0, one.name, across="left") for one in of]
    for text in texts:
        needed = 42 + sheet.measure_width(text) + 26
        if x and x + needed > wide:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += needed
    for one, text, (left, number) in zip(of, texts, places, strict=True):
        y = -22.0 - 20 * (row - number)
        text.set_position((left + 42, y + 4.5))
        draw_line(sheet, [left, left + 17, left + 34], [y] * 3, one, "key", [1])


def draw_line(
    sheet: Sheet,
    x: list[float],
    y: list[float],
    one: Series,
    gid: str,
    marked: int | list[int] = 1,
    colour: str | None = None,
    size: float = 1.0,
) -> None:
    """A line with its markers: those at these places, or every so many-th. In another `colour` than its own and of
    another `size`, where these are given."""
    ink = colour or blend(sheet.line_colour(one.style.is_ink), one.strength, sheet.paper)
    sheet.axes.plot(
        x, y, color=ink, lw=2 * size, ls=_DASHES[one.style.dash], marker=_MARKERS[one.style.marker], clip_on=False,
        ms=_SIZES[one.style.marker] * size, mfc=sheet.paper if one.style.is_hollow else ink, mec=ink, mew=1.8 * size,
        gid=gid, markevery=marked,
    )  # fmt: skip


def _runs(line: Series) -> list[list[tuple[float, tuple[float, float, float]]]]:
    """The neighbouring points with their places, a list for each stretch without a gap."""
    runs: list[list[tuple[float, tuple[float, float, float]]]] = [[]]
    for place, point in zip(line.positions or range(len(line.points)), line.points, strict=True):
        if point is None:
            runs.append([])
        else:
            runs[-1].append((place, point))
    return [run for run in runs if run]
