"""Write tables as CSV that is safe to open in a spreadsheet."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from model.text.tables import write_table
from pages.ui.escape import escape_csv_cell

Cell = str | float | np.floating[Any] | None


def build_csv(columns: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    """Return a table as CSV. Numbers are written in full, None as an empty cell, and no text becomes a formula."""
    import pandas as pd  # imported here since it takes a second, and no page needs it to be drawn

    cells = [[escape_csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    names = list(map(escape_csv_cell, columns))
    return write_table(pd.DataFrame(cells, columns=names, dtype=object))
