"""Pad sentences of token ids to a batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from model.text.vocabulary import PAD


def pad_sequences(sentences: Sequence[Sequence[int] | npt.NDArray[np.uint16]]) -> npt.NDArray[np.int64]:
    """Return sentences of token ids padded on the right: (sentences, longest)."""
    padded = np.full((len(sentences), max(len(sentence) for sentence in sentences)), PAD, dtype=np.int64)
    for row, sentence in zip(padded, sentences, strict=True):
        row[: len(sentence)] = sentence
    return padded
