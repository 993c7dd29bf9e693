"""Show translations to the reader: the wait, errors, a placeholder, and the previous translation after an error."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from model.analysis.attribution.saliency_record import SaliencyError
from model.analysis.probing.similarity import VectorError
from model.checkpoints.checkpoint import CheckpointError, Model
from model.decoding import NO_OVERRIDES, OverrideError, StopCallback
from model.decoding.translate import SentenceError
from model.text.normalise import NormalisedText
from pages.ui.backend import cards, service
from pages.ui.backend.result_cache import TranslationSet, recall_translations, store_translations
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params, state
from pages.ui.url_state.params import MAX_CHARACTERS
from pages.ui.widgets.fetch import (
    Request,
    SentenceInput,
    StartedRequests,
    find_opening_translations,
    find_shipped,
    start_request,
)
from pages.ui.widgets.status import Status

Result = TypeVar("Result")

WAIT_NOTICE_AFTER = 1.0  # seconds before the status line says what is waited for
FIRST_POLL_SECONDS = 0.1  # between polls of the queue; each also notices that the reader has left
MAX_POLL_SECONDS = 0.5  # the interval grows: frequent polls by a hundred readers cost as much as their translations

_OPENED_KEY = "has-displayed-translations"  # session key: translations have been displayed
_PLACEHOLDER_KEY = "is-placeholder-displayed"  # session key: a placeholder is displayed


def take_placeholder(sentence: SentenceInput, requests: Sequence[Request]) -> TranslationSet | None:
    """Return shipped translations to display while the first sentence of a session is translated, so that no page is
    empty while models are loaded. None if the sentence itself is shipped, and later in the session."""
    if st.session_state.get(_OPENED_KEY) or find_shipped(sentence.text, requests[0]) is not None:
        return None
    st.session_state[_OPENED_KEY] = st.session_state[_PLACEHOLDER_KEY] = True
    return find_opening_translations(requests)


def get_translations(
    sentence: SentenceInput,
    requests: Sequence[Request],
    t: Messages,
    status: Status,
    started_requests: StartedRequests | None = None,
) -> TranslationSet | None:
    """Return the translations to display, an entry for each request, the first one never empty.

    If the first request fails these are the page's previous translations, or shipped ones, and `status` says why. If
    the overrides do not fit the sentence they are dropped. None if there is nothing to display.
    """
    translations = None
    problem = describe_invalid_sentence(sentence, _get_language(requests[0].model), t)
    if not problem:
        translations, errors = _translate(sentence.text, requests, t, status, started_requests or {})
        problem = _describe_first(errors, requests, t)
        if any(map(_is_override_error, errors)):
            state.reset_params(params.OVERRIDES)
            if translations is None:
                plain_requests = [replace(request, overrides=NO_OVERRIDES) for request in requests]
                translations, errors = _translate(sentence.text, plain_requests, t, status, {})
                problem = problem if translations else _describe_first(errors, plain_requests, t)
    st.session_state.pop(_PLACEHOLDER_KEY, None)
    if problem:
        status.show_problem(problem)
    elif translations is not None:
        state.record_fingerprints(traces[0].provenance.fingerprint for traces in translations if traces)
    if translations is not None:
        store_displayed(requests, translations)
        return translations
    previous = recall_displayed(requests) or find_opening_translations(requests)
    if previous is not None:
        trace = previous[0][0]
        status.mark_previous(trace.source.text, t, cards.get_title(trace.provenance.model))
    return previous


def translate(
    text: NormalisedText, requests: Sequence[Request], t: Messages, status: Status
) -> tuple[TranslationSet | None, str]:
    """Wait for the translations of `text`; return them, None if the first request fails, and a sentence about the first
    error, "" without one."""
    translations, errors = _translate(text, requests, t, status, {})
    return translations, _describe_first(errors, requests, t)


def _translate(
    text: NormalisedText, requests: Sequence[Request], t: Messages, status: Status, started_requests: StartedRequests
) -> tuple[TranslationSet | None, list[BaseException | None]]:
    futures = [started_requests.get((text, request)) or start_request(text, request) for request in requests]
    names = [request.model for request in requests]

    def describe_wait() -> str:
        if not service.get_service().is_loaded(*names):
            return t("status.loading")
        return t("status.working") if any(future.running() for future in futures) else t("status.queue")

    wait_for(futures, describe_wait, status)
    errors = [future.exception() for future in futures]
    translations = tuple(() if error else future.result() for future, error in zip(futures, errors, strict=True))
    return translations if translations[0] else None, errors


def get_measurement(
    model_name: str, key: Hashable, compute: Callable[[Model, StopCallback], Result], describe_wait: Callable[[], str],
    t: Messages, status: Status,
) -> Result | None:  # fmt: skip
    """Run `compute` with a model in the queue and return its result; None after a failure, which `status` explains.

    The result is cached under `key`, which must name everything it depends on except the model.
    """
    future = service.get_service().measure(model_name, key, compute, state.get_reader_id())
    wait_for([future], describe_wait, status)
    error = future.exception()
    if error is None:
        return future.result()
    status.show_problem(describe_error(error, model_name, t))
    return None


def wait_for(futures: Sequence[Future[Any]], describe_wait: Callable[[], str], status: Status) -> None:
    """Wait for the service. After a second, or at once over a placeholder, the status line shows `describe_wait()`.

    If the reader asks for something else or leaves, Streamlit ends this run at its next message to the browser, hence
    within this loop. The places in the queue are then given up, and what nobody else waits for is stopped.
    """
    silent_until = time.monotonic() + (0.0 if st.session_state.get(_PLACEHOLDER_KEY) else WAIT_NOTICE_AFTER)
    interval = FIRST_POLL_SECONDS
    try:
        while wait(futures, interval).not_done:
            interval = min(1.5 * interval, MAX_POLL_SECONDS)
            if time.monotonic() < silent_until:
                status.clear_waiting()
            else:
                status.show_waiting(describe_wait())
        status.clear_waiting()
    finally:
        for future in futures:
            future.cancel()


def describe_invalid_sentence(sentence: SentenceInput, language: str, t: Messages) -> str:
    """Say why a sentence cannot be translated from `language`: it is empty or too long; "" if it can."""
    if not sentence.text:
        return describe_sentence_error("empty", 0, 0, language, t)
    if len(sentence.typed_text) > MAX_CHARACTERS:
        return describe_sentence_error("characters", len(sentence.typed_text), MAX_CHARACTERS, language, t)
    return ""


def describe_error(error: BaseException, model_name: str, t: Messages) -> str:
    """Say in one sentence why a model gave no answer, and what to do. The service has logged real failures."""
    if isinstance(error, CheckpointError):
        return t("problem.model", name=model_name, reason=error)
    if isinstance(error, SentenceError):
        return describe_sentence_error(error.kind, error.size, error.limit, _get_language(model_name), t)
    if isinstance(error, OverrideError | SaliencyError | VectorError):
        return _describe_refusal(error, model_name, t)
    if isinstance(error, MemoryError):
        return t("problem.memory", model=cards.get_title(model_name))
    return t("problem.inside", model=cards.get_title(model_name))


def _describe_refusal(error: OverrideError | SaliencyError | VectorError, model_name: str, t: Messages) -> str:
    """Return the message of an error, which is in English, with the model's title; in other languages a sentence for
    all of its type."""
    model = cards.get_title(model_name)
    if t.language == "en":
        return str(error).replace(model_name, model)
    if isinstance(error, OverrideError):
        return t("problem.unfit_edits", model=model)
    return t("problem.unfit_saliency" if isinstance(error, SaliencyError) else "problem.unfit_vector", model=model)


def describe_sentence_error(kind: str, size: int, limit: int, language: str, t: Messages) -> str:
    """Return the message of a SentenceError in the language of the interface; `language` is the model's source."""
    return t(f"problem.{kind}", count=f"{size:,}", limit=f"{limit:,}", language=t.name_language(language))


