"""Models made up for the tests of the pages."""

from types import SimpleNamespace

from model.search import Settings, Stopped
from model.search.translate import SentenceError
from model.text.normalise import Normalised
from pages.view.service import service
from tests.pages.traces import trace

ATTENDED, PLAIN = "rnnsearch-50", "rnnencdec-50"
OTHER = "I saw the sea ."


def backwards(
    model: SimpleNamespace, text: Normalised, settings: Settings, stopped: Stopped, *_: object
) -> service.Traces:
    """A model that spells every word backwards, the second one losing every other word."""
    words = text.split()
    if not words:
        raise SentenceError("empty")
    if len(words) > 500:
        raise SentenceError("pieces", len(words), 500)
    turned = [word[::-1] for word in words]
    if model.name == PLAIN:
        return (trace(" ".join(words), " ".join(turned[::2]), None, model=model.name, beam=settings.beam),)
    return (trace(" ".join(words), " ".join(turned), tuple(range(len(words))), model=model.name, beam=settings.beam),)
