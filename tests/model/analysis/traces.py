"""Traces made by hand for the tests of the analyses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.trace import END_PIECE, WORD_START, Provenance, Side, Step, Trace, WeightMap


def build_side(*words: str, text: str = "") -> Side:
    """Return a side with one token per word, and the end. `text`: if not the words with spaces between them."""
    pieces = (*(WORD_START + word for word in words), END_PIECE)
    return Side(text or " ".join(words), words, pieces, (*range(len(words)), -1))


def build_trace(
    source: Side, target: Side, weights: Sequence[Sequence[float]] | np.ndarray | None, model: str = "m"
) -> Trace:
    """Return a greedy Trace with these attention weights; every token has the log-probability -0.5."""
    steps = tuple(Step(10, piece, -0.5) for piece in target.pieces)
    maps = () if weights is None else (WeightMap("attention", np.array(weights)),)
    total = -0.5 * len(steps)
    provenance = Provenance(model, "0" * 12, "greedy", {})
    return Trace(source, target, steps, maps, total, total, target.has_end, provenance)
