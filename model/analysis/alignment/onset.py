"""When alignment emerges in training: the first moment from which a probe's attention is diagonal, or reorders words.

A training diary holds, at every moment, alpha of probe pairs under forced decoding. It is pooled to words here, and two
properties are tested. The *onset* of a property is the first moment from which it holds to the end.

- *diagonal*: the largest weights of the target words average MIN_MEAN_MAXIMUM or more, and their source positions
  correlate with the target positions by MIN_CORRELATION or more. A target word that attends most to the end of the
  sentence, as the first word does in Luong's network, has no source position;
- *reordering*: of some two neighbouring target words, each with a source word of weight MIN_WEIGHT or more, the second
  attends to an earlier word.
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

_UNKNOWN = "<unk>"  # the token for words that a word vocabulary does not have
_BYTE = re.compile("<0x[0-9A-F]{2}>")  # a token for one byte of a character

Rows = NDArray[np.float64]
"""Weights over words, (target words, source words + 1): the last column is the end of the sentence."""


@dataclass(frozen=True)
class AlignmentOnset:
    """A probe's attention over words at every moment, and the onsets of its properties.

    Attributes:
        rows: alpha over words at each moment.
        diagonal: the index of the first moment of a lasting diagonal, None if there is none.
        reordering: the same for reordering.
    """

    rows: tuple[Rows, ...]
    diagonal: int | None
    reordering: int | None


def find_onsets(diary: DiaryRecord, languages: tuple[str, str]) -> tuple[AlignmentOnset, ...]:
    """Return the onsets of every probe of a diary, () for a model without attention.

    Raises DiaryError for moments that do not fit the probes.
    """
    validate_probes(diary)
    if not diary.moments or not diary.moments[0].alpha:
        return ()
    onsets = []
    for index, probe in enumerate(diary.probes):
        sides = ((probe.target, probe.target_pieces, languages[1]), (probe.source, probe.source_pieces, languages[0]))
        target, source = (find_word_of_tokens(text, pieces, language) for text, pieces, language in sides)
        words = len(split_words(probe.target, languages[1])), len(split_words(probe.source, languages[0]))
        rows = tuple(
            pool_to_words(unpack_alpha(moment.alpha[index], len(target), len(source)), target, source, words)
            for moment in diary.moments
        )
        diagonal, reordering = (find_lasting_onset(rows, test) for test in (is_diagonal, is_reordered))
        onsets.append(AlignmentOnset(rows, diagonal, reordering))
    return tuple(onsets)


def find_word_of_tokens(text: str, tokens: Sequence[str], language: str) -> list[int]:
    """Return, for each token of a text, the index of the word that it begins in, -1 for the end of the sentence."""
    spans = split_words(text, language)
    words, position, bytes_read = [], 0, 0  # bytes_read of the character at `position`
    for index, token in enumerate(tokens):
        if token == END_PIECE:
            words.append(-1)
            continue
        while position < len(text) and text[position].isspace():
            position += 1
        words.append(max((word for word, (start, _) in enumerate(spans) if start <= position), default=0))
        if token == _UNKNOWN:
            position = _find_next_known(text, position, tokens[index + 1]) if index + 1 < len(tokens) else len(text)
        elif _BYTE.fullmatch(token):
            bytes_read += 1
            if bytes_read >= len(text[position : position + 1].encode()):
                position, bytes_read = position + 1, 0
        else:
            position += len(token.removeprefix(WORD_START))
    return words


def _find_next_known(text: str, position: int, token: str) -> int:
    """Return where the token after an unknown one stands.

    An unknown token covers a run of one or more words that the vocabulary does not have. `token` is the first word
    after `position` that it does have.
    """
    word, after_space = token.removeprefix(WORD_START), token.startswith(WORD_START)
    starts = (start for start, end in split_words(text, ANY_LANGUAGE)
              if start > position and text[start:end] == word and text[start - 1].isspace() == after_space)  # fmt: skip
    return next(starts, len(text))


def pool_to_words(
    alpha: NDArray[np.float32], target: Sequence[int], source: Sequence[int], words: tuple[int, int]
) -> Rows:
    """Pool weights of tokens (target, source) to `words` (target, source): mean over target, sum over source.

    `target` and `source` give the word of each token. The target's end is dropped, the source's end is the last column.
    A token that covers several words gives its row to each of them, and its column to the first one.
    """
    rows, columns = np.array(target), np.where(np.array(source) < 0, words[1], np.array(source))
    summed = np.stack([alpha[:, columns == word].sum(axis=1) for word in range(words[1] + 1)], axis=1)
    owners = [max(owner for owner in target if owner <= word) for word in range(words[0])]
    pooled: Rows = np.stack([summed[rows == word].mean(axis=0) for word in owners]).astype(np.float64)
    return pooled


def is_diagonal(rows: Rows) -> bool:
    """Return whether the attention to source words is sharp and its maxima rise with the target."""
    words, end = rows[:, :-1], rows[:, -1]
    maxima = words.max(axis=1)
    if len(rows) < 2 or maxima.mean() < MIN_MEAN_MAXIMUM:
        return False
    (targets,) = np.nonzero(maxima >= end)  # the others attend most to the end
    sources = words[targets].argmax(axis=1)
    if len(targets) < 2 or np.ptp(sources) == 0:
        return False
    return bool(np.corrcoef(sources, targets)[0, 1] >= MIN_CORRELATION)


def is_reordered(rows: Rows) -> bool:
    """Return whether two neighbouring words attend sharply to falling positions."""
    words = rows[:, :-1]
    maxima, is_sharp = words.argmax(axis=1), words.max(axis=1) >= MIN_WEIGHT
    return bool(((maxima[1:] < maxima[:-1]) & is_sharp[1:] & is_sharp[:-1]).any())


def find_lasting_onset(moments: Iterable[Rows], predicate: Callable[[Rows], bool]) -> int | None:
    """Return the index of the first moment from which a property holds to the end, None if it fails at the last."""
    first = None
    for index, rows in enumerate(moments):
        if not predicate(rows):
            first = None
        elif first is None:
            first = index
    return first
