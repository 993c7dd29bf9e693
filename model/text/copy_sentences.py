"""English sentences with what must come out of them unchanged: names, numbers, times.

`assets/copied.txt` has a hundred, a line each, {such words} in braces. A number is the same number with other signs
between its digits, a time with an h: 4,715 is 4 715 or 4715, 96.40 is 96,40, and 14:35 is 14 h 35. It is another one
where nothing stands for a decimal point or a colon, or where further digits belong to it: 9640, and 2 317 for 317.
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
_FRENCH = {",": r"[\s.]?", ".": r"[.,]", ":": r"(?:\W{1,3}|\s?h\s?)"}
_BEGINS, _ENDS = r"(?<!\d[\s.,:])", r"(?![.,:]\d|\s\d{3}\b)"  # a number: no digits that belong to it beyond


class CopySentencesError(CodecError):
    """A file of such sentences that cannot be used; one sentence for the reader."""


@dataclass(frozen=True)
class CopySentence:
    """A sentence, and what of it is to come out unchanged, in its order."""

    source: str
    items: tuple[str, ...]

    def find_copied_items(self, output: str) -> tuple[bool, ...]:
        """For each item whether a translation has it, in upper or lower case as it is."""
        text = normalise(output)
        return tuple(re.search(_build_item_pattern(item), text) is not None for item in self.items)


def read_copy_sentences(path: Path = FILE) -> tuple[CopySentence, ...]:
    """The sentences of a file. Raises CopiedError naming the line that is off, CorpusError for a file that cannot be
    read."""
    return tuple(_parse_line(line, number) for number, line in enumerate(read_lines(path), 1) if line.strip())


def _parse_line(line: str, number: int) -> CopySentence:
    items = tuple(normalise(item) for item in _ITEM.findall(line))
    source = normalise(_ITEM.sub(r"\1", line))
    if not items or any(brace in source for brace in "{}"):
        raise CopySentencesError(
            f"Line {number} must have what is to come out unchanged {{in braces}}: got {line[:100]!r}."
        )
    return CopySentence(source, items)


def _build_item_pattern(item: str) -> str:
    parts = [*_PART.finditer(item)]
    pattern = re.escape(parts[0][0])
    for before, part in pairwise(parts):
        pattern += _build_separator_pattern(item[before.end() : part.start()]) + re.escape(part[0])
    begins, ends = _BEGINS if item[0].isdigit() else "", _ENDS if item[-1].isdigit() else ""
    return rf"(?<!\w){begins}{pattern}(?!\w){ends}"


def _build_separator_pattern(signs: str) -> str:
    """What may stand for the signs between two parts of an item, as French writes it: "4 715", not "4,715", which is
    less than five there; "3,75"; "14 h 35". Nothing only for what groups digits or joins words."""
    if signs in _FRENCH:
        return _FRENCH[signs]
    return r"\W{1,3}" if signs.strip(" -") else r"\W{0,3}"
