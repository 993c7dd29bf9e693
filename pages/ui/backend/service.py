"""The translation service of the server: models loaded on demand, a fair queue, cached results.

One thread does all decoding, in the order of a fair queue (fair_queue.py). Waiting requests for the same model and
search are decoded together, each with the result it would have alone. torch is imported in this thread with the first
model, never when a page is drawn.

Single sentences go through `Service.request`. A file goes through `Service.request_slice`, a few sentences at a time,
so that readers with a single sentence are served in between:

    for batch in batch_by_length(texts, len, fits_slice):
        future = get_service().request_slice(name, [texts[index] for index in batch], settings, reader)
        ...
"""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar, cast

import streamlit as st

from model.analysis.attribution.saliency_record import SaliencyError
from model.analysis.lexicon import lexicon
from model.analysis.probing.similarity import VectorError
from model.checkpoints.checkpoint import Model
from model.decoding import NO_OVERRIDES, OverrideError, Overrides, SearchStopped, Settings, StopCallback
from model.decoding.translate import SentenceError, prepare_source, translate, translate_n_best
from model.text.normalise import NormalisedText
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.backend.fair_queue import BatchOptions, FairQueue
from pages.ui.backend.result_cache import ResultCache

Traces = tuple[Trace, ...]
"""The n best translations of one sentence by one model, best first."""
LoadedModel = tuple[str | None, str]
"""The identity of a loaded model (`get_identity`), and the fingerprint of its weights."""

Result = TypeVar("Result")

MAX_RESULTS = 500  # cached translations, and as many measurements
MAX_RESULT_BYTES = 256 * 2**20  # of each of the two caches; one translation takes 100 kB, a long one 70 MB
MAX_PARAMETERS = 90_000_000  # of all loaded models; each takes 15 to 20 bytes of memory, with the search's copies
PREFETCH_DELAY = 1.0  # seconds, so that the first picture is drawn before torch takes the processor
MAX_SLICE_SENTENCES = 8  # decoded together in about half a second
MAX_SLICE_CHARACTERS = 1200
MAX_BATCH_HYPOTHESES = 96  # of waiting requests that are decoded together
MAX_BRIEF_CHARACTERS = 600  # longer requests let others in between steps: 2,000 characters can take most of a minute
MAX_BRIEF_HYPOTHESIS_CHARACTERS = 2400  # the same for characters times beam
SHORT_CHARACTERS = 120  # up to this length, or twice the first one's, a request may join a batch
REFUSALS = (SentenceError, OverrideError, SaliencyError, VectorError, SearchStopped)  # for the reader, not the log