def _describe_first(errors: Sequence[BaseException | None], requests: Sequence[Request], t: Messages) -> str:
    """Describe the first error; "" if there is none."""
    for error, request in zip(errors, requests, strict=True):
        if error is not None:
            reason = describe_error(error, request.model, t)
            return t("problem.edits", reason=reason) if _is_override_error(error) else reason
    return ""


def _is_override_error(error: BaseException | None) -> bool:
    """Return whether overrides do not fit the model or the sentence."""
    return isinstance(error, OverrideError) or (isinstance(error, SentenceError) and error.kind == "prefix")


def _get_language(model_name: str) -> str:
    return cards.find_languages([model_name])[0]


def store_displayed(requests: Sequence[Request], translations: TranslationSet) -> None:
    """Keep what is displayed, for a request that fails."""
    st.session_state[_OPENED_KEY] = True
    st.session_state[_get_displayed_key(requests)] = store_translations(translations)


def recall_displayed(requests: Sequence[Request]) -> TranslationSet | None:
    """Return what this page displayed last for such requests; None if there is nothing or it is no longer cached."""
    return recall_translations(st.session_state.get(_get_displayed_key(requests)))


def _get_displayed_key(requests: Sequence[Request]) -> str:
    """Return the session key of what was displayed for requests with this source language, number of models, detail and
    pattern of overrides."""
    num_models = len({request.model for request in requests})
    overridden = "".join("+" if request.overrides else "-" for request in requests)
    pair, detail = cards.get_pair(requests[0].model), requests[0].settings.detail
    return f"shown-{pair}-{overridden}-{num_models}-{detail}"
