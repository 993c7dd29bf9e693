"""Browser components: each is a script and a style sheet in assets/player/built, bundled from modules beside it.

The scripts import shared code as chunks, so the browser fetches them from the app's server (`frame/serving.py`).
Streamlit gets a script that only imports them. An exported file holds the script and its chunks (`standalone.py`).
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Generic, TypeVar

import streamlit as st

from model.paths import ASSETS

BUILT = ASSETS / "player" / "built"
RESTART_KEY = "component-restart"
"""Session key of a number; where it changes, components on the screen begin anew (assets/player/shared/latest_data.js).
"""

Data = TypeVar("Data", bound=Mapping[str, Any])

PAYLOAD_TYPES: dict[str, type] = {}
"""The TypedDict of each component's data, by name. The browser's code is checked against the same types."""


class Component(Generic[Data]):
    """The component of built/NAME.js and NAME.css. Create it once, at the top of a module.

    `shape`: the TypedDict of its data. `python -m tests.player.payloads` writes the same types for the browser to
    assets/player/payloads.d.ts. A field that holds texts is annotated with its table of assets/words. `is_restarted`:
    whether it begins anew where RESTART_KEY changes.
    """

    def __init__(self, name: str, shape: type[Data], is_restarted: bool = True) -> None:
        PAYLOAD_TYPES[name] = shape
        self._is_restarted = is_restarted
        # Streamlit would take a string of one line for a file name.
        self._mount = st.components.v2.component(
            name, css=f"/* {name} */\n{read_style(name)}", js=_build_import_script(name)
        )

    def __call__(self, key: str, data: Data | bytes, **options: Any) -> Any:
        """Draw the component. `options`: for Streamlit, such as on_NAME_change and width.

        The data is wrapped in a list: Streamlit searches the values of a bare dict for tables, and imports pandas for
        it, a quarter of the time to the first picture. Encoded data is passed as it is.
        """
        restart = st.session_state.get(RESTART_KEY) if self._is_restarted else None
        wrapped_data = [data] if restart is None else [data, restart]
        return self._mount(key=key, data=data if isinstance(data, bytes) else wrapped_data, **options)

    @staticmethod
    def encode(data: Data) -> bytes:
        """Return data as JSON bytes, for large data of a component whose script accepts these. Streamlit would encode
        an object twice in every run of the page (a second for 4.5 MB)."""
        return json.dumps(data, separators=(",", ":")).encode()


def get_event(key: str, event: str) -> Any:
    """Return the value that the component of this key sent with an event, or None.

    For callbacks: if a click on a link to another page arrives together with an event, Streamlit removes the
    component's state before it calls the callback.
    """
    return (st.session_state.get(key) or {}).get(event)


def read_script(name: str) -> str:
    """Return a file of assets/player/built, an ES module; `name` without the suffix."""
    return (BUILT / f"{name}.js").read_text("utf-8")


def read_style(name: str) -> str:
    """Return the style sheet of a component."""
    return (BUILT / f"{name}.css").read_text("utf-8")


def get_base_path() -> str:
    """Return the path under which the app is served: "" or "/NAME"."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""


@cache
def get_scripts_path() -> str:
    """Return the path of the scripts on the app's server. It holds a hash of them, so that browsers may keep them."""
    digest = hashlib.sha256()
    for path in sorted(BUILT.glob("*.js")):
        digest.update(path.name.encode() + path.read_bytes())
    return f"{get_base_path()}/player/{digest.hexdigest()[:12]}"


def _build_import_script(name: str) -> str:
    # Streamlit imports this from a blob, where relative URLs do not work.
    return f"""const script = await import(location.origin + "{get_scripts_path()}/{name}.js")
export default script.default"""
