"""Write tables as CSV that is safe to open in a spreadsheet."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from model.text.tables import write_table
from pages.ui.escape import escape_csv_cell

Cell = str | float | np.floating[Any] | None


def build_csv(columns: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    """Return a table as CSV. Numbers are written in full, None and NaN as empty cells, and no text is a formula."""
    return write_table(list(map(escape_csv_cell, columns)), (list(map(_convert_cell, row)) for row in rows))


def _convert_cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return escape_csv_cell(cell)
    return None if cell is None or np.isnan(cell) else cell
