"""Sentences with items that a translation must copy: names, numbers, times.

`assets/copied.txt` has a hundred, one per line, the items in braces. Numbers may be written as in French: 4,715 as
4 715 or 4715, 96.40 as 96,40, 14:35 as 14 h 35. A number is not copied if its decimal point or colon is lost (9640) or
further digits belong to it (2 317 for 317).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from model.paths import ASSETS
from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.text.pair_files import read_lines

FILE = ASSETS / "copied.txt"
_ITEM = re.compile(r"\{([^{}]+)\}")
_PART = re.compile(r"[^\W\d_]+|\d+")
_FRENCH_SEPARATORS = {",": r"[\s.]?", ".": r"[.,]", ":": r"(?:\W{1,3}|\s?h\s?)"}
_NUMBER_START, _NUMBER_END = r"(?<!\d[\s.,:])", r"(?![.,:]\d|\s\d{3}\b)"  # no further digits belong to the number


class CopySentencesError(CodecError):
    """An invalid file of copy sentences; the message is one sentence for the user."""


@dataclass(frozen=True)
class CopySentence:
    """A sentence and the items that its translation must have, in order."""

    source: str
    items: tuple[str, ...]

    def find_copied_items(self, output: str) -> tuple[bool, ...]:
        """Return for each item whether a translation has it; case counts."""
        text = normalise(output)
        return tuple(re.search(_build_item_pattern(item), text) is not None for item in self.items)


def read_copy_sentences(path: Path = FILE) -> tuple[CopySentence, ...]:
    """Read the sentences of a file. Raises CopySentencesError for a wrong line, CorpusError for an unreadable file."""
    return tuple(_parse_line(line, number) for number, line in enumerate(read_lines(path), 1) if line.strip())


def _parse_line(line: str, number: int) -> CopySentence:
    items = tuple(normalise(item) for item in _ITEM.findall(line))
    source = normalise(_ITEM.sub(r"\1", line))
    if not items or not all(map(_PART.search, items)) or any(brace in source for brace in "{}"):
        raise CopySentencesError(f"Line {number} must have items with letters or digits to be copied, {{in braces}}: "
                                 f"got {line[:100]!r}.")
    return CopySentence(source, items)


def _build_item_pattern(item: str) -> str:
    parts = [*_PART.finditer(item)]
    pattern = re.escape(parts[0][0])
    for previous_part, part in pairwise(parts):
        pattern += _build_separator_pattern(item[previous_part.end() : part.start()]) + re.escape(part[0])
    start, end = _NUMBER_START if item[0].isdigit() else "", _NUMBER_END if item[-1].isdigit() else ""
    return rf"(?<!\w){start}{pattern}(?!\w){end}"


def _build_separator_pattern(punctuation: str) -> str:
    """Return a pattern of the French forms of the punctuation between two parts of an item.

    "4 715", but not "4,715", which means less than five; "3,75"; "14 h 35". Only punctuation that groups digits or
    joins words may be missing.
    """
    if punctuation in _FRENCH_SEPARATORS:
        return _FRENCH_SEPARATORS[punctuation]
    return r"\W{1,3}" if punctuation.strip(" -") else r"\W{0,3}"
