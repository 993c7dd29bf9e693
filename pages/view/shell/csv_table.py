"""Tables as CSV, safe to open in a spreadsheet: the one place that writes them."""

import csv
import io
from collections.abc import Iterable
from typing import Any

import numpy as np

from pages.view.shell.escape import csv_cell

Cell = str | float | np.floating[Any] | None


def csv_table(columns: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    """A line of column names and a line a row. Numbers are written in full, None as an empty cell, and no text is read
    as a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in (columns, *rows):
        writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()
