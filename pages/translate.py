"""Translate: a sentence, where the model looked at each step, and what another model made of it."""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from model.decoding import OverrideRule, Overrides
from model.trace import Trace
from pages import guard, pages
from pages.ui.backend import service
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.heatmap import exports, heads, heatmap
from pages.ui.i18n.messages import Messages
from pages.ui.translate import sentence_rows, story_offer
from pages.ui.url_state import links, picks
from pages.ui.url_state.state import carried, linked, messages
from pages.ui.widgets import controls, doubts
from pages.ui.widgets.requests import Request, Typed, answer, before, beforehand, carrying, seen_by

PREVIOUS_REQUESTS_KEY = "translate-asked"  # what this page asked for in the run before
PRUNED_HEAD_KEY = "translate-pruned"  # the head that is to be set to its mean


def main() -> None:
    frame.styles("translate")
    text = "" if carried(links.APART) else str(st.session_state.get(links.SENTENCE.name) or "")  # apart: one at a time
    early = Typed.of(text)
    with beforehand(early, st.session_state.get(PREVIOUS_REQUESTS_KEY, ())):
        render_page(early, messages())


def render_page(early: Typed, t: Messages) -> None:
    """The page; `early` is what stood in the box when the run began, which most often is what stands there now."""
    typed = controls.box(t)
    sentences, opened = sentence_rows.split_sentences(typed)
    text = sentences[opened - 1] if opened else typed
    sentence = early if early.given == text else Typed.of(text)
    with frame.line("options", 36, "small"):
        search = controls.search(t)
        controls.live(t)
        unit = picks.choice(links.UNIT, t)
        scale = picks.choice(links.SCALE, t)
        gloss = picks.choice(links.GLOSS, t)
        with controls.about(t):
            model = controls.model(links.MODEL, t)
            other = controls.model(links.BESIDE, t)
        leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with frame.line("maps", 36, "small") if controls.many_maps(model) else nullcontext():
        key = controls.map_shown(model, t)
        every = controls.all_maps(model, t)
    status = doubts.line(typed, t, len(sentences) if opened else 0, otherwise=partial(story_offer.render_story_offer, typed, t))
    before_it = sentence_rows.add_row_container("before")
    view = heatmap.HeatmapView(unit, scale, gloss == "on")
    # The n best of the model that is looked at; of the one beside it the best is enough.
    requests = (Request(model, replace(search, n_best=search.beam), carried(links.EDITS)), Request(other, search))
    st.session_state[PREVIOUS_REQUESTS_KEY] = requests
    waiting = before(sentence, requests)
    shown = waiting or answer(sentence, requests, t, status)
    if shown is not None:
        best, beside = seen_by(shown, key)
        rank = 0 if waiting else heatmap.get_chosen_rank(best)
        heatmap.render_heatmap(best, beside[0] if beside else None, view, rank, t, focus="sentence")
        with leaving:
            exports.render_exports(best[rank], view, t)
        if every and not waiting:
            heads.render_heads(best[rank], t, select_map, request_pruning, linked=True)
            if head := st.session_state.pop(PRUNED_HEAD_KEY, ""):
                open_laboratory_without(head, best[rank])
    if waiting:
        rerun()
    if opened:
        sentence_rows.render_rows(sentences, opened, Request(model, search), before_it, status, t)
    service.shared().warm(model, other)


def select_map(key: str) -> None:
    """Show the map of that key in the large picture; for callbacks."""
    st.session_state[links.MAP.name] = key


def request_pruning(key: str) -> None:
    """Note that the head of that key is to be set to its mean; for callbacks."""
    st.session_state[PRUNED_HEAD_KEY] = key


def open_laboratory_without(head: str, trace: Trace) -> None:
    """Open the laboratory with the sentence, a head of its model looking everywhere alike."""
    (laboratory,) = (page for page in pages(messages()) if page.url_path == "laboratory")
    edits = Overrides(rules=(OverrideRule(head, "uniform"),))
    said = {**carrying(trace.source.text), links.MODEL.name: trace.made_by.model, links.EDITS.name: edits,
            links.PART.name: "attention"}  # fmt: skip
    language = linked(links.LANG, told=False)
    st.session_state[links.EDITS.name], st.session_state[links.PART.name] = edits, "attention"
    query = links.query(said | ({links.LANG.name: language} if language else {}), defaults=True)
    st.switch_page(laboratory, query_params=query)


guard()
main()
