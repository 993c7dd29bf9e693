"""Invented Traces."""

import math

import numpy as np

from model.decoding import Settings
from model.trace import END_PIECE, WORD_START, Candidate, Provenance, Side, Step, Trace, WeightMap

ENGLISH = "the small grey cat sleeps on the warm roof of the old house ."
FRENCH = "le petit chat gris dort sur le toit chaud de la vieille maison ."
ORDER = (0, 1, 3, 2, 4, 5, 6, 8, 7, 9, 10, 11, 12, 13)
LOST = "le petit chat dort sur le toit de la maison ."


def make_side(text: str, ended: bool = True) -> Side:
    """Split a text at spaces; words of more than five letters are two pieces."""
    pieces: list[str] = []
    word_of: list[int] = []
    for number, word in enumerate(text.split()):
        cut = 3 if len(word) > 5 else len(word)
        for part in filter(None, (WORD_START + word[:cut], word[cut:])):
            pieces.append(part)
            word_of.append(number)
    if ended:
        pieces.append(END_PIECE)
        word_of.append(-1)
    return Side(text, tuple(text.split()), tuple(pieces), tuple(word_of))


def make_trace(
    source: str = ENGLISH,
    target: str = FRENCH,
    order: tuple[int, ...] | None = ORDER,
    *,
    model: str = "rnnsearch-50",
    beam: int = 1,
    is_finished: bool = True,
) -> Trace:
    """Return a Trace whose target word i attends to source word order[i]; without attention if `order` is None."""
    left, right = make_side(source), make_side(target, is_finished)
    steps = tuple(
        Step(10 + k, piece, -0.05 * (k % 5), (Candidate(10 + k, piece, -0.05 * (k % 5)), Candidate(5, "▁x", -3.0)))
        for k, piece in enumerate(right.pieces)
    )
    maps: tuple[WeightMap, ...] = ()
    if order is not None:
        maps = (WeightMap("attention", _weights(left, right, order)),)
    total = sum(step.log_probability for step in steps)
    settings = Settings(beam=beam)
    provenance = Provenance(model, "0123456789ab", settings.method, settings.trace_settings)
    return Trace(left, right, steps, maps, total, total, is_finished, provenance)


def _weights(left: Side, right: Side, order: tuple[int, ...]) -> np.ndarray:
    rows = []
    for word in right.word_of:
        aim = len(left.words) if word < 0 else order[word]
        places = [len(left.words) if j < 0 else j for j in left.word_of]
        raw = [math.exp(-2.4 * abs(place - aim) + (1.2 if place == aim else 0.3 * math.sin(7 * aim + 3 * k)))
               for k, place in enumerate(places)]
        total = sum(raw)
        rows.append([value / total for value in raw])
    return np.array(rows)
