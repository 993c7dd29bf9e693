"""How charts are drawn on the reader's screen: in which colours, and how much larger while they are presented."""

import streamlit as st

from pages.ui.url_state.state import is_presenting


def is_dark() -> bool:
    """Whether the page is dark."""
    return st.context.theme.type == "dark"


def get_font_scale() -> float:
    """How much larger a picture's letters are while presenting; its lines and words around it follow the styles."""
    return 1.4 if is_presenting() else 1.0
