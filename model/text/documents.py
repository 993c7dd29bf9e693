"""Decoding and limits of users' files.

Any file becomes text or a DocumentError of one sentence. Encodings are not guessed: the bytes are UTF-8, have the byte
order mark of UTF-16 or UTF-32, or are clearly UTF-16.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal, get_args

from model.text.normalise import normalise

BYTE_LIMIT = 5 * 2**20
SENTENCE_LIMIT = 5000
ROW_LIMIT = 4 * SENTENCE_LIMIT  # non-blank rows, header included
COLUMN_LIMIT = 200
CELL_LIMIT = 100 * SENTENCE_LIMIT  # blank rows included
REFERENCE_LIMIT = 20_000  # characters: ten times what the sentence box of the pages takes
NAME_LIMIT = 80  # characters of a displayed file name

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

# The beginnings of files that are not text.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "ZIP"), (b"PK\x05\x06", "ZIP"), (b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!\x1a\x07", "RAR"), (b"\x28\xb5\x2f\xfd", "Zstandard"), (b"%PDF-", "PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office"), (b"\x89PNG\r\n", "PNG"), (b"\xff\xd8\xff", "JPEG"),
    (b"\x7fELF", "ELF"), (b"SQLite format 3\x00", "SQLite"),
)  # fmt: skip
# UTF-32 first: its mark begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_LINE_END = re.compile("\r\n|\r|\n")
_PROBE_BYTES = 4096  # read to recognise UTF-16 without a byte order mark
_MIN_ZERO_SHARE = 0.7  # least share of byte pairs with a zero, always in the same place


class DocumentError(ValueError):
    """A file that can't be read as sentences; the message is one sentence for the user.

    `kind` and `values` (the numbers and names in the message) let pages translate it. `predicate` is the sentence
    without its subject, for messages that name the file.
    """

    def __init__(self, kind: DocumentProblem, **values: int | str) -> None:
        formatted = {key: f"{value:,}" if isinstance(value, int) else value for key, value in values.items()}
        self.kind, self.values = kind, formatted
        self.predicate = _PROBLEMS[kind].format(**formatted)
        super().__init__("The text " + self.predicate)


def decode(data: bytes) -> str:
    """Decode a file's bytes (`decode_with_name`). Raises DocumentError."""
    return decode_with_name(data)[0]


def decode_with_name(data: bytes) -> tuple[str, str]:
    """Decode a file's bytes. Return the text and Python's name of the encoding. Raises DocumentError.

    UTF-16 and UTF-32 are recognised by their byte order mark; UTF-16 also if every other byte of the beginning is zero.
    Anything else must be UTF-8.
    """
    for signature, file_format in _SIGNATURES:
        if data.startswith(signature):
            raise DocumentError("packed", format=file_format)
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    body = data[len(mark) :]
    encoding = encoding or _detect_unmarked_utf_16(data) or "utf-8"
    try:
        return body.decode(encoding), encoding
    except UnicodeDecodeError as error:
        line = count_line_ends(body[: error.start].decode(encoding, "replace")) + 1
        raise DocumentError("encoding", line=line, byte=f"0x{body[error.start]:02X}") from None


def _detect_unmarked_utf_16(data: bytes) -> str:
    """Return the encoding of UTF-16 text with mostly Western European letters, "" for anything else."""
    first_bytes = data[:_PROBE_BYTES]
    pair_count = len(first_bytes) // 2
    zero_counts = [first_bytes[offset::2].count(0) for offset in (0, 1)]
    if len(data) % 2 or not pair_count or min(zero_counts) or max(zero_counts) < _MIN_ZERO_SHARE * pair_count:
        return ""
    return "utf-16-be" if zero_counts[0] else "utf-16-le"


def shorten_file_name(name: str) -> str:
    """Return a file name for display: its last part, normalised and shortened. Never a path."""
    return normalise(re.split(r"[/\\]", name[-1000:])[-1])[-NAME_LIMIT:].strip()


def count_line_ends(text: str) -> int:
    """Return the number of line ends of any kind."""
    return len(_LINE_END.findall(text))
