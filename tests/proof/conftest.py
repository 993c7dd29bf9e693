"""The example network, trained briefly and saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.checkpoints.checkpoint import Model, load_model
from model.text.vocabulary import Vocabulary
from model.training.recipe import Plan, load_recipe
from model.training.trainer import Trainer
from tests.model.training.conftest import write_data
from tests.proof.network import KIND

NAME = "two-heads-50"


@pytest.fixture(scope="session")
def trained(
    sentences: list[tuple[str, str]], tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of its checkpoint."""
    folder = tmp_path_factory.mktemp("proof")
    data = write_data(folder / "data", tiny_vocabulary, sentences)
    trainer = Trainer(folder / "run", load_recipe("tiny"), Plan(KIND.name, 50), data, threads=1)
    for _ in trainer.run(max_updates=60):
        pass
    trainer.evaluate()
    return folder / "run" / "best"


@pytest.fixture(scope="session")
def model(trained: Path) -> Model:
    return load_model(trained)
