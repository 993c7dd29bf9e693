"""Tables of sentences: from bytes to a pandas DataFrame with named columns, and back.

Pages and commands all read files with `read_table`, so they agree on encodings, separators, headers and blank lines.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from model.text.documents import (
    BYTE_LIMIT,
    CELL_LIMIT,
    REFERENCE_LIMIT,
    ROW_LIMIT,
    SENTENCE_LIMIT,
    Contents,
    DocumentError,
    Header,
    Separator,
    count_line_ends,
    decode_with_name,
    shorten_file_name,
)
from model.text.headers import detect_column_type, get_column_role, is_header_row, is_numbering, matches_language
from model.text.languages import DEFAULT_PAIR
from model.text.layout import (
    SEPARATOR_CHARACTERS,
    TRIPLE_BAR,
    Layout,
    RowStructure,
    build_layout,
    find_layout,
    parse_declared_separator,
)
from model.text.normalise import NormalisedText, join_surrogates, normalise

if TYPE_CHECKING:  # pandas takes half a second to import, so it waits until the first table
    import pandas as pd

TableNoteKind = Literal["blank", "declared", "empty", "number", "language", "licence", "date", "text", "languages",
                   "swapped"]  # fmt: skip
_NOTES: dict[TableNoteKind, str] = {
    "blank": "{count} blank {line_s} left out: {lines}",
    "declared": "the first line names the separator",
    "empty": "column {columns} left out: empty",
    "number": "column {columns} left out: numbers",
    "language": "column {columns} left out: language codes",
    "licence": "column {columns} left out: licences",
    "date": "column {columns} left out: dates",
    "text": "column {columns} left out: neither source nor reference",
    "languages": "{count} {row_s} left out: in other languages than {language}",
    "swapped": "the references stand before the sources",
}
_SEPARATOR_TEXTS: dict[str | None, str] = {
    "\t": "separated by tabs", ";": "separated by semicolons", ",": "separated by commas", "|": "separated by bars (|)",
    TRIPLE_BAR: "separated by |||", None: "one column",
}  # fmt: skip
_MAX_LISTED_LINES = 5  # blank lines that a note names
_HEADER_SAMPLE_ROWS = 50  # rows below the first that show whether it is a header
_MAX_HEADER_LENGTH = 10_000  # characters of a first line that may be a header
_UNPRINTED_CHARACTERS = [chr(code) for code in (*range(0x1F, 0x0D, -1), *range(8, 0, -1), *range(0x7F, 0x20, -1))]


@dataclass(frozen=True)
class TableNote:
    """A note on something left out or assumed: `kind`, and the `values` in its sentence."""

    kind: TableNoteKind
    values: dict[str, str]

    def __str__(self) -> str:
        is_plural = self.values.get("count", "1") != "1"
        return _NOTES[self.kind].format(**self.values, line_s="lines" if is_plural else "line",
                                        row_s="rows" if is_plural else "row")


@dataclass(frozen=True, eq=False)
class Table:
    """Sentences with or without references, and how they were read.

    `frame`: columns "source" and, if there are references, "reference", stripped; the index is `line_numbers`.
    `header`: the cells of a header line. `blank_line_numbers`: those of lines without text, which are left out.
    """

    name: str
    frame: pd.DataFrame
    encoding: str
    layout: Layout
    header: tuple[str, ...] | None
    blank_line_numbers: tuple[int, ...]
    notes: tuple[TableNote, ...]

    @property
    def line_numbers(self) -> tuple[int, ...]:
        """The line number of each row, from 1."""
        return tuple(self.frame.index.tolist())

    @cached_property
    def sources(self) -> tuple[NormalisedText, ...]:
        """The normalised sources."""
        return tuple(map(normalise, self.frame["source"]))

    @cached_property
    def references(self) -> tuple[NormalisedText, ...] | None:
        """The normalised references, None if there are none."""
        return tuple(map(normalise, self.frame["reference"])) if "reference" in self.frame else None

    @property
    def separator(self) -> str | None:
        """The separator of columns, None for one column."""
        return self.layout.separator

    def list_pairs_with_blanks(self) -> list[tuple[str, str]]:
        """Return source and reference of each line, two empty texts for a blank line."""
        rows = zip(self.frame["source"], self.frame["reference"], strict=True)
        pairs = dict(zip(self.line_numbers, rows, strict=True))
        pairs.update(dict.fromkeys(self.blank_line_numbers, ("", "")))
        return [pairs[line] for line in sorted(pairs)]

    def to_dict(self) -> dict[str, Any]:
        """Return the output of `python -m model inspect`."""
        references = self.frame["reference"] if "reference" in self.frame else [None] * len(self.frame)
        return {
            "encoding": self.encoding,
            "separator": self.separator,
            "header": None if self.header is None else list(self.header),
            "rows": [{"source": source, "reference": reference}
                     for source, reference in zip(self.frame["source"], references, strict=True)],
            "notes": list(map(str, self.notes)),
        }  # fmt: skip

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a command reports about reading, () for a plain UTF-8 table that is read completely."""
        is_plain = self.encoding == "utf-8" and not self.layout.has_quotes and not self.header and not self.notes
        return () if is_plain else (self.summary, *map(str, self.notes))

    @property
    def summary(self) -> str:
        """How the file was read, in one line."""
        separated = _SEPARATOR_TEXTS.get(self.separator, f"separated by {self.separator}")
        header = "first line taken as header" if self.header else "no header"
        return f"read as {self.encoding.upper()}, {separated}, {header}"


