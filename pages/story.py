"""The story: what α is, why one vector forgets, and what the curve proves, in six scenes. It needs no model."""

from typing import Any

import streamlit as st

from pages import guard
from pages.ui.components.component import get_event
from pages.ui.frame import frame
from pages.ui.story import payload
from pages.ui.url_state import params
from pages.ui.url_state.state import get_messages, read_link_param, write_link_param

SCENE_KEY = params.SCENE.name


def main() -> None:
    t = get_messages()
    frame.load_page_styles("story")
    scene = get_scene()
    payload.render_story(payload.build_story_payload(scene, t), store_scene)
    st.session_state[SCENE_KEY] = scene
    write_link_param(params.SCENE, scene)


def get_scene() -> int:
    """Return the scene to open at, from 1: the reader's last one, else that of the link."""
    scene = st.session_state.get(SCENE_KEY)
    return int(scene) if scene is not None else read_link_param(params.SCENE.with_maximum(len(payload.SCENES))) or 1


def store_scene() -> None:
    """Store the scene, so that it is open when the reader comes back from another page."""
    scene: Any = get_event(payload.KEY, "scene")
    if type(scene) is int and 1 <= scene <= len(payload.SCENES):
        st.session_state[SCENE_KEY] = scene


guard()
main()
