"""How a reader's text comes in: pasted or as a file, with what it holds, for which models; then a job begins."""

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import available
from model.text.documents import CONTENTS, HEADERS, Contents, Document, DocumentError, Header, read
from pages.view.service import opening
from pages.view.service.jobs import RUNNING, Job, Jobs, TooManyJobs
from pages.view.service.service import ATTENDED, PLAIN
from pages.view.shell import controls, frame
from pages.view.shell.escape import markup
from pages.view.shell.messages import Messages

Option = TypeVar("Option", bound=str)

WAYS = ("paste", "file")
_ASKED = "your-text-asked"


def form(jobs: Jobs, say: Messages) -> Job | None:
    """Draw the form; returns the job that was begun by it, if one was just now."""
    with frame.line("options", 36, "medium"):
        way = _one_of("given", WAYS, say("your_text.given"), [say("your_text.paste"), say("your_text.file_way")])
        search = controls.search(say)
        contents = _one_of(
            "contents",
            CONTENTS,
            say("your_text.contents"),
            [say("your_text.detect"), say("your_text.source_only"), say("your_text.pairs")],
        )
        header = _one_of(
            "header",
            HEADERS,
            say("your_text.header"),
            [say("your_text.detect"), say("your_text.header_yes"), say("your_text.header_no")],
        )
    names = controls.familiar(sorted(card.name for card in available()))
    with st.form("your-text", border=False):
        if way == "paste":
            st.session_state.setdefault("pasted", "\n".join(example.sentence for example in opening.examples()))
            st.text_area(say("your_text.box"), key="pasted", persist_state="session", height=170)
        else:
            st.file_uploader(say("your_text.upload"), key="uploaded")
            st.html(f'<p class="too-large" role="alert">{markup(say("your_text.too_large"))}</p>')
        with st.container(key="start", horizontal=True, vertical_alignment="bottom"):
            st.session_state.setdefault("chosen", [name for name in names if name in (ATTENDED, PLAIN)] or names[:1])
            st.multiselect(
                say("your_text.models"),
                names,
                format_func=controls.shown_name,
                key="chosen",
                persist_state="session",
                placeholder=say("your_text.no_models"),
            )
            st.form_submit_button(say("your_text.start"), key="begin", type="primary", on_click=_ask)
    st.html(f'<p class="note">{markup(say("your_text.note"))}</p>')
    with st.container(key="status", border=False):
        status = st.empty()
    if not st.session_state.pop(_ASKED, False):
        return None
    document = _document(way, header, contents, status, say)
    chosen = [name for name in st.session_state["chosen"] if name in names]
    if document is None:
        return None
    if not chosen:
        _alert(status, say("your_text.choose"))
        return None
    try:
        return jobs.start(document, chosen, search)
    except TooManyJobs:
        _alert(status, say("your_text.busy", count=RUNNING))
        return None


def _ask() -> None:
    """The button was pressed: noted, since a run that a guard begins anew knows nothing of buttons."""
    st.session_state[_ASKED] = True


def _document(way: str, header: Header, contents: Contents, status: DeltaGenerator, say: Messages) -> Document | None:
    """What was given, read; None where that can't be done, which is then said in a sentence."""
    uploaded = st.session_state.get("uploaded") if way == "file" else None
    if way == "file" and uploaded is None:
        _alert(status, say("your_text.no_file"))
        return None
    given = uploaded.getvalue() if uploaded else str(st.session_state["pasted"] or "")
    try:
        return read(given, uploaded.name if uploaded else "", header, contents)
    except DocumentError as error:
        _alert(status, say(f"document.{error.kind}", **error.values))
        return None


def _alert(status: DeltaGenerator, problem: str) -> None:
    status.html(f'<p role="alert">{markup(problem)}</p>')


def _one_of(key: str, options: tuple[Option, ...], label: str, texts: Sequence[str]) -> Option:
    """A quiet choice that is kept while the reader moves between pages, and is no part of the link."""
    st.session_state.setdefault(key, options[0])
    shown = dict(zip(options, texts, strict=True))
    st.segmented_control(
        label, options, format_func=lambda option: shown[option], required=True, key=key, persist_state="session"
    )
    chosen = st.session_state[key]
    return chosen if chosen in options else options[0]
