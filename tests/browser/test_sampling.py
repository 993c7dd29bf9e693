"""Drawn translations in a real Chromium: other dice give others, the same seed the same, a place lights its row."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
READY = ".sampling .groups li"


def test_other_dice_draw_others_and_a_link_draws_the_same_again(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=sampling&draws=10&heat=1.5", READY)
    first = page.locator(".sampling .groups").text_content()
    dice = page.locator(".st-key-dice button").first
    assert dice.evaluate("node => parseFloat(getComputedStyle(node).borderTopWidth)") >= 1  # seen to be a button
    dice.click()
    expect(page.locator(".sampling .groups")).not_to_have_text(first or "")
    page.wait_for_url("**seed=2**")
    second = page.locator(".sampling .groups").text_content()
    again = visit(page.url, READY)
    assert again.locator(".sampling .groups").text_content() == second
    place = again.locator(".sampling .place").nth(1)
    place.hover()
    expect(again.locator(".sampling tbody th.here")).to_have_attribute("data-t", "1")
    again.locator(".st-key-cut button", has_text="5 likeliest").click()
    again.wait_for_url("**cut=top-5**")


def test_a_phone_in_korean_in_the_dark(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/laboratory?part=sampling&draws=10", READY, **phone)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert page.locator(".sampling").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
