"""Three runs side by side: float32, bfloat16, and float32 with another dropout seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model.serialization.toml import SettingsFileError
from model.training import learner
from model.training.precision import UpdateLosses, compare_precisions, summarise_losses
from model.training.recipe import Plan
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_recipe

PLAN = Plan("rnnsearch", 50)


def test_the_float32_run_equals_the_trainer(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", dict)  # no bfloat16
    trainer = Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, data)
    expected = []
    for update, batch in zip(range(1, 7), trainer.batches.iterate_from(trainer.progress.position), strict=False):
        torch.manual_seed(update)
        expected.append(trainer.update(batch))
    losses = list(compare_precisions(build_tiny_recipe(), PLAN, data, 6))
    assert [loss.update for loss in losses] == list(range(1, 7))
    assert [loss.float32 for loss in losses] == expected
    for loss in losses:
        assert loss.bfloat16 == pytest.approx(loss.float32, rel=0.01)
    assert any(loss.bfloat16 != loss.float32 for loss in losses)
    assert any(loss.other_dropout != loss.float32 for loss in losses)


def test_a_loss_that_is_always_in_float32_is_refused(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner, "supports_bfloat16", lambda device: True)
    recipe, plan = build_tiny_recipe(), Plan("coverage", 50)
    settings = {"coverage_size": 4, "fertility": 2, "coverage_loss": 0.0, "copying": False}
    fused, neural = (replace(recipe, network={**recipe.network, **settings, "coverage": coverage})
                     for coverage in ("linguistic", "neural"))
    assert Trainer(tmp_path / "fused", fused, plan, data).use_bfloat16
    assert not Trainer(tmp_path / "neural", neural, plan, data).use_bfloat16
    with pytest.raises(SettingsFileError, match="RNNsearch with coverage has no loss in bfloat16"):
        next(compare_precisions(neural, plan, data, 1))


def test_summary_is_a_mean_and_two_differences() -> None:
    assert summarise_losses([UpdateLosses(1, 2.0, 2.5, 1.0), UpdateLosses(2, 4.0, 4.5, 3.5)]) == (3.0, 0.5, -0.75)
