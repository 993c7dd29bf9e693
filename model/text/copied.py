"""English sentences with what must come out of them unchanged: names, numbers, times.

`assets/copied.txt` has a hundred, a line each, {such words} in braces. A number is the same number with other signs
between its digits, a time with an h: 4,715 is 4 715, and 14:35 is 14 h 35.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from model.codec import CodecError
from model.text.files import read_lines
from model.text.normalise import normalise

FILE = Path(__file__).resolve().parents[2] / "assets" / "copied.txt"
_ITEM = re.compile(r"\{([^{}]+)\}")
_BETWEEN = r"(?:[^\w]{0,3}|\s?h\s?)"  # what may stand between the parts of an item


class CopiedError(CodecError):
    """A file of such sentences that cannot be used; one sentence for the reader."""


@dataclass(frozen=True)
class Copied:
    """A sentence, and what of it is to come out unchanged, in its order."""

    source: str
    items: tuple[str, ...]

    def found(self, output: str) -> tuple[bool, ...]:
        """For each item whether a translation has it, in upper or lower case as it is."""
        text = normalise(output)
        return tuple(re.search(_pattern(item), text) is not None for item in self.items)


def read_copied(path: Path = FILE) -> tuple[Copied, ...]:
    """The sentences of a file. Raises CopiedError naming the line that is off, CorpusError for a file that cannot be
    read."""
    return tuple(_read(line, number) for number, line in enumerate(read_lines(path), 1) if line.strip())


def _read(line: str, number: int) -> Copied:
    items = tuple(normalise(item) for item in _ITEM.findall(line))
    source = normalise(_ITEM.sub(r"\1", line))
    if not items or any(brace in source for brace in "{}"):
        raise CopiedError(f"Line {number} must have what is to come out unchanged {{in braces}}: got {line[:100]!r}.")
    return Copied(source, items)


def _pattern(item: str) -> str:
    parts = re.findall(r"[^\W\d_]+|\d+", item)
    return rf"(?<!\w){_BETWEEN.join(map(re.escape, parts))}(?!\w)"
