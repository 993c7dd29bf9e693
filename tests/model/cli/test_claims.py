"""`claims` and `runs`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from model.analysis.evaluation.stored import load_evaluations, load_records
from model.analysis.paper import measurement_plan
from model.analysis.paper.claims import CLAIMS
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, read_runs
from tests.model.cli.running import Run, assert_one_error


def test_claims_without_measurements_are_listed(run: Run, tmp_path: Path) -> None:
    code, stdout, _ = run("claims", "--from", str(tmp_path))
    assert code == 0
    assert stdout.count("not measured in full") == len(CLAIMS)
    positions = [stdout.index(part)
                 for part in ("Bahdanau, Cho and Bengio 2015:", "1. ", "Sutskever, Vinyals and Le 2014:")]  # fmt: skip
    assert positions == sorted(positions)
    for part in ("RNNsearch-30 beats RNNencdec-50", "missing", "newstest2014, beam 12", "above 0", "below 0.1"):
        assert part in stdout


def test_runs_of_different_length_are_not_compared(run: Run, tmp_path: Path) -> None:
    (tmp_path / RUNS_FOLDER).mkdir()
    for name, feeding, hours in (("fed", True, 2.0), ("unfed", False, 3.0)):
        network = {"kind": "luong", "feeding": feeding}
        short_run = ShortRun(1, name, "0" * 12, network, 50, hours, 1000, "made up", "2026-01-02", "none")
        (tmp_path / RUNS_FOLDER / short_run.file).write_text(short_run.to_json())
    stdout = run("claims", "--from", str(tmp_path))[1]
    (line,) = (line for line in stdout.splitlines() if "fed and unfed" in line and "flores200-devtest" in line)
    assert "missing" in line
    assert "2.0 and 3.0, not compared" in line


def test_runs_are_measured_under_the_names_of_kind_and_folder(
    run: Run, tiny: Path, german: Path, tmp_path: Path, sentences: list[tuple[str, str]]
) -> None:
    (tmp_path / "test").mkdir()
    for number, file in enumerate((measurement_plan.NEWS_FILE, measurement_plan.FLORES_FILE)):
        lines = (f"{source}\t{target}\n" for source, target in sentences[4 * number : 4 * number + 4])
        (tmp_path / "test" / file).write_text("".join(lines), encoding="utf-8")
    shutil.copytree(tiny, tmp_path / "runs" / "first" / "best")
    shutil.copytree(tiny, tmp_path / "runs" / "second")
    folders = [str(tmp_path / "runs" / name) for name in ("first", "second")]
    code, stdout, stderr = run("runs", str(tmp_path), *folders, "--out", str(tmp_path / "out"))
    assert (code, stderr) == (0, "")
    assert stdout.count(" made ") == 10
    names = ["rnnsearch-first", "rnnsearch-second"]
    assert [short_run.name for short_run in read_runs(tmp_path / "out")] == names
    assert {(record.model, record.data.name) for record in load_evaluations(tmp_path / "out" / RUNS_FOLDER)} == {
        (name, data) for name in names for data in ("newstest2014", "flores200-devtest")}  # fmt: skip
    for kind in ("coverage", "copying"):
        assert {record["model"] for record in load_records(kind, tmp_path / "out" / RUNS_FOLDER).values()} == set(names)
    assert (tmp_path / "out" / "claims.json").is_file()
    assert run("runs", str(tmp_path), *folders, "--out", str(tmp_path / "out"))[1].count(" kept ") == 10
    assert run("runs", str(tmp_path), folders[0], "--sample", "2", "--out", str(tmp_path / "few"))[0] == 0
    record = json.loads((tmp_path / "few" / RUNS_FOLDER / "coverage-rnnsearch-first.json").read_text())
    assert record["command"].endswith("RUN --sample 2")
    shutil.copytree(tiny, tmp_path / "runs" / "rnnsearch-50")
    shutil.copytree(tiny, tmp_path / "elsewhere" / "first")
    assert_one_error(run("runs", str(tmp_path), str(tmp_path / "runs" / "rnnsearch-50")), "rename", "rnnsearch-50")
    assert_one_error(run("runs", str(tmp_path), folders[0], str(tmp_path / "elsewhere" / "first")), "the same name")
    german_arguments = ("runs", str(tmp_path), str(german), "--out", str(tmp_path / "out"))
    assert_one_error(run(*german_arguments), "models of en-fr", "german translates de-en")
