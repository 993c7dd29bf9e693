"""The list of pages, and the guard that keeps every link to one of them whole."""

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.state import PAGE_KEY, get_messages

FRAME_MARK = "framed"


def list_pages(t: Messages) -> list[Page]:
    """Every page, in the order of the navigation and of a lecture; Translate opens by default."""
    return [
        st.Page("pages/story.py", title=t("page.story")),
        st.Page("pages/translate.py", title=t("page.translate"), url_path="", default=True),
        st.Page("pages/step_by_step.py", title=t("page.step_by_step")),
        st.Page("pages/compare.py", title=t("compare.title")),
        st.Page("pages/family.py", title=t("page.family")),
        st.Page("pages/laboratory.py", title=t("laboratory.title")),
        st.Page("pages/length_and_bleu.py", title=t("length.title")),
        st.Page("pages/paper_figures.py", title=t("figures.title")),
        st.Page("pages/your_text.py", title=t("page.your_text")),
    ]


def navigate(t: Messages) -> tuple[list[Page], Page]:
    """Register the pages; returns them and the one that is to be shown.

    Translate stands at the root, and under its own name too for those who write it into the address.
    """
    listed = list_pages(t)
    named = st.Page("pages/translate.py", title=t("page.translate"), visibility="hidden")
    current = st.navigation([*listed, named], position="hidden")
    st.session_state[PAGE_KEY] = current.url_path
    return listed, current


def guard() -> None:
    """To be called first by every page.

    Streamlit runs a file of a folder named pages/ by itself, without app.py's frame, when the first request to a fresh
    server asks for it, and stays so. Registering the pages and running again puts app.py in charge; it leaves a mark
    before it runs a page, which is taken away here so that it speaks for one run only.
    """
    if not st.session_state.pop(FRAME_MARK, False):
        navigate(get_messages())
        rerun_page()
