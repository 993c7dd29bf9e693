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

WORDS = 250  # pieces of the tiny vocabulary of whole words
RARELY = 10**9


def build_tiny_recipe(*, dropout: float = 0.2, evaluate_pieces: int = RARELY, save_minutes: float = 1000.0,
         average_decay: float = 0.8) -> Recipe:
    """The recipe `tiny`, with dropout, that looks and saves when it is told to."""
    recipe = load_recipe("tiny")
    training = replace(recipe.training, evaluate_pieces=evaluate_pieces, save_minutes=save_minutes,
                       average_decay=average_decay)
    return replace(recipe, network={**recipe.network, "dropout": dropout}, training=training)


def build_tiny_paper_recipe() -> Recipe:
    """The recipe `paper` with other sizes and the tiny data, and nothing else changed."""
    recipe = load_recipe("paper")
    sizes = {**recipe.network, "embedding": 12, "hidden": 20, "alignment": 16, "readout": 10}
    return replace(recipe, network=sizes, vocabulary=replace(recipe.vocabulary, size=WORDS),
                   data=replace(recipe.data, copies={"tiny": 8}))


def train_until(trainer: Trainer, updates: int) -> Trainer:
    """The trainer after so many updates in all, saved."""
    for _ in trainer.run(max_updates=updates):
        pass
    return trainer


def drop_clocks(state: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same in two runs: all of a saved state but clocks and restarts."""
    clocks = ("seconds", "processor_seconds", "hours", "processor_hours")
    progress = {key: value for key, value in state["progress"].items() if key not in (*clocks, "restarts")}
    progress["curve"] = [{key: value for key, value in entry.items() if key not in clocks}
                         for entry in progress["curve"]]
    return {**state, "progress": progress}


def find_differences(ours: Any, theirs: Any, path: str = "state") -> list[str]:
    """Where two nested states differ, bit for bit, and by how much; empty when they are the same."""
    if isinstance(ours, torch.Tensor) and isinstance(theirs, torch.Tensor):
        return _tensor_differences(ours, theirs, path)
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        if ours.keys() != theirs.keys():
            return [f"{path}: only one side has {sorted(map(str, ours.keys() ^ theirs.keys()))}"]
        return [found for key in ours for found in find_differences(ours[key], theirs[key], f"{path}.{key}")]
    if isinstance(ours, (list, tuple)) and type(ours) is type(theirs):
        if len(ours) != len(theirs):
            return [f"{path}: {len(ours)} and {len(theirs)} entries"]
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [found for number, pair in pairs for found in find_differences(*pair, f"{path}[{number}]")]
    if type(ours) is type(theirs) and (ours == theirs or (ours != ours and theirs != theirs)):
        return []
    return [f"{path}: {ours!r:.100} and {theirs!r:.100}"]


def _tensor_differences(ours: torch.Tensor, theirs: torch.Tensor, path: str) -> list[str]:
    """`differences` of two tensors, in which NaN equals nothing: one line, which counts the elements."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return [f"{path}: {ours.dtype} {tuple(ours.shape)} and {theirs.dtype} {tuple(theirs.shape)}"]
    unequal = ours != theirs
    if not unequal.any():
        return []
    first = tuple(unequal.nonzero()[0].tolist())
    farthest = (ours.double() - theirs.double()).abs().max().item()
    return [f"{path}: {int(unequal.sum())} of {ours.numel()} elements by at most {farthest:.3g}, "
            f"at {first} {ours[first].item()!r} and {theirs[first].item()!r}"]


def run_driver(work: str, data: Path, folder: Path) -> str:
    """What the driver writes, doing its work in a process of its own."""
    command = [sys.executable, "-m", "tests.model.training.driver", work, str(data), str(folder)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True,
                           timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
