"""Text normalisation: one canonical form for typed sentences, corpora and reference translations.

Networks see only this form, so variants of a character never become different pieces. French typography (the space
before "?" or inside guillemets) is removed here and restored for display.
"""

import functools
import re
import unicodedata
from typing import NewType

import regex

from model.text.hangul import LEADS, TAILS, VOWELS, compose_syllable

NormalisedText = NewType("NormalisedText", str)
"""A text in canonical form, made by `normalise` where a text enters: a page's request, a file, a corpus."""

APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\uff07`\u00b4"
_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u301d\u301e\u301f\uff02"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2043\u2212\ufe63\uff0d"
_LONG_DASHES = "\u2014\u2015\u2e3a\u2e3b"
# Invisible characters that Unicode counts as visible: fillers and the blank braille pattern.
BLANK_CHARACTERS = "\u115f\u1160\u3164\uffa0\u2800"
_GRAPHEME_JOINER = "\u034f"


class _CharacterTable(dict[int, str | int]):
    """A lazily filled table for `str.translate`; "" drops a character."""

    def __missing__(self, code: int) -> str | int:
        self[code] = value = _map_character(chr(code))
        return value


def _map_character(character: str) -> str:
    """Return the replacement of a character; most stay as they are."""
    if character == "\u2581":  # SentencePiece's space mark
        return "_"
    if character in APOSTROPHES:
        return "'"
    if character in _QUOTES:
        return '"'
    if character in _HYPHENS:
        return "-"
    if character in _LONG_DASHES:  # English has no spaces around them; a hyphen alone would join two words
        return " - "
    if character == "\u2026":
        return "..."
    if character.isspace() or character in BLANK_CHARACTERS:
        return " "
    if is_invisible(character):
        return ""
    return character


def is_invisible(character: str) -> bool:
    """Return whether a character is invisible: control, format (zero-width, bidirectional, soft hyphen), surrogate."""
    return character == _GRAPHEME_JOINER or unicodedata.category(character) in ("Cc", "Cf", "Cs")


# Emoji sequences with invisible characters: families, joined by U+200D, and flags of regions, spelled in tags.
_PICTURE = r"\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*"
_JOINED_EMOJI = regex.compile(rf"({_PICTURE}(?:\u200D{_PICTURE})+|\U0001F3F4[\U000E0020-\U000E007E]{{3,6}}\U000E007F)")


def find_joined_emoji(text: str) -> list[tuple[int, int]]:
    """Return the spans of emoji sequences, whose invisible characters must be kept."""
    if "\u200d" not in text and "\U000e007f" not in text:
        return []
    return [match.span() for match in _JOINED_EMOJI.finditer(text)]


# Korean text has full-width signs and letters, half-width Hangul, and older quotation marks, stops and middle dots.
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3\uffa1-\uffdc]")
_HALF_WIDTH = re.compile("[\uffa1-\uffdc]+")
_JAMO_SYLLABLE = re.compile(f"([{LEADS}])([{VOWELS}])([{''.join(TAILS)}](?![{VOWELS}]))?")
_KOREAN_SIGNS = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "「」『』｢｣《》〈〉〝〞。｡、､・･ㆍ〜～", '""""""""""""..,,···~~'
)


def _normalise_korean(text: str) -> str:
    """Return a text with Hangul in the usual signs: "ﾾￂﾤ！" as "한!"."""
    text = _HALF_WIDTH.sub(lambda match: _compose_half_width(match[0]), text)
    return text.translate(_KOREAN_SIGNS)


def _compose_half_width(letters: str) -> str:
    """Return half-width Hangul as syllables, and as single letters where they form none."""
    wide = "".join(chr(int(unicodedata.decomposition(letter)[-4:] or f"{ord(letter):04X}", 16)) for letter in letters)
    return _JAMO_SYLLABLE.sub(lambda match: compose_syllable(*match.groups(default="")), wide)


_TABLE = _CharacterTable()
# Ordering a run of combining marks takes quadratic time; Unicode's stream-safe format allows 30 in a row.
_POSSIBLE_MARKS = re.compile("[\u0300-\U0001ffff]{31}")  # a fast test before the exact one
_SURROGATES = re.compile("[\ud800-\udfff]")
_OPENING = re.compile("[«‹] ?")
_CLOSING = re.compile(" ?[»›]")
_BEFORE_MARK = re.compile(" ([?!:;])")


def normalise(text: str) -> NormalisedText:
    """Return the canonical form of a text, the same for all languages. Idempotent.

    NFC; one apostrophe and one double quote, also for guillemets; "-" for every dash, "..." for the ellipsis; single
    spaces, none at the ends or before "?", "!", ":" and ";"; no invisible characters, except within emoji sequences;
    "_" for U+2581; at most 30 combining marks in a row. Surrogate pairs are joined and lone surrogates become U+FFFD,
    so that the result can be encoded as UTF-8. In a text with Hangul, full-width and older signs get their usual form.
    """
    if not text.isascii():
        text = _compose(join_surrogates(text))
        if _HANGUL.search(text):
            text = _normalise_korean(text)
    parts: list[str] = []
    end = 0
    for start, emoji_end in find_joined_emoji(text):
        parts += [text[end:start].translate(_TABLE), text[start:emoji_end]]
        end = emoji_end
    text = "".join([*parts, text[end:].translate(_TABLE)]).replace("''", '"')
    text = " ".join(text.split())
    text = _OPENING.sub('"', text)
    text = _CLOSING.sub('"', text)
    text = _BEFORE_MARK.sub(r"\1", text)
    # A removed character or space may have separated a letter from a combining mark.
    return NormalisedText(text if text.isascii() else _compose(text))


def join_surrogates(text: str) -> str:
    """Return a text with surrogate pairs joined, and U+FFFD for lone surrogates."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _compose(text: str) -> str:
    """Return the text in NFC, with runs of combining marks cut to 30."""
    if _POSSIBLE_MARKS.search(text):
        text = _build_excess_marks_pattern().sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


@functools.cache
def _build_excess_marks_pattern() -> re.Pattern[str]:
    """Return the pattern of a run of over 30 combining marks, built on first use from all of Unicode."""
    marks = "".join(character for character in map(chr, range(0x300, 0x20000)) if unicodedata.combining(character))
    return re.compile(f"([{marks}]{{30}})[{marks}]+")
