"""Maps of weights that are printed. White paper, light colours.

Each is a drawing for `printing.render`, of the same numbers as the screen and the tables, rounded alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.ui.charts.alignment_grid import AlignmentGrid, ColourScale, format_weight, scale_weight
from pages.ui.charts.printing import INK, Drawing, Sheet, blend

BLUE, AMBER = "#3b6fb6", "#9e6a21"  # the source's and the target's
VIOLET = "#6d4bc3"
_MOST = 2000  # of them; each takes a millisecond, and everybody's files wait for one another
_WRITTEN = 0.1  # weights from here up are written into their cells


def build_alignment_drawing(
    name: str,
    of: AlignmentGrid,
    scale: ColourScale,
    title: str,
    end: str,
    is_paper_style: bool = False,
    model: str = "",
) -> Drawing:
    """A map of weights: a column a source label, a row a target label. `end` stands for the sentences' end; `by` says
    which model looked.

    On the screen's way with weights from 0.1 up written into the cells, labels aslant in the colours of their sides;
    on the `paper`'s with bare cells in a frame, labels upright in ink.
    """

    def draw(sheet: Sheet) -> None:
        _, bottom = _map(sheet, of, scale, end, is_paper_style)
        _legend(sheet, 24.0, bottom + 16, scale)
        sheet.write_text(190, bottom + 25, model, 11, across="left")

    return Drawing(name, title, draw)


@dataclass(frozen=True)
class LabelledGrid:
    """A map of weights among others: its name, and which words of the target (their numbers, -1 for the end) are
    marked."""

    grid: AlignmentGrid
    name: str
    marked_words: frozenset[int] = frozenset()


def build_comparison_drawing(name: str, of: Sequence[LabelledGrid], title: str, end: str) -> Drawing:
    """Maps of weights side by side on the screen's way, each with its name below it; marked words stand out."""

    def draw(sheet: Sheet) -> None:
        left, lowest = 0.0, 0.0
        for one in of:
            left += 8 + max(_wide(sheet, label) for label in one.grid.target.display_labels(end))
            right, bottom = _map(sheet, one.grid, "violet", end, left=left, marked=one.marked_words)
            sheet.write_text((left + right) / 2, bottom + 22, one.name, 15)
            left, lowest = right + 46, max(lowest, bottom)
        _legend(sheet, 24.0, lowest + 40, "violet")

    return Drawing(name, title, draw)


def _wide(sheet: Sheet, label: str) -> float:
    """How wide a label of a map is, in points."""
    text = sheet.write_text(0, 0, label, 14.0)
    width = sheet.measure_width(text)
    text.remove()
    return width


def _map(sheet: Sheet, of: AlignmentGrid, scale: ColourScale, end: str, paper: bool = False, left: float = 0.0,
         marked: frozenset[int] | None = None) -> tuple[float, float]:  # fmt: skip
    """Draw one map, its cells from `left` on; returns where they end on the right and below."""
    source, target = of.source.display_labels(end), of.target.display_labels(end)
    wide, high, gap, size = (24.0, 24.0, 0.0, 14.0) if paper else (34.0, 28.0, 1.5, 14.0)
    right, bottom = left + wide * len(source), high * len(target)
    over, beside = (sheet.ink, sheet.ink) if paper else (BLUE, AMBER)
    weights = of.rounded_values().tolist()
    written = not paper and sum(value >= _WRITTEN for row in weights for value in row) <= _MOST
    _cells(sheet, weights, scale, wide, high, gap, left)
    for column, label in enumerate(source):
        if paper:
            sheet.write_text(left + (column + 0.5) * wide + 5, -6, label, size, over, "left", angle=90)
        else:
            sheet.write_text(left + (column + 0.5) * wide + 2, -8, label, size, over, "left", angle=45)
    for row, label in enumerate(target):
        plain = marked is not None and of.target.word_of[row] not in marked
        sheet.write_text(
            left - 8, (row + 0.5) * high + 5, label, size, sheet.line_colour(False) if plain else beside, "right"
        )
        for column, value in enumerate(weights[row]):
            if written and value >= _WRITTEN:
                dark = value < 0.45 if scale == "grey" else scale_weight(value, scale) >= 0.75
                sheet.write_text(left + (column + 0.5) * wide - 0.8, (row + 0.5) * high + 3.5,
                                 format_weight(value), 10.5, "#ffffff" if dark else INK)  # fmt: skip
    if paper:
        sheet.axes.plot([left, right, right, left, left], [0, 0, bottom, bottom, 0], color=sheet.ink, lw=1,
                        clip_on=False)  # fmt: skip
    return right, bottom


def _cells(sheet: Sheet, weights: list[list[float]], scale: ColourScale, wide: float, high: float, gap: float,
           left: float) -> None:  # fmt: skip
    places = [(left + column * wide, row * high) for row, values in enumerate(weights) for column in range(len(values))]
    fills = [choose_cell_colour(value, scale) for values in weights for value in values]
    sheet.fill_boxes(places, wide - gap, high - gap, fills, touching=not gap, gid="weights")


def choose_cell_colour(value: float, scale: ColourScale) -> str:
    """The colour of a cell: from black to white on "grey", else the deeper a violet the greater the weight."""
    if scale == "grey":
        return "#" + f"{round(255 * min(1.0, max(0.0, value))):02x}" * 3
    return blend(VIOLET, 0.04 + 0.96 * scale_weight(value, scale), "#ffffff")


def _legend(sheet: Sheet, x: float, y: float, scale: ColourScale) -> None:
    """The scale from 0 to 1, its name before it."""
    places = [(x + 6 * step, y) for step in range(21)]
    sheet.fill_boxes(
        places, 6.2, 9, [choose_cell_colour(step / 20, scale) for step in range(21)], touching=True, gid="scale"
    )
    sheet.axes.plot([x, x + 126.2, x + 126.2, x, x], [y, y, y + 9, y + 9, y], color=sheet.rule, lw=0.6, clip_on=False)
    sheet.write_text(x - 8, y + 9, ("α, √" if scale == "root" else "α") + " 0", 11, across="right")
    sheet.write_text(x + 134, y + 9, "1", 11, across="left")
