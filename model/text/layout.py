"""How a text is laid out: what separates its columns, and whether quotation marks enclose cells.

A separator is never taken from a file's name alone. In a CSV it must give every row the same number of columns, and a
comma that a space follows belongs to a sentence. In a TSV quotation marks are the sentences' own, unless the file can
only have been written by a program that encloses cells in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from model.text.documents import COLUMN_LIMIT, DocumentError, Separator

TRIPLE_BAR = "|||"  # between the sides of a pair, as aligners write them
SEPARATOR_CHARACTERS: dict[Separator, str | None] = {
    "tab": "\t",
    "semicolon": ";",
    "comma": ",",
    "pipe": "|",
    "none": None,
}

_DECLARED = re.compile(r'"?sep=([^\w\s"]|\t)"?[;,|\t]*(?:\n|\Z)', re.IGNORECASE)  # Excel's first line
_CELL_END = r'[.!?…»”"\'\0]'  # what a sentence or a quoted cell ends with: a comma after it is a separator


@dataclass(frozen=True)
class Layout:
    """What separates the columns (None: nothing, every row is one cell), and whether cells are quoted as in CSV."""

    separator: str | None
    quoted: bool


class RowStructure:
    """The rows of a text under one layout, each cell in quotation marks replaced by a NUL.

    `rows` may be counted and measured without regard to what quoted cells hold; row i of it is row i of the table.
    """

    def __init__(self, text: str, layout: Layout) -> None:
        self.layout = layout
        self._text = text
        self.text = _quoted_cell_pattern(layout.separator).sub("\0", text) if layout.quoted and '"' in text else text
        self.rows = self.text.removesuffix("\n").split("\n")

    @property
    def width(self) -> int:
        """The most columns of a row."""
        return 1 if self.layout.separator is None else 1 + max(row.count(self.layout.separator) for row in self.rows)

    def check(self) -> None:
        """Raise DocumentError where quotation marks don't pair, or rows differ in their number of columns."""
        if self.layout.quoted:
            wrong = _bad_quoting_pattern(self.layout.separator).search(self.text)
            if wrong:
                raise DocumentError("quoting", line=self.get_line_number(self.text.count("\n", 0, wrong.start())))
        separator = self.layout.separator
        if separator is None:
            return
        expected: tuple[int, int] | None = None
        for number, row in enumerate(self.rows):
            filled = row.rstrip(separator + " ")
            least, most = 1 + filled.count(separator), 1 + row.count(separator)
            if most > COLUMN_LIMIT:
                raise DocumentError("wide", line=self.get_line_number(number), got=most, limit=COLUMN_LIMIT)
            if not filled.strip():
                continue
            if expected is None:
                expected = least, most  # cells at the end of the row may be empty
            elif least > expected[1] or most < expected[0]:
                got = least if least > expected[1] else most
                raise DocumentError("ragged", got=got, line=self.get_line_number(number), expected=expected[0])

    @property
    def is_table(self) -> bool:
        """Whether the first row has several columns, and the others as many."""
        first = next((row for row in self.rows if row.strip()), "")
        return self.layout.separator is not None and self.layout.separator in first and self.is_regular

    @property
    def is_regular(self) -> bool:
        """Whether `check` finds nothing wrong."""
        try:
            self.check()
        except DocumentError:
            return False
        return True

    def get_line_number(self, row: int) -> int:
        """Return the line of the text that a row begins at, counted from 1."""
        if self.text is self._text:
            return row + 1
        rest = iter(self.text.split("\n", row + 1)[: row])
        quoted_before = sum(part.count("\0") for part in rest)
        cells = _quoted_cell_pattern(self.layout.separator).finditer(self._text)
        return row + 1 + sum(next(cells)[0].count("\n") for _ in range(quoted_before))


def parse_declared_separator(text: str) -> tuple[str, int]:
    """Return the separator that a first line such as "sep=;" declares, and where the text goes on; "" for none."""
    found = _DECLARED.match(text)
    return (found[1], found.end()) if found else ("", 0)


