"""Browser components: each is one script and one style sheet in assets/player/built, made from the modules beside it.

The scripts import what they share as chunks, so the browser fetches them from the app's own server
(`frame/serving.py`). What Streamlit gets only imports the script. An exported file holds the script and its chunks
itself (`alone.py`).
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Generic, TypeVar

import streamlit as st

from model.paths import ASSETS

BUILT = ASSETS / "player" / "built"

Data = TypeVar("Data", bound=Mapping[str, Any])

PAYLOAD_TYPES: dict[str, type] = {}
"""What each component is sent, by its name: the browser's side is checked against the same description."""


class Component(Generic[Data]):
    """A component of the name NAME, from built/NAME.js and NAME.css, to be made once, where a module is imported.

    `shape` is the TypedDict that it is sent: assets/player/payloads.d.ts says the same of the browser's side (made by
    `python -m tests.player.payloads`). A list of texts for a component is annotated with its table of assets/words.
    """

    def __init__(self, name: str, shape: type[Data]) -> None:
        PAYLOAD_TYPES[name] = shape
        # Streamlit takes a text of one line for the name of a file.
        self._mount = st.components.v2.component(
            name, css=f"/* {name} */\n{read_style(name)}", js=_build_import_script(name)
        )

    def __call__(self, key: str, data: Data | bytes, **options: Any) -> Any:
        """Draw it; `more` is passed on: callbacks (on_NAME_change), width.

        The data goes in a list: the values of a bare object Streamlit would look through for tables, for which it
        imports pandas, a quarter of the time to the first picture. Data that is `packed` goes as it is.
        """
        return self._mount(key=key, data=data if isinstance(data, bytes) else [data], **options)

    @staticmethod
    def encode(data: Data) -> bytes:
        """Large data as the bytes of its JSON, for a component whose script takes it so. Streamlit writes an object out
        as JSON twice in every run of the page (a second for 4.5 MB); these bytes are made once."""
        return json.dumps(data, separators=(",", ":")).encode()


def get_event(key: str, event: str) -> Any:
    """What the component of that key has sent with an event; None where it sent none.

    For callbacks: a click on a link to another page that comes together with an event takes the component's state away
    before the event is heard.
    """
    return (st.session_state.get(key) or {}).get(event)


def read_script(name: str) -> str:
    """Return a file of assets/player/built, an ES module; `name` without the suffix."""
    return (BUILT / f"{name}.js").read_text("utf-8")


def read_style(name: str) -> str:
    """The whole style sheet of a component."""
    return (BUILT / f"{name}.css").read_text("utf-8")


@cache
def get_scripts_path() -> str:
    """Return the path of the scripts on the app's server. It holds a hash of them, so that browsers may keep them."""
    digest = hashlib.sha256()
    for path in sorted(BUILT.glob("*.js")):
        digest.update(path.name.encode() + path.read_bytes())
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{f'/{base}' if base else ''}/player/{digest.hexdigest()[:12]}"


def _build_import_script(name: str) -> str:
    # Streamlit imports this from a blob, where a relative address has no base.
    return f"""const script = await import(location.origin + "{get_scripts_path()}/{name}.js")
export default script.default"""
