"""A reader's own file: sentences, or sentences with reference translations, out of TXT, TSV or CSV.

What comes in is a stranger's: whatever it is, it becomes a Document or a DocumentError of one sentence. Nothing is
guessed that could be wrong unnoticed: the bytes are UTF-8 (or carry the mark of UTF-16 or UTF-32), every row has as
many columns as the first, and lines that are left out are counted.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from model.text.languages import PAIR
from model.text.normalise import Normalised, normalise

BYTE_LIMIT = 5 * 2**20
SENTENCE_LIMIT = 5000
ROW_LIMIT = 4 * SENTENCE_LIMIT  # rows that hold something, a row of names among them
COLUMN_LIMIT = 200
CELL_LIMIT = 100 * SENTENCE_LIMIT  # all rows together, those that hold nothing too
REFERENCE_LIMIT = 20_000  # characters: ten times what can be translated
NAME_LIMIT = 80  # characters of a file's name that are kept

Header = Literal["detect", "yes", "no"]
Contents = Literal["detect", "source", "pair"]
HEADERS: tuple[Header, ...] = get_args(Header)
CONTENTS: tuple[Contents, ...] = get_args(Contents)

SOURCE_NAMES = frozenset({"source", "src", "input", "sentence", "sentences", "text"})
REFERENCE_NAMES = frozenset({"reference", "ref", "target", "tgt"})
_LANGUAGE_NAMES = {
    "en": "english eng", "fr": "french français francais fra fre", "de": "german deutsch deu ger",
    "es": "spanish español spa", "it": "italian italiano ita", "pt": "portuguese português por",
    "nl": "dutch nederlands nld dut", "sv": "swedish svenska swe", "pl": "polish polski pol",
    "tr": "turkish türkçe tur", "ko": "korean 한국어 kor", "ja": "japanese 日本語 jpn",
    "zh": "chinese 中文 zho chi cmn", "ru": "russian русский rus", "uk": "ukrainian українська ukr",
    "el": "greek ελληνικά ell gre",
    "ar": "arabic العربية ara", "he": "hebrew עברית heb", "th": "thai ไทย tha", "hi": "hindi हिन्दी hin",
}  # fmt: skip

Problem = Literal["size", "packed", "encoding", "nul", "empty", "quoting", "ragged", "columns", "one_column",
                  "no_source", "no_reference", "long", "sentences", "rows", "wide", "cells"]  # fmt: skip
_PROBLEMS: dict[Problem, str] = {
    "size": "has {got} bytes, and at most {limit} can be read: cut it into smaller files.",
    "packed": "is not text but {format}: unpack it, or save it as text (UTF-8), TSV or CSV.",
    "encoding": "is not UTF-8 text: line {line} holds the byte {byte}; save it with the encoding UTF-8.",
    "nul": "is not plain text: line {line} holds a NUL character; save it as text with the encoding UTF-8.",
    "empty": "holds no sentence: give one a line.",
    "quoting": "is no well-formed CSV: the quotation marks at line {line} don't pair; double those inside a cell.",
    "ragged": "has {got} columns at line {line} and {expected} at its first line: give every line the same number; in "
              "CSV, put cells that contain commas in quotation marks.",
    "columns": "has {got} columns: give one (source) or two (source, reference), or name two of them source and "
               "reference in the first line.",
    "one_column": "has one column, and source and reference need two: put a tab between them, or choose source only.",
    "no_source": "has a reference without a source at line {line}: give both, or leave the line out.",
    "no_reference": "has a source without a reference at line {line}: give both, or leave the line out.",
    "long": "has a reference of {got} characters at line {line}, and at most {limit} can be scored: shorten it.",
    "rows": "has more than {limit} rows that hold something: cut it into smaller files.",
    "wide": "has {got} columns at line {line}, and at most {limit} can be read: leave out those without sentences.",
    "cells": "has more than {limit} cells by line {line}: leave out columns without sentences, or cut it into smaller "
             "files.",
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
_LINE = re.compile("\\S[^\r\n]*")  # but for the white space it begins with
_LINE_END = re.compile("\r\n|\r|\n")
_SNIFFED = 20  # rows that the separator of a CSV is guessed from

Row = tuple[int, list[str]]
"""A row's line number, counted from 1, and its cells."""


