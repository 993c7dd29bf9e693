"""Warnings about input that a model can't translate well, with remedies.

They concern text without letters, markup, another language, unknown signs, all capitals, several sentences and a
sentence that is longer than those of the training.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from model.text.language_detection import detect_foreign_language
from model.text.languages import Language, get_language
from model.text.normalise import APOSTROPHES, BLANK_CHARACTERS, normalise
from model.text.symbols import find_unspelled_signs, remove_signs

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary

WarningKind = Literal["letters", "foreign", "markup", "signs", "capitals", "sentences", "long"]

CAPITALS_SHARE = 0.9  # of the letters that have two cases
_MIN_CASED_LETTERS = 8  # fewer may be an abbreviation or two
_ATTRIBUTE = r"""[\w:@.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+)"""
# After a letter or digit other words in the brackets are no attributes: "if a<b and c>d".
_TAG = re.compile(rf"<!--.*?-->|(?<!\w)</?[A-Za-z][^<>]*>|</?[A-Za-z][\w:-]*(?:\s+{_ATTRIBUTE})*\s*/?>", re.DOTALL)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
# No apostrophe: don`t. The limit keeps a text with many marks from taking quadratic time.
_STRONG = re.compile(r"(\*\*|~~|(?<!\w)`)(?=\S)(.{1,1000}?)(?<=\S)\1(?!(?<=`)\w)", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6} +", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?:[.!?…]+[\"')\]»”’]*)(?=\s)|[。！？]+[」』）”]*")
_INITIAL = re.compile(r"(?:^|[\s(\"'«“])(?:[^\W\d_]\.|(?:[A-Z]\.){2,})$")  # "J.", "U.S."
_SENTENCE_START = re.compile(r"[\"'(\[«“‘¿¡]*[^\W_]")
_ONE_APOSTROPHE = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))
_PRONOUN = re.compile(r"\bi\b(?!\.\w)")  # not in "i.e."


@dataclass(frozen=True)
class InputWarning:
    """A problem of an input text, and its remedy."""

    kind: WarningKind
    remedy: str = ""
    """The text without the problem; "" if there is no remedy."""
    language: str = ""
    """The detected language, for kind "foreign"."""
    count: int = 0
    """The number of sentences, for kind "sentences"; of words, for kind "long"."""
    signs: tuple[str, ...] = ()
    """The characters that the vocabulary spells in bytes only, for kind "signs"."""


def check_input(
    text: str, language: str, vocabulary: Vocabulary | None = None, longest_words: int = 0
) -> InputWarning | None:
    """Return the first warning about a text as typed, for a model of a source language; None if there is none.

    Without `vocabulary` unspelled characters are not checked. `longest_words`: of the training sentences, 0 for no
    limit. Raises ValueError for an invalid language code.
    """
    if not text.strip():
        return None
    if not any(letter.isalpha() for letter in text):
        return InputWarning("letters")
    plain = strip_markup(text)
    if plain != text:
        return InputWarning("markup", plain if any(letter.isalpha() for letter in plain) else "")
    foreign_language = detect_foreign_language(" ".join(text.translate(_ONE_APOSTROPHE).split()), language)
    if foreign_language:
        return InputWarning("foreign", language=foreign_language)
    if vocabulary is not None and (signs := find_unspelled_signs(normalise(text), vocabulary)):
        return InputWarning("signs", remove_signs(text, signs, vocabulary), signs=signs)
    if is_all_capitals(text):
        is_lossy = get_language(language).has_capitalised_nouns
        return InputWarning("capitals", "" if is_lossy else to_sentence_case(text, language))
    count = len(split_sentences(text, language))
    if count > 1:
        return InputWarning("sentences", count=count)
    num_words = get_language(language).count_words(normalise(text))
    return InputWarning("long", count=num_words) if 0 < longest_words < num_words else None


def strip_markup(text: str) -> str:
    """Remove HTML tags and Markdown links, emphasis and headings, and decode HTML entities."""
    plain = _ENTITY.sub(lambda entity: html.unescape(entity[0]), _TAG.sub(" ", text))
    plain = _HEADING.sub("", _STRONG.sub(r"\2", _LINK.sub(r"\1", plain)))
    return text if plain == text else "\n".join(" ".join(line.split()) for line in plain.strip().split("\n"))


def is_all_capitals(text: str) -> bool:
    """Return whether a text is in capitals throughout; one or two abbreviations are not."""
    cased = [letter for letter in text if letter.isupper() or letter.islower()]
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text) if word.isupper()]
    if len(cased) < _MIN_CASED_LETTERS or len(words) < 2:
        return False
    return sum(map(str.isupper, cased)) >= CAPITALS_SHARE * len(cased)


def to_sentence_case(text: str, language: str) -> str:
    """Put a text in lower case, with capitals where sentences begin and for the English "I". Lines stay."""
    rules = get_language(language)
    lines = []
    for line in text.split("\n"):
        parts = []
        for part in (part.lower() for part in _split_line(line, rules)):
            first = next((index for index, letter in enumerate(part) if letter.isalpha()), 0)
            parts.append(part[:first] + part[first : first + 1].title() + part[first + 1 :])
        lines.append(_PRONOUN.sub("I", "".join(parts)) if language.partition("-")[0] == "en" else "".join(parts))
    return "\n".join(lines)


def split_sentences(text: str, language: str) -> tuple[str, ...]:
    """Split a text into sentences, with single spaces.

    A sentence ends at a line break, and at a full stop, question or exclamation mark before a capital or a number, but
    not after an abbreviation or an initial. A part without letters and digits joins the sentence before it, or the
    first one. Raises ValueError for an invalid language code.
    """
    rules = get_language(language)
    parts: list[str] = []
    for line in re.split(r"[\n\r\x0b\x0c\x85\u2028\u2029]+", text):
        parts += _split_line(line, rules)
    sentences: list[str] = []
    leading_signs: list[str] = []
    for part in (" ".join(part.split()) for part in parts):
        if any(character.isalnum() and character not in BLANK_CHARACTERS for character in part):
            sentences.append(" ".join([*leading_signs, part]))
            leading_signs = []
        elif part and sentences:
            sentences[-1] = f"{sentences[-1]} {part}"
        elif part:
            leading_signs.append(part)
    return tuple(sentences)


def _split_line(line: str, rules: Language) -> list[str]:
    """Return the sentences of a line with the spaces around them; the last one may have no end."""
    parts, start = [], 0
    for end in _SENTENCE_END.finditer(line):
        if _is_sentence_end(line, end, start, rules):
            parts.append(line[start : end.end()])
            start = end.end()
    return [*parts, line[start:]]


def _is_sentence_end(line: str, end: re.Match[str], start: int, rules: Language) -> bool:
    """Return whether a match of `_SENTENCE_END` ends the sentence that starts at `start`."""
    if end[0][0] in "。！？":
        return True
    next_start = _SENTENCE_START.match(line[end.end() :].lstrip())
    if next_start is None or next_start[0][-1].islower():
        return False
    sentence = line[start : end.end()]
    last_word = sentence.rsplit(None, 1)[-1] if sentence.split() else ""
    if rules.is_abbreviation(last_word, next_start[0][-1].isdigit()):
        return False
    return not (_INITIAL.search(sentence) and last_word.lower() != "i.")
