"""Sentences with words of several meanings, written for this: what annotations are looked at among (assets/senses.txt).

A line is `WORD / MEANING: SENTENCE`, and WORD stands in its sentence once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from model.paths import ASSETS
from model.text.normalise import Normalised, normalise

FILE = ASSETS / "senses.txt"
LANGUAGE = "en"
_LINE = re.compile(r"(?P<word>\w+) / (?P<sense>\w+): (?P<text>.+)")


@dataclass(frozen=True)
class SenseExample:
    """A sentence, a word in it that has several meanings, and the one that it has here."""

    word: str
    sense: str
    text: Normalised


@cache
def load_examples() -> tuple[SenseExample, ...]:
    """All of the sentences, in the order of the file."""
    found = []
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise ValueError(f"Line {number} of {FILE.name} is not WORD / MEANING: SENTENCE but {line[:60]!r}.")
        found.append(SenseExample(parts["word"], parts["sense"], normalise(parts["text"])))
    return tuple(found)
