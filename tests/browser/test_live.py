"""Live in a real Chromium: the translation follows the typing, and no key is lost, however slow the server is."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import settled
from tests.browser.slow import slowed

Visit = Callable[..., Page]

BOX = ".st-key-sentence textarea"
PATIENCE = 60_000  # milliseconds: the models may still be loading
TEXT = "the little dog runs in the garden, and my mother sees it from the window of the kitchen."
HEADS = ".picture .heads"
WATCH = """() => {
  window.sources = []
  const roots = () => [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)
  const said = () => {
    const words = roots().flatMap((root) => [...root.querySelectorAll(".picture .heads [data-source]:not(.end)")])
    const now = words.map((word) => word.textContent).join(" ")
    if (now && now !== window.sources.at(-1)) window.sources.push(now)
    requestAnimationFrame(said)
  }
  said()
}"""
"""Notes every source sentence that the picture shows, in order."""


def typing(page: Page, text: str, seed: int) -> None:
    """Type as people do, most keys fast, now and then a rest that is just too short, or long enough to be answered;
    every key must be in the box at once, and stay there."""
    drawn = random.Random(seed)
    written = ""
    for letter in text:
        page.keyboard.type(letter)
        written += letter
        assert page.locator(BOX).input_value() == written
        page.wait_for_timeout(drawn.choice([15, 25, 40, 40, 60, 90, 320, 345, 420, 700]))
        assert page.locator(BOX).input_value() == written


@pytest.mark.verdict
@pytest.mark.parametrize("delay", [0.0, 0.1], ids=["near", "far"])
def test_the_translation_follows_and_no_key_is_lost(server: str, visit: Visit, delay: float) -> None:
    with slowed(server, delay) as address:
        page = visit(f"{address}/?live=on")
        settled(page)
        page.locator(BOX).fill("Good.")
        page.wait_for_selector(".picture table", timeout=PATIENCE)
        expect(page.locator(HEADS)).to_contain_text("Good", timeout=PATIENCE)  # the models are loaded
        page.evaluate(WATCH)
        page.locator(BOX).press("Control+a")
        typing(page, TEXT, seed=int(1000 * delay) + 1)
        expect(page.locator(HEADS)).to_contain_text("kitchen", timeout=PATIENCE)
        page.wait_for_timeout(1500)  # an answer that is late would come now
        assert page.locator(BOX).input_value() == TEXT
        expect(page.locator(BOX)).to_be_focused()
        shown = [re.sub(r"\W+", "", one) for one in page.evaluate("window.sources")]
        whole = re.sub(r"\W+", "", TEXT)
        mine = [one for one in shown if whole.startswith(one)]
        assert len(mine) > 3, shown  # answers came while it was typed
        assert shown[-1] == whole
        assert [len(one) for one in mine] == sorted(len(one) for one in mine)  # none of them after a newer one


def test_it_is_off_unless_asked_for_and_the_link_carries_it(server: str, visit: Visit) -> None:
    page = visit(server)
    settled(page)
    before = page.locator(HEADS).inner_text()
    page.locator(BOX).fill("I am a teacher.")
    page.wait_for_timeout(1200)
    assert page.locator(HEADS).inner_text() == before
    page.locator(".st-key-live [role=radio]").nth(1).click()
    page.wait_for_url("**/?*live=on*")
    settled(page)
    page.locator(BOX).press("End")
    page.keyboard.type(" ")
    page.keyboard.press("Backspace")
    expect(page.locator(HEADS)).to_contain_text("teacher", timeout=PATIENCE)
    expect(page.locator(".st-key-pages a").nth(2)).to_have_attribute("href", re.compile("live=on"))
