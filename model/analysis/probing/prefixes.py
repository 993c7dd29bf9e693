"""Translate every prefix of a sentence, to see which words of the translation are there before the end is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from model.decoding import Settings, StopCallback, search
from model.decoding.translate import TranslationModel, build_trace, prepare_source
from model.text.normalise import NormalisedText
from model.text.politeness import TAGS
from model.text.symbols import split_symbols
from model.trace import Trace

MAX_PREFIXES = 60  # of a longer sentence, this many evenly spaced prefixes


@dataclass(frozen=True)
class PrefixTranslations:
    """The translations of a sentence's prefixes.

    Attributes:
        words: the words of the sentence.
        prefix_lengths: the length of each prefix in words, rising; the last one is the whole sentence.
        traces: the translation of each prefix.
    """

    words: tuple[str, ...]
    prefix_lengths: tuple[int, ...]
    traces: tuple[Trace, ...]

    @property
    def full_trace(self) -> Trace:
        """The translation of the whole sentence."""
        return self.traces[-1]

    @cached_property
    def words_present(self) -> tuple[tuple[bool, ...], ...]:
        """For each prefix, which words of the full translation its translation has."""
        return tuple(_find_words(self.full_trace, trace) for trace in self.traces)

    @cached_property
    def stable_from(self) -> tuple[int, ...]:
        """For each word of the full translation, the prefix length from which on it is always present."""
        return tuple(
            next(length for index, length in enumerate(self.prefix_lengths)
                 if all(present[word] for present in self.words_present[index:]))
            for word in range(len(self.full_trace.target.words))
        )  # fmt: skip


def _find_words(full_trace: Trace, prefix_trace: Trace) -> tuple[bool, ...]:
    full_words, prefix_words = ([word.casefold() for word in trace.target.words]
                                for trace in (full_trace, prefix_trace))
    common = find_longest_common_subsequence(full_words, prefix_words)
    return tuple(word in common for word in range(len(full_words)))


def find_longest_common_subsequence(full_words: Sequence[str], prefix_words: Sequence[str]) -> set[int]:
    """Return the indices in `full_words` of a longest common subsequence.

    Of several, the one whose last index is smallest, then its last but one, and so on: `prefix_words` translate a
    prefix, so that a repeated word is matched at its first occurrence.
    """
    lengths = [[0] * (len(prefix_words) + 1) for _ in range(len(full_words) + 1)]
    for previous_row, row, word in zip(lengths, lengths[1:], full_words, strict=False):
        for j, prefix_word in enumerate(prefix_words, 1):
            row[j] = previous_row[j - 1] + 1 if word == prefix_word else max(previous_row[j], row[j - 1])
    indices: set[int] = set()
    i, j = len(full_words), len(prefix_words)
    while i and j:
        if lengths[i - 1][j] == lengths[i][j]:
            i -= 1
        elif full_words[i - 1] == prefix_words[j - 1]:
            i, j = i - 1, j - 1
            indices.add(i)
        else:
            j -= 1
    return indices


def choose_prefix_lengths(words: int) -> tuple[int, ...]:
    """Return the prefix lengths of a sentence with so many words: all, or MAX_PREFIXES evenly spaced ones."""
    count = min(words, MAX_PREFIXES)
    return tuple(-(-words * number // count) for number in range(1, count + 1))


def translate_prefixes(
    model: TranslationModel, text: NormalisedText, settings: Settings, should_stop: StopCallback | None = None
) -> PrefixTranslations:
    """Translate the prefixes of a sentence in one batch. No prefix is a style tag alone.

    A prefix that would copy a sign which the sentence reads ("I ❤" of "I ❤ you.") is left out.
    Raises SentenceError for a sentence that cannot be translated, SearchStopped once `should_stop` returns true.
    """
    sentence = prepare_source(model, text)
    words = sentence.side.words
    bare_text, _ = split_symbols(text, model.vocabulary)
    word_ends = _find_word_ends(bare_text, words)
    first = 2 if words[0] in TAGS.values() else 1
    prefixes = {length: prepare_source(model, NormalisedText(bare_text[: word_ends[length - 1]]))
                for length in choose_prefix_lengths(len(words)) if length in range(first, len(words))}  # fmt: skip
    prefixes = {length: prefix for length, prefix in prefixes.items() if not prefix.side.symbols}
    sentences = [*prefixes.values(), sentence]
    results = search(model.network, [source.ids for source in sentences], settings, should_stop=should_stop)
    traces = tuple(build_trace(model, source, hypotheses[0], settings)
                   for source, hypotheses in zip(sentences, results, strict=True))
    return PrefixTranslations(words, (*prefixes, len(words)), traces)


def _find_word_ends(text: str, words: Sequence[str]) -> list[int]:
    word_ends, position = [], 0
    for word in words:
        position = text.index(word, position) + len(word)
        word_ends.append(position)
    return word_ends
