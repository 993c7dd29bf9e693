"""The laboratory: experiments with one sentence and one model."""

import streamlit as st

from pages import guard
from pages.ui.backend import service
from pages.ui.frame import frame
from pages.ui.laboratory import (
    ablation,
    beam,
    console,
    experiment_state,
    forced_decoding,
    saliency,
    sampling,
    vector,
)
from pages.ui.laboratory.context import ExperimentContext, get_lead_html, render_experiment
from pages.ui.url_state import experiments, params
from pages.ui.url_state.state import get_messages, get_param
from pages.ui.widgets import controls, status_line
from pages.ui.widgets.fetch import SentenceInput

RENDERERS = {
    "attention": console.render_console,
    "ablation": ablation.render_ablation,
    "beam": beam.render_beam,
    "forced_decoding": forced_decoding.render_forced_decoding,
    "saliency": saliency.render_saliency,
    "vector": vector.render_vector,
    "sampling": sampling.render_sampling,
}


def main() -> None:
    t = get_messages()
    frame.load_page_styles("laboratory")
    text = controls.draw_sentence_box(t)
    with frame.create_widget_row("experiments", 36):
        name = experiment_state.render_choice(t)
    experiment = experiments.find_experiment(name)
    with frame.create_widget_row("options", 36, "medium"):
        model_name = controls.draw_model_control(params.MODEL, t)
        map_key = controls.draw_map_control(model_name, t)
        settings = (
            controls.draw_search_control(t, model_name) if experiment.uses_search else controls.get_search_settings()
        )
        controls.draw_live_control(t)
        controls.draw_about(t)
        export_container = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with st.container(key="lead"):
        fresh = " data-fresh" if experiment_state.is_switching_experiment(name) else ""
        st.html(f"<p{fresh}>{get_lead_html(experiment, model_name, t)}</p>")
    overrides = get_param(params.OVERRIDES)
    experiment_state.render_carried_overrides(experiment, overrides, t)
    status = status_line.draw_status_line(text, t)
    context = ExperimentContext(
        SentenceInput.from_text(text), model_name, map_key, settings, overrides, t, status, export_container
    )
    with st.container(key="bench", gap=None):
        render_experiment(experiment, RENDERERS[name], context)
    experiment_state.mark_drawn(name)
    service.get_service().prefetch_models(model_name)


guard()
main()
