"""Values and long texts in error messages: on one line, and cut."""

from __future__ import annotations

import re
from typing import Any

MAX_VALUE_LENGTH = 60
_MAX_WORD_LENGTH = 300
_MAX_MESSAGE_LENGTH = 2000
_END_LENGTH = 100  # characters left at either end of a word that is too long
_LONG_WORD = re.compile(rf"\S{{{_MAX_WORD_LENGTH + 1},}}")


def quote_value(value: Any, max_length: int = MAX_VALUE_LENGTH) -> str:
    """Return the repr of a value, cut to `max_length` characters."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python converts
        return "a number too long to write"
    except RecursionError:
        return "lists inside lists without end"
    return text if len(text) <= max_length else f"{text[:max_length]}…"


def shorten_message(message: str) -> str:
    """Cut the middle out of long words, such as names and paths, and of a message that is still too long."""
    message = _LONG_WORD.sub(lambda match: _cut_middle(match[0], _END_LENGTH), message)
    return message if len(message) <= _MAX_MESSAGE_LENGTH else _cut_middle(message, _MAX_MESSAGE_LENGTH // 2)


def _cut_middle(text: str, end_length: int) -> str:
    return f"{text[:end_length]}…{text[-end_length:]}"


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error of Python or torch says that memory ran out."""
    return isinstance(error, MemoryError) or "allocate memory" in str(error) or "out of memory" in str(error)
