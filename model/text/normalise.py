"""One canonical form for every text that enters: a sentence typed, a line of a corpus, a reference translation.

The networks see only this form, so two spellings of the same apostrophe never become two different pieces. French
typography (the space before "?" or inside guillemets) is left out here and set again only on the screen.
"""

import functools
import re
import unicodedata
from typing import NewType

import regex

Normalised = NewType("Normalised", str)
"""A text in canonical form. `normalise` makes it, once, where a text enters: a page's request, a line of a file, a
corpus being cleaned. Whatever comes after takes only this type."""

APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\uff07`\u00b4"
_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u301d\u301e\u301f\uff02"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2043\u2212\ufe63\uff0d"
_LONG_DASHES = "\u2014\u2015\u2e3a\u2e3b"
# Letters and signs that Unicode counts as visible but that are drawn as nothing: fillers and the blank braille pattern.
BLANK_CHARACTERS = "\u115f\u1160\u3164\uffa0\u2800"
_JOINER = "\u034f"


class _CharacterTable(dict[int, str | int]):
    """Table for `str.translate`, filled as characters are met: what each one becomes ("" drops it)."""

    def __missing__(self, code: int) -> str | int:
        self[code] = value = _map_character(chr(code))
        return value


def _map_character(character: str) -> str:
    """What one character becomes; most stay as they are."""
    if character == "\u2581":  # SentencePiece writes a space as this sign, so a text must not contain it
        return "_"
    if character in APOSTROPHES:
        return "'"
    if character in _QUOTES:
        return '"'
    if character in _HYPHENS:
        return "-"
    if character in _LONG_DASHES:  # unspaced in English ("word\u2014word"); a bare hyphen would make one word of two
        return " - "
    if character == "\u2026":
        return "..."
    if character.isspace() or character in BLANK_CHARACTERS:
        return " "
    if is_invisible(character):
        return ""
    return character


def is_invisible(character: str) -> bool:
    """Whether a character is drawn as nothing: control, format (zero-width, bidirectional, soft hyphen), surrogate."""
    return character == _JOINER or unicodedata.category(character) in ("Cc", "Cf", "Cs")


# Emoji that invisible characters make one of several: a family, joined by U+200D; a flag of a region, spelled in tags.
_PICTURE = r"\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*"
_JOINED_EMOJI = regex.compile(rf"({_PICTURE}(?:\u200D{_PICTURE})+|\U0001F3F4[\U000E0020-\U000E007E]{{3,6}}\U000E007F)")


def find_joined_emoji(text: str) -> list[tuple[int, int]]:
    """The spans of the emoji in a text that invisible characters hold together, which are part of them."""
    if "\u200d" not in text and "\U000e007f" not in text:
        return []
    return [match.span() for match in _JOINED_EMOJI.finditer(text)]


_TABLE = _CharacterTable()
# Putting a run of marks in order takes time with its square; Unicode's stream-safe text has at most 30 in a row.
_FAR_FROM_LATIN = re.compile("[\u0300-\U0001ffff]{31}")  # quickly found, and rare
_SURROGATES = re.compile("[\ud800-\udfff]")
_OPENING = re.compile("[«‹] ?")
_CLOSING = re.compile(" ?[»›]")
_BEFORE_MARK = re.compile(" ([?!:;])")


def normalise(text: str) -> Normalised:
    """Return the canonical form of a text, the same for English and French.

    NFC; one apostrophe, one double quote, "-" for every dash, "..." for the ellipsis; every run of white space one
    space, none at the ends; zero-width, soft-hyphen and control characters removed, but for those within an emoji
    (`joined_emoji`); U+2581 becomes "_"; guillemets
    become double quotes; no space before "?", "!", ":" and ";"; at most 30 combining marks in a row. Halves of
    surrogate pairs are joined, and lone ones become U+FFFD, so the result can always be written as UTF-8. Idempotent.
    """
    if not text.isascii():
        if _SURROGATES.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = _compose(text)
    parts: list[str] = []
    end = 0
    for start, following in find_joined_emoji(text):
        parts += [text[end:start].translate(_TABLE), text[start:following]]
        end = following
    text = "".join([*parts, text[end:].translate(_TABLE)]).replace("''", '"')
    text = " ".join(text.split())
    text = _OPENING.sub('"', text)
    text = _CLOSING.sub('"', text)
    text = _BEFORE_MARK.sub(r"\1", text)
    # Dropping a character between a letter and an accent, or a space before one, can bring the two together.
    return Normalised(text if text.isascii() else _compose(text))


def _compose(text: str) -> str:
    """NFC of the text, its runs of combining marks cut to 30 first."""
    if _FAR_FROM_LATIN.search(text):
        text = _excess_marks_pattern().sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


@functools.cache
def _excess_marks_pattern() -> re.Pattern[str]:
    """A run of more than 30 combining marks; made from all of Unicode, and so not before it is needed."""
    marks = "".join(character for character in map(chr, range(0x300, 0x20000)) if unicodedata.combining(character))
    return re.compile(f"([{marks}]{{30}})[{marks}]+")
