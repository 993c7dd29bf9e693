"""Translations for every reader of this server: models loaded when asked for, one decoding at a time, results kept.

One thread does all of a server's decoding, in the order of a fair queue (queue.py); questions that wait for the same
model and search are decoded together, each with the result it has alone. torch is imported there, when the first model
is loaded, never when a page is drawn.

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
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import streamlit as st

from model.analysis.attribution.saliency_record import SaliencyError
from model.analysis.lexicon import lexicon
from model.analysis.probing.similarity import VectorError
from model.decoding import NO_OVERRIDES, OverrideError, Overrides, SearchStopped, Settings, StopCallback
from model.decoding.translate import SentenceError
from model.text.normalise import Normalised
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.backend.queue import Batching, FairQueue
from pages.ui.backend.result_cache import ResultCache

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

Traces = tuple[Trace, ...]
LoadedModel = tuple[str | None, str]
"""What a loaded model's card said of it (`identity`), and the fingerprint of its weights."""
"""What one model made of one sentence: the n best, best first."""

Result = TypeVar("Result")

MAX_RESULTS = 500  # finished translations, and as many measurements
MAX_RESULT_BYTES = 256 * 2**20  # bytes of either: with many heads a long sentence takes 70 MB, a usual one 100 kB
MAX_PARAMETERS = 90_000_000  # of all loaded models; 15 to 20 bytes of memory each, with what search makes of them
PREFETCH_DELAY = 1.0  # seconds: the first picture is on the screen before torch takes the processor
MAX_SLICE_SENTENCES = 8  # sentences that are decoded together in bulk: about half a second
MAX_SLICE_CHARACTERS = 1200
MAX_BATCH_HYPOTHESES = 96  # hypotheses that are carried along at once when waiting questions are decoded together
MAX_BRIEF_CHARACTERS = (
    600  # characters; what is longer lets others in between its steps (2,000 can take most of a minute)
)
MAX_BRIEF_HYPOTHESIS_CHARACTERS = 2400  # characters times the hypotheses that a search carries along, likewise
REFUSALS = (SentenceError, OverrideError, SaliencyError, VectorError, SearchStopped)  # for the reader, not the log
SHORT_CHARACTERS = 120  # characters; a question goes along with a shorter one up to this length, or twice the other's


