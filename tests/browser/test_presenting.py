"""A lecture in a real Chromium, with nothing but a clicker: every section of every page comes wholly into the window,
in letters that are read from the last row."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from pages.ui.backend import shipped_traces
from tests.browser.running import addresses, brought, settled

Visit = Callable[..., Page]

SCRIPT = (Path(__file__).parent / "presenting.js").read_text(encoding="utf-8")
PICTURES = {"": ".picture", "step_by_step": ".film", "compare": ".sheet :is(.main, aside)"}
SIZES = [(1024, 768), (1280, 720), (1366, 768), (1920, 1080), (3840, 2160)]
PRESSES = 400  # that a lecture may take
SENTENCE = shipped_traces.list_sentences("en")[
    0
]  # of seventeen words; what does not fit at once is walked, as in the lecture
SMALLEST = 16  # pixels of a letter at a height of 720


def path(page: Page) -> str:
    return str(page.evaluate("location.pathname"))


def look(page: Page, selector: str = ".stMain", least: float = SMALLEST) -> dict[str, Any]:
    """What stands on the page, what of `selector` never stood wholly in the window, and what is too small."""
    found: dict[str, Any] = page.evaluate("([least, selector]) => watch.look(least, selector)", [least, selector])
    return found


def turning(page: Page, here: str) -> bool:
    """Whether another page has come, or was asked for."""
    return path(page) != here or page.locator(".frame.whole").count() == 0


def walk(page: Page) -> list[str]:
    """Press PageDown until the page is turned, or nothing more happens; returns what stood on the page at its end and
    was never wholly in the window, by its first words, and what was smaller than it may be."""
    here = path(page)
    page.evaluate("watch.begin()")
    wrong: set[str] = set()
    before = look(page)
    for _ in range(PRESSES):
        wrong |= set(before["small"])
        page.keyboard.press("PageDown")
        page.wait_for_timeout(60)
        if turning(page, here):
            return [*before["missed"], *wrong]
        if (now := look(page))["stands"] == before["stands"]:
            settled(page)  # an answer of the server may be on its way
            if (now := look(page))["stands"] == before["stands"]:
                return [*now["missed"], *wrong]
        before = now
    raise AssertionError(f"{here} has no end")


@pytest.mark.verdict
def test_a_lecture_by_clicker_alone_shows_every_section_whole(server: str, visit: Visit) -> None:
    page = visit("about:blank", "body", viewport={"width": 1280, "height": 720})
    page.add_init_script(SCRIPT)
    page.goto(f"{server}/{addresses()[0]}?present=1")
    wrong, marked = {}, ""
    for address in addresses():
        page.wait_for_function("before => document.querySelector('.st-key-page-now')?.innerText !== before", arg=marked)
        brought(page)  # the page that has just been turned to, not the one before
        assert path(page) == f"/{address}"
        marked = page.locator(".st-key-page-now").inner_text()
        wrong[address] = walk(page)
    assert wrong == {address: [] for address in addresses()}
    assert page.evaluate("document.documentElement.hasAttribute('data-presenting')")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_picture_fits_every_window(server: str, visit: Visit, width: int, height: int) -> None:
    """Without a press: all of the picture of the three pages that are one, in letters as large as the window allows."""
    page = visit("about:blank", "body", viewport={"width": width, "height": height})
    page.add_init_script(SCRIPT)
    least = SMALLEST * max(1.0, min(width / 1280, height / 720))
    for address, picture in PICTURES.items():
        page.goto(f"{server}/{address}?present=1&sentence={SENTENCE}")
        page.wait_for_selector(picture)
        brought(page)
        now = look(page, picture, least)
        assert now["missed"] == [], address
        assert now["small"] == [], address
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= width
