"""A component of the browser's side on an empty page, without the app: it is given data as Streamlit gives them, again
and again, and what it tells is noted."""

import json
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Page

from pages.ui.components.component import read_style
from pages.ui.components.standalone import build_import_map
from tests.browser.conftest import context_of, leave

_WINDOW: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"}
_BEGIN = """async ({ name, style }) => {
  const component = await import(`player/${name}`)
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" })
  root.append(Object.assign(document.createElement("style"), { textContent: style }))
  const parentElement = root.appendChild(document.createElement("div"))
  window.told = []
  const noting = (kind) => (name, value) => window.told.push([kind, name, value])
  const given = { parentElement, setStateValue: noting("state"), setTriggerValue: noting("trigger") }
  window.give = (text, packed) => {
    component.default({ ...given, data: packed ? new TextEncoder().encode(text) : [JSON.parse(text)] })
  }
}"""


class Mounted:
    """A component of that name (of assets/player/built) on a page of its own, `page`. `packed`: whether it takes its
    data as bytes (Component.packed)."""

    def __init__(self, browser: Browser, name: str, packed: bool = False) -> None:
        self.page: Page = context_of(browser, _WINDOW).new_page()
        self.packed = packed
        self.wrong: list[str] = []  # what went wrong in the script, of which the test need know nothing
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", lambda said: self.wrong.extend([f"console: {said.text}"] * (said.type == "error")))
        self.page.set_content(f'<script type="importmap">{build_import_map(name)}</script>')
        self.page.evaluate(_BEGIN, {"name": name, "style": read_style(name)})

    def give(self, data: Mapping[str, Any]) -> None:
        """Draw these data."""
        self.page.evaluate("([text, packed]) => window.give(text, packed)", [json.dumps(data), self.packed])

    def told(self) -> list[tuple[str, str, Any]]:
        """What it has told the page so far: "state" or "trigger", its name and the value."""
        return [(kind, name, value) for kind, name, value in self.page.evaluate("window.told")]

    def next_told(self) -> tuple[str, str, Any]:
        """What it tells next, or has told last, alone."""
        self.page.wait_for_function("window.told.length")
        kind, name, value = self.page.evaluate("window.told.splice(0).at(-1)")
        return kind, name, value

    def close(self) -> None:
        leave(self.page)
        assert not self.wrong
