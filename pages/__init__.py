"""The list of pages, and the guard that keeps every link to one of them whole."""

import streamlit as st
from streamlit.navigation.page import Page

from pages.view.state import words
from pages.view.words import Words

FRAMED = "framed"


def pages(say: Words) -> list[Page]:
    """Every page, in the order of the navigation; the first one opens by default."""
    return [st.Page("pages/translate.py", title=say("page.translate"), default=True)]


def guard() -> None:
    """To be called first by every page.

    Streamlit runs a file of a folder named pages/ by itself, without app.py's frame, when the first request to a fresh
    server asks for it, and stays so. Registering the pages and running again puts app.py in charge; it leaves a mark
    before it runs a page, which is taken away here so that it speaks for one run only.
    """
    if not st.session_state.pop(FRAMED, False):
        st.navigation(pages(words()), position="hidden")
        st.rerun()
