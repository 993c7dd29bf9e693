"""Attention maps as drawings for files, of the same rounded numbers as on the screen.

`choose_cell_colour` chooses the colour of a cell. On the screen assets/player/translate/map.js sets `--shade`, and
heatmap.css beside it makes the colour.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.ui.charts.alignment_grid import (
    NUMBER_FROM,
    AlignmentGrid,
    Axis,
    ColourScale,
    format_weight,
    needs_white_text,
    scale_weight,
)
from pages.ui.charts.print_style import AMBER, BLUE, INK, VIOLET, blend
from pages.ui.charts.printing import Drawing

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

_MAX_WRITTEN_WEIGHTS = 2000  # each takes a millisecond, and one file is made at a time


@dataclass(frozen=True)
class MapStyle:
    """Sizes in points: of a cell, between cells, of labels, and before the end of a sentence, which stands apart."""

    width: float = 34.0
    height: float = 28.0
    gap: float = 1.5
    font: float = 14.0
    end_gap: float = 6.0
    has_numbers: bool = True
    is_framed: bool = False


LARGE_STYLE = MapStyle()
SMALL_STYLE = MapStyle(14.0, 12.0, 0.7, 7.5, 3.0, has_numbers=False)
FIGURE_3_STYLE = MapStyle(24.0, 24.0, 0.0, 14.0, 0.0, has_numbers=False, is_framed=True)
"""As in the paper's Figure 3."""


def build_alignment_drawing(
    name: str, grid: AlignmentGrid, scale: ColourScale, title: str, end: str, style: MapStyle = LARGE_STYLE,
    model: str = "", caption: str = "",
) -> Drawing:  # fmt: skip
    """Return an attention map with source labels across and target labels down, above its colour scale.

    Args:
        end: the label for the end of a sentence.
        model: the title of the model, written beside the scale; `caption` below it.
    """

    def draw(sheet: Sheet) -> None:
        right, bottom = draw_map(sheet, grid, scale, end, style)
        draw_scale(sheet, bottom + 16, scale)
        sheet.write_text(190, bottom + 25, model, 11, align="left")
        write_caption(sheet, caption, bottom + 48, right)

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
        for labelled_grid in maps:
            grid = labelled_grid.grid
            left += measure_label_width(sheet, grid.target, end, LARGE_STYLE)
            rows = [row for row, word in enumerate(grid.target.word_of) if word in labelled_grid.marked_words]
            right, bottom = draw_map(sheet, grid, "violet", end, left=left, marked_rows=rows)
            sheet.write_text((left + right) / 2, bottom + 22, labelled_grid.name, 15)
            left, lowest = right + 46, max(lowest, bottom)
        draw_scale(sheet, lowest + 40, "violet")

    return Drawing(name, title, draw)


def measure_label_width(sheet: Sheet, axis: Axis, end: str, style: MapStyle) -> float:
    """Return the width of the widest label and the space beside it."""
    texts = [sheet.write_text(0, 0, label, style.font) for label in axis.list_display_labels(end)]
    width = max(map(sheet.measure_width, texts))
    for text in texts:
        text.remove()
    return width + 8


def draw_map(sheet: Sheet, grid: AlignmentGrid, scale: ColourScale, end: str, style: MapStyle = LARGE_STYLE,
             left: float = 0.0, top: float = 0.0,
             marked_rows: Collection[int] | None = None) -> tuple[float, float]:  # fmt: skip
    """Draw one map with its cells from `left` and `top` on; return their right and lower ends.

    `marked_rows`: the rows whose labels are in colour, None for all.
    """
    *columns, right = _place_labels(grid.source, style.width, style.end_gap, left)
    *rows, bottom = _place_labels(grid.target, style.height, style.end_gap, top)
    source_colour, target_colour = (sheet.ink, sheet.ink) if style.is_framed else (BLUE, AMBER)
    weights = grid.get_rounded_values().tolist()
    numbers = sum(value >= NUMBER_FROM for row in weights for value in row) if style.has_numbers else 0
    sheet.fill_boxes(
        [(x, y) for y in rows for x in columns], style.width - style.gap, style.height - style.gap,
        [choose_cell_colour(value, scale) for values in weights for value in values],
        is_touching=not style.gap, gid="weights",
    )  # fmt: skip
    rise, angle = (6, 90) if style.is_framed else (style.font * 0.6, 45)
    for x, label in zip(columns, grid.source.list_display_labels(end), strict=True):
        shift = style.font * (0.36 if style.is_framed else 0.15)
        sheet.write_text(x + style.width / 2 + shift, top - rise, label, style.font, source_colour, "left", angle)
    for row, (y, label) in enumerate(zip(rows, grid.target.list_display_labels(end), strict=True)):
        is_marked = marked_rows is None or row in marked_rows
        colour = target_colour if is_marked else sheet.get_line_colour(False)
        sheet.write_text(left - 8, y + style.height / 2 + style.font * 0.36, label, style.font, colour, "right")
        for x, value in zip(columns, weights[row], strict=True):
            if 0 < numbers <= _MAX_WRITTEN_WEIGHTS and value >= NUMBER_FROM:
                sheet.write_text(x + style.width / 2 - 0.8, y + style.height / 2 + 3.5, format_weight(value), 10.5,
                                 "#ffffff" if needs_white_text(value, scale) else INK)  # fmt: skip
    if style.is_framed:
        sheet.axes.plot([left, right, right, left, left], [top, top, bottom, bottom, top], color=sheet.ink, lw=1,
                        clip_on=False)  # fmt: skip
    return right, bottom


def _place_labels(axis: Axis, size: float, end_gap: float, start: float) -> list[float]:
    """Return where each row or column starts, and where the last one ends."""
    places = [start]
    for position in range(len(axis.labels)):
        places.append(places[-1] + size + (end_gap if axis.has_gap_after(position) else 0.0))
    return places


def choose_cell_colour(value: float, scale: ColourScale) -> str:
    """Return the colour of a cell as "#rrggbb": black to white on the scale "grey", else white to violet."""
    if scale == "grey":
        return "#" + f"{round(255 * min(1.0, max(0.0, value))):02x}" * 3
    return blend(VIOLET, 0.04 + 0.96 * scale_weight(value, scale), "#ffffff")


def draw_scale(sheet: Sheet, y: float, scale: ColourScale) -> None:
    """Draw the colour scale from 0 to 1 with its name."""
    x = 24.0
    corners = [(x + 6 * step, y) for step in range(21)]
    colours = [choose_cell_colour(step / 20, scale) for step in range(21)]
    sheet.fill_boxes(corners, 6.2, 9, colours, is_touching=True, gid="scale")
    sheet.axes.plot([x, x + 126.2, x + 126.2, x, x], [y, y, y + 9, y + 9, y], color=sheet.rule, lw=0.6, clip_on=False)
    sheet.write_text(x - 8, y + 9, ("α, √" if scale == "root" else "α") + " 0", 11, align="right")
    sheet.write_text(x + 134, y + 9, "1", 11, align="left")


def write_caption(sheet: Sheet, caption: str, top: float, width: float) -> None:
    """Write a caption in lines of about `width`, from the baseline `top` on."""
    if caption:
        sheet.write_paragraph(0.0, top, caption, 11, max(width, 300.0))
