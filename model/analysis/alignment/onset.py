"""Alignment being born: when, in a model's diary, the diagonal of a probe appears, and when it begins to turn round.

Of a probe pair the diary holds alpha, its target given, at every moment. It is read over words here, and two things are
asked of each moment; each *is there from* the first moment on at which, and at every later one, the answer is yes:

- the *diagonal*: the target words give their most-looked-at source word SURE of their attention on the average, and
  these places rise with the target (correlation of at least RISING);
- the *turning*: of some two neighbouring target words, each of which gives one source word LOOKS of its attention, the
  second one looks at an earlier word than the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.text.languages import ANY_LANGUAGE
from model.text.words import split_words
from model.trace import END_PIECE, WORD_START
from model.training.diary_record import DiaryRecord, unpack_alpha, validate_probes

MIN_MEAN_MAXIMUM = 0.4
MIN_CORRELATION = 0.8
MIN_WEIGHT = 0.5

_UNKNOWN = "<unk>"  # the piece for what a vocabulary of words does not have
_BYTE = re.compile("<0x[0-9A-F]{2}>")  # a piece for one byte of a character

Rows = NDArray[np.float64]
"""Weights over words, (target words, source words and, where there is one, the end)."""


@dataclass(frozen=True)
class AlignmentOnset:
    """A probe's alpha over words at every moment, and from which moment on (from 0) its diagonal and its turning are
    there; None where they never are."""

    rows: tuple[Rows, ...]
    diagonal: int | None
    reordering: int | None


def find_onsets(diary: DiaryRecord, languages: tuple[str, str]) -> tuple[AlignmentOnset, ...]:
    """Of every probe of a diary; () of a model without attention. Raises DiaryError where its moments do not fit the
    probes."""
    validate_probes(diary)
    if not diary.moments or not diary.moments[0].alpha:
        return ()
    found = []
    for place, probe in enumerate(diary.probes):
        sides = ((probe.target, probe.target_pieces, languages[1]), (probe.source, probe.source_pieces, languages[0]))
        target, source = (word_index_of_pieces(text, pieces, language) for text, pieces, language in sides)
        words = len(split_words(probe.target, languages[1])), len(split_words(probe.source, languages[0]))
        rows = tuple(
            pool_to_words(unpack_alpha(moment.alpha[place], len(target), len(source)), target, source, words)
            for moment in diary.moments
        )
        bare = [one[:, : words[1]] for one in rows]
        found.append(
            AlignmentOnset(rows, find_lasting_onset(bare, is_diagonal), find_lasting_onset(bare, is_reordered))
        )
    return tuple(found)


def word_index_of_pieces(text: str, pieces: Sequence[str], language: str) -> list[int]:
    """For each piece of a text the number of the word that it begins in, -1 for the end of the sentence."""
    spans = split_words(text, language)
    found, position, spelt = [], 0, 0  # spelt: bytes of the character at `position`
    for place, piece in enumerate(pieces):
        if piece == END_PIECE:
            found.append(-1)
            continue
        while position < len(text) and text[position].isspace():
            position += 1
        found.append(max((word for word, (start, _) in enumerate(spans) if start <= position), default=0))
        if piece == _UNKNOWN:
            position = _known_again(text, position, pieces[place + 1]) if place + 1 < len(pieces) else len(text)
        elif _BYTE.fullmatch(piece):
            spelt += 1
            if spelt >= len(text[position : position + 1].encode()):
                position, spelt = position + 1, 0
        else:
            position += len(piece.removeprefix(WORD_START))
    return found


def _known_again(text: str, position: int, piece: str) -> int:
    """Where the piece that comes after an unknown one stands. An unknown one is a run of words, of any number, that the
    vocabulary does not have: the piece is the first word after `position` that is its own."""
    word, apart = piece.removeprefix(WORD_START), piece.startswith(WORD_START)
    return next((start for start, end in split_words(text, ANY_LANGUAGE)
                 if start > position and text[start:end] == word and text[start - 1].isspace() == apart), len(text))


def pool_to_words(
    alpha: NDArray[np.float32], target: Sequence[int], source: Sequence[int], words: tuple[int, int]
) -> Rows:
    """Weights over pieces (target, source) as weights over so many `words` of target and source: the mean over a target
    word's pieces, the sum over a source word's; the target's end is left out, the source's is the last column. Words
    that one piece reaches over have its row, and of its column all but the first have nothing."""
    rows, columns = np.array(target), np.where(np.array(source) < 0, words[1], np.array(source))
    summed = np.stack([alpha[:, columns == word].sum(axis=1) for word in range(columns.max() + 1)], axis=1)
    begun = [max(other for other in target if other <= word) for word in range(words[0])]
    found: Rows = np.stack([summed[rows == word].mean(axis=0) for word in begun]).astype(np.float64)
    return found


def is_diagonal(rows: Rows) -> bool:
    """Whether the looks are sure and rise with the target; `rows` without the end."""
    most = rows.argmax(axis=1)
    if len(rows) < 2 or rows.max(axis=1).mean() < MIN_MEAN_MAXIMUM or np.ptp(most) == 0:
        return False
    return bool(np.corrcoef(most, np.arange(len(most)))[0, 1] >= MIN_CORRELATION)


def is_reordered(rows: Rows) -> bool:
    """Whether some two neighbouring words look, each surely, at places that fall; `rows` without the end."""
    most, sure = rows.argmax(axis=1), rows.max(axis=1) >= MIN_WEIGHT
    return bool(((most[1:] < most[:-1]) & sure[1:] & sure[:-1]).any())


def find_lasting_onset(moments: Iterable[Rows], holds: Callable[[Rows], bool]) -> int | None:
    """The first moment from which on it holds at all of them; None where it does not hold at the last."""
    first = None
    for place, rows in enumerate(moments):
        if not holds(rows):
            first = None
        elif first is None:
            first = place
    return first