class DocumentError(ValueError):
    """A file that can't be read as sentences; the message is one sentence for the reader.

    `kind` says what is wrong and `values` holds the numbers and names of the message, for pages that say it in their
    own words.
    """

    def __init__(self, kind: Problem, **values: int | str) -> None:
        shown = {key: f"{value:,}" if isinstance(value, int) else value for key, value in values.items()}
        super().__init__("The text " + _PROBLEMS[kind].format(**shown))
        self.kind, self.values = kind, shown


@dataclass(frozen=True)
class Document:
    """Sentences in their canonical form, in the order of the file.

    `references` has one for each source, or is None; `lines` gives the line of the file each came from, counted from 1;
    `left_out` is how many lines without a word were passed over; `header`: whether the first line names the columns.
    """

    name: str
    sources: tuple[Normalised, ...]
    references: tuple[Normalised, ...] | None
    lines: tuple[int, ...]
    left_out: int
    header: bool


def read(
    data: bytes | str, name: str = "", header: Header = "detect", contents: Contents = "detect",
    languages: tuple[str, str] = PAIR,
) -> Document:
    """The sentences of a file's bytes, or of a text that was typed or pasted. Raises DocumentError.

    A name that ends in .csv makes it CSV, its separator a comma, a semicolon or a tab; otherwise lines with a tab are
    TSV, in which quotation marks mean themselves, and lines without are sentences. `header`: whether the first line
    names the columns; detected where one of its cells is a usual name for sources or the source's language, by its
    name or its code. `contents`: "source" reads no references even if there are some, "pair" insists on them.
    `languages`: the codes of source and target.
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > BYTE_LIMIT:
        raise DocumentError("size", got=size, limit=BYTE_LIMIT)
    text = decode(data) if isinstance(data, bytes) else data
    before, nul, _ = text.partition("\0")
    if nul:
        raise DocumentError("nul", line=_line(before))
    shown = base_name(name)
    filled, left_out = _filled(_csv_rows(text) if shown.lower().endswith(".csv") else _tab_rows(text))
    if not filled:
        raise DocumentError("empty")
    return _document(shown, filled, left_out, header, contents, languages)


def decode(data: bytes) -> str:
    """Bytes as text: UTF-8, or UTF-16 and UTF-32 that say so by their byte order mark. Raises DocumentError."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            raise DocumentError("packed", format=kind)
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(mark) :]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line(body[: error.start].decode(encoding, "replace"))
        raise DocumentError("encoding", line=line, byte=f"0x{body[error.start]:02X}") from None


def base_name(name: str) -> str:
    """What is shown of a file's name: its last part, in canonical form, no longer than a line. Never a path."""
    return normalise(re.split(r"[/\\]", name[-1000:])[-1])[-NAME_LIMIT:].strip()


def _line(before: str) -> int:
    return len(_LINE_END.findall(before)) + 1


def _filled(rows: Iterable[Row | int]) -> tuple[list[Row], int]:
    """The rows that hold something, and how many others there are. DocumentError at the first one that is too much."""
    filled: list[Row] = []
    left_out = cells_read = 0
    for row in rows:
        if isinstance(row, int):
            left_out += row
            continue
        line, cells = row
        if len(cells) > COLUMN_LIMIT:
            raise DocumentError("wide", line=line, got=len(cells), limit=COLUMN_LIMIT)
        cells_read += len(cells)
        if not any(cell and normalise(cell) for cell in cells):
            left_out += 1
        elif len(filled) == ROW_LIMIT:
            raise DocumentError("rows", limit=ROW_LIMIT)
        else:
            filled.append(row)
        if cells_read > CELL_LIMIT:
            raise DocumentError("cells", line=line, limit=CELL_LIMIT)
    return filled, left_out


def _tab_rows(text: str) -> Iterator[Row | int]:
    """The lines of a text, and for lines in between that hold nothing but white space how many they are."""
    number = end = 0  # lines before this one; where the last one that is no empty one ended
    for found in _LINE.finditer(text):
        start = 1 + max(text.rfind("\n", end, found.start()), text.rfind("\r", end, found.start()))
        start = max(start, end)  # no end of a line before it: the first one
        ends = _line_ends(text, end, start)
        blank = ends - 1 if number else ends  # the first end is that of the line before
        if blank:
            yield blank
        number, end = number + blank + 1, found.end()
        yield number, _split(text[start:end], number)
    if end < len(text):
        unended = text[-1] not in "\r\n"
        yield _line_ends(text, end, len(text)) - (1 if number else 0) + unended


