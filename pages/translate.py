"""Translate: a sentence, its translation with the attention map, and the translation of another model."""

from dataclasses import replace
from functools import partial

import streamlit as st

from model.decoding import OverrideRule, Overrides
from model.trace import Trace
from pages import guard
from pages.ui.backend import cards, service
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.heatmap import exports, heads, heatmap
from pages.ui.i18n.messages import Messages
from pages.ui.translate import options, sentence_rows, story_offer
from pages.ui.url_state import params
from pages.ui.url_state.state import build_language_param, build_sentence_param, get_messages, get_param
from pages.ui.widgets import controls, status_line
from pages.ui.widgets.fetch import Request, SentenceInput, StartedRequests, prefetch, set_displayed_map
from pages.ui.widgets.translations import get_translations, take_placeholder

PREVIOUS_REQUESTS_KEY = "translate-previous-requests"  # requests of the previous run
PRUNED_HEAD_KEY = "translate-pruned"  # the head to replace by uniform attention


def main() -> None:
    frame.load_page_styles("translate")
    # Of several sentences only the open one is translated here: nothing is prefetched.
    text = "" if get_param(params.OPEN_SENTENCE) else str(st.session_state.get(params.SENTENCE.name) or "")
    prefetched_sentence = SentenceInput.from_text(text)
    with prefetch(prefetched_sentence, st.session_state.get(PREVIOUS_REQUESTS_KEY, ())) as started_requests:
        render_page(prefetched_sentence, started_requests, get_messages())


def render_page(prefetched_sentence: SentenceInput, started_requests: StartedRequests, t: Messages) -> None:
    """Draw the page; `prefetched_sentence` is the text of the box at the start of the run, mostly the same as now.

    `started_requests`: the requests for it.
    """
    box_text = controls.draw_sentence_box(t)
    sentences, open_number = sentence_rows.split_box(box_text)
    text = sentences[open_number - 1] if open_number else box_text
    sentence = prefetched_sentence if prefetched_sentence.typed_text == text else SentenceInput.from_text(text)
    with st.container(key="below-box", horizontal=True, wrap=False, gap="small"):
        status = status_line.draw_status_line(
            box_text,
            t,
            len(sentences) if open_number else 0,
            draw_default=None if options.has_choices() else partial(story_offer.render_story_offer, box_text, t),
        )
        is_open = options.draw_more_button(t)
    page_options = options.draw_options(t) if is_open else options.get_options()
    rows_before = sentence_rows.add_row_container("before")
    requests = build_requests(page_options)
    st.session_state[PREVIOUS_REQUESTS_KEY] = requests
    placeholder = take_placeholder(sentence, requests)
    translations = placeholder or get_translations(sentence, requests, t, status, started_requests)
    if translations is not None:
        best, *other_translations = set_displayed_map(translations, page_options.map_key)
        best = heatmap.drop_equal_texts(best)
        rank = 0 if placeholder else heatmap.get_chosen_rank(best)
        other_trace = other_translations[0][0] if other_translations and other_translations[0] else None
        is_same = not other_translations and len(cards.list_models_of_same_languages(page_options.model)) > 1
        view = replace(page_options.view, is_alone=not other_translations, is_same=is_same)
        heatmap.render_heatmap(best, other_trace, view, rank, t, focus="sentence")
        if page_options.export_container:
            with page_options.export_container:
                exports.render_exports(best[rank], view, t)
        if page_options.shows_all_maps and not placeholder:
            heads.render_heads(best[rank], t, select_map, request_pruning, is_linked=True)
            if head := st.session_state.pop(PRUNED_HEAD_KEY, ""):
                open_laboratory_without(head, best[rank])
    if placeholder:
        rerun_page()
    if open_number:
        first = Request(page_options.model, page_options.settings)
        sentence_rows.render_rows(sentences, open_number, first, rows_before, status, t)
    service.get_service().prefetch_models(page_options.model, page_options.other_model)


def build_requests(page_options: options.Options) -> tuple[Request, ...]:
    """Request the n best of the first model and the best of the other, unless both are the same."""
    settings = page_options.settings
    first = Request(page_options.model, replace(settings, n_best=settings.beam), get_param(params.OVERRIDES))
    second = Request(page_options.other_model, settings)
    return (first,) if second.model == first.model else (first, second)


def select_map(key: str) -> None:
    """Show a map in the large heatmap; for callbacks."""
    st.session_state[params.MAP.name] = key


def request_pruning(key: str) -> None:
    """Store the head to open in the laboratory with uniform attention; for callbacks."""
    st.session_state[PRUNED_HEAD_KEY] = key


def open_laboratory_without(head: str, trace: Trace) -> None:
    """Open the laboratory with the sentence and one head set to uniform attention."""
    overrides = Overrides(rules=(OverrideRule(head, "uniform"),))
    values = {
        **build_sentence_param(trace.source.text),
        params.MODEL.name: trace.provenance.model,
        params.OVERRIDES.name: overrides,
        params.EXPERIMENT.name: "attention",
    }
    st.session_state[params.OVERRIDES.name], st.session_state[params.EXPERIMENT.name] = overrides, "attention"
    st.switch_page("pages/laboratory.py", query_params=params.build_query(values | build_language_param()))


guard()
main()
