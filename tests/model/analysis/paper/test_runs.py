"""Check the records of short runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, build_run, name_run, read_runs
from tests.cards import build_card

RUN = ShortRun(1, "fed", "0" * 12, {"kind": "luong", "feeding": True}, 50, 2.0, 1000, "made up", "2026-01-02", "none")


def write_run(folder: Path, run: ShortRun) -> Path:
    path = folder / RUNS_FOLDER / run.file
    path.parent.mkdir(exist_ok=True)
    path.write_text(run.to_json(), encoding="utf-8")
    return path


def test_a_run_is_named_after_its_kind_and_folder() -> None:
    assert name_run(Path("trials/no-input-feeding"), "luong") == "luong-no-input-feeding"
    assert name_run(Path("a/../luong-unfed"), "luong") == "luong-unfed"


def test_the_record_has_the_facts_of_the_card(tmp_path: Path) -> None:
    """Hours and tokens of earlier trainings count too."""
    card = replace(build_card("luong-50", "luong", fingerprint="abcdef012345"), training={
        "processor_hours": 1.5, "target_pieces": 700, "machine": "one core", "curve": [],
        "from": {"training": {"hours_in_updates": 0.5, "target_pieces": 300}}})  # fmt: skip
    run = build_run(card, "luong-unfed", "by hand")
    assert (run.name, run.kind, run.fingerprint) == ("luong-unfed", "luong", "abcdef012345")
    assert (run.hours, run.target_pieces, run.longest_words, run.machine) == (2.0, 1000, 50, "one core")
    write_run(tmp_path, run)
    assert read_runs(tmp_path) == (run,)
    with pytest.raises(EvaluationError, match="up to 100 letters"):
        build_run(card, "fed and unfed", "by hand")


@pytest.mark.parametrize(("changed_fields", "expected"), [
    ({"schema": 2}, "schema 1: got 2"), ({"model": "../fed"}, "up to 100 letters"),
    ({"fingerprint": "x"}, "12 lower hexadecimal digits"), ({"hours": -1.0}, "from 0 up: got -1.0"),
    ({"model": "unfed"}, "must be called run-unfed.json"), ({"more": 1}, 'unknown key "more"'),
])  # fmt: skip
def test_a_damaged_run_is_named(tmp_path: Path, changed_fields: dict[str, Any], expected: str) -> None:
    path = write_run(tmp_path, RUN)
    path.write_text(json.dumps(json.loads(path.read_text()) | changed_fields))
    with pytest.raises(EvaluationError, match=rf"^run-fed\.json.*{expected}"):
        read_runs(tmp_path)
