"""Which words of a sentence a translation has lost, which of its own it has invented, and where it loses the thread:
what a lexicon (model/analysis/lexicon) and, where the model attends, α can tell without a reference translation.

Only *content words* (`model.text.words`) are marked, and only those the lexicon knows: words that its
translations account for with a probability of KNOWN_FROM or more. Two words *pair* if the lexicon lists the one, or a
form of it, among the translations of the other or of its forms ("sleeps" and "endormi", by "sleepy"), or if they are
spelt almost alike, as names are.

- *Lost*: a known word of the source, or a name of which the lexicon knows nothing (by its capital inside the sentence),
  that pairs with no word of the translation and with which none at least begins alike ("pleuvait", for "rains"); but
  none that French leaves unsaid, as "how" before "to". Where a model looked is not asked: a word that was looked at
  may be lost all the same, and whoever looks beside what it writes, or at much at once, would seem to lose less than
  others.
- *Invented*, by a model without attention: a word of the translation that pairs with no word of the source and is known
  (none that English leaves unsaid, as "heures" in a time of day, or "plus" where it compares by an ending); one that is
  not known, where all content words of the source are, so that it can't be the rare word for a rare word. By a model
  with attention: one that pairs with no word of the source and gave lost words ASTRAY of its attention or more; what
  belongs to words that are not lost, as "en train de" does, is another way to say them. Invented as well is one that
  nobody knows and that begins like no translation of the source ("rombli"), unless a rare word was looked at for it.
- *The thread* is lost after the cut that best divides the translation's content words in those that answer a word of
  the source, each another one, and those that don't (`model.analysis.errors.drift.cut`), if at least ENDLESS words
  stand after it, at most one of four of which answers one.

How often these marks are right was judged by hand on sentences that the rule was not made with
(tests/model/analysis/errors/test_judged.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from model.analysis.errors.drift import find_cut
from model.analysis.lexicon import lexicon
from model.analysis.lexicon.lexicon import Lexicon
from model.text import languages
from model.text.languages import Language
from model.text.words import is_content_word
from model.trace import Trace
from model.trace.maps import find_main_map

MIN_KNOWN = 0.3
MIN_ATTENTION = 0.1  # of one target word's whole attention
MIN_DRIFT_WORDS = 4  # content words
WordIndices = tuple[int, ...]
"""Words by their indices, rising."""


@dataclass(frozen=True)
class MeaningErrors:
    """`lost`: words of the source, `invented`: words of the target, by their indices, rising; `followed`: the last word
    of the target before the thread is lost, -1 where there never was one, None where it is followed to the end."""

    omissions: WordIndices
    additions: WordIndices
    last_followed: int | None


def has_lexicon(trace: Trace) -> bool:
    """Whether there is a lexicon of a Trace's languages: without one nothing can be told."""
    return lexicon.load_lexicon(*trace.languages) is not None


def find_meaning_errors(trace: Trace) -> MeaningErrors | None:
    """What a translation lost and invented; None without a lexicon of its languages."""
    words = lexicon.load_lexicon(*trace.languages)
    if words is None:
        return None
    source, target = trace.source.words, trace.target.words
    language, grammar = languages.get_language(trace.source_language), languages.get_language(trace.target_language)
    unsaid, added = _unsaid(source, language), _unsaid(target, grammar)
    asked = [place for place, word in enumerate(source)
             if is_content_word(word, trace.source_language) and place not in unsaid]
    given = [place for place, word in enumerate(target) if is_content_word(word, trace.target_language)]
    pairs = {place: [other for other, word in enumerate(source) if words.is_pair(word, target[place])]
             for place in range(len(target))}
    answered = {other for found in pairs.values() for other in found}
    sure = {place for place in asked if words.find_translations(source[place]).known_probability >= MIN_KNOWN}
    sure |= {place for place in _names(source) if place in asked and not words.find_translations(source[place]).translations}
    lost = tuple(place for place in asked if place in sure and place not in answered
                 and not any(words.is_similar_to_translation(source[place], word) for word in target))
    over = language.no_longer.search(" ".join(source).casefold())
    compared = over or find_graded_words(source, trace.source_language, words)
    unpaired = [place for place in given if not pairs[place] and place not in added
                and not (compared and target[place].casefold() in grammar.comparative_words)]
    if trace.has_attention:
        own = find_main_map(one.description for one in trace.maps)  # whatever map a page shows it by
        looks = trace.compute_word_map(own.key if own else None)
        astray = looks[:, list(lost)].sum(axis=1)
        rare = looks[:, [place for place in asked if place not in sure]].sum(axis=1)
        invented = tuple(place for place in unpaired if astray[place] >= MIN_ATTENTION
                         or (rare[place] < MIN_ATTENTION and _no_word(target[place], source, words)))
    else:
        invented = tuple(place for place in unpaired
                         if len(sure) == len(asked) or words.find_sources(target[place]).known_probability >= MIN_KNOWN)
    return MeaningErrors(lost, invented, _followed(given, pairs))


