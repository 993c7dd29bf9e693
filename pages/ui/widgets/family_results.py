"""What each model of the family made of one sentence: translations first, then gradients.

A run of the page draws the results there are, waits for one more and runs again, so that no answer waits for the
slowest model. Loaded models come first: one thread does all decoding of a server, and other readers' requests come in
between.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from model.analysis.attribution.gradient_record import Gradients, GradientsError
from model.analysis.attribution.gradients import measure_gradients
from model.decoding import Settings, StopCallback
from model.text.normalise import NormalisedText
from model.trace import Trace
from pages.ui.backend import cards, service
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params, state
from pages.ui.widgets.fetch import Request, SentenceInput, find_available
from pages.ui.widgets.status import Status
from pages.ui.widgets.translations import describe_error, describe_invalid_sentence, translate, wait_for

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

TIME_BUDGET = 1.0  # seconds that loaded models may take before the page is drawn again

_RESULTS = "family-shown"  # session key of the results on the screen


@dataclass(frozen=True)
class FamilyResults:
    """A sentence with its search settings, and the results so far by model name.

    A model without a trace has a sentence in `problems` that says why. `gradients` holds such sentences too.
    `language` is the language of these sentences.
    """

    text: NormalisedText
    search: Settings
    language: str
    traces: dict[str, Trace] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    gradients: dict[str, Gradients | str] = field(default_factory=dict)

    def without_failures(self, language: str) -> FamilyResults:
        """Return these results without the sentences about failures, so that each request is tried again."""
        gradients: dict[str, Gradients | str] = {
            name: value for name, value in self.gradients.items() if isinstance(value, Gradients)
        }
        return FamilyResults(self.text, self.search, language, self.traces, {}, gradients)

    def list_pending_models(self, members: Sequence[str]) -> list[str]:
        """Return the models that have not answered, loaded ones first."""
        names = [name for name in members if name not in self.traces and name not in self.problems]
        return sorted(names, key=lambda name: not service.get_service().is_loaded(name))


def start_translations(
    sentence: SentenceInput, members: Sequence[str], search: Settings, t: Messages, status: Status
) -> FamilyResults:
    """Return cached and shipped translations of `sentence`, and those that loaded models make within TIME_BUDGET.

    If the sentence cannot be translated, `status` says why and the previous results stay.
    """
    results: FamilyResults | None = st.session_state.get(_RESULTS)
    is_submitted = bool(st.session_state.pop(state.SUBMITTED_KEY, False))  # perhaps the same sentence once more
    problem = describe_invalid_sentence(sentence, params.get_source_language(), t)
    if problem:
        status.show_problem(problem)
        if results is not None:
            status.mark_previous(results.text, t)
        return results or FamilyResults(NormalisedText(""), search, t.language)
    if results is None or (results.text, results.search) != (sentence.text, search):
        results = FamilyResults(sentence.text, search, t.language)
    elif results.language != t.language or is_submitted:
        results = results.without_failures(t.language)
    for name in results.list_pending_models(members):
        if available := find_available(results.text, Request(name, results.search)):
            results.traces[name] = available[0]
    deadline = time.monotonic() + TIME_BUDGET
    for name in results.list_pending_models(members):
        if time.monotonic() > deadline or not service.get_service().is_loaded(name):
            break
        _translate(results, name, t, status)
    st.session_state[_RESULTS] = results
    state.record_fingerprints(results.traces[name].provenance.fingerprint for name in members if name in results.traces)
    return results


def translate_next(results: FamilyResults, members: Sequence[str], t: Messages, status: Status) -> bool:
    """Wait for the next model that has not answered; return whether there was one."""
    pending_models = results.list_pending_models(members) if results.text else []
    if pending_models:
        _translate(results, pending_models[0], t, status)
    return bool(pending_models)


def compute_next_gradients(results: FamilyResults, members: Sequence[str], t: Messages, status: Status) -> bool:
    """Compute gradients of further translations until TIME_BUDGET is over; return whether there was one to do."""
    deadline = time.monotonic() + TIME_BUDGET
    pending_models = [name for name in members if name in results.traces and name not in results.gradients]
    for name in pending_models:
        results.gradients[name] = _compute_gradients(name, results.traces[name], t, status)
        if time.monotonic() > deadline:
            break
    return bool(pending_models)


def _translate(results: FamilyResults, name: str, t: Messages, status: Status) -> None:
    answers, problem = translate(results.text, [Request(name, results.search)], t, status)
    if answers is None:
        results.problems[name] = problem
    else:
        results.traces[name] = answers[0][0]


def _compute_gradients(name: str, trace: Trace, t: Messages, status: Status) -> Gradients | str:
    """Return the gradients, or a sentence that says why there are none. Other readers' single sentences go first."""
    progress: list[float] = []  # appended to by the worker thread, unless another reader's task has the same result

    def describe_wait() -> str:
        if not progress:
            return t("laboratory.working") if future.running() else t("status.queue")
        return t("gradients.working", model=cards.get_title(name), share=round(100 * progress[-1]))

    def measure(model: Model, should_stop: StopCallback) -> Gradients:
        return measure_gradients(model, trace, progress.append, should_stop)

    key = ("gradients", trace.source.text, tuple(step.id for step in trace.steps))
    future = service.get_service().measure(name, key, measure, state.get_reader_id(), is_bulk=True)
    wait_for([future], describe_wait, status)
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, GradientsError):
        if error.kind == "long":
            return t("gradients.long", count=error.got, limit=error.limit)
        return t("gradients.unknown")
    return describe_error(error, name, t)
