"""Attention weights over words or pieces, as they are drawn and saved."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.trace import END_PIECE, Side, Trace, group_positions_by_word
from pages.ui.csv_table import build_csv

Unit = Literal["words", "pieces"]
ColourScale = Literal["violet", "grey", "root"]
UNITS: tuple[Unit, ...] = get_args(Unit)
COLOUR_SCALES: tuple[ColourScale, ...] = get_args(ColourScale)

NUMBER_FROM = 0.3
"""The weight from which a cell shows its number, on the screen (assets/player/translate/map.js) and in files."""

FIXED_POINT_ONE = 1_000_000  # a weight of 1 as it is sent; a coarser scale could change the second digit shown


@dataclass(frozen=True)
class Axis:
    """One side of the grid.

    Attributes:
        labels: words or pieces; the end of the sentence, if it is on the axis, is END_PIECE.
        word_of: the word that each label belongs to, -1 for the end and other special tokens.
    """

    labels: tuple[str, ...]
    word_of: tuple[int, ...]

    def is_end(self, position: int) -> bool:
        """Return whether the label is the end of the sentence. A first END_PIECE is a start token of the same name."""
        is_special = self.word_of[position] == -1 and self.labels[position] == END_PIECE
        return is_special and (position > 0 or len(self.labels) == 1)

    def has_gap_after(self, position: int) -> bool:
        """Return whether the end of the sentence stands apart after this label: it is this one or the next."""
        is_last = position == len(self.labels) - 1
        return not is_last and (self.is_end(position) or self.is_end(position + 1))

    def crop(self, limit: int) -> "Axis":
        """Return the first `limit` labels."""
        return Axis(self.labels[:limit], self.word_of[:limit])

    def list_display_labels(self, end: str) -> list[str]:
        """Return the labels, with `end` for the end of the sentence."""
        return [end if self.is_end(position) else label for position, label in enumerate(self.labels)]


@dataclass(frozen=True)
class AlignmentGrid:
    """Attention weights `values`, (target labels, source labels), and a log-probability for each target label."""

    target: Axis
    source: Axis
    values: np.ndarray
    log_probs: tuple[float, ...]

    def to_fixed_point(self) -> NDArray[np.int64]:
        """Return the weights as integers, in units of 1 / FIXED_POINT_ONE, as they are sent to the browser."""
        return to_fixed_point(self.values)

    def get_rounded_values(self) -> NDArray[np.float64]:
        """Return the weights as the browser gets them, so that all pictures and files round the same numbers."""
        return self.to_fixed_point() / FIXED_POINT_ONE

    def crop(self, rows: int, columns: int | None = None) -> "AlignmentGrid":
        """Return the first `rows` and `columns`; None: all columns."""
        source = self.source if columns is None else self.source.crop(columns)
        return AlignmentGrid(self.target.crop(rows), source, self.values[:rows, :columns], self.log_probs[:rows])


def to_fixed_point(values: np.ndarray) -> NDArray[np.int64]:
    """Return weights as integers, in units of 1 / FIXED_POINT_ONE, as they are sent to the browser."""
    return np.rint(values.astype(np.float64) * FIXED_POINT_ONE).astype(np.int64)


def build_grid(trace: Trace, unit: Unit) -> AlignmentGrid:
    """Return the displayed attention map of `trace` over `unit`.

    The ends of both sentences and other special tokens keep their rows and columns.
    """
    target, source = build_axis(trace.target, unit), build_axis(trace.source, unit)
    if unit == "pieces":
        log_probs = tuple(step.log_probability for step in trace.steps)
        return AlignmentGrid(target, source, trace.get_map().values, log_probs)
    steps = np.array([step.log_probability for step in trace.steps])
    log_probs = tuple(float(steps[list(positions)].sum()) for positions in group_positions_by_word(trace.target))
    return AlignmentGrid(target, source, trace.compute_word_map_in_order(), log_probs)


def build_axis(side: Side, unit: Unit) -> Axis:
    """Return the labels of one side over `unit`. A token of no word has its own label, UNK that of its word."""
    if unit == "pieces":
        return Axis(tuple(map(side.get_written_piece, range(len(side.pieces)))), side.word_of)
    firsts = [positions[0] for positions in group_positions_by_word(side)]
    words = tuple(side.word_of[first] for first in firsts)
    labels = (side.pieces[first] if word == -1 else side.words[word] for first, word in zip(firsts, words, strict=True))
    return Axis(tuple(labels), words)


def find_most_attended_words(trace: Trace) -> tuple[int, ...]:
    """Return the most attended source word for each target word, -1 for the end of the sentence."""
    strongest = trace.compute_word_map_with_end()[: len(trace.target.words)].argmax(axis=1)
    return tuple(int(word) if word < len(trace.source.words) else -1 for word in strongest)


def scale_weight(value: float, scale: ColourScale) -> float:
    """Return the colour intensity of a weight, from 0 to 1: the weight, or its square root on the scale "root".

    Weights of imported maps above 1 are drawn as 1. In the browser: `shadeOf` of assets/player/translate/map.js.
    """
    value = min(1.0, max(0.0, value))
    return sqrt(value) if scale == "root" else value


def needs_white_text(value: float, scale: ColourScale) -> bool:
    """Return whether the number in a cell of this weight is white."""
    return value < 0.45 if scale == "grey" else scale_weight(value, scale) >= 0.75


def to_csv(grid: AlignmentGrid) -> str:
    """Return the grid as CSV, a row per target label, in full (float32) precision."""
    rows = ((label, *row) for label, row in zip(grid.target.labels, grid.values, strict=True))
    return build_csv(("", *grid.source.labels), rows)


def to_long_csv(translations: Sequence[tuple[str, Trace]]) -> str:
    """Return the weights over words of several models as CSV, a row for each pair of labels; without attention, for
    each target label."""
    rows: list[tuple[str | int | float, ...]] = []
    for model, trace in translations:
        if not trace.has_attention:
            axis = build_axis(trace.target, "words")
            rows += [(model, number, label, "", "", "") for number, label in enumerate(axis.labels, 1)]
            continue
        grid = build_grid(trace, "words")
        rows += [
            (model, row, target, column, source, grid.values[row - 1, column - 1])
            for row, target in enumerate(grid.target.labels, 1)
            for column, source in enumerate(grid.source.labels, 1)
        ]
    return build_csv(("model", "row", "target", "column", "source", "weight"), rows)


def format_weight(value: float) -> str:
    """Format a weight with two digits for a cell: ".96", and "1" from 0.995; of an imported map also "1.6".

    In the browser: `formatCell` of assets/player/shared/format.js.
    """
    if value >= 1.05:
        return f"{value:.1f}"
    return "1" if value >= 0.995 else f"{value:.2f}"[1:]
