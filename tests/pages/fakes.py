"""Fake models for the tests of the pages."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from model.analysis.attribution.gradient_record import Gates, Gradients
from model.decoding import Settings, StopCallback
from model.decoding.translate import SentenceError
from model.text.normalise import NormalisedText
from model.trace import Trace
from pages.ui.backend import service
from tests.pages.traces import make_trace

ATTENDED, PLAIN = "rnnsearch-50", "rnnencdec-50"
OTHER = "I saw the sea ."


def translate_backwards(
    model: SimpleNamespace, text: NormalisedText, settings: Settings, should_stop: StopCallback, *_: object
) -> service.Traces:
    """Spell every word backwards. The model without attention loses every other word."""
    words = text.split()
    if not words:
        raise SentenceError("empty")
    if len(words) > 500:
        raise SentenceError("pieces", len(words), 500)
    output, order = [word[::-1] for word in words], tuple(range(len(words)))
    if model.name == PLAIN:
        return (make_trace(" ".join(words), " ".join(output[::2]), None, model=model.name, beam=settings.beam),)
    return (make_trace(" ".join(words), " ".join(output), order, model=model.name, beam=settings.beam),)


def fake_gradients(
    model: SimpleNamespace,
    trace: Trace,
    on_progress: Callable[[float], object] | None = None,
    should_stop: StopCallback | None = None,
) -> Gradients:
    """Return gradients that halve with every encoder step; through attention alone they are constant."""
    rows, left = len(trace.target.pieces), tuple(reversed(range(len(trace.source.pieces))))
    whole = np.tile(0.5 ** np.array(left, float), (rows, 1))
    gates = tuple(
        Gates(side, 1, 1, ("update", "reset"), np.full((2, places), 0.25))
        for side, places in (("encoder", len(left)), ("decoder", rows - 1))
    )
    direct = np.full_like(whole, 0.125) if trace.has_attention else None
    return Gradients(model.name, trace.source, trace.target, np.zeros(rows), whole, direct, left, True, 1, gates)
