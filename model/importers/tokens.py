"""Which tokens of a toolkit make a word, and which of them end a sentence.

Toolkits cut words in four ways: SentencePiece marks the beginning of a word (U+2581), GPT-2's byte pairs too (U+0120),
subword-nmt marks what goes on (@@ at the end of a piece), WordPiece what goes on with a word (## at its beginning).
A list in which none of these marks is found has whole words.

What a piece cannot say in characters it says in bytes: GPT-2's always, a character each, SentencePiece's where its
vocabulary lacks a character, a piece <0xC3> each. Words are put together from them; a piece that is a part of a
character only stays as the toolkit writes it.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

from model.trace import END_PIECE, WORD_START, Side

BYTE_START = "\u0120"  # GPT-2's: a space before the piece
ENDS = frozenset({"</s>", "<eos>", "</S>", "<EOS>", "EOS", "[SEP]", "<|endoftext|>", "<|im_end|>", "_EOS", "<end>"})
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_PLAIN = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))  # bytes that GPT-2 writes as their characters
_BYTES = {chr(byte): byte for byte in _PLAIN} | {
    chr(0x100 + number): byte for number, byte in enumerate(byte for byte in range(0x100) if byte not in _PLAIN)}


def side(tokens: Sequence[str], *, ends: bool) -> Side:
    """One side of a translation by its tokens; with `ends`, the last of them is the end of the sentence."""
    body = list(tokens[:-1]) if ends else list(tokens)
    bare, begins, spelt = _cut(body)
    texts = [_text(spelt(one)) or one or token for one, token in zip(bare, body, strict=True)]
    parts: list[list[int]] = []  # of each word the places of its tokens
    word_of: list[int] = []
    for place, begin in enumerate(begins):
        if begin or not parts:
            parts.append([])
        parts[-1].append(place)
        word_of.append(len(parts) - 1)
    words = [_text(b"".join(spelt(bare[place]) for place in part)) or "".join(texts[place] for place in part)
             for part in parts]
    pieces = [WORD_START + text if begin else text for text, begin in zip(texts, begins, strict=True)]
    if ends:
        pieces.append(END_PIECE)
        word_of.append(-1)
    return Side(" ".join(words), tuple(words), tuple(pieces), tuple(word_of))


def ends(tokens: Sequence[str]) -> bool:
    """Whether the last token is an end of the sentence that some toolkit writes."""
    return len(tokens) > 1 and tokens[-1] in ENDS


def _cut(body: list[str]) -> tuple[list[str], list[bool], Callable[[str], bytes]]:
    """The tokens without their marks, of which nothing may be left; which of them begin a word; and what tells the
    UTF-8 that such a token stands for."""
    for mark, spelt in ((WORD_START, _by_pieces), (BYTE_START, _by_characters)):
        if any(token.startswith(mark) for token in body):
            begins = [token.startswith(mark) or _special(token) or number == 0 or _special(body[number - 1])
                      for number, token in enumerate(body)]
            return [token.removeprefix(mark) for token in body], begins, spelt
    if any(token.endswith("@@") and len(token) > 2 for token in body):
        begins = [number == 0 or not body[number - 1].endswith("@@") for number in range(len(body))]
        return [token.removesuffix("@@") or token for token in body], begins, str.encode
    goes_on = [token.startswith("##") and len(token) > 2 for token in body]
    return ([token.removeprefix("##") if on else token for token, on in zip(body, goes_on, strict=True)],
            [not on for on in goes_on], str.encode)


def _by_pieces(token: str) -> bytes:
    """As SentencePiece has it."""
    byte = _BYTE.fullmatch(token)
    return bytes.fromhex(byte[1]) if byte else token.encode()


def _by_characters(token: str) -> bytes:
    """As GPT-2 has it; what holds other characters than it writes is text already."""
    found = [_BYTES[character] for character in token if character in _BYTES]
    return bytes(found) if len(found) == len(token) else token.encode()


def _text(spelt: bytes) -> str:
    """UTF-8 as text; "" where it is none, or none that can be seen."""
    try:
        text = spelt.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.strip() and all(unicodedata.category(character) != "Cc" for character in text) else ""


def _special(token: str) -> bool:
    """Whether the token is one that no text holds, as <s>, [CLS] or >>fra<<; a byte such as <0xC3> is none."""
    return len(token) > 2 and (token[0], token[-1]) in {("<", ">"), ("[", "]"), (">", "<")} \
        and not _BYTE.fullmatch(token)
