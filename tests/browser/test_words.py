"""Forced words in a real Chromium: an alternative is taken, a word is typed, a translation of one's own is read."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
READY = ".words .word"


def test_an_alternative_is_taken_and_a_word_is_typed(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=words", READY)
    own = page.locator('.words [data-row="0"]')
    own.nth(1).click()
    expect(own.nth(1)).to_have_attribute("aria-pressed", "true")
    page.locator(".words [data-take]").nth(1).click()
    page.wait_for_url("**edits=p**")
    changed = page.locator('.words [data-row="1"]')
    expect(changed.first).to_be_visible()  # the model may have to be loaded first
    expect(page.locator('.words [data-row="1"].other').first).to_be_visible()
    own.nth(1).click()
    page.locator(".words form input").fill("chat")
    page.locator(".words form button").click()
    expect(changed.nth(1)).to_have_text(re.compile(r"^chat surprise [0-9.]+ nats$"))
    page.locator(".words [data-do=free]").click()
    page.wait_for_url(lambda url: "edits=" not in url)
    expect(changed).to_have_count(0)


def test_a_translation_of_ones_own_is_read_and_walked_by_keys(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=words&own=Mon chat dort.", READY)
    expect(page.locator(".words .parts")).to_contain_text("first depart from this at “chat”")
    expect(page.locator('.words [data-row="1"]').nth(1)).to_have_text(re.compile(r"^chat surprise [0-9.]+ nats$"))
    page.locator('.words [data-row="0"]').first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator('.words [data-row="1"][data-word="1"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".words .instead")).to_contain_text("chat")


def test_a_phone_in_korean_in_the_dark(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/laboratory?part=words", READY, **phone)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert page.locator(".words").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