def find_layout(text: str, is_csv: bool, is_from_excel: bool, has_header: Callable[[str, Layout], bool]) -> Layout:
    """Return how a text is laid out whose lines end in line feeds.

    `is_csv`: its name says so; else a comma, semicolon or bar separates only where a header is recognised. `by_excel`:
    its bytes look as Excel writes them, which encloses cells that hold a comma. `is_named`: whether a line names the
    columns under a layout.
    """
    first = text.lstrip("\n").partition("\n")[0]
    tabs = _build_tab_structure(text, is_from_excel) if "\t" in text else None
    if tabs is not None and (not is_csv or tabs.is_table):
        return tabs.layout
    if TRIPLE_BAR in text and all(row.count(TRIPLE_BAR) == 1 for row in text.split("\n") if row.strip()):
        return Layout(TRIPLE_BAR, False)
    found: list[tuple[bool, bool, Layout]] = []
    broken: list[tuple[int, Layout]] = []
    if tabs is not None and text.count("\t") >= len(tabs.rows):
        broken.append((-text.count("\t"), tabs.layout))
    for separator in ";|,":
        if separator not in text:
            continue
        structure = RowStructure(text, Layout(separator, True))
        named = has_header(first, structure.layout)
        if not named and not is_csv:
            continue
        rows = sum(bool(row.strip()) for row in structure.rows)
        between = _count_cell_separators(structure.text, separator)
        prose = 2 * between < rows and separator != "|"
        if structure.is_table and (named or not prose or (separator == ";" and rows > 1)):
            found.append((not named, prose, structure.layout))
        elif named or not prose:
            broken.append((-between, structure.layout))
    if found:
        return min(found, key=lambda one: one[:2])[2]
    if broken:
        return min(broken, key=lambda one: one[0])[1]
    alone = Layout(None, True)
    quoted = is_csv and RowStructure(text, alone).is_regular
    return Layout(None, quoted or _is_quoted(text, None, is_from_excel))


def build_layout(text: str, separator: str | None, is_from_excel: bool) -> Layout:
    """Return the layout of a text whose separator is known."""
    if separator == "\t":
        return _build_tab_structure(text, is_from_excel).layout
    if separator is None:
        return Layout(None, _is_quoted(text, None, is_from_excel))
    return Layout(separator, True)


def _build_tab_structure(text: str, is_from_excel: bool) -> RowStructure:
    return RowStructure(text, Layout("\t", _is_quoted(text, "\t", is_from_excel)))


def _is_quoted(text: str, separator: str | None, is_from_excel: bool) -> bool:
    """Return whether quotation marks enclose cells of a text with tabs, or with one column.

    They do where the rows are regular in that reading only, where every cell has them, or where each cell that has
    them needs them: it holds a doubled quotation mark, or, in what Excel wrote, a comma. No cell without them may then
    hold such a sign.
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
    inner = [found[0].strip()[1:-1] for found in _quoted_cell_pattern(separator).finditer(text)]
    if any('""' in cell for cell in inner):
        return True
    if separator and len(structure.rows) > 1 and not re.search(rf"[^\0{separator}\s]", structure.text):
        return True
    return bool(separator) and is_from_excel and all("," in cell for cell in inner) and "," not in structure.text


def _count_cell_separators(text: str, separator: str) -> int:
    """Return how many separators stand between cells, not inside of a sentence or number."""
    sign = re.escape(separator)
    inside = rf"(?<!{_CELL_END}){sign}(?=[ \u00a0\n]|\Z)|(?<=\d){sign}(?=\d)"
    return text.count(separator) - len(re.findall(inside, text))


def _quoted_cell_pattern(separator: str | None) -> re.Pattern[str]:
    return re.compile(rf'(?<![^{re.escape(separator or "")}\n]) *"[^"]*(?:""[^"]*)*+"')


def _bad_quoting_pattern(separator: str | None) -> re.Pattern[str]:
    """A quoted cell that something follows, or a quotation mark at the beginning of a cell that nothing closes."""
    sign = re.escape(separator or "")
    return re.compile(rf'\0 *+[^{sign}\n ]|(?<![^{sign}\n]) *"')
