"""A translation before and after a change, word by word: which words answer each other, which flipped, and how the
rows of attention of words that answer each other differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.errors.word_alignment import align_words
from model.trace import Trace

END = -1  # in the place of a word: the end of the sentence


@dataclass(frozen=True)
class WordPair:
    """A column of two translations written one below the other: the places of their words, END for the end of the
    sentence, None where one of them has nothing there."""

    before: int | None
    after: int | None
    is_changed: bool


def align_traces(before: Trace, after: Trace) -> tuple[WordPair, ...]:
    """The words of two translations of one sentence as columns (`model.analysis.errors.word_alignment`), their ends
    last. A word has flipped where another one, or none, stands in its place; upper and lower case are no difference."""
    one, other = before.target.words, after.target.words
    columns = align_words(one, other, before.target_language)
    pairs = [WordPair(i, j, i is None or j is None or one[i].casefold() != other[j].casefold()) for i, j in columns]
    ends = [END if trace.finished else None for trace in (before, after)]
    if ends != [None, None]:
        pairs.append(WordPair(ends[0], ends[1], None in ends))
    return tuple(pairs)


def count_unchanged(pairs: tuple[WordPair, ...]) -> int:
    """How many words of the translation before stand in the one after too, each in its place; the end is no word."""
    return sum(not pair.is_changed and pair.before != END for pair in pairs)


def find_first_change(pairs: tuple[WordPair, ...]) -> WordPair | None:
    """The column at which two translations first part, None where they do not: another word, one put in or one left
    out; where all words are the same and only one of them ends, the end that the other has not."""
    return next((pair for pair in pairs if pair.is_changed), None)


def sum_by_word(trace: Trace, values: tuple[float, ...]) -> dict[int, float]:
    """The sums over the pieces of each word of a number for each piece of the target; END for the sentence's end."""
    sums: dict[int, float] = {}
    for word, value in zip(trace.target.word_of, values, strict=True):
        sums[word] = sums.get(word, 0.0) + value
    return sums


def attention_difference(before: Trace, after: Trace, pairs: tuple[WordPair, ...]) -> list[NDArray[np.float64] | None]:
    """For each column the row of attention after less that before, (source pieces,), of the map that both traces show
    first: the means over the pieces of its words. None where only one of them has a word."""
    rows = [_word_rows(trace) for trace in (before, after)]
    return [None if pair.before is None or pair.after is None else rows[1][pair.after] - rows[0][pair.before]
            for pair in pairs]  # fmt: skip


def _word_rows(trace: Trace) -> dict[int, NDArray[np.float64]]:
    """The mean row of the pieces of each word, END for those of the end: (source pieces,)."""
    values, words = trace.get_map().values.astype(np.float64), np.array(trace.target.word_of)
    return {int(word): values[words == word].mean(axis=0) for word in np.unique(words)}
