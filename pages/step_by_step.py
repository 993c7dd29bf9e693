"""Step by step: how one translation came about, piece by piece, with the equations and their numbers beside it."""

from dataclasses import replace
from typing import Any

import streamlit as st

from model.trace import Trace
from pages import guard, pages
from pages.ui.backend import service
from pages.ui.components.component import sent
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.i18n.messages import Messages
from pages.ui.step_by_step import export, payload
from pages.ui.step_by_step.payload_types import PlayerData
from pages.ui.url_state import links
from pages.ui.url_state.state import carried, link, linked, messages
from pages.ui.widgets import controls, doubts, saving
from pages.ui.widgets.requests import Request, Typed, answer, before, seen_by

PLACE = links.STEP.name  # where the session keeps which step of which trace the reader is at


def main() -> None:
    t = messages()
    frame.styles("step_by_step")
    typed = controls.box(t)
    sentence = Typed.of(typed)
    with frame.line("options", 36, "medium"):
        name = controls.model(links.MODEL, t)
        key = controls.map_shown(name, t)
        search = replace(controls.search(t), detail=True)
        controls.live(t)
        controls.about(t)
        exports = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    status = doubts.line(typed, t, pages=pages)
    requests = (Request(name, search, carried(links.EDITS)),)
    waiting = before(sentence, requests)
    shown = waiting or answer(sentence, requests, t, status)
    if shown is not None:
        trace = seen_by(shown, key)[0][0]
        step = 1 if waiting else at(trace)
        data = payload.build_player_payload(trace, payload.get_step_equations(trace.made_by.model), t, step)
        payload.render_player(data, moved)
        with exports:
            download(trace, data, t)
        if not waiting:
            st.session_state[PLACE] = {"trace": data["trace"], "step": step}
            link(links.STEP, step)
    if waiting:
        rerun()
    service.shared().warm(name)


def at(trace: Trace) -> int:
    """The step to open `trace` at, from 1 on.

    The link speaks for the first trace that is shown; after that the reader does, and another trace begins at 1.
    """
    kept = st.session_state.get(PLACE)
    if kept is not None:
        return int(kept["step"]) if kept["trace"] == payload.hash_trace(trace) else 1
    return linked(links.STEP.up_to(len(trace.steps))) or 1


def moved() -> None:
    """The reader has come to another step: the session keeps it when they go to other pages and come back."""
    found: Any = sent(payload.KEY, "step")
    if isinstance(found, dict) and isinstance(found.get("trace"), str) and isinstance(found.get("step"), int):
        st.session_state[PLACE] = {"trace": found["trace"], "step": found["step"]}


def download(trace: Trace, data: PlayerData, t: Messages) -> None:
    """The player with this translation as one file that needs neither this app nor the net."""
    saving.button("html", t("step_by_step.export"), f"{saving.named(trace, 'step-by-step')}.html", "text/html",
                  lambda: export.build_player_document(data, t), t("step_by_step.export_help"))  # fmt: skip


guard()
main()
