"""Your own text: a file of sentences through the models, its scores, and every sentence as a bar that can be opened; or
attention from another toolkit, in the pictures of ours."""

import streamlit as st

from pages import guard, pages
from pages.ui.backend import jobs
from pages.ui.escape import markup
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.url_state.links import GIVEN, TEXT
from pages.ui.url_state.state import link, linked, messages
from pages.ui.your_text import job_results, shipped_sets, uploads

KEY = TEXT.name  # where the session keeps a job's key


def main() -> None:
    t = messages()
    frame.styles("your_text")
    store = jobs.shared()
    key = str(linked(TEXT) or st.session_state.get(KEY) or "")
    job = store.find(key) if key else None
    if job is not None:
        remember(job.key)
        listed = {page.url_path or "translate": page for page in pages(t)}
        job_results.show(job, store, listed, forget, t)
        return
    if key:
        forget(key)
        st.html(f'<p role="alert">{markup(t("your_text.gone"))}</p>')
    begun = uploads.form(store, t)
    if begun is not None:
        remember(begun.key)
        rerun()
    if st.session_state.get(GIVEN.name) != "attention":
        shipped_sets.show(t)


def remember(key: str) -> None:
    """Keep a job's key while the reader moves between pages, and in the link."""
    st.session_state[KEY] = key
    link(TEXT, key)


def forget(key: str = "") -> None:
    """Take a job's key out of the link, and out of the session where it has that one (any, if none is named)."""
    if key in ("", st.session_state.get(KEY)):
        st.session_state.pop(KEY, None)
    link(TEXT, TEXT.kind.default())


guard()
main()
