"""Choices of one or several among options that pages name themselves, kept between pages and carried by the link."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.view.shell import notices
from pages.view.shell.state import link, linked

Text = Callable[[str], str]


def several(name: str, options: Sequence[str], default: Sequence[str], label: str, text: Text) -> tuple[str, ...]:
    """A choice of any number of `options`, in their order; the link carries it as `name`, with commas between. What
    the link asks for and is none of them is spoken of."""
    if name not in st.session_state:
        asked = tuple(filter(None, st.query_params.get(name, "").split(",")))
        for part in asked:
            if part not in options:
                notices.broken(name, part, options)
        st.session_state[name] = [option for option in options if option in asked] or list(default)
    st.segmented_control(label, options, format_func=text, selection_mode="multi", key=name, persist_state="session")
    chosen = tuple(option for option in options if option in (st.session_state[name] or ()))
    link(name, ",".join(chosen), ",".join(default))
    return chosen


def one(name: str, options: Sequence[str], label: str, text: Text) -> str:
    """A choice of one of `options`, the first one unless the link says another."""
    st.session_state.setdefault(name, linked(name, options, options[0]))
    st.segmented_control(label, options, format_func=text, required=True, key=name, persist_state="session")
    chosen = str(st.session_state[name])
    link(name, chosen, options[0])
    return chosen
