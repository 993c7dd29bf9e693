"""The lexicon of a language pair: which words translate which, learnt from sentence pairs (learn.py).

Files are `assets/lexicon/SRC-TGT.json`: word pairs and their probabilities, no text. A page needs about a dozen words,
so lines are found in the file's one string and only these are parsed. Words are in lower case, as
`model.text.words.split_words` splits them, and without particles and endings in a language that has those as tokens
(`model.text.endings`): "학생" for "학생이다".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path

from model.analysis.errors.word_alignment import MIN_PREFIX, is_same_or_form, strip_accents
from model.paths import ASSETS
from model.serialization.codec import CodecError, dump_entries, parse_json, read_record, to_plain
from model.text.endings import is_ending_sequence
from model.text.languages import get_language

FOLDER = ASSETS / "lexicon"
SCHEMA = 1
PROBABILITY_SCALE = 100  # probabilities are stored in hundredths
MIN_LETTERS, MAX_ENDING = 3, 2  # letters of the shortest inflected word, and of an ending
MAX_LETTERS = 40  # letters of the longest word whose endings are split off
MIN_COMPOUND_PART = 5  # letters of the last part of a compound
SAME_SPELLING = "="  # a translation spelt like its source


class LexiconError(CodecError):
    """Raised for a file that is no lexicon or is inconsistent; the message is one sentence for the user."""


@dataclass(frozen=True)
class Entry:
    """The entry of a word.

    Attributes:
        known_probability: the probability that one of `translations` translates the word, rather than another word or
            none.
        translations: the most likely first.
    """

    known_probability: float
    translations: tuple[str, ...]


UNKNOWN_ENTRY = Entry(0.0, ())


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Word pairs of two languages. The fields are JSON keys.

    A line of `entries` is "chair 95 chaise 92 fauteuil 60": a source word, the probability that one of these translates
    it, and its translations, the most likely first, each with the probability that it translates this word.
    Probabilities are in hundredths; "=" is a translation spelt like its source. `data` has the number of sentence pairs
    of each corpus that were kept, `settings` those of learning.

    Raises LexiconError for another schema.
    """

    schema: int
    languages: tuple[str, str]
    command: str
    date: str
    data: dict[str, int]
    settings: dict[str, int | float]
    entries: str = field(repr=False)

    def __post_init__(self) -> None:
        if self.schema != SCHEMA:
            raise LexiconError(f"A lexicon of schema {SCHEMA} is needed: got schema {self.schema}.")

    def find_translations(self, word: str) -> Entry:
        """Return the entry of a source word; of a word not listed, that of its forms."""
        return _look_up_translations(self, _find_stem(self, word.casefold(), 0))

    def find_sources(self, word: str) -> Entry:
        """Return the source words of a target word; of a word not listed, those of its forms."""
        return _look_up_sources(self, _find_stem(self, word.casefold(), 1))

    def is_pair(self, source: str, target: str) -> bool:
        """Return whether one word translates the other, or forms of them do, or they are spelt almost alike."""
        word = _find_stem(self, target.casefold(), 1)
        exact, forms = _find_candidates(self, _find_stem(self, source.casefold(), 0))
        return word in exact or any(is_same_or_form(form, word, self.languages[1])
                                      for form in forms.get(strip_accents(word)[:MIN_PREFIX], ()))

    def is_similar_to_translation(self, source: str, target: str) -> bool:
        """Return whether the target word begins like a translation of the source word."""
        candidates = _find_candidates(self, _find_stem(self, source.casefold(), 0))
        return strip_accents(target)[:MIN_PREFIX] in candidates[1]

    @cached_property
    def lines(self) -> dict[str, str]:
        """The line of each source word."""
        return {line.partition(" ")[0]: line for line in self.entries.split("\n")}

    def iterate_words_with_prefix(self, prefix: str) -> Iterator[str]:
        """Yield the source words with a prefix, in order."""
        for index in range(bisect_left(self._words, prefix), len(self._words)):
            if not self._words[index].startswith(prefix):
                return
            yield self._words[index]

    @cached_property
    def _words(self) -> list[str]:
        return list(self.lines)

    def to_json(self) -> str:
        """Return the file, one line per key."""
        return dump_entries(to_plain(self))


@cache
def load_lexicon(source: str, target: str, folder: Path = FOLDER) -> Lexicon | None:
    """Load the lexicon of two language codes, regions ignored; None if there is none. Raises LexiconError."""
    languages = tuple(code.partition("-")[0] for code in (source, target))
    try:
        content = (folder / f"{'-'.join(languages)}.json").read_bytes()
    except FileNotFoundError:
        return None
    lexicon = read_record(Lexicon, parse_json(content, "a lexicon"), "lexicon")
    if lexicon.languages != languages:
        raise LexiconError(f"A lexicon of {'-'.join(languages)} is needed: got one of {'-'.join(lexicon.languages)}.")
    return lexicon


def preload_lexicon(source: str, target: str) -> None:
    """Load a lexicon and index its lines, so that the first query does not have to wait."""
    lexicon = load_lexicon(source, target)
    if lexicon is not None:
        next(lexicon.iterate_words_with_prefix(""), None)


