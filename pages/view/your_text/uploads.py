"""How a reader's text comes in: pasted or as a file, with what it holds, for which models; then a job begins."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.text.documents import Contents, Document, DocumentError, Header, read
from model.text.languages import PAIR
from pages.view.service import cards
from pages.view.service.cards import title_of
from pages.view.service.jobs import OWN, RUNNING, Job, Jobs, TooManyJobs
from pages.view.shell import controls, frame, links, picks, state
from pages.view.shell.escape import markup
from pages.view.shell.messages import Messages
from pages.view.shell.uploading import uploader
from pages.view.your_text import imported

_ASKED = "your-text-asked"


def form(jobs: Jobs, say: Messages) -> Job | None:
    """Draw the form; returns the job that was begun by it, if one was just now."""
    with frame.line("options", 36, "medium"):
        ways = {"paste": say("your_text.paste"), "file": say("your_text.file_way"),
                "attention": say("your_text.attention_way")}  # fmt: skip
        way = picks.one(links.GIVEN, say("your_text.given"), ways.__getitem__, say)
        seen = imported.options(say) if way == "attention" else None
        options = None if way == "attention" else (controls.search(say), *_contents(say))
    if options is None:
        imported.form(seen, say)
        return None
    search, contents, header = options
    if way == "paste":  # in no form: what a form holds is lost on going elsewhere
        picks.typed(links.PASTED, say("your_text.box"), height=170)
    else:
        uploader(say("your_text.upload"), "uploaded", say)
        st.html(f'<p class="too-large" role="alert">{markup(say("your_text.too_large"))}</p>')
    with st.container(key="start", horizontal=True, vertical_alignment="bottom"):
        chosen = picks.ticked(links.CHOSEN, say("your_text.models"), title_of, empty=say("your_text.no_models"))
        st.button(say("your_text.start"), key="begin", type="primary", on_click=_ask)
    st.html(f'<p class="note">{markup(say("your_text.note"))}</p>')
    with st.container(key="status", border=False):
        status = st.empty()
    if not st.session_state.pop(_ASKED, False):
        return None
    document = _document(way, header, contents, chosen, status, say)
    if document is None:
        return None
    if not chosen:
        _alert(status, say("your_text.choose"))
        return None
    try:
        return jobs.start(document, chosen, search, state.reader())
    except TooManyJobs as error:
        _alert(status, say("your_text.own_busy", count=OWN) if error.own else say("your_text.busy", count=RUNNING))
        return None


def _contents(say: Messages) -> tuple[Contents, Header]:
    """What the text holds, and whether its first line names the columns."""
    detect = {"detect": say("your_text.detect")}
    kinds = detect | {"source": say("your_text.source_only"), "pair": say("your_text.pairs")}
    contents = picks.one(links.CONTENT, say("your_text.contents"), kinds.__getitem__, say)
    headed = detect | {"yes": say("your_text.header_yes"), "no": say("your_text.header_no")}
    return contents, picks.one(links.HEADER, say("your_text.header"), headed.__getitem__, say)


def _ask() -> None:
    """The button was pressed: noted, since a run that a guard begins anew knows nothing of buttons."""
    st.session_state[_ASKED] = True


def _document(
    way: str, header: Header, contents: Contents, models: Sequence[str], status: DeltaGenerator, say: Messages
) -> Document | None:
    """What was given, read; None where that can't be done, which is then said in a sentence."""
    uploaded = st.session_state.get("uploaded") if way == "file" else None
    if way == "file" and uploaded is None:
        _alert(status, say("your_text.no_file"))
        return None
    given = uploaded.getvalue() if uploaded else str(st.session_state[links.PASTED.name] or "")
    try:
        pair = next(filter(None, map(cards.languages_of, models)), PAIR)
        return read(given, uploaded.name if uploaded else "", header, contents, pair)
    except DocumentError as error:
        _alert(status, say(f"document.{error.kind}", **error.values))
        return None


def _alert(status: DeltaGenerator, problem: str) -> None:
    status.html(f'<p role="alert">{markup(problem)}</p>')
