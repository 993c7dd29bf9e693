"""Errors of one translation, and the words in which two translations of one sentence differ.

Only *content words* (`model.text.words`) are marked, by these rules:

- *Counterpart*: two content words, one of either translation, are counterparts if they are the same word, ignoring
  case, or forms of one word: they share a prefix, ignoring accents, of at least four letters and two thirds of the
  longer word. A word has at most one counterpart: of three occurrences against two, the first two have one. Synonyms
  are no counterparts.
- *Repetition*: let n be the highest count of a content word in the source. From its n+1st occurrence on, a content word
  of the translation is a repetition, with the surrounding function words that are the same as before. So is an
  immediately repeated run of function words ("de la de la"), except grammatical doubles such as the French "nous nous".
  UNK is no repetition: each may stand for another word. Nor is a word that translates as many source words ("dit" for
  "said" and "told").
- *Omissions*, *additions* and drift are found for each translation alone, with a lexicon
  (`model.analysis.errors.meaning`). Without a lexicon there are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain
from weakref import WeakKeyDictionary

from model.analysis.errors.meaning import MeaningErrors, WordIndices, find_graded_words, find_meaning_errors
from model.analysis.errors.word_alignment import Columns, align_words, match_words
from model.analysis.lexicon import lexicon
from model.text import languages
from model.text.politeness import TAGS
from model.text.words import is_content_word, is_word
from model.trace import Trace, is_unk

MAX_RUN = 10  # characters of an immediate repetition
MIN_COVERAGE = 0.25  # of a target word's attention
_NO_ERRORS = MeaningErrors((), (), None)


@dataclass(frozen=True)
class TranslationErrors:
    """The errors of one translation. Indices of words are rising.

    Attributes:
        words: the target's words.
        repetitions: indices of repeated target words.
        additions: indices of added target words.
        unmatched: indices of content words without a counterpart in the other translation.
        omissions: indices of omitted source words.
        last_followed: index of the last target word before drift (`model.analysis.errors.meaning`).
        coverage: for each source word the attention from all target words, in words; None without attention.
        covered_words: number of source words, without punctuation and tags of style, that got MIN_COVERAGE of
            attention; None without attention.
        log_probability: in nats.
    """

    words: tuple[str, ...]
    repetitions: WordIndices
    additions: WordIndices
    unmatched: WordIndices
    omissions: WordIndices
    last_followed: int | None
    coverage: tuple[float, ...] | None
    covered_words: int | None
    log_probability: float


@dataclass(frozen=True)
class TranslationComparison:
    """Two translations of one sentence: the errors of each, and `columns`, the alignment of their words
    (`align_words`).
    """

    first: TranslationErrors
    second: TranslationErrors
    columns: Columns


def is_comparable(first: Trace, second: Trace) -> bool:
    """Return whether two Traces have the same source words and the same languages."""
    return first.source.words == second.source.words and first.languages == second.languages


# Pages ask again at every rerun. Weak keys: results live as long as the Traces, which may be large.
_comparisons: WeakKeyDictionary[Trace, WeakKeyDictionary[Trace, TranslationComparison]] = WeakKeyDictionary()
_errors: WeakKeyDictionary[Trace, TranslationErrors] = WeakKeyDictionary()


def compare_translations(first: Trace, second: Trace) -> TranslationComparison:
    """Compare two translations of the same sentence.

    Raises ValueError for Traces that are not comparable (`is_comparable`).
    """
    cached = _comparisons.setdefault(first, WeakKeyDictionary())
    comparison = cached.get(second)
    if comparison is None:
        comparison = cached[second] = _compare(first, second)
    return comparison


def _compare(first: Trace, second: Trace) -> TranslationComparison:
    if not is_comparable(first, second):
        raise ValueError("Only translations of the same sentence into the same language can be compared: got "
                         f"{first.source.text[:60]!r} and {second.source.text[:60]!r}.")
    language = first.target_language
    columns = align_words(first.target.words, second.target.words, language)
    pairs = match_words(first.target.words, second.target.words, columns, language)
    return TranslationComparison(
        _build_errors(first, _find_unmatched(first, pairs)),
        _build_errors(second, _find_unmatched(second, set(pairs.values()))),
        columns,
    )


def find_errors(trace: Trace) -> TranslationErrors:
    """Find the errors of one translation alone; nothing is unmatched."""
    errors = _errors.get(trace)
    if errors is None:
        errors = _errors[trace] = _build_errors(trace, ())
    return errors


def _build_errors(trace: Trace, unmatched: WordIndices) -> TranslationErrors:
    meaning = find_meaning_errors(trace) or _NO_ERRORS
    repetitions = find_repetitions(trace, _find_expected_repetitions(trace))
    coverage = tuple(float(value) for value in trace.compute_word_map().sum(axis=0)) if trace.has_attention else None
    return TranslationErrors(
        trace.target.words,
        repetitions,
        tuple(word for word in meaning.additions if word not in repetitions),
        unmatched,
        meaning.omissions,
        meaning.last_followed,
        coverage,
        None if coverage is None else sum(is_word(word) and word not in TAGS.values() and value >= MIN_COVERAGE
                                          for word, value in zip(trace.source.words, coverage, strict=True)),
        trace.log_probability,
    )


def _find_unmatched(trace: Trace, matched: Container[int]) -> WordIndices:
    """Return the content words without a counterpart; of a repeated word, its last occurrences."""
    occurrences: dict[str, list[int]] = {}
    for word, text in enumerate(trace.target.words):
        if is_content_word(text, trace.target_language):
            occurrences.setdefault(text.casefold(), []).append(word)
    unmatched = (indices[sum(index in matched for index in indices) :] for indices in occurrences.values())
    return tuple(sorted(chain.from_iterable(unmatched)))


def find_repetitions(trace: Trace, expected: Container[int] = ()) -> WordIndices:
    """Return the rising indices of the words that a translation repeats more than its source does, without the
    `expected` content words."""
    return find_repetitions_in_words(
        trace.target.words, trace.source.words, trace.target_language, trace.source_language, expected
    )


def _find_expected_repetitions(trace: Trace) -> set[int]:
    """Return the content words that occur no more often than there are source words they translate.

    An example is "dit" for "said" and "told".
    """
    bilingual_lexicon = lexicon.load_lexicon(*trace.languages)
    if bilingual_lexicon is None:
        return set()
    source_words = [word for word in trace.source.words if is_word(word)]  # "seraient" translates "would be"
    comparatives = find_graded_words(trace.source.words, trace.source_language, bilingual_lexicon)
    comparative_words = languages.get_language(trace.target_language).comparative_words
    counts: Counter[str] = Counter()
    expected = set()
    for index, word in enumerate(trace.target.words):
        if is_content_word(word, trace.target_language):
            folded = word.casefold()
            counts[folded] += 1
            allowed = sum(bilingual_lexicon.is_pair(source_word, word) for source_word in source_words)
            allowed += len(comparatives) if folded in comparative_words else 0
            if counts[folded] <= allowed:
                expected.add(index)
    return expected


def find_repetitions_in_words(
    words: Sequence[str], source: Sequence[str], language: str, source_language: str, expected: Container[int] = ()
) -> WordIndices:
    """Return the rising indices of the words that a translation repeats more than `source` does, without the
    `expected` content words."""
    folded = [word.casefold() for word in words]
    if not languages.get_language(language).has_spaces:
        return _find_character_repetitions(folded)
    content = [is_content_word(word, language) and not is_unk(word) for word in words]
    grammatical_doubles = languages.get_language(language).repeatable_words
    source_counts = Counter(word.casefold() for word in source if is_content_word(word, source_language))
    allowed = max(source_counts.values(), default=1)
    repetitions: set[int] = set()
    occurrences: dict[str, list[int]] = {}
    for index, word in enumerate(folded):
        if not content[index]:
            continue
        earlier = occurrences.setdefault(word, [])
        if len(earlier) >= allowed and index not in expected:
            repetitions.add(index)
            for step in (-1, 1):  # also mark the surrounding function words that recur
                current, previous = index + step, earlier[-1] + step
                while (previous >= 0 and current < len(folded) and folded[current] == folded[previous]
                       and is_word(folded[current]) and not content[current]):
                    repetitions.add(current)
                    current, previous = current + step, previous + step
        earlier.append(index)
    for length in range(1, 5):
        for index in range(length, len(folded) - length + 1):
            run = folded[index : index + length]
            if (run == folded[index - length : index] and all(map(is_word, run))
                    and not any(content[index : index + length]) and not any(map(is_unk, words[index : index + length]))
                    and not (length == 1 and run[0] in grammatical_doubles)):
                repetitions.update(range(index, index + length))
    return tuple(sorted(repetitions))


def _find_character_repetitions(letters: Sequence[str]) -> WordIndices:
    """Return repetitions in a language without spaces, whose characters stand for words.

    A character recurs in many words, and two may be doubled ("讨论讨论"). Repetitions are immediate: three characters
    or more twice, fewer of them three times.
    """
    repetitions: set[int] = set()
    for length in range(1, MAX_RUN + 1):
        times = 3 if length < 3 else 2
        for index in range(len(letters) - times * length + 1):
            run = letters[index : index + length]
            if all(map(is_word, run)) and list(letters[index : index + times * length]) == list(run) * times:
                repetitions.update(range(index + length, index + times * length))
    return tuple(sorted(repetitions))
