"""Output of a training run on the terminal, and shipping its best checkpoint."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model.checkpoints import checkpoint
from model.text.prepared import META_FILE
from model.training import console
from model.training.console import format_launch_command, format_progress, run_with_progress, ship_best
from model.training.distributed import ProcessGroup
from model.training.learner import Progress
from model.training.recipe import Plan
from model.training.trainer import Report, Trainer
from tests.model.training.runs import build_tiny_recipe, train_until

NAME = "rnnsearch-50"
PLAN = Plan("rnnsearch", 50)


def test_a_run_ends_with_its_score_and_the_command_that_continues_it(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = Trainer(tmp_path / "my runs" / NAME, build_tiny_recipe(), PLAN, data)
    run_with_progress(trainer, max_tokens=1, max_minutes=None)
    (entry,) = trainer.progress.curve
    assert entry["pieces"] == trainer.progress.target_tokens > 0
    assert Trainer.resume(trainer.folder, data).progress.curve == [entry]
    stdout = capsys.readouterr().out
    assert f"{entry['pieces']:,} tokens: dev BLEU all {entry['bleu']['all']:.1f}" in stdout
    assert f"python -m model train --name {NAME} --resume --runs '{tmp_path / 'my runs'}' --data" in stdout
    assert format_launch_command(trainer) == "python"
    trainer.group = replace(ProcessGroup(torch.device("cpu")), rank=1, size=3)
    assert format_launch_command(trainer) == "torchrun --standalone --nproc-per-node 3"


def test_a_run_is_evaluated_at_its_limit_or_at_the_end_of_its_cool_down(data: Path, tmp_path: Path) -> None:
    for name, cool_down, max_tokens in (("cooled", 300, 10**9), ("limited", 10**9, 1)):
        trainer = Trainer(tmp_path / name, build_tiny_recipe(), PLAN, data)
        trainer.schedule_cool_down(cool_down)
        run_with_progress(trainer, max_tokens=max_tokens, max_minutes=None)
        assert [entry["pieces"] for entry in trainer.progress.curve] == [trainer.progress.target_tokens]
        assert min(cool_down, max_tokens) <= trainer.progress.target_tokens < 900
    stopped_trainer = Trainer(tmp_path / "stopped", build_tiny_recipe(), PLAN, data)
    run_with_progress(stopped_trainer, max_tokens=10**9, max_minutes=1e-9)
    assert stopped_trainer.progress.curve == []


@pytest.mark.skipif(os.name != "posix", reason="a pipe that breaks")
def test_a_run_with_a_broken_output_pipe_ends_saved(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `| head -3`."""
    reader, writer = os.pipe()
    updates: list[int] = []

    def close_after_lines(report: Report, speed: float) -> str:
        updates.append(report.progress.updates)
        if len(updates) == 3:
            os.close(reader)
        return "progress"

    trainer = Trainer(tmp_path / NAME, build_tiny_recipe(), PLAN, data)
    with os.fdopen(writer, "w") as stream, monkeypatch.context() as patched:
        patched.setattr(console, "LINE_SECONDS", -1.0)  # a line per update
        patched.setattr(console, "format_progress", close_after_lines)
        patched.setattr(sys, "stdout", stream)
        run_with_progress(trainer, max_tokens=10**9, max_minutes=None)
    assert trainer.progress.updates == max(updates) <= 4
    assert Trainer.resume(trainer.folder, data).progress.updates == trainer.progress.updates


def test_progress_line_has_no_perplexity_with_other_losses_and_never_overflows() -> None:
    progress = Progress(updates=3, target_tokens=1_500_000, loss=1000.0)
    report = Report(progress, learning_rate=0.1, tokens_per_second=70.0, is_likelihood_only=True)
    assert format_progress(report, 70.0).startswith("1.50 M tokens, loss 1000.000, perplexity 1e+304, ")
    report = replace(report, progress=Progress(loss=2.0))
    assert "loss 2.000, perplexity 7.4, 70 tokens/s" in format_progress(report, 70.0)
    assert "loss 2.000, 70 tokens/s" in format_progress(replace(report, is_likelihood_only=False), 70.0)


def test_the_shipped_card_records_bleu_before_and_after_rounding(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    run = train_until(Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, data), 3)
    run.evaluate()
    message = ship_best(run.folder, "mine", data)
    card = checkpoint.read_card(checkpoint.SHIPPED / "mine")
    rounded = card.training["rounded"]
    best = checkpoint.load_model(run.folder / "best")
    assert rounded["bleu_before"] == run.development.compute_bleu(best.network)
    assert rounded["bleu"] == run.development.compute_bleu(checkpoint.load_model("mine").network)
    assert rounded["bits"] == 8
    assert f"dev BLEU {rounded['bleu_before']['all']:.2f} before" in message
    run.languages = ("de", "en")
    run.export(run.folder / "best")
    with pytest.raises(checkpoint.CheckpointError, match="translates en-fr and this one de-en"):
        ship_best(run.folder, "mine", data)
    assert checkpoint.read_card(checkpoint.SHIPPED / "mine") == card
    with pytest.raises(checkpoint.CheckpointError, match=r"the text in .* is en-fr and .* translates de-en: .* --data"):
        ship_best(run.folder, "other", data)
    german = shutil.copytree(data, tmp_path / "german")
    (german / META_FILE).write_text(json.dumps({"languages": ["de", "en"]}))
    ship_best(run.folder, "other", german)
