"""The list of pages, and the guard that keeps every link to one of them whole."""

import streamlit as st
from streamlit.navigation.page import Page

from pages.view.words import Words

FRAMED = "framed"


def pages(say: Words) -> list[Page]:
    """Every page, in the order of the navigation; the first one opens by default."""
    return [st.Page("pages/translate.py", title=say("page.translate"), default=True)]


def guard() -> None:
    """To be called first by every page.

    Streamlit runs a file of a folder named pages/ by itself when the first request to a fresh server asks for it,
    without app.py's frame, and stays so. Registering the pages and running again puts app.py in charge.
    """
    if FRAMED not in st.session_state:
        from pages.view.state import words

        st.navigation(pages(words()), position="hidden")
        st.rerun()