@lru_cache(10_000)
def _find_stem(lexicon: Lexicon, word: str, side: int) -> str:
    """Return the longest listed beginning of a word whose rest is endings; the word itself if there is none.

    A word of more than MAX_LETTERS is returned as it is.
    """
    endings = get_language(lexicon.languages[side]).endings
    if not endings or len(word) > MAX_LETTERS:
        return word
    heads = (word[:length] for length in range(len(word), 0, -1))
    stems = (head for head in heads if is_ending_sequence(word[len(head) :], endings))
    return next((stem for stem in stems if (f" {stem} " in lexicon.entries if side else stem in lexicon.lines)), word)


@lru_cache(10_000)
def _look_up_translations(lexicon: Lexicon, word: str) -> Entry:
    line = lexicon.lines.get(word)
    entries = _parse_forms(lexicon, word) if line is None else [_parse_line(line)]
    if not entries:
        return UNKNOWN_ENTRY
    words = dict.fromkeys(translation for _, _, pairs in entries for translation, _ in pairs)
    return Entry(max(known_probability for _, known_probability, _ in entries), tuple(words))


@lru_cache(10_000)
def _find_candidates(lexicon: Lexicon, word: str) -> tuple[frozenset[str], dict[str, list[str]]]:
    """Return what may translate a word: itself, its translations and those of its forms, as a set and by prefix.

    For example "sleeps" by "dormir", which translates "sleep". Most queries share no prefix with any of them.
    """
    expected = dict.fromkeys((word, *lexicon.find_translations(word).translations))
    expected |= dict.fromkeys(candidate for _, _, pairs in _parse_forms(lexicon, word) for candidate, _ in pairs)
    forms: dict[str, list[str]] = {}
    for candidate in expected:
        forms.setdefault(strip_accents(candidate)[:MIN_PREFIX], []).append(candidate)
    return frozenset(expected), forms


def _parse_forms(lexicon: Lexicon, word: str) -> list[tuple[str, float, list[tuple[str, float]]]]:
    """Return the parsed lines of a word's forms in the source language.

    These include short words with an ending ("sit", "sits") and the last part of a compound ("postcards", "cards").
    """

    def is_related(candidate: str) -> bool:
        short, long = sorted((word, candidate), key=len)
        is_inflected = long.startswith(short) and len(long) <= len(short) + MAX_ENDING
        return is_inflected or (
            candidate[:MIN_PREFIX] == word[:MIN_PREFIX] and is_same_or_form(candidate, word, lexicon.languages[0])
        )

    has_prefix = len(word) >= MIN_LETTERS
    words = list(filter(is_related, lexicon.iterate_words_with_prefix(word[:MIN_LETTERS]))) if has_prefix else []
    parts = (word[start:] for start in range(1, len(word) - MIN_COMPOUND_PART + 1))
    return [_parse_line(lexicon.lines[form]) for form in (*words, *(part for part in parts if part in lexicon.lines))]


@lru_cache(10_000)
def _look_up_sources(lexicon: Lexicon, word: str) -> Entry:
    pairs = [(source, probability) for _, source, probability in _iterate_entries(lexicon, f"{word} ")]
    if not pairs and len(word) > MIN_PREFIX:
        pairs = [
            (source, probability)
            for translation, source, probability in _iterate_entries(lexicon, word[:MIN_PREFIX])
            if is_same_or_form(translation, word, lexicon.languages[1])
        ]
    pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    return Entry(
        min(sum(probability for _, probability in pairs), 1.0), tuple(dict.fromkeys(source for source, _ in pairs))
    )


def _iterate_entries(lexicon: Lexicon, prefix: str) -> Iterator[tuple[str, str, float]]:
    """Yield the translations with a prefix, each with its source word and their backward probability."""
    text = lexicon.entries
    starts = (text.rfind("\n", 0, position) + 1 for position in _find_all(text, f" {prefix}"))
    heads = dict.fromkeys(text[start : text.index(" ", start)] for start in starts)
    heads |= dict.fromkeys(
        translation
        for translation in lexicon.iterate_words_with_prefix(prefix.strip())
        if f" {SAME_SPELLING} " in lexicon.lines[translation]
    )
    for source in heads:
        _, _, pairs = _parse_line(lexicon.lines[source])
        yield from (
            (translation, source, probability)
            for translation, probability in pairs
            if f"{translation} ".startswith(prefix)
        )


def _find_all(text: str, substring: str) -> Iterator[int]:
    position = text.find(substring)
    while position != -1:
        yield position
        position = text.find(substring, position + 1)


def _parse_line(line: str) -> tuple[str, float, list[tuple[str, float]]]:
    """Parse a line: the word, its known probability, and its translations with backward probabilities."""
    word, _, rest = line.partition(" ")
    known_number, *pairs = rest.split(" ")
    numbers = (known_number, *pairs[1::2])
    if len(pairs) % 2 or not all(number.isdecimal() and int(number) <= PROBABILITY_SCALE for number in numbers):
        raise LexiconError("A line of a lexicon is a word, a number from 0 to 100, and translations with such a number "
                           f"each: got {line[:60]!r}.")
    return (
        word,
        int(known_number) / PROBABILITY_SCALE,
        [
            (word if translation == SAME_SPELLING else translation, int(number) / PROBABILITY_SCALE)
            for translation, number in zip(pairs[::2], numbers[1:], strict=True)
        ],
    )
