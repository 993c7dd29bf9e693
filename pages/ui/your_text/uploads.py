"""How a reader's text comes in: pasted or as a file, with what it holds, for which models; then a job begins."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.text.documents import SEPARATORS, Contents, DocumentError, Header, Separator
from model.text.languages import DEFAULT_PAIR
from model.text.tables import Table, read_table
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import MAX_RUNNING, MAX_RUNNING_PER_READER, Job, Jobs, TooManyJobs
from pages.ui.escape import escape_html
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params, state
from pages.ui.widgets import controls
from pages.ui.widgets.uploader import draw_uploader
from pages.ui.your_text import attention_import, table_summary

_BEGIN_KEY = "your-text-asked"
_READ_KEY = "your-text-read"  # where the session keeps how the file that was chosen last reads, and by which choices


class ReadOptions(NamedTuple):
    """How a text is to be read."""

    contents: Contents
    header: Header
    separator: Separator


def render_form(jobs: Jobs, t: Messages) -> Job | None:
    """Draw the form; returns the job that was begun by it, if one was just now."""
    with frame.create_widget_row("options", 36, "medium"):
        ways = {"paste": t("your_text.paste"), "file": t("your_text.file_way"),
                "attention": t("your_text.attention_way")}  # fmt: skip
        way = param_widgets.draw_buttons(params.INPUT_METHOD, t("your_text.given"), ways.__getitem__, t)
        seen = attention_import.render_options(t) if way == "attention" else None
        search = None if way == "attention" else controls.draw_search_control(t)
    if search is None:
        attention_import.render_import(seen, t)
        return None
    # One container for both ways: with another number of elements here, all that follows would stand on the page twice
    # until the run that switches between them has ended.
    with st.container(key="input", border=False):
        if way == "paste":  # in no form: a form's content is lost when the reader goes to another page
            param_widgets.draw_text_area(params.PASTED_TEXT, t("your_text.box"), height=170)
        else:
            draw_uploader(t("your_text.upload"), "uploaded", t, too_large=t("your_text.too_large"))
            decided = st.empty()
    with frame.create_widget_row("reading", 36, "medium"):
        choices = _render_read_options(t)
    with st.container(key="start", horizontal=True, vertical_alignment="bottom"):
        chosen = param_widgets.draw_multiselect(
            params.TEXT_MODELS, t("your_text.models"), get_title, empty=t("your_text.no_models")
        )
        st.button(t("your_text.start"), key="begin", type="primary", on_click=_on_begin)
    st.html(f'<p class="note">{escape_html(t("your_text.note"))}</p>')
    with st.container(key="status", border=False):
        status = st.empty()
    found = _read_uploaded_file(chosen, choices) if way == "file" else None
    if isinstance(found, DocumentError):
        _render_alert(decided, _describe_problem(found, t))
    elif found is not None:
        decided.html(f'<p class="note" role="status">{escape_html(table_summary.summarize_table(found, t))}</p>')
    if not st.session_state.pop(_BEGIN_KEY, False):
        return None
    if way == "paste":
        found = _read_table(str(st.session_state[params.PASTED_TEXT.name] or ""), "", chosen, choices)
        if isinstance(found, DocumentError):
            _render_alert(status, _describe_problem(found, t))
    elif found is None:
        _render_alert(status, t("your_text.no_file"))
    if found is None or isinstance(found, DocumentError):
        return None
    if not chosen:
        _render_alert(status, t("your_text.choose"))
        return None
    try:
        return jobs.start(found, chosen, search, state.get_reader_id())
    except TooManyJobs as error:
        _render_alert(
            status,
            t("your_text.own_busy", count=MAX_RUNNING_PER_READER)
            if error.own
            else t("your_text.busy", count=MAX_RUNNING),
        )
        return None


def _render_read_options(t: Messages) -> ReadOptions:
    """Ask what the text holds, whether its first line names the columns, and what separates these."""
    detect = {"detect": t("your_text.detect")}
    kinds = detect | {"source": t("your_text.source_only"), "pair": t("your_text.pairs")}
    contents = param_widgets.draw_buttons(params.CONTENT, t("your_text.contents"), kinds.__getitem__, t)
    headed = detect | {"yes": t("your_text.header_yes"), "no": t("your_text.header_no")}
    header = param_widgets.draw_buttons(params.HEADER, t("your_text.header"), headed.__getitem__, t)
    separators = detect | {name: t(f"separator.{name}") for name in SEPARATORS if name != "detect"}
    separator = param_widgets.draw_selectbox(
        params.SEPARATOR, t("your_text.separator"), separators.__getitem__, hidden=False
    )
    return ReadOptions(contents, header, separator)


def _on_begin() -> None:
    """The button was pressed: noted, since a run that a guard begins anew knows nothing of buttons."""
    st.session_state[_BEGIN_KEY] = True


def _read_uploaded_file(models: Sequence[str], choices: ReadOptions) -> Table | DocumentError | None:
    """Read the file that was chosen, once for the same choices; None where there is none."""
    uploaded = st.session_state.get("uploaded")
    if uploaded is None:
        st.session_state.pop(_READ_KEY, None)
        return None
    of = uploaded.file_id, _get_languages(models), choices
    kept = st.session_state.get(_READ_KEY)
    if kept is None or kept[0] != of:
        found = _read_table(uploaded.getvalue(), uploaded.name, models, choices)
        kept = st.session_state[_READ_KEY] = of, found
    read: Table | DocumentError = kept[1]
    return read


def _read_table(given: bytes | str, name: str, models: Sequence[str], choices: ReadOptions) -> Table | DocumentError:
    try:
        return read_table(given, name, languages=_get_languages(models), **choices._asdict())
    except DocumentError as error:
        return error


def _get_languages(models: Sequence[str]) -> tuple[str, str]:
    return next(filter(None, map(cards.get_languages, models)), DEFAULT_PAIR)


def _describe_problem(error: DocumentError, t: Messages) -> str:
    return t(f"document.{error.kind}", **error.values)


def _render_alert(status: DeltaGenerator, problem: str) -> None:
    status.html(f'<p role="alert">{escape_html(problem)}</p>')
