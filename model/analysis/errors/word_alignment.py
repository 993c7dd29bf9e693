"""Two translations aligned word by word: the cheapest way to write one below the other in columns, with gaps."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from model.text.words import is_content_word, is_word

Columns = tuple[tuple[int | None, int | None], ...]
"""For each column the index of the word of either translation that stands in it, None where there is a gap."""

MIN_PREFIX = 4  # letters that forms of one word have in common, from the beginning
_GAP, _SAME, _FORM, _OTHER, _NEVER = 2, 0, 1, 3, 5  # two gaps cost more than other wording, less than other kinds


def align_words(one: Sequence[str], other: Sequence[str], language: str) -> Columns:
    """The columns of the alignment of two translations' words that costs least (Wagner and Fischer 1974).

    The same word, whatever its case, in both rows costs 0, another form of it 1, a gap 2, another word of the same
    kind (content word, function word, punctuation) 3; words of different kinds are never put together. Every word
    stands in one column, in its order. Of ways that cost the same that one is taken which puts the most same words
    together, of these one with the most of the same case; what is left to choose, the later words are put together.
    """
    rows, width = len(one), len(other)
    above = min(rows, width) + 1  # no way has so many same words: a cost outweighs them all, and one of them all cases
    costs, gap = _costs(one, other, language, above), _GAP * above**2
    steps = np.arange(width + 1) * gap
    least = np.empty((rows + 1, width + 1), dtype=np.int64)
    least[0] = steps
    for row in range(rows):
        below = least[row] + gap
        below[1:] = np.minimum(below[1:], least[row, :-1] + costs[row])
        least[row + 1] = np.minimum.accumulate(below - steps) + steps  # any number of gaps from the left
    columns: list[tuple[int | None, int | None]] = []
    i, j = rows, width
    while i or j:
        if i and j and least[i, j] == least[i - 1, j - 1] + costs[i - 1, j - 1]:
            i, j = i - 1, j - 1
            columns.append((i, j))
        elif i and least[i, j] == least[i - 1, j] + gap:
            i -= 1
            columns.append((i, None))
        else:
            j -= 1
            columns.append((None, j))
    return tuple(reversed(columns))


def match_words(one: Sequence[str], other: Sequence[str], columns: Columns, language: str) -> dict[int, int]:
    """Which word of `other` each word of `one` has as its counterpart: the same word or another form of it.

    The words that `columns` puts together come first, then the same word anywhere, then another form of it anywhere:
    what only stands elsewhere is not lost.
    """
    pairs = {left: right for left, right in columns
             if left is not None and right is not None and is_same_or_form(one[left], other[right], language)}
    free = [right for right in range(len(other)) if right not in set(pairs.values())]
    exact: dict[str, list[int]] = {}
    for right in reversed(free):
        exact.setdefault(other[right].casefold(), []).append(right)
    for left, word in enumerate(one):
        if left not in pairs and exact.get(word.casefold()):
            pairs[left] = exact[word.casefold()].pop()
    free = [right for right in free if right not in set(pairs.values())]
    for left, word in enumerate(one):
        if left not in pairs:
            near = next((right for right in free if is_same_or_form(word, other[right], language)), None)
            if near is not None:
                pairs[left] = near
                free.remove(near)
    return pairs


def is_same_or_form(one: str, other: str, language: str) -> bool:
    """Whether two words are the same, whatever their case, or forms of one content word ("noir" and "noirs"): at least
    four letters and two thirds of the longer one agree from the beginning, accents aside."""
    if one.casefold() == other.casefold():
        return True
    if not (is_content_word(one, language) and is_content_word(other, language)):
        return False
    left, right = strip_accents(one), strip_accents(other)
    agree = 0
    while agree < min(len(left), len(right)) and left[agree] == right[agree]:
        agree += 1
    return agree >= MIN_PREFIX and 3 * agree >= 2 * max(len(left), len(right))


@lru_cache(10_000)
def strip_accents(word: str) -> str:
    """A word in lower case without its accents and signs: what forms of one word are told by."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.casefold()) if letter.isalnum())


def _costs(one: Sequence[str], other: Sequence[str], language: str, above: int) -> NDArray[np.int64]:
    """What it costs to put each word of `one` below each word of `other`, (words of one, words of other), in units of
    `above` squared; the same word takes `above` from it, and 1 more in the same case."""
    unit = above**2
    kinds = [np.array([_kind(word, language) for word in words], dtype=np.int64) for words in (one, other)]
    costs = np.where(kinds[0][:, None] == kinds[1], _OTHER * unit, _NEVER * unit).astype(np.int64)
    beginnings: dict[str, list[int]] = {}
    for column, word in enumerate(other):
        beginnings.setdefault(strip_accents(word)[:MIN_PREFIX], []).append(column)
    for row, word in enumerate(one):
        for column in beginnings.get(strip_accents(word)[:MIN_PREFIX], []):
            if word.casefold() == other[column].casefold():
                costs[row, column] = _SAME * unit - above - (word == other[column])
            elif is_same_or_form(word, other[column], language):
                costs[row, column] = _FORM * unit
    return costs


def _kind(word: str, language: str) -> int:
    return 0 if not is_word(word) else 2 if is_content_word(word, language) else 1
