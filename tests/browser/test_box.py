"""The box: ready when a page has just opened, whenever Streamlit fills it; it grows with its lines and keeps them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from model.paths import ASSETS

Visit = Callable[..., Page]

PLAYER = ASSETS / "player"
ORIGIN = "http://player.localhost"
READY = """async ([text, after]) => {
  const { focusSentenceBox } = await import("/translate/box_focus.js")
  const box = document.querySelector("textarea")
  after ? setTimeout(() => (box.value = text), after) : (box.value = text)
  focusSentenceBox("sentence")
}"""


def blank(browser: Browser, body: str) -> Page:
    """A page of its own that can import the modules as they are."""
    page = browser.new_page()
    page.route(f"{ORIGIN}/**", lambda route: route.fulfill(path=PLAYER / route.request.url.removeprefix(f"{ORIGIN}/")))
    page.route(f"{ORIGIN}/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{ORIGIN}/")
    return page


@pytest.mark.parametrize(("text", "filled_after"), [("Already there.", 0), ("A moment later.", 300), ("", 0)])
def test_what_is_typed_replaces_the_text_of_the_box(browser: Browser, text: str, filled_after: int) -> None:
    page = blank(browser, "<div class='st-key-sentence'><textarea></textarea></div>")
    page.evaluate(READY, [text, filled_after])
    expect(page.locator("textarea")).to_have_value(text)
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("New.")
    assert page.locator("textarea").input_value() == "New."
    page.close()


def test_the_box_takes_the_keyboard_from_nothing_else(browser: Browser) -> None:
    page = blank(browser, "<div class='st-key-sentence'><textarea></textarea></div><button autofocus>Here</button>")
    page.locator("button").focus()
    page.evaluate(READY, ["A sentence.", 0])
    expect(page.locator("button")).to_be_focused()
    page.close()


LINKED = """async () => {
  const { submitBeforeLeaving, listenToSentenceBox } = await import("/shared/sentence_box.js")
  listenToSentenceBox(new AbortController().signal, () => false)
  window.asks = () => submitBeforeLeaving(document.querySelector(".st-key-pages a"))
}"""


def test_only_what_was_typed_and_not_asked_for_holds_a_link_up(browser: Browser) -> None:
    page = blank(browser, "<div class='st-key-sentence'><textarea>A cat.</textarea></div>"
                          "<div class='st-key-pages'><a href='#'>Compare</a></div>")  # fmt: skip
    page.evaluate(LINKED)
    box = page.locator("textarea")
    box.press("End")
    for keys, held in (
        (["x"], True), (["y", "Backspace"], False), (["z", "Control+Enter"], False), (["z", "Meta+Enter"], False),
        (["Shift+Enter"], True), (["u", "Enter"], False), (["u", "Backspace"], False), (["v", "Backspace", "v"], True),
    ):  # fmt: skip
        for key in keys:
            box.press(key)
        if not held:
            assert not page.evaluate("window.asks()"), keys
        else:  # and holds it up no more once it is asked for
            value = box.input_value()
            assert page.evaluate("window.asks()"), keys
            assert not page.evaluate("window.asks()"), keys
            assert box.input_value() == value
    page.close()


PARAGRAPHS = "The bread is warm.\n\nWe open the window. A bird sings.\n\nThen it rains."


def height(page: Page) -> float:
    box = page.locator(".st-key-sentence textarea").bounding_box()
    assert box is not None
    return box["height"]


def test_three_paragraphs_are_kept_and_the_box_grows(server: str, visit: Visit) -> None:
    page = visit(server)
    box = page.locator(".st-key-sentence textarea")
    one_line = height(page)
    assert one_line < 60
    box.fill(PARAGRAPHS)
    assert height(page) > 2.5 * one_line
    box.press("Enter")
    expect(page).to_have_url(re.compile("bread.*%0A%0A.*rains"))
    assert box.input_value() == PARAGRAPHS
    box.fill("line\n" * 200)
    assert height(page) <= 0.4 * 900 + 2, "a long text is scrolled inside"


def test_enter_asks_and_shift_with_enter_begins_a_line(server: str, visit: Visit) -> None:
    page = visit(server)
    box = page.locator(".st-key-sentence textarea")
    box.fill("One day.")
    box.press("Shift+Enter")
    page.keyboard.type("I am a student.")
    assert box.input_value() == "One day.\nI am a student."
    page.wait_for_timeout(500)
    assert "student" not in page.url
    composing = """node => node.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, isComposing: true }))"""
    assert box.evaluate(composing), "Enter that chooses among Korean or Chinese letters asks for nothing"
    box.fill("I am a student.")
    box.press("Enter")
    expect(page).to_have_url(re.compile("student"))
    expect(page.locator("thead th:not(.end) .word").first).to_have_text("I")
    assert box.input_value() == "I am a student."


def test_all_examples_are_reached_by_a_press(server: str, visit: Visit) -> None:
    page = visit(server, viewport={"width": 1280, "height": 720})
    line = page.locator(".st-key-examples")
    box = line.bounding_box()
    assert box is not None
    middle = box["y"] + 16
    # Chromium shows the button a frame after the examples that it scrolls; till then a press would choose one of them.
    page.wait_for_function(
        "node => getComputedStyle(node, '::scroll-button(inline-end)').visibility === 'visible'",
        arg=line.element_handle(),
    )
    for _ in range(4):
        page.mouse.click(box["x"] + box["width"] - 14, middle)
        page.wait_for_timeout(800)
    last = page.locator(".st-key-examples button").last.bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= box["x"] + box["width"]
    first = page.locator(".st-key-examples button").first.inner_text()
    assert page.locator(".st-key-sentence textarea").input_value() == first  # none was chosen
    for _ in range(4):
        page.mouse.click(box["x"] + 14, middle)
        page.wait_for_timeout(800)
    assert line.evaluate("node => node.scrollLeft") == 0
