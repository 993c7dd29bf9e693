"""The words a reader sees: what α is drawn over, and what the pieces of the vocabulary are bracketed into."""

import re
import unicodedata

from model.text import languages
from model.text.languages import Language


class _ShapeTable(dict[int, str]):
    """Table for `str.translate`: the kind of each character, in one sign of the same length as the character."""

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


_TABLE = _ShapeTable()
_ASIAN = 0x0E00  # scripts from Thai on: those before divide words by spaces
# Letters and digits; then, inside, a hyphen, an apostrophe, or a point, comma or colon between digits. Everything
# else that is not a space runs together as punctuation. Marks go with what they stand on.
_RUN = re.compile(r"(?P<word>[a0][a0m]*(?:(?:['-](?=[a0])|(?<=0)[.,:](?=0))[a0][a0m]*)*)|[^a0 ]+")


def split_words(text: str, language: str) -> list[tuple[int, int]]:
    """Return the spans (start, end), in characters, of the words of a normalised text, in order.

    A run of letters and digits is a word, with its inner hyphens ("a-t-il"), inner apostrophes ("don't") and inner
    number punctuation ("1,300.5"); a run of other signs is a word ("?!"). Where the language elides, as French does, an
    elided word ends with its apostrophe: "l'Alliance" is "l'" and "Alliance", but "aujourd'hui" and "quelqu'un" stay
    whole. Where it has no spaces, every letter is a word. The spans cover everything but the white space.
    Raises ValueError for what is no language code.
    """
    rules = languages.get_language(language)
    spans: list[tuple[int, int]] = []
    shape = text.translate(_TABLE)
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
    """The letters of a script without spaces, each with its marks; what is Latin or a number stays whole."""
    spans: list[tuple[int, int]] = []
    alone = True
    for place in range(start, end):
        letter = shape[place] == "a" and ord(text[place]) >= _ASIAN
        if spans and (shape[place] == "m" or not (letter or alone)):
            spans[-1] = (spans[-1][0], place + 1)
        else:
            spans.append((place, place + 1))
            alone = letter
    return spans


def _find_elision_end(text: str, start: int, end: int, rules: Language) -> int:
    """Where the elided word that begins text[start:end] ends, after its apostrophe; 0 where none begins there."""
    elided = rules.elision.match(text, start)
    if elided is None or start >= end or rules.elision_exceptions.match(text, start):
        return 0
    # The apostrophe is the word's own before a word ("l'Alliance") and before a quotation or bracket (l'"Alliance"),
    # but closes a quotation in "la lettre 'l'."
    if elided.end() < end or text[elided.end() : elided.end() + 1] in ('"', "("):
        return elided.end()
    return 0
