"""The form for a reader's text: pasted or a file, how to read it, and for which models."""

from typing import NamedTuple

import streamlit as st

from model.decoding import Settings
from model.text.documents import SEPARATORS, Contents, DocumentError, Header, Separator
from model.text.languages import parse_language_pair
from model.text.tables import Table, read_table
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import MAX_RUNNING, MAX_RUNNING_PER_READER, Job, JobStore, TooManyJobsError
from pages.ui.escape import escape_html
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params, state
from pages.ui.widgets import controls
from pages.ui.widgets.status import format_alert
from pages.ui.widgets.uploader import draw_uploader
from pages.ui.your_text import attention_import, table_summary

_BEGIN_KEY = "your-text-begin"
_READ_KEY = "your-text-read"  # the last file as read, with the options it was read by


class ReadOptions(NamedTuple):
    """How to read a text."""

    contents: Contents
    header: Header
    separator: Separator


def _draw_search_control(t: Messages) -> Settings:
    return controls.draw_search_control(t, *state.get_param(params.TEXT_MODELS))


def _reset_foreign_examples() -> None:
    """Put the examples of the chosen pair of languages in place of those of another."""
    state.restore_param(params.PASTED_TEXT)
    text = str(st.session_state[params.PASTED_TEXT.name] or "")
    if text != params.PASTED_TEXT.get_default() and params.is_example_text(text):
        state.reset_params(params.PASTED_TEXT)


def render_form(jobs: JobStore, t: Messages) -> Job | None:
    """Draw the form and return the job that it has just started, if any."""
    with frame.create_widget_row("options", 36, "medium"):
        labels = {"paste": t("your_text.paste"), "file": t("your_text.file_way"),
                  "attention": t("your_text.attention_way")}  # fmt: skip
        method = param_widgets.draw_buttons(params.INPUT_METHOD, t("your_text.given"), labels.__getitem__, t)
        selection = attention_import.render_options(t) if method == "attention" else None
        if method != "attention":
            controls.draw_pair_control(t)
            controls.draw_style_control(t)
        settings = None if method == "attention" else _draw_search_control(t)
    if settings is None:
        attention_import.render_import(selection, t)
        return None
    # One container for both methods: with another number of elements here Streamlit would show everything below twice
    # until the run has ended.
    with st.container(key="input", border=False):
        if method == "paste":  # not in an st.form, whose content is lost on another page
            _reset_foreign_examples()
            param_widgets.draw_text_area(params.PASTED_TEXT, t("your_text.box"), height=170)
        else:
            draw_uploader(t("your_text.upload"), params.UPLOADED_TEXT, t, too_large=t("your_text.too_large"))
            file_status = st.empty()
    with frame.create_widget_row("reading", 36, "medium"):
        options = _render_read_options(t)
    with st.container(key="start", horizontal=True, vertical_alignment="bottom"):
        models = param_widgets.draw_multiselect(
            params.TEXT_MODELS, t("your_text.models"), get_title, placeholder=t("your_text.no_models")
        )
        st.button(t("your_text.start"), key="begin", type="primary", on_click=_store_begin)
    st.html(f'<p class="note">{escape_html(t("your_text.note"))}</p>')
    with st.container(key="status", border=False):
        status = st.empty()
    table = _read_uploaded_file(options) if method == "file" else None
    if isinstance(table, DocumentError):
        file_status.html(format_alert(_describe_problem(table, t)))
    elif table is not None:
        file_status.html(f'<p class="note" role="status">{escape_html(table_summary.summarise_table(table, t))}</p>')
    if not st.session_state.pop(_BEGIN_KEY, False):
        return None
    if method == "paste":
        table = _read_table(str(st.session_state[params.PASTED_TEXT.name] or ""), "", options)
        if isinstance(table, DocumentError):
            status.html(format_alert(_describe_problem(table, t)))
    elif table is None:
        status.html(format_alert(t("your_text.no_file")))
    if table is None or isinstance(table, DocumentError):
        return None
    if not models:
        status.html(format_alert(t("your_text.choose")))
        return None
    try:
        return jobs.start(table, models, settings, state.get_reader_id(), params.get_style())
    except TooManyJobsError as error:
        problem = t("your_text.own_busy", count=MAX_RUNNING_PER_READER) if error.is_reader_limit \
            else t("your_text.busy", count=MAX_RUNNING)  # fmt: skip
        status.html(format_alert(problem))
        return None


def _render_read_options(t: Messages) -> ReadOptions:
    """Draw the choices of contents, header and separator."""
    detect = {"detect": t("your_text.detect")}
    contents_labels = detect | {"source": t("your_text.source_only"), "pair": t("your_text.pairs")}
    contents = param_widgets.draw_buttons(params.CONTENT, t("your_text.contents"), contents_labels.__getitem__, t)
    header_labels = detect | {"yes": t("your_text.header_yes"), "no": t("your_text.header_no")}
    header = param_widgets.draw_buttons(params.HEADER, t("your_text.header"), header_labels.__getitem__, t)
    separator_labels = detect | {name: t(f"separator.{name}") for name in SEPARATORS if name != "detect"}
    separator = param_widgets.draw_selectbox(
        params.SEPARATOR, t("your_text.separator"), separator_labels.__getitem__, is_label_hidden=False
    )
    return ReadOptions(contents, header, separator)


def _store_begin() -> None:
    """Store that the button was pressed: if the guard runs the page again, the button's value is lost."""
    st.session_state[_BEGIN_KEY] = True


def _read_uploaded_file(options: ReadOptions) -> Table | DocumentError | None:
    """Read the uploaded file, once for the same options; None without a file."""
    uploaded_file = st.session_state.get(params.UPLOADED_TEXT)
    if uploaded_file is None:
        st.session_state.pop(_READ_KEY, None)
        return None
    key = uploaded_file.file_id, params.get_chosen_pair(), options
    cached_table = st.session_state.get(_READ_KEY)
    if cached_table is None or cached_table[0] != key:
        table = _read_table(uploaded_file.getvalue(), uploaded_file.name, options)
        cached_table = st.session_state[_READ_KEY] = key, table
    result: Table | DocumentError = cached_table[1]
    return result


def _read_table(data: bytes | str, name: str, options: ReadOptions) -> Table | DocumentError:
    try:
        return read_table(data, name, languages=parse_language_pair(params.get_chosen_pair()), **options._asdict())
    except DocumentError as error:
        return error


def _describe_problem(error: DocumentError, t: Messages) -> str:
    return t(f"document.{error.kind}", **error.values)
