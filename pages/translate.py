"""Translate: a sentence, its translation with the attention map, and the translation of another model."""

from dataclasses import replace
from functools import partial

import streamlit as st

from model.decoding import OverrideRule, Overrides
from model.trace import Trace
from pages import guard, list_pages
from pages.ui.backend import cards, service
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.heatmap import exports, heads, heatmap
from pages.ui.i18n.messages import Messages
from pages.ui.translate import options, sentence_rows, story_offer
from pages.ui.url_state import params
from pages.ui.url_state.state import build_sentence_param, get_messages, get_param, read_link_param
from pages.ui.widgets import controls, status_line
from pages.ui.widgets.fetch import Request, SentenceInput, StartedRequests, prefetch, set_displayed_map
from pages.ui.widgets.translations import get_placeholder, get_translations

PREVIOUS_REQUESTS_KEY = "translate-asked"  # requests of the previous run
PRUNED_HEAD_KEY = "translate-pruned"  # the head to replace by uniform attention


def main() -> None:
    frame.load_page_styles("translate")
    # Of several sentences only the open one is translated here: nothing is prefetched.
    text = "" if get_param(params.OPEN_SENTENCE) else str(st.session_state.get(params.SENTENCE.name) or "")
    prefetched = SentenceInput.from_text(text)
    with prefetch(prefetched, st.session_state.get(PREVIOUS_REQUESTS_KEY, ())) as started_requests:
        render_page(prefetched, started_requests, get_messages())


def render_page(prefetched: SentenceInput, started_requests: StartedRequests, t: Messages) -> None:
    """Draw the page; `prefetched` is the text of the box at the start of the run, mostly the same as now.

    `started_requests`: the requests for it.
    """
    box_text = controls.draw_sentence_box(t)
    sentences, open_number = sentence_rows.split_sentences(box_text)
    text = sentences[open_number - 1] if open_number else box_text
    sentence = prefetched if prefetched.typed == text else SentenceInput.from_text(text)
    with st.container(key="below-box", horizontal=True, wrap=False, gap="small"):
        status = status_line.draw_status_line(
            box_text,
            t,
            len(sentences) if open_number else 0,
            draw_default=None if options.has_choices() else partial(story_offer.render_story_offer, box_text, t),
        )
        is_open = options.draw_more_button(t)
    chosen = options.draw_options(t) if is_open else options.get_options()
    rows_before = sentence_rows.add_row_container("before")
    requests = build_requests(chosen)
    st.session_state[PREVIOUS_REQUESTS_KEY] = requests
    placeholder = get_placeholder(sentence, requests)
    translations = placeholder or get_translations(sentence, requests, t, status, started_requests)
    if translations is not None:
        best, *others = set_displayed_map(translations, chosen.map_key)
        best = heatmap.drop_equal_texts(best)
        rank = 0 if placeholder else heatmap.get_chosen_rank(best)
        other = others[0][0] if others and others[0] else None
        is_same = not others and len(cards.list_models_of_same_languages(chosen.model)) > 1
        view = replace(chosen.view, is_alone=not others, is_same=is_same)
        heatmap.render_heatmap(best, other, view, rank, t, focus="sentence")
        if chosen.export_container:
            with chosen.export_container:
                exports.render_exports(best[rank], view, t)
        if chosen.shows_all_maps and not placeholder:
            heads.render_heads(best[rank], t, select_map, request_pruning, is_linked=True)
            if head := st.session_state.pop(PRUNED_HEAD_KEY, ""):
                open_laboratory_without(head, best[rank])
    if placeholder:
        rerun_page()
    if open_number:
        first = Request(chosen.model, chosen.settings)
        sentence_rows.render_rows(sentences, open_number, first, rows_before, status, t)
    service.get_service().prefetch_models(chosen.model, chosen.other_model)


def build_requests(chosen: options.Options) -> tuple[Request, ...]:
    """Request the n best of the first model and the best of the other, unless both are the same."""
    n_best = replace(chosen.settings, n_best=chosen.settings.beam)
    first = Request(chosen.model, n_best, get_param(params.OVERRIDES))
    return (first,) if chosen.other_model == chosen.model else (first, Request(chosen.other_model, chosen.settings))


def select_map(key: str) -> None:
    """Show a map in the large heatmap; for callbacks."""
    st.session_state[params.MAP.name] = key


def request_pruning(key: str) -> None:
    """Store the head to open in the laboratory with uniform attention; for callbacks."""
    st.session_state[PRUNED_HEAD_KEY] = key


def open_laboratory_without(head: str, trace: Trace) -> None:
    """Open the laboratory with the sentence and one head set to uniform attention."""
    (laboratory,) = (page for page in list_pages(get_messages()) if page.url_path == "laboratory")
    overrides = Overrides(rules=(OverrideRule(head, "uniform"),))
    values = {
        **build_sentence_param(trace.source.text),
        params.MODEL.name: trace.provenance.model,
        params.OVERRIDES.name: overrides,
        params.EXPERIMENT.name: "attention",
    }
    language = read_link_param(params.LANGUAGE, notify=False)
    st.session_state[params.OVERRIDES.name], st.session_state[params.EXPERIMENT.name] = overrides, "attention"
    values |= {params.LANGUAGE.name: language} if language else {}
    st.switch_page(laboratory, query_params=params.build_query(values, defaults=True))


guard()
main()
