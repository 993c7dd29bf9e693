"""Explanations of terms: by pointer, tap and keyboard, on pages and in components."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.ui.i18n.messages import load_messages
from tests.browser.accessibility import find_violations
from tests.browser.running import get_box, is_presenting, settle

Visit = Callable[..., Page]
BOX = ".glossary .explanation"
PHONE = {"width": 390, "height": 844}


def expect_explanation(page: Page, term: str, language: str = "en") -> None:
    """Expect this explanation, wholly within the window."""
    expect(page.locator(BOX)).to_contain_text(load_messages(language)(f"glossary.{term}"))
    box, window = get_box(page.locator(BOX)), page.viewport_size
    assert window is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] + box["height"] <= window["height"]


@pytest.mark.verdict
def test_pointer_and_keyboard_open_an_explanation_that_moves_nothing(server: str, visit: Visit) -> None:
    page = visit(server)
    settle(page)
    table = page.locator(".picture table")
    before = table.bounding_box()
    page.locator(".picture .term[data-term=log_p]").first.hover()
    expect_explanation(page, "log_p")
    assert table.bounding_box() == before
    page.locator(BOX).hover()  # it stays open for reading and copying
    page.wait_for_timeout(400)
    expect(page.locator(BOX)).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.locator(BOX)).to_be_hidden()
    page.locator(".picture .term[data-term='model:RNNencdec-50']").first.hover()
    expect_explanation(page, "rnnencdec")

    page.goto(f"{server}/?present=1")
    settle(page)
    term = page.locator(".picture .term[data-term=one_vector]").first
    term.focus()
    page.keyboard.press("Enter")
    expect_explanation(page, "one_vector")
    expect(term).to_have_attribute("aria-expanded", "true")
    meaning = load_messages("en")("glossary.one_vector")
    expect(page.locator(".glossary [aria-live]")).to_have_text(re.compile(rf"\w\W*\. {re.escape(meaning)}$"))
    assert float(page.locator(BOX).evaluate("node => parseFloat(getComputedStyle(node).fontSize)")) >= 16
    assert find_violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(BOX)).to_be_hidden()
    expect(term).to_be_focused()
    assert is_presenting(page), "Escape only closes the box"


def test_a_term_in_a_component_is_explained_at_any_speed_of_the_pointer(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?scene=4", ".story .picture > *", viewport={"width": 1280, "height": 720})
    settle(page)
    page.keyboard.press("Space")  # shows two sentences with terms
    picture = get_box(page.locator(".story .picture"))
    boxes = [get_box(page.locator(f".story .term[data-term={term}]").first) for term in ("energy", "decoder")]
    (x, y), (u, v) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    for steps in (1, 5, 40):
        page.mouse.move(x, y + 90)  # within the same component
        page.mouse.move(x, y, steps=steps)
        expect_explanation(page, "energy")
        page.mouse.move(u, v, steps=steps)
        expect_explanation(page, "decoder")
        box = get_box(page.locator(BOX))
        assert box["x"] + box["width"] <= picture["x"], "the picture stays free"
        page.mouse.move(u, v - 60, steps=steps)
        expect(page.locator(BOX)).to_be_hidden()
    page.locator(".story .term[data-term=decoder]").focus()
    page.keyboard.press("Enter")
    expect_explanation(page, "decoder")
    page.keyboard.press("ArrowRight")  # the next step of the story closes it
    expect(page.locator(BOX)).to_be_hidden()


def test_a_tap_opens_an_explanation_and_another_closes_it(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?lang=ko", viewport=PHONE, has_touch=True)
    settle(page)
    page.locator(".picture .term[data-term=one_vector]").first.tap()
    expect_explanation(page, "one_vector", "ko")
    assert find_violations(page) == []
    page.locator(".sentence .word").first.tap()
    expect(page.locator(BOX)).to_be_hidden()
