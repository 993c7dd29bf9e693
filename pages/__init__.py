"""The list of pages, and the guard that runs each of them inside the frame of app.py."""

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.state import PAGE_KEY, get_messages, open_page

FRAME_MARK = "framed"


def list_pages(t: Messages) -> list[Page]:
    """Return the pages in the order of the navigation. Translate is the default page."""
    return [
        st.Page("pages/story.py", title=t("page.story")),
        st.Page("pages/translate.py", title=t("page.translate"), url_path="", default=True),
        st.Page("pages/step_by_step.py", title=t("page.step_by_step")),
        st.Page("pages/compare.py", title=t("compare.title")),
        st.Page("pages/family.py", title=t("page.family")),
        st.Page("pages/concepts.py", title=t("concepts.title")),
        st.Page("pages/train_live.py", title=t("training.title")),
        st.Page("pages/laboratory.py", title=t("laboratory.title")),
        st.Page("pages/length_and_bleu.py", title=t("length.title")),
        st.Page("pages/paper_figures.py", title=t("figures.title")),
        st.Page("pages/your_text.py", title=t("page.your_text")),
    ]


def navigate(t: Messages) -> tuple[list[Page], Page]:
    """Register the pages; return them and the current one. Translate is at the root, and also under its own name."""
    pages = list_pages(t)
    translate_by_name = st.Page("pages/translate.py", title=t("page.translate"), visibility="hidden")
    current_page = st.navigation([*pages, translate_by_name], position="hidden")
    if current_page.url_path != st.session_state.get(PAGE_KEY):
        open_page(current_page.url_path)
    return pages, current_page


def guard() -> None:
    """Rerun through app.py if Streamlit runs a page directly. Every page calls this first.

    If the first request to a fresh server is for a file in pages/, Streamlit runs it without app.py. Registering the
    pages and rerunning puts app.py in charge. app.py sets FRAME_MARK before it runs a page; it is valid for one run.
    """
    if not st.session_state.pop(FRAME_MARK, False):
        navigate(get_messages())
        rerun_page()
