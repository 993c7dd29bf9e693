"""All models: one sentence translated by all kinds of models."""

import streamlit as st

from pages import guard
from pages.ui.backend.cards import get_title
from pages.ui.escape import escape_markdown
from pages.ui.family import columns, timeline
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.state import get_messages, get_param, reset_params
from pages.ui.widgets import controls, family_results, figure_menu, status_line
from pages.ui.widgets.fetch import SentenceInput


def main() -> None:
    t = get_messages()
    frame.load_page_styles("family")
    typed_text = controls.draw_sentence_box(t)
    with frame.create_widget_row("options", 36, "small"):
        search = controls.draw_search_control(t, *get_param(params.FAMILY_MODELS))
        controls.draw_live_control(t)
        with controls.draw_about(t, has_choice=True):
            members = param_widgets.draw_multi_buttons(
                params.FAMILY_MODELS, t("option.members"), lambda name: escape_markdown(get_title(name)), t
            )
        exports = st.container(key="exports", width="content")
    status = status_line.draw_status_line(typed_text, t)
    with st.container(key="lead"):
        st.html(f"<p>{t.format_html('family.lead')}</p>")
    results = family_results.start_translations(SentenceInput.from_text(typed_text), members, search, t, status)
    columns.render_columns(columns.build_columns_payload(results, members, t))
    if traces := [results.traces[name] for name in members if name in results.traces]:
        with exports:
            figure_menu.draw_figure_menu(figure_menu.build_models_figure(traces, t("print.compare_file"), t, 3), t)
    timeline.render_timeline(t)
    opened_model = columns.pop_opened_model(members)
    if opened_model:
        open_in_translate(results, opened_model)
    if family_results.translate_next(results, members, t, status):
        rerun_page()


def open_gradients() -> None:
    """Open the gradients in Concepts, where old links to this page now lead."""
    st.switch_page("pages/concepts.py", query_params=st.query_params.to_dict() | {params.IDEA.name: "gradients"})


def open_in_translate(results: family_results.FamilyResults, name: str) -> None:
    """Open the sentence in Translate with the model `name`."""
    st.session_state[params.MODEL.name] = name
    reset_params(*params.TRANSLATION_PARAMS)  # overrides of other pages do not apply: Translate shows what was clicked
    st.switch_page("pages/translate.py", query_params=columns.build_link_query(results, name))


guard()
if {params.GRADIENT_WORD.name, params.GATES_MODEL.name} & set(st.query_params):
    open_gradients()
main()
