"""What stands around every page: the styles, the name, the navigation, the language.

Every line has its height from the start, whatever is still being loaded into it, so that nothing moves.
"""

from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from pages.view.escape import markup
from pages.view.state import language_switch
from pages.view.words import Words

_ASSETS = Path(__file__).parents[2] / "assets"
ICON = str(_ASSETS / "icons" / "icon.svg")
STYLES = _ASSETS / "player" / "page.css"


def sheet() -> DeltaGenerator:
    """The one column that everything stands in, its lines without gaps."""
    st.html(STYLES)
    return st.container(key="sheet", gap=None)


def styles(page: str) -> None:
    """Load the styles of one page's own controls, assets/player/PAGE.page.css."""
    st.html(_ASSETS / "player" / f"{page}.page.css")


def line(key: str, height: int, gap: Literal["xsmall", "small", "medium"] = "xsmall") -> DeltaGenerator:
    """One line of widgets, `height` pixels high; on a narrow screen it is scrolled sideways, not broken."""
    return st.container(
        key=key, height=height, border=False, horizontal=True, wrap=False, vertical_alignment="center", gap=gap
    )


def header(pages: list[Page], current: Page, say: Words) -> None:
    """Draw the frame: one line that stays the same on every page, with `current` marked."""
    with line("frame", 36, "small"):
        st.html(f"<h1>{markup(say('app.title'))}</h1>", width="content")
        with st.container(key="pages", horizontal=True, width="content", gap="xsmall"):
            for number, page in enumerate(pages):
                with st.container(key="page-now" if page is current else f"page-{number}", width="content"):
                    st.page_link(page)
        language_switch(say)
