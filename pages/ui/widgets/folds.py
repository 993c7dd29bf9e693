"""Folds below a picture for methods, numbers and commands. They stay as the reader left them, on other pages too."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.i18n.messages import Messages

_STATES = "folds"


def create_fold(name: str, t: Messages, label: str = "") -> DeltaGenerator:
    """Create a fold, closed at first. `label`: instead of the common one for methods and numbers."""
    key = f"fold-{name}"

    def store_state() -> None:
        st.session_state.setdefault(_STATES, {})[name] = st.session_state[key]

    return st.expander(label or t("fold.label"), is_open(name), key=key, type="compact", on_change=store_state)


def is_open(name: str) -> bool:
    """Return whether the reader has opened a fold."""
    return st.session_state.get(_STATES, {}).get(name, False)
