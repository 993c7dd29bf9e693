"""Development BLEU over the course of all trainings of a model.

The paper compares models with about equal hours but unequal numbers of updates (its Table 2), so each point has both
the tokens seen and the time spent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from model.checkpoints.checkpoint import Card, CheckpointError, get_hours, get_target_tokens, iterate_training_stages

TrainingUnit = Literal["pieces", "hours"]
TRAINING_UNITS: tuple[TrainingUnit, ...] = ("pieces", "hours")
"""The quantities by which training is compared. Tokens come first: hours compare models of one machine only."""

ALL_TEXTS = "all"
"""A card's name for all its texts together, which differ between trainings."""


@dataclass(frozen=True)
class CurvePoint:
    """One point of a learning curve.

    Attributes:
        pieces: target tokens seen since the weights were initialised.
        hours: hours of one thread spent in updates, of processor time if that was measured.
        bleu: BLEU by name of the development text.
    """

    pieces: int
    hours: float
    bleu: Mapping[str, float]


def read_learning_curve(card: Card) -> tuple[CurvePoint, ...]:
    """Return the points of all trainings that led to a card's weights, in order. Raises CheckpointError for a bad card.
    """
    points: list[CurvePoint] = []
    pieces, hours = 0, 0.0
    for training in reversed(tuple(iterate_training_stages(card.training))):
        clock = "processor_hours" if "processor_hours" in training else "hours"  # older cards have only hours
        try:
            points += [_parse_point(entry, clock, pieces, hours) for entry in training.get("curve", [])]
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise CheckpointError(f"the training curve on the card of {card.name} is malformed: every entry must have "
                                  "pieces, hours, and a BLEU from 0 to 100 for each text") from error  # fmt: skip
        pieces += get_target_tokens(training)
        hours += get_hours(training)
    return tuple(points)


def _parse_point(entry: Mapping[str, Any], clock: str, pieces: int, hours: float) -> CurvePoint:
    """Parse an entry of a curve whose training began after `pieces` and `hours`. Raises ValueError for bad values."""
    hours_of_entry = entry[clock if clock in entry else "hours"]
    numbers = (entry["pieces"], hours_of_entry, *entry["bleu"].values())
    if not all(type(number) in (int, float) and 0 <= number < 1e15 for number in numbers) or max(numbers[2:]) > 100:
        raise ValueError(numbers)
    return CurvePoint(pieces + entry["pieces"], hours + hours_of_entry, entry["bleu"])


def find_common_texts(curve: Sequence[CurvePoint]) -> frozenset[str]:
    """Return the development texts that every point was measured on."""
    return frozenset.intersection(*(frozenset(point.bleu) for point in curve)) - {ALL_TEXTS} if curve else frozenset()


def interpolate_bleu(curve: Sequence[CurvePoint], hours: float, text: str) -> float | None:
    """Return the BLEU on a development text after so many hours, by linear interpolation from 0 at the start.

    None after the end of the curve, and where a point was not measured on the text.
    """
    if not curve or hours > curve[-1].hours or any(text not in point.bleu for point in curve):
        return None
    scores = [point.bleu[text] for point in curve]
    return float(np.interp(hours, [0.0, *(point.hours for point in curve)], [0.0, *scores]))


def interpolate_hours(curve: Sequence[CurvePoint], pieces: int) -> float | None:
    """Return how long so many tokens took, by linear interpolation; None for an empty curve."""
    if not curve:
        return None
    return float(np.interp(pieces, [0, *(point.pieces for point in curve)], [0, *(point.hours for point in curve)]))
