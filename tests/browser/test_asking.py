"""Other ways of asking in a real Chromium: two maps light the same pair, keys walk them, the way is in the link."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.running import choose_model

Visit = Callable[..., Page]
READY = ".asking table"


def test_both_maps_show_the_same_pair_by_pointer_and_by_keys(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=asking", READY)
    said = page.locator(".asking .said")
    idle = said.inner_text()
    maps = page.locator(".asking table")
    expect(maps).to_have_count(2)
    rows = """all => all.map(row => Math.max(
      ...[...row.querySelectorAll("td[data-s]")].map(cell => cell.style.getPropertyValue("--shade"))))"""
    assert set(maps.nth(1).locator("tbody tr").evaluate_all(rows)) == {1}  # each row by its own largest value
    expect(page.locator(".asking figcaption .scaled")).to_be_visible()
    maps.nth(0).locator('td[data-t="0"][data-s="0"]').hover()
    expect(page.locator(".asking td.here")).to_have_count(2)
    expect(said).to_contain_text("α")
    page.mouse.move(2, 2)
    expect(said).to_have_text(idle)
    maps.nth(1).locator('td[data-t="0"][data-s="0"]').click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(maps.nth(1).locator('td[data-t="1"][data-s="1"]')).to_be_focused()
    expect(maps.nth(0).locator("td.here")).to_have_attribute("data-t", "1")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("end")


def test_each_way_is_a_link_and_says_what_it_means(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=asking&asked=integrated", READY)
    expect(page.locator(".asking .note")).to_contain_text("Integrated gradients")
    expect(page.locator(".asking .note")).to_contain_text("The sum of each row is right to within")
    page.locator(".st-key-asked button", has_text="leaving words out").click()
    expect(page.locator(".asking .means")).to_contain_text("Leaving words out")
    page.wait_for_url("**asked=occlusion**")
    choose_model(page, "RNNencdec-50")
    expect(page.locator(".asking .blind")).to_contain_text("only alignment there is")
    expect(page.locator(".asking table")).to_have_count(1)


def test_a_phone_in_korean_in_the_dark(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/laboratory?part=asking", READY, **phone)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert page.locator(".asking").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    expect(page.locator(".asking .means")).to_contain_text("기울기 × 입력")
