"""Browser components: each one script and one style sheet of assets/player/built, made of the modules beside it."""

import json
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import streamlit as st

from model.paths import ASSETS

BUILT = ASSETS / "player" / "built"

Data = TypeVar("Data", bound=Mapping[str, Any])

SHAPES: dict[str, type] = {}
"""What each component is sent, by its name: the browser's side is checked against the same description."""


class Component(Generic[Data]):
    """A component of the name NAME, from built/NAME.js and NAME.css, to be made once, where a module is imported.

    `shape` is the TypedDict that it is sent: assets/player/payloads.d.ts says the same of the browser's side (made by
    `python -m tests.player.payloads`). A list of texts for a component is annotated with its table of assets/words.
    """

    def __init__(self, name: str, shape: type[Data]) -> None:
        SHAPES[name] = shape
        self._mount = st.components.v2.component(name, css=style(name), js=script(name))

    def __call__(self, key: str, data: Data | bytes, **more: Any) -> Any:
        """Draw it; `more` is passed on: callbacks (on_NAME_change), width.

        The data goes in a list: the values of a bare object Streamlit would look through for tables, for which it
        imports pandas, a quarter of the time to the first picture. Data that is `packed` goes as it is.
        """
        return self._mount(key=key, data=data if isinstance(data, bytes) else [data], **more)

    @staticmethod
    def packed(data: Data) -> bytes:
        """Large data as the bytes of its JSON, for a component whose script takes it so. Streamlit writes an object out
        as JSON twice in every run of the page (a second for 4.5 MB); these bytes are made once."""
        return json.dumps(data, separators=(",", ":")).encode()


def sent(key: str, event: str) -> Any:
    """What the component of that key has sent with an event; None where it sent none.

    For callbacks: a click on a link to another page that comes together with an event takes the component's state away
    before the event is heard.
    """
    return (st.session_state.get(key) or {}).get(event)


def script(name: str) -> str:
    """The whole script of a component, an ES module."""
    return (BUILT / f"{name}.js").read_text("utf-8")


def style(name: str) -> str:
    """The whole style sheet of a component."""
    return (BUILT / f"{name}.css").read_text("utf-8")
