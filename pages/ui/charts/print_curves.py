"""Curves as drawings for files: BLEU by length and by amount of training, of the same numbers as on the screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.analysis.metrics.learning_curve import TrainingUnit
from model.analysis.metrics.length_curve import LengthBin
from model.networks.registry import Marker
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import slugify
from pages.ui.charts import learning_curves, training_curves
from pages.ui.charts.curves import CurveLike, LineStyle, format_bin, get_line_style
from pages.ui.charts.learning_curves import LearningCurve
from pages.ui.charts.print_style import blend
from pages.ui.charts.printing import Drawing
from pages.ui.charts.training_curves import TrainingCurves
from pages.ui.i18n.messages import Messages

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (3.5, 2.5)), "dot": (0, (1, 2)),
                           "dashdot": (0, (3.5, 2, 1, 2))}
_MARKERS: dict[Marker, str] = {"circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "triangle-down": "v",
                               "pentagon": "p", "star": "*", "hexagon": "h"}  # fmt: skip
_MARKER_SIZES: dict[Marker, float] = {"circle": 8, "square": 8, "diamond": 7, "triangle-up": 9, "triangle-down": 9,
                               "pentagon": 9, "star": 11, "hexagon": 9}  # fmt: skip
"""In points."""


@dataclass(frozen=True)
class Series:
    """One line of a chart.

    Attributes:
        points: value, lower and upper bound at each tick; None leaves a gap.
        opacity: of the line, from 0 to 1.
        positions: horizontal positions in units of ticks, if the points are not at the ticks.
        markevery: which points have a marker, or every how many, as in matplotlib. With [] the legend has none either.
        colour: of the line and its markers, if not that of its style.
    """

    name: str
    style: LineStyle
    points: tuple[tuple[float, float, float] | None, ...]
    opacity: float = 1.0
    positions: tuple[float, ...] = ()
    markevery: int | list[int] = 1
    colour: str | None = None


def build_curves_drawing(name: str, curves: Sequence[CurveLike], title: str, t: Messages) -> Drawing:
    """Return BLEU by length with bands, a line per model, and the number of sentences below each bin."""
    series = [
        Series(
            get_title(curve.model), get_line_style(curve.model), tuple(_with_bounds(point) for point in curve.points)
        )
        for curve in curves
    ]
    ticks = [(format_bin(point), f"{point.sentences:,}") for point in curves[0].points]
    return build_line_drawing(name, series, ticks, (t("curve.words"), t("curve.bleu")), title)


def build_learning_drawing(curves: Sequence[LearningCurve], text: str, unit: TrainingUnit, t: Messages) -> Drawing:
    """Return BLEU on a development text by amount of training, a line per model."""
    ticks = learning_curves.choose_ticks(curves)
    series = [
        Series(
            get_title(curve.model),
            get_line_style(curve.model),
            tuple((bleu, bleu, bleu) for _, bleu in curve.points),
            positions=tuple(amount / ticks[1] for amount, _ in curve.points),
            markevery=learning_curves.choose_marked_points(curve),
        )
        for curve in curves
    ]
    labels = [(learning_curves.format_tick(tick), "") for tick in ticks]
    title = learning_curves.describe_curves(curves, text, unit, t)
    return build_line_drawing(f"bleu-by-{unit}", series, labels, (t(f"learning.{unit}_across"), t("curve.bleu")), title)


def build_training_drawing(curves: TrainingCurves, unit: TrainingUnit, t: Messages) -> Drawing:
    """Return BLEU by length of one model at several amounts of training, later lines darker."""
    moments = curves.select_moments(unit)
    series = [
        Series(
            curves.describe_amount(moment, unit, t),
            get_line_style(curves.model),
            tuple(None if score is None else (score, score, score) for score in moment.bleu),
            0.25 + 0.75 * number / len(moments),
        )
        for number, moment in enumerate(moments, 1)
    ]
    ticks = [(label, "") for label in curves.bin_labels]
    title = training_curves.describe_curves(curves, unit, t)
    return build_line_drawing(
        f"bleu-in-training-{slugify(curves.model)}", series, ticks, (t("curve.words"), t("curve.bleu")), title
    )


def _with_bounds(point: LengthBin) -> tuple[float, float, float] | None:
    """Return a bin's score and its bounds; without a band both are the score."""
    return None if point.bleu is None else (point.bleu, *(point.band or (point.bleu, point.bleu)))


