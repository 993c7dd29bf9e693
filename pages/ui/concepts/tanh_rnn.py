"""Vanishing and exploding gradients: a plain tanh RNN in the browser, and below it the gradients of the real models.

The browser component is assets/player/concepts/tanh_rnn.js.
"""

from __future__ import annotations

import zlib

import numpy as np
import streamlit as st

from model.trace import END_PIECE, WORD_START, Trace
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import round_values
from pages.ui.components.component import Component
from pages.ui.concepts import gradients, idea_parts
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent_payload_types import TanhData
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.escape import escape_markdown
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params
from pages.ui.widgets import family_results

UNITS = 8  # of the plain RNN
SEED = 2

_mount = Component("tanh_rnn", TanhData)


def render_gradients_idea(context: IdeaContext) -> None:
    """Draw the plain RNN, then the gradients of the real models."""
    t = context.t
    rnn_container = st.container(key="tanh-rnn")
    with st.container(key="members-row"):
        members = param_widgets.draw_multi_buttons(
            params.FAMILY_MODELS, t("option.members"), lambda name: escape_markdown(get_title(name)), t
        )
    results = family_results.start_translations(
        context.sentence, members, params.SEARCHES["greedy"], t, context.status
    )
    first = next((results.traces[name] for name in members if name in results.traces), None)
    with rnn_container:
        if first is not None and idea_parts.check_length(context):
            _mount(key="concept-tanh-rnn", data=build_tanh_payload(first, t))
    gradients_status = gradients.render_gradients(results, members, t)
    if family_results.translate_next(results, members, t, context.status) or family_results.compute_next_gradients(
        results, members, t, gradients_status
    ):
        rerun_page()


def build_tanh_payload(trace: Trace, t: Messages) -> TanhData:
    """Return the component's data for a source sentence."""
    pieces = trace.source.pieces
    return {
        "tokens": label_tokens(trace.source, t),
        "matrix": make_orthogonal_matrix().tolist(),
        "inputs": [make_input(piece) for piece in pieces],
        "messages": t.get_table("tanh_rnn"),
        "language": t.language,
    }


def make_orthogonal_matrix() -> np.ndarray:
    """Return Q: every eigenvalue of λ·Q has the absolute value |λ|."""
    q, r = np.linalg.qr(np.random.default_rng(SEED).normal(size=(UNITS, UNITS)))
    return (q * np.sign(np.diag(r))).round(12)


def make_input(piece: str) -> list[float]:
    """Return the input vector of a token, the same wherever it occurs; that of the end of the sentence is 0."""
    if piece == END_PIECE:
        return [0.0] * UNITS
    seed = zlib.crc32(piece.removeprefix(WORD_START).casefold().encode())
    return round_values(np.random.default_rng(seed).normal(size=UNITS), idea_parts.DIGITS)
