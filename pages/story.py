"""The story: in six scenes what α is, why one vector forgets, and what the curve proves. It needs no model."""

from typing import Any

import streamlit as st

from pages import guard
from pages.ui.components.component import sent
from pages.ui.frame import frame
from pages.ui.story import payload
from pages.ui.url_state import links
from pages.ui.url_state.state import link, linked, messages

PLACE = links.SCENE.name  # where the session keeps which scene the reader is at


def main() -> None:
    t = messages()
    frame.styles("story")
    scene = at()
    payload.show(payload.payload(scene, t), moved)
    st.session_state[PLACE] = scene
    link(links.SCENE, scene)


def at() -> int:
    """The scene to open at, from 1 on: the link speaks first, after that the reader does."""
    kept = st.session_state.get(PLACE)
    return int(kept) if kept is not None else linked(links.SCENE.up_to(len(payload.LINES))) or 1


def moved() -> None:
    """The reader has come to another scene: the session keeps it when they go to other pages and come back."""
    found: Any = sent(payload.KEY, "scene")
    if type(found) is int and 1 <= found <= len(payload.LINES):
        st.session_state[PLACE] = found


guard()
main()
