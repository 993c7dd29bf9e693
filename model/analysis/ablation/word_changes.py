"""Align two translations of one sentence word by word, and find the words that changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.errors.word_alignment import align_words
from model.trace import Trace

END = -1  # the word index that stands for the end of the sentence


@dataclass(frozen=True)
class WordPair:
    """Two aligned words: their indices in the translations before and after a change.

    An index is END for the end of the sentence, None where that translation has no word here.
    """

    word_before: int | None
    word_after: int | None
    is_changed: bool


def align_traces(trace_before: Trace, trace_after: Trace) -> tuple[WordPair, ...]:
    """Align the words of two translations (`model.analysis.errors.word_alignment`); their ends come last.

    A pair is changed if the words differ in more than case, or if one of them is missing.
    """
    words_before, words_after = trace_before.target.words, trace_after.target.words
    pairs = [
        WordPair(i, j, i is None or j is None or words_before[i].casefold() != words_after[j].casefold())
        for i, j in align_words(words_before, words_after, trace_before.target_language)
    ]
    end_indices = [END if trace.is_finished else None for trace in (trace_before, trace_after)]
    if end_indices != [None, None]:
        pairs.append(WordPair(end_indices[0], end_indices[1], None in end_indices))
    return tuple(pairs)


def count_unchanged(pairs: tuple[WordPair, ...]) -> int:
    """Return how many words of the first translation are unchanged. The end does not count."""
    return sum(not pair.is_changed and pair.word_before != END for pair in pairs)


def find_first_change(pairs: tuple[WordPair, ...]) -> WordPair | None:
    """Return the first changed pair, None if there is none."""
    return next((pair for pair in pairs if pair.is_changed), None)


def sum_by_word(trace: Trace, values: tuple[float, ...]) -> dict[int, float]:
    """Sum one value per target token over the tokens of each word; key END for the end of the sentence."""
    sums: dict[int, float] = {}
    for word, value in zip(trace.target.word_of, values, strict=True):
        sums[word] = sums.get(word, 0.0) + value
    return sums


def compute_attention_differences(
    trace_before: Trace, trace_after: Trace, pairs: tuple[WordPair, ...]
) -> list[NDArray[np.float64] | None]:
    """Return, for each pair, the attention row after the change minus the row before it, (source tokens,).

    The rows are of the map that the Traces show first, averaged over the tokens of a word. None for a missing word.
    """
    rows_before, rows_after = _average_rows(trace_before), _average_rows(trace_after)
    return [None if pair.word_before is None or pair.word_after is None
            else rows_after[pair.word_after] - rows_before[pair.word_before] for pair in pairs]  # fmt: skip


def _average_rows(trace: Trace) -> dict[int, NDArray[np.float64]]:
    """Return the mean attention row of each word's tokens, (source tokens,); key END for the end."""
    values, words = trace.get_map().values.astype(np.float64), np.array(trace.target.word_of)
    return {int(word): values[words == word].mean(axis=0) for word in np.unique(words)}
