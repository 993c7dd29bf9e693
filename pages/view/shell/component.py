"""Browser components: each one script and one style sheet of assets/player, put after what all of them share."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_PLAYER = Path(__file__).parents[3] / "assets" / "player"


def component(name: str, *parts: str) -> ComponentRenderer:
    """The component of assets/player/NAME.js and NAME.css, to be made once, where a module is imported.

    Mount it with `component(...)(key=..., data=...)`. Its script may use everything of dom.js and of its `parts`
    (PART.js each), its style the colours of tokens.css and what its parts have (PART.css, where there is one).
    """
    return st.components.v2.component(name, css=style(name, *parts), js=script(name, *parts))


def script(name: str, *parts: str) -> str:
    """The whole script of a component, an ES module."""
    return _together("dom.js", *(f"{part}.js" for part in parts), f"{name}.js")


def style(name: str, *parts: str) -> str:
    """The whole style sheet of a component."""
    styled = [f"{part}.css" for part in parts if (_PLAYER / f"{part}.css").exists()]
    return _together("tokens.css", *styled, f"{name}.css")


def _together(*files: str) -> str:
    return "\n".join((_PLAYER / file).read_text("utf-8") for file in files)
