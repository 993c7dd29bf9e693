"""One sentence by several models, or one step of one model, as drawings for files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from pages.ui.charts import print_maps
from pages.ui.charts.alignment_grid import AlignmentGrid
from pages.ui.charts.print_maps import MapStyle
from pages.ui.charts.print_style import AMBER, BLUE
from pages.ui.charts.print_texts import PrintedWord, draw_words
from pages.ui.charts.printing import Drawing

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

_MIN_WIDTH = 300.0  # points, of a model's column
_COLUMN_GAP = 40.0
_ROW_GAP = 34.0
_CANDIDATE_HEIGHT, _BAR_WIDTH = 19.0, 120.0


@dataclass(frozen=True)
class PrintedModel:
    """A model's title, its facts, the words of its translation, and its attention map, None without attention."""

    title: str
    facts: str
    words: Sequence[PrintedWord]
    grid: AlignmentGrid | None


def build_models_drawing(
    name: str, source: Sequence[PrintedWord], models: Sequence[PrintedModel], title: str, end: str, caption: str,
    columns: int, style: MapStyle,
) -> Drawing:  # fmt: skip
    """Return the sentence above its translations, `columns` side by side, each with its map below."""

    def draw(sheet: Sheet) -> None:
        rows = [models[start : start + columns] for start in range(0, len(models), columns)]
        margins = [_measure_margin(sheet, row, end, style) for row in rows]
        widths = [[_measure_width(model, margin, style) for model in row]
                  for row, margin in zip(rows, margins, strict=True)]  # fmt: skip
        right = max(sum(row) + _COLUMN_GAP * (len(row) - 1) for row in widths)
        top = draw_words(sheet, source, 0.0, 0.0, right, 16, BLUE) + 34
        for row, margin, row_widths in zip(rows, margins, widths, strict=True):
            top = _draw_row(sheet, row, row_widths, margin, top) + _ROW_GAP
        if any(model.grid for model in models):
            print_maps.draw_scale(sheet, top - 10, "violet")
        print_maps.write_caption(sheet, caption, top + 22, right)

    def _draw_row(
        sheet: Sheet, row: Sequence[PrintedModel], widths: Sequence[float], margin: float, top: float
    ) -> float:
        lefts = [sum(widths[:place]) + _COLUMN_GAP * place for place in range(len(row))]
        last_baselines = []
        for model, left, width in zip(row, lefts, widths, strict=True):
            sheet.write_text(left, top, model.title, 13, align="left").set_fontweight("bold")
            facts_bottom = sheet.write_paragraph(left, top + 16, model.facts, 10, width)
            last_baselines.append(draw_words(sheet, model.words, left, facts_bottom + 22, width, 14))
        bottom = max(last_baselines)
        map_top = bottom + 14 + margin
        for model, left in zip(row, lefts, strict=True):
            if model.grid is not None:
                first = left + print_maps.measure_label_width(sheet, model.grid.target, end, style)
                bottom = max(bottom, print_maps.draw_map(sheet, model.grid, "violet", end, style, first, map_top)[1])
        return bottom

    return Drawing(name, title, draw)


def _measure_margin(sheet: Sheet, row: Sequence[PrintedModel], end: str, style: MapStyle) -> float:
    """Return the height of the slanted source labels above a row of maps."""
    widths = [print_maps.measure_label_width(sheet, model.grid.source, end, style) for model in row if model.grid]
    return max(widths, default=0.0) / sqrt(2) + style.font


def _measure_width(model: PrintedModel, margin: float, style: MapStyle) -> float:
    """Return the width of a model's column: its map with labels on both sides, at least _MIN_WIDTH."""
    cells = len(model.grid.source.labels) * style.width + 2 * style.end_gap if model.grid else 0.0
    return max(_MIN_WIDTH, cells + 2 * margin)


@dataclass(frozen=True)
class PrintedCandidate:
    """One of the most likely tokens of a step, its probability, and whether it was written."""

    label: str
    probability: float
    is_written: bool


def build_step_drawing(
    name: str, grid: AlignmentGrid | None, words: Sequence[PrintedWord], candidates: Sequence[PrintedCandidate],
    heading: str, title: str, end: str, caption: str,
) -> Drawing:  # fmt: skip
    """Return the translation up to a step with its rows of α, the last one in colour, beside the step's candidates."""

    def draw(sheet: Sheet) -> None:
        right, bottom = 0.0, 0.0
        if grid is None:
            bottom = draw_words(sheet, words, 0.0, 0.0, 420.0, 16)
            right = 420.0
        else:
            last = frozenset((len(grid.target.labels) - 1,))
            right, bottom = print_maps.draw_map(sheet, grid, "violet", end, marked_rows=last)
        left = right + 120
        sheet.write_text(left, 0, heading, 13, align="left")
        for place, candidate in enumerate(candidates):
            y = 22 + place * _CANDIDATE_HEIGHT
            colour = AMBER if candidate.is_written else sheet.get_line_colour(False)
            text = sheet.write_text(left - 8, y, candidate.label, 13, colour if candidate.is_written else sheet.ink,
                                    "right")  # fmt: skip
            if candidate.is_written:
                text.set_fontweight("bold")
            sheet.fill_boxes([(left, y - 10)], max(0.5, _BAR_WIDTH * candidate.probability), 11, [colour], False, "bar")
            sheet.write_text(left + _BAR_WIDTH * candidate.probability + 6, y, f"{candidate.probability:.2f}", 11,
                             align="left")  # fmt: skip
        bottom = max(bottom, 22 + len(candidates) * _CANDIDATE_HEIGHT)
        if grid is not None:
            print_maps.draw_scale(sheet, bottom + 16, "violet")
        print_maps.write_caption(sheet, caption, bottom + 48, left + _BAR_WIDTH)

    return Drawing(name, title, draw)
