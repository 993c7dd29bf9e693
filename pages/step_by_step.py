"""Step by step: one translation token by token, with the equations of each step and their numbers."""

from dataclasses import replace
from typing import Any

import streamlit as st

from model.trace import Trace
from pages import guard
from pages.ui.backend import service
from pages.ui.components.component import get_event
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.step_by_step import payload
from pages.ui.step_by_step.payload_types import PlayerData
from pages.ui.url_state import params
from pages.ui.url_state.state import get_messages, get_param, read_link_param, write_link_param
from pages.ui.widgets import controls, downloads, figure_menu, status_line
from pages.ui.widgets.fetch import Request, SentenceInput, set_displayed_map
from pages.ui.widgets.translations import get_translations, take_placeholder

POSITION = params.STEP.name  # session key of the current Trace and step


def main() -> None:
    t = get_messages()
    frame.load_page_styles("step_by_step")
    typed_text = controls.draw_sentence_box(t)
    sentence = SentenceInput.from_text(typed_text)
    with frame.create_widget_row("options", 36, "medium"):
        name = controls.draw_model_control(params.MODEL, t)
        key = controls.draw_map_control(name, t)
        search = replace(controls.draw_search_control(t, name), detail=True)
        controls.draw_live_control(t)
        controls.draw_about(t)
        exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    status = status_line.draw_status_line(typed_text, t)
    requests = (Request(name, search, get_param(params.OVERRIDES)),)
    placeholder = take_placeholder(sentence, requests)
    answer = placeholder or get_translations(sentence, requests, t, status)
    if answer is not None:
        trace = set_displayed_map(answer, key)[0][0]
        step = 1 if placeholder else get_step(trace)
        data = payload.build_player_payload(trace, payload.get_step_equations(trace.provenance.model), t, step)
        payload.render_player(data, store_step)
        with exports:
            draw_download_button(trace, data, t)
            candidates = [
                (candidate["prefix"] + candidate["text"], candidate["p"], candidate["is_chosen"])
                for candidate in data["steps"][step - 1]["candidates"]
            ]
            figure_menu.draw_figure_menu(figure_menu.build_step_figure(trace, step, candidates, t), t)
        if not placeholder:
            st.session_state[POSITION] = {"trace": data["trace_id"], "step": step}
            write_link_param(params.STEP, step)
    if placeholder:
        rerun_page()
    service.get_service().prefetch_models(name)


def get_step(trace: Trace) -> int:
    """Return the step to open `trace` at, from 1.

    The link counts for the first Trace only; later Traces open at step 1.
    """
    position = st.session_state.get(POSITION)
    if position is not None:
        return int(position["step"]) if position["trace"] == payload.hash_trace(trace) else 1
    return read_link_param(params.STEP.with_maximum(len(trace.steps))) or 1


def store_step() -> None:
    """Store the step that the reader stopped at."""
    event: Any = get_event(payload.KEY, "step")
    if isinstance(event, dict) and isinstance(event.get("trace"), str) and isinstance(event.get("step"), int):
        st.session_state[POSITION] = {"trace": event["trace"], "step": event["step"]}


def draw_download_button(trace: Trace, data: PlayerData, t: Messages) -> None:
    """Draw the button that saves the player as a standalone HTML file."""
    downloads.draw_download_button(
        "html",
        t("step_by_step.export"),
        f"{downloads.build_file_name(trace, 'step-by-step')}.html",
        "text/html",
        lambda: payload.build_player_document(data, t),
        t("step_by_step.export_help"),
    )


guard()
main()
