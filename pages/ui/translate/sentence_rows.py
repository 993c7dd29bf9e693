"""The sentences in the box, each translated by itself: a row a sentence, one of them opened into the whole picture."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.text import input_checks
from model.trace import Trace
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset_text
from pages.ui.url_state import params
from pages.ui.url_state.state import get_param, reset_params
from pages.ui.widgets.requests import Request, SentenceInput, translations
from pages.ui.widgets.status import Status
from pages.ui.widgets.status_line import open_sentence


def split_sentences(typed: str) -> tuple[tuple[str, ...], int]:
    """The sentences in the box and which of them is opened, from 1 on; 0 where the text is not taken apart."""
    asked = get_param(params.OPEN_SENTENCE)
    found = (
        input_checks.split_sentences(typed, params.get_source_language())
        if asked > 0 and len(typed) <= params.MAX_CHARACTERS
        else ()
    )
    if len(found) > 1:
        return found, min(asked, len(found))
    if asked:  # for another text
        reset_params(params.OPEN_SENTENCE)
    return (), 0


def add_row_container(name: str) -> DeltaGenerator:
    """Where rows stand: those before the opened sentence above its picture, the others below."""
    return st.container(key=f"apart-{name}", gap="xsmall")


def render_rows(
    sentences: Sequence[str],
    opened: int,
    request: Request,
    before: DeltaGenerator,
    status: Status,
    t: Messages,
) -> None:
    """A row for every sentence: a button that opens it, and its translation as soon as there is one."""
    after = add_row_container("after")
    told: list[DeltaGenerator | None] = []
    for number, sentence in enumerate(sentences, 1):
        with before if number <= opened else after, st.container(key=f"apart-row-{number}", gap=None):
            st.button(
                f"{number}. {escape_markdown(sentence)}",
                key=f"apart-{number}",
                type="tertiary",
                disabled=number == opened,
                on_click=open_sentence,
                args=(number,),
            )
            told.append(None if number == opened else st.empty())
    for sentence, row in zip(sentences, told, strict=True):
        if row is not None:
            made, problem = translations(SentenceInput.of(sentence).text, (request,), t, status)
            row.html(_format_translation(made[0][0]) if made else f'<p role="alert">{escape_html(problem)}</p>')


def _format_translation(trace: Trace) -> str:
    """A translation as HTML, as it is printed in its language."""
    text = typeset_text(trace.target, trace.target_language)
    return f'<p lang="{escape_html(trace.target_language)}">{escape_html(text)}</p>' if text else "<p>–</p>"
