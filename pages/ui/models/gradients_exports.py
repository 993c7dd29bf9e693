"""Gradients by distance as a printed picture and as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pages.ui.charts.curves import LineStyle
from pages.ui.charts.print_curves import Series, draw_legend, draw_line
from pages.ui.charts.print_maps import VIOLET
from pages.ui.charts.printing import Drawing, Sheet
from pages.ui.csv_table import Cell, csv_table
from pages.ui.i18n.messages import Messages
from pages.ui.models.gradients_types import GradientsData, GradientsModel

WIDE, HIGH = 640.0, 330.0
MARKS = 16  # markers of a line at most
TICKS = 8  # of an axis at most


def build_gradients_drawing(name: str, data: GradientsData, t: Messages) -> Drawing:
    """The curves of what was chosen, a line a model that is drawn, upward by powers of ten, and what they say."""
    shown = [(model, model["curves"][data["written"]]) for model in data["models"]
             if not model["quiet"] and data["written"] < len(model["curves"])]  # fmt: skip
    looks = [curve["look"] for _, curve in shown if curve["look"]]
    title = data["told"][data["written"]]

    def draw(sheet: Sheet) -> None:
        every = [*(curve["values"] for _, curve in shown), *looks]
        marks = choose_ticks([value for values in every for value in values if value > 0])
        last = max([1, *(len(values) - 1 for values in every)])
        low, high = math.log10(marks[0]), math.log10(marks[-1])

        def up(value: float) -> float:
            return HIGH * (high - math.log10(value)) / (high - low)

        def points(values: Sequence[float]) -> tuple[list[float], list[float]]:
            there = [(WIDE * place / last, up(value)) for place, value in enumerate(values) if value > 0]
            return [x for x, _ in there], [y for _, y in there]

        for mark in marks:
            sheet.axes.plot([0, WIDE], [up(mark)] * 2, color=sheet.rule, lw=1, clip_on=False)
            sheet.write_text(-8, up(mark) + 4.5, f"{mark:g}", across="right")
        for place in range(0, last + 1, max(1, math.ceil(last / TICKS))):
            sheet.write_text(WIDE * place / last, HIGH + 20, str(place))
        sheet.write_text(WIDE / 2, HIGH + 46, t("gradients.across"))
        sheet.write_text(-58, HIGH / 2, t("gradients.upward"), angle=90)
        roads = t("gradients.curves") if looks else t("gradients.curves_blind")
        sheet.write_text(WIDE / 2, HIGH + 68, roads, size=11, faint=0.7)
        lines = [_series(model) for model, _ in shown]
        for line, (_, curve) in zip(lines, shown, strict=True):
            apart = max(1, math.ceil(len(curve["values"]) / MARKS))
            if curve["look"]:
                draw_line(sheet, *points(curve["look"]), line, "look", apart, VIOLET, 0.7)
            draw_line(sheet, *points(curve["values"]), line, "curve", apart)
        draw_legend(sheet, lines, WIDE)

    return Drawing(name, title, draw)


def choose_ticks(values: Sequence[float]) -> list[float]:
    """Marks that hold all these values: powers of ten, over two of them or less those of 1, 2 and 5 times a power (in
    the browser: `scale` of assets/player/family/decay.js)."""
    least, most = (min(values), max(values)) if values else (1.0, 1.0)
    low = math.floor(math.log10(least))
    high = max(math.ceil(math.log10(most)), low + 1)
    if high - low > 2:
        step = math.ceil((high - low) / TICKS)
        return [10.0**power for power in range(low, high + step, step)]
    marks = [digit * 10.0**power for power in range(low, high) for digit in (1, 2, 5)] + [10.0**high]
    first = max(place for place, mark in enumerate(marks) if mark <= least)
    last = next(place for place, mark in enumerate(marks) if mark >= most and place > first)
    return marks[first : last + 1]


def _series(model: GradientsModel) -> Series:
    dash = "dash" if model["dashed"] else "solid"
    return Series(model["title"], LineStyle(not model["dashed"], dash, model["marker"], model["hollow"]), ())


def to_csv(data: GradientsData) -> str:
    """All curves, a line a model, a written word (0: everything) and a distance."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        for model in data["models"]:
            words = ["", *(word.strip() for _, word in model["words"])]
            for place, (word, curve) in enumerate(zip(words, model["curves"], strict=False)):
                for far, (piece, value) in enumerate(zip(model["pieces"], curve["values"], strict=True)):
                    alone = None if curve["look"] is None else curve["look"][far]
                    yield model["title"], place, word, far, piece, value, alone

    return csv_table(("model", "written", "word", "distance", "piece", "gradient", "by the look alone"), rows())


def gates_to_csv(data: GradientsData) -> str:
    """All gates, a line a gate and a place."""
    rows = ((model["title"], table["side"], row["label"], number, place, value)
            for model in data["models"] for table in model["gates"] for row in table["rows"]
            for number, (place, value) in enumerate(zip(table["places"], row["values"], strict=True), 1))  # fmt: skip
    return csv_table(("model", "side", "gate", "place", "piece", "mean over the units"), rows)
