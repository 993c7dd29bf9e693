"""A JavaScript component mounted on an empty page without the app. It gets data as from Streamlit; its events are
recorded."""

import json
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Page

from pages.ui.components.component import read_style
from pages.ui.components.standalone import build_import_map
from tests.browser.conftest import close_page, get_context

_OPTIONS: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"}
_MOUNT = """async ({ name, style }) => {
  const component = await import(`player/${name}`)
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" })
  root.append(Object.assign(document.createElement("style"), { textContent: style }))
  const parentElement = root.appendChild(document.createElement("div"))
  window.events = []
  const record = (kind) => (name, value) => window.events.push([kind, name, value])
  const context = { parentElement, setTriggerValue: record("trigger") }
  window.render = (text, packed) => {
    const data = packed ? new TextEncoder().encode(text) : [JSON.parse(text)]
    window.cleanUp = component.default({ ...context, data })
  }
}"""


class Mounted:
    """A component of assets/player/built on its own `page`. `packed`: whether it takes bytes (Component.packed)."""

    def __init__(self, browser: Browser, name: str, packed: bool = False) -> None:
        self.page: Page = get_context(browser, _OPTIONS).new_page()
        self.packed = packed
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        self.page.on("console", lambda line: self.errors.extend([f"console: {line.text}"] * (line.type == "error")))
        self.page.set_content(f'<script type="importmap">{build_import_map(name)}</script>')
        self.page.evaluate(_MOUNT, {"name": name, "style": read_style(name)})

    def render(self, data: Mapping[str, Any]) -> None:
        """Draw these data."""
        self.page.evaluate("([text, packed]) => window.render(text, packed)", [json.dumps(data), self.packed])

    def list_events(self) -> list[tuple[str, str, Any]]:
        """Return all events so far as (kind, name, value); the kind is "state" or "trigger"."""
        return [(kind, name, value) for kind, name, value in self.page.evaluate("window.events")]

    def pop_event(self) -> tuple[str, str, Any]:
        """Wait for an event, return the last one, and forget all."""
        self.page.wait_for_function("window.events.length")
        kind, name, value = self.page.evaluate("window.events.splice(0).at(-1)")
        return kind, name, value

    def close(self) -> None:
        """Take the component off the page, and fail if it has logged an error."""
        self.page.evaluate("() => { document.body.replaceChildren(); window.cleanUp?.() }")
        close_page(self.page)
        assert not self.errors
