"""The box of a page that has just opened: what is typed replaces the sentence in it, whenever Streamlit fills it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

BOX = (Path(__file__).parents[2] / "assets" / "player" / "translate" / "box.js").read_text("utf-8")
READY = """async ([code, text, after]) => {
  const { ready } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const box = document.querySelector("input")
  after ? setTimeout(() => (box.value = text), after) : (box.value = text)
  ready("sentence")
}"""


@pytest.mark.parametrize(("text", "filled_after"), [("Already there.", 0), ("A moment later.", 300), ("", 0)])
def test_what_is_typed_replaces_the_text_of_the_box(browser: Browser, text: str, filled_after: int) -> None:
    page = browser.new_page()
    page.set_content("<div class='st-key-sentence'><input></div>")
    page.evaluate(READY, [BOX, text, filled_after])
    expect(page.locator("input")).to_have_value(text)
    expect(page.locator("input")).to_be_focused()
    page.keyboard.type("New.")
    assert page.locator("input").input_value() == "New."
    page.close()


def test_the_box_takes_the_keyboard_from_nothing_else(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<div class='st-key-sentence'><input></div><button autofocus>Here</button>")
    page.locator("button").focus()
    page.evaluate(READY, [BOX, "A sentence.", 0])
    expect(page.locator("button")).to_be_focused()
    page.close()
