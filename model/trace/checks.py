"""Checks that the records of `model.trace` share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.serialization.codec import CodecError, has_broken_character
from model.serialization.messages import quote_value

Array = NDArray[np.float32]

MAX_LOG_PROBABILITY = 1e-6  # above 0 by rounding only


class TraceError(CodecError):
    """A trace contradicts itself or lacks what was requested; the message is one sentence for the user."""


def freeze_array(values: ArrayLike, description: str) -> Array:
    """Return a read-only float32 copy. Raises TraceError if it is empty, not numeric or not finite."""
    try:
        with np.errstate(over="ignore"):
            array = np.array(values, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise TraceError(f"{description} must be an array of numbers, its rows of equal length.") from None
    if array.size == 0:
        raise TraceError(f"{description} is empty: its shape is {array.shape}.")
    if not np.isfinite(array).all():
        raise TraceError(f"{description} must hold finite numbers only: {int((~np.isfinite(array)).sum())} of "
                         f"{array.size} are not.")
    array.setflags(write=False)
    return array


def check_finite(value: float, description: str) -> float:
    """Return the value as a float. Raises TraceError unless it is a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TraceError(f"{description} must be a number: got {quote_value(value)}.") from None
    if not math.isfinite(number):
        raise TraceError(f"{description} must be finite: got {number}.")
    return number


def check_token(token: int, log_probability: float, description: str) -> None:
    """Raise TraceError for a token id below 0, or a log-probability above 0 by more than rounding."""
    if token < 0:
        raise TraceError(f"A token id is 0 or more: got {quote_value(token)} for {description}.")
    if log_probability > MAX_LOG_PROBABILITY:
        raise TraceError(f"A log-probability is at most 0: got {log_probability} for {description}.")


def check_text(description: str, *texts: str) -> None:
    """Raise TraceError if a text holds half of a surrogate pair, which cannot be written as UTF-8."""
    for text in texts:
        if has_broken_character(text):
            raise TraceError(f"The {description} holds a broken character: got {quote_value(text)}.")


def convert_to_tuples(record: object, *names: str) -> None:
    """Convert these fields of a frozen dataclass to tuples."""
    for name in names:
        object.__setattr__(record, name, tuple(getattr(record, name)))
