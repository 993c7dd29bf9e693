"""What curves of gradients by distance say, in sentences made of their figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.attribution.gradient_record import Array, Gradients, fit_decay_factor
from model.trace import END_PIECE, WORD_START, Side
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import decimal, typeset

MIN_STATES = 5  # states; of fewer distances nothing is said
LEFT = 0.5  # of the gradient at the end of the reading: with less at its beginning it fell


@dataclass(frozen=True)
class TitledGradients:
    """What one model's gradients are, with its title."""

    title: str
    found: Gradients
    language: str


@dataclass(frozen=True)
class RemainingGradient:
    """What of a model's gradient is left from the state read last to the one read first, by the straight line through
    its logarithms."""

    title: str
    share: float


def describe_curves(of: Sequence[TitledGradients], t: Messages) -> list[str]:
    """What the curves say of everything written, then of each written word."""
    if not of:
        return []
    curves = [one.found.word_decay_curves(one.found.total) for one in of]
    words = [get_written_words(one, len(own) - 1, t) for one, own in zip(of, curves, strict=True)]
    return [
        describe_everything(of, t),
        *(_of_word(of, curves, words, place, t) for place in range(max(map(len, words)))),
    ]


def describe_everything(of: Sequence[TitledGradients], t: Messages) -> str:
    """Where the gradient vanishes, where it does not, and what looking bridges."""
    long = [one for one in of if len(one.found.remaining_steps) >= MIN_STATES]
    kept = [one for one in map(_reading, long) if one]
    looks = [one for one in map(_looking, long) if one]
    if not kept and not looks:
        return t("gradients.short", least=MIN_STATES)
    parts = [t("gradients.left")]
    fallen, stayed = _parted(kept)
    if fallen:
        parts.append(t("gradients.falls", list=_listed(fallen, t)))
    if stayed:
        parts.append(t("gradients.stays", list=_listed(stayed, t)))
    fallen, stayed = _parted(looks)
    if stayed:
        parts.append(t("gradients.bridged", list=_listed(stayed, t)))
    if fallen:
        parts.append(t("gradients.unbridged", list=_listed(fallen, t)))
    return " ".join(parts)


def _reading(one: TitledGradients) -> RemainingGradient | None:
    """Of a network that reads step by step in one direction, through all that was read after the state. The state of
    two directions at a place is read first by the one and last by the other: it has no distance of that kind."""
    both_ways = any(gates.side == "encoder" and gates.direction == 2 for gates in one.found.gates)
    return _kept(one, one.found.total) if one.found.is_recurrent and not both_ways else None


def _looking(one: TitledGradients) -> RemainingGradient | None:
    """Of a decoder that looks, by its look alone."""
    return None if one.found.direct is None else _kept(one, one.found.direct)


def _kept(one: TitledGradients, values: Array) -> RemainingGradient | None:
    step = fit_decay_factor(one.found.decay_curve(values))
    return None if step is None else RemainingGradient(one.title, step ** (len(one.found.remaining_steps) - 1))


def _parted(of: Sequence[RemainingGradient]) -> tuple[list[RemainingGradient], list[RemainingGradient]]:
    """Those whose gradient falls over the sentence, and those whose does not, by the digits that are told."""
    fallen = [one for one in of if round(one.share, 2) < LEFT]
    return fallen, [one for one in of if one not in fallen]


def _listed(of: Sequence[RemainingGradient], t: Messages) -> str:
    return ", ".join(t("gradients.kept", model=one.title, left=format_factor(one.share)) for one in of)


def format_factor(factor: float) -> str:
    """By how much something is multiplied, in two digits or more; what is too small for that is not called 0."""
    if factor >= 10:
        return f"{factor:,.0f}"
    return "<0.001" if 0 < factor < 0.0005 else decimal(factor, 1 if factor >= 1 else 2 if factor >= 0.1 else 3)


def get_written_words(one: TitledGradients, count: int, t: Messages) -> list[str]:
    """The `count` words that a model wrote as they are printed, the last one perhaps the sentence's end."""
    words = [word.strip() for _, word in typeset(one.found.target, one.language)]
    return words if count == len(words) else [*words, t("gradients.end")]


def _of_word(
    of: Sequence[TitledGradients],
    curves: Sequence[Sequence[Array]],
    words: Sequence[Sequence[str]],
    place: int,
    t: Messages,
) -> str:
    """On which state what each model wrote at that place depends most."""
    parts = []
    for one, own, written in zip(of, curves, words, strict=True):
        if place >= len(written):
            parts.append(t("gradients.unwritten", model=one.title, count=len(written)))
            continue
        curve = own[place + 1]
        far = int(np.argmax(curve))
        piece = label_pieces(one.found.source, t)[one.found.places_by_distance[far]]
        parts.append(t("gradients.hangs", model=one.title, word=written[place], piece=piece, distance=far))
    return " ".join(parts)


def label_pieces(side: Side, t: Messages) -> list[str]:
    """The pieces of a side as a reader sees them, a dot before those that go on a word."""
    made = []
    for place, (piece, word) in enumerate(zip(side.pieces, side.word_of, strict=True)):
        text = t("gradients.end") if piece == END_PIECE else piece.removeprefix(WORD_START) or "␣"
        made.append(f"·{text}" if word >= 0 and word in side.word_of[:place] else text)
    return made
