"""What stands around every page: the styles, the name, the navigation, the language."""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from pages.view.escape import markup
from pages.view.state import language_switch
from pages.view.words import Words

_ASSETS = Path(__file__).parents[2] / "assets"
ICON = str(_ASSETS / "icons" / "icon.svg")
STYLES = _ASSETS / "player" / "page.css"


def header(pages: list[Page], current: Page, say: Words) -> None:
    """Draw the frame: one line that stays the same on every page, with `current` marked."""
    st.html(STYLES)
    with st.container(key="frame", horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(f"<h1>{markup(say('app.title'))}</h1>", width="content")
        with st.container(key="pages", horizontal=True, width="content", gap="small"):
            for number, page in enumerate(pages):
                with st.container(key="page-now" if page is current else f"page-{number}", width="content"):
                    st.page_link(page)
        language_switch(say)
