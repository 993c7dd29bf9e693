"""Prepared data for training tests: sixty pairs, in subwords and in whole words."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.text.prepared import encode_pairs
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.training.runs import WORD_VOCABULARY


def write_data(folder: Path, vocabulary: Vocabulary, pairs: list[tuple[str, str]]) -> Path:
    """Write pairs as `python -m model data` does: the corpus "tiny" and a development file."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.save(folder / "vocabulary.model")
    encode_pairs(vocabulary, normalise_pairs(pairs), 160)[0].save(folder / "tiny.npz")
    (folder / "dev-tiny.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in pairs[::3]))
    return folder


@pytest.fixture(scope="session")
def data(
    sentences: list[tuple[str, str]], tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The data of the recipe `tiny`."""
    return write_data(tmp_path_factory.mktemp("data"), tiny_vocabulary, sentences)


@pytest.fixture(scope="session")
def word_data(sentences: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same pairs in whole words and UNK, for the recipe `paper`."""
    folder = tmp_path_factory.mktemp("words")
    lines = [side for pair in sentences for side in pair]
    vocabulary = Vocabulary.train(lines, WORD_VOCABULARY, folder / "trained.model", kind="word")
    return write_data(folder / "data", vocabulary, sentences)


@pytest.fixture(autouse=True)
def _one_thread(one_thread: None) -> None:
    """Make sums reproducible."""
