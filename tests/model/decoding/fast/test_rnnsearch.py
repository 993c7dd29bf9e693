"""Shipped models in float32: the fast decoder translates as the network's own steps do."""

from __future__ import annotations

from functools import cache

import pytest

from model.checkpoints.checkpoint import Model, load_model
from model.decoding import Settings, search
from model.gallery.opening import SENTENCES
from model.text.everyday_sentences import read_everyday
from model.text.normalise import normalise
from tests.model.decoding.helpers import PlainDecoder, assert_close_hypotheses

NAMES = ("rnnsearch-50", "rnnencdec-50", "transformer-50")
TOLERANCE = 1e-4  # nats; log-probabilities of tokens differed by at most 2e-5 in 2,000 sentences of news

load_cached = cache(load_model)


def list_sources(model: Model, count: int) -> list[list[int]]:
    texts = [*SENTENCES, *(sentence.source for sentence in read_everyday())]
    return [model.vocabulary.encode(normalise(text)) for text in texts[:count]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("beam", "count", "batch_size"), [(1, 4, 1), (12, 4, 4)])
def test_search_translates_as_the_network_does(name: str, beam: int, count: int, batch_size: int) -> None:
    model, settings = load_cached(name), Settings(beam=beam)
    sources = list_sources(model, count)
    for start in range(0, count, batch_size):
        batch = sources[start : start + batch_size]
        expected = search(PlainDecoder(model.network), batch, settings)
        for (best, *_), (expected_best, *_) in zip(search(model.network, batch, settings), expected, strict=True):
            assert_close_hypotheses(best, expected_best, TOLERANCE)