def _names(words: Sequence[str]) -> set[int]:
    """The places of words that are names, as far as a capital inside a sentence tells. Most are written as they are in
    every language, and of the others the lexicon knows the frequent ones ("Lisbon")."""
    if not any(word[:1].islower() for word in words):
        return set()  # all in capitals
    return {place for place, word in enumerate(words)
            if word[:1].isupper() and place and words[place - 1][:1].isalpha()}


def _no_word(word: str, source: Sequence[str], words: Lexicon) -> bool:
    """Whether nobody knows a word, and none that translates the source begins like it."""
    return not words.find_sources(word).translations and not any(
        words.is_similar_to_translation(one, word) for one in source
    )


def find_graded_words(source: Sequence[str], code: str, words: Lexicon) -> list[str]:
    """The words of a source that compare: "more", and those with an ending that is no part of them ("older", not
    "father"), as far as the lexicon lists what they grade."""
    language = languages.get_language(code)
    found = []
    for word in map(str.casefold, source):
        if language.comparatives.fullmatch(word):
            bare = re.sub(r"(?:er|est)$", "", word)
            stems = {bare, f"{bare}e", re.sub(r"(.)\1$", r"\1", bare), re.sub(r"i$", "y", bare)}
            if bare == word or (
                word not in language.comparative_exceptions and any(stem in words.lines for stem in stems)
            ):
                found.append(word)
    return found


def _unsaid(words: Sequence[str], language: Language) -> set[int]:
    """The places of the words that other languages often leave unsaid."""
    text = " ".join(words).casefold()
    return {text.count(" ", 0, found.start(found.lastindex)) for found in language.optional_words.finditer(text)
            if found.lastindex}  # fmt: skip


def _followed(given: list[int], pairs: dict[int, list[int]]) -> int | None:
    """The last word that answers the source before the thread is lost (`Meaning.followed`)."""
    free = {other for found in pairs.values() for other in found}
    answers: list[bool] = []
    for place in given:
        other = next((other for other in pairs[place] if other in free), None)
        free.discard(-1 if other is None else other)
        answers.append(other is not None)
    place = find_cut(answers)
    after = answers[place:]
    if len(after) < MIN_DRIFT_WORDS or 4 * sum(after) > len(after):
        return None
    return given[place - 1] if place else -1


def gloss_words(trace: Trace) -> tuple[str, ...] | None:
    """For each word of the target what it likely means: the word of the source that it pairs with, else its likeliest
    translation, "" for a word that is not known; None without a lexicon of its languages."""
    words = lexicon.load_lexicon(*trace.languages)
    if words is None:
        return None
    source = trace.source.words
    found = []
    for word in trace.target.words:
        likely = words.find_sources(word).translations
        here = [one for one in source if words.is_pair(one, word)]
        listed = (one for name in likely for one in here if one.casefold() == name)
        found.append(next(listed, None) or next(iter(here), None) or next(iter(likely), ""))
    return tuple(found)
