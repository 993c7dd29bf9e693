"""Fake models and timers for the tests of the pages."""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from model.analysis.attribution.gradient_record import Gates, Gradients
from model.decoding import Settings, StopCallback
from model.decoding.translate import SentenceError
from model.text.normalise import NormalisedText
from model.trace import Trace
from model.trace.tree import Tree
from pages.ui.backend import service
from tests.traces import make_trace

ATTENDED, PLAIN = "rnnsearch-50", "rnnencdec-50"
OTHER_SENTENCE = "I saw the sea ."


def translate_backwards(
    model: SimpleNamespace, text: NormalisedText, settings: Settings, should_stop: StopCallback, *_: object
) -> service.Traces:
    """Spell every word backwards, if asked for with the tree of a search. The model without attention loses every
    other word."""
    words = text.split()
    if not words:
        raise SentenceError("empty")
    if len(words) > 500:
        raise SentenceError("pieces", len(words), 500)
    output, order = [word[::-1] for word in words], tuple(range(len(words)))
    if model.name == PLAIN:
        trace = make_trace(" ".join(words), " ".join(output[::2]), None, model=model.name, beam=settings.beam)
    else:
        trace = make_trace(" ".join(words), " ".join(output), order, model=model.name, beam=settings.beam)
    return (add_tree(trace) if settings.tree else trace,)


def add_tree(trace: Trace) -> Trace:
    """Return the Trace with the tree of a search that found nothing else."""
    count = len(trace.steps)
    tree = Tree(
        parents=tuple(range(-1, count - 1)), ids=tuple(step.id for step in trace.steps), pieces=trace.target.pieces,
        log_probabilities=(-0.1,) * count, scores=(0.0,) * count, fates="k" * (count - 1) + "f",
    )  # fmt: skip
    return replace(trace, tree=tree)


def fake_gradients(
    model: SimpleNamespace,
    trace: Trace,
    on_progress: Callable[[float], object] | None = None,
    should_stop: StopCallback | None = None,
) -> Gradients:
    """Return gradients that halve with every encoder step; through attention alone they are constant."""
    rows, steps_left = len(trace.target.pieces), tuple(reversed(range(len(trace.source.pieces))))
    total = np.tile(0.5 ** np.array(steps_left, float), (rows, 1))
    gates = tuple(
        Gates(side, 1, 1, ("update", "reset"), np.full((2, places), 0.25))
        for side, places in (("encoder", len(steps_left)), ("decoder", rows - 1))
    )
    direct = np.full_like(total, 0.125) if trace.has_attention else None
    return Gradients(model.name, trace.source, trace.target, np.zeros(rows), total, direct, steps_left, True, 1, gates)


class FakeTimer:
    """A timer whose time is over when the test calls `function`."""

    def __init__(self, started: list["FakeTimer"], interval: float, function: Callable[[], None]) -> None:
        self._started, self.interval, self.function = started, interval, function

    def start(self) -> None:
        self._started.append(self)

    def is_alive(self) -> bool:
        return True


def fake_timers(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[FakeTimer]:
    """Replace the timers of a module; return the list of those that it starts."""
    started: list[FakeTimer] = []
    fake = SimpleNamespace(Lock=threading.Lock, RLock=threading.RLock, Timer=partial(FakeTimer, started))
    monkeypatch.setattr(module, "threading", fake)
    return started
