"""From the sentence in the box to the two translations that are shown, with patience and clear words in between."""

import logging
from concurrent.futures import Future, wait
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import CheckpointError
from model.search import Settings
from model.search.translate import SentenceError
from model.text.normalise import normalise
from model.trace import Trace
from pages.view import opening, service
from pages.view.escape import markup
from pages.view.words import Words

LIMIT = 2000  # characters in the box
PATIENCE = 1.0  # seconds before a wait is spoken of
TICK = 0.25  # seconds between looks at the queue

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pair:
    """Both models' translations of one sentence; the second may be missing."""

    attended: Trace
    plain: Trace | None


def answer(sentence: str, settings: Settings, say: Words, status: DeltaGenerator) -> Pair | None:
    """The translations to show: those of `sentence` or, where it has none, the ones shown before, and a sentence in
    the status line that says why."""
    pair = None
    if not normalise(sentence):
        problem = say("problem.empty")
    elif len(sentence) > LIMIT:
        problem = say("problem.characters", count=f"{len(sentence):,}", limit=f"{LIMIT:,}")
    else:
        pair, problem = translations(sentence, settings, say, status)
    if problem:
        status.html(f'<p role="alert">{markup(problem)}</p>')
    if pair is not None:
        st.session_state["pair"] = pair
        return pair
    return st.session_state.get("pair") or first()


def before(sentence: str, settings: Settings) -> Pair | None:
    """What to show before `sentence` is translated, where a link opens the page on a sentence that is not shipped:
    once in a session, so that nobody looks at an empty page while the models are being loaded."""
    if "pair" in st.session_state or opening.find(sentence, service.ATTENDED, settings) is not None:
        return None
    st.session_state["pair"] = first()
    return first()


def first() -> Pair | None:
    """The shipped pair that the page opens on."""
    for example in opening.examples():
        if service.ATTENDED in example.traces:
            return Pair(example.traces[service.ATTENDED], example.traces.get(service.PLAIN))
    return None


def translations(sentence: str, settings: Settings, say: Words, status: DeltaGenerator) -> tuple[Pair | None, str]:
    """The pair for `sentence`, shipped or made now, and what went wrong, if anything did ("" otherwise)."""
    shipped = opening.find(sentence, service.ATTENDED, settings)
    if shipped is not None:
        return Pair(shipped, opening.find(sentence, service.PLAIN, settings)), ""
    models = service.shared()
    attended = models.request(service.ATTENDED, sentence, settings)
    plain = models.request(service.PLAIN, sentence, settings)
    attend(models, [attended, plain], say, status)
    made, problem = outcome(attended, service.ATTENDED, say)
    beside, second = outcome(plain, service.PLAIN, say)
    return (Pair(made, beside) if made is not None else None), problem or second


def attend(models: service.Service, futures: list[Future[Trace]], say: Words, status: DeltaGenerator) -> None:
    """Wait for the translations; after a second the status line says what is being waited for. Gives up their places
    in the queue when the reader asks for something else meanwhile, which ends this run at its next message."""
    try:
        waiting = wait(futures, PATIENCE).not_done
        while waiting:
            if not models.ready(service.ATTENDED, service.PLAIN):
                notice = say("status.loading")
            elif not any(future.running() for future in futures):
                notice = say("status.queue")
            else:
                notice = say("status.working")
            status.html(f'<p role="status">{markup(notice)}</p>')
            waiting = wait(futures, TICK).not_done
        status.empty()
    finally:
        for future in futures:
            future.cancel()


def outcome(future: Future[Trace], name: str, say: Words) -> tuple[Trace | None, str]:
    """The Trace, or None and one sentence that says why there is none."""
    error = future.exception()
    if error is None:
        return future.result(), ""
    if isinstance(error, CheckpointError):
        return None, say("problem.model", name=name, reason=error)
    if isinstance(error, SentenceError):
        return None, say(f"problem.{error.kind}", count=f"{error.got:,}", limit=f"{error.limit:,}")
    _log.error("translating with %s", name, exc_info=error)
    return None, say("problem.inside")
