"""Grouping of a toolkit's tokens into words, and special tokens.

Toolkits mark words in these ways; the first one found on a side applies:

▁word         SentencePiece: the mark begins a word
Ġword, Ċword  byte-level BPE (GPT-2, BART, RoBERTa): a space or a line break before the token
word</w>      the original BPE: the mark ends a word
￭word, word￭  OpenNMT's tokenizer: the joiner glues a token to its neighbour on that side
wo@@ rd       subword-nmt: the word continues in the next token
wo ##rd       WordPiece: the token continues a word

A side without any mark has whole words. SentencePiece spells rare characters as bytes, `<0xC3>` each; byte-level BPE
spells everything as bytes, a character each. A token that is only part of a character stays as the toolkit writes it.

Special tokens (sentence start and end, padding, language codes) belong to no word.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

from model.trace import END_PIECE, WORD_START, Side

_BYTE_SPACE, _BYTE_BREAK = _BYTE_MARKS = "\u0120", "\u010a"  # Ġ and Ċ
_JOINER = "\uffed"  # ￭
_WORD_END = "</w>"

_ENDS = frozenset({"</s>", "</S>", "<eos>", "<EOS>", "[SEP]", "[EOS]", "<|endoftext|>", "<|im_end|>", "<|eot_id|>",
                   "<|end_of_text|>", "_EOS", "<end>"})  # fmt: skip
_STARTS = frozenset({"<s>", "<S>", "<bos>", "<BOS>", "<sos>", "<SOS>", "[CLS]", "[BOS]", "<start>", "<go>", "<GO>",
                     "_GO", "<|startoftext|>", "<|begin_of_text|>"})  # fmt: skip
_PADS = frozenset({"<pad>", "<PAD>", "[PAD]", "_PAD", "<blank>", "<|pad|>"})
# Without brackets these may be words: they are special at the beginning or the end of a side only.
_BARE_ENDS, _BARE_STARTS, _BARE_PADS = frozenset({"EOS"}), frozenset({"SOS", "BOS"}), frozenset({"PAD"})
_LANGUAGE_CODE = re.compile(
    r">>[A-Za-z_]{2,12}<<"  # OPUS-MT
    r"|__[a-z]{2,3}(?:_[A-Za-z]{2,4})?__"  # M2M-100
    r"|[a-z]{3}_[A-Z][a-z]{3}"  # NLLB
    r"|\[?[a-z]{2,3}_[A-Z]{2}\]?"  # mBART and fairseq
    r"|<2[a-z]{2,3}(?:_[A-Za-z]{2,4})?>"  # MADLAD and multilingual T5
)
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))  # bytes that GPT-2 writes as characters
_BYTE_VALUES = {chr(byte): byte for byte in _PRINTABLE} | {
    chr(0x100 + number): byte for number, byte in enumerate(byte for byte in range(0x100) if byte not in _PRINTABLE)}

ByteSpelling = Callable[[str], bytes]
"""Returns the UTF-8 bytes of a token without its mark."""


def build_side(tokens: Sequence[str]) -> Side:
    """Build one side of a translation; special tokens get the word number -1."""
    is_special = find_special(tokens)
    unmarked, starts_word, spell = _strip_marks(tokens, is_special)
    texts = [_decode(spell(text)) or text or token for text, token in zip(unmarked, tokens, strict=True)]
    word_positions: list[list[int]] = []
    word_of: list[int] = []
    for position, is_start in enumerate(starts_word):
        if is_special[position]:
            word_of.append(-1)
            continue
        if is_start or not word_positions or (position > 0 and is_special[position - 1]):
            word_positions.append([])
        word_positions[-1].append(position)
        word_of.append(len(word_positions) - 1)
    words = [_decode(b"".join(spell(unmarked[position]) for position in positions))
             or "".join(texts[position] for position in positions) for positions in word_positions]
    pieces = [token if is_special[position] else WORD_START * _is_first(word_of, position) + text
              for position, (token, text) in enumerate(zip(tokens, texts, strict=True))]
    if len(tokens) > 1 and is_end(tokens[-1]):
        pieces[-1] = END_PIECE
    return Side(" ".join(words), tuple(words), tuple(pieces), tuple(word_of))


def has_end(tokens: Sequence[str]) -> bool:
    """Return whether special tokens (end of sentence, padding, language code) follow the last word of a side."""
    last_word = max((position for position, is_special in enumerate(find_special(tokens)) if not is_special), default=0)
    return not all(map(_is_line_break, tokens[last_word + 1 :]))


def has_words(tokens: Sequence[str]) -> bool:
    """Return whether there are tokens that are not special."""
    return not all(find_special(tokens))


def is_end(token: str) -> bool:
    return token in _ENDS or token in _BARE_ENDS


def is_start(token: str) -> bool:
    """Return whether a decoder may start with this token; some models start with padding or the end token."""
    return token in _STARTS or token in _BARE_STARTS or token in _PADS or token in _ENDS


def find_special(tokens: Sequence[str]) -> list[bool]:
    """Return for each token whether it is special. Language codes and words such as EOS count at the edges only."""
    special = [token in _ENDS or token in _STARTS or token in _PADS or _is_line_break(token) for token in tokens]
    for position, token in enumerate(tokens):
        if not special[position] and not (token in _BARE_STARTS or _LANGUAGE_CODE.fullmatch(token)):
            break
        special[position] = True
    for position in range(len(tokens) - 1, 0, -1):
        token = tokens[position]
        if not special[position] and not (token in _BARE_ENDS | _BARE_PADS or _LANGUAGE_CODE.fullmatch(token)):
            break
        special[position] = True
    return special


def _is_line_break(token: str) -> bool:
    return bool(token) and not token.strip(_BYTE_BREAK)


def _is_first(word_of: Sequence[int], position: int) -> bool:
    return position == 0 or word_of[position - 1] != word_of[position]


def _strip_marks(tokens: Sequence[str], is_special: Sequence[bool]) -> tuple[list[str], list[bool], ByteSpelling]:
    """Return the tokens without marks (maybe empty), whether each starts a word, and the spelling."""
    body = [token for token, special in zip(tokens, is_special, strict=True) if not special]
    pairs = list(zip([None, *tokens[:-1]], tokens, strict=True))  # each token with the one before

    def is_used(has_mark: Callable[[str], bool]) -> bool:
        return any(map(has_mark, body))

    def find_starts(marks: tuple[str, ...]) -> list[bool]:
        return [token.startswith(marks) or _is_bracketed(token) or previous is None or _is_bracketed(previous)
                for previous, token in pairs]  # fmt: skip

    if is_used(lambda token: token.startswith(WORD_START)):
        return [token.removeprefix(WORD_START) for token in tokens], find_starts((WORD_START,)), _spell_sentencepiece
    if is_used(lambda token: token.startswith(_BYTE_MARKS)):
        unmarked = [token.lstrip(_BYTE_BREAK).removeprefix(_BYTE_SPACE) for token in tokens]
        return unmarked, find_starts(_BYTE_MARKS), _spell_bytes
    if is_used(lambda token: token.endswith(_WORD_END)):
        starts = [previous is None or previous.endswith(_WORD_END) for previous, _ in pairs]
        return [token.removesuffix(_WORD_END) for token in tokens], starts, str.encode
    if is_used(lambda token: token.startswith(_JOINER) or token.endswith(_JOINER)):
        starts = [not token.startswith(_JOINER) and not (previous or "").endswith(_JOINER) for previous, token in pairs]
        return [token.removeprefix(_JOINER).removesuffix(_JOINER) for token in tokens], starts, str.encode
    if is_used(lambda token: token.endswith("@@") and len(token) > 2):
        starts = [not (previous or "").endswith("@@") for previous, _ in pairs]
        return [token.removesuffix("@@") or token for token in tokens], starts, str.encode
    starts = [not token.startswith("##") or len(token) <= 2 for token in tokens]
    unmarked = [token if is_start else token.removeprefix("##") for token, is_start in zip(tokens, starts, strict=True)]
    return unmarked, starts, str.encode


def _spell_sentencepiece(token: str) -> bytes:
    byte = _BYTE.fullmatch(token)
    return bytes.fromhex(byte[1]) if byte else token.encode()


def _spell_bytes(token: str) -> bytes:
    """Return the bytes of a token of byte-level BPE; a token with other characters is plain text."""
    values = [_BYTE_VALUES[character] for character in token if character in _BYTE_VALUES]
    return bytes(values) if len(values) == len(token) else token.encode()


def _decode(data: bytes) -> str:
    """Decode UTF-8; return "" for invalid or invisible text."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.strip() and all(unicodedata.category(character) != "Cc" for character in text) else ""


def _is_bracketed(token: str) -> bool:
    """Return whether a token is no text, such as <unk> or [MASK]; bytes such as <0xC3> are text."""
    return len(token) > 2 and (token[0], token[-1]) in {("<", ">"), ("[", "]"), (">", "<")} \
        and not _BYTE.fullmatch(token)
