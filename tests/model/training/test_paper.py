"""The paper's recipe at tiny sizes: it runs, it learns, and its Adadelta is Zeiler's."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from model.networks.registry import build_network
from model.training.losses import gru as fast
from model.training.recipe import Plan
from model.training.trainer import Trainer
from tests.model.training.runs import build_tiny_paper_recipe, train_until


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_it_learns(kind: str, word_data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan(kind, 30), word_data)
    batch = next(trainer.batches.iterate_from(trainer.progress.position))
    before = trainer.compute_gradients(batch) / batch.target_tokens
    train_until(trainer, 120)
    after = trainer.compute_gradients(batch) / batch.target_tokens
    assert before == pytest.approx(np.log(250), abs=0.01), "at first nothing is known"
    assert after < 0.75 * before
    assert trainer.learning_rate == 1.0


def test_batches_of_eighty_pools_of_twenty(word_data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data)
    assert len(trainer.batches.members) == 480
    sizes = [len(batch.source) for batch in islice(trainer.batches.iterate_from(trainer.progress.position), 12)]
    assert sizes == [80] * 12
    lengths = [max(batch.source.shape[1], batch.target.shape[1])
               for batch in islice(trainer.batches.iterate_from(trainer.progress.position), 6)]
    assert lengths == sorted(lengths), "from short to long"


def test_unknown_words_are_read_and_written_as_unk(word_data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data)
    corpus = trainer.batches.corpora["tiny"]
    assert trainer.vocabulary.kind == "word"
    assert 0 < (corpus.target == 2).mean() < 0.5


def test_updates_are_zeilers_adadelta(word_data: Path, tmp_path: Path) -> None:
    """Three updates worked out in numpy from the plain loop's gradients, in float64: sum, clip to 1, Adadelta."""
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data)
    trainer.network.double()
    trainer.use_bfloat16 = False
    names = [name for name, _ in trainer.network.named_parameters()]
    x = {name: parameter.detach().numpy().copy() for name, parameter in trainer.network.named_parameters()}
    squares, steps = ({name: np.zeros_like(value) for name, value in x.items()} for _ in range(2))
    plain = build_network(trainer.network.config).double()
    for batch in islice(trainer.batches.iterate_from(trainer.progress.position), 3):
        plain.load_state_dict({name: torch.from_numpy(value) for name, value in x.items()})
        loss = plain.loss(torch.from_numpy(batch.source), torch.from_numpy(batch.target))
        found = torch.autograd.grad(loss, list(plain.parameters()))
        g = {name: value.numpy() for name, value in zip(names, found, strict=True)}
        norm = np.sqrt(sum((value**2).sum() for value in g.values()))
        assert norm > 1, "the clip bites, or this would not show it"
        for name, value in g.items():
            clipped = value / norm
            squares[name] = 0.95 * squares[name] + 0.05 * clipped**2
            step = -np.sqrt(steps[name] + 1e-6) / np.sqrt(squares[name] + 1e-6) * clipped
            steps[name] = 0.95 * steps[name] + 0.05 * step**2
            x[name] = x[name] + step
        trainer.update(batch)
        for name, parameter in trainer.network.named_parameters():
            moved = np.abs(x[name] - parameter.detach().numpy()).max()
            assert moved < 1e-7, f"{name} is {moved} off"  # the clip divides by norm + 1e-6
    start = build_network(trainer.network.config)
    assert float((trainer.network.W_o - start.W_o).detach().abs().max()) > 1e-3, "and it did move"


def test_no_gradient_flows_through_the_fast_loss_twice(word_data: Path, tmp_path: Path) -> None:
    """Gradients of a batch are those of that batch, whatever came before."""
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data)
    first, second = islice(trainer.batches.iterate_from(trainer.progress.position), 2)
    trainer.compute_gradients(first)
    trainer.compute_gradients(second)
    parts = [torch.from_numpy(ids) for ids in (second.source, second.target)]
    loss = fast.compute_loss(trainer.network, parts[0], parts[1], half=trainer.use_bfloat16)
    found = torch.autograd.grad(loss, trainer.network.U_o)[0]
    assert trainer.network.U_o.grad is not None
    torch.testing.assert_close(trainer.network.U_o.grad, found)
