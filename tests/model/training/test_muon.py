"""Muon against numpy in float64, and beside Adam."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model.training.muon import Muon, orthogonal
from model.training.recipe import Plan, Recipe
from model.training.state import read_state
from model.training.trainer import Trainer
from tests.model.training.runs import differences, everything, tiny, train

V = 11  # pieces


@pytest.mark.parametrize("shape", [(6, 6), (4, 9), (30, 7), (1, 5)])
def test_an_orthogonal_update_keeps_directions_and_evens_lengths(shape: tuple[int, int]) -> None:
    given = torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    made = orthogonal(given)
    lengths = torch.linalg.svdvals(made)
    assert made.shape == given.shape
    assert lengths.min() > 0.5
    assert lengths.max() < 1.3
    u, _, v = torch.linalg.svd(given, full_matrices=False)
    off_diagonal = u.T @ made @ v.T - torch.diag(torch.diag(u.T @ made @ v.T))
    assert float(off_diagonal.abs().max()) < 1e-9, "its singular vectors are those of what it was made from"


def by_numpy(weight: np.ndarray, gradients: list[np.ndarray], momentum: float, rate: float) -> np.ndarray:
    """The same updates, each step of each singular value by the quintic itself."""
    mean = np.zeros_like(weight)
    for gradient in gradients:
        mean = momentum * mean + (1 - momentum) * gradient
        u, s, v = np.linalg.svd((1 - momentum) * gradient + momentum * mean, full_matrices=False)
        s = s / np.linalg.norm(s)
        for _ in range(5):
            s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
        weight = weight - rate * 0.2 * np.sqrt(max(weight.shape)) * (u * s) @ v
    return weight


def test_matrices_follow_numpy_and_the_rest_follows_adam() -> None:
    generator = torch.Generator().manual_seed(2)
    shapes = {"matrix": (5, 8), "tall": (9, 4), "bias": (7,), "embedding": (V, 4), "output": (3, V)}
    ours = {name: torch.randn(*shape, generator=generator, dtype=torch.float64).requires_grad_()
            for name, shape in shapes.items()}  # fmt: skip
    begun = {name: parameter.detach().clone() for name, parameter in ours.items()}
    adams = {name: value.clone().requires_grad_() for name, value in begun.items()}
    muon = Muon(list(ours.values()), V, lr=0.01, momentum=0.9, betas=(0.9, 0.98), eps=1e-8)
    adam = torch.optim.Adam(list(adams.values()), lr=0.01, betas=(0.9, 0.98), eps=1e-8)
    gradients: dict[str, list[np.ndarray]] = {name: [] for name in shapes}
    for _ in range(3):
        for name, parameter in ours.items():
            gradient = torch.randn(*shapes[name], generator=generator, dtype=torch.float64)
            parameter.grad, adams[name].grad = gradient, gradient.clone()
            gradients[name].append(gradient.numpy().copy())
        muon.step()
        adam.step()
    for name, parameter in ours.items():
        if name in ("matrix", "tall"):
            expected = torch.from_numpy(by_numpy(begun[name].numpy(), gradients[name], 0.9, 0.01))
            torch.testing.assert_close(parameter.detach(), expected, rtol=0, atol=1e-6)  # 1e-7 keeps zeros apart
        else:
            torch.testing.assert_close(parameter.detach(), adams[name].detach(), rtol=0, atol=1e-12)


def with_muon() -> Recipe:
    recipe = tiny()
    return replace(recipe, optimiser=replace(recipe.optimiser, name="muon", momentum=0.95))


def test_it_learns_and_resumes_exactly(data: Path, tmp_path: Path) -> None:
    whole = train(Trainer(tmp_path / "whole", with_muon(), Plan("rnnsearch", 50), data), 40)
    train(Trainer(tmp_path / "parts", with_muon(), Plan("rnnsearch", 50), data), 20)
    parts = train(Trainer.resume(tmp_path / "parts", data), 40)
    assert differences(everything(read_state(whole.folder)), everything(read_state(parts.folder))) == []
    assert whole.progress.loss < 0.9 * np.log(400)  # nats a piece; guessing costs log 400
