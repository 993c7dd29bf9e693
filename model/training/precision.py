"""The effect of bfloat16 on training: one run in three variants side by side, from the same weights and data.

The variants are float32, bfloat16 matrix products, and float32 with another dropout seed. The difference between the
first and the last is the noise against which bfloat16 is judged.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from model.serialization.toml import SettingsFileError
from model.training.recipe import Plan, Recipe
from model.training.trainer import Trainer


@dataclass(frozen=True)
class UpdateLosses:
    """The mean loss per target token of one update, in nats, in each of the three runs."""

    update: int
    float32: float
    bfloat16: float
    other_dropout: float


def compare_precisions(
    recipe: Recipe, plan: Plan, data: Path, updates: int, *, threads: int | None = None
) -> Iterator[UpdateLosses]:
    """Train the three runs for a number of updates and yield their losses. Nothing is saved.

    Raises as Trainer does, and SettingsFileError for a recipe whose loss is always in float32.
    """
    with TemporaryDirectory() as folder:
        runs = [Trainer(Path(folder) / name, recipe, plan, data, threads=threads)
                for name in ("float32", "bfloat16", "other")]
        if not runs[0].has_fused_loss:
            raise SettingsFileError(f"{runs[0].kind.title} has no loss in bfloat16 for the network and the label "
                                    f"smoothing of the recipe {recipe.name}: name another recipe or kind")
        for run, use_bfloat16 in zip(runs, (False, True, False), strict=True):
            run.use_bfloat16 = use_bfloat16
        batches = runs[0].batches.iterate_from(runs[0].progress.position)
        for update, batch in zip(range(1, updates + 1), batches, strict=False):
            losses = []
            for run, seed in zip(runs, (update, update, updates + update), strict=True):
                torch.manual_seed(seed)  # the runs share torch's random generator, from which dropout is drawn
                losses.append(run.update(batch))
            yield UpdateLosses(update, *losses)


def summarise_losses(losses: list[UpdateLosses]) -> tuple[float, float, float]:
    """Return the mean loss in float32, and how much higher it is in bfloat16 and with other dropout."""
    mean = statistics.fmean(loss.float32 for loss in losses)
    return (
        mean,
        statistics.fmean(loss.bfloat16 for loss in losses) - mean,
        statistics.fmean(loss.other_dropout for loss in losses) - mean,
    )
