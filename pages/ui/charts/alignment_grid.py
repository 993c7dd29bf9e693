"""The grid of a map of weights that is drawn, as a pure function of a Trace, and the same grid as CSV."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.trace import END_PIECE, Side, Trace, group_positions_by_word
from pages.ui.csv_table import csv_table

Unit = Literal["words", "pieces"]
ColourScale = Literal["violet", "grey", "root"]
UNITS: tuple[Unit, ...] = get_args(Unit)
COLOUR_SCALES: tuple[ColourScale, ...] = get_args(ColourScale)

FIXED_POINT_ONE = (
    1_000_000  # of 1: with fewer, a weight rounded twice could show another second digit than one rounded once
)


@dataclass(frozen=True)
class Axis:
    """One side of the grid. Positions are indices: words that are repeated stay apart.

    `labels` are canonical words or raw pieces; the sentence's end, where it is part of the axis, is END_PIECE.
    `word_of` gives the word each label belongs to, -1 for the end and for other special tokens, as imported files have.
    """

    labels: tuple[str, ...]
    word_of: tuple[int, ...]

    def is_end(self, position: int) -> bool:
        """Say whether the label there is the sentence's end; what stands first is a start token of the same name."""
        is_special = self.word_of[position] == -1 and self.labels[position] == END_PIECE
        return is_special and (position > 0 or len(self.labels) == 1)

    def display_labels(self, end: str) -> list[str]:
        """The labels with `end` in the place of the end piece."""
        return [end if self.is_end(position) else label for position, label in enumerate(self.labels)]


@dataclass(frozen=True)
class AlignmentGrid:
    """α over words or pieces: `values` is (target labels, source labels), read-only, each row the weights of one
    target label; `log_probabilities` has one natural logarithm for each target label."""

    target: Axis
    source: Axis
    values: np.ndarray
    log_probs: tuple[float, ...]

    def to_fixed_point(self) -> NDArray[np.int64]:
        """The weights as they travel to whatever draws them: whole numbers of PARTS, (target labels, source labels)."""
        return np.rint(self.values.astype(np.float64) * FIXED_POINT_ONE).astype(np.int64)

    def rounded_values(self) -> NDArray[np.float64]:
        """The weights as everything that draws them knows them: from the same numbers they are rounded alike."""
        return self.to_fixed_point() / FIXED_POINT_ONE

    def crop(self, limit: int) -> "AlignmentGrid":
        """The first `limit` rows and columns at most."""
        return AlignmentGrid(
            Axis(self.target.labels[:limit], self.target.word_of[:limit]),
            Axis(self.source.labels[:limit], self.source.word_of[:limit]),
            self.values[:limit, :limit],
            self.log_probs[:limit],
        )


def build_grid(trace: Trace, unit: Unit, key: str | None = None) -> AlignmentGrid:
    """The weight map `key` of `trace`, or the one that is shown first, over `unit`; the ends of both sentences, and
    other special tokens, keep rows and columns of their own."""
    target, source = build_axis(trace.target, unit), build_axis(trace.source, unit)
    if unit == "pieces":
        logs = tuple(step.log_probability for step in trace.steps)
        return AlignmentGrid(target, source, trace.get_map(key).values, logs)
    steps = np.array([step.log_probability for step in trace.steps])
    logs = tuple(float(steps[list(positions)].sum()) for positions in group_positions_by_word(trace.target))
    return AlignmentGrid(target, source, trace.compute_word_map_in_order(key), logs)


def build_axis(side: Side, unit: Unit) -> Axis:
    """One side over `unit`, in its order; what belongs to no word is a label of its own."""
    if unit == "pieces":
        return Axis(side.pieces, side.word_of)
    firsts = [positions[0] for positions in group_positions_by_word(side)]
    words = tuple(side.word_of[first] for first in firsts)
    labels = (side.pieces[first] if word == -1 else side.words[word] for first, word in zip(firsts, words, strict=True))
    return Axis(tuple(labels), words)


def find_most_attended_words(trace: Trace, key: str | None = None) -> tuple[int, ...]:
    """For each target word the number of the source word it looked at most, -1 where that was the sentence's end."""
    strongest = trace.compute_word_map_with_end(key)[: len(trace.target.words)].argmax(axis=1)
    return tuple(int(word) if word < len(trace.source.words) else -1 for word in strongest)


def scale_weight(value: float, scale: ColourScale) -> float:
    """How far from empty to full a cell of weight `value` (0 to 1) is drawn: `value`, or its square root on "root"
    (in the browser: `shaded` of assets/player/translate/map.js)."""
    return sqrt(value) if scale == "root" else value


def to_csv(grid: AlignmentGrid) -> str:
    """The grid as CSV: one line a target label, one column a source label, weights in full (float32) precision.
    Safe to open in a spreadsheet."""
    rows = ((label, *row) for label, row in zip(grid.target.labels, grid.values, strict=True))
    return csv_table(("", *grid.source.labels), rows)


def format_weight(value: float) -> str:
    """A weight in two digits as the cells show it: ".96", "1" from 0.995 up."""
    return "1" if value >= 0.995 else f"{value:.2f}"[1:]
