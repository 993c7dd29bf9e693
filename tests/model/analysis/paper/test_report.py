"""Check the README tables against the files of measurements."""

from __future__ import annotations

import json
from pathlib import Path

from model.analysis.evaluation.stored import EVALUATIONS_FOLDER
from model.analysis.paper.report import (
    NOT_MEASURED,
    Results,
    tabulate_ablation,
    tabulate_alignment,
    tabulate_bleu,
    tabulate_checks,
    tabulate_claims,
    tabulate_sentences,
)
from tests.model.analysis.paper.measurement_files import write_record


def get_row(lines: list[str], first: str) -> list[str]:
    """Return the cells of the first table row with this first cell."""
    result = (line for line in lines if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in next(result).strip("|").split("|")]


def test_measurements_of_other_weights_are_not_shown(tmp_path: Path) -> None:
    """tests/model/cli/test_results.py compares the tables of the shipped measurements."""
    name = "everyday-rnnsearch-50.json"
    record = json.loads((EVALUATIONS_FOLDER / name).read_text(encoding="utf-8"))
    write_record(tmp_path, name, record | {"fingerprint": "0" * 12})
    assert set(get_row(tabulate_sentences(Results(tmp_path)), "RNNsearch-50")[1:]) == {NOT_MEASURED}
    assert tabulate_claims(Results(tmp_path))[2:] == []  # claims.json is missing


def test_a_check_without_numbers_is_shown_as_missing(tmp_path: Path) -> None:
    check = {"key": "loss", "models": ["rnnencdec-50"], "data": "set", "beam": 12, "value": None, "low": None,
             "high": None, "above": None, "below": 0.1, "hours": [0.55, 0.6], "outcome": "missing"}  # fmt: skip
    claim = {"number": 3, "verdict": "open", "checks": [check]}
    write_record(tmp_path, "claims.json", {"kind": "claims", "claims": [claim]})
    assert get_row(tabulate_checks(Results(tmp_path)), "3")[2:] == [
        "RNNencdec-50", "set, beam 12", NOT_MEASURED, "below 0.1", "missing", "0.6 and 0.6"]  # fmt: skip
    assert get_row(tabulate_claims(Results(tmp_path)), "3")[3] == "inconclusive at this scale (0.6 hours)"


def test_an_end_of_a_band_is_not_rounded_to_the_limit(tmp_path: Path) -> None:
    check = {"key": "repeats_less", "models": ["rnnsearch-50"], "data": "set", "beam": 1, "value": 0.0046,
             "low": -0.00029, "high": 0.0107, "above": 0.0, "below": None, "outcome": "open"}  # fmt: skip
    checks = [check, check | {"low": 0.0}, check | {"above": None, "below": 0.1, "high": 0.10004}]
    write_record(tmp_path, "claims.json", {"kind": "claims", "claims": [
        {"number": 12 + index, "verdict": "open", "checks": [check]} for index, check in enumerate(checks)]})
    lines = tabulate_checks(Results(tmp_path))
    assert [get_row(lines, str(number))[4] for number in (12, 13, 14)] == [
        "0.0046 (-0.0003 to 0.0107)", "0.005 (0.000 to 0.011)", "0.00460 (-0.00029 to 0.10004)"]


def test_kinds_without_words_have_no_share(tmp_path: Path) -> None:
    name = "ablation-rnnsearch-50.json"
    record = json.loads((EVALUATIONS_FOLDER / name).read_text(encoding="utf-8"))
    record["forced"]["uniform"]["number"][:2] = [0, 0]
    record["free"]["uniform"][:2] = [0, 0]
    write_record(tmp_path, name, record)
    row = next(line for line in tabulate_ablation(Results(tmp_path)) if "| uniform |" in line)
    assert [cell.strip() == NOT_MEASURED for cell in row.strip("|").split("|")[2:]] == [False, False, False, True, True]


def test_a_head_without_held_out_pairs_is_not_described(tmp_path: Path) -> None:
    name = "alignment-transformer-50.json"
    record = json.loads((EVALUATIONS_FOLDER / name).read_text(encoding="utf-8"))
    record["maps"]["best"] |= {"sentences": 0, "aer": None}
    write_record(tmp_path, name, record)
    assert not any("best head" in line for line in tabulate_alignment(Results(tmp_path)))


def test_scoring_is_not_described_without_evaluations(tmp_path: Path) -> None:
    assert tabulate_bleu(Results(tmp_path))[-1] == ""
