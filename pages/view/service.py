"""Translations for every reader of this server: models loaded once, one decoding at a time, results kept.

One thread does all of a server's decoding, in the order in which the requests came: that is the fair queue. torch is
imported there, when the first model is loaded, never when a page is drawn.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import streamlit as st

from model.search import Settings
from model.text.normalise import normalise
from model.trace import Trace

if TYPE_CHECKING:
    from model.checkpoint import Model

ATTENDED = "rnnsearch-50"
PLAIN = "rnnencdec-50"

Traces = tuple[Trace, ...]
"""What one model made of one sentence: the n best, best first."""

KEPT = 500  # finished translations, some 50 kB each
WARM_AFTER = 1.0  # seconds: the first picture is on the screen before torch takes the processor


class Service:
    """The models of one server and the queue before them. Safe to share between sessions."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="decoding")
        self._models: dict[str, Model] = {}
        self._kept: OrderedDict[tuple[str, str, Settings], Traces] = OrderedDict()
        self._lock = threading.Lock()
        self._warming = False

    def request(self, name: str, sentence: str, settings: Settings) -> Future[Traces]:
        """Ask the model `name` for a translation of `sentence`. Returns at once.

        The Future gives the Traces (`settings.n_best` of them, best first) or raises CheckpointError (no such model)
        or SentenceError (no such sentence); cancelling it gives up the place in the queue.
        """
        text = normalise(sentence)
        kept = self._recall(name, text, settings)
        if kept is not None:
            done: Future[Traces] = Future()
            done.set_result(kept)
            return done
        return self._worker.submit(self._translate, name, text, settings)

    def ready(self, *names: str) -> bool:
        """Whether the models are loaded."""
        return all(name in self._models for name in names)

    def warm(self, *names: str) -> None:
        """Load the models behind the page, once a server; problems are reported when a translation is asked for."""
        with self._lock:
            if self._warming:
                return
            self._warming = True
        timer = threading.Timer(WARM_AFTER, lambda: [self._worker.submit(self._load, name) for name in names])
        timer.daemon = True
        timer.start()

    def _load(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = load(name)
        return self._models[name]

    def _translate(self, name: str, text: str, settings: Settings) -> Traces:
        kept = self._recall(name, text, settings)  # somebody else may have asked for the same while this one waited
        if kept is not None:
            return kept
        model = self._load(name)
        traces = decode(model, text, settings)
        with self._lock:
            self._kept[model.fingerprint, text, settings] = traces
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return traces

    def _recall(self, name: str, text: str, settings: Settings) -> Traces | None:
        model = self._models.get(name)
        if model is None:
            return None
        with self._lock:
            traces = self._kept.get((model.fingerprint, text, settings))
            if traces is not None:
                self._kept.move_to_end((model.fingerprint, text, settings))
        return traces


def load(name: str) -> Model:
    """Load a shipped model; the first call imports torch."""
    from model.checkpoint import load as load_checkpoint

    return load_checkpoint(name)


def decode(model: Model, text: str, settings: Settings) -> Traces:
    """Translate one sentence with a loaded model: the `settings.n_best` best, the best one first."""
    from model.search.translate import translate_best

    return tuple(translate_best(model, text, settings))


@st.cache_resource(show_spinner=False)
def shared() -> Service:
    """The one Service of this server."""
    return Service()
