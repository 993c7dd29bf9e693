"""Two translations of one sentence side by side: which of their words answer each other, and what was lost, repeated
or invented.

Only *content words* (`model.text.words`) are ever marked, by the following rules.

- *Counterpart*: two content words, one of either translation, are counterparts if they are the same word (in upper or
  lower case), or forms of one word: their first letters agree, accents aside, for at least four letters and at least
  two thirds of the longer word. A word has at most one counterpart: where one translation has a word three times and
  the other one twice, the first two of the three have one. Synonyms are no counterparts.
- *Repeated*: the source may itself repeat a content word; let n be how often its most frequent one occurs. From its
  n+1st occurrence on a content word of the translation is repeated, with the function words around it that are the
  same as before. So is a run of function words that follows on itself ("de la de la"), but for doubles that are
  grammatical in their language, such as the French "nous nous".
- *Lost* and *invented*, and where the thread is lost: by a lexicon of the two languages
  (`model.analysis.errors.meaning`), of each translation by itself. Without a lexicon neither can be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from model.analysis.errors.meaning import MeaningErrors, WordIndices, find_graded_words, find_meaning_errors
from model.analysis.errors.word_alignment import Columns, align_words, match_words
from model.analysis.lexicon import lexicon
from model.text import languages
from model.text.words import is_content_word, is_word
from model.trace import Trace

MAX_RUN = 10  # letters that are looked for again right behind themselves
MIN_COVERAGE = 0.25  # of one target word's whole attention
_UNTOLD = MeaningErrors((), (), None)


@dataclass(frozen=True)
class TranslationErrors:
    """One translation, read beside another one of the same sentence.

    `words`: the target's words; `repeated`, `invented`, `unmatched` (content words without a counterpart): indices into
    them, rising. `lost`: indices of words of the source, rising; `followed`: the last word before the thread is lost
    (`model.analysis.errors.meaning`). `told`: whether there is a lexicon, so that what was lost and invented can be
    told. `coverage`: for each word of the source the attention it got from all
    words of the target together, in words; None without attention. `log_probability` in nats.
    """

    words: tuple[str, ...]
    repetitions: WordIndices
    additions: WordIndices
    unmatched: WordIndices
    omissions: WordIndices
    last_followed: int | None
    has_lexicon: bool
    coverage: tuple[float, ...] | None
    log_probability: float

    @property
    def covered_words(self) -> int | None:
        """How many words of the source, punctuation too, got LOOKED_FROM of attention or more; None without any."""
        return None if self.coverage is None else sum(value >= MIN_COVERAGE for value in self.coverage)


@dataclass(frozen=True)
class TranslationComparison:
    """Two translations of one sentence: `columns` aligns their words (`align_words`), `one` and `other` read them."""

    first: TranslationErrors
    second: TranslationErrors
    columns: Columns


def is_comparable(one: Trace, other: Trace) -> bool:
    """Whether two Traces are of the same sentence, its words divided alike, in the same languages."""
    return one.source.words == other.source.words and one.languages == other.languages


# What a page asks for again whenever a reader touches anything on it: kept as long as the Traces, which may be large.
_told: WeakKeyDictionary[Trace, WeakKeyDictionary[Trace, TranslationComparison]] = WeakKeyDictionary()
_read_alone: WeakKeyDictionary[Trace, TranslationErrors] = WeakKeyDictionary()


def compare_translations(one: Trace, other: Trace) -> TranslationComparison:
    """What tells two translations of the same sentence apart, by the rules above, in either order.

    Raises ValueError where the two Traces are not `comparable`.
    """
    found = _told.setdefault(one, WeakKeyDictionary())
    made = found.get(other)
    if made is None:
        made = found[other] = _differences(one, other)
    return made


def _differences(one: Trace, other: Trace) -> TranslationComparison:
    if not is_comparable(one, other):
        raise ValueError("Only translations of the same sentence into the same language can be compared: got "
                         f"{one.source.text[:60]!r} and "
                         f"{other.source.text[:60]!r}.")
    language = one.target_language
    columns = align_words(one.target.words, other.target.words, language)
    pairs = match_words(one.target.words, other.target.words, columns, language)
    return TranslationComparison(_read(one, _last(one, pairs)), _read(other, _last(other, set(pairs.values()))), columns)


def find_errors(trace: Trace) -> TranslationErrors:
    """One translation with no other beside it: nothing is unmatched."""
    made = _read_alone.get(trace)
    if made is None:
        made = _read_alone[trace] = _read(trace, ())
    return made


def _read(trace: Trace, unmatched: WordIndices) -> TranslationErrors:
    found = find_meaning_errors(trace)
    told = found or _UNTOLD
    twice = tuple(word for word in find_repetitions(trace) if word not in _said_again(trace))
    coverage = tuple(float(value) for value in trace.compute_word_map().sum(axis=0)) if trace.has_attention else None
    return TranslationErrors(
        trace.target.words,
        twice,
        tuple(word for word in told.additions if word not in twice),
        unmatched,
        told.omissions,
        told.last_followed,
        found is not None,
        coverage,
        trace.log_probability,
    )


def _last(trace: Trace, matched: Container[int]) -> WordIndices:
    """The content words without a counterpart: where a word stands several times and not all of these have one, the
    last ones."""
    places: dict[str, list[int]] = {}
    for word, text in enumerate(trace.target.words):
        if is_content_word(text, trace.target_language):
            places.setdefault(text.casefold(), []).append(word)
    return tuple(sorted(word for same in places.values() for word in same[sum(place in matched for place in same) :]))


def find_repetitions(trace: Trace) -> WordIndices:
    """The indices, rising, of the words of a translation that repeat more than its source does."""
    return find_repetitions_in_words(
        trace.target.words, trace.source.words, trace.target_language, trace.source_language
    )


def _said_again(trace: Trace) -> set[int]:
    """The content words that stand no oftener than words of the source pair with them: "dit", for "said" and "tell"."""
    words = lexicon.load_lexicon(*trace.languages)
    if words is None:
        return set()
    asked = [word for word in trace.source.words if is_word(word)]  # "seraient" is "would be", twice if that is
    graded = find_graded_words(trace.source.words, trace.source_language, words)
    seen: Counter[str] = Counter()
    found = set()
    for place, word in enumerate(trace.target.words):
        if is_content_word(word, trace.target_language):
            seen[word.casefold()] += 1
            more = (
                len(graded) if word.casefold() in languages.get_language(trace.target_language).comparative_words else 0
            )
            if seen[word.casefold()] <= more + sum(words.is_pair(one, word) for one in asked):
                found.add(place)
    return found


def find_repetitions_in_words(
    words: Sequence[str], source: Sequence[str], language: str, source_language: str
) -> WordIndices:
    """The indices, rising, of the words of a translation that repeat more than the `source` does."""
    folded = [word.casefold() for word in words]
    if not languages.get_language(language).has_spaces:
        return _letters_again(folded)
    content = [is_content_word(word, language) for word in words]
    doubled = languages.get_language(language).repeatable_words
    own = Counter(word.casefold() for word in source if is_content_word(word, source_language))
    allowed = max(own.values(), default=1)
    marked: set[int] = set()
    seen: dict[str, list[int]] = {}
    for place, word in enumerate(folded):
        if not content[place]:
            continue
        before = seen.setdefault(word, [])
        if len(before) >= allowed:
            marked.add(place)
            for step in (-1, 1):  # the function words around it that stood around it before
                here, there = place + step, before[-1] + step
                while (there >= 0 and here < len(folded) and folded[here] == folded[there]
                       and is_word(folded[here]) and not content[here]):
                    marked.add(here)
                    here, there = here + step, there + step
        before.append(place)
    for length in range(1, 5):
        for place in range(length, len(folded) - length + 1):
            run = folded[place : place + length]
            if (run == folded[place - length : place] and all(map(is_word, run))
                    and not any(content[place : place + length])
                    and not (length == 1 and run[0] in doubled)):
                marked.update(range(place, place + length))
    return tuple(sorted(marked))


def _letters_again(letters: Sequence[str]) -> WordIndices:
    """Of a language whose letters stand for words: a letter comes back in many of them, and two may well be doubled
    ("讨论讨论"). What follows on itself nevertheless: three letters and more, or fewer of them three times."""
    marked: set[int] = set()
    for length in range(1, MAX_RUN + 1):
        times = 3 if length < 3 else 2
        for place in range(len(letters) - times * length + 1):
            run = letters[place : place + length]
            if all(map(is_word, run)) and list(letters[place : place + times * length]) == list(run) * times:
                marked.update(range(place + length, place + times * length))
    return tuple(sorted(marked))
