"""What a model can't read well in a text: another language, signs that it has no pieces for, all capitals, several
sentences, markup, no letters.

Each doubt knows the remedy, where there is one: the text as the model can read it, or its sentences one by one.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from model.text import language_detection, languages
from model.text.normalise import APOSTROPHES, BLANK_CHARACTERS, normalise
from model.text.symbols import find_unspelled_signs, remove_signs

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary

WarningKind = Literal["letters", "foreign", "markup", "signs", "capitals", "sentences"]

CAPITALS_SHARE = 0.9  # share of capitals among the letters that have two cases
_FEW = 8  # letters: fewer may be an abbreviation or two
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_STRONG = re.compile(r"(\*\*|~~|`)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6} +", re.MULTILINE)
_END = re.compile(r"(?:[.!?…]+[\"')\]»”’]*)(?=\s)|[。！？]+[」』）”]*")
_INITIAL = re.compile(r"(?:^|[\s(\"'«“])(?:[^\W\d_]\.|(?:[A-Z]\.){2,})$")  # "J.", "U.S."
_BEGINS = re.compile(r"[\"'(\[«“‘¿¡]*[^\W_]")
_ONE_APOSTROPHE = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))
_PRONOUN = re.compile(r"\bi\b")
_SHORTENED_LISTED = """
mr. mrs. ms. dr. prof. st. no. vs. e.g. i.e. etc. fig. jan. feb. aug. sept. oct. nov. dec.
"""
_SHORTENED = frozenset(_SHORTENED_LISTED.split())


@dataclass(frozen=True)
class InputWarning:
    """One thing that a model of a source language can't read well: what it is; `remedy`, the text without it, "" where
    there is none; the `language` that the text seems to be in; how many sentences there are; the `signs` that the model
    reads in bytes only."""

    kind: WarningKind
    remedy: str = ""
    language: str = ""
    count: int = 0
    signs: tuple[str, ...] = ()


def check_input(text: str, language: str, vocabulary: Vocabulary | None = None) -> InputWarning | None:
    """The first thing that a model of that source language can't read well in a text as it was typed, its lines
    included; None where there is none. Without its `vocabulary` nothing is said of signs. Raises ValueError for what is
    no language code."""
    if not text.strip():
        return None
    if not any(letter.isalpha() for letter in text):
        return InputWarning("letters")
    bare = strip_markup(text)
    if bare != text:
        return InputWarning("markup", bare if any(letter.isalpha() for letter in bare) else "")
    other = language_detection.detect_foreign_language(" ".join(text.translate(_ONE_APOSTROPHE).split()), language)
    if other:
        return InputWarning("foreign", language=other)
    if vocabulary is not None and (signs := find_unspelled_signs(normalise(text), vocabulary)):
        return InputWarning("signs", remove_signs(text, signs, vocabulary), signs=signs)
    if is_all_capitals(text):
        return InputWarning(
            "capitals",
            "" if languages.get_language(language).has_capitalised_nouns else to_sentence_case(text, language),
        )
    found = split_sentences(text, language)
    return InputWarning("sentences", count=len(found)) if len(found) > 1 else None


def strip_markup(text: str) -> str:
    """A text without the tags and entities of HTML and without Markdown's links, emphasis and headings."""
    bare = _ENTITY.sub(lambda entity: html.unescape(entity[0]), _TAG.sub(" ", text))
    bare = _HEADING.sub("", _STRONG.sub(r"\2", _LINK.sub(r"\1", bare)))
    return text if bare == text else "\n".join(" ".join(line.split()) for line in bare.strip().split("\n"))


def is_all_capitals(text: str) -> bool:
    """Whether a text is in capitals throughout; an abbreviation or two are not."""
    cased = [letter for letter in text if letter.isupper() or letter.islower()]
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text) if word.isupper()]
    return len(cased) >= _FEW and len(words) > 1 and sum(map(str.isupper, cased)) >= CAPITALS_SHARE * len(cased)


def to_sentence_case(text: str, language: str) -> str:
    """A text in small letters, with a capital where a sentence begins and for the English "I". Lines stay."""
    lines = []
    for line in text.split("\n"):
        small = line.lower()
        if language.partition("-")[0] == "en":
            small = _PRONOUN.sub("I", small)
        starts = [0, *(match.end() for match in _END.finditer(small))]
        for start in starts:
            first = next((place for place in range(start, len(small)) if small[place].isalpha()), None)
            if first is not None:
                small = small[:first] + small[first].upper()[:1] + small[first + 1 :]
        lines.append(small)
    return "\n".join(lines)


def split_sentences(text: str, language: str) -> tuple[str, ...]:
    """The sentences of a text in order, white space within them as one space. A line ends one, and so does a full
    stop, question or exclamation mark before a capital or a number, but not after an abbreviation or an initial.
    What has no letter or digit belongs to the sentence before it, and at the beginning to the first one.

    Raises ValueError for what is no language code.
    """
    rules = languages.get_language(language)
    found: list[str] = []
    for line in re.split(r"[\n\r\x0b\x0c\x85\u2028\u2029]+", text):
        begun = 0
        for end in _END.finditer(line):
            if _is_sentence_end(line, end, begun, rules):
                found.append(line[begun : end.end()])
                begun = end.end()
        found.append(line[begun:])
    whole: list[str] = []
    begins: list[str] = []  # signs before the first sentence
    for part in (" ".join(part.split()) for part in found):
        if any(sign.isalnum() and sign not in BLANK_CHARACTERS for sign in part):
            whole.append(" ".join([*begins, part]))
            begins = []
        elif part and whole:
            whole[-1] = f"{whole[-1]} {part}"
        elif part:
            begins.append(part)
    return tuple(whole)


def _is_sentence_end(line: str, end: re.Match[str], begun: int, rules: languages.Language) -> bool:
    """Whether the sign that was found ends a sentence of a line that began at `begun`."""
    if end[0][0] in "。！？":
        return True
    after = line[end.end() :].lstrip()
    first = _BEGINS.match(after)
    if first is None or first[0][-1].islower():
        return False
    before = line[begun : end.end()]
    last = before.rsplit(None, 1)[-1].lower() if before.split() else ""
    if last in _SHORTENED or rules.is_abbreviation(last):
        return False
    return not (_INITIAL.search(before) and last != "i.")
