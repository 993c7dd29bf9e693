"""SIGKILL at random moments, twenty times: never less is left than the last whole state and checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

from tests.model.training.driver import KILLS
from tests.model.training.runs import run_driver


def test_twenty_kills_at_random_moments(data: Path, tmp_path: Path) -> None:
    """And in the end, bit for bit, what an untouched run would have come to."""
    outcome = json.loads(run_driver("kill", data, tmp_path))
    reached = outcome["reached"]
    assert len(reached) == KILLS
    assert reached == sorted(reached)
    assert len(set(reached)) > KILLS // 2, "it got on between the kills"
    assert outcome["bests"] > KILLS // 2, "there was mostly a checkpoint to look at"
    assert outcome["differences"] == [], "\n".join(outcome["differences"])
