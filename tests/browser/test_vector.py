"""What is in the vector, in a real Chromium: beginnings are marked, words lead to words by pointer and by keys."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
READY = ".vector .written li"


def test_a_column_marks_its_beginning_and_keys_walk_on(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=vector&sentence=The cat sleeps.", READY)
    page.locator('.vector td[data-t="0"][data-s="1"]').click()
    expect(page.locator(".vector .written li.here")).to_have_attribute("data-s", "1")
    expect(page.locator(".vector .cut-said")).to_contain_text("Only the first 2 of 4 words read, up to “cat”")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".vector .written li.here")).to_have_attribute("data-s", "2")


def test_a_word_marks_the_same_word_and_leads_to_its_nearest(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=vector&sentence=The bank is old.", READY)
    page.locator(".vector .meanings button", has_text="bank").click()
    expect(page.locator(".vector .dot.same")).to_have_count(11)
    expect(page.locator(".vector .near li")).to_have_count(10)
    expect(page.locator(".vector .plane .link")).to_have_count(10)
    page.wait_for_url("**point=**")
    page.locator(".vector .near li button").first.click()
    at = page.locator(".vector .dot.at")
    before = at.get_attribute("data-p")
    page.locator(".vector .plane").focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(at).to_have_count(1)
    assert at.get_attribute("data-p") != before


def uncovered(page: Page) -> None:
    """No name in the plane covers another."""
    boxes = [box for name in page.locator(".vector .names span:not([hidden])").all() if (box := name.bounding_box())]
    assert len(boxes) > 5
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            apart = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            assert apart or abs(one["y"] - other["y"]) >= min(one["height"], other["height"]) - 1


def test_names_in_the_plane_cover_nothing_and_closer_spreads_them(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=vector&sentence=The bank is old.", READY)
    page.locator(".vector .meanings button", has_text="spring").click()
    spread = "all => Math.max(...all.map(one => one.offsetLeft)) - Math.min(...all.map(one => one.offsetLeft))"
    apart = page.locator(".vector .dot.same").evaluate_all(spread)
    uncovered(page)
    page.locator(".vector .closer").click()
    uncovered(page)
    assert page.locator(".vector .dot.same").evaluate_all(spread) > 1.5 * apart
    page.locator(".vector .closer").click()
    assert page.locator(".vector .dot.same").evaluate_all(spread) == apart


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_each_part_fits_the_projector(server: str, visit: Visit, width: int, height: int) -> None:
    size = {"width": width, "height": height}
    page = visit(f"{server}/laboratory?part=vector&present=1", f"{READY} >> nth=3", viewport=size)
    for part in (".maps", ".among"):
        box = page.locator(f".vector {part}[data-presented]").bounding_box()
        assert box is not None
        assert box["height"] <= height - 12, part


def test_a_phone_in_korean_in_the_dark(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/laboratory?part=vector", READY, **phone)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert page.locator(".vector").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    expect(page.locator(".vector .near-title")).to_contain_text("코사인")
