"""Splitting text into words, the units that attention is drawn over and pieces are grouped into."""

import re
import unicodedata
from collections.abc import Iterable

import regex

from model.text.languages import Language, get_language


class _ShapeTable(dict[int, str]):
    """A table for `str.translate` that maps each character to a symbol of its class."""

    def __missing__(self, code: int) -> str:
        self[code] = value = _classify_character(chr(code))
        return value


def _classify_character(character: str) -> str:
    if character in "'-.,:":
        return character
    if character.isspace():
        return " "
    kind = unicodedata.category(character)[0]
    return {"L": "a", "N": "0", "M": "m"}.get(kind, "!")


_SHAPES = _ShapeTable()
# Scripts without spaces between words, with the signs that several of them share ("ー").
_UNSPACED = regex.compile(r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}"
                          r"\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]")  # fmt: skip
# Letters and digits; then, inside, a hyphen, an apostrophe, or a point, comma or colon between digits. Everything
# else that is not a space runs together as punctuation. Marks go with what they stand on.
_RUN = re.compile(r"(?P<word>[a0][a0m]*(?:(?:['-](?=[a0])|(?<=0)[.,:](?=0))[a0][a0m]*)*)|[^a0 ]+")


def split_words(text: str, language: str) -> list[tuple[int, int]]:
    """Return the spans (start, end) of the words of a normalised text, in characters.

    A run of letters and digits is a word, with inner hyphens ("a-t-il"), apostrophes ("don't") and number punctuation
    ("1,300.5"); so is a run of other characters ("?!"). In languages with elision an elided word ends with its
    apostrophe: "l'Alliance" is "l'" and "Alliance", but "aujourd'hui" is one word. In languages without spaces every
    letter is a word, except in scripts with spaces. The spans cover everything but white space. Raises ValueError for
    an invalid language code.
    """
    rules = get_language(language)
    spans: list[tuple[int, int]] = []
    shape = text.translate(_SHAPES)
    position = 0
    while run := _RUN.search(shape, position):
        start, position = run.span()
        if run["word"] and rules.has_spaces:
            while elided := _find_elision_end(text, start, position, rules):
                spans.append((start, elided))
                start = elided
            position = max(start, position)
        elif run["word"]:
            spans += _split_letters(text, shape, start, position)
            start = position
        if start < position:
            spans.append((start, position))
    return spans


def _split_letters(text: str, shape: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split text without spaces into letters with their marks; words in scripts with spaces and numbers stay whole."""
    spans: list[tuple[int, int]] = []
    is_previous_unspaced = True
    for position in range(start, end):
        is_unspaced = shape[position] == "a" and _UNSPACED.match(text, position) is not None
        if spans and (shape[position] == "m" or not (is_unspaced or is_previous_unspaced)):
            spans[-1] = (spans[-1][0], position + 1)
        else:
            spans.append((position, position + 1))
            is_previous_unspaced = is_unspaced
    return spans


def _find_elision_end(text: str, start: int, end: int, rules: Language) -> int:
    """Return the end of an elided word, apostrophe included, at the beginning of text[start:end]; 0 for none."""
    match = rules.elision.match(text, start)
    if match is None or start >= end or rules.elision_exceptions.match(text, start):
        return 0
    # The apostrophe belongs to the word before a word ("l'Alliance") and before a quotation or bracket (l'"Alliance"),
    # but closes a quotation in "la lettre 'l'."
    if match.end() < end or text[match.end() : match.end() + 1] in ('"', "("):
        return match.end()
    return 0


def is_word(text: str) -> bool:
    """Return whether a text has a letter or a digit; anything else is punctuation."""
    return any(character.isalnum() for character in text)


def count_without_punctuation(words: Iterable[str]) -> int:
    """Count the words of `split_words` that have a letter or a digit."""
    return sum(map(is_word, words))


def is_content_word(word: str, language: str) -> bool:
    """Return whether a word of `split_words` carries content: any but the language's function words.

    Function words are a short closed list (model/text/languages.py). Negations and modal verbs are not among them: a
    translation without them means something else. One content part makes a hyphenated word a content word. Raises
    ValueError for an invalid language code.
    """
    function_words = get_language(language).function_words
    return any(is_word(part) and part not in function_words for part in word.casefold().split("-"))
