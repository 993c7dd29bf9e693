"""Browser components: each one script and one style sheet of assets/player, put after what all of them share."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_PLAYER = Path(__file__).parents[2] / "assets" / "player"


def component(name: str) -> ComponentRenderer:
    """The component of assets/player/NAME.js and NAME.css, to be made once, where a module is imported.

    Mount it with `component(...)(key=..., data=...)`. Its script may use everything of dom.js, its style the colours
    of tokens.css.
    """
    return st.components.v2.component(name, css=_together("tokens.css", f"{name}.css"), js=script(name))


def script(name: str) -> str:
    """The whole script of a component, an ES module."""
    return _together("dom.js", f"{name}.js")


def _together(*files: str) -> str:
    return "\n".join((_PLAYER / file).read_text("utf-8") for file in files)
