"""Tokens and words as the pictures of the ideas show them. A dot marks a token that continues a word."""

from __future__ import annotations

from model.trace import END_PIECE, Side
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