def build_line_drawing(
    name: str,
    series: Sequence[Series],
    ticks: Sequence[tuple[str, str]],
    axes: tuple[str, str],
    title: str,
    floor: float = 0.0,
) -> Drawing:
    """Return a line chart with bands.

    Args:
        ticks: label and second label of each horizontal position.
        axes: titles of the horizontal and the vertical axis.
        floor: lower end of the vertical axis.
    """
    width, height = 640.0, 330.0
    highest = max([floor + 1.0, *(value for line in series for point in line.points if point for value in point)])
    top = floor + (highest - floor) * 1.04
    step = next(size for size in (1, 2, 5, 10, 20) if size == 20 or (highest - floor) / size <= 8)

    def x(position: float) -> float:
        return width * (position + 0.5) / len(ticks)

    def y(value: float) -> float:
        return height * (top - value) / (top - floor)

    def draw(sheet: Sheet) -> None:
        for value in range(math.ceil(floor / step) * step, int(top) + 1, step):
            sheet.axes.plot([0, width], [y(value)] * 2, color=sheet.rule, lw=1, clip_on=False)
            sheet.write_text(-8, y(value) + 4.5, str(value), align="right")
        for position, (label, second_label) in enumerate(ticks):
            sheet.write_text(x(position), height + 20, label)
            sheet.write_text(x(position), height + 36, second_label, size=11, opacity=0.7)
        sheet.write_text(width / 2, height + (60 if any(label for _, label in ticks) else 46), axes[0])
        sheet.write_text(-42, height / 2, axes[1], angle=90)
        for line in series:
            for run in _split_at_gaps(line):
                low, high = ([y(bounds[side]) for _, bounds in run] for side in (1, 2))
                has_band = [lower != upper for lower, upper in zip(low, high, strict=True)]
                if any(has_band):
                    sheet.axes.fill_between([x(position) for position, _ in run], low, high, where=has_band,
                                            color=sheet.get_line_colour(line.style.is_ink), alpha=0.12, lw=0,
                                            clip_on=False)  # fmt: skip
        for number, line in enumerate(series):
            for run in _split_at_gaps(line):
                values = [y(value) for _, (value, _, _) in run]
                draw_line(sheet, [x(position) for position, _ in run], values, line, f"line-{number}", line.markevery)
        draw_legend(sheet, series, width)

    return Drawing(name, title, draw)


def draw_legend(sheet: Sheet, series: Sequence[Series], width: float) -> None:
    """Draw the names of the lines above the chart, each with a sample, in as many rows as needed."""
    x, row = 0.0, 0
    positions = []
    texts = [sheet.write_text(0, 0, line.name, align="left") for line in series]
    for text in texts:
        entry_width = 42 + sheet.measure_width(text) + 26
        if x and x + entry_width > width:
            x, row = 0.0, row + 1
        positions.append((x, row))
        x += entry_width
    for line, text, (left, number) in zip(series, texts, positions, strict=True):
        y = -22.0 - 20 * (row - number)
        text.set_position((left + 42, y + 4.5))
        markers = [] if line.markevery == [] else [1]
        draw_line(sheet, [left, left + 17, left + 34], [y] * 3, line, "key", markers)


def draw_line(
    sheet: Sheet,
    x: list[float],
    y: list[float],
    line: Series,
    gid: str,
    markevery: int | list[int],
    colour: str | None = None,
    size: float = 1.0,
) -> None:
    """Draw a line with its markers, in its own colour or in `colour`; `size` scales line width and markers."""
    style = line.style
    background = sheet.background
    ink = colour or line.colour or blend(sheet.get_line_colour(style.is_ink), line.opacity, background)
    sheet.axes.plot(
        x, y, color=ink, lw=2 * size, ls=_DASHES[style.dash], marker=_MARKERS[style.marker], clip_on=False,
        ms=_MARKER_SIZES[style.marker] * size, mfc=background if style.is_hollow else ink, mec=ink, mew=1.8 * size,
        gid=gid, markevery=markevery,
    )  # fmt: skip


def _split_at_gaps(line: Series) -> list[list[tuple[float, tuple[float, float, float]]]]:
    """Return the points with their positions, a list for each stretch without a gap."""
    runs: list[list[tuple[float, tuple[float, float, float]]]] = [[]]
    for position, point in zip(line.positions or range(len(line.points)), line.points, strict=True):
        if point is None:
            runs.append([])
        else:
            runs[-1].append((position, point))
    return [run for run in runs if run]
