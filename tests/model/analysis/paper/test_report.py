"""Check the README tables against the files of measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from model.analysis.paper.report import (
    NOT_MEASURED,
    Results,
    tabulate_checks,
    tabulate_claims,
)


def write_record(folder: Path, name: str, content: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


def get_row(lines: list[str], first: str) -> list[str]:
    """Return the cells of the first table row with this first cell."""
    result = (line for line in lines if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in next(result).strip("|").split("|")]


@pytest.mark.parametrize(("check", "expected"), [
    ({"key": "gain", "models": ["rnnsearch-50", "a-run"], "value": 1.25, "low": -0.04, "high": 3.0, "above": 0.0,
      "outcome": "open", "hours": [1.0, 1.1]},
     ["RNNsearch-50 and a-run", "set, beam 12", "1.2 (0.0 to 3.0)", "above 0", "open", "1.0 and 1.1"]),
    ({"key": "loss", "models": ["rnnencdec-50"], "value": None, "low": None, "high": None, "below": 0.1,
      "outcome": "missing"}, ["RNNencdec-50", "set, beam 12", NOT_MEASURED, "below 0.1", "missing", ""]),
])  # fmt: skip
def test_a_check_is_shown_with_its_bound_and_outcome(
    tmp_path: Path, check: dict[str, Any], expected: list[str]
) -> None:
    whole = {"data": "set", "beam": 12, "above": None, "below": None} | check
    claim = {"number": 3, "verdict": "open", "checks": [whole]}
    write_record(tmp_path, "claims.json", {"kind": "claims", "claims": [claim]})
    assert get_row(tabulate_checks(Results(tmp_path)), "3")[2:] == expected
    assert get_row(tabulate_claims(Results(tmp_path)), "3")[3] == "inconclusive"
