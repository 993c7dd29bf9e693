"""The cool-down: an even fall of the rate to zero, where the run ends; and the loss on text held out."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model.training.recipe import Plan
from model.training.state import read_state
from model.training.trainer import Trainer, TrainingError
from tests.model.training.runs import build_tiny_recipe, drop_clocks, find_differences, train_until

PLAN = Plan("rnnsearch", 50)


def rates(trainer: Trainer, pieces: int | None = None) -> list[tuple[int, float]]:
    """Target pieces seen before every update, and its rate as a share of the recipe's."""
    found, before = [], trainer.progress.pieces
    for report in trainer.run(max_tokens=pieces):
        if not report.event:
            found.append(
                (before, report.learning_rate / trainer.recipe.optimiser.learning_rate_at(report.progress.updates))
            )
            before = report.progress.pieces
    return found


def test_the_rate_falls_evenly_to_the_end(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), PLAN, data)
    trainer.schedule_cool_down(2000, until=5000)
    found = rates(trainer, pieces=5000)
    assert len(found) > 12
    for pieces, share in found:
        assert share == pytest.approx(min(1.0, (5000 - pieces) / 2000))
    assert found[-1][1] < 0.2
    assert trainer.progress.pieces >= 5000
    assert rates(Trainer.resume(tmp_path, data)) == [], "it is over"


def test_without_an_end_it_begins_where_the_run_stands(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 3)
    seen = trainer.progress.pieces
    trainer.schedule_cool_down(1500)
    found = rates(trainer)
    assert found[0] == (seen, 1.0)
    assert trainer.progress.cooling == (seen, seen + 1500)
    assert found[-1][0] < seen + 1500 <= trainer.progress.pieces


def test_it_resumes_exactly(data: Path, tmp_path: Path) -> None:
    def begun(name: str) -> Trainer:
        trainer = Trainer(tmp_path / name, build_tiny_recipe(), PLAN, data)
        trainer.schedule_cool_down(3000)
        return trainer

    whole = train_until(begun("whole"), 8)
    train_until(begun("parts"), 4)
    parts = train_until(Trainer.resume(tmp_path / "parts", data), 8)
    assert find_differences(drop_clocks(read_state(whole.folder)), drop_clocks(read_state(parts.folder))) == []
    plain = train_until(Trainer(tmp_path / "plain", build_tiny_recipe(), PLAN, data), 8)
    assert find_differences(plain.network.state_dict(), whole.network.state_dict()), "without it the weights are others"


def test_twice_or_too_late_is_refused(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 3)
    with pytest.raises(TrainingError, match=r"has seen [\d,]+ target tokens; it cannot have cooled down at 10$"):
        trainer.schedule_cool_down(5, until=10)
    trainer.schedule_cool_down(1500)
    with pytest.raises(TrainingError, match=r"is cooling down already, until [\d,]+ target tokens; leave out"):
        trainer.schedule_cool_down(1500)


def test_the_loss_held_out_is_the_mean_of_all_pieces(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 2)
    trainer.evaluate()
    pairs = [pair for group in trainer.development.pairs.values() for pair in group]
    total, pieces = 0.0, 0
    with torch.no_grad():
        for source, target in pairs:
            ids = [torch.tensor([trainer.vocabulary.encode(side)]) for side in (source, target)]
            total += float(trainer.average.loss(*ids))
            pieces += ids[1].shape[1]
    assert trainer.progress.curve[-1]["dev_loss"] == pytest.approx(total / pieces, abs=1e-4)
