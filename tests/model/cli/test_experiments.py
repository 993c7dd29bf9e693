"""Experiments saved by the laboratory (`translate --experiment`), and the commands `ablation` and `gradients`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.checkpoints import checkpoint
from model.trace import Trace
from tests.model.cli.running import Run, assert_one_error


def dump_experiment(tiny: Path, **changes: object) -> str:
    experiment = {"schema": 2, "kind": "experiment", "sentence": "The grey cat sleeps.", "model": str(tiny), "beam": 1,
                  "fingerprint": checkpoint.read_card(tiny).fingerprint,
                  "overrides": "attention@*:uniform"}  # fmt: skip
    return json.dumps(experiment | changes)


def test_an_experiment_is_replayed_and_takes_no_other_options(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(dump_experiment(tiny), encoding="utf-8")
    code, stdout, _ = run("translate", "--experiment", str(path), "--format", "json")
    trace = Trace.from_json(stdout)
    assert code == 0
    assert trace.provenance.overrides == "attention@*:uniform"
    tokens = len(trace.source.pieces)
    assert trace.get_map().values.tolist() == [pytest.approx([1 / tokens] * tokens, abs=1e-6)] * len(trace.steps)
    assert run("translate", "--experiment", str(path))[:2] == (0, trace.target.text + "\n")
    for option in ("--beam", "--seed"):
        assert_one_error(run("translate", "--experiment", str(path), option, "5"), "with the file's own")
    assert_one_error(run("translate", "--experiment", str(tmp_path / "none.json")), "none.json")


@pytest.mark.parametrize(("changes", "expected"), [
    ({"fingerprint": "0" * 12}, "cannot be replayed exactly"), ({"overrides": "attention@1=1,0"}, "has 2 weights"),
    ({"model": "nobody"}, "nobody"),
])  # fmt: skip
def test_an_experiment_that_cannot_be_replayed_is_refused(
    run: Run, tiny: Path, tmp_path: Path, changes: dict[str, object], expected: str
) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(dump_experiment(tiny, **changes), encoding="utf-8")
    assert_one_error(run("translate", "--experiment", str(path)), expected)


def test_ablation_counts_words_by_rule(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.en-fr.tsv"
    path.write_text("The grey cat sleeps.\tLe chat gris dort.\nYes.\tOui.\n", encoding="utf-8")
    code, stdout, _ = run("ablation", str(path), "--model", str(tiny))
    assert code == 0
    assert [line.split(":")[0] for line in stdout.splitlines()][1:] == [
        "max", "temperature-0.5", "temperature-2", "before", "others", "diagonal", "uniform", "shuffled"]  # fmt: skip


def test_gradients_are_a_table_by_distance_and_a_line_per_gate(run: Run, tiny: Path) -> None:
    code, stdout, stderr = run("gradients", "The grey cat sleeps.", "-m", str(tiny))
    assert (code, stderr) == (0, "")
    lines = [line.split("\t") for line in stdout.splitlines()]
    assert lines[1] == ["distance", "token", "all paths", "attention only"]
    table = [line for line in lines[2:] if line[0].isdigit()]
    assert [int(line[0]) for line in table] == list(range(len(table)))
    assert table[0][1] == "</s>"
    assert all(float(value) > 0 for line in table for value in line[2:])
    gates = [line for line in lines if line[0].endswith("gate")]
    assert len(gates) == 6  # two in each of three cells
    assert all(0 < float(value) < 1 for line in gates for value in line[1:])
    assert_one_error(run("gradients", "cat " * 60, "-m", str(tiny)), "at most 100 tokens")
