"""Alignment being born in a real Chromium: the slider plays, its marks are places, and cells answer."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
READY = ".birth .alpha"
WEIGHT = "node => Number(node.style.getPropertyValue('--weight'))"


def test_the_slider_plays_from_flat_rows_to_a_diagonal_that_turns(server: str, visit: Visit) -> None:
    page = visit(f"{server}/length_and_bleu?probe=5", READY)
    track = page.locator(".birth .track")
    first = page.locator(".birth .side").first
    cells = first.locator(".cell")
    assert max(cells.evaluate_all(f"nodes => nodes.map({WEIGHT})")) > 0.8
    track.focus()
    page.keyboard.press("Home")
    assert max(cells.evaluate_all(f"nodes => nodes.map({WEIGHT})")) < 0.3
    page.locator(".birth .play").click()
    expect(page.locator(".birth .play")).to_have_text("Pause")
    expect(track).not_to_have_value("0")
    page.locator(".birth .play").click()
    mark = page.locator(".birth .mark.turning").first
    mark.click()
    expect(track).to_have_value(str(mark.get_attribute("data-place")))
    page.wait_for_url("**moment=**")
    readout = page.locator(".birth .readout")
    idle = readout.inner_text()
    first.locator("th.target").first.hover()
    expect(readout).not_to_have_text(idle)
    page.locator(".birth .choose").select_option("1")
    expect(first.locator("th.target")).to_have_count(14)
    page.wait_for_url("**probe=2**")


def test_rows_are_one_stop_for_the_keyboard_and_walked_by_its_arrows(server: str, visit: Visit) -> None:
    page = visit(f"{server}/length_and_bleu?probe=5", READY)
    side = page.locator(".birth .side").first
    heads, readout = side.locator("th.target"), page.locator(".birth .readout")
    expect(side.locator('th.target[tabindex="0"]')).to_have_count(1)
    heads.first.focus()
    said = [readout.inner_text()]
    for key, row in (("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", 0), ("End", -1), ("ArrowDown", -1), ("Home", 0)):
        page.keyboard.press(key)
        expect(heads.nth(row)).to_be_focused()
        said.append(readout.inner_text())
    assert said[0] == said[2] == said[3] == said[6]
    assert len({said[0], said[1], said[4]}) == 3
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    expect(side.locator("th.target:focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(heads.last).to_be_focused()


def test_a_phone_in_korean_in_the_dark(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/length_and_bleu", READY, **phone)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert page.locator(".birth").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
