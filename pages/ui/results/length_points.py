"""The points of a length curve, as components draw it."""

from collections.abc import Iterable
from typing import TypedDict

from model.analysis.metrics.length_curve import Bin

BEYOND = 5  # words past the beginning of the last, open bin at which its point is drawn


class CurvePoint(TypedDict):
    """A bin of sentences by length: where its point is drawn (words), its BLEU, how many sentences, and their fewest
    and most words (None: open)."""

    words: float
    bleu: float
    sentences: int
    first: int
    last: int | None


def build_curve_points(bins: Iterable[Bin]) -> list[CurvePoint]:
    """A point for every bin that has a score."""
    return [
        {
            "words": one.first + BEYOND if one.last is None else (one.first + one.last) / 2,
            "bleu": one.bleu,  # whole, so that it is rounded once, where it is shown
            "sentences": one.sentences,
            "first": one.first,
            "last": one.last,
        }
        for one in bins
        if one.bleu is not None
    ]
