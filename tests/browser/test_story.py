"""The story in a real Chromium: a clicker and the space bar walk all of it, and every picture answers to touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.view.story.payload import LINES

Visit = Callable[..., Page]
READY = ".story .picture > *"
SCENES = len(LINES)


def scene(page: Page) -> int:
    return int(page.locator(".story .scenes [aria-current=step]").inner_text())


def walk(page: Page, key: str) -> list[tuple[int, str]]:
    """Every place, by pressing a key until nothing comes any more."""
    seen = [(scene(page), page.locator(".story .count").inner_text())]
    while page.locator(".story [data-by='1']").is_enabled():
        page.keyboard.press(key)
        now = (scene(page), page.locator(".story .count").inner_text())
        assert now != seen[-1]
        seen.append(now)
        assert page.locator(".story .told:not(.coming)").count() >= 1
    return seen


@pytest.mark.parametrize("key", ["PageDown", "Space", "ArrowRight"])
def test_keys_walk_all_six_scenes(server: str, visit: Visit, key: str) -> None:
    page = visit(f"{server}/story", READY)
    seen = walk(page, key)
    assert [number for number in dict.fromkeys(number for number, _ in seen)] == [*range(1, SCENES + 1)]
    page.wait_for_url(f"**/story?*scene={SCENES}*")
    for number, _ in reversed(seen[:-1]):
        page.keyboard.press("PageUp")
        assert scene(page) == number


TOUCHED = {1: ".unit", 2: ".vector", 3: ".map [data-target='0']", 4: ".column", 5: ".dot", 6: ".event"}


@pytest.mark.parametrize("number", TOUCHED)
def test_every_picture_answers_to_the_pointer_a_tap_and_the_keyboard(server: str, visit: Visit, number: int) -> None:
    page = visit(f"{server}/story?scene={number}", READY)
    readout = page.locator(".story .readout")
    idle = readout.inner_text()
    part: Locator = page.locator(f".story {TOUCHED[number]}").first
    part.hover()
    expect(readout).not_to_have_text(idle)
    said = readout.inner_text()
    page.mouse.move(5, 5)
    expect(readout).to_have_text(idle)
    part.click()
    page.mouse.move(5, 5)
    expect(readout).to_have_text(said)  # tapped, it stays
    page.locator(".story .scenes button").nth(number - 1).click()
    expect(readout).to_have_text(idle)
    part.focus()
    expect(readout).to_have_text(said)


def test_a_look_is_guessed_before_it_is_shown(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?scene=4", READY)
    for _ in range(4):
        page.keyboard.press("Space")
    verdict = page.locator(".story .verdict")
    asked = verdict.inner_text()
    assert page.locator(".story .choices .truth").count() == 0
    page.locator(".story .choices button").first.click()
    expect(verdict).not_to_have_text(asked)
    truth = page.locator(".story .choices .truth")
    expect(truth).to_have_count(1)
    page.keyboard.press("Space")  # though a button was pressed last, it walks on: to the next word
    expect(verdict).not_to_contain_text("looked")
    page.keyboard.press("Space")
    expect(truth).to_have_count(1)  # shown to who does not guess


def test_a_phone_in_the_dark_in_korean(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR", "has_touch": True}
    page = visit(f"{server}/story", READY, **phone)
    while page.locator(".story [data-by='1']").is_enabled():
        page.locator(".story [data-by='1']").tap()
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert scene(page) == SCENES
    page.locator(".story .event").first.tap()
    expect(page.locator(".story .readout")).to_contain_text("Bahdanau")
    page.locator(".story [data-open]").tap()
    page.wait_for_selector(".picture table", timeout=30_000)
