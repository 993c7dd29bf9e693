"""Three runs side by side: the first is the trainer's own course in float32, the others differ as they should."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model.training.precision import UpdateLosses, compare_precisions, summarize_losses
from model.training.recipe import Plan
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_recipe

NAME = "rnnsearch-50"
PLAN = Plan("rnnsearch", 50)


def test_the_first_run_is_the_trainers_own(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", dict)
    trainer = Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, data)
    alone = []
    for update, batch in zip(range(1, 7), trainer.batches.iterate_from(trainer.progress.position), strict=False):
        torch.manual_seed(update)
        alone.append(trainer.update(batch))
    beside = list(compare_precisions(build_tiny_recipe(), PLAN, data, 6))
    assert [one.update for one in beside] == list(range(1, 7))
    assert [one.float32 for one in beside] == alone
    for one in beside:
        assert one.bfloat16 == pytest.approx(one.float32, rel=0.01)
    assert any(one.bfloat16 != one.float32 for one in beside)
    assert any(one.other_dropout != one.float32 for one in beside)


def test_without_dropout_nothing_is_left_of_the_noise(data: Path) -> None:
    for one in compare_precisions(build_tiny_recipe(dropout=0.0), PLAN, data, 4):
        assert one.other_dropout == one.float32


def test_the_spread_is_a_mean_and_two_differences() -> None:
    mean, half, other = summarize_losses([UpdateLosses(1, 2.0, 2.5, 1.0), UpdateLosses(2, 4.0, 4.5, 3.5)])
    assert (mean, half, other) == (3.0, 0.5, -0.75)
