"""Translations for every reader of this server: models loaded once, one decoding at a time, results kept.

One thread does all of a server's decoding, in the order of a fair queue (queue.py). torch is imported
there, when the first model is loaded, never when a page is drawn.

Single sentences go through `Service.request`. Many at once, as from a file, go through `Service.bulk`, a slice at a
time, so that readers with a single sentence are served in between:

    for part in batches(texts, len, fits):
        future = shared().bulk(name, [texts[place] for place in part], settings, reader)  # cancel() stops it
        ...
"""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from model.measure.lexicon import lexicon
from model.search import NO_EDITS, Edits, Settings, Stopped
from model.search.translate import SentenceError
from model.text.normalise import Normalised
from model.trace import Trace
from pages.view.service import cards
from pages.view.service.queue import FairQueue

if TYPE_CHECKING:
    from model.checkpoint import Model

Traces = tuple[Trace, ...]
"""What one model made of one sentence: the n best, best first."""

KEPT = 500  # finished translations, some 50 kB each
WARM_AFTER = 1.0  # seconds: the first picture is on the screen before torch takes the processor
SLICE = 8  # sentences that are decoded together in bulk: about half a second
SLICE_CHARACTERS = 1200


class Service:
    """The models of one server and the queue before them. Safe to share between sessions."""

    def __init__(self) -> None:
        self._queue = FairQueue("decoding")
        self._models: dict[str, Model] = {}
        self._kept: OrderedDict[tuple[str, str, Settings, Edits], Traces] = OrderedDict()
        self._lock = threading.Lock()
        self._warming = False

    def request(
        self, name: str, text: Normalised, settings: Settings, reader: str = "", edits: Edits = NO_EDITS
    ) -> Future[Traces]:
        """Ask the model `name` for a translation of `text`, for `reader` (shell/state.py). Returns at once.

        The Future gives the Traces (`settings.n_best` of them, best first) or raises CheckpointError (no such model),
        SentenceError (no such sentence) or EditsError (`edits` that do not fit the model or the sentence). Cancelling
        it gives up the place in the queue, and stops the decoding where nobody else has asked for the same.
        """
        kept = self._recall(name, text, settings, edits)
        if kept is not None:
            done: Future[Traces] = Future()
            done.set_result(kept)
            return done
        return self._queue.submit(
            lambda stopped: self._translate(name, text, settings, edits, stopped),
            reader,
            key=(name, text, settings, edits),
        )

    def bulk(
        self, name: str, sentences: Sequence[Normalised], settings: Settings, reader: str
    ) -> Future[list[Traces | SentenceError]]:
        """Ask for the translations of one slice (`fits`), decoded together when nobody waits for a single sentence.

        The Future gives for each sentence its Traces, or the SentenceError that says why there are none; it raises
        CheckpointError if there is no such model. Cancelling it stops the decoding.
        """
        return self._queue.submit(
            lambda stopped: decode_slice(self._load(name), sentences, settings, stopped), reader, bulk=True
        )

    def ready(self, *names: str) -> bool:
        """Whether the models are loaded."""
        return all(name in self._models for name in names)

    def warm(self, *names: str) -> None:
        """Load the models and their lexicon behind the page, once a server; problems are reported when a translation
        is asked for."""
        with self._lock:
            if self._warming:
                return
            self._warming = True
        timer = threading.Timer(WARM_AFTER, self._ask_for, names)
        timer.daemon = True
        timer.start()

    def _ask_for(self, *names: str) -> None:
        for name in names:
            self._queue.submit(partial(self._warm, name), "")

    def _warm(self, name: str, stopped: Stopped) -> None:
        self._load(name)
        languages = cards.languages_of(name)
        if languages:
            lexicon.prepare(*languages)

    def _load(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = load(name)
        return self._models[name]

    def _translate(
        self, name: str, text: Normalised, settings: Settings, edits: Edits, stopped: Stopped
    ) -> Traces:
        kept = self._recall(name, text, settings, edits)  # others may have asked for the same while this one waited
        if kept is not None:
            return kept
        model = self._load(name)
        traces = decode(model, text, settings, stopped, edits)
        with self._lock:
            self._kept[model.fingerprint, text, settings, edits] = traces
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return traces

    def _recall(self, name: str, text: Normalised, settings: Settings, edits: Edits) -> Traces | None:
        model = self._models.get(name)
        if model is None:
            return None
        with self._lock:
            traces = self._kept.get((model.fingerprint, text, settings, edits))
            if traces is not None:
                self._kept.move_to_end((model.fingerprint, text, settings, edits))
        return traces


def load(name: str) -> Model:
    """Load a shipped model; the first call imports torch.

    Decoding takes one core from then on. The steps of a sentence are too small to gain from two, and torch's threads
    wait for one another by spinning: beside another busy program they were up to ten times slower than one alone.
    """
    import torch

    from model.checkpoint import load as load_checkpoint

    torch.set_num_threads(1)
    model = load_checkpoint(name)
    gc.freeze()  # neither torch nor a model goes again: collecting garbage need not look through them each time
    return model


def decode(model: Model, text: Normalised, settings: Settings, stopped: Stopped, edits: Edits = NO_EDITS) -> Traces:
    """Translate one sentence with a loaded model: the `settings.n_best` best, the best one first. SearchStopped once
    `stopped` says so."""
    from model.search.translate import translate_best

    return tuple(translate_best(model, text, settings, stopped=stopped, edits=edits))


def decode_slice(
    model: Model, sentences: Sequence[Normalised], settings: Settings, stopped: Stopped
) -> list[Traces | SentenceError]:
    """Translate some sentences together: for each its Traces, or why there are none. SearchStopped once `stopped` says
    so."""
    from model.search.translate import prepare, translate

    answers: list[Traces | SentenceError] = []
    good: list[Normalised] = []
    for sentence in sentences:
        try:
            prepare(model, sentence)
        except SentenceError as error:
            answers.append(error)
        else:
            answers.append(())
            good.append(sentence)
    found = translate(model, good, settings, max(1, len(good)), stopped=stopped)
    return [answer if isinstance(answer, SentenceError) else tuple(next(found)) for answer in answers]


def fits(sentences: Sequence[str]) -> bool:
    """Whether these are decoded together in about half a second, as a slice of what is to be translated in bulk: at
    most SLICE sentences, and no second one beyond SLICE_CHARACTERS."""
    return len(sentences) <= SLICE and sum(map(len, sentences)) <= SLICE_CHARACTERS


@st.cache_resource(show_spinner=False)
def shared() -> Service:
    """The one Service of this server."""
    return Service()
