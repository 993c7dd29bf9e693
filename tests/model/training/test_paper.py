"""The paper's recipe at tiny sizes: it learns, and its Adadelta is Zeiler's."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import torch

from model.networks.registry import build_network
from model.training.recipe import Plan
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_paper_recipe


def test_updates_equal_zeilers_adadelta_in_numpy(word_data: Path, tmp_path: Path) -> None:
    """Three updates from the gradients of the network's own loss, in float64: sum, clip to 1, Adadelta."""
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data)
    trainer.network.double()
    trainer.use_bfloat16 = False
    names = [name for name, _ in trainer.network.named_parameters()]
    x = {name: parameter.detach().numpy().copy() for name, parameter in trainer.network.named_parameters()}
    squares, steps = ({name: np.zeros_like(value) for name, value in x.items()} for _ in range(2))
    network = build_network(trainer.network.config).double()
    for batch in islice(trainer.batches.iterate_from(trainer.progress.position), 3):
        network.load_state_dict({name: torch.from_numpy(value) for name, value in x.items()})
        loss = network.loss(torch.from_numpy(batch.source), torch.from_numpy(batch.target))
        gradients = torch.autograd.grad(loss, list(network.parameters()))
        g = {name: value.numpy() for name, value in zip(names, gradients, strict=True)}
        norm = np.sqrt(sum((value**2).sum() for value in g.values()))
        assert norm > 1  # so that it is clipped
        for name, value in g.items():
            clipped = value / norm
            squares[name] = 0.95 * squares[name] + 0.05 * clipped**2
            step = -np.sqrt(steps[name] + 1e-6) / np.sqrt(squares[name] + 1e-6) * clipped
            steps[name] = 0.95 * steps[name] + 0.05 * step**2
            x[name] = x[name] + step
        trainer.update(batch)
        for name, parameter in trainer.network.named_parameters():
            error = np.abs(x[name] - parameter.detach().numpy()).max()
            assert error < 1e-7, f"{name} differs by {error}"  # torch divides by norm + 1e-6
    start = build_network(trainer.network.config)
    assert float((trainer.network.W_o - start.W_o).detach().abs().max()) > 1e-3
