"""Tokens and words as the pictures of the ideas show them. A dot marks a token that continues a word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model.trace import END_PIECE, UNK_PIECE, UNK_WORD, WORD_START, Side
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_piece, format_pieces


def label_tokens(side: Side, t: Messages) -> list[str]:
    """Return the label of each token: its text, after a dot where it continues a word."""
    labels = []
    texts = format_pieces(side, t("gradients.end"))
    for position, (text, word) in enumerate(zip(texts, side.word_of, strict=True)):
        labels.append(f"·{text}" if word >= 0 and word in side.word_of[:position] else text)
    return labels


def label_token(piece: str, t: Messages) -> str:
    """Return the label of a token that stands in no sentence; a dot if it starts with a letter or digit, without the
    mark of a word's start."""
    text = format_piece(piece, t("gradients.end"))
    return f"·{text}" if piece != END_PIECE and piece[:1].isalnum() else text


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
