"""A reader's file before its lines are read: what may be in it, what is refused, and its bytes as text.

What comes in is a stranger's: whatever it is, it becomes text or a DocumentError of one sentence. Nothing is guessed
that could be wrong unnoticed: the bytes are UTF-8, or carry the mark of UTF-16 or UTF-32, or are plainly UTF-16.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal, get_args

from model.text.normalise import normalise

BYTE_LIMIT = 5 * 2**20
SENTENCE_LIMIT = 5000
ROW_LIMIT = 4 * SENTENCE_LIMIT  # rows that hold something, a header among them
COLUMN_LIMIT = 200
CELL_LIMIT = 100 * SENTENCE_LIMIT  # all rows together, blank ones too
REFERENCE_LIMIT = 20_000  # characters: ten times what can be translated
NAME_LIMIT = 80  # characters of a file's name that are kept

Header = Literal["detect", "yes", "no"]
Contents = Literal["detect", "source", "pair"]
Separator = Literal["detect", "tab", "semicolon", "comma", "pipe", "none"]
HEADERS: tuple[Header, ...] = get_args(Header)
CONTENTS: tuple[Contents, ...] = get_args(Contents)
SEPARATORS: tuple[Separator, ...] = get_args(Separator)

DocumentProblem = Literal["size", "packed", "encoding", "nul", "empty", "quoting", "ragged", "columns", "one_column",
                  "no_source", "no_reference", "long", "sentences", "rows", "wide", "cells"]  # fmt: skip
_PROBLEMS: dict[DocumentProblem, str] = {
    "size": "has {got} bytes, and at most {limit} can be read: cut it into smaller files.",
    "packed": "is not text but {format}: unpack it, or save it as text (UTF-8), TSV or CSV.",
    "encoding": "is not UTF-8 text: line {line} holds the byte {byte}; save it with the encoding UTF-8.",
    "nul": "is not plain text: line {line} holds a NUL character; save it as text with the encoding UTF-8.",
    "empty": "holds no sentence: give one a line.",
    "quoting": "is no well-formed CSV: the quotation marks at line {line} don't pair; double those inside a cell.",
    "ragged": "has another number of columns at line {line} ({got}) than at its first line ({expected}): give every "
              "line the same number; in CSV, put cells that contain commas in quotation marks.",
    "columns": "has {got} columns: give one (source) or two (source, reference), or name two of them source and "
               "reference in the first line.",
    "one_column": "has one column, and source and reference need two: put a tab between them, or give the source "
                  "only.",
    "no_source": "has a reference without a source at line {line}: give both, or leave the line out.",
    "no_reference": "has a source without a reference at line {line}: give both, or leave the line out.",
    "long": "has a reference of {got} characters at line {line}, and at most {limit} can be scored: shorten it.",
    "rows": "has more than {limit} rows that hold something: cut it into smaller files.",
    "wide": "has {got} columns at line {line}, and at most {limit} can be read: leave out those without sentences.",
    "cells": "has more than {limit} cells: leave out columns without sentences, or cut it into smaller files.",
    "sentences": "has {got} sentences, and at most {limit} can be translated at once: cut it into smaller files.",
}  # fmt: skip

# What a file begins with that isn't text, whatever its name says.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "ZIP"), (b"PK\x05\x06", "ZIP"), (b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!\x1a\x07", "RAR"), (b"\x28\xb5\x2f\xfd", "Zstandard"), (b"%PDF-", "PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office"), (b"\x89PNG\r\n", "PNG"), (b"\xff\xd8\xff", "JPEG"),
    (b"\x7fELF", "ELF"), (b"SQLite format 3\x00", "SQLite"),
)  # fmt: skip
# UTF-32 before UTF-16, whose mark is its beginning.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_LINE_END = re.compile("\r\n|\r|\n")
_PROBED = 4096  # bytes at the beginning that show whether a text without a mark is UTF-16
_ZERO_SHARE = 0.7  # least share of its pairs of bytes with a zero, always on the same side


class DocumentError(ValueError):
    """A file that can't be read as sentences; the message is one sentence for the reader.

    `kind` says what is wrong and `values` holds the numbers and names of the message, for pages that say it in their
    own words; `predicate` is the sentence without its subject, for messages that name the file.
    """

    def __init__(self, kind: DocumentProblem, **values: int | str) -> None:
        shown = {key: f"{value:,}" if isinstance(value, int) else value for key, value in values.items()}
        self.kind, self.values = kind, shown
        self.predicate = _PROBLEMS[kind].format(**shown)
        super().__init__("The text " + self.predicate)


def decode(data: bytes) -> str:
    """Return a file's bytes as text (`decode_with_name`). Raises DocumentError."""
    return decode_with_name(data)[0]


def decode_with_name(data: bytes) -> tuple[str, str]:
    """Return a file's bytes as text, and the name of the encoding as Python has it.

    UTF-16 and UTF-32 say so by their byte order mark; UTF-16 without one is recognised where every other byte of the
    text's beginning is zero. All else must be UTF-8. Raises DocumentError.
    """
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            raise DocumentError("packed", format=kind)
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    body = data[len(mark) :]
    encoding = encoding or _utf_16_without_mark(data) or "utf-8"
    try:
        return body.decode(encoding), encoding
    except UnicodeDecodeError as error:
        line = count_lines(body[: error.start].decode(encoding, "replace")) + 1
        raise DocumentError("encoding", line=line, byte=f"0x{body[error.start]:02X}") from None


def _utf_16_without_mark(data: bytes) -> str:
    """Return the encoding's name where the bytes are UTF-16 in letters that are mostly of Western Europe, else ""."""
    beginning = data[:_PROBED]
    pairs = len(beginning) // 2
    zeros = [beginning[place::2].count(0) for place in (0, 1)]
    if len(data) % 2 or not pairs or min(zeros) or max(zeros) < _ZERO_SHARE * pairs:
        return ""
    return "utf-16-be" if zeros[0] else "utf-16-le"


def base_name(name: str) -> str:
    """Return what is shown of a file's name: its last part, in canonical form, no longer than a line. Never a path."""
    return normalise(re.split(r"[/\\]", name[-1000:])[-1])[-NAME_LIMIT:].strip()


def count_lines(text: str) -> int:
    """Return how many ends of a line a text has, of any kind."""
    return len(_LINE_END.findall(text))
