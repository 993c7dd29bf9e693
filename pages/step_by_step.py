"""Step by step: how one translation came about, piece by piece, with the equations and their numbers beside it."""

from dataclasses import replace
from typing import Any

import streamlit as st

from model.trace import Trace
from pages import guard, list_pages
from pages.ui.backend import service
from pages.ui.components.component import get_event
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.step_by_step import export, payload
from pages.ui.step_by_step.payload_types import PlayerData
from pages.ui.url_state import params
from pages.ui.url_state.state import get_messages, get_param, read_link_param, write_link_param
from pages.ui.widgets import controls, downloads, status_line
from pages.ui.widgets.requests import Request, SentenceInput, get_placeholder, get_translations, set_displayed_map

PLACE = params.STEP.name  # where the session keeps which step of which trace the reader is at


def main() -> None:
    t = get_messages()
    frame.load_page_styles("step_by_step")
    typed = controls.draw_sentence_box(t)
    sentence = SentenceInput.of(typed)
    with frame.create_widget_row("options", 36, "medium"):
        name = controls.draw_model_control(params.MODEL, t)
        key = controls.draw_map_control(name, t)
        search = replace(controls.draw_search_control(t), detail=True)
        controls.draw_live_control(t)
        controls.draw_about(t)
        exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    status = status_line.draw_status_line(typed, t, pages=list_pages)
    requests = (Request(name, search, get_param(params.OVERRIDES)),)
    waiting = get_placeholder(sentence, requests)
    shown = waiting or get_translations(sentence, requests, t, status)
    if shown is not None:
        trace = set_displayed_map(shown, key)[0][0]
        step = 1 if waiting else at(trace)
        data = payload.build_player_payload(trace, payload.get_step_equations(trace.made_by.model), t, step)
        payload.render_player(data, moved)
        with exports:
            download(trace, data, t)
        if not waiting:
            st.session_state[PLACE] = {"trace": data["trace"], "step": step}
            write_link_param(params.STEP, step)
    if waiting:
        rerun_page()
    service.get_service().warm(name)


def at(trace: Trace) -> int:
    """The step to open `trace` at, from 1 on.

    The link speaks for the first trace that is shown; after that the reader does, and another trace begins at 1.
    """
    kept = st.session_state.get(PLACE)
    if kept is not None:
        return int(kept["step"]) if kept["trace"] == payload.hash_trace(trace) else 1
    return read_link_param(params.STEP.with_maximum(len(trace.steps))) or 1


def moved() -> None:
    """The reader has come to another step: the session keeps it when they go to other pages and come back."""
    found: Any = get_event(payload.KEY, "step")
    if isinstance(found, dict) and isinstance(found.get("trace"), str) and isinstance(found.get("step"), int):
        st.session_state[PLACE] = {"trace": found["trace"], "step": found["step"]}


def download(trace: Trace, data: PlayerData, t: Messages) -> None:
    """The player with this translation as one file that needs neither this app nor the net."""
    downloads.draw_download_button(
        "html",
        t("step_by_step.export"),
        f"{downloads.build_file_name(trace, 'step-by-step')}.html",
        "text/html",
        lambda: export.build_player_document(data, t),
        t("step_by_step.export_help"),
    )


guard()
main()
