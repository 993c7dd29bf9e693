"""Table layouts: the separator of columns, and whether quotation marks enclose cells.

The file name alone does not decide about the separator. In CSV every row must have the same number of columns, and a
comma before a space belongs to a sentence. In TSV quotation marks belong to sentences, unless the file can only come
from a program that quotes cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from model.text.documents import COLUMN_LIMIT, DocumentError, Separator

TRIPLE_BAR = "|||"  # the separator of word aligners
SEPARATOR_CHARACTERS: dict[Separator, str | None] = {
    "tab": "\t",
    "semicolon": ";",
    "comma": ",",
    "pipe": "|",
    "none": None,
}

_DECLARATION = re.compile(r'"?sep=([^\w\s"]|\t)"?[;,|\t]*(?:\n|\Z)', re.IGNORECASE)  # Excel's first line
_CELL_END = r'[.!?…»”"\'\0]'  # what a sentence or a quoted cell ends with: a comma after it is a separator


@dataclass(frozen=True)
class Layout:
    """The separator of columns (None for one column), and whether cells are quoted as in CSV."""

    separator: str | None
    has_quotes: bool


class RowStructure:
    """The rows of a text in a layout, with a NUL in place of each quoted cell.

    So rows can be counted and split regardless of quoted cells; `rows[i]` is row i of the table. `first_line`: the
    number of the line at which the text begins in its file.
    """

    def __init__(self, text: str, layout: Layout, first_line: int = 1) -> None:
        self.layout = layout
        self._first_line = first_line
        self._text = text
        self.text = text
        if layout.has_quotes and '"' in text:
            self.text = _build_quoted_cell_pattern(layout.separator).sub("\0", text)
        self.rows = self.text.removesuffix("\n").split("\n")

    @property
    def width(self) -> int:
        """The largest number of columns of a row."""
        return 1 if self.layout.separator is None else 1 + max(row.count(self.layout.separator) for row in self.rows)

    def check(self) -> None:
        """Raise DocumentError for unpaired quotation marks and for rows with different numbers of columns."""
        if self.layout.has_quotes:
            bad_cell = _build_bad_quoting_pattern(self.layout.separator).search(self.text)
            if bad_cell:
                raise DocumentError("quoting", line=self.get_line_number(self.text.count("\n", 0, bad_cell.start())))
        separator = self.layout.separator
        if separator is None:
            return
        expected: tuple[int, int] | None = None
        for index, row in enumerate(self.rows):
            stripped = row.rstrip(separator + " ")
            min_width, max_width = 1 + stripped.count(separator), 1 + row.count(separator)  # last cells may be empty
            if max_width > COLUMN_LIMIT:
                raise DocumentError("wide", line=self.get_line_number(index), got=max_width, limit=COLUMN_LIMIT)
            if not stripped.strip():
                continue
            if expected is None:
                expected = min_width, max_width
            elif min_width > expected[1] or max_width < expected[0]:
                got = min_width if min_width > expected[1] else max_width
                raise DocumentError("ragged", got=got, line=self.get_line_number(index), expected=expected[0])

    @property
    def is_table(self) -> bool:
        """Whether the first row has several columns, and the others as many."""
        first = next((row for row in self.rows if row.strip()), "")
        return self.layout.separator is not None and self.layout.separator in first and self.is_regular

    @property
    def is_regular(self) -> bool:
        """Whether `check` raises nothing."""
        try:
            self.check()
        except DocumentError:
            return False
        return True

    def get_line_number(self, row: int) -> int:
        """Return the number of the line at which a row begins."""
        if self.text is self._text:
            return self._first_line + row
        quoted_before = sum(line.count("\0") for line in self.text.split("\n", row + 1)[:row])
        cells = _build_quoted_cell_pattern(self.layout.separator).finditer(self._text)
        return self._first_line + row + sum(next(cells)[0].count("\n") for _ in range(quoted_before))


def parse_declared_separator(text: str) -> tuple[str, int]:
    """Return the separator that a first line "sep=;" declares ("" for none), and the offset of the next line."""
    match = _DECLARATION.match(text)
    return (match[1], match.end()) if match else ("", 0)


def find_layout(text: str, is_csv: bool, is_from_excel: bool, has_header: Callable[[str, Layout], bool]) -> Layout:
    """Detect the layout of a text with line feeds as line ends.

    `is_csv`: by its name; otherwise a comma, semicolon or bar is a separator only below a recognised header.
    `is_from_excel`: the bytes look like Excel's, which quotes cells with a comma. `has_header`: whether a line is a
    header in a layout.
    """
    first = text.lstrip("\n").partition("\n")[0]
    tabs = _build_tab_structure(text, is_from_excel) if "\t" in text else None
    if tabs is not None and (not is_csv or tabs.is_table):
        return tabs.layout
    if TRIPLE_BAR in text and all(row.count(TRIPLE_BAR) == 1 for row in text.split("\n") if row.strip()):
        return Layout(TRIPLE_BAR, False)
    candidates: list[tuple[bool, bool, Layout]] = []
    irregular: list[tuple[int, Layout]] = []  # chosen last, so that the error is about the likeliest separator
    if tabs is not None and text.count("\t") >= len(tabs.rows):
        irregular.append((-text.count("\t"), tabs.layout))
    for separator in ";|,":
        if separator not in text:
            continue
        structure = RowStructure(text, Layout(separator, True))
        is_named = has_header(first, structure.layout)
        if not is_named and not is_csv:
            continue
        row_count = sum(bool(row.strip()) for row in structure.rows)
        separator_count = _count_cell_separators(structure.text, separator)
        is_prose = 2 * separator_count < row_count and separator != "|"
        if structure.is_table and (is_named or not is_prose or (separator == ";" and row_count > 1)):
            candidates.append((not is_named, is_prose, structure.layout))
        elif is_named or not is_prose:
            irregular.append((-separator_count, structure.layout))
    if candidates:
        return min(candidates, key=lambda candidate: candidate[:2])[2]
    if irregular:
        return min(irregular, key=lambda candidate: candidate[0])[1]
    is_quoted_csv = is_csv and RowStructure(text, Layout(None, True)).is_regular
    return Layout(None, is_quoted_csv or _is_quoted(text, None, is_from_excel))


def build_layout(text: str, separator: str | None, is_from_excel: bool) -> Layout:
    """Return the layout of a text with a known separator."""
    if separator == "\t":
        return _build_tab_structure(text, is_from_excel).layout
    if separator is None:
        return Layout(None, _is_quoted(text, None, is_from_excel))
    return Layout(separator, True)


def _build_tab_structure(text: str, is_from_excel: bool) -> RowStructure:
    return RowStructure(text, Layout("\t", _is_quoted(text, "\t", is_from_excel)))


def _is_quoted(text: str, separator: str | None, is_from_excel: bool) -> bool:
    """Return whether quotation marks enclose cells of a text with tabs or one column.

    They do if rows are regular only as quoted cells, or if every cell has them. They also do if each cell that has them
    needs them, for a doubled quotation mark or, from Excel, a comma. Then no cell without them may hold such a sign.
    """
    if '"' not in text:
        return False
    structure = RowStructure(text, Layout(separator, True))
    if "\0" not in structure.text or not structure.is_regular:
        return False
    if separator and not RowStructure(text, Layout(separator, False)).is_regular:
        return True
    if '"' in structure.text:
        return False
    contents = [match[0].strip()[1:-1] for match in _build_quoted_cell_pattern(separator).finditer(text)]
    if any('""' in cell for cell in contents):
        return True
    if separator and len(structure.rows) > 1 and not re.search(rf"[^\0{separator}\s]", structure.text):
        return True
    return bool(separator) and is_from_excel and all("," in cell for cell in contents) and "," not in structure.text


def _count_cell_separators(text: str, separator: str) -> int:
    """Count the separators between cells, without those inside a sentence or a number."""
    sign = re.escape(separator)
    inside_cell = rf"(?<!{_CELL_END}){sign}(?=[ \u00a0\n]|\Z)|(?<=\d){sign}(?=\d)"
    return text.count(separator) - len(re.findall(inside_cell, text))


def _build_quoted_cell_pattern(separator: str | None) -> re.Pattern[str]:
    return re.compile(rf'(?<![^{re.escape(separator or "")}\n]) *"[^"]*(?:""[^"]*)*+"')


def _build_bad_quoting_pattern(separator: str | None) -> re.Pattern[str]:
    """Return the pattern of a quoted cell with text after it, or of an unclosed quotation mark before a cell."""
    sign = re.escape(separator or "")
    return re.compile(rf'\0 *+[^{sign}\n ]|(?<![^{sign}\n]) *"')
