"""The inputs of an experiment: sentence, model, search, overrides, and the way to run measurements."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoints.checkpoint import Model
from model.decoding import Overrides, Settings, StopCallback
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.backend.result_cache import TranslationSet
from pages.ui.escape import escape_markdown
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.laboratory import exports
from pages.ui.url_state import params
from pages.ui.url_state.experiments import Experiment
from pages.ui.widgets.fetch import Request, SentenceInput, set_displayed_map
from pages.ui.widgets.status import Status
from pages.ui.widgets.translations import get_measurement, get_translations, take_placeholder

Result = TypeVar("Result")


@dataclass(frozen=True)
class ExperimentContext:
    """What an experiment works on.

    Attributes:
        map_key: the attention map to show, "" for the first.
        overrides: the reader's overrides for this experiment.
        status: the line for waits and problems.
        export_container: where the download buttons go.
    """

    sentence: SentenceInput
    model_name: str
    map_key: str
    settings: Settings
    overrides: Overrides
    t: Messages
    status: Status
    export_container: DeltaGenerator

    def translate(self, *requests: Request) -> TranslationSet | None:
        """Return the Traces of each request with the chosen map, None if there is nothing to show.

        Also shows why an opened experiment file was refused. Where a link brought a new sentence the page runs once
        more first: from then on the status line reports that models are being loaded.
        """
        if take_placeholder(self.sentence, requests):
            rerun_page()
        traces = get_translations(self.sentence, requests, self.t, self.status)
        if problem := exports.pop_problem(self.t):
            self.status.show_problem(problem)
        return traces and set_displayed_map(traces, self.map_key)

    def measure(self, key: Hashable, compute: Callable[[Model, StopCallback], Result],
                describe_wait: Callable[[], str] | None = None) -> Result | None:
        """Return `get_measurement` with the model. After a second the status line shows `describe_wait()`."""
        describe_wait = describe_wait or (lambda: self.t("laboratory.working"))
        return get_measurement(self.model_name, key, compute, describe_wait, self.t, self.status)

    def with_model_of(self, trace: Trace) -> ExperimentContext:
        """Return the context with the model that made `trace`.

        After a refused request the page still shows an earlier translation, perhaps by another model.
        """
        return replace(self, model_name=trace.provenance.model)


def get_lead_html(experiment: Experiment, model_name: str, t: Messages) -> str:
    """Return the introduction of an experiment; some have another one for models without attention."""
    suffix = "_plain" if experiment.has_plain_lead and not _has_attention(model_name) else ""
    return t.format_html(f"lead.{experiment.name}{suffix}")


def render_experiment(
    experiment: Experiment, render: Callable[[ExperimentContext], None], context: ExperimentContext
) -> None:
    """Draw an experiment by `render`, or offer another model where it needs attention and this one has none."""
    card = cards.find_card(context.model_name)
    if not experiment.needs_attention or card is None or card.main_map is not None:
        render(context)
        return
    t = context.t
    with st.container(key="blind"):
        st.html(f"<p>{t.format_html('laboratory.blind', model=card.title)}</p>")
        other_model = next(filter(_has_attention, cards.list_models_of_same_languages(context.model_name)), "")
        if other_model:
            label = t("laboratory.use", model=escape_markdown(cards.get_title(other_model)))
            st.button(label, key="use-attending", on_click=_select_model, args=(other_model,))


def _has_attention(model_name: str) -> bool:
    card = cards.find_card(model_name)
    return card is not None and card.main_map is not None


def _select_model(model_name: str) -> None:
    st.session_state[params.MODEL.name] = model_name
