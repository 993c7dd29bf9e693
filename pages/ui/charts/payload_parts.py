"""Parts of payloads that the components of several pages share."""

import hashlib
import math
from collections.abc import Container, Iterable, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from model.analysis.errors.differences import TranslationErrors
from model.analysis.metrics.length_curve import LengthBin
from model.networks.registry import Marker
from model.text.politeness import TAGS
from model.trace import UNK_PIECE, Side, Trace
from pages.ui.charts.curves import get_line_style
from pages.ui.i18n.typography import format_pieces, typeset

MIN_WEIGHT = 0.02  # smaller weights are not sent
OPEN_BIN_OFFSET = 5  # words from the start of the last, open bin to its point

ErrorMark = Literal["", "addition", "repetition", "substitution"]
"""How a word of a translation is marked: added, repeated, or aligned with a different word of the other translation."""

AttendedWords = list[list[tuple[int, float]]]
"""For each target word the attended source positions, -1 for the end, with their weights."""


class LineStyleData(TypedDict):
    """How the line of a model is drawn: dashed or not, and its marker."""

    is_dashed: bool
    is_hollow: bool
    marker: Marker


class LengthPoint(TypedDict):
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
    return [round_values(row, digits) for row in values]


def round_values(values: Iterable[float], digits: int) -> list[float]:
    """Return numbers with this many decimals."""
    return [round(float(value), digits) for value in values]


def round_probability(log_probability: float, digits: int) -> float:
    """Return the probability with this many decimals."""
    return round(math.exp(min(0.0, log_probability)), digits)


def make_short_id(value: object) -> str:
    """Return a short id of a value, from its `repr`."""
    return hashlib.sha256(repr(value).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def build_line_style(model: str) -> LineStyleData:
    """Return how the line of a model is drawn."""
    style = get_line_style(model)
    return {"is_dashed": not style.is_ink, "is_hollow": style.is_hollow, "marker": style.marker}


def mark_errors(errors: TranslationErrors, substitutions: Container[int | None] = ()) -> list[ErrorMark]:
    """Return a mark for each word of a translation. `substitutions`: words that are aligned with a different word of
    the other translation."""
    marks: list[ErrorMark] = ["substitution" if word in substitutions else "" for word in range(len(errors.words))]
    for word in errors.additions:
        marks[word] = "addition"
    for word in errors.repetitions:
        marks[word] = "repetition"
    return marks


def round_significant(values: Iterable[Iterable[float]]) -> list[list[float]]:
    """Return rows of numbers, each with four significant digits."""
    return [[float(f"{value:.4g}") for value in row] for row in values]


def count_tag_words(side: Side) -> int:
    """Return 1 if a source begins with the tag of a style, which is no word of the sentence, else 0."""
    return int(side.words[:1] in [(tag,) for tag in TAGS.values()])


def build_word_labels(side: Side, language: str, end: str = "") -> list[str]:
    """Return the words of a side as printed; the end of the sentence is added if `end` is not empty."""
    words = [word.strip() for _, word in typeset(side, language)]
    return [*words, end] if end else words


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


def build_curve_points(bins: Iterable[LengthBin]) -> list[LengthPoint]:
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
