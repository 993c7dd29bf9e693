"""Recipes of tiny runs, and the comparison of two runs bit for bit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from model.paths import ROOT
from model.training.recipe import Recipe, load_recipe
from model.training.trainer import Trainer

WORD_VOCABULARY = 250  # size
UNREACHED_PIECES = 10**9


def build_tiny_recipe(*, dropout: float = 0.2, evaluate_pieces: int = UNREACHED_PIECES, save_minutes: float = 1000.0,
                      average_decay: float = 0.8) -> Recipe:
    """Return the recipe `tiny` with dropout; by default it neither evaluates nor saves before the end."""
    recipe = load_recipe("tiny")
    training = replace(recipe.training, evaluate_pieces=evaluate_pieces, save_minutes=save_minutes,
                       average_decay=average_decay)
    return replace(recipe, network={**recipe.network, "dropout": dropout}, training=training)


def build_tiny_paper_recipe() -> Recipe:
    """Return the recipe `paper` with small sizes and the tiny data."""
    recipe = load_recipe("paper")
    sizes = {**recipe.network, "embedding": 12, "hidden": 20, "alignment": 16, "readout": 10}
    return replace(recipe, network=sizes, vocabulary=replace(recipe.vocabulary, size=WORD_VOCABULARY),
                   data=replace(recipe.data, copies={"tiny": 8}))


def train_until(trainer: Trainer, updates: int) -> Trainer:
    """Train until this number of updates of the whole run; return the saved trainer."""
    for _ in trainer.run(max_updates=updates):
        pass
    return trainer


def drop_clocks(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a saved state without clocks and restarts, which differ between equal runs."""
    clocks = ("seconds", "processor_seconds", "hours", "processor_hours")
    progress = {key: value for key, value in state["progress"].items() if key not in (*clocks, "restarts")}
    progress["curve"] = [{key: value for key, value in entry.items() if key not in clocks}
                         for entry in progress["curve"]]
    return {**state, "progress": progress}


def find_differences(ours: Any, theirs: Any, path: str = "state") -> list[str]:
    """Return where two nested states differ, bit for bit, and by how much."""
    if isinstance(ours, torch.Tensor) and isinstance(theirs, torch.Tensor):
        return _compare_tensors(ours, theirs, path)
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        if ours.keys() != theirs.keys():
            return [f"{path}: only one side has {sorted(map(str, ours.keys() ^ theirs.keys()))}"]
        return [line for key in ours for line in find_differences(ours[key], theirs[key], f"{path}.{key}")]
    if isinstance(ours, (list, tuple)) and type(ours) is type(theirs):
        if len(ours) != len(theirs):
            return [f"{path}: {len(ours)} and {len(theirs)} entries"]
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [line for number, pair in pairs for line in find_differences(*pair, f"{path}[{number}]")]
    if type(ours) is type(theirs) and (ours == theirs or (ours != ours and theirs != theirs)):
        return []
    return [f"{path}: {ours!r:.100} and {theirs!r:.100}"]


def _compare_tensors(ours: torch.Tensor, theirs: torch.Tensor, path: str) -> list[str]:
    """Return no line or one; NaN equals nothing."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return [f"{path}: {ours.dtype} {tuple(ours.shape)} and {theirs.dtype} {tuple(theirs.shape)}"]
    unequal = ours != theirs
    if not unequal.any():
        return []
    first = tuple(unequal.nonzero()[0].tolist())
    largest = (ours.double() - theirs.double()).abs().max().item()
    return [f"{path}: {int(unequal.sum())} of {ours.numel()} elements by at most {largest:.3g}, "
            f"at {first} {ours[first].item()!r} and {theirs[first].item()!r}"]


def run_driver(data: Path, folder: Path) -> None:
    """Run `tests.model.training.driver` in another process."""
    arguments = [sys.executable, "-m", "tests.model.training.driver", str(data), str(folder)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    result = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True,
                            timeout=300, check=False)
    assert result.returncode == 0, result.stderr
