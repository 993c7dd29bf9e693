"""One sentence asked of many models: each answer is shown as soon as it is there, nothing waits for the slowest.

A run of the page draws what there is, waits for one more, and runs again. The models are asked one after the other,
those that are loaded first: one thread does all of a server's decoding, and other readers come in between.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import streamlit as st

from model.analysis.attribution.gradient_record import Gradients
from model.decoding import Settings
from model.text.normalise import Normalised
from model.trace import Trace
from pages.ui.backend import cards, opening, service
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import links, state
from pages.ui.url_state.links import LIMIT
from pages.ui.widgets.requests import Request, Typed, translations
from pages.ui.widgets.status import Status

TIME_BUDGET = 1.0  # seconds in which models that are loaded answer before anything is drawn anew

_SHOWN = "family-shown"  # where the session keeps what is shown


@dataclass(frozen=True)
class FamilyResults:
    """A sentence, how it is searched for, and what each model made of it so far, by the models' names: a Trace, or the
    sentence that says why there is none; then the gradients of that, or the sentence that says why not. `language`: in
    which these sentences are."""

    text: Normalised
    search: Settings
    language: str
    traces: dict[str, Trace] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    gradients: dict[str, Gradients | str] = field(default_factory=dict)

    def with_language(self, language: str) -> FamilyResults:
        """The same for a reader who turned to another language: what could not be done is asked for again."""
        made: dict[str, Gradients | str] = {
            name: found for name, found in self.gradients.items() if isinstance(found, Gradients)
        }
        return FamilyResults(self.text, self.search, language, self.traces, {}, made)

    def pending_models(self, members: Sequence[str]) -> Iterator[str]:
        """Those of the models that have not answered, the loaded ones first."""
        models = service.shared()
        waiting = [name for name in members if name not in self.traces and name not in self.problems]
        yield from sorted(waiting, key=lambda name: not models.ready(name))


def start_translations(
    sentence: Typed, members: Sequence[str], search: Settings, t: Messages, status: Status
) -> FamilyResults:
    """What is to be shown of `sentence`: what is at hand, and what the loaded models make of it within AT_ONCE. Of a
    sentence that can't be translated `status` says why, and the one before stays."""
    shown: FamilyResults | None = st.session_state.get(_SHOWN)
    problem = _problem(sentence, t)
    if problem:
        status.tell(problem)
        if shown is not None:
            status.mark_previous(shown.text, t)
        return shown or FamilyResults(Normalised(""), search, t.language)
    if shown is None or (shown.text, shown.search) != (sentence.text, search):
        shown = FamilyResults(sentence.text, search, t.language)
    elif shown.language != t.language:
        shown = shown.with_language(t.language)
    for name in shown.pending_models(members):
        _recall(shown, name)
    until = time.monotonic() + TIME_BUDGET
    for name in shown.pending_models(members):
        if time.monotonic() > until or not service.shared().ready(name):
            break
        _ask(shown, name, t, status)
    st.session_state[_SHOWN] = shown
    state.note_weights(shown.traces[name].made_by.fingerprint for name in members if name in shown.traces)
    return shown


def translate_next(asked: FamilyResults, members: Sequence[str], t: Messages, status: Status) -> bool:
    """Wait for the next of the models that have not answered; whether there was one."""
    name = next(asked.pending_models(members), None) if asked.text else None
    if name is None:
        return False
    _ask(asked, name, t, status)
    return True


def _problem(sentence: Typed, t: Messages) -> str:
    if not sentence.text:
        return t("problem.empty", language=t.tongue(links.source_language()))
    if len(sentence.given) > LIMIT:
        return t("problem.characters", count=f"{len(sentence.given):,}", limit=f"{LIMIT:,}")
    return ""


def _recall(asked: FamilyResults, name: str) -> None:
    """Take what is shipped, or was made before."""
    shipped = opening.find(asked.text, name, asked.search, cards.fingerprint(name))
    kept = service.shared().kept(name, asked.text, asked.search) if shipped is None else (shipped,)
    if kept:
        asked.traces[name] = kept[0]


def _ask(asked: FamilyResults, name: str, t: Messages, status: Status) -> None:
    made, problem = translations(asked.text, [Request(name, asked.search)], t, status)
    if made is None:
        asked.problems[name] = problem
    else:
        asked.traces[name] = made[0][0]
