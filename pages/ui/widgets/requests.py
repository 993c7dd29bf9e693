"""From the sentence in the box to the translations that are shown, with patience and clear words in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from model.analysis.attribution.saliency_record import SaliencyError
from model.analysis.probing.similarity import VectorError
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import NO_OVERRIDES, OverrideError, Overrides, Settings
from model.decoding.translate import SentenceError
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import Normalised, normalise
from model.trace import Trace, select_displayable_maps
from pages.ui.backend import cards, service, shipped_traces
from pages.ui.backend.result_cache import TranslationSet, recall_translations, store_translations
from pages.ui.backend.service import Traces
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params, state
from pages.ui.url_state.params import MAX_CHARACTERS
from pages.ui.widgets.status import Status

WAIT_NOTICE_AFTER = 1.0  # seconds before a wait is spoken of
FIRST_POLL_SECONDS = 0.1  # seconds between the first looks at the queue, and at whether the reader has gone on
MAX_POLL_SECONDS = 0.5  # the looks become rarer: of a hundred who wait they took as long as their translations

_ONCE = "shown-once"  # where it is noted that this session has been shown something
_UNFIT = "edits-unfit"  # where it is noted that the changes do not fit
_OPENING = "opening-shown"  # where it is noted that the opening stands in the place of another sentence


@dataclass(frozen=True)
class Request:
    """One model's translation that a page needs, how it is to be searched for, and what the reader changed in it."""

    model: str
    settings: Settings
    edits: Overrides = NO_OVERRIDES


@dataclass(frozen=True)
class SentenceInput:
    """What stands in the box: as it was typed, and in canonical form."""

    given: str
    text: Normalised

    @classmethod
    def of(cls, given: str) -> SentenceInput:
        """The one place where a typed sentence is normalised, once a run: everything after trusts it."""
        return cls(given, normalise(given[: MAX_CHARACTERS + 1]))  # of a longer one nothing is translated


def build_sentence_param(text: str) -> dict[str, str]:
    """What a link says so that it opens a sentence that is shown: as it stands in the box where it is that one, for its
    canonical form may be longer than a link carries; nothing where it is too long."""
    typed = str(st.session_state.get(params.SENTENCE.name) or "")
    said = typed if normalise(typed) == text else text
    return {} if params.SENTENCE.value_type.format(said) is None else {params.SENTENCE.name: said}


def get_translations(
    sentence: SentenceInput, requests: Sequence[Request], t: Messages, status: Status
) -> TranslationSet | None:
    """What to show: the translations of `sentence`, one entry for each request, the first one never empty.

    Where the first request could not be granted it is what this page showed before, or the opening: `status` says in a
    sentence why, and that what is shown is of before. None where there is nothing at all to show."""
    shown = None
    if not sentence.text:
        told = describe_sentence_error("empty", 0, 0, _source(requests), t)
    elif len(sentence.given) > MAX_CHARACTERS:
        told = describe_sentence_error("characters", len(sentence.given), MAX_CHARACTERS, _source(requests), t)
    else:
        shown, told = translations(sentence.text, requests, t, status)
        if st.session_state.pop(_UNFIT, False):  # the changes fit another sentence, or none
            state.reset_params(params.OVERRIDES)
            if shown is None:
                plain = [replace(one, edits=NO_OVERRIDES) for one in requests]
                shown, failed = translations(sentence.text, plain, t, status)
                told = failed if shown is None else told
    st.session_state.pop(_OPENING, None)
    if told:
        status.tell(told)
    elif shown is not None:
        state.record_fingerprints(traces[0].made_by.fingerprint for traces in shown if traces)
    if shown is not None:
        _remember(requests, shown)
        return shown
    previous = _remembered(requests) or find_shipped_translations(requests)
    if previous is not None:
        trace = previous[0][0]
        status.mark_previous(trace.source.text, t, cards.get_title(trace.made_by.model))
    return previous


def _remember(requests: Sequence[Request], shown: TranslationSet) -> None:
    """Note what is shown, for a request that is refused."""
    st.session_state[_ONCE], st.session_state[_place(requests)] = True, store_translations(shown)


def _remembered(requests: Sequence[Request]) -> TranslationSet | None:
    """What this page showed last for such requests; None where it showed nothing, or where that is gone."""
    return recall_translations(st.session_state.get(_place(requests)))


@contextmanager
def prefetch(sentence: SentenceInput, requests: Sequence[Request]) -> Iterator[None]:
    """Have what stands in the box translated while the page is drawn down to its translations, by the `requests` of
    the run before: a reader who has pressed Enter has changed the sentence alone. `answer` joins what was asked here;
    where it asks for something else, nobody waits for this."""
    models, text = service.get_service(), sentence.text
    fit = bool(text) and len(sentence.given) <= MAX_CHARACTERS
    asked = [models.request(one.model, text, one.settings, state.get_reader_id(), one.edits)
             for one in requests if fit and _shipped(text, one) is None]  # fmt: skip
    try:
        yield
    finally:
        for future in asked:
            future.cancel()


def set_displayed_map(answer: TranslationSet, key: str) -> TranslationSet:
    """The same translations, seen by the map of that key where their model makes it."""
    return tuple(tuple(select_trace_map(trace, key) for trace in traces) for traces in answer)


def select_trace_map(trace: Trace, key: str) -> Trace:
    """The same translation, seen by the map of that key where its model makes it."""
    has = any(one.key == key for one in select_displayable_maps(one.description for one in trace.maps))
    return replace(trace, shown=key) if has and trace.shown != key else trace