class Service:
    """The models of one server and the queue before them. Safe to share between sessions."""

    def __init__(self) -> None:
        self._queue = FairQueue("decoding", REFUSALS)
        self._models: OrderedDict[str, Model] = OrderedDict()  # least recently used first
        self._loaded: dict[str, LoadedModel] = {}  # of each model that is or was loaded
        self._translations, self._measurements = (ResultCache(MAX_RESULTS, MAX_RESULT_BYTES) for _ in range(2))
        self._lock = threading.Lock()
        self._has_prefetched = False

    def request(
        self, name: str, text: NormalisedText, settings: Settings, reader: str = "", overrides: Overrides = NO_OVERRIDES
    ) -> Future[Traces]:
        """Request a translation of `text` by the model `name`, for the session `reader`. Returns at once.

        The Future gives `settings.n_best` Traces, best first, or raises CheckpointError (no such model), SentenceError
        or OverrideError (overrides that do not fit). Cancelling it gives up the place in the queue, and stops the
        decoding unless somebody else has requested the same.
        """
        cached = self._find_translations(name, text, settings, overrides)
        if cached is not None:
            return _complete(cached)
        brief = is_brief(settings, text)
        batching = None
        if brief and not settings.detail and not overrides:
            translate_batch = partial(self._translate_batch, name, settings)
            batching = BatchOptions((name, settings), text, translate_batch, partial(fits_batch, settings))
        return self._queue.submit(
            lambda should_stop: self._translate(name, text, settings, overrides, should_stop),
            reader,
            key=(name, text, settings, overrides),
            is_brief=brief,
            batching=batching,
        )

    def request_slice(
        self, name: str, sentences: Sequence[NormalisedText], settings: Settings, reader: str
    ) -> Future[list[Traces | SentenceError]]:
        """Request the translations of one slice (`fits_slice`), decoded when nobody waits for a single sentence.

        The Future gives for each sentence its Traces or a SentenceError, or raises CheckpointError. Cancelling it stops
        the decoding.
        """
        resolved_settings = cards.resolve_unk(name, settings)
        return self._queue.submit(
            lambda should_stop: translate_slice(self._load(name)[0], sentences, resolved_settings, should_stop),
            reader,
            is_bulk=True,
        )

    def measure(
        self, name: str, key: Hashable, work: Callable[[Model, StopCallback], Result], reader: str,
        is_bulk: bool = False, should_cache: bool = True,
    ) -> Future[Result]:  # fmt: skip
        """Request any other work with the model `name`, done in the queue.

        The result is cached under `key`, which must name everything it depends on except the weights. Without
        `should_cache` it is not: for results so many that they would displace others. With `is_bulk` it is done when
        nobody waits for a single sentence. The work must ask several times a second whether to stop, since single
        sentences are translated meanwhile; it then raises SearchStopped.

        The Future raises CheckpointError, or whatever `work` raises. Cancelling it gives up the place in the queue.
        """
        is_cached, cached = self._find_measurement(name, key)
        if is_cached:
            return _complete(cast("Result", cached))
        return self._queue.submit(
            lambda should_stop: self._measure(name, key, work, should_stop, should_cache), reader, is_bulk=is_bulk,
            key=("measure", name, key),
        )  # fmt: skip

    def find_cached(self, name: str, text: NormalisedText, settings: Settings) -> Traces | None:
        """Return a cached translation without overrides; requests nothing."""
        return self._find_translations(name, text, settings, NO_OVERRIDES)

    def is_loaded(self, *names: str) -> bool:
        """Return whether the current models of these names are loaded."""
        return all(name in self._models and self._get_current(name) is not None for name in names)

    def prefetch_models(self, *names: str) -> None:
        """Load models and their lexicon in the background. Only the first call on a server has an effect. Errors appear
        with the first request."""
        with self._lock:
            if self._has_prefetched:
                return
            self._has_prefetched = True
        timer = threading.Timer(PREFETCH_DELAY, self._submit_prefetches, names)
        timer.daemon = True
        timer.start()

    def _submit_prefetches(self, *names: str) -> None:
        for name in names:
            self._queue.submit(partial(self._prefetch, name), "")

    def _prefetch(self, name: str, should_stop: StopCallback) -> None:
        self._load(name)
        languages = cards.get_languages(name)
        if languages:
            lexicon.preload_lexicon(*languages)

    def _load(self, name: str) -> tuple[Model, LoadedModel]:
        """Return the model, loaded if it is not or its files have changed, and what its results are cached under: while
        it works, a request that interrupts it may load its new files. The least recently used models are unloaded for
        it. Only for the queue's thread."""
        if name not in self._models or self._get_current(name) is None:
            if self._models.pop(name, None) is not None:
                _collect_garbage()
            identity = get_identity(name)  # before loading: files that change meanwhile are loaded the next time
            self._make_room(name)
            self._models[name] = load_model(name)
            self._loaded[name] = identity, self._models[name].fingerprint
        self._models.move_to_end(name)
        return self._models[name], self._loaded[name]

    def _get_current(self, name: str) -> LoadedModel | None:
        """Return the model loaded under a name; None if there is none, or its files have changed since."""
        loaded_model = self._loaded.get(name)
        return loaded_model if loaded_model is not None and loaded_model[0] == get_identity(name) else None

    def _make_room(self, name: str) -> None:
        """Unload models until there is room for one more. Their results stay cached."""
        has_unloaded = False
        while self._models and sum(map(count_parameters, (*self._models, name))) > MAX_PARAMETERS:
            self._models.popitem(last=False)
            has_unloaded = True
        if has_unloaded:
            _collect_garbage()

    def _translate(
        self, name: str, text: NormalisedText, settings: Settings, overrides: Overrides, should_stop: StopCallback
    ) -> Traces:
        cached = self._find_translations(name, text, settings, overrides)  # may be cached since it was requested
        if cached is not None:
            return cached
        model, loaded = self._load(name)
        traces = translate_sentence(model, text, settings, should_stop, overrides)
        self._store_translations(name, loaded, text, settings, overrides, traces)
        return traces

    def _translate_batch(
        self, name: str, settings: Settings, texts: list[NormalisedText], should_stop: StopCallback
    ) -> list[Traces | BaseException]:
        """Translate several texts; return the Traces or the error of each."""
        model, loaded = self._load(name)
        cached_traces = {text: self._find_translations(name, text, settings, NO_OVERRIDES) for text in texts}
        missing_texts = [text for text in texts if cached_traces[text] is None]
        answers: dict[NormalisedText, Traces | BaseException]
        try:
            results = translate_slice(model, missing_texts, settings, should_stop)
            answers = dict(zip(missing_texts, results, strict=True))
        except SearchStopped:
            raise
        except Exception:  # may be due to one sentence: translate each alone
            answers = {text: self._translate_or_error(name, text, settings, should_stop) for text in missing_texts}
        else:
            for text, answer in answers.items():
                if not isinstance(answer, BaseException):
                    self._store_translations(name, loaded, text, settings, NO_OVERRIDES, answer)
        return [answers[text] if (traces := cached_traces[text]) is None else traces for text in texts]

    def _translate_or_error(
        self, name: str, text: NormalisedText, settings: Settings, should_stop: StopCallback
    ) -> Traces | BaseException:
        try:
            return self._translate(name, text, settings, NO_OVERRIDES, should_stop)
        except Exception as error:
            return error

    def _measure(
        self, name: str, key: Hashable, work: Callable[[Model, StopCallback], Result], should_stop: StopCallback,
        should_cache: bool,
    ) -> Result:  # fmt: skip
        model, loaded = self._load(name)
        is_cached, cached = self._find_measurement(name, key)
        if is_cached:
            return cast("Result", cached)
        result = work(model, should_stop)
        if should_cache:
            self._measurements.store((name, loaded, key), result)
        return result

    def _find_measurement(self, name: str, key: Hashable) -> tuple[bool, Any]:
        """Return whether there is a cached measurement by the current model, and its result."""
        loaded = self._get_current(name)
        return (False, None) if loaded is None else self._measurements.find((name, loaded, key))

    def _find_translations(
        self, name: str, text: NormalisedText, settings: Settings, overrides: Overrides
    ) -> Traces | None:
        loaded = self._get_current(name)
        if loaded is None:
            return None
        _, traces = self._translations.find((name, loaded, text, settings, overrides))
        return cast("Traces | None", traces)

    def _store_translations(
        self, name: str, loaded: LoadedModel, text: NormalisedText, settings: Settings, overrides: Overrides,
        traces: Traces,
    ) -> None:  # fmt: skip
        self._translations.store((name, loaded, text, settings, overrides), traces)


