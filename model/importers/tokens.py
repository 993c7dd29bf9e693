"""Groups the tokens of a toolkit into words, and recognises special tokens.

Toolkits mark words in these ways; the first kind that a side has is the one that counts:

▁word         SentencePiece: the mark begins a word
Ġword, Ċword  byte-level BPE (GPT-2, BART, RoBERTa): a space or a line break before the token
word</w>      the original BPE: the mark ends a word
￭word, word￭  OpenNMT's tokenizer: the joiner glues a token to its neighbour on that side
wo@@ rd       subword-nmt: the word continues in the next token
wo ##rd       WordPiece: the token continues a word

A side without any of them has whole words. SentencePiece spells rare characters as bytes, `<0xC3>` each; byte-level BPE
spells everything as bytes, one character each. A token that is only a part of a character stays as the toolkit writes
it.

Special tokens (sentence start and end, padding, language codes) belong to no word.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

from model.trace import END_PIECE, WORD_START, Side

_BYTE_SPACE, _BYTE_BREAK = "\u0120", "\u010a"  # Ġ and Ċ
_JOINER = "\uffed"  # ￭
_WORD_END = "</w>"

_ENDS = frozenset({"</s>", "</S>", "<eos>", "<EOS>", "[SEP]", "[EOS]", "<|endoftext|>", "<|im_end|>", "<|eot_id|>",
                   "<|end_of_text|>", "_EOS", "<end>"})  # fmt: skip
_STARTS = frozenset({"<s>", "<S>", "<bos>", "<BOS>", "<sos>", "<SOS>", "[CLS]", "[BOS]", "<start>", "<go>", "<GO>",
                     "_GO", "<|startoftext|>", "<|begin_of_text|>"})  # fmt: skip
_PADS = frozenset({"<pad>", "<PAD>", "[PAD]", "_PAD", "<blank>", "<|pad|>"})
# Without brackets these may be words: they count at the beginning or the end of a side only.
_BARE_ENDS, _BARE_STARTS, _BARE_PADS = frozenset({"EOS"}), frozenset({"SOS", "BOS"}), frozenset({"PAD"})
_LANGUAGE_CODE = re.compile(
    r">>[A-Za-z_]{2,12}<<"  # OPUS-MT
    r"|__[a-z]{2,3}(?:_[A-Za-z]{2,4})?__"  # M2M-100
    r"|[a-z]{3}_[A-Z][a-z]{3}"  # NLLB
    r"|\[?[a-z]{2,3}_[A-Z]{2}\]?"  # mBART and fairseq
    r"|<2[a-z]{2,3}(?:_[A-Za-z]{2,4})?>"  # MADLAD and multilingual T5
)
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_PLAIN = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))  # bytes that GPT-2 writes as their characters
_BYTES = {chr(byte): byte for byte in _PLAIN} | {
    chr(0x100 + number): byte for number, byte in enumerate(byte for byte in range(0x100) if byte not in _PLAIN)}

ByteSpelling = Callable[[str], bytes]
"""Turns a token without its mark into the UTF-8 that it stands for."""


def build_side(tokens: Sequence[str]) -> Side:
    """Build one side of a translation; special tokens get the word number -1."""
    special = find_special(tokens)
    bare, starts_word, spell = _strip_marks(tokens, special)
    texts = [_decode(spell(one)) or one or token for one, token in zip(bare, tokens, strict=True)]
    members: list[list[int]] = []  # of each word the positions of its tokens
    word_of: list[int] = []
    for position, is_start in enumerate(starts_word):
        if special[position]:
            word_of.append(-1)
            continue
        if is_start or not members or (position > 0 and special[position - 1]):
            members.append([])
        members[-1].append(position)
        word_of.append(len(members) - 1)
    words = [_decode(b"".join(spell(bare[position]) for position in positions))
             or "".join(texts[position] for position in positions) for positions in members]
    pieces = [token if special[position] else WORD_START * _is_first(word_of, position) + text
              for position, (token, text) in enumerate(zip(tokens, texts, strict=True))]
    if len(tokens) > 1 and is_end(tokens[-1]):
        pieces[-1] = END_PIECE
    return Side(" ".join(words), tuple(words), tuple(pieces), tuple(word_of))


def has_end(tokens: Sequence[str]) -> bool:
    """Say whether a side has its end of sentence, or padding or a language code, before which its end would stand."""
    special = find_special(tokens)
    last_word = max((position for position, one in enumerate(special) if not one), default=0)
    return not all(map(_is_line_break, tokens[last_word + 1 :]))


def has_words(tokens: Sequence[str]) -> bool:
    """Say whether anything but special tokens is there."""
    return not all(find_special(tokens))


def is_end(token: str) -> bool:
    return token in _ENDS or token in _BARE_ENDS


def is_start(token: str) -> bool:
    """Say whether a decoder may have been started with this token; several models start with padding or the end."""
    return token in _STARTS or token in _BARE_STARTS or token in _PADS or token in _ENDS


def find_special(tokens: Sequence[str]) -> list[bool]:
    """Say of each token whether it is special. Language codes and words such as EOS count at the edges only."""
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


def _strip_marks(tokens: Sequence[str], special: Sequence[bool]) -> tuple[list[str], list[bool], ByteSpelling]:
    """Return the tokens without their marks (maybe empty), which of them start a word, and how they are spelt."""
    body = [token for token, is_special in zip(tokens, special, strict=True) if not is_special]
    before = [None, *tokens[:-1]]

    def any_of(has_mark: Callable[[str], bool]) -> bool:
        return any(map(has_mark, body))

    if any_of(lambda token: token.startswith(WORD_START)):
        starts = [token.startswith(WORD_START) or _is_bracketed(token) or previous is None or _is_bracketed(previous)
                  for token, previous in zip(tokens, before, strict=True)]
        return [token.removeprefix(WORD_START) for token in tokens], starts, _spell_sentencepiece
    if any_of(lambda token: token.startswith((_BYTE_SPACE, _BYTE_BREAK))):
        starts = [token.startswith((_BYTE_SPACE, _BYTE_BREAK)) or _is_bracketed(token) or previous is None
                  or _is_bracketed(previous) for token, previous in zip(tokens, before, strict=True)]
        return [token.lstrip(_BYTE_BREAK).removeprefix(_BYTE_SPACE) for token in tokens], starts, _spell_bytes
    if any_of(lambda token: token.endswith(_WORD_END)):
        starts = [previous is None or previous.endswith(_WORD_END) for previous in before]
        return [token.removesuffix(_WORD_END) for token in tokens], starts, str.encode
    if any_of(lambda token: token.startswith(_JOINER) or token.endswith(_JOINER)):
        starts = [not token.startswith(_JOINER) and not (previous or "").endswith(_JOINER)
                  for token, previous in zip(tokens, before, strict=True)]
        return [token.removeprefix(_JOINER).removesuffix(_JOINER) for token in tokens], starts, str.encode
    if any_of(lambda token: token.endswith("@@") and len(token) > 2):
        starts = [not (previous or "").endswith("@@") for previous in before]
        return [token.removesuffix("@@") or token for token in tokens], starts, str.encode
    continues = [token.startswith("##") and len(token) > 2 for token in tokens]
    bare = [token.removeprefix("##") if one else token for token, one in zip(tokens, continues, strict=True)]
    return bare, [not one for one in continues], str.encode


def _spell_sentencepiece(token: str) -> bytes:
    byte = _BYTE.fullmatch(token)
    return bytes.fromhex(byte[1]) if byte else token.encode()


def _spell_bytes(token: str) -> bytes:
    """Spell a token of byte-level BPE; one with other characters than that writes is text already."""
    found = [_BYTES[character] for character in token if character in _BYTES]
    return bytes(found) if len(found) == len(token) else token.encode()


def _decode(spelt: bytes) -> str:
    """Decode UTF-8; return "" where it is none, or nothing that can be seen."""
    try:
        text = spelt.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.strip() and all(unicodedata.category(character) != "Cc" for character in text) else ""


def _is_bracketed(token: str) -> bool:
    """Say whether the token is one that no text holds, such as <unk> or [MASK]; a byte such as <0xC3> is none."""
    return len(token) > 2 and (token[0], token[-1]) in {("<", ">"), ("[", "]"), (">", "<")} \
        and not _BYTE.fullmatch(token)
