"""What of a sentence's translation is there already when only its first words have been read: the sentence is cut after
each of its words, and each beginning translated as if it were all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from model.decoding import Settings, Stopped, search
from model.decoding.translate import Model, prepare, trace
from model.text.normalise import Normalised
from model.text.symbols import split_symbols
from model.text.words import split_words
from model.trace import Trace

MAX_PREFIXES = 60  # beginnings that are translated: of a longer sentence so many, evenly spaced


@dataclass(frozen=True)
class PrefixTranslations:
    """`words`: those of the sentence; `after`: after how many of them it was cut, rising, the last time after all;
    `traces`: what is written of each beginning, the last one the translation of the whole."""

    words: tuple[str, ...]
    prefix_lengths: tuple[int, ...]
    traces: tuple[Trace, ...]

    @property
    def full_trace(self) -> Trace:
        return self.traces[-1]

    @cached_property
    def words_present(self) -> tuple[tuple[bool, ...], ...]:
        """For each cut, which words of the whole translation stand in what is written of the beginning."""
        return tuple(_kept(self.full_trace, one) for one in self.traces)

    @cached_property
    def stable_from(self) -> tuple[int, ...]:
        """For each word of the whole translation after how many source words it is there to stay."""
        return tuple(
            next(
                after
                for at, after in enumerate(self.prefix_lengths)
                if all(row[word] for row in self.words_present[at:])
            )
            for word in range(len(self.full_trace.target.words))
        )


def _kept(whole: Trace, part: Trace) -> tuple[bool, ...]:
    there = longest_common_subsequence(
        [word.casefold() for word in whole.target.words], [word.casefold() for word in part.target.words]
    )
    return tuple(word in there for word in range(len(whole.target.words)))


def longest_common_subsequence(whole: Sequence[str], part: Sequence[str]) -> set[int]:
    """The places in `whole` of a longest sequence of words that both have in the same order; of several such the one
    that ends first, and so on backwards, as a beginning does: a word that stands twice in the whole is found at its
    first place."""
    longest = [[0] * (len(part) + 1) for _ in range(len(whole) + 1)]
    for above, row, word in zip(longest, longest[1:], whole, strict=False):
        for j, other in enumerate(part, 1):
            row[j] = above[j - 1] + 1 if word == other else max(above[j], row[j - 1])
    found: set[int] = set()
    i, j = len(whole), len(part)
    while i and j:
        if longest[i - 1][j] == longest[i][j]:
            i -= 1
        elif whole[i - 1] == part[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        else:
            j -= 1
    return found


def choose_prefix_lengths(words: int) -> tuple[int, ...]:
    """After how many words a sentence of so many is cut: after each, or MOST times."""
    count = min(words, MAX_PREFIXES)
    return tuple(-(-words * number // count) for number in range(1, count + 1))


def translate_prefixes(
    model: Model, text: Normalised, settings: Settings, stopped: Stopped | None = None
) -> PrefixTranslations:
    """The beginnings of a sentence, all decoded in one batch. Raises SentenceError for a sentence that cannot be
    translated, SearchStopped once `stopped` says so."""
    prepare(model, text)  # an empty sentence, or one too long, is told before it is cut
    bare, _ = split_symbols(text, model.vocabulary)
    spans = split_words(bare, model.languages[0])
    after = choose_prefix_lengths(len(spans))
    beginnings = [Normalised(bare[: spans[count - 1][1]]) for count in after[:-1]] + [text]
    sentences = [prepare(model, one) for one in beginnings]
    found = search(model.network, [one.ids for one in sentences], settings, stopped=stopped)
    traces = tuple(trace(model, one, hypotheses[0], settings)
                   for one, hypotheses in zip(sentences, found, strict=True))
    return PrefixTranslations(tuple(bare[start:end] for start, end in spans), after, traces)
