"""A tiny checkpoint, the command line in this process, and data for training."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
import torch

from model.checkpoints import checkpoint
from model.cli import commands
from model.networks.rnnsearch import RNNsearchConfig
from model.text.vocabulary import Vocabulary
from tests.model.cli.running import Outcome, Run
from tests.model.training.conftest import write_data
from tests.networks import build_network


@pytest.fixture(scope="module")
def tiny(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of random weights, large enough for varied output."""
    folder = tmp_path_factory.mktemp("checkpoint")
    vocabulary = folder / "vocabulary.model"
    tiny_vocabulary.save(vocabulary)
    torch.manual_seed(3)
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 8, 10, 9, 7)).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(30)
    checkpoint.save_checkpoint(folder / "tiny", network, vocabulary, name="tiny", training={})
    return folder / "tiny"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process with arguments and standard input."""

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["model", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as exit_info:
            commands.main()
        stdout, stderr = capsys.readouterr()
        code = exit_info.value.code
        return (code if isinstance(code, int) else 0), stdout, stderr

    return call


@pytest.fixture(scope="module")
def german(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights as a German-English model."""
    folder = tmp_path_factory.mktemp("german") / "german"
    model = checkpoint.load_model(str(tiny))
    checkpoint.save_checkpoint(folder, model.network, tiny / "vocabulary.model", name="german", languages=("de", "en"),
                               training={})  # fmt: skip
    return folder


@pytest.fixture
def data(sentences: list[tuple[str, str]], tiny_vocabulary: Vocabulary, tmp_path: Path) -> Path:
    """Data for the recipe `tiny`."""
    return write_data(tmp_path / "data", tiny_vocabulary, sentences)