def get_placeholder(sentence: SentenceInput, requests: Sequence[Request]) -> TranslationSet | None:
    """What to show before `sentence` is translated, where a link opens the app on a sentence that is not shipped: once
    in a session, so that nobody looks at an empty page while the models are being loaded."""
    if st.session_state.get(_ONCE) or _shipped(sentence.text, requests[0]) is not None:
        return None
    st.session_state[_ONCE] = st.session_state[_OPENING] = True
    return find_shipped_translations(requests)


def find_shipped_translations(requests: Sequence[Request]) -> TranslationSet | None:
    """The shipped translations that a page opens on: of the first sentence that the first request's model has one of,
    made with the request's kind of detail."""
    for example in shipped_traces.load_examples():
        simple = [Request(request.model, _simplest(request.settings)) for request in requests]
        shown = tuple(_shipped(example.sentence, request) or () for request in simple)
        if shown[0]:
            return shown
    return None


def _simplest(settings: Settings) -> Settings:
    """The search that the shipped translations were made with, in as much detail as `settings` asks for."""
    return Settings(detail=settings.detail)


def _source(requests: Sequence[Request]) -> str:
    """The language that the first request's model reads."""
    return (cards.get_languages(requests[0].model) or DEFAULT_PAIR)[0]


def _place(requests: Sequence[Request]) -> str:
    """Where the session keeps what was shown last for requests of this shape: the language they read, so many models,
    and which of the requests have changes."""
    models = len({request.model for request in requests})
    changed = "".join("+" if request.edits else "-" for request in requests)
    return f"shown-{_source(requests)}-{changed}-{models}-{requests[0].settings.detail}"


def _shipped(text: Normalised, request: Request) -> Traces | None:
    asked = (text, request.model, request.settings, cards.get_fingerprint(request.model))
    found = None if request.edits else shipped_traces.find_trace(*asked)
    return None if found is None else (found,)


def translations(
    text: Normalised, requests: Sequence[Request], t: Messages, status: Status
) -> tuple[TranslationSet | None, str]:
    """What each request is answered with, shipped or made now, and what went wrong, if anything did ("" otherwise).
    None in place of the answer where the first request could not be granted."""
    models = service.get_service()
    shipped = [_shipped(text, request) for request in requests]
    asked = {
        place: models.request(request.model, text, request.settings, state.get_reader_id(), request.edits)
        for place, request in enumerate(requests)
        if shipped[place] is None
    }
    attend(models, requests, list(asked.values()), t, status)
    made: list[Traces] = []
    problems: list[str] = []
    for place, request in enumerate(requests):
        found = asked.get(place)
        traces, told = (shipped[place] or (), "") if found is None else outcome(found, request.model, t)
        made.append(traces)
        problems.append(told)
    return tuple(made) if made[0] else None, next(filter(None, problems), "")


def attend(
    models: service.Service,
    requests: Sequence[Request],
    futures: list[Future[Traces]],
    t: Messages,
    status: Status,
) -> None:
    """Wait for the translations; after a second the status line says what is being waited for."""
    names = [request.model for request in requests]

    def notice() -> str:
        if not models.ready(*names):
            return t("status.loading")
        return t("status.working") if any(future.running() for future in futures) else t("status.queue")

    wait_for(futures, notice, status)


def wait_for(futures: Sequence[Future[Any]], notice: Callable[[], str], status: Status) -> None:
    """Wait for what was asked of the service; after a second the status line shows `notice`, which is asked anew every
    half second, and is empty again at the end. Where the opening stands below meanwhile, the line speaks at once.

    When the reader asks for something else or leaves, this run ends at its next message to the browser, hence here:
    the places in the queue are given up then, and what is being decoded for nobody else is stopped.
    """
    silent_until = time.monotonic() + (0.0 if st.session_state.get(_OPENING) else WAIT_NOTICE_AFTER)
    tick = FIRST_POLL_SECONDS
    try:
        while wait(futures, tick).not_done:
            tick = min(1.5 * tick, MAX_POLL_SECONDS)
            if time.monotonic() < silent_until:
                status.clear()
            else:
                status.wait(notice())
        status.clear()
    finally:
        for future in futures:
            future.cancel()


def outcome(future: Future[Traces], name: str, t: Messages) -> tuple[Traces, str]:
    """The Traces, or none and one sentence that says why there are none."""
    error = future.exception()
    if error is None:
        return future.result(), ""
    reason = describe_error(error, name, t)
    if isinstance(error, OverrideError) or (isinstance(error, SentenceError) and error.kind == "prefix"):
        st.session_state[_UNFIT] = True  # so that the page goes on without them
        return (), t("problem.edits", reason=reason)
    return (), reason


def describe_error(error: BaseException, name: str, t: Messages) -> str:
    """Say in one sentence why the model `name` gave no answer, and what to do. The service has logged the error
    already, where it is more than a question that can't be answered."""
    if isinstance(error, CheckpointError):
        return t("problem.model", name=name, reason=error)
    if isinstance(error, SentenceError):
        return describe_sentence_error(
            error.kind, error.size, error.limit, (cards.get_languages(name) or DEFAULT_PAIR)[0], t
        )
    if isinstance(error, OverrideError | SaliencyError | VectorError):
        return str(error)
    if isinstance(error, MemoryError):
        return t("problem.memory", model=cards.get_title(name))
    return t("problem.inside", model=cards.get_title(name))


def describe_sentence_error(kind: str, got: int, limit: int, language: str, t: Messages) -> str:
    """What a SentenceError says, in the interface's language; `language` is the one that the model reads."""
    return t(f"problem.{kind}", count=f"{got:,}", limit=f"{limit:,}", language=t.name_language(language))
