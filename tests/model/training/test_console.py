"""What a person sees of a training run: the score at its end, and the command that goes on with it."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoints import checkpoint
from model.checkpoints.quantization import dequantize_weights, quantize_weights
from model.training import console
from model.training.console import format_progress, launch_command, run_with_progress, ship_best
from model.training.development import DevelopmentSet
from model.training.distributed import ProcessGroup
from model.training.recipe import Plan
from model.training.trainer import Progress, Report, Trainer
from tests.model.training.runs import build_tiny_recipe, train_until

NAME = "rnnsearch-50"
PLAN = Plan("rnnsearch", 50)


def test_a_course_ends_with_its_score_and_names_the_command_that_goes_on(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = Trainer(tmp_path / "my runs" / NAME, build_tiny_recipe(), PLAN, data)
    run_with_progress(trainer, max_tokens=1, max_minutes=None)
    (entry,) = trainer.progress.curve
    assert entry["pieces"] == trainer.progress.pieces > 0
    assert Trainer.resume(trainer.folder, data).progress.curve == [entry]
    written = capsys.readouterr().out
    assert f"{entry['pieces']:,} tokens: dev BLEU all {entry['bleu']['all']:.1f}" in written
    assert f"python -m model train --name {NAME} --resume --runs '{tmp_path / 'my runs'}' --data" in written


def test_a_cool_down_that_ends_before_the_limit_ends_with_its_score(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path / NAME, build_tiny_recipe(), PLAN, data)
    trainer.schedule_cool_down(300)
    run_with_progress(trainer, max_tokens=10**9, max_minutes=None)
    assert 300 <= trainer.progress.pieces < 900
    assert [entry["pieces"] for entry in trainer.progress.curve] == [trainer.progress.pieces]


def test_a_limit_before_the_cool_down_ends_is_the_end(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path / NAME, build_tiny_recipe(), PLAN, data)
    trainer.schedule_cool_down(10**9)
    run_with_progress(trainer, max_tokens=1, max_minutes=None)
    assert [entry["updates"] for entry in trainer.progress.curve] == [1]


@pytest.mark.skipif(os.name != "posix", reason="a pipe that breaks")
@pytest.mark.parametrize("lines", [0, 1, 3])
def test_a_run_that_nobody_reads_of_any_more_is_saved_and_ends(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    """As in `| head`, after so many of its lines."""
    reader, writer = os.pipe()
    told: list[int] = []

    def leaving(report: Report, speed: float) -> str:
        told.append(report.progress.updates)
        if len(told) == lines:
            os.close(reader)
        return "so far"

    if not lines:
        os.close(reader)
    trainer = Trainer(tmp_path / NAME, build_tiny_recipe(), PLAN, data)
    with os.fdopen(writer, "w") as stream, monkeypatch.context() as patched:
        patched.setattr(console, "LINE_SECONDS", -1.0)  # seconds: a line an update
        patched.setattr(console, "format_progress", leaving)
        patched.setattr(sys, "stdout", stream)
        run_with_progress(trainer, max_tokens=10**9, max_minutes=None)
    assert trainer.progress.updates == (max(told) if lines else 0) <= lines + 1
    assert Trainer.resume(trainer.folder, data).progress.updates == trainer.progress.updates


def test_a_run_that_is_only_interrupted_is_not_evaluated(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path / NAME, build_tiny_recipe(), PLAN, data)
    run_with_progress(trainer, max_tokens=10**9, max_minutes=1e-9)
    assert trainer.progress.curve == []


def test_a_loss_that_runs_away_can_be_told() -> None:
    report = Report(Progress(updates=3, pieces=1_500_000, loss=1000.0), learning_rate=0.1, tokens_per_second=70.0,
                    is_likelihood_only=True)  # fmt: skip
    assert format_progress(report, 70.0).startswith("1.50 M tokens, loss 1000.000, perplexity 1e+304, ")
    report = replace(report, progress=Progress(loss=2.0))
    assert "loss 2.000, perplexity 7.4, 70 tokens/s" in format_progress(report, 70.0)
    assert "loss 2.000, 70 tokens/s" in format_progress(
        replace(report, is_likelihood_only=False), 70.0
    )  # smoothed, it is none


def test_several_processes_go_on_as_several(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path / NAME, build_tiny_recipe(), PLAN, data)
    assert launch_command(trainer) == "python"
    trainer.group = replace(ProcessGroup(torch.device("cpu")), rank=1, size=3)
    assert launch_command(trainer) == "torchrun --standalone --nproc-per-node 3"


def test_the_best_is_shipped_in_eight_bits_with_what_that_cost(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    trainer = train_until(Trainer(tmp_path / "run", build_tiny_recipe(), Plan("rnnsearch", 50), data), 3)
    trainer.evaluate()
    told = ship_best(tmp_path / "run", "mine", data)
    rounded = checkpoint.read_card(tmp_path / "shipped" / "mine").training["rounded"]
    best = checkpoint.load_model(tmp_path / "run" / "best")
    assert rounded["bleu_before"] == trainer.development.compute_bleu(best.network)
    assert rounded["bleu"] == trainer.development.compute_bleu(checkpoint.load_model("mine").network)
    assert rounded["bits"] == 8
    assert f"dev BLEU {rounded['bleu_before']['all']:.2f} before" in told


def test_a_model_of_other_languages_is_not_shipped_over_one(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is called KIND-LONGEST unless said otherwise, as the shipped models are."""
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    trainer = train_until(Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, data), 3)
    trainer.evaluate()
    ship_best(tmp_path / "run", PLAN.name, data)
    before = checkpoint.read_card(tmp_path / "shipped" / PLAN.name)
    trainer.languages = ("de", "en")
    trainer.export(tmp_path / "run" / "best")
    with pytest.raises(checkpoint.CheckpointError, match="translates en-fr and this one de-en"):
        ship_best(tmp_path / "run", PLAN.name, data)
    assert checkpoint.read_card(tmp_path / "shipped" / PLAN.name) == before
    ship_best(tmp_path / "run", "other", data)


def test_what_is_shipped_is_what_was_measured(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its BLEU is measured, which takes minutes, the training goes on and finds better weights."""
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    trainer = train_until(Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, data), 3)
    trainer.evaluate()
    before = checkpoint.load_model(tmp_path / "run" / "best").network.state_dict()
    bleu = DevelopmentSet.compute_bleu

    def better(development: DevelopmentSet, network: Any) -> dict[str, float]:
        with torch.no_grad():
            for weights in trainer.average.parameters():
                weights.add_(1)
        trainer.export(tmp_path / "run" / "best")
        return bleu(development, network)

    monkeypatch.setattr(DevelopmentSet, "compute_bleu", better)
    ship_best(tmp_path / "run", "mine", data)
    shipped = checkpoint.load_model("mine").network
    for name, weights in dequantize_weights(quantize_weights(before)).items():
        assert torch.equal(shipped.get_parameter(name), weights)
