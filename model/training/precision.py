"""What half precision costs in training: one course run three times in turns, from the same weights on the same data.

In float32, in bfloat16 matrix products (`half=True` of `model.decoding.fast`), and in float32 once more with other
dropout: how far the last strays from the first is the noise that bfloat16 has to be measured against.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from model.training.recipe import Plan, Recipe
from model.training.trainer import Trainer


@dataclass(frozen=True)
class UpdateLosses:
    """The mean loss a target piece, in nats, of one update in each of the three runs."""

    update: int
    exact: float
    half: float
    other_dropout: float


def compare_precisions(
    recipe: Recipe, plan: Plan, data: Path, updates: int, *, threads: int | None = None
) -> Iterator[UpdateLosses]:
    """Train three times side by side for so many updates; nothing is kept. Raises what Trainer raises."""
    with TemporaryDirectory() as folder:
        runs = [Trainer(Path(folder) / run, recipe, plan, data, threads=threads) for run in ("exact", "half", "other")]
        for run, half in zip(runs, (False, True, False), strict=True):
            run.use_bfloat16 = half
        batches = runs[0].batches.iterate_from(runs[0].progress.position)
        for update, batch in zip(range(1, updates + 1), batches, strict=False):
            losses = []
            for run, seed in zip(runs, (update, update, updates + update), strict=True):
                torch.manual_seed(seed)  # the runs share the one stream that dropout is drawn from
                losses.append(run.update(batch))
            yield UpdateLosses(update, *losses)


def summarize_losses(losses: list[UpdateLosses]) -> tuple[float, float, float]:
    """Over these updates: the mean loss in float32, and how much higher it is in bfloat16 and with other dropout."""
    mean = statistics.fmean(one.exact for one in losses)
    return (
        mean,
        statistics.fmean(one.half for one in losses) - mean,
        statistics.fmean(one.other_dropout for one in losses) - mean,
    )
