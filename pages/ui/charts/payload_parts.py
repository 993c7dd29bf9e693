"""Parts of payloads that the components of several pages share."""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from model.analysis.metrics.length_curve import LengthBin
from model.trace import UNK_PIECE, Side, Trace
from pages.ui.i18n.typography import format_pieces, typeset

MIN_WEIGHT = 0.02  # smaller weights are not sent
OPEN_BIN_OFFSET = 5  # words from the start of the last, open bin to its point

AttendedWords = list[list[tuple[int, float]]]
"""For each target word the attended source positions, -1 for the end, with their weights."""


class CurvePoint(TypedDict):
    """A bin of sentence lengths: the position of its point (words), BLEU, the number of sentences, and the fewest and
    most words (None: open)."""

    words: float
    bleu: float
    sentences: int
    first: int
    last: int | None


class TokenPiece(TypedDict):
    """A piece for the screen, its word (-1: the end), whether it continues the word, and whether it is UNK to the
    model."""

    text: str
    word: int
    continues_word: bool
    is_unknown: bool


def round_rows(values: Iterable[Iterable[float]], digits: int) -> list[list[float]]:
    """Return rows of numbers with this many decimals."""
    return [[round(float(value), digits) for value in row] for row in values]


def round_significant(values: Iterable[Iterable[float]]) -> list[list[float]]:
    """Return rows of numbers, each with four significant digits."""
    return [[float(f"{value:.4g}") for value in row] for row in values]


def build_word_labels(side: Side, language: str, count: int, end: str) -> list[str]:
    """Return the words of a side as printed; `end` is added if `count` is one more."""
    words = [word.strip() for _, word in typeset(side, language)]
    return words if count == len(words) else [*words, end]


def build_pieces(side: Side, end: str) -> list[TokenPiece]:
    """Return the pieces of a side; `end`: the text of the end of the sentence."""
    texts = format_pieces(side, end)
    return [
        {"text": text, "word": word, "continues_word": word >= 0 and word in side.word_of[:position],
         "is_unknown": side.pieces[position] == UNK_PIECE}
        for position, (text, word) in enumerate(zip(texts, side.word_of, strict=True))
    ]  # fmt: skip


def find_attended_words(trace: Trace, places: Sequence[int]) -> AttendedWords | None:
    """Return the attended source words of each target word; None without attention.

    `places` gives the number to send for each source word.
    """
    if not trace.has_attention:
        return None
    rows = trace.compute_word_map_with_end()[: len(trace.target.words)]
    columns = [*places, -1]
    return [
        [(columns[column], round(float(row[column]), 6)) for column in (row >= MIN_WEIGHT).nonzero()[0]] for row in rows
    ]


def build_curve_points(bins: Iterable[LengthBin]) -> list[CurvePoint]:
    """Return a point for every bin that has a score."""
    return [
        {
            "words": length_bin.first + OPEN_BIN_OFFSET
            if length_bin.last is None
            else (length_bin.first + length_bin.last) / 2,
            "bleu": length_bin.bleu,  # not rounded, so that it is rounded only once
            "sentences": length_bin.sentences,
            "first": length_bin.first,
            "last": length_bin.last,
        }
        for length_bin in bins
        if length_bin.bleu is not None
    ]


def scale_to_unit_range(values: NDArray[np.float32], reference: NDArray[np.float32]) -> list[Any]:
    """Map values linearly so that the range of `reference` becomes 0 to 1, and clip them."""
    low, high = float(reference.min()), float(reference.max())
    scaled: list[Any] = np.clip((values - low) / ((high - low) or 1.0), 0, 1).round(3).astype(float).tolist()
    return scaled
