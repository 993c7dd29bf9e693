"""Check the README tables against the files of measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from model.analysis.evaluation.stored import EVALUATIONS_FOLDER
from model.analysis.paper.report import (
    NOT_MEASURED,
    Results,
    tabulate_alignment,
    tabulate_bleu,
    tabulate_checks,
    tabulate_claims,
    tabulate_paper_models,
    tabulate_sentences,
)

EVALUATION = "newstest2014-rnnsearch-50-greedy.json"


def read_record(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((EVALUATIONS_FOLDER / name).read_text(encoding="utf-8"))
    return result


def write_record(folder: Path, name: str, content: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


def get_row(lines: list[str], first: str) -> list[str]:
    """Return the cells of the first table row with this first cell."""
    result = (line for line in lines if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in next(result).strip("|").split("|")]


def test_tables_show_scores_and_bands(tmp_path: Path) -> None:
    write_record(tmp_path, EVALUATION, read_record(EVALUATION))
    scores = read_record(EVALUATION)["scores"]
    shown = f"{scores['bleu']:.1f} ({scores['bleu_low']:.1f} to {scores['bleu_high']:.1f})"
    results = Results(tmp_path)
    assert get_row(tabulate_bleu(results), "RNNsearch-50")[1:] == [shown, *[NOT_MEASURED] * 4]
    assert get_row(tabulate_paper_models(results), "BLEU, newstest2014, greedy")[1:] == [shown, *[NOT_MEASURED] * 3]


def test_measurements_of_other_weights_are_not_shown(tmp_path: Path) -> None:
    for name in (EVALUATION, "everyday-rnnsearch-50.json", "alignment-rnnsearch-50.json"):
        write_record(tmp_path, name, read_record(name) | {"fingerprint": "0" * 12})
    results = Results(tmp_path)
    for part in (tabulate_bleu, tabulate_sentences):
        assert set(get_row(part(results), "RNNsearch-50")[1:]) == {NOT_MEASURED}
    assert not any(line.startswith("| RNNsearch-50 |") for line in tabulate_alignment(results))
    assert tabulate_claims(results)[2:] == []  # claims.json is missing


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
