"""The laboratory: one sentence, one model, and experiments with what the model does."""

import streamlit as st

from pages import guard, pages
from pages.ui.backend import service
from pages.ui.frame import frame
from pages.ui.laboratory import experiment_state
from pages.ui.laboratory.context import ExperimentContext, get_lead_html, render_experiment
from pages.ui.url_state import experiments, links
from pages.ui.url_state.state import carried, messages
from pages.ui.widgets import controls, doubts
from pages.ui.widgets.requests import Typed


def main() -> None:
    t = messages()
    frame.styles("laboratory")
    typed = controls.box(t)
    with frame.line("experiments", 36):
        part = experiment_state.render_choice(t)
    experiment = experiments.of(part)
    with frame.line("options", 36, "medium"):
        name = controls.model(links.MODEL, t)
        key = controls.map_shown(name, t)
        search = controls.search(t) if experiment.searches else links.SEARCHES[carried(links.SEARCH)]
        controls.live(t)
        controls.about(t)
        leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with st.container(key="lead"):
        st.html(f"<p{' data-fresh' if experiment_state.is_first_draw(part) else ''}>{get_lead_html(experiment, name, t)}</p>")
    edits = carried(links.EDITS)
    experiment_state.render_carried_overrides(experiment, edits, t)
    status = doubts.line(typed, t, pages=pages)
    with st.container(key="bench", gap=None):
        render_experiment(experiment, ExperimentContext(Typed.of(typed), name, key, search, edits, t, status, leaving))
    experiment_state.mark_drawn(part)
    service.shared().warm(name)


guard()
main()
