"""Trials: short runs from one start, compared in one table."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model.serialization.toml import SettingsFileError
from model.training import trials
from model.training.recipe import FOLDER, load_recipe
from model.training.state import STATE, read_state
from model.training.trainer import Trainer
from model.training.trials import Trials, apply_changes, load_trials

FILE = """
[start]
recipe = "tiny"
kind = "rnnsearch"
longest_words = 50
init = ""
pieces = 1200
cool_down = 400

[trials."baseline"]

[trials."half the rate, smoothed"]
optimiser.rate = 1e-3
training.label_smoothing = 0.1

[trials."shorter"]
pieces = 600
cool_down = 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.toml"
    path.write_text(FILE)
    return path


def test_every_trial_becomes_a_row(file: Path, data: Path, tmp_path: Path) -> None:
    table_path, runs = tmp_path / "tables" / "some.json", tmp_path / "runs"
    rows = list(trials.run_trials(file, data, runs, table_path, threads=1))
    assert Trials.load(table_path).trials == tuple(rows)
    assert [row.name for row in rows] == ["baseline", "half the rate, smoothed", "shorter"]
    assert [row.changes for row in rows] == [(), ("optimiser.rate = 0.001", "training.label_smoothing = 0.1"), ()]
    assert all(1200 <= row.pieces < 1700 for row in rows[:2])
    assert 600 <= rows[2].pieces < 1100
    assert [row.cool_down for row in rows] == [400, 400, 0]
    assert len({row.dev_loss for row in rows}) == 3
    states = [read_state(runs / "some" / folder) for folder in ("baseline", "half-the-rate-smoothed")]
    assert [state["progress"]["cooling"] for state in states] == [(800, 1200), (800, 1200)]
    assert states[1]["recipe"]["optimiser"]["rate"] == 1e-3
    assert not torch.equal(states[0]["network"]["W_s"], states[1]["network"]["W_s"])
    assert list(trials.run_trials(file, data, runs, table_path)) == []  # nothing is run twice


def test_a_stopped_trial_resumes_exactly(
    file: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_trial = next(iter(trials.run_trials(file, data, tmp_path / "whole", tmp_path / "whole.json")))

    class StoppedTrainer(Trainer):
        def update(self, batch):  # type: ignore[no-untyped-def]
            self.request_stop()
            return super().update(batch)

    with monkeypatch.context() as patched:
        patched.setattr(trials, "Trainer", StoppedTrainer)
        assert list(trials.run_trials(file, data, tmp_path / "parts", tmp_path / "parts.json")) == []
    parts = next(iter(trials.run_trials(file, data, tmp_path / "parts", tmp_path / "parts.json")))
    assert replace(parts, processor_minutes=whole_trial.processor_minutes) == whole_trial


@pytest.mark.parametrize(("old_line", "new_line", "expected"), [
    ('kind = "rnnsearch"', 'kind = "rnnencdec"', "kind or longest sentence is"),
    ('[trials."baseline"]', '[trials."baseline"]\ntraining.label_smoothing = 0.1', "recipe is"),
    ("pieces = 1200", "pieces = 1100", "cool-down is"), ('init = ""', 'init = "CHECKPOINT"', "first weights is"),
])  # fmt: skip
def test_a_changed_trial_does_not_resume_its_run(
    file: Path, data: Path, tmp_path: Path, old_line: str, new_line: str, expected: str
) -> None:
    folder = tmp_path / "runs" / "some" / "baseline"
    with pytest.MonkeyPatch.context() as patch:  # stop before the first update
        patch.setattr(trials.Trainer, "run", lambda trainer, max_tokens: iter(trainer.save() or ()))
        assert list(trials.run_trials(file, data, tmp_path / "runs", tmp_path / "none.json")) == []
    if "CHECKPOINT" in new_line:
        Trainer.resume(folder, data).export(tmp_path / "first")
        new_line = new_line.replace("CHECKPOINT", str(tmp_path / "first"))
    file.write_text(FILE.replace(old_line, new_line, 1))
    state = (folder / STATE).read_bytes()
    with pytest.raises(SettingsFileError, match=f"baseline holds a run .* its {expected} not what the file says; move"):
        list(trials.run_trials(file, data, tmp_path / "runs", tmp_path / "some.json"))
    assert (folder / STATE).read_bytes() == state
    assert not (tmp_path / "some.json").exists()


def test_a_table_has_one_start(file: Path, data: Path, tmp_path: Path) -> None:
    next(iter(trials.run_trials(file, data, tmp_path / "runs", tmp_path / "some.json")))
    table = (tmp_path / "some.json").read_bytes()
    file.write_text(FILE.replace("pieces = 1200", "pieces = 1300"))
    with pytest.raises(SettingsFileError, match="holds trials with another start"):
        next(iter(trials.run_trials(file, data, tmp_path / "runs", tmp_path / "some.json")))
    assert (tmp_path / "some.json").read_bytes() == table


@pytest.mark.parametrize(("content", "expected"), [
    ("", "no section [trials.NAME]"), ("[trials.a]", "recipe is missing"),
    (FILE + "[more]", "the section 'more' is not known"),
    (FILE.replace("pieces = 1200", "pieces = 0"), "start.pieces is 0; it must be from 1"),
])  # fmt: skip
def test_invalid_files_are_refused(content: str, expected: str, file: Path) -> None:
    file.write_text(content)
    with pytest.raises(SettingsFileError, match=re.escape(expected)) as refused:
        load_trials(file)
    assert "\n" not in str(refused.value).rstrip()


@pytest.mark.parametrize(("trial_text", "expected"), [
    ('[trials."rate +10 %"]\n[trials."Rate -10 %"]', "'rate +10 %' and 'Rate -10 %' would both run in"),
    ("[trials.last]\ncool_down = -1", "the trial 'last': start.cool_down is -1; it must be from 0"),
    ("[trials.last]\noptimiser.rate = -1", "the trial 'last': optimiser.rate is -1"),
    ("[trials.last]\nnetwork.hiden = 3", "the trial 'last': recipe, section network: the key 'hiden' is not known"),
    ("[trials.last]\noven.rate = 1", "the trial 'last': a trial changes 'oven'"),
    ("[trials.last.name]\nwide = 1", "the trial 'last': a trial changes 'name'"),
    ("[trials.last]\noptimiser = 3", "the trial 'last': a trial changes 'optimiser'"),
])  # fmt: skip
def test_all_trials_are_checked_before_the_first_runs(
    file: Path, data: Path, tmp_path: Path, trial_text: str, expected: str
) -> None:
    file.write_text(FILE + trial_text)
    with pytest.raises(SettingsFileError, match=re.escape(expected)):
        list(trials.run_trials(file, data, tmp_path / "runs", tmp_path / "some.json"))
    assert not (tmp_path / "runs").exists()


def test_copies_are_changed_corpus_by_corpus() -> None:
    wide = load_recipe("wide")
    assert apply_changes(wide, {"data": {"copies": {"europarl": 0}}}).data.copies == {**wide.data.copies, "europarl": 0}


@pytest.mark.parametrize("path", sorted((FOLDER / "trials").glob("*.toml")), ids=lambda path: path.stem)
def test_the_trials_of_the_package_are_valid(path: Path) -> None:
    start, settings = load_trials(path)
    assert path.stem.split("-")[0] == start.kind
    base = load_recipe(start.recipe)
    for name, trial in trials._plan_trials(path, Path("runs"), start, settings).items():
        assert (trial.recipe == base) == (not trial.changes), name
