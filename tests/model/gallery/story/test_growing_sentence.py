"""The growing sentence of the story was translated by the weights that are shipped, and shows what it is there for."""

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.selection import select_shipped_pair
from model.gallery.story import growing_sentence
from model.trace import ANNOTATIONS, Trace

PAIR = select_shipped_pair()


@pytest.mark.verdict
@pytest.mark.parametrize("card", PAIR, ids=[card.name for card in PAIR])
def test_every_beginning_was_translated_by_the_shipped_weights(card: checkpoint.Card) -> None:
    """Stale after a model is shipped anew: run `python -m model opening`."""
    traces = [trace for trace in growing_sentence.read_traces() if trace.made_by.model == card.name]
    assert [trace.source.text for trace in traces] == growing_sentence.list_prefixes()
    assert {trace.made_by.fingerprint for trace in traces} == {card.fingerprint}
    assert card.has_attention or all(ANNOTATIONS in (trace.source_detail or {}) for trace in traces)


def test_they_stay_small() -> None:
    assert growing_sentence.FILE.stat().st_size < 300_000
    assert all(isinstance(trace, Trace) for trace in growing_sentence.read_traces())
