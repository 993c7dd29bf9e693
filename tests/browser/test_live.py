"""Live translation: it follows the typing, and no key is lost on a slow connection."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import settle
from tests.browser.slow import run_slow_proxy

Visit = Callable[..., Page]

BOX = ".st-key-sentence textarea"
TEXT = "the little dog runs in the garden, and my mother sees it."
HEADS = ".picture .heads"
RECORD_SOURCES = """() => {
  window.sources = []
  const roots = () => [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)
  const record = () => {
    const words = roots().flatMap((root) => [...root.querySelectorAll(".picture .heads [data-source]:not(.end)")])
    const now = words.map((word) => word.textContent).join(" ")
    if (now && now !== window.sources.at(-1)) window.sources.push(now)
    requestAnimationFrame(record)
  }
  record()
}"""
"""Records every source sentence that the picture shows, in order."""


def type_like_a_person(page: Page, text: str, seed: int) -> None:
    """Type with random pauses, some long enough for a request; every key must appear at once and stay."""
    draw, typed = random.Random(seed), ""
    for letter in text:
        page.keyboard.type(letter)
        typed += letter
        assert page.locator(BOX).input_value() == typed
        page.wait_for_timeout(draw.choice([15, 25, 40, 40, 60, 90, 320, 345, 420, 700]))
        assert page.locator(BOX).input_value() == typed


@pytest.mark.verdict
def test_translations_follow_in_order_and_no_key_is_lost(server: str, visit: Visit) -> None:
    with run_slow_proxy(server, delay=0.1) as address:
        page = visit(f"{address}/?live=on")
        settle(page)
        page.locator(BOX).fill("Good.")
        expect(page.locator(HEADS)).to_contain_text("Good")  # the models are loaded
        page.evaluate(RECORD_SOURCES)
        page.locator(BOX).press("Control+a")
        type_like_a_person(page, TEXT, seed=101)
        whole = re.sub(r"\W+", "", TEXT)
        page.wait_for_function("whole => window.sources.at(-1)?.replaceAll(/\\W+/g, '') === whole", arg=whole)
        settle(page)  # the server is idle: no response can follow
        assert page.locator(BOX).input_value() == TEXT
        expect(page.locator(BOX)).to_be_focused()
        sources = [re.sub(r"\W+", "", source) for source in page.evaluate("window.sources")]
        assert sources[0] == "Good"
        prefixes = sources[1:]
        assert all(whole.startswith(prefix) for prefix in prefixes), sources
        assert len(prefixes) > 3, sources  # responses came during typing
        assert prefixes[-1] == whole
        assert [len(prefix) for prefix in prefixes] == sorted(len(prefix) for prefix in prefixes)  # no stale one


def test_it_is_off_by_default_and_links_carry_it(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?more=1")
    settle(page)
    before = page.locator(HEADS).inner_text()
    page.locator(BOX).fill("I am a teacher.")
    page.wait_for_timeout(1200)
    assert page.locator(HEADS).inner_text() == before
    page.locator(".st-key-live [role=radio]").nth(1).click()
    page.wait_for_url("**/?*live=on*")
    settle(page)
    page.locator(BOX).press("End")
    page.keyboard.type(" ")
    page.keyboard.press("Backspace")
    expect(page.locator(HEADS)).to_contain_text("teacher")
    expect(page.locator(".st-key-pages a").nth(2)).to_have_attribute("href", re.compile("live=on"))
