"""Teacher forcing against free running, with a reference that the reader can edit.

The browser component is assets/player/concepts/forcing.js.
"""

from __future__ import annotations

import streamlit as st

from model.analysis.probing.teacher_forcing import TeacherForcing, compare_teacher_forcing
from model.text.normalise import NormalisedText, normalise
from model.trace import Trace
from pages.ui.charts.payload_parts import round_probability
from pages.ui.components.component import Component
from pages.ui.concepts import idea_parts
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent_payload_types import ForcedToken, ForcingData
from pages.ui.concepts.token_labels import label_token, label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import join_tokens
from pages.ui.url_state import param_widgets, params

_mount = Component("forcing", ForcingData)


def render_teacher_forcing(context: IdeaContext) -> None:
    """Draw the given translation and the free one."""
    t, text = context.t, context.sentence.text
    if not idea_parts.check_length(context):
        return
    with st.container(key="input-row"):
        typed_text = param_widgets.draw_text_input(params.REFERENCE, text, t("forcing.reference"))
    name = idea_parts.choose_model(context, "rnnsearch")
    target = normalise(typed_text)
    if name and not target:
        target = get_other_translation(context)
    if not name or not target:
        return
    forcing = context.measure(
        name, ("forcing", text, target),
        lambda model, should_stop: compare_teacher_forcing(model, text, target, should_stop)
    )
    if forcing is not None:
        _mount(key="concept-training", data=build_forcing_payload(forcing, t))


def get_other_translation(context: IdeaContext) -> NormalisedText:
    """Return the translation by the model without attention, which stands in for a reference until there is one."""
    name = idea_parts.choose_model(context, "rnnencdec")
    traces = context.translate([name]) if name else None
    return NormalisedText(traces[0].target.text if traces else "")


def build_forcing_payload(forcing: TeacherForcing, t: Messages) -> ForcingData:
    """Return the component's data."""
    forced_trace = forcing.forced_trace
    difference, free_pieces = forcing.first_difference, forcing.continuations[0].target.pieces
    return {
        "forced_tokens": _build_tokens(forced_trace, t),
        "continuations": [label_tokens(trace.target, t) for trace in forcing.continuations],
        "first_difference": -1 if difference is None else difference,
        "free_rest": "" if difference is None else join_tokens(free_pieces[difference + 1 :]),
        "loss": round(-forced_trace.log_probability / len(forced_trace.steps), idea_parts.DIGITS),
        "target_language": forced_trace.target_language,
        "messages": t.get_table("forcing"),
        "controls": t.get_table("playback"),
        "language": t.language,
    }


def _build_tokens(forced_trace: Trace, t: Messages) -> list[ForcedToken]:
    tokens: list[ForcedToken] = []
    for step, label in zip(forced_trace.steps, label_tokens(forced_trace.target, t), strict=True):
        best = step.candidates[0]
        tokens.append({
            "text": label, "p": round_probability(step.log_probability, idea_parts.DIGITS),
            "best_token": label_token(best.piece, t),
            "best_p": round_probability(best.log_probability, idea_parts.DIGITS),
            "is_best": best.id == step.id,
        })  # fmt: skip
    return tokens
