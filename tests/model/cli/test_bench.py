"""`bench` and `costs`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model.analysis import cost_measurement, costs
from model.training.machine import supports_bfloat16
from tests.model.cli.running import Run

SMALL = ("--rounds", "1", "--hidden", "8", "--embedding", "6", "--vocabulary", "50", "--source", "9", "--target", "10")


def test_bench_measures_the_named_kind(run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.analysis.benchmark.MATMUL_SIZE", 64)
    monkeypatch.setattr("model.cli.speed.read_everyday", list)
    options = ("--batch", "2", "-m", str(tiny), "--kind", "luong", "--layers", "3")
    code, stdout, _ = run("bench", *SMALL, *options)
    assert code == 0
    assert "matrix product 64³, float32" in stdout
    assert ("bfloat16" in stdout) == supports_bfloat16(torch.device("cpu"))  # emulated, a product takes a minute
    assert stdout.count("x its own step, 10 pieces a sentence") == 3  # searches
    assert {line.split()[1].rstrip(",") for line in stdout.splitlines() if line.startswith(("training", "search"))} == \
        {"luong"}
    for part in ("load average", "training luong, fast, float32", "x plain", "greedy, batch 1 ", "beam 5, batch 64",
                 "search luong, random weights, beam 12, batch 1", "layers=3", "M parameters",
                 "sentences/s, peak memory"):  # fmt: skip
        assert part in stdout


def test_saved_costs_can_be_read_and_name_their_rounds(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, measured = tmp_path / "costs.json", costs.load_costs()
    monkeypatch.setattr(costs, "FILE", file)
    monkeypatch.setattr(cost_measurement, "measure_costs", lambda *_, **__: measured)
    code, stdout, _ = run("costs", "--rounds", "10", "--save")
    assert (code, stdout.splitlines()[-1]) == (0, f"written to {file}")
    assert costs.load_costs(file) == replace(measured, command="python -m model costs --rounds 10 --save")
