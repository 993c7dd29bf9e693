"""The sentence box: it has the focus once a page is open, grows with its lines, and submits before a link is followed.

Its modules are imported unbundled on an empty page where the app is not needed.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from model.paths import ASSETS

Visit = Callable[..., Page]
ORIGIN = "http://player.localhost"
BOX = "<div class='st-key-sentence'><textarea>{}</textarea></div>"
FOCUS = """async ([text, delay]) => {
  const { focusSentenceBox } = await import("/translate/box_focus.js")
  const box = document.querySelector("textarea")
  delay ? setTimeout(() => (box.value = text), delay) : (box.value = text)
  focusSentenceBox("sentence")
}"""
LISTEN = """async () => {
  const { submitBeforeLeaving, listenToSentenceBox } = await import("/shared/sentence_box.js")
  listenToSentenceBox(new AbortController().signal, () => false)
  window.holdsLink = () => submitBeforeLeaving(document.querySelector(".st-key-pages a"))
}"""


def open_empty_page(browser: Browser, body: str) -> Page:
    """Open a page that can import the modules of assets/player."""
    page = browser.new_page()
    page.route(
        f"{ORIGIN}/**",
        lambda route: route.fulfill(path=ASSETS / "player" / route.request.url.removeprefix(f"{ORIGIN}/")),
    )
    page.route(f"{ORIGIN}/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{ORIGIN}/")
    return page


def test_typing_replaces_the_text_even_if_it_arrives_late(browser: Browser) -> None:
    for text, delay in (("Already there.", 0), ("A moment later.", 300), ("", 0)):
        page = open_empty_page(browser, BOX.format(""))
        box = page.locator("textarea")
        page.evaluate(FOCUS, [text, delay])
        expect(box).to_have_value(text)
        expect(box).to_be_focused()
        page.keyboard.type("New.")
        expect(box).to_have_value("New.")
        page.close()
    page = open_empty_page(browser, BOX.format("") + "<button>Here</button>")
    page.locator("button").focus()
    page.evaluate(FOCUS, ["A sentence.", 0])
    expect(page.locator("button")).to_be_focused()  # the focus is not taken from another control
    page.close()


def test_only_text_that_was_not_submitted_holds_a_link(browser: Browser) -> None:
    page = open_empty_page(browser, BOX.format("A cat.") + "<div class='st-key-pages'><a href='#'>Compare</a></div>")
    page.evaluate(LISTEN)
    box = page.locator("textarea")
    box.press("End")
    for keys, is_held in (
        (["x"], True), (["y", "Backspace"], False), (["z", "Control+Enter"], False), (["z", "Meta+Enter"], False),
        (["Shift+Enter"], True), (["u", "Enter"], False), (["u", "Backspace"], False), (["v", "Backspace", "v"], True),
    ):  # fmt: skip
        for key in keys:
            box.press(key)
        assert page.evaluate("window.holdsLink()") == is_held, keys
        assert not page.evaluate("window.holdsLink()"), keys  # it was submitted
    page.close()


def test_the_box_grows_and_enter_submits_but_shift_enter_adds_a_line(server: str, visit: Visit) -> None:
    page = visit(server)
    box = page.locator(".st-key-sentence textarea")
    box.fill("The cat drinks.")
    page.get_by_role("link", name="New here?").click()  # carries no sentence: is followed at once
    expect(page).to_have_url(re.compile("/story"), timeout=3000)
    page.goto(server)
    page.wait_for_selector(".picture table")
    height = "node => node.getBoundingClientRect().height"
    one_line = box.evaluate(height)
    assert one_line < 60
    paragraphs = "The bread is warm.\n\nWe open the window. A bird sings.\n\nThen it rains."
    box.fill(paragraphs)
    assert box.evaluate(height) > 2.5 * one_line
    box.press("Enter")
    expect(page).to_have_url(re.compile("bread.*%0A%0A.*rains"))
    assert box.input_value() == paragraphs
    box.fill("line\n" * 200)
    assert box.evaluate(height) <= 0.4 * 900 + 2, "a long text scrolls"

    box.fill("One day.")
    box.press("Shift+Enter")
    page.keyboard.type("I am a student.")
    assert box.input_value() == "One day.\nI am a student."
    composing = """node => node.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, isComposing: true }))"""
    assert box.evaluate(composing), "Enter in an input method editor does not submit"
    page.wait_for_timeout(500)
    assert "student" not in page.url
