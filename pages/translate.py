"""Translate: a sentence, where the model looked at each step, and what another model made of it."""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from model.decoding import OverrideRule, Overrides
from model.trace import Trace
from pages import guard, list_pages
from pages.ui.backend import service
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.heatmap import exports, heads, heatmap
from pages.ui.i18n.messages import Messages
from pages.ui.translate import sentence_rows, story_offer
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import get_messages, get_param, read_link_param
from pages.ui.widgets import controls, status_line
from pages.ui.widgets.requests import (
    Request,
    SentenceInput,
    build_sentence_param,
    get_placeholder,
    get_translations,
    prefetch,
    set_displayed_map,
)

PREVIOUS_REQUESTS_KEY = "translate-asked"  # what this page asked for in the run before
PRUNED_HEAD_KEY = "translate-pruned"  # the head that is to be set to its mean


def main() -> None:
    frame.load_page_styles("translate")
    text = (
        "" if get_param(params.OPEN_SENTENCE) else str(st.session_state.get(params.SENTENCE.name) or "")
    )  # apart: one at a time
    early = SentenceInput.of(text)
    with prefetch(early, st.session_state.get(PREVIOUS_REQUESTS_KEY, ())):
        render_page(early, get_messages())


def render_page(early: SentenceInput, t: Messages) -> None:
    """The page; `early` is what stood in the box when the run began, which most often is what stands there now."""
    typed = controls.draw_sentence_box(t)
    sentences, opened = sentence_rows.split_sentences(typed)
    text = sentences[opened - 1] if opened else typed
    sentence = early if early.given == text else SentenceInput.of(text)
    with frame.create_widget_row("options", 36, "small"):
        search = controls.draw_search_control(t)
        controls.draw_live_control(t)
        unit = param_widgets.draw_option_buttons(params.UNIT, t)
        scale = param_widgets.draw_option_buttons(params.SCALE, t)
        gloss = param_widgets.draw_option_buttons(params.GLOSS, t)
        with controls.draw_about(t):
            model = controls.draw_model_control(params.MODEL, t)
            other = controls.draw_model_control(params.OTHER_MODEL, t)
        leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    with frame.create_widget_row("maps", 36, "small") if controls.has_several_maps(model) else nullcontext():
        key = controls.draw_map_control(model, t)
        every = controls.draw_all_maps_control(model, t)
    status = status_line.draw_status_line(
        typed, t, len(sentences) if opened else 0, otherwise=partial(story_offer.render_story_offer, typed, t)
    )
    before_it = sentence_rows.add_row_container("before")
    view = heatmap.HeatmapView(unit, scale, gloss == "on")
    # The n best of the model that is looked at; of the one beside it the best is enough.
    requests = (
        Request(model, replace(search, n_best=search.beam), get_param(params.OVERRIDES)),
        Request(other, search),
    )
    st.session_state[PREVIOUS_REQUESTS_KEY] = requests
    waiting = get_placeholder(sentence, requests)
    shown = waiting or get_translations(sentence, requests, t, status)
    if shown is not None:
        best, beside = set_displayed_map(shown, key)
        rank = 0 if waiting else heatmap.get_chosen_rank(best)
        heatmap.render_heatmap(best, beside[0] if beside else None, view, rank, t, focus="sentence")
        with leaving:
            exports.render_exports(best[rank], view, t)
        if every and not waiting:
            heads.render_heads(best[rank], t, select_map, request_pruning, is_linked=True)
            if head := st.session_state.pop(PRUNED_HEAD_KEY, ""):
                open_laboratory_without(head, best[rank])
    if waiting:
        rerun_page()
    if opened:
        sentence_rows.render_rows(sentences, opened, Request(model, search), before_it, status, t)
    service.get_service().warm(model, other)


def select_map(key: str) -> None:
    """Show the map of that key in the large picture; for callbacks."""
    st.session_state[params.MAP.name] = key


def request_pruning(key: str) -> None:
    """Note that the head of that key is to be set to its mean; for callbacks."""
    st.session_state[PRUNED_HEAD_KEY] = key


def open_laboratory_without(head: str, trace: Trace) -> None:
    """Open the laboratory with the sentence, a head of its model looking everywhere alike."""
    (laboratory,) = (page for page in list_pages(get_messages()) if page.url_path == "laboratory")
    edits = Overrides(rules=(OverrideRule(head, "uniform"),))
    said = {
        **build_sentence_param(trace.source.text),
        params.MODEL.name: trace.made_by.model,
        params.OVERRIDES.name: edits,
        params.EXPERIMENT.name: "attention",
    }
    language = read_link_param(params.LANGUAGE, told=False)
    st.session_state[params.OVERRIDES.name], st.session_state[params.EXPERIMENT.name] = edits, "attention"
    query = params.build_query(said | ({params.LANGUAGE.name: language} if language else {}), defaults=True)
    st.switch_page(laboratory, query_params=query)


guard()
main()
