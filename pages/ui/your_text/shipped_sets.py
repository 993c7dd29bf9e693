"""Shipped test sets as sentence bars. Only counts are shipped, not their texts."""

import streamlit as st

from model.analysis.evaluation.evaluation import Evaluation
from pages.ui.backend import evaluations
from pages.ui.backend.cards import get_title, sort_default_first
from pages.ui.backend.evaluations import describe_search, describe_test_set, parse_evaluation_search
from pages.ui.charts import curves
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages, load_messages
from pages.ui.url_state import param_widgets, params
from pages.ui.your_text import length_curve, reports, sentence_bars


def render_shipped_sets(t: Messages) -> None:
    """Draw bars and curve of the chosen set, by the search that most models were evaluated with."""
    index = evaluations.load_pair_index(params.get_chosen_pair())
    if not index.entries:
        return
    st.html(
        f"<h2>{escape_html(t('your_text.shipped'))}</h2><p class='note'>{t.format_html('your_text.shipped_note')}</p>"
    )
    sets = index.test_sets
    name = param_widgets.draw_selectbox(
        params.SHIPPED_SET, t("your_text.set"), lambda set_name: describe_test_set(set_name, t, sets)
    )
    records, _ = index.load_evaluations(name, sort_default_first(index.models), index.searches[0])
    if not records:
        st.html(f"<p>{escape_html(t('your_text.not_measured'))}</p>")
        return
    title = describe_test_set(name, t, sets)
    sentence_bars.mount(key="set-bars", data=_pack_bars(records, title, t.language))
    lines = [curves.LengthCurve(evaluation, evaluation.by_length) for evaluation in records]
    length_curve.render_length_curve(lines, title, "set-curve", lambda: curves.to_csv(lines), t)
    searches = (describe_search(parse_evaluation_search(evaluation), t) for evaluation in records)
    models = "; ".join(
        f"{get_title(evaluation.model)} {evaluation.fingerprint}, {search}"
        for evaluation, search in zip(records, searches, strict=True)
    )
    provenance, commands = escape_html(t("your_text.provenance", list=models)), escape_html(t("your_text.commands"))
    st.html(
        f'<p class="note">{provenance}<br>{commands}</p>'
        + reports.format_commands_html(evaluation.command for evaluation in records)
    )


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=curves.EVALUATION_HASH)
def _pack_bars(records: tuple[Evaluation, ...], title: str, language: str) -> bytes:
    """Build the component's data once; a set may have tens of thousands of sentences."""
    t = load_messages(language)
    rows = sentence_bars.build_evaluation_rows(records[0])
    measures = sentence_bars.build_evaluation_measures(records, t)
    data = sentence_bars.build_bars_payload(title, rows, measures, [evaluation.model for evaluation in records], t)
    return sentence_bars.mount.encode(data)
