"""Models of whole words with random weights, for tests of UNK and of copying."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Card
from model.networks.coverage import CoverageConfig
from model.networks.rnnsearch import RNNsearchConfig
from model.networks.unknown_words import set_has_unk
from model.text.vocabulary import UNK, Vocabulary
from tests.canonical import normalise_all
from tests.networks import build_network

SIZES = (6, 7, 5, 4)
TEXT = "Zyzzyva's squirrel reads in Oulu."
"""A sentence with words that the vocabulary lacks."""


def train_word_vocabulary(sentences: Sequence[tuple[str, str]], folder: Path, size: int = 200) -> Vocabulary:
    """Return a vocabulary of whole words, in `folder`/vocabulary.model."""
    lines = normalise_all(side for pair in sentences for side in pair)
    return Vocabulary.train(lines, size, folder / "vocabulary.model", kind="word")


def build_unsure_network(vocabulary: Vocabulary) -> Any:
    """Return an RNNsearch that writes UNK often."""
    network = _draw(RNNsearchConfig("rnnsearch", len(vocabulary), *SIZES), vocabulary)
    with torch.no_grad():
        network.b_w[UNK] += 60.0
    return network


def build_copying_network(vocabulary: Vocabulary) -> Any:
    """Return a pointer-generator that copies most words."""
    network = _draw(CoverageConfig("copy", len(vocabulary), *SIZES, coverage="none", copying=True), vocabulary)
    with torch.no_grad():
        network.b_gen.fill_(-3.0)
    return network


@torch.no_grad()
def _draw(config: Any, vocabulary: Vocabulary) -> Any:
    torch.manual_seed(4)
    network = build_network(config).eval()
    for parameter in network.parameters():
        parameter.mul_(60.0)  # far from uniform, so that rounding decides nothing
    for parameter in (network.W_a, network.U_a, network.v_a):  # attention is uniform in a new network
        parameter.normal_(0.0, 2.0, generator=torch.Generator().manual_seed(7))
    set_has_unk(network, vocabulary)
    return network


def save_word_model(folder: Path, network: Any, vocabulary: Vocabulary) -> Card:
    """Save a checkpoint under the name of its folder."""
    path = folder.parent / "vocabulary.model"
    vocabulary.save(path)
    return checkpoint.save_checkpoint(folder, network, path, name=folder.name, training={}, longest_words=50)
