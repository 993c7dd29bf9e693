"""The lexicon of a pair of languages: which words translate which, learnt from pairs of sentences (learn.py).

Files lie in assets/lexicon, SRC-TGT.json; they hold word pairs and their probabilities, no text. A page that is opened
asks for a dozen words: their lines are found in the file's one text, and only these are read. Words are in lower case,
as `model.text.words.split_words` cuts them.
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

FOLDER = ASSETS / "lexicon"
SCHEMA = 1
PROBABILITY_SCALE = 100  # probabilities are written as so many parts of 1
MIN_LETTERS, MAX_ENDING = 3, 2  # letters of a short word, and of an ending
MIN_COMPOUND_PART = 5  # letters of the last part of a compound, at the least
SAME_SPELLING = "="  # stands for a translation that is spelt as its source


class LexiconError(CodecError):
    """A file holds no lexicon, or one that contradicts itself; the message is one sentence for the reader."""


@dataclass(frozen=True)
class Entry:
    """What a lexicon knows of a word: its `translations`, likeliest first, and how probable it is that it is translated
    by one of them rather than by anything else, or by nothing."""

    known_probability: float
    translations: tuple[str, ...]


UNKNOWN = Entry(0.0, ())


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Word pairs of two languages. `entries`: a line for each source word, in order: "chair 95 chaise 92 fauteuil 60"
    is the word, the probability that one of these translates it, and its translations, likeliest first, each with the
    probability that a "chaise" stands for a "chair"; all in parts of a hundred, "=" for a translation spelt alike.

    `data`: of each corpus how many pairs of sentences were read; `settings`: of the learning. Raises LexiconError.
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
        """What translates a word of the source language; of a word that is not listed, what translates its forms."""
        return _translations(self, word.casefold())

    def find_sources(self, word: str) -> Entry:
        """What a word of the target language translates; of a word that is not listed, what its forms do."""
        return _sources(self, word.casefold())

    def is_pair(self, source: str, target: str) -> bool:
        """Whether one word translates the other, or forms of them do, or they are spelt almost alike."""
        wanted = target.casefold()
        exact, forms = _expected(self, source.casefold())
        return wanted in exact or any(is_same_or_form(one, wanted, self.languages[1])
                                      for one in forms.get(strip_accents(wanted)[:MIN_PREFIX], ()))

    def is_similar_to_translation(self, source: str, target: str) -> bool:
        """Whether the target word at least begins like one that the source word pairs with."""
        return strip_accents(target)[:MIN_PREFIX] in _expected(self, source.casefold())[1]

    @cached_property
    def lines(self) -> dict[str, str]:
        """The line of each word of the source language."""
        return {line.partition(" ")[0]: line for line in self.entries.split("\n")}

    def words_with_prefix(self, letters: str) -> Iterator[str]:
        """The words of the source language that begin so, in order."""
        for place in range(bisect_left(self._words, letters), len(self._words)):
            if not self._words[place].startswith(letters):
                return
            yield self._words[place]

    @cached_property
    def _words(self) -> list[str]:
        return list(self.lines)

    def to_json(self) -> str:
        """The file, a line for each of its keys."""
        return dump_entries(to_plain(self))


@cache
def load_lexicon(source: str, target: str, folder: Path = FOLDER) -> Lexicon | None:
    """The lexicon of two languages by their codes, whatever their regions; None where there is none. Raises
    LexiconError for a file that is damaged."""
    languages = tuple(code.partition("-")[0] for code in (source, target))
    try:
        content = (folder / f"{'-'.join(languages)}.json").read_bytes()
    except FileNotFoundError:
        return None
    found = read_record(Lexicon, parse_json(content, "a lexicon"), "lexicon")
    if found.languages != languages:
        raise LexiconError(f"A lexicon of {'-'.join(languages)} is needed: got one of {'-'.join(found.languages)}.")
    return found


def preload_lexicon(source: str, target: str) -> None:
    """Do what the first question to the lexicon of two languages would wait for: read it, and find its lines."""
    found = load_lexicon(source, target)
    if found is not None:
        next(found.words_with_prefix(""), None)


@lru_cache(10_000)
def _translations(lexicon: Lexicon, word: str) -> Entry:
    listed = lexicon.lines.get(word)
    found = _forms(lexicon, word) if listed is None else [_parts(listed)]
    if not found:
        return UNKNOWN
    words = dict.fromkeys(translation for _, _, pairs in found for translation, _ in pairs)
    return Entry(max(known for _, known, _ in found), tuple(words))


@lru_cache(10_000)
def _expected(lexicon: Lexicon, word: str) -> tuple[frozenset[str], dict[str, list[str]]]:
    """What a word may be translated by: itself, its translations and those of its forms ("sleeps" by "dormir", which
    translates "sleep"), and all of these by their first letters, since most words that are asked for agree in none."""
    expected = dict.fromkeys((word, *lexicon.find_translations(word).translations))
    expected |= dict.fromkeys(one for _, _, pairs in _forms(lexicon, word) for one, _ in pairs)
    forms: dict[str, list[str]] = {}
    for one in expected:
        forms.setdefault(strip_accents(one)[:MIN_PREFIX], []).append(one)
    return frozenset(expected), forms


def _forms(lexicon: Lexicon, word: str) -> list[tuple[str, float, list[tuple[str, float]]]]:
    """The lines, in their parts, of the words of the source language that are forms of a word, short ones with an
    ending among them ("sit", "sits"), and of those it ends with, being a compound ("postcards", "cards")."""

    def related(other: str) -> bool:
        short, long = sorted((word, other), key=len)
        inflected = long.startswith(short) and len(long) <= len(short) + MAX_ENDING
        return inflected or (
            other[:MIN_PREFIX] == word[:MIN_PREFIX] and is_same_or_form(other, word, lexicon.languages[0])
        )

    found = list(filter(related, lexicon.words_with_prefix(word[:MIN_LETTERS]))) if len(word) >= MIN_LETTERS else []
    parts = (word[start:] for start in range(1, len(word) - MIN_COMPOUND_PART + 1))
    return [_parts(lexicon.lines[one]) for one in (*found, *(part for part in parts if part in lexicon.lines))]


@lru_cache(10_000)
def _sources(lexicon: Lexicon, word: str) -> Entry:
    found = [(head, likely) for _, head, likely in _listing(lexicon, f"{word} ")]
    if not found and len(word) > MIN_PREFIX:
        found = [(head, likely) for one, head, likely in _listing(lexicon, word[:MIN_PREFIX])
                 if is_same_or_form(one, word, lexicon.languages[1])]
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return Entry(min(sum(likely for _, likely in found), 1.0), tuple(dict.fromkeys(head for head, _ in found)))


def _listing(lexicon: Lexicon, beginning: str) -> Iterator[tuple[str, str, float]]:
    """The translations that begin so, each with the word it translates and how probably it stands for that one."""
    text = lexicon.entries
    starts = (text.rfind("\n", 0, place) + 1 for place in _places(text, f" {beginning}"))
    heads = dict.fromkeys(text[start : text.index(" ", start)] for start in starts)
    heads |= dict.fromkeys(
        one for one in lexicon.words_with_prefix(beginning.strip()) if f" {SAME_SPELLING} " in lexicon.lines[one]
    )
    for head in heads:
        _, _, pairs = _parts(lexicon.lines[head])
        yield from ((one, head, likely) for one, likely in pairs if f"{one} ".startswith(beginning))


def _places(text: str, wanted: str) -> Iterator[int]:
    place = text.find(wanted)
    while place != -1:
        yield place
        place = text.find(wanted, place + 1)


def _parts(line: str) -> tuple[str, float, list[tuple[str, float]]]:
    """The word of a line, how much of it is known, and its translations with their probabilities backwards."""
    head, _, rest = line.partition(" ")
    known, *pairs = rest.split(" ")
    numbers = (known, *pairs[1::2])
    if len(pairs) % 2 or not all(number.isdecimal() and int(number) <= PROBABILITY_SCALE for number in numbers):
        raise LexiconError("A line of a lexicon is a word, a number from 0 to 100, and translations with such a number "
                           f"each: got {line[:60]!r}.")
    return (
        head,
        int(known) / PROBABILITY_SCALE,
        [
            (head if one == SAME_SPELLING else one, int(number) / PROBABILITY_SCALE)
            for one, number in zip(pairs[::2], numbers[1:], strict=True)
        ],
    )
