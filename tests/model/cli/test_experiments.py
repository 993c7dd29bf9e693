"""Experiments with a translation on the command line: replayed, asked for need and gradients."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.checkpoints import checkpoint
from model.trace import Trace
from tests.hostile import CASES
from tests.model.cli.running import Run, assert_one_error

# ---- experiments of the laboratory ------------------------------------------------------------------------------


def experiment(tiny: Path, **more: object) -> str:
    asked = {"schema": 1, "kind": "experiment", "sentence": "The grey cat sleeps.", "model": str(tiny), "beam": 1,
             "fingerprint": checkpoint.read_card(tiny).fingerprint, "edits": "attention@*:uniform"}  # fmt: skip
    return json.dumps(asked | more)


def test_an_experiment_is_replayed_exactly(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(experiment(tiny), encoding="utf-8")
    code, out, _ = run("translate", "--edits", str(path), "--format", "json")
    made = Trace.from_json(out)
    assert code == 0
    assert made.made_by.edits == "attention@*:uniform"
    pieces = len(made.source.pieces)
    assert made.get_map().values.tolist() == [pytest.approx([1 / pieces] * pieces, abs=1e-6)] * len(made.steps)
    code, text, _ = run("translate", "--edits", str(path))
    assert (code, text) == (0, made.target.text + "\n")


@pytest.mark.parametrize(("more", "says"), [
    ({"fingerprint": "0" * 12}, "cannot be replayed exactly"), ({"edits": "attention@1=1,0"}, "has 2 weights"),
    ({"edits": "attention@1=nan,1"}, "attention@1=nan,1"), ({"edits": "other@*:max"}, "no map"),
    ({"edits": "attention@1=0.7,0.7,0,0,0,0"}, "row changed at step 1"), ({"model": "nobody"}, "nobody"),
    ({"sentence": "a " * 4000}, "pieces"), ({"edits": CASES["script"]}, "cannot be read"),
])  # fmt: skip
def test_an_experiment_that_cannot_be_replayed_gets_one_sentence(
    run: Run, tiny: Path, tmp_path: Path, more: dict[str, object], says: str
) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(experiment(tiny, **more), encoding="utf-8")
    assert_one_error(run("translate", "--edits", str(path)), says)


@pytest.mark.parametrize("name", CASES)
def test_hostile_experiments(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / "experiment.json"
    path.write_bytes(CASES[name].encode("utf-8", "surrogatepass"))
    assert_one_error(run("translate", "--edits", str(path)))


def test_an_experiment_is_asked_alone(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(experiment(tiny), encoding="utf-8")
    for option in ("--beam", "--seed"):
        assert_one_error(run("translate", "--edits", str(path), option, "5"), "--edits replays an experiment")
    assert_one_error(run("translate", "--edits", str(tmp_path / "none.json")), "none.json")


def test_how_much_its_translations_need_attention_is_counted(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.en-fr.tsv"
    path.write_text("The grey cat sleeps.\tLe chat gris dort.\nYes.\tOui.\n", encoding="utf-8")
    code, out, _ = run("need", str(path), "--model", str(tiny))
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines()][1:] == [
        "max", "temperature-0.5", "temperature-2", "before", "others", "diagonal", "uniform", "shuffled"]  # fmt: skip


def test_gradients_are_a_table_by_distance(run: Run, tiny: Path) -> None:
    code, out, err = run("gradients", "The grey cat sleeps.", "-m", str(tiny))
    assert (code, err) == (0, "")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[1] == ["distance", "token", "all paths", "attention only"]
    table = [line for line in lines[2:] if line[0].isdigit()]
    assert [int(line[0]) for line in table] == list(range(len(table)))
    assert table[0][1] == "</s>"
    assert all(float(value) > 0 for line in table for value in line[2:])
    gates = [line for line in lines if line[0].endswith("gate")]
    assert len(gates) == 6  # two of each of three cells
    assert all(0 < float(value) < 1 for line in gates for value in line[1:])


@pytest.mark.parametrize("text", [text for text in CASES.values() if len(text) < 8])  # more takes long
def test_gradients_of_anything_at_all(run: Run, tiny: Path, text: str) -> None:
    outcome = run("gradients", "-m", str(tiny), "--", text)
    if outcome[0]:
        assert_one_error(outcome)


def test_gradients_of_a_long_text_are_refused(run: Run, tiny: Path) -> None:
    assert_one_error(run("gradients", "cat " * 300, "-m", str(tiny)), "pieces")
