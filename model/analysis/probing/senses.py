"""The sentences of `assets/senses.txt`, each with one word that has several meanings.

A line is `WORD / MEANING: SENTENCE`. WORD occurs once in its sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from model.paths import ASSETS
from model.text.normalise import NormalisedText, normalise

FILE = ASSETS / "senses.txt"
LANGUAGE = "en"
_LINE = re.compile(r"(?P<word>\w+) / (?P<sense>\w+): (?P<text>.+)")


@dataclass(frozen=True)
class SenseExample:
    """A sentence, an ambiguous word in it, and the meaning that the word has there."""

    word: str
    sense: str
    text: NormalisedText


@cache
def load_examples() -> tuple[SenseExample, ...]:
    """Read all examples, in the order of the file."""
    examples = []
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"Line {number} of {FILE.name} is not WORD / MEANING: SENTENCE but {line[:60]!r}.")
        examples.append(SenseExample(match["word"], match["sense"], normalise(match["text"])))
    return tuple(examples)