@st.cache_resource(show_spinner=False)
def get_service() -> Service:
    """Return the one Service of this server."""
    return Service()


def load_model(name: str) -> Model:
    """Load a checkpoint; the first call imports torch."""
    from pages.ui.backend import model_loading  # takes seconds, and pages are drawn without torch

    return model_loading.load_model(name)


def count_parameters(name: str) -> int:
    """Return the number of parameters on a model's card; 0 without a card."""
    card = cards.find_card(name)
    return card.parameters if card else 0


def get_identity(name: str) -> str | None:
    """Return the checksums of a model's files and the config of its network; None without a card."""
    card = cards.find_card(name)
    return repr((card.sha256, card.network)) if card else None


def translate_sentence(
    model: Model,
    text: NormalisedText,
    settings: Settings,
    should_stop: StopCallback,
    overrides: Overrides = NO_OVERRIDES,
) -> Traces:
    """Translate one sentence; return the `settings.n_best` best Traces, best first. Raises SearchStopped."""
    return tuple(translate_n_best(model, text, settings, should_stop=should_stop, overrides=overrides))


def translate_slice(
    model: Model, sentences: Sequence[NormalisedText], settings: Settings, should_stop: StopCallback
) -> list[Traces | SentenceError]:
    """Translate some sentences together; return the Traces or the error of each. Raises SearchStopped."""
    errors: dict[int, SentenceError] = {}
    for index, sentence in enumerate(sentences):
        try:
            prepare_source(model, sentence)
        except SentenceError as error:
            errors[index] = error
    valid = [sentence for index, sentence in enumerate(sentences) if index not in errors]
    translations = translate(model, valid, settings, max(1, len(valid)), should_stop=should_stop)
    return [errors[index] if index in errors else tuple(next(translations)) for index in range(len(sentences))]


def fits_slice(sentences: Sequence[str]) -> bool:
    """Return whether sentences are decoded together in about half a second: at most MAX_SLICE_SENTENCES of at most
    MAX_SLICE_CHARACTERS in all. Called by `batch_by_length`, which never splits a single sentence."""
    return len(sentences) <= MAX_SLICE_SENTENCES and sum(map(len, sentences)) <= MAX_SLICE_CHARACTERS


def is_brief(settings: Settings, text: str) -> bool:
    """Return whether a request is decoded without interruption; others have their turn during a longer one."""
    return len(text) <= MAX_BRIEF_CHARACTERS and len(text) * settings.beam <= MAX_BRIEF_HYPOTHESIS_CHARACTERS


def fits_batch(settings: Settings, sentences: Sequence[str]) -> bool:
    """Return whether waiting requests are decoded together: at most MAX_BATCH_HYPOTHESES, and none so long that the
    first one would wait for it."""
    longest = max(SHORT_CHARACTERS, 2 * len(sentences[0]))
    return len(sentences) * settings.beam <= MAX_BATCH_HYPOTHESES and all(len(text) <= longest for text in sentences)


def _complete(result: Result) -> Future[Result]:
    future: Future[Result] = Future()
    future.set_result(result)
    return future


def _collect_garbage() -> None:
    gc.unfreeze()
    gc.collect()
