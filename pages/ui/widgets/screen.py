"""Colours and font size of charts on the reader's screen."""

import streamlit as st

from pages.ui.url_state.state import is_presenting


def is_dark() -> bool:
    """Return whether the theme is dark."""
    return st.context.theme.type == "dark"


def get_font_scale() -> float:
    """Return the factor by which fonts in charts are enlarged while presenting."""
    return 1.4 if is_presenting() else 1.0
