"""Compare: translations by two models, with omissions, repetitions and additions, whole or growing by clauses."""

from dataclasses import replace

import streamlit as st

from pages import guard
from pages.ui.backend import service
from pages.ui.compare import growing_sentence, payload
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.url_state import params
from pages.ui.url_state.state import get_messages, get_param
from pages.ui.widgets import bleu_details, controls, figure_menu, status_line
from pages.ui.widgets.fetch import Request, SentenceInput, find_search, set_displayed_map
from pages.ui.widgets.translations import get_translations, take_placeholder


def main() -> None:
    t = get_messages()
    frame.load_page_styles("compare")
    typed_text = controls.draw_sentence_box(t)
    sentence = SentenceInput.from_text(typed_text)
    with frame.create_widget_row("options", 36, "small"):
        model = controls.draw_model_control(params.MODEL, t, controls.MAX_PAIRED_BUTTONS)
        other_model = controls.draw_model_control(params.OTHER_MODEL, t, controls.MAX_PAIRED_BUTTONS)
        key = controls.draw_map_control(model, t)
        search = controls.draw_search_control(t, model, other_model)
        controls.draw_live_control(t)
        controls.draw_about(t)
        exports = st.container(key="exports", width="content")
    status = status_line.draw_status_line(typed_text, t)
    requests = (Request(model, search, get_param(params.OVERRIDES)), Request(other_model, search))
    placeholder = take_placeholder(sentence, requests)
    answer = placeholder or get_translations(sentence, requests, t, status)
    if answer is not None:
        first, second = set_displayed_map(answer, key)
        full_pair = (first[0], second[0] if second else None)
        # If a request fails, the previous translations stay, and may be by other models.
        search = find_search(full_pair[0], search)
        answered_requests = tuple(
            replace(request, model=trace.provenance.model, settings=search) if trace else request
            for request, trace in zip(requests, full_pair, strict=True)
        )
        text = full_pair[0].source.text
        clause = 0 if placeholder else growing_sentence.get_clause(text, full_pair[0].source_language)
        pairs = growing_sentence.get_prefix_translations(full_pair, answered_requests, key) if clause else [full_pair]
        payload.render_comparison(payload.build_compare_payload(pairs or [full_pair], clause, search, t))
        with exports:
            traces = [trace for trace in full_pair if trace is not None]
            figure_menu.draw_figure_menu(figure_menu.build_models_figure(traces, t("print.compare_file"), t, 2), t)
        if pairs is None:
            problem = growing_sentence.translate_prefixes(full_pair, answered_requests, t, status)
            growing_sentence.store_clause(text, 0 if problem else clause, problem)
            rerun_page()
        elif not placeholder:
            problem = growing_sentence.get_problem()
            if problem:
                status.show_problem(problem)
            growing_sentence.store_clause(text, clause)
            bleu_details.draw_reference_box(full_pair, t, is_prefix_shown=0 < clause < len(pairs))
    if placeholder:
        rerun_page()
    service.get_service().prefetch_models(model, other_model)


guard()
main()
