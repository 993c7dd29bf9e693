"""How a model came to translate as it does: BLEU on development text, moment by moment, over all its trainings.

The paper compares models that had about equal hours and unequal numbers of updates (its Table 2), so that every moment
tells both: what had been seen, and how long that had taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from model.checkpoints.checkpoint import Card, CheckpointError, get_hours, get_target_tokens, iterate_training_stages

Amount = Literal["pieces", "hours"]
AMOUNTS: tuple[Amount, ...] = ("hours", "pieces")
"""By what a training is told, the fairer way first: the paper's models had equal hours, not equal pieces."""

ALL_TEXTS = "all"
"""What a card calls its texts together, which are others from training to training."""


@dataclass(frozen=True)
class CurvePoint:
    """A moment of a training: target pieces seen and hours of one thread spent in updates since the first weights were
    drawn, of the processor's time where that was measured, and BLEU by the name of a development text."""

    pieces: int
    hours: float
    bleu: Mapping[str, float]


def read_learning_curve(card: Card) -> tuple[CurvePoint, ...]:
    """The moments of all trainings that a card's weights come from, in order. Raises CheckpointError where the card
    says something else there than a trainer of ours."""
    found: list[CurvePoint] = []
    pieces, hours = 0, 0.0
    for one in reversed(tuple(iterate_training_stages(card.training))):
        clock = "processor_hours" if "processor_hours" in one else "hours"  # not kept at first
        try:
            found += [_measured(entry, clock, pieces, hours) for entry in one.get("curve", [])]
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise CheckpointError(f"the training curve on the card of {card.name} is none: every entry must have "
                                  "pieces, hours, and a BLEU from 0 to 100 for each text") from error  # fmt: skip
        pieces += get_target_tokens(one)
        hours += get_hours(one)
    return tuple(found)


def _measured(entry: Mapping[str, Any], clock: str, pieces: int, hours: float) -> CurvePoint:
    """An entry of a curve whose training began after `pieces` and `hours`. Raises ValueError, or what damage makes."""
    told = entry[clock if clock in entry else "hours"]
    numbers = (entry["pieces"], told, *entry["bleu"].values())
    if not all(type(one) in (int, float) and 0 <= one < 1e15 for one in numbers) or max(numbers[2:]) > 100:
        raise ValueError(numbers)
    return CurvePoint(pieces + entry["pieces"], hours + told, entry["bleu"])


def common_texts(curve: Sequence[CurvePoint]) -> frozenset[str]:
    """The development texts that every moment was measured on."""
    return frozenset.intersection(*(frozenset(one.bleu) for one in curve)) - {ALL_TEXTS} if curve else frozenset()


def interpolate_hours(curve: Sequence[CurvePoint], pieces: int) -> float | None:
    """How long so many pieces took, between two moments by a straight line; None where the curve has no moment."""
    if not curve:
        return None
    return float(np.interp(pieces, [0, *(one.pieces for one in curve)], [0, *(one.hours for one in curve)]))
