"""How messages repeat what somebody gave: on one line, and never at length."""

from __future__ import annotations

import re
from typing import Any

SHOWN = 60  # characters of a wrong value that a message repeats
_LONGEST = 300  # characters of one name or path in a message
_ENDS = 100  # characters that are left at either end of one that is longer
_MESSAGE = 2000  # characters of a whole message
_LONG = re.compile(rf"\S{{{_LONGEST + 1},}}")


def quote_value(value: Any) -> str:
    """A value as a message repeats it, quoted as Python would."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        return "a number too long to write"
    except RecursionError:
        return "lists inside lists without end"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def shorten_message(message: str) -> str:
    """A message whose names and paths are repeated as a whole only up to some length; of others both ends are left."""
    message = _LONG.sub(lambda found: _cut(found[0], _ENDS), message)
    return message if len(message) <= _MESSAGE else _cut(message, _MESSAGE // 2)


def _cut(text: str, ends: int) -> str:
    return f"{text[:ends]}…{text[-ends:]}"


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error says, in Python's or in torch's words, that there is not enough memory."""
    return isinstance(error, MemoryError) or "allocate memory" in str(error) or "out of memory" in str(error)
