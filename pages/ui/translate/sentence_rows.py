"""Several sentences in the box: a row for each, one of them open with its heatmap."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.text import input_checks
from model.text.politeness import split_tag
from model.trace import Trace
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset_text
from pages.ui.url_state import params
from pages.ui.url_state.state import get_param, reset_params
from pages.ui.widgets.fetch import Request, SentenceInput
from pages.ui.widgets.status import Status, format_alert
from pages.ui.widgets.status_line import set_open_sentence
from pages.ui.widgets.translations import translate


def split_box(text: str) -> tuple[tuple[str, ...], int]:
    """Return the sentences of the text and the number of the open one; 0 if they are translated as one text."""
    open_number = get_param(params.OPEN_SENTENCE)
    untagged_text = split_tag(text)[1] if params.get_style() else text
    tag = text.removesuffix(untagged_text)  # of a style of Korean, which then applies to every sentence
    sentences = (
        tuple(tag + sentence for sentence in input_checks.split_sentences(untagged_text, params.get_source_language()))
        if open_number > 0 and len(text) <= params.MAX_CHARACTERS
        else ()
    )
    if len(sentences) > 1:
        return sentences, min(open_number, len(sentences))
    if open_number:  # the number is of an earlier text
        reset_params(params.OPEN_SENTENCE)
    return (), 0


def add_row_container(name: str) -> DeltaGenerator:
    """Add a container for the rows before or after the open sentence's heatmap."""
    return st.container(key=f"apart-{name}", gap="xsmall")


def render_rows(
    sentences: Sequence[str],
    open_number: int,
    request: Request,
    container_before: DeltaGenerator,
    status: Status,
    t: Messages,
) -> None:
    """Draw a row for every sentence: a button that opens it, and its translation as soon as there is one."""
    container_after = add_row_container("after")
    places: list[DeltaGenerator | None] = []
    for number, sentence in enumerate(sentences, 1):
        container = container_before if number <= open_number else container_after
        with container, st.container(key=f"apart-row-{number}", gap=None):
            st.button(
                f"{number}. {escape_markdown(sentence)}",
                key=f"apart-{number}",
                type="tertiary",
                disabled=number == open_number,
                on_click=set_open_sentence,
                args=(number,),
            )
            places.append(None if number == open_number else st.empty())
    for sentence, place in zip(sentences, places, strict=True):
        if place is not None:
            traces, problem = translate(SentenceInput.from_text(sentence).text, (request,), t, status)
            place.html(_format_translation(traces[0][0]) if traces else format_alert(problem))


def _format_translation(trace: Trace) -> str:
    """Return a translation as HTML, typeset for its language."""
    text = typeset_text(trace.target, trace.target_language)
    return f'<p lang="{escape_html(trace.target_language)}">{escape_html(text)}</p>' if text else "<p>–</p>"
