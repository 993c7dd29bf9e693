"""Muon for hidden layers beside Adam for the other parameters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from model.training.recipe import Plan, Recipe
from model.training.state import read_state
from model.training.trainer import Trainer, create_optimisers
from tests.model.training.runs import build_tiny_recipe, drop_clocks, find_differences, train_until

VOCABULARY = 11


def build_muon_recipe() -> Recipe:
    recipe = build_tiny_recipe()
    return replace(recipe, optimiser=replace(recipe.optimiser, name="muon", momentum=0.95))


def test_hidden_matrices_are_muons_and_all_other_parameters_adams() -> None:
    matrix, bias, embedding, output = (torch.zeros(shape, requires_grad=True)
                                       for shape in ((5, 8), (7,), (VOCABULARY, 4), (3, VOCABULARY)))
    adam, muon = create_optimisers(build_muon_recipe().optimiser, [matrix, bias, embedding, output], VOCABULARY)
    parameters = {type(one): [id(x) for x in one.param_groups[0]["params"]] for one in (adam, muon)}
    assert parameters == {torch.optim.Adam: [id(bias), id(embedding), id(output)], torch.optim.Muon: [id(matrix)]}


def test_training_with_muon_learns_and_resumes_exactly(data: Path, tmp_path: Path) -> None:
    plan = Plan("rnnsearch", 50)
    whole = train_until(Trainer(tmp_path / "whole", build_muon_recipe(), plan, data), 40)
    train_until(Trainer(tmp_path / "parts", build_muon_recipe(), plan, data), 20)
    parts = train_until(Trainer.resume(tmp_path / "parts", data), 40)
    assert find_differences(drop_clocks(read_state(whole.folder)), drop_clocks(read_state(parts.folder))) == []
    assert whole.progress.loss < 0.9 * np.log(400)  # nats per token; a guess costs log 400