def _line_ends(text: str, start: int, end: int) -> int:
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def _split(line: str, number: int) -> list[str]:
    columns = line.count("\t") + 1
    if columns > COLUMN_LIMIT:
        raise DocumentError("wide", line=number, got=columns, limit=COLUMN_LIMIT)
    return line.split("\t")


def _csv_rows(text: str) -> Iterator[Row | int]:
    """The rows of a CSV, and 1 for each line without any cell."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    line = 1
    try:
        for cells in reader:
            yield (line, cells) if cells else 1
            line = reader.line_num + 1
    except csv.Error:  # quotation marks; a cell of more than 131,072 characters is one whose mark never closes
        raise DocumentError("quoting", line=line) from None


def _separator(text: str) -> str:
    """The separator that gives the first rows one number of columns above 1; a comma where none does."""
    beginning = text[:100_000]
    if len(text) > len(beginning):
        beginning = beginning[: beginning.rfind("\n") + 1] or beginning  # the last row may have been cut
    for separator in ",;\t":
        counts = set()
        try:
            for number, cells in enumerate(csv.reader(io.StringIO(beginning, newline=""), delimiter=separator)):
                if number == _SNIFFED:
                    break
                if any(cells):
                    counts.add(len(cells))
        except csv.Error:
            continue
        if len(counts) == 1 and counts != {1}:
            return separator
    return ","


def _called(language: str) -> set[str]:
    """What a column in a language may be called after it."""
    code = language.casefold()
    bare = code.partition("-")[0]
    return {code, bare, *_LANGUAGE_NAMES.get(bare, "").split()}


def _document(
    name: str, rows: Sequence[Row], left_out: int, header: Header, contents: Contents, languages: tuple[str, str]
) -> Document:
    """The document of rows that hold something."""
    width = len(rows[0][1])
    for line, cells in rows:
        if len(cells) != width:
            raise DocumentError("ragged", got=len(cells), line=line, expected=width)
    names = [normalise(cell).casefold() for cell in rows[0][1]]
    named = [column for column, cell in enumerate(names) if cell in SOURCE_NAMES | _called(languages[0])]
    known = [column for column, cell in enumerate(names) if cell in REFERENCE_NAMES | _called(languages[1])]
    headed = header == "yes" or (header == "detect" and bool(named))
    body = rows[1:] if headed else rows
    if not body:
        raise DocumentError("empty")
    if width > 2 and not (headed and named):
        raise DocumentError("columns", got=width)
    source = named[0] if headed and named else next(iter(set(range(width)) - set(known if headed else ())), 0)
    known = [column for column in known if column != source]
    unnamed = width == 2 and (contents == "pair" or not (headed and named))  # of a named source the rest may be numbers
    others = known if headed and known else [1 - source] if unnamed else []
    if contents == "pair" and not others:
        raise DocumentError("one_column") if width == 1 else DocumentError("columns", got=width)
    if len(body) > SENTENCE_LIMIT:
        raise DocumentError("sentences", got=len(body), limit=SENTENCE_LIMIT)
    if contents == "source" or not others:
        kept = [(line, text) for line, cells in body if (text := normalise(cells[source]))]
        if not kept:
            raise DocumentError("empty")
        lines, sources = zip(*kept, strict=True)
        return Document(name, sources, None, lines, left_out + len(body) - len(kept), headed)
    return _pairs(name, [(line, cells[source], cells[others[0]]) for line, cells in body], left_out, headed)


def _pairs(name: str, body: Sequence[tuple[int, str, str]], left_out: int, headed: bool) -> Document:
    kept = []
    for line, source, reference in body:
        pair = (line, normalise(source), normalise(reference))
        if not pair[1] and not pair[2]:
            left_out += 1
        elif not pair[1]:
            raise DocumentError("no_source", line=line)
        elif not pair[2]:
            raise DocumentError("no_reference", line=line)
        elif len(pair[2]) > REFERENCE_LIMIT:
            raise DocumentError("long", got=len(pair[2]), line=line, limit=REFERENCE_LIMIT)
        else:
            kept.append(pair)
    if not kept:
        raise DocumentError("empty")
    lines, sources, references = zip(*kept, strict=True)
    return Document(name, sources, references, lines, left_out, headed)
