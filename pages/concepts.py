"""Concepts: one idea at a time, each with a picture of the sentence in the box and a control to change it."""

import streamlit as st

from pages import guard
from pages.ui.concepts import (
    bidirectional,
    bottleneck,
    copying,
    costs,
    coverage,
    exercise,
    gates,
    input_feeding,
    layers,
    local_attention,
    next_token,
    outlook,
    positions,
    retrieval,
    scaling,
    scores,
    self_attention,
    tanh_rnn,
    teacher_forcing,
    word_order,
)
from pages.ui.concepts.context import IdeaContext
from pages.ui.frame import frame
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import get_messages
from pages.ui.widgets import controls, status_line
from pages.ui.widgets.fetch import SentenceInput

RENDERERS = {
    "bottleneck": bottleneck.render_bottleneck,
    "bidirectional": bidirectional.render_bidirectional,
    "gates": gates.render_gates,
    "gradients": tanh_rnn.render_gradients_idea,
    "retrieval": retrieval.render_retrieval,
    "scores": scores.render_scores,
    "word_order": word_order.render_word_order,
    "windows": local_attention.render_local_attention,
    "feeding": input_feeding.render_input_feeding,
    "coverage": coverage.render_coverage,
    "copying": copying.render_copying,
    "training": teacher_forcing.render_teacher_forcing,
    "choosing": next_token.render_next_token,
    "self_attention": self_attention.render_self_attention,
    "positions": positions.render_positions,
    "layers": layers.render_layers,
    "scaling": scaling.render_scaling,
    "costs": costs.render_costs,
    "outlook": outlook.render_outlook,
}
"""The function that draws the picture of each of params.IDEAS."""


def main() -> None:
    t = get_messages()
    frame.load_page_styles("concepts")
    text = controls.draw_sentence_box(t)
    with frame.create_widget_row("ideas", 36):
        name = param_widgets.draw_buttons(params.IDEA, t("idea.label"), lambda option: t(f"idea.{option}"), t)
    status = status_line.draw_status_line(text, t)
    with st.container(key="lead"):
        st.html(f"<p>{t.format_html(f'idea_lead.{name}')}</p>")
    with st.container(key="idea-picture", gap=None):
        RENDERERS[name](IdeaContext(SentenceInput.from_text(text), t, status))
    exercise.render_exercise(name, t)


guard()
main()
