"""The cool-down: the learning rate falls linearly to zero, where the run ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.training.recipe import Plan
from model.training.trainer import Trainer, TrainingError
from tests.model.training.runs import build_tiny_recipe, train_until

PLAN = Plan("rnnsearch", 50)


def list_rates(trainer: Trainer, max_tokens: int | None = None) -> list[tuple[int, float]]:
    """Return, for every update, the target tokens seen before it and its rate as a fraction of the recipe's."""
    rates, tokens = [], trainer.progress.pieces
    for report in trainer.run(max_tokens=max_tokens):
        if not report.event:
            planned = trainer.recipe.optimiser.learning_rate_at(report.progress.updates)
            rates.append((tokens, report.learning_rate / planned))
            tokens = report.progress.pieces
    return rates


def test_the_rate_falls_linearly_and_the_run_ends(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), PLAN, data)
    trainer.schedule_cool_down(2000, until=5000)
    rates = list_rates(trainer, max_tokens=5000)
    assert len(rates) > 12
    for tokens, fraction in rates:
        assert fraction == pytest.approx(min(1.0, (5000 - tokens) / 2000))
    assert rates[-1][1] < 0.2
    assert trainer.progress.pieces >= 5000
    assert list_rates(Trainer.resume(tmp_path, data)) == []


def test_by_default_the_cool_down_begins_now_and_only_once(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 3)
    with pytest.raises(TrainingError, match=r"has seen [\d,]+ target tokens; it cannot have cooled down at 10$"):
        trainer.schedule_cool_down(5, until=10)
    seen = trainer.progress.pieces
    trainer.schedule_cool_down(1500)
    with pytest.raises(TrainingError, match=r"is cooling down already, until [\d,]+ target tokens; leave out"):
        trainer.schedule_cool_down(1500)
    rates = list_rates(trainer)
    assert rates[0] == (seen, 1.0)
    assert trainer.progress.cooling == (seen, seen + 1500)
    assert rates[-1][0] < seen + 1500 <= trainer.progress.pieces
