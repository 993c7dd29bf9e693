"""Pieces with a leading space for a trained vocabulary, so that a space is seldom a token of its own.

Where many short stems and endings are separate pieces, training keeps "않" and drops "▁않", and words begin with a
token without text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from model.trace import WORD_START

_NORMAL = 1  # the type of an ordinary piece


def attach_spaces(model: bytes, lines: Iterable[str], count: int) -> bytes:
    """Return a SentencePiece model with the `count` most useful pieces added, found on lines of text."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2

    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    piece_counts: Counter[str] = Counter()
    total = 0
    for pieces in processor.Encode(list(lines), out_type=str):
        total += len(pieces)
        piece_counts.update(piece for previous_piece, piece in pairwise(pieces) if previous_piece == WORD_START)
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)  # type: ignore[attr-defined]
    known = {piece.piece for piece in proto.pieces}
    usable = {piece.piece for piece in proto.pieces
              if piece.type == _NORMAL and piece.piece[0] != WORD_START and WORD_START + piece.piece not in known}
    new_pieces = [(piece, number) for piece, number in piece_counts.most_common() if piece in usable][:count]
    for piece, number in new_pieces:
        proto.pieces.add(piece=WORD_START + piece, score=math.log(number / total))
    lowest = min(piece.score for piece in proto.pieces)
    for piece in proto.pieces:
        if piece.piece == WORD_START:
            piece.score = lowest - 1  # only where no piece with a space fits
    proto.trainer_spec.vocab_size = len(proto.pieces)
    return bytes(proto.SerializeToString(deterministic=True))