def read_table(
    data: bytes | str,
    name: str = "",
    *,
    header: Header = "detect",
    separator: Separator = "detect",
    contents: Contents = "detect",
    languages: tuple[str, str] = DEFAULT_PAIR,
    has_limits: bool = True,
    allow_partial: bool = False,
) -> Table:
    """Read the sentences of a file's bytes or of a typed text. Raises DocumentError.

    `contents`: "source" ignores references, "pair" requires them. `languages`: the codes of source and target, which
    columns may be named after. `has_limits`: whether the limits of pages apply. `allow_partial`: whether a row may lack
    its source or its reference.
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if has_limits and size > BYTE_LIMIT:
        raise DocumentError("size", got=size, limit=BYTE_LIMIT)
    text, encoding = decode_with_name(data) if isinstance(data, bytes) else (data, "utf-8")
    preceding_text, nul, _ = text.partition("\0")
    if nul:
        raise DocumentError("nul", line=count_line_ends(preceding_text) + 1)
    text = join_surrogates(text)
    is_from_excel = "\r\n" in text or encoding.startswith("utf-16")
    reader = _Reader(
        shorten_file_name(name), encoding, header, separator, contents, languages, has_limits, allow_partial,
        is_from_excel,
    )
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return reader.read(text)
    try:
        return reader.read(text.replace("\r", "\n"))
    except DocumentError as error:
        if error.kind != "ragged" or "\n" not in text:
            raise
        return reader.read(text.replace("\r", " "))  # only line feeds end rows; carriage returns are inside cells


def write_table(columns: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """Return a table with header as CSV, or TSV for a tab, that `read_table` reads back. None is an empty cell.

    In TSV a single quoted cell could be taken for a quotation, so all cells are quoted or none.
    """
    cells = [columns, *rows]
    is_quoted = separator == "\t" and any(re.search('["\t\r\n]', str(cell)) for row in cells[1:] for cell in row)
    buffer = io.StringIO()
    csv.writer(
        buffer, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL if is_quoted else csv.QUOTE_MINIMAL
    ).writerows(cells)
    return buffer.getvalue()


@dataclass(frozen=True)
class _Reader:
    """Reads a text with line feeds as line ends, with the options of `read_table`."""

    name: str
    encoding: str
    header: Header
    separator: Separator
    contents: Contents
    languages: tuple[str, str]
    has_limits: bool
    allow_partial: bool
    is_from_excel: bool

    def read(self, text: str) -> Table:
        declared, start = parse_declared_separator(text)
        notes = [TableNote("declared", {})] if declared else []
        text = text[start:]
        if not text.strip():
            raise DocumentError("empty")
        if self.has_limits and text.count("\n") > CELL_LIMIT:  # checked before the text is split
            has_too_many_rows = len(re.findall(r"^\w", text, re.MULTILINE)) > ROW_LIMIT
            if has_too_many_rows:
                raise DocumentError("rows", limit=ROW_LIMIT)
            raise DocumentError("cells", limit=CELL_LIMIT)
        layout, reported_separator = self._find_layout(text, declared)
        if reported_separator == TRIPLE_BAR:
            text = text.replace(TRIPLE_BAR, "\t")
        first_line = 2 if declared else 1
        cells = _parse(text, layout, self._check_width(text, layout, first_line))
        cells.index = _number_lines(cells, first_line, layout.has_quotes)
        for column in cells:
            cells[column] = [cell.strip() for cell in cells[column]]
        cells, blank_line_numbers = _drop_blank_rows(cells)
        names = self._find_header(cells)
        if names is not None:
            cells = cells.iloc[1:]
        if cells.empty:
            raise DocumentError("empty")
        cells = self._filter_by_language(cells, notes)
        source, reference = self._find_columns(cells, names, notes)
        sentences = cells[[source] if reference is None else [source, reference]]
        sentences, empty_lines = self._check_rows(
            sentences.set_axis(["source", "reference"][: sentences.shape[1]], axis="columns")
        )
        blank_line_numbers = sorted(blank_line_numbers + empty_lines)
        if blank_line_numbers:
            line_list = ", ".join(f"{line:,}" for line in blank_line_numbers[:_MAX_LISTED_LINES])
            line_list += ", ..." if len(blank_line_numbers) > _MAX_LISTED_LINES else ""
            notes.insert(0, TableNote("blank", {"count": f"{len(blank_line_numbers):,}", "lines": line_list}))
        return Table(
            self.name,
            sentences.rename_axis("line"),
            self.encoding,
            Layout(reported_separator, layout.has_quotes),
            names,
            tuple(blank_line_numbers),
            tuple(notes),
        )

    def _find_layout(self, text: str, declared: str) -> tuple[Layout, str | None]:
        """Return the layout and the separator to report, which differ for triple bars: those are read as tabs."""
        if self.separator != "detect":
            layout = build_layout(text, SEPARATOR_CHARACTERS[self.separator], self.is_from_excel)
        elif declared:
            layout = build_layout(text, declared, self.is_from_excel)
        else:
            is_csv = self.name.lower().endswith(".csv")
            layout = find_layout(text, is_csv, self.is_from_excel, self._has_header)
        if layout.separator == TRIPLE_BAR:
            return Layout("\t", False), TRIPLE_BAR
        return layout, layout.separator

    def _has_header(self, line: str, layout: Layout) -> bool:
        if len(line) > _MAX_HEADER_LENGTH or not RowStructure(line, layout).is_regular:
            return False
        width = RowStructure(line, layout).width
        cells = _parse(line, layout, width).to_numpy().tolist()[0]
        return width > 1 and is_header_row([cell.strip() for cell in cells], (), self.languages, True)

    def _check_width(self, text: str, layout: Layout, first_line: int) -> int:
        """Return the largest number of columns of a row. Raises DocumentError for uneven or too many rows."""
        structure = RowStructure(text, layout, first_line)
        width = structure.width
        if self.has_limits and sum(row[:1].isalnum() for row in structure.rows) > ROW_LIMIT:
            raise DocumentError("rows", limit=ROW_LIMIT)
        structure.check()
        if self.has_limits and len(structure.rows) * width > CELL_LIMIT:
            raise DocumentError("cells", limit=CELL_LIMIT)
        return width

    def _find_header(self, cells: pd.DataFrame) -> tuple[str, ...] | None:
        """Return the cells of the first row if it is a header, without empty ones at the end."""
        first, *body = cells.iloc[: 1 + _HEADER_SAMPLE_ROWS].to_numpy().tolist()
        is_table = self.name.lower().endswith((".csv", ".tsv"))
        is_detected = self.header == "detect" and is_header_row(first, body, self.languages, is_table)
        if self.header != "yes" and not is_detected:
            return None
        width = max((number for number, cell in enumerate(first, 1) if cell), default=0)
        return tuple(first[:width])

    def _filter_by_language(self, cells: pd.DataFrame, notes: list[TableNote]) -> pd.DataFrame:
        """Filter rows by a single column of language codes; keep all if no row is in the source language."""
        code_columns = [column for column in cells if detect_column_type(cells[column].tolist()) == "language"]
        if cells.shape[1] < 3 or len(code_columns) != 1:
            return cells
        is_source_language = [matches_language(code, self.languages[0]) for code in cells[code_columns[0]]]
        if not any(is_source_language) or all(is_source_language):
            return cells
        count = f"{is_source_language.count(False):,}"
        notes.append(TableNote("languages", {"count": count, "language": self.languages[0]}))
        return cells[is_source_language]

    def _find_columns(
        self, cells: pd.DataFrame, names: tuple[str, ...] | None, notes: list[TableNote]
    ) -> tuple[int, int | None]:
        """Return the columns of sources and references, and note the others. Raises DocumentError."""
        width = cells.shape[1]
        column_names = list(names or ()) + [""] * (width - len(names or ()))
        types = [detect_column_type(cells[column].tolist()) for column in range(width)]
        non_empty = [
            column for column, column_type in enumerate(types) if column_type != "empty" or column_names[column]
        ]
        if len(non_empty) == 1 and non_empty[0] and names is None:
            non_empty.insert(0, 0)  # references without sources, reported later
        sentence_columns = self._find_columns_by_name(column_names, non_empty) if names is not None else None
        if sentence_columns is None:
            sentence_columns = self._find_columns_by_content(cells, non_empty, types)
        source, reference = sentence_columns
        if self.contents == "pair" and reference is None:
            raise DocumentError("one_column") if len(non_empty) == 1 else DocumentError("columns", got=len(non_empty))
        ignored = [column for column in range(width) if column not in sentence_columns]
        for column_type in dict.fromkeys(types[column] for column in ignored):
            same_type = [column for column in ignored if types[column] == column_type]
            columns = ", ".join(
                f"{column + 1} ({column_names[column]})" if column_names[column] else f"{column + 1}"
                for column in same_type
            )
            notes.append(TableNote(column_type, {"columns": columns}))
        if reference is not None and reference < source:
            notes.append(TableNote("swapped", {}))
        return source, None if self.contents == "source" else reference

    def _find_columns_by_name(self, names: Sequence[str], non_empty: Sequence[int]) -> tuple[int, int | None] | None:
        """Return the columns by their names; None if no name indicates the sources."""
        roles = {column: get_column_role(names[column], self.languages) for column in non_empty}
        by_role: dict[str | None, list[int]] = {}
        for column, role in roles.items():
            by_role.setdefault(role, []).append(column)
        sources, references, texts = (by_role.get(role, []) for role in ("source", "reference", "text"))
        if not sources and references and len(non_empty) == 2:
            sources = [column for column in non_empty if column != references[0]]
        if not sources and len(texts) == 1:
            sources, texts = texts, []
        if not sources:
            return None
        if not references and len(non_empty) == 2 and (texts or self.contents == "pair"):
            references = [column for column in non_empty if column != sources[0]]
        return sources[0], references[0] if references else None

    def _find_columns_by_content(
        self, cells: pd.DataFrame, non_empty: Sequence[int], types: Sequence[str]
    ) -> tuple[int, int | None]:
        """Return the columns with sentences, not numbers, language codes and the like. Raises DocumentError."""
        texts = list(non_empty)
        if len(non_empty) == 2 and self.contents != "pair":
            first, second = non_empty
            if types[first] == "number" and is_numbering(cells[first].tolist(), cells[second].tolist()):
                texts = [second]
        elif len(non_empty) > 2:
            texts = [column for column in non_empty if types[column] == "text"]
            after_code = [column for column in texts if column and types[column - 1] == "language"]
            texts = after_code or texts  # a user name may follow
            if len(after_code) == 2 and matches_language(cells[after_code[1] - 1].iloc[0], self.languages[0]):
                texts.reverse()
        if not 0 < len(texts) < 3:
            raise DocumentError("columns", got=len(non_empty))
        return texts[0], texts[1] if len(texts) == 2 else None

    def _check_rows(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[int]]:
        """Return the non-blank rows, and the lines of the blank ones.

        Raises DocumentError for a row that lacks a side, and for too many or too long texts.
        """
        frame, blank_line_numbers = _drop_blank_rows(frame)
        if "reference" in frame:
            for line, source, reference in frame.itertuples():
                if not self.allow_partial and not (_has_text(source) and _has_text(reference)):
                    raise DocumentError("no_reference" if _has_text(source) else "no_source", line=line)
                if self.has_limits and 3 * len(reference) > REFERENCE_LIMIT:  # a character becomes at most three
                    length = len(normalise(reference))
                    if length > REFERENCE_LIMIT:
                        raise DocumentError("long", got=length, line=line, limit=REFERENCE_LIMIT)
        if self.has_limits and len(frame) > SENTENCE_LIMIT:
            raise DocumentError("sentences", got=len(frame), limit=SENTENCE_LIMIT)
        return frame, blank_line_numbers


def _parse(text: str, layout: Layout, width: int) -> pd.DataFrame:
    """Parse a text into cells; a row with fewer cells than `width` gets empty ones. Raises DocumentError."""
    import pandas as pd  # takes half a second, and pages are drawn without it

    separator = layout.separator or next((sign for sign in _UNPRINTED_CHARACTERS if sign not in text), None)
    if separator is None:  # one column that uses every possible separator
        return pd.DataFrame(text.removesuffix("\n").split("\n"), dtype=object)
    return pd.read_csv(
        io.StringIO(text), sep=separator, header=None, names=range(width), index_col=False, dtype=object,
        keep_default_na=False, na_filter=False, skip_blank_lines=False, skipinitialspace=layout.has_quotes,
        quoting=csv.QUOTE_MINIMAL if layout.has_quotes else csv.QUOTE_NONE,
    )  # fmt: skip


def _number_lines(cells: pd.DataFrame, first: int, is_quoted: bool) -> pd.Index:
    """Return the line number at which each row begins."""
    if not is_quoted:
        return cells.index + first
    breaks = sum((cells[column].str.count("\n") for column in cells), start=0)
    return cells.index + first + breaks.cumsum().shift(fill_value=0)


def _drop_blank_rows(cells: pd.DataFrame) -> tuple[pd.DataFrame, list[int]]:
    """Return the rows with text, and the index of the others. Raises DocumentError if no row has text."""
    has_text = cells.map(_has_text).any(axis="columns")
    if not has_text.any():
        raise DocumentError("empty")
    return cells[has_text], cells.index[~has_text].tolist()


def _has_text(cell: str) -> bool:
    return bool(cell) and (cell[0].isalnum() or bool(normalise(cell)))
