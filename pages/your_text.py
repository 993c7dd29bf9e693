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

JOB_KEY = TEXT.name  # where the session keeps a job's key


def main() -> None:
    t = messages()
    frame.styles("your_text")
    store = jobs.shared()
    key = str(linked(TEXT) or st.session_state.get(JOB_KEY) or "")
    job = store.find(key) if key else None
    if job is not None:
        remember_job(job.key)
        listed = {page.url_path or "translate": page for page in pages(t)}
        job_results.render_job(job, store, listed, forget_job, t)
        return
    if key:
        forget_job(key)
        st.html(f'<p role="alert">{markup(t("your_text.gone"))}</p>')
    begun = uploads.render_form(store, t)
    if begun is not None:
        remember_job(begun.key)
        rerun()
    if st.session_state.get(GIVEN.name) != "attention":
        shipped_sets.render_shipped_sets(t)


def remember_job(key: str) -> None:
    """Keep a job's key while the reader moves between pages, and in the link."""
    st.session_state[JOB_KEY] = key
    link(TEXT, key)


def forget_job(key: str = "") -> None:
    """Take a job's key out of the link, and out of the session where it has that one (any, if none is named)."""
    if key in ("", st.session_state.get(JOB_KEY)):
        st.session_state.pop(JOB_KEY, None)
    link(TEXT, TEXT.kind.default())


guard()
main()
