"""Text and numbers as a language prints them, for the screen only: Traces, exports and scores keep canonical text."""

import re
from collections.abc import Sequence

from model.text import languages
from model.text.languages import Language
from model.trace import END_PIECE, UNK_PIECE, UNK_WORD, WORD_START, Side
from pages.ui.i18n.messages import Messages

NARROW_SPACE = "\u202f"


def typeset(side: Side, language: str) -> list[tuple[str, str]]:
    """Return the words of `side` as (gap before the word, word), typeset by the rules of model/text/languages.py.

    French gets curly apostrophes, guillemets for straight quotes, and a narrow no-break space before ? ! : ; and inside
    guillemets. A word's index remains its index in `side.words`. Copied symbols are part of the gap before a word;
    `get_trailing_text` returns those after the last one.
    """
    rules = languages.get_language(language)
    opening, closing = rules.quotes
    typeset_words: list[tuple[str, str]] = []
    in_quotes = False
    for gap, word in split_gaps(side):
        typeset_word = ""
        for character in word:
            if character == '"':
                typeset_word += closing if in_quotes else opening
                in_quotes = not in_quotes
            elif character in rules.narrow_space_before and (
                typeset_word.endswith(closing) or _needs_space(word, typeset_word, rules)
            ):
                typeset_word += NARROW_SPACE + character
            else:
                typeset_word += rules.apostrophe if character == "'" else character
        if typeset_words and word[:1] and word[0] in rules.narrow_space_before and not word.startswith("://"):
            gap = gap.rstrip() + NARROW_SPACE
        elif typeset_word.startswith(NARROW_SPACE) or (typeset_words and typeset_words[-1][1].endswith(NARROW_SPACE)):
            gap = gap.strip()
        typeset_words.append((gap, typeset_word))
    return typeset_words


def typeset_with_tail(side: Side, language: str) -> list[tuple[str, str]]:
    """Return `typeset`, with the text after the last word as another entry whose word is empty."""
    tail = get_trailing_text(side)
    return [*typeset(side, language), *([(tail, "")] if tail else [])]


def typeset_text(side: Side, language: str) -> str:
    """Return the whole text of a side, typeset."""
    return "".join(gap + word for gap, word in typeset_with_tail(side, language)).strip()


def get_trailing_text(side: Side) -> str:
    """Return the text after the last word: copied symbols and the spaces before them."""
    last = side.word_spans[-1] if side.words else (0, 0)
    return side.text[last[1] :] if side.symbols and last else ""


def format_piece(piece: str, end: str) -> str:
    """Return a SentencePiece piece without its word marker; UNK by its name, `end` for the end of the sentence."""
    return end if piece == END_PIECE else UNK_WORD if piece == UNK_PIECE else piece.removeprefix(WORD_START) or "␣"


def format_pieces(side: Side, end: str) -> list[str]:
    """Return the pieces of a side as `format_piece`, but instead of UNK the word itself."""
    return [format_piece(side.get_written_piece(position), end) for position in range(len(side.pieces))]


def _needs_space(word: str, typeset_word: str, rules: Language) -> bool:
    """Return whether a sign in a run of signs is separated from those before it: "(demain) ?", but "?!"."""
    if not typeset_word or any(map(str.isalnum, word)) or word.startswith("://"):
        return False
    return typeset_word[-1] not in f"{rules.narrow_space_before}([{NARROW_SPACE}"


def split_gaps(side: Side) -> list[tuple[str, str]]:
    """Return the words of `side`, each with the text before it: nothing, a space, or copied symbols. Words that do not
    occur in the text of the side, as in imported files, get a space."""
    pairs: list[tuple[str, str]] = []
    end = 0
    for word, span in zip(side.words, side.word_spans, strict=True):
        pairs.append((side.text[end : span[0]], side.text[slice(*span)]) if span else (" ", word))
        end = span[1] if span else end
    return pairs


def format_decimal(value: float, decimals: int, has_plus: bool = False) -> str:
    """Format a number with a true minus sign, or a plus sign with `has_plus`. What rounds to zero has no sign."""
    text = f"{value:{'+' if has_plus else ''}.{decimals}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("+-")


def format_percent(share: float, t: Messages) -> str:
    """Format a share as a percentage without decimals: "57 %", in Korean "57%"."""
    return t("number.percent", share=f"{100 * share:.0f}")


def format_millions(number: int, t: Messages) -> str:
    """Format a number in words from 100,000 on: "6.8 million", "348 million", in Korean by powers of 10,000; smaller
    ones in digits."""
    if number < 100_000:
        return f"{number:,}"
    rounded = round(number, -5 if number < 10_000_000 else -6)
    powers = [10 ** int(power) for power in t("number.powers").split()]
    units = t("number.units").split()
    if len(powers) == 1:
        decimals = 1 if rounded < 10_000_000 else 0
        return t("number.part", count=f"{rounded / powers[0]:,.{decimals}f}", unit=units[0])
    parts = []
    for power, unit in zip(powers, units, strict=True):
        count, rounded = divmod(rounded, power)
        if count:
            parts.append(t("number.part", count=f"{count:,}", unit=unit))
    return " ".join(parts)


def join_tokens(pieces: Sequence[str]) -> str:
    """Return the text of some tokens without the end of the sentence. Bytes of an incomplete character become U+FFFD.
    """
    return b"".join(map(_encode_piece, pieces)).decode("utf-8", "replace").strip()


def _encode_piece(piece: str) -> bytes:
    """Return the UTF-8 bytes of a piece in a text, with the space before it."""
    if piece in (END_PIECE, UNK_PIECE):
        return f" {UNK_WORD}".encode() if piece == UNK_PIECE else b""
    is_byte = re.fullmatch("<0x[0-9A-F]{2}>", piece)
    return bytes([int(piece[3:5], 16)]) if is_byte else piece.replace(WORD_START, " ").encode()
