"""Translate: a sentence, where the model looked at each step, and what another model made of it."""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from pages import guard
from pages.view.charts import heads
from pages.view.service import service
from pages.view.service.requests import Request, Typed, answer, before, beforehand, seen_by
from pages.view.shell import controls, doubts, frame, links, picks
from pages.view.shell.messages import Messages
from pages.view.shell.rerun import rerun
from pages.view.shell.state import carried, messages
from pages.view.translate import apart, exports, heatmap, newcomer

ASKED = "translate-asked"  # what this page asked for in the run before


def main() -> None:
    frame.styles("translate")
    text = "" if carried(links.APART) else str(st.session_state.get(links.SENTENCE.name) or "")  # apart: one at a time
    early = Typed.of(text)
    with beforehand(early, st.session_state.get(ASKED, ())):
        draw(early, messages())


def draw(early: Typed, say: Messages) -> None:
    """The page; `early` is what stood in the box when the run began, which most often is what stands there now."""
    typed = controls.box(say)
    sentences, opened = apart.among(typed)
    text = sentences[opened - 1] if opened else typed
    sentence = early if early.given == text else Typed.of(text)
    with frame.line("options", 36, "small"):
        search = controls.search(say)
        controls.live(say)
        unit = picks.choice(links.UNIT, say)
        scale = picks.choice(links.SCALE, say)
        gloss = picks.choice(links.GLOSS, say)
        with controls.about(say):
            model = controls.model(links.MODEL, say)
            other = controls.model(links.BESIDE, say)
        leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with frame.line("maps", 36, "small") if controls.many_maps(model) else nullcontext():
        key = controls.map_shown(model, say)
        every = controls.all_maps(model, say)
    status = doubts.line(typed, say, len(sentences) if opened else 0, otherwise=partial(newcomer.offer, typed, say))
    before_it = apart.place("before")
    view = heatmap.View(unit, scale, gloss == "on")
    # The n best of the model that is looked at; of the one beside it the best is enough.
    requests = (Request(model, replace(search, n_best=search.beam), carried(links.EDITS)), Request(other, search))
    st.session_state[ASKED] = requests
    waiting = before(sentence, requests)
    shown = waiting or answer(sentence, requests, say, status)
    if shown is not None:
        best, beside = seen_by(shown, key)
        rank = 0 if waiting else heatmap.chosen(best)
        heatmap.show(best, beside[0] if beside else None, view, rank, say, focus="sentence")
        with leaving:
            exports.show(best[rank], view, say)
        if every and not waiting:
            heads.show(best[rank], say, chosen)
    if waiting:
        rerun()
    if opened:
        apart.rows(sentences, opened, Request(model, search), before_it, status, say)
    service.shared().warm(model, other)


def chosen(key: str) -> None:
    """Show the map of that key in the large picture; for callbacks."""
    st.session_state[links.MAP.name] = key


guard()
main()