class Service:
    """The models of one server and the queue before them. Safe to share between sessions."""

    def __init__(self) -> None:
        self._queue = FairQueue("decoding", REFUSALS)
        self._models: OrderedDict[str, Model] = OrderedDict()  # the one used last at the end
        self._loaded: dict[str, LoadedModel] = {}  # of each model that is or was loaded
        self._kept, self._found = ResultCache(), ResultCache()  # translations, and all else
        self._lock = threading.Lock()
        self._warming = False

    def request(
        self, name: str, text: Normalised, settings: Settings, reader: str = "", edits: Overrides = NO_OVERRIDES
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
        short = is_brief(settings, text)
        return self._queue.submit(
            lambda stopped: self._translate(name, text, settings, edits, stopped),
            reader,
            key=(name, text, settings, edits),
            brief=short,
            together=None
            if settings.detail or edits or not short
            else Batching(
                (name, settings), text, partial(self._translate_together, name, settings), partial(fits_batch, settings)
            ),
        )

    def bulk(
        self, name: str, sentences: Sequence[Normalised], settings: Settings, reader: str
    ) -> Future[list[Traces | SentenceError]]:
        """Ask for the translations of one slice (`fits`), decoded together when nobody waits for a single sentence.

        The Future gives for each sentence its Traces, or the SentenceError that says why there are none; it raises
        CheckpointError if there is no such model. Cancelling it stops the decoding.
        """
        return self._queue.submit(
            lambda stopped: translate_slice(self._load(name), sentences, settings, stopped), reader, bulk=True
        )

    def measure(
        self, name: str, key: Hashable, work: Callable[[Model, StopCallback], Result], reader: str, bulk: bool = False,
        keep: bool = True,
    ) -> Future[Result]:  # fmt: skip
        """Ask for anything else that takes the model `name`: `work` is done in the queue, where readers take turns, and
        what it comes to is kept under `key`, which says all that it depends on but the model's weights; unless it is
        one of so many that others would be lost for it (`keep`).

        The Future gives it, or raises CheckpointError (no such model) or what `work` raises. Cancelling it gives up the
        place in the queue; a work that asks whether to stop ends in SearchStopped then. `bulk`: it is done when nobody
        waits for a single sentence. Sentences that readers wait for are translated where the work asks whether to stop,
        and so it is to ask that several times a second.
        """
        known, kept = self._recall_found(name, key)
        if known:
            done: Future[Result] = Future()
            done.set_result(kept)
            return done
        return self._queue.submit(
            lambda stopped: self._measure(name, key, work, stopped, keep), reader, bulk=bulk,
            key=("measure", name, key),
        )  # fmt: skip

    def kept(self, name: str, text: Normalised, settings: Settings) -> Traces | None:
        """What the model `name` made of `text` before, where that is still at hand; it asks for nothing."""
        return self._recall(name, text, settings, NO_OVERRIDES)

    def ready(self, *names: str) -> bool:
        """Whether the models are loaded."""
        return all(name in self._models and self._made_by(name) is not None for name in names)

    def warm(self, *names: str) -> None:
        """Load the models and their lexicon behind the page, once a server; problems are reported when a translation
        is asked for."""
        with self._lock:
            if self._warming:
                return
            self._warming = True
        timer = threading.Timer(PREFETCH_DELAY, self._ask_for, names)
        timer.daemon = True
        timer.start()

    def _ask_for(self, *names: str) -> None:
        for name in names:
            self._queue.submit(partial(self._warm, name), "")

    def _warm(self, name: str, stopped: StopCallback) -> None:
        self._load(name)
        languages = cards.get_languages(name)
        if languages:
            lexicon.preload_lexicon(*languages)

    def _load(self, name: str) -> Model:
        """The model, loaded where it is not, or where others stand in its place since; those not used for longest go
        for it. Done by the queue's thread alone."""
        if name not in self._models or self._made_by(name) is None:
            if self._models.pop(name, None) is not None:
                _collect_garbage()
            said = get_identity(name)  # before it is loaded: where others come meanwhile, they are loaded next time
            self._make_room(name)
            self._models[name] = load_model(name)
            self._loaded[name] = said, self._models[name].fingerprint
        self._models.move_to_end(name)
        return self._models[name]

    def _made_by(self, name: str) -> LoadedModel | None:
        """What is or was loaded under a name; None where there is another model under it now."""
        loaded = self._loaded.get(name)
        return loaded if loaded is not None and loaded[0] == get_identity(name) else None

    def _make_room(self, name: str) -> None:
        """Let models go until there is room for one more: their results stay."""
        if sum(map(count_parameters, (*self._models, name))) <= MAX_PARAMETERS:
            return
        while self._models and sum(map(count_parameters, (*self._models, name))) > MAX_PARAMETERS:
            self._models.popitem(last=False)
        _collect_garbage()

    def _translate(
        self, name: str, text: Normalised, settings: Settings, edits: Overrides, stopped: StopCallback
    ) -> Traces:
        kept = self._recall(name, text, settings, edits)  # others may have asked for the same while this one waited
        if kept is not None:
            return kept
        model = self._load(name)
        traces = translate_sentence(model, text, settings, stopped, edits)
        self._keep(name, text, settings, edits, traces)
        return traces

    def _measure(
        self, name: str, key: Hashable, work: Callable[[Model, StopCallback], Result], stopped: StopCallback, keep: bool
    ) -> Result:
        model = self._load(name)
        known, kept = self._recall_found(name, key)
        if known:
            return cast("Result", kept)
        found = work(model, stopped)
        if not keep:
            return found
        self._found.keep((name, self._loaded[name], key), found, MAX_RESULTS, MAX_RESULT_BYTES)
        return found

    def _recall_found(self, name: str, key: Hashable) -> tuple[bool, Any]:
        """Whether there is a measurement of that key by the model, and what it came to."""
        made_by = self._made_by(name)
        return (False, None) if made_by is None else self._found.find((name, made_by, key))

    def _translate_together(
        self, name: str, settings: Settings, texts: list[Normalised], stopped: StopCallback
    ) -> list[Traces | BaseException]:
        """As `_translate` for each of the texts, an error among them in its place."""
        model = self._load(name)
        kept = {text: self._recall(name, text, settings, NO_OVERRIDES) for text in texts}
        missing = [text for text in texts if kept[text] is None]
        made: dict[Normalised, Traces | BaseException]
        try:
            made = dict(zip(missing, translate_slice(model, missing, settings, stopped), strict=True))
        except SearchStopped:
            raise
        except Exception:  # of one of them, perhaps: each is tried alone
            made = {text: self._alone(name, text, settings, stopped) for text in missing}
        for text, answer in made.items():
            if not isinstance(answer, BaseException):
                self._keep(name, text, settings, NO_OVERRIDES, answer)
        return [made[text] if (found := kept[text]) is None else found for text in texts]

    def _alone(self, name: str, text: Normalised, settings: Settings, stopped: StopCallback) -> Traces | BaseException:
        try:
            return self._translate(name, text, settings, NO_OVERRIDES, stopped)
        except Exception as error:
            return error

    def _keep(self, name: str, text: Normalised, settings: Settings, edits: Overrides, traces: Traces) -> None:
        self._kept.keep((name, self._loaded[name], text, settings, edits), traces, MAX_RESULTS, MAX_RESULT_BYTES)

    def _recall(self, name: str, text: Normalised, settings: Settings, edits: Overrides) -> Traces | None:
        made_by = self._made_by(name)
        if made_by is None:
            return None
        _, traces = self._kept.find((name, made_by, text, settings, edits))
        return cast("Traces | None", traces)


def load_model(name: str) -> Model:
    """Load a shipped model; the first call imports torch.

    Decoding takes one core from then on. The steps of a sentence are too small to gain from two, and torch's threads
    wait for one another by spinning: beside another busy program they were up to ten times slower than one alone.

    What search has compiled is compiled behind: the first reader of all does not wait for that.
    """
    import torch

    from model.checkpoints.checkpoint import load_model as load_checkpoint
    from model.decoding.fast.background_compile import compile_in_background

    torch.set_num_threads(1)
    compile_in_background()
    model = load_checkpoint(name)
    gc.freeze()  # torch never goes again and models seldom: collecting garbage need not look through them each time
    return model


def _collect_garbage() -> None:
    """Look through what models left behind."""
    gc.unfreeze()
    gc.collect()


def count_parameters(name: str) -> int:
    """How many parameters a model has, as its card says."""
    card = cards.find_card(name)
    return card.parameters if card else 0


def get_identity(name: str) -> str | None:
    """What makes a model the one it is, as its card says now: the checksums of its files and its network, whose wiring
    changes no weight's shape; None where there is no card."""
    card = cards.find_card(name)
    return repr((card.sha256, card.network)) if card else None


def translate_sentence(
    model: Model, text: Normalised, settings: Settings, stopped: StopCallback, edits: Overrides = NO_OVERRIDES
) -> Traces:
    """Translate one sentence with a loaded model: the `settings.n_best` best, the best one first. SearchStopped once
    `stopped` says so."""
    from model.decoding.translate import translate_n_best

    return tuple(translate_n_best(model, text, settings, should_stop=stopped, overrides=edits))


def translate_slice(
    model: Model, sentences: Sequence[Normalised], settings: Settings, stopped: StopCallback
) -> list[Traces | SentenceError]:
    """Translate some sentences together: for each its Traces, or why there are none. SearchStopped once `stopped` says
    so."""
    from model.decoding.translate import prepare_source, translate

    answers: list[Traces | SentenceError] = []
    good: list[Normalised] = []
    for sentence in sentences:
        try:
            prepare_source(model, sentence)
        except SentenceError as error:
            answers.append(error)
        else:
            answers.append(())
            good.append(sentence)
    found = translate(model, good, settings, max(1, len(good)), should_stop=stopped)
    return [answer if isinstance(answer, SentenceError) else tuple(next(found)) for answer in answers]


def fits_slice(sentences: Sequence[str]) -> bool:
    """Whether these are decoded together in about half a second, as a slice of what is to be translated in bulk: at
    most SLICE sentences, and no second one beyond SLICE_CHARACTERS."""
    return len(sentences) <= MAX_SLICE_SENTENCES and sum(map(len, sentences)) <= MAX_SLICE_CHARACTERS


def is_brief(settings: Settings, text: str) -> bool:
    """Whether a question is answered in one go; others have their turn while a longer one is decoded, alone."""
    return len(text) <= MAX_BRIEF_CHARACTERS and len(text) * settings.beam <= MAX_BRIEF_HYPOTHESIS_CHARACTERS


def fits_batch(settings: Settings, sentences: Sequence[str]) -> bool:
    """Whether waiting questions are decoded together: at most TOGETHER hypotheses, and none so long that the first of
    them would wait for it."""
    longest = max(SHORT_CHARACTERS, 2 * len(sentences[0]))
    return len(sentences) * settings.beam <= MAX_BATCH_HYPOTHESES and all(
        len(sentence) <= longest for sentence in sentences
    )


@st.cache_resource(show_spinner=False)
def get_service() -> Service:
    """The one Service of this server."""
    return Service()
