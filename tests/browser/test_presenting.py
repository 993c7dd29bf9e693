"""A lecture by clicker: every section of every page is once wholly in the window, in large letters."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from pages.ui.frame.walk import PARTS, list_all_stops, list_route
from tests.browser.running import NO_DOUBLE_PRESS, list_addresses, settle, settle_presentation

Visit = Callable[..., Page]

SCRIPT = (Path(__file__).parent / "presenting.js").read_text(encoding="utf-8")
MAX_PRESSES = 400
MIN_FONT_SIZE = 16  # pixels, in a window 720 high


def get_place(page: Page) -> tuple[str, str]:
    """Return the path of the page and the open part of it."""
    address = urlsplit(page.url)
    query = parse_qs(address.query)
    parts = [query.get(param.name, [""])[0] for name, param in PARTS.items() if address.path == f"/{name}"]
    return address.path, "".join(parts)


def wait_for_stop(page: Page, number: int) -> None:
    """Wait until the stop with this number, from 0, is on the screen."""
    deadline = time.monotonic() + 60  # the frame may be mounted anew meanwhile
    while (stop := page.locator(".frame").evaluate("frame => frame.data.walk.stop")) != number:
        assert time.monotonic() < deadline, f"stop {stop} instead of {number}: {page.url}"
        page.wait_for_timeout(100)
    settle_presentation(page)


def inspect(page: Page) -> dict[str, Any]:
    """Return the page's contents, what was never wholly in the window, and what is too small."""
    result: dict[str, Any] = page.evaluate("size => watch.inspect(size)", MIN_FONT_SIZE)
    return result


def present_page(page: Page) -> list[str]:
    """Press PageDown until another page comes or nothing changes; return what was never whole, or too small."""
    place = get_place(page)
    page.evaluate("watch.reset()")
    too_small: set[str] = set()
    before = inspect(page)
    for _ in range(MAX_PRESSES):
        too_small |= set(before["small"])
        page.keyboard.press("PageDown")
        page.wait_for_timeout(NO_DOUBLE_PRESS)
        now = inspect(page)
        if now["contents"] == before["contents"]:  # the end, or a page that is on its way
            settle_presentation(page)
            now = inspect(page)
        if get_place(page) != place:
            return [*before["missed"], *too_small]
        if now["contents"] == before["contents"]:
            return [*now["missed"], *too_small]
        before = now
    raise AssertionError(f"{place} has no end")


@pytest.mark.verdict
def test_a_lecture_by_clicker_shows_every_section_whole(server: str, visit: Visit) -> None:
    page = visit("about:blank", "body", viewport={"width": 1280, "height": 720})
    page.add_init_script(SCRIPT)
    page.goto(f"{server}/{list_addresses()[0]}?present=1")
    problems = {}
    for number in range(len(list_all_stops())):
        wait_for_stop(page, number)
        place = get_place(page)
        problems[place] = present_page(page)
    assert problems == {place: [] for place in problems}
    assert len(problems) == len(list_all_stops())
    assert page.evaluate("document.documentElement.hasAttribute('data-presenting')")


@pytest.mark.verdict
def test_the_short_route_takes_about_25_presses_and_leads_back(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare?search=beam&lang=en", ".compare", viewport={"width": 1280, "height": 720})
    settle(page)
    page.evaluate("document.querySelector('.stMain').scrollTop = 60")
    start = page.url
    page.get_by_role("button", name="Present", exact=True).evaluate("button => button.click()")
    page.get_by_role("button", name="Short route").evaluate("button => button.click()")
    presses, steps = 0, list_route()
    for number, stop in enumerate(steps):
        wait_for_stop(page, number)
        assert get_place(page)[0].strip("/") == ("" if stop.page == "translate" else stop.page)
        bar = page.locator(".frame .bar")
        assert bar.evaluate("node => getComputedStyle(node).opacity") == "0"  # the pointer is at rest
        if number == 0:
            expect(page.locator(".frame .hint")).to_contain_text("Hold PageDown")
        while page.locator(".frame").evaluate("frame => frame.data.walk.stop") == number and presses < 40:
            if number == len(steps) - 1 and page.locator(".frame").evaluate("frame => frame.presses") == stop.presses:
                break
            page.keyboard.press("PageDown")
            presses += 1
            page.wait_for_timeout(1000)
    assert 20 <= presses <= 28, presses
    expect(page.locator(".frame .hint")).to_be_hidden()
    page.keyboard.press("Escape")
    page.wait_for_url(start)
    page.wait_for_function("() => document.querySelector('.stMain').scrollTop === 60")


def test_a_held_or_double_press_skips_the_remaining_steps(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?present=1&step=2&lang=en", ".player .formula")
    settle_presentation(page)
    count = page.locator(".player .count")
    last = count.inner_text().split()[-1]
    page.keyboard.press("PageDown")
    expect(count).to_have_text(f"step 3 of {last}")
    page.keyboard.down("PageDown")
    page.keyboard.down("PageDown")  # the keyboard repeats a key that is held
    page.keyboard.up("PageDown")
    expect(count).to_have_text(f"step {last} of {last}")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(NO_DOUBLE_PRESS)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(count).to_have_text(f"step {last} of {last}")
    assert get_place(page)[0] == "/step_by_step"
