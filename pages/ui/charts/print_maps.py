"""Attention maps as drawings for files, of the same rounded numbers as on the screen.

`choose_cell_colour` chooses the colour of a cell. On the screen assets/player/translate/map.js sets `--shade`, and
heatmap.css beside it makes the colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.ui.charts.alignment_grid import AlignmentGrid, ColourScale, format_weight, scale_weight
from pages.ui.charts.print_style import INK, blend
from pages.ui.charts.printing import Drawing

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

BLUE, AMBER, VIOLET = "#3b6fb6", "#9e6a21", "#6d4bc3"  # source, target and attention
_MIN_LABELLED_WEIGHT = 0.1  # larger weights are written into their cells
_MAX_LABELS = 2000  # each takes a millisecond, and one file is made at a time


def build_alignment_drawing(
    name: str,
    grid: AlignmentGrid,
    scale: ColourScale,
    title: str,
    end: str,
    is_paper_style: bool = False,
    model: str = "",
) -> Drawing:
    """Return an attention map with source labels across and target labels down.

    Args:
        end: the label for the end of a sentence.
        is_paper_style: as in the paper's Figure 3, without weights in the cells, in a frame.
        model: the title of the model, written below.
    """

    def draw(sheet: Sheet) -> None:
        _, bottom = _draw_map(sheet, grid, scale, end, is_paper_style)
        _draw_scale(sheet, 24.0, bottom + 16, scale)
        sheet.write_text(190, bottom + 25, model, 11, across="left")

    return Drawing(name, title, draw)


@dataclass(frozen=True)
class LabelledGrid:
    """One of several attention maps: its name, and the target words to mark (-1 for the end)."""

    grid: AlignmentGrid
    name: str
    marked_words: frozenset[int] = frozenset()


def build_comparison_drawing(name: str, maps: Sequence[LabelledGrid], title: str, end: str) -> Drawing:
    """Return attention maps side by side, each with its name below and its marked words in colour."""

    def draw(sheet: Sheet) -> None:
        left, lowest = 0.0, 0.0
        for labelled in maps:
            left += 8 + max(_measure_label(sheet, label) for label in labelled.grid.target.display_labels(end))
            right, bottom = _draw_map(
                sheet, labelled.grid, "violet", end, left=left, marked_words=labelled.marked_words
            )
            sheet.write_text((left + right) / 2, bottom + 22, labelled.name, 15)
            left, lowest = right + 46, max(lowest, bottom)
        _draw_scale(sheet, 24.0, lowest + 40, "violet")

    return Drawing(name, title, draw)


def _measure_label(sheet: Sheet, label: str) -> float:
    """Return the width of a label in points."""
    text = sheet.write_text(0, 0, label, 14.0)
    width = sheet.measure_width(text)
    text.remove()
    return width


def _draw_map(sheet: Sheet, grid: AlignmentGrid, scale: ColourScale, end: str, is_paper_style: bool = False,
              left: float = 0.0, marked_words: frozenset[int] | None = None) -> tuple[float, float]:  # fmt: skip
    """Draw one map with its cells from `left` on; return their right and lower ends."""
    source, target = grid.source.display_labels(end), grid.target.display_labels(end)
    width, height, gap, size = (24.0, 24.0, 0.0, 14.0) if is_paper_style else (34.0, 28.0, 1.5, 14.0)
    right, bottom = left + width * len(source), height * len(target)
    source_colour, target_colour = (sheet.ink, sheet.ink) if is_paper_style else (BLUE, AMBER)
    weights = grid.rounded_values().tolist()
    has_numbers = (
        not is_paper_style and sum(value >= _MIN_LABELLED_WEIGHT for row in weights for value in row) <= _MAX_LABELS
    )
    _draw_cells(sheet, weights, scale, width, height, gap, left)
    for column, label in enumerate(source):
        if is_paper_style:
            sheet.write_text(left + (column + 0.5) * width + 5, -6, label, size, source_colour, "left", angle=90)
        else:
            sheet.write_text(left + (column + 0.5) * width + 2, -8, label, size, source_colour, "left", angle=45)
    for row, label in enumerate(target):
        is_unmarked = marked_words is not None and grid.target.word_of[row] not in marked_words
        colour = sheet.line_colour(False) if is_unmarked else target_colour
        sheet.write_text(left - 8, (row + 0.5) * height + 5, label, size, colour, "right")
        for column, value in enumerate(weights[row]):
            if has_numbers and value >= _MIN_LABELLED_WEIGHT:
                is_dark = value < 0.45 if scale == "grey" else scale_weight(value, scale) >= 0.75
                sheet.write_text(left + (column + 0.5) * width - 0.8, (row + 0.5) * height + 3.5,
                                 format_weight(value), 10.5, "#ffffff" if is_dark else INK)  # fmt: skip
    if is_paper_style:
        sheet.axes.plot([left, right, right, left, left], [0, 0, bottom, bottom, 0], color=sheet.ink, lw=1,
                        clip_on=False)  # fmt: skip
    return right, bottom


def _draw_cells(sheet: Sheet, weights: list[list[float]], scale: ColourScale, width: float, height: float,
                gap: float, left: float) -> None:  # fmt: skip
    corners = [
        (left + column * width, row * height) for row, values in enumerate(weights) for column in range(len(values))
    ]
    colours = [choose_cell_colour(value, scale) for values in weights for value in values]
    sheet.fill_boxes(corners, width - gap, height - gap, colours, is_touching=not gap, gid="weights")


def choose_cell_colour(value: float, scale: ColourScale) -> str:
    """Return the colour of a cell as "#rrggbb": black to white on the scale "grey", else white to violet."""
    if scale == "grey":
        return "#" + f"{round(255 * min(1.0, max(0.0, value))):02x}" * 3
    return blend(VIOLET, 0.04 + 0.96 * scale_weight(value, scale), "#ffffff")


def _draw_scale(sheet: Sheet, x: float, y: float, scale: ColourScale) -> None:
    """Draw the colour scale from 0 to 1 with its name."""
    corners = [(x + 6 * step, y) for step in range(21)]
    colours = [choose_cell_colour(step / 20, scale) for step in range(21)]
    sheet.fill_boxes(corners, 6.2, 9, colours, is_touching=True, gid="scale")
    sheet.axes.plot([x, x + 126.2, x + 126.2, x, x], [y, y, y + 9, y + 9, y], color=sheet.rule, lw=0.6, clip_on=False)
    sheet.write_text(x - 8, y + 9, ("α, √" if scale == "root" else "α") + " 0", 11, across="right")
    sheet.write_text(x + 134, y + 9, "1", 11, across="left")
