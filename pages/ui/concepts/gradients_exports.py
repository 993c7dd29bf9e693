"""Gradients by distance as a drawing for files and as CSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pages.ui.charts.curves import LineStyle
from pages.ui.charts.print_curves import Series, draw_legend, draw_line
from pages.ui.charts.print_style import VIOLET
from pages.ui.charts.printing import Drawing
from pages.ui.concepts.gradients_payload_types import GradientsData, GradientsModel
from pages.ui.csv_table import Cell, build_csv
from pages.ui.i18n.messages import Messages

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

WIDTH, HEIGHT = 640.0, 330.0
MAX_MARKERS = 16  # per line
MAX_TICKS = 8  # per axis


def build_gradients_drawing(name: str, data: GradientsData, t: Messages) -> Drawing:
    """Return a drawing of the visible curves of the chosen word, on a logarithmic vertical axis."""
    visible = [(model, model["curves"][data["selected_word"]]) for model in data["models"]
               if not model["is_hidden"] and data["selected_word"] < len(model["curves"])]  # fmt: skip
    direct = [curve["direct"] for _, curve in visible if curve["direct"]]

    def draw(sheet: Sheet) -> None:
        all_values = [*(curve["values"] for _, curve in visible), *direct]
        ticks = choose_ticks([value for values in all_values for value in values if value > 0])
        last = max([1, *(len(values) - 1 for values in all_values)])
        low, high = math.log10(ticks[0]), math.log10(ticks[-1])

        def y(value: float) -> float:
            return HEIGHT * (high - math.log10(value)) / (high - low)

        def points(values: Sequence[float]) -> tuple[list[float], list[float]]:
            positive = [(distance, value) for distance, value in enumerate(values) if value > 0]
            return [WIDTH * distance / last for distance, _ in positive], [y(value) for _, value in positive]

        for tick in ticks:
            sheet.axes.plot([0, WIDTH], [y(tick)] * 2, color=sheet.rule, lw=1, clip_on=False)
            sheet.write_text(-8, y(tick) + 4.5, f"{tick:g}", align="right")
        for distance in range(0, last + 1, max(1, math.ceil(last / MAX_TICKS))):
            sheet.write_text(WIDTH * distance / last, HEIGHT + 20, str(distance))
        sheet.write_text(WIDTH / 2, HEIGHT + 46, t("gradients.across"))
        sheet.write_text(-58, HEIGHT / 2, t("gradients.upward"), angle=90)
        caption = t("gradients.curves") if direct else t("gradients.curves_blind")
        sheet.write_text(WIDTH / 2, HEIGHT + 68, caption, size=11, opacity=0.7)
        lines = [_build_series(model) for model, _ in visible]
        for line, (_, curve) in zip(lines, visible, strict=True):
            markevery = max(1, math.ceil(len(curve["values"]) / MAX_MARKERS))
            if curve["direct"]:
                draw_line(sheet, *points(curve["direct"]), line, "look", markevery, VIOLET, 0.7)
            draw_line(sheet, *points(curve["values"]), line, "curve", markevery)
        violet = Series(t("gradients.look"), LineStyle(True, "solid", "circle", False), (), markevery=[], colour=VIOLET)
        draw_legend(sheet, [*lines, *([violet] if direct else [])], WIDTH)

    return Drawing(name, data["descriptions"][data["selected_word"]], draw)


def choose_ticks(values: Sequence[float]) -> list[float]:
    """Return ticks around all values: powers of ten, or 1, 2 and 5 times a power for up to two powers.

    The browser does the same with `chooseTicks` of assets/player/concepts/gradients_plot.js.
    """
    min_value, max_value = (min(values), max(values)) if values else (1.0, 1.0)
    low = math.floor(math.log10(min_value))
    high = max(math.ceil(math.log10(max_value)), low + 1)
    if high - low > 2:
        step = math.ceil((high - low) / MAX_TICKS)
        return [10.0**power for power in range(low, high + step, step)]
    ticks = [digit * 10.0**power for power in range(low, high) for digit in (1, 2, 5)] + [10.0**high]
    first = max(index for index, tick in enumerate(ticks) if tick <= min_value)
    last = next(index for index, tick in enumerate(ticks) if tick >= max_value and index > first)
    return ticks[first : last + 1]


def _build_series(model: GradientsModel) -> Series:
    dash = "dash" if model["is_dashed"] else "solid"
    return Series(model["title"], LineStyle(not model["is_dashed"], dash, model["marker"], model["is_hollow"]), ())


def to_csv(data: GradientsData) -> str:
    """Return all curves as CSV: a row per model, target word (0: the whole translation) and distance."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        for model in data["models"]:
            words = ["", *(word.strip() for _, word in model["words"])]
            for index, (word, curve) in enumerate(zip(words, model["curves"], strict=False)):
                for distance, (token, value) in enumerate(zip(model["tokens"], curve["values"], strict=True)):
                    direct = None if curve["direct"] is None else curve["direct"][distance]
                    yield model["title"], index, word, distance, token, value, direct

    columns = ("model", "word number", "word", "distance", "token", "gradient", "gradient through attention only")
    return build_csv(columns, rows())


def build_gates_csv(data: GradientsData) -> str:
    """Return all gates as CSV: a row per gate and position."""
    rows = ((model["title"], table["side"], row["label"], number, piece, value)
            for model in data["models"] for table in model["gates"] for row in table["rows"]
            for number, (piece, value) in enumerate(zip(table["tokens"], row["values"], strict=True), 1))  # fmt: skip
    return build_csv(("model", "side", "gate", "position", "token", "mean over the units"), rows)
