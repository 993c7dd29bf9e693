"""From the sentence in the box to the translations that are shown, with patience and clear words in between."""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import CheckpointError
from model.search import Settings
from model.search.translate import SentenceError
from model.text.normalise import normalise
from pages.view.service import opening, service
from pages.view.service.service import Traces
from pages.view.shell import state
from pages.view.shell.escape import markup
from pages.view.shell.messages import Words

LIMIT = 2000  # characters in the box
PATIENCE = 1.0  # seconds before a wait is spoken of
TICK = 0.1  # seconds between looks at the queue, and at whether the reader has gone on

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Wish:
    """One model's translation that a page needs, and how it is to be searched for."""

    model: str
    settings: Settings


Answer = tuple[Traces, ...]
"""What each wish was answered with: the n best Traces, or () where that model could give none."""


def answer(sentence: str, wishes: Sequence[Wish], say: Words, status: DeltaGenerator) -> Answer | None:
    """What to show: the translations of `sentence`, one entry for each wish, the first one never empty. Where the first
    wish could not be granted it is what this page showed before, or the opening, and `status` says in a sentence why;
    None where there is nothing at all to show."""
    shown = None
    if not normalise(sentence):
        problem = say("problem.empty")
    elif len(sentence) > LIMIT:
        problem = say("problem.characters", count=f"{len(sentence):,}", limit=f"{LIMIT:,}")
    else:
        shown, problem = translations(sentence, wishes, say, status)
    if problem:
        status.html(f'<p role="alert">{markup(problem)}</p>')
    elif shown is not None:
        state.note_weights(traces[0].made_by.fingerprint for traces in shown if traces)
    if shown is not None:
        st.session_state[_place(wishes)] = shown
        return shown
    return st.session_state.get(_place(wishes)) or first(wishes)


def before(sentence: str, wishes: Sequence[Wish]) -> Answer | None:
    """What to show before `sentence` is translated, where a link opens the page on a sentence that is not shipped:
    once in a session, so that nobody looks at an empty page while the models are being loaded."""
    if _place(wishes) in st.session_state or _shipped(sentence, wishes[0]) is not None:
        return None
    st.session_state[_place(wishes)] = first(wishes)
    return first(wishes)


def first(wishes: Sequence[Wish]) -> Answer | None:
    """The shipped translations that a page opens on: of the first sentence that the first wish's model has one of,
    made with the wish's kind of detail."""
    for example in opening.examples():
        shown = tuple(_shipped(example.sentence, Wish(wish.model, _simplest(wish.settings))) or () for wish in wishes)
        if shown[0]:
            return shown
    return None


def _simplest(settings: Settings) -> Settings:
    """The search that the shipped translations were made with, in as much detail as `settings` asks for."""
    return Settings(detail=settings.detail)


def _place(wishes: Sequence[Wish]) -> str:
    """Where the session keeps what was shown last for wishes of this shape."""
    return f"shown-{len(wishes)}-{wishes[0].settings.detail}"


def _shipped(sentence: str, wish: Wish) -> Traces | None:
    found = opening.find(sentence, wish.model, wish.settings)
    return None if found is None else (found,)


def translations(
    sentence: str, wishes: Sequence[Wish], say: Words, status: DeltaGenerator
) -> tuple[Answer | None, str]:
    """What each wish is answered with, shipped or made now, and what went wrong, if anything did ("" otherwise). None
    in place of the answer where the first wish could not be granted."""
    models = service.shared()
    shipped = [_shipped(sentence, wish) for wish in wishes]
    asked = {
        place: models.request(wish.model, sentence, wish.settings, state.reader())
        for place, wish in enumerate(wishes)
        if shipped[place] is None
    }
    attend(models, wishes, list(asked.values()), say, status)
    made: list[Traces] = []
    problems: list[str] = []
    for place, wish in enumerate(wishes):
        traces, problem = (shipped[place] or (), "") if place not in asked else outcome(asked[place], wish.model, say)
        made.append(traces)
        problems.append(problem)
    return tuple(made) if made[0] else None, next(filter(None, problems), "")


def attend(
    models: service.Service, wishes: Sequence[Wish], futures: list[Future[Traces]], say: Words, status: DeltaGenerator
) -> None:
    """Wait for the translations; after a second the status line says what is being waited for."""
    names = [wish.model for wish in wishes]

    def notice() -> str:
        if not models.ready(*names):
            return say("status.loading")
        return say("status.working") if any(future.running() for future in futures) else say("status.queue")

    hold(futures, notice, status)


def hold(futures: Sequence[Future[Any]], notice: Callable[[], str], status: DeltaGenerator) -> None:
    """Wait for what was asked of the service; after a second the status line shows `notice`, which is asked anew ten
    times a second, and is empty again at the end.

    When the reader asks for something else or leaves, this run ends at its next message to the browser, hence here:
    the places in the queue are given up then, and what is being decoded for nobody else is stopped.
    """
    patience = time.monotonic() + PATIENCE
    try:
        while wait(futures, TICK).not_done:
            if time.monotonic() < patience:
                status.empty()
            else:
                status.html(f'<p role="status">{markup(notice())}</p>')
        status.empty()
    finally:
        for future in futures:
            future.cancel()


def outcome(future: Future[Traces], name: str, say: Words) -> tuple[Traces, str]:
    """The Traces, or none and one sentence that says why there are none."""
    error = future.exception()
    if error is None:
        return future.result(), ""
    if isinstance(error, CheckpointError):
        return (), say("problem.model", name=name, reason=error)
    if isinstance(error, SentenceError):
        return (), say(f"problem.{error.kind}", count=f"{error.got:,}", limit=f"{error.limit:,}")
    _log.error("translating with %s", name, exc_info=error)
    return (), say("problem.inside")
