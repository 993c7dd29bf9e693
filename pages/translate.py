"""Translate: a sentence, where the model looked at each step, and what another model made of it."""

from dataclasses import replace

import streamlit as st

from pages import guard
from pages.view.service import service
from pages.view.service.requests import Request, Typed, answer, before, seen_by
from pages.view.shell import controls, frame, links, picks
from pages.view.shell.rerun import rerun
from pages.view.shell.state import carried, messages
from pages.view.translate import exports, heatmap, newcomer


def main() -> None:
    say = messages()
    frame.styles("translate")
    sentence = Typed.of(controls.box(say))
    with frame.line("options", 36, "medium"):
        search = controls.search(say)
        unit = picks.choice(links.UNIT, say)
        scale = picks.choice(links.SCALE, say)
        gloss = picks.choice(links.GLOSS, say)
        with controls.about(say):
            model = controls.model(links.MODEL, say)
            other = controls.model(links.BESIDE, say)
        key = controls.map_shown(model, say)
        leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with st.container(key="status", height=30, border=False):
        status = st.empty()
        newcomer.offer(sentence.given, say)
    view = heatmap.View(unit, scale, gloss == "on")
    # The n best of the model that is looked at; of the one beside it the best is enough.
    requests = (Request(model, replace(search, n_best=search.beam), carried(links.EDITS)), Request(other, search))
    waiting = before(sentence, requests)
    shown = waiting or answer(sentence, requests, say, status)
    if shown is not None:
        best, beside = seen_by(shown, key)
        rank = 0 if waiting else heatmap.chosen(best)
        heatmap.show(best, beside[0] if beside else None, view, rank, say, focus="sentence")
        with leaving:
            exports.show(best[rank], view, say)
    if waiting:
        rerun()
    service.shared().warm(model, other)


guard()
main()
