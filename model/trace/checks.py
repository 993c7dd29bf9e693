"""What the records in the middle check themselves with: one error, and values made sure of or cut for its messages."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.serialization.codec import CodecError

Array = NDArray[np.float32]


class TraceError(CodecError):
    """A trace contradicts itself or lacks what was asked of it; the message is one sentence for the reader."""


def freeze_array(values: ArrayLike, what: str) -> Array:
    """A read-only float32 copy of an array without NaN or infinities."""
    try:
        with np.errstate(over="ignore"):
            array = np.array(values, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise TraceError(f"{what} must be an array of numbers, its rows of equal length.") from None
    if array.size == 0:
        raise TraceError(f"{what} is empty: its shape is {array.shape}.")
    if not np.isfinite(array).all():
        raise TraceError(f"{what} must hold finite numbers only: {int((~np.isfinite(array)).sum())} of "
                         f"{array.size} are not.")
    array.setflags(write=False)
    return array


def check_finite(value: float, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TraceError(f"{what} must be a number: got {quote_value(value)}.") from None
    if not math.isfinite(number):
        raise TraceError(f"{what} must be finite: got {number}.")
    return number


def check_text(what: str, *texts: str) -> None:
    """Refuse half of a surrogate pair: such a text can be neither saved nor sent to a page."""
    for text in texts:
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise TraceError(f"The {what} holds a broken character: got {quote_value(text)}.")


def convert_to_tuples(record: object, *names: str) -> None:
    for name in names:
        object.__setattr__(record, name, tuple(getattr(record, name)))


def quote_value(value: object) -> str:
    """A value for a message, on one line and cut short, so that the message stays one readable sentence."""
    try:
        text = repr(value[:100] if isinstance(value, str) else value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, lists nested by the thousand
        return "something that cannot be printed"
    return text if len(text) <= 60 else text[:57] + "..."
