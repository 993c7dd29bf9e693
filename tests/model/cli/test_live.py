"""`live`: prints how networks fare, the median over seeds, and saves the last run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.training.live.settings import LiveSettings
from tests.model.cli.running import Run, assert_one_error

SHARES = {1: 0.5, 2: 1.0, 3: 0.9}  # by seed


class Scripted:
    """A process that reports two lengths, one of them beyond training."""

    def __init__(self, settings: LiveSettings, on_event: Callable[[dict[str, Any]], None]) -> None:
        share = SHARES[settings.seed]
        snapshot = {"seconds": 2.0, "updates": 30, "loss": 1.5, "norm": 0.25, "accuracy": share, "by_length": [share]}
        scores = [{"length": length, "accuracy": part, "pairs": 50} for length, part in ((1, share), (2, 0.0))]
        on_event({"event": "ready", "parameters": 9, "lengths": [1], "longer": [2], "examples": []})
        on_event({"event": "snapshot", "snapshot": snapshot})
        on_event({"event": "exam", "scores": scores} if settings.kind != "seq2seq" else {"event": "ended"})

    def kill(self) -> None:
        pass


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.cli.live.WorkerProcess", Scripted)


def test_reports_and_median(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    code, stdout, _ = run("live", "copy", "--seeds", "1,2,3", "--kinds", "luong,transformer", "--save", str(file))
    assert code == 0
    assert stdout.count("30 updates, loss 1.500, gradient 0.250, exact  50.0 %") == 2
    assert "luong: median 90.0 % of 3 (50.0, 100.0, 90.0)" in stdout
    settings = [network["settings"] for network in json.loads(file.read_text("utf-8"))["networks"]]
    assert [(one["kind"], one["seed"]) for one in settings] == [("luong", 3), ("transformer", 3)]


@pytest.mark.parametrize(
    ("options", "part"),
    [(("sums",), "task is 'sums'"), (("--seeds", "x"), "'x' is no number"), (("--kinds", "seq2seq"), "seq2seq ended"),
     (("dates", "--limit", "4"), "leave out --limit"), (("--score", "dot", "--kinds", "rnnsearch"), "add luong"),
     (("--save", "no/folder/x.json"), "no folder")],
)
def test_refusals(run: Run, options: tuple[str, ...], part: str) -> None:
    assert_one_error(run("live", *options), part)
