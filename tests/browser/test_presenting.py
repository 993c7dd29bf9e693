"""A lecture by clicker: every section of every page is once wholly in the window, in large letters."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.running import list_addresses, settle, settle_presentation

Visit = Callable[..., Page]

SCRIPT = (Path(__file__).parent / "presenting.js").read_text(encoding="utf-8")
MAX_PRESSES = 400
MIN_FONT_SIZE = 16  # pixels, in a window 720 high


def get_path(page: Page) -> str:
    return str(page.evaluate("location.pathname"))


def inspect(page: Page) -> dict[str, Any]:
    """Return the page's contents, what was never wholly in the window, and what is too small."""
    result: dict[str, Any] = page.evaluate("size => watch.inspect(size)", MIN_FONT_SIZE)
    return result


def present_page(page: Page) -> list[str]:
    """Press PageDown until another page comes or nothing changes; return what was never whole, or too small."""
    path = get_path(page)
    page.evaluate("watch.reset()")
    too_small: set[str] = set()
    before = inspect(page)
    for _ in range(MAX_PRESSES):
        too_small |= set(before["small"])
        page.keyboard.press("PageDown")
        page.wait_for_timeout(60)
        if get_path(page) != path or page.locator(".frame.whole").count() == 0:
            return [*before["missed"], *too_small]
        if (now := inspect(page))["contents"] == before["contents"]:
            settle(page)  # a response may be on its way
            if (now := inspect(page))["contents"] == before["contents"]:
                return [*now["missed"], *too_small]
        before = now
    raise AssertionError(f"{path} has no end")


@pytest.mark.verdict
def test_a_lecture_by_clicker_shows_every_section_whole(server: str, visit: Visit) -> None:
    page = visit("about:blank", "body", viewport={"width": 1280, "height": 720})
    page.add_init_script(SCRIPT)
    page.goto(f"{server}/{list_addresses()[0]}?present=1")
    problems, title = {}, ""
    for address in list_addresses():
        page.wait_for_function("before => document.querySelector('.st-key-page-now')?.innerText !== before", arg=title)
        settle_presentation(page)
        assert get_path(page) == f"/{address}"
        title = page.locator(".st-key-page-now").inner_text()
        problems[address] = present_page(page)
    assert problems == {address: [] for address in list_addresses()}
    assert page.evaluate("document.documentElement.hasAttribute('data-presenting')")
