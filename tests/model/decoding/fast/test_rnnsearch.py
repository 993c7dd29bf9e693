"""Shipped models in float32, by their networks' own steps and as search goes through them: the same translations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
import torch
from torch import Tensor

from model.checkpoints.checkpoint import Model, load_model
from model.decoding import Hypothesis, Settings, search
from model.gallery.opening import SENTENCES
from model.networks.base import StepResult
from model.text.everyday_sentences import read_everyday
from model.text.normalise import normalise

NAMES = ("rnnsearch-50", "rnnencdec-50")
ROUNDING = 1e-4  # nats; of a piece's log-probability it was at most 2e-5 on 2,000 sentences of news


class OwnStep:
    """A network without its way for search."""

    def __init__(self, network: Any) -> None:
        self._network, self.maps = network, network.maps
        self.encode, self.start, self.encoder_attention_weights = (
            network.encode,
            network.start,
            network.encoder_attention_weights,
        )

    def step(self, state: Any, token: Tensor, *, detail: bool = False, overrides: Any = None) -> StepResult:
        result: StepResult = self._network.step(state, token, detail=detail, overrides=overrides)
        return result


@cache
def model(name: str) -> Model:
    return load_model(name)


def sources(name: str, count: int) -> list[list[int]]:
    texts = [*SENTENCES, *(one.source for one in read_everyday())]
    return [model(name).vocabulary.encode(normalise(text)) for text in texts[:count]]


def assert_same(found: Sequence[Sequence[Hypothesis]], expected: Sequence[Sequence[Hypothesis]]) -> None:
    for (one, *_), (other, *_) in zip(found, expected, strict=True):
        assert one.tokens == other.tokens
        torch.testing.assert_close(torch.tensor(one.log_probs), torch.tensor(other.log_probs),
                                   rtol=0, atol=ROUNDING)
        for key, weights in other.weights.items():
            torch.testing.assert_close(torch.tensor(one.weights[key]), torch.tensor(weights), rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("beam", "count", "batch"), [(1, 48, 48), (1, 8, 1), (12, 6, 6), (12, 2, 1)])
def test_search_translates_as_the_network_does(name: str, beam: int, count: int, batch: int) -> None:
    network, settings = model(name).network, Settings(beam=beam, candidates=3)
    given = sources(name, count)
    for first in range(0, count, batch):
        part = given[first : first + batch]
        assert_same(search(network, part, settings), search(OwnStep(network), part, settings))


def test_another_network_is_noticed() -> None:
    """The comparison can fail: weights that are moved by a hundredth."""
    given = sources(NAMES[0], 4)
    moved = load_model(NAMES[0]).network
    expected = search(OwnStep(moved), given)
    with torch.no_grad():
        moved.W_o.mul_(1.01)
    with pytest.raises(AssertionError):
        assert_same(search(moved, given), expected)
