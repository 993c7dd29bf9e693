"""Align two translations word by word, as the cheapest way to write them in columns with gaps."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from model.text.words import is_content_word, is_word

Columns = tuple[tuple[int | None, int | None], ...]
"""For each column the index of the word of either translation, None for a gap."""

MIN_PREFIX = 4  # letters that forms of one word share
# Two gaps cost more than another word, less than a word of another kind.
_SAME_WORD_COST, _FORM_COST, _GAP_COST, _OTHER_WORD_COST, _OTHER_KIND_COST = 0, 1, 2, 3, 5


def align_words(first: Sequence[str], second: Sequence[str], language: str) -> Columns:
    """Return the cheapest alignment of two translations' words (Wagner and Fischer 1974).

    The same word, ignoring case, costs 0, a form of it 1, a gap 2, another word of the same kind (content word,
    function word, punctuation) 3. Words of different kinds are never aligned. Ties are broken by the number of same
    words, then of same case, then by aligning later words.
    """
    rows, width = len(first), len(second)
    tie_base = min(rows, width) + 1  # more than any count of same words, so that cost decides first
    costs, gap_cost = _compute_costs(first, second, language, tie_base), _GAP_COST * tie_base**2
    steps = np.arange(width + 1) * gap_cost
    cost = np.empty((rows + 1, width + 1), dtype=np.int64)
    cost[0] = steps
    for row in range(rows):
        next_row = cost[row] + gap_cost
        next_row[1:] = np.minimum(next_row[1:], cost[row, :-1] + costs[row])
        cost[row + 1] = np.minimum.accumulate(next_row - steps) + steps  # gaps from the left
    columns: list[tuple[int | None, int | None]] = []
    i, j = rows, width
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + costs[i - 1, j - 1]:
            i, j = i - 1, j - 1
            columns.append((i, j))
        elif i and cost[i, j] == cost[i - 1, j] + gap_cost:
            i -= 1
            columns.append((i, None))
        else:
            j -= 1
            columns.append((None, j))
    return tuple(reversed(columns))


def match_words(first: Sequence[str], second: Sequence[str], columns: Columns, language: str) -> dict[int, int]:
    """Match each word of `first` with the same word or a form of it in `second`.

    Words aligned by `columns` are matched first, then the same word anywhere, then a form of it anywhere.
    """
    pairs = {index: match for index, match in columns
             if index is not None and match is not None and is_same_or_form(first[index], second[match], language)}
    free = [match for match in range(len(second)) if match not in set(pairs.values())]
    exact: dict[str, list[int]] = {}
    for match in reversed(free):
        exact.setdefault(second[match].casefold(), []).append(match)
    for index, word in enumerate(first):
        if index not in pairs and exact.get(word.casefold()):
            pairs[index] = exact[word.casefold()].pop()
    free = [match for match in free if match not in set(pairs.values())]
    for index, word in enumerate(first):
        if index not in pairs:
            form = next((match for match in free if is_same_or_form(word, second[match], language)), None)
            if form is not None:
                pairs[index] = form
                free.remove(form)
    return pairs


def is_same_or_form(first: str, second: str, language: str) -> bool:
    """Return whether two words are the same, ignoring case, or forms of one content word ("noir" and "noirs").

    Forms share a prefix, ignoring accents, of at least four letters and two thirds of the longer word.
    """
    if first.casefold() == second.casefold():
        return True
    if not (is_content_word(first, language) and is_content_word(second, language)):
        return False
    first_letters, second_letters = strip_accents(first), strip_accents(second)
    shorter_length = min(len(first_letters), len(second_letters))
    prefix_length = 0
    while prefix_length < shorter_length and first_letters[prefix_length] == second_letters[prefix_length]:
        prefix_length += 1
    return prefix_length >= MIN_PREFIX and 3 * prefix_length >= 2 * max(len(first_letters), len(second_letters))


@lru_cache(10_000)
def strip_accents(word: str) -> str:
    """Return a word in lower case without accents and punctuation, for comparing forms."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.casefold()) if letter.isalnum())


def _compute_costs(first: Sequence[str], second: Sequence[str], language: str, tie_base: int) -> NDArray[np.int64]:
    """Return the cost of aligning each pair of words, (words of first, words of second), in units of `tie_base`
    squared.

    The same word is cheaper by `tie_base`, and by 1 more in the same case.
    """
    unit = tie_base**2
    kinds = [np.array([_classify_word(word, language) for word in words], dtype=np.int64) for words in (first, second)]
    costs = np.where(kinds[0][:, None] == kinds[1], _OTHER_WORD_COST * unit, _OTHER_KIND_COST * unit).astype(np.int64)
    by_prefix: dict[str, list[int]] = {}
    for column, word in enumerate(second):
        by_prefix.setdefault(strip_accents(word)[:MIN_PREFIX], []).append(column)
    for row, word in enumerate(first):
        for column in by_prefix.get(strip_accents(word)[:MIN_PREFIX], []):
            if word.casefold() == second[column].casefold():
                costs[row, column] = _SAME_WORD_COST * unit - tie_base - (word == second[column])
            elif is_same_or_form(word, second[column], language):
                costs[row, column] = _FORM_COST * unit
    return costs


def _classify_word(word: str, language: str) -> int:
    return 0 if not is_word(word) else 2 if is_content_word(word, language) else 1
