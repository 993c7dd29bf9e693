"""Your text: translate and score a file of sentences, or show attention maps from another toolkit."""

import streamlit as st

from pages import guard, list_pages
from pages.ui.backend import jobs
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun_page
from pages.ui.url_state.params import INPUT_METHOD, JOB_KEY
from pages.ui.url_state.state import get_messages, read_link_param, write_link_param
from pages.ui.widgets.status import format_alert
from pages.ui.your_text import job_results, shipped_sets, uploads

_SESSION_KEY = JOB_KEY.name


def main() -> None:
    t = get_messages()
    frame.load_page_styles("your_text")
    store = jobs.get_job_store()
    key = str(read_link_param(JOB_KEY) or st.session_state.get(_SESSION_KEY) or "")
    job = store.find(key) if key else None
    if job is not None:
        remember_job(job.key)
        pages = {page.url_path or "translate": page for page in list_pages(t)}
        job_results.render_job(job, store, pages, forget_job, t)
        return
    if key:
        forget_job(key)
        st.html(format_alert(t("your_text.gone")))
    started_job = uploads.render_form(store, t)
    if started_job is not None:
        remember_job(started_job.key)
        rerun_page()
    if st.session_state.get(INPUT_METHOD.name) != "attention":
        shipped_sets.render_shipped_sets(t)


def remember_job(key: str) -> None:
    """Store a job's key in the session and in the link."""
    st.session_state[_SESSION_KEY] = key
    write_link_param(JOB_KEY, key)


def forget_job(key: str = "") -> None:
    """Remove the job's key from the link, and from the session if it is this one ("": any)."""
    if key in ("", st.session_state.get(_SESSION_KEY)):
        st.session_state.pop(_SESSION_KEY, None)
    write_link_param(JOB_KEY, JOB_KEY.get_default())


guard()
main()
