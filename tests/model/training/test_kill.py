"""SIGKILL at random moments leaves the last saved state and checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

from tests.model.training.driver import KILLS
from tests.model.training.runs import run_driver


def test_a_run_killed_twenty_times_equals_an_undisturbed_one(data: Path, tmp_path: Path) -> None:
    result = json.loads(run_driver("kill", data, tmp_path))
    history = result["history"]
    assert len(history) == KILLS
    assert history == sorted(history)
    assert len(set(history)) > KILLS // 2  # most children saved something
    assert result["checkpoints"] > KILLS // 2
    assert result["differences"] == [], "\n".join(result["differences"])
