"""Tables as CSV are exact, and contain no formulas."""

import csv
import io

import numpy as np

from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_csv_cell
from tests.hostile import CASES


def test_numbers_are_exact_and_texts_quoted() -> None:
    text = build_csv(("name", "value"), [("a,b", 0.1 + 0.2), ('c "d"', None), ("e\nf", np.float32(0.1)), ("", np.nan)])
    assert text == 'name,value\n"a,b",0.30000000000000004\n"c ""d""",\n"e\nf",0.1\n,\n'


def test_numbers_keep_their_sign_and_formulas_are_escaped() -> None:
    assert build_csv(["=1+1", "n"], [("-2", -2), ("@SUM(A1)", -0.5)]) == "'=1+1,n\n'-2,-2\n'@SUM(A1),-0.5\n"


def test_hostile_texts_stay_in_one_cell() -> None:
    texts = list(CASES.values())
    rows = list(csv.reader(io.StringIO(build_csv(["text", "number"], [(text, 7) for text in texts]), newline="")))
    assert rows[1:] == [[escape_csv_cell(text), "7"] for text in texts]
