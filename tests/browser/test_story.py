"""The story in a real Chromium: a clicker and the space bar walk all of it, and every picture answers to touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.ui.story.payload import SCENES
from tests.browser.running import brought, settled

Visit = Callable[..., Page]
READY = ".story .picture > *"
SCENE_COUNT = len(SCENES)


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
    assert [number for number in dict.fromkeys(number for number, _ in seen)] == [*range(1, SCENE_COUNT + 1)]
    page.wait_for_url(f"**/story?*scene={SCENE_COUNT}*")
    for number, _ in reversed(seen[:-1]):
        page.keyboard.press("PageUp")
        assert scene(page) == number


def test_home_and_end_are_the_ends_of_the_story(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?scene=3", READY)
    page.keyboard.press("End")
    assert scene(page) == SCENE_COUNT
    expect(page.locator(".story .told.coming")).to_have_count(0)
    expect(page.locator(".story [data-by='1']")).to_be_disabled()
    page.keyboard.press("Home")
    assert scene(page) == 1
    expect(page.locator(".story [data-by='-1']")).to_be_disabled()


def test_back_from_the_next_page_the_story_stands_at_its_end(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?scene=2&present=1", READY)
    page.wait_for_selector(".st-key-pages a >> nth=1", state="attached")
    page.evaluate("() => document.querySelectorAll('.st-key-pages a')[1].click()")
    page.wait_for_selector(".picture table")
    page.wait_for_function("() => !new URL(location).searchParams.has('scene')")  # it says nothing on another page
    brought(page)
    page.keyboard.press("PageUp")
    page.wait_for_selector(READY)
    expect(page.locator(".story .scenes [aria-current=step]")).to_have_text(str(SCENE_COUNT))
    expect(page.locator(".story .told.coming")).to_have_count(0)
    page.keyboard.press("PageUp")
    page.wait_for_timeout(2000)
    expect(page.locator(".story .told.coming")).to_have_count(1)  # a step back, and nothing takes it there again
    assert scene(page) == SCENE_COUNT


@pytest.mark.parametrize("query", ["scene=4", "scene=4&present=1", "scene=4&lang=ko"])
def test_what_explains_a_term_leaves_the_picture_free(server: str, visit: Visit, query: str) -> None:
    page = visit(f"{server}/story?{query}", READY, viewport={"width": 1280, "height": 720})
    settled(page)
    page.keyboard.press("Space")
    picture = page.locator(".story .picture").bounding_box()
    terms = page.locator(".story .told:not(.coming) .term").all()
    assert terms
    for term in terms:
        term.click()
        box = page.locator(".glossary .explanation").bounding_box()
        assert box
        assert picture
        assert box["x"] + box["width"] <= picture["x"]
        page.keyboard.press("Escape")


OUTSIDE = """story => [...story.querySelectorAll("*")].filter(node => {
  const { width, top, bottom, left, right } = node.getBoundingClientRect()
  const drawn = width && getComputedStyle(node).visibility !== "hidden" && !node.closest(".unseen")
  return drawn && (top < -1 || bottom > innerHeight + 1 || left < -1 || right > innerWidth + 1)
}).map(node => `${node.tagName} ${node.getAttribute("class")}`)"""


SMALL = """story => [...story.querySelectorAll("*")].filter(node => {
  const said = [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.textContent.trim())
  const drawn = said && node.checkVisibility({ visibilityProperty: true }) && !node.closest(".unseen")
  return drawn && parseFloat(getComputedStyle(node).fontSize) < 15.9
}).map(node => `${node.tagName} ${node.getAttribute("class")} ${node.textContent}`)"""


@pytest.mark.parametrize(("locale", "window"), [("en-GB", (1280, 720)), ("ko-KR", (1280, 720)), ("en-GB", (1024, 768)),
                                                ("ko-KR", (1920, 1080))])  # fmt: skip
def test_presenting_fits_the_projector_and_goes_on_to_the_next_page(
    server: str, visit: Visit, locale: str, window: tuple[int, int]
) -> None:
    viewport = {"width": window[0], "height": window[1]}
    page = visit(f"{server}/story?present=1", READY, viewport=viewport, locale=locale)
    brought(page)
    story = page.locator(".story")
    while True:
        assert story.evaluate(OUTSIDE) == [], (scene(page), page.locator(".story .count").inner_text())
        assert story.evaluate(SMALL) == [], scene(page)
        if page.locator(".story [data-by='1']").is_disabled():
            break
        page.keyboard.press("PageDown")
    assert scene(page) == SCENE_COUNT
    expect(page.locator(".story .told.coming")).to_have_count(0)
    page.keyboard.press("PageDown")
    page.wait_for_selector(".picture table")
    assert page.evaluate("document.documentElement.hasAttribute('data-presenting')")


def test_one_key_skips_the_steps_of_a_scene_while_presenting(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?present=1&scene=2", READY)
    brought(page)
    page.keyboard.press("s")
    expect(page.locator(".story .told.coming")).to_have_count(0)
    assert scene(page) == 2
    page.keyboard.press("PageDown")
    assert scene(page) == 3


TOUCHED = {1: ".unit", 2: ".vector", 3: ".map [data-target='0']", 4: ".column", 5: ".dot >> nth=-1", 6: ".event"}


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
    assert scene(page) == SCENE_COUNT
    page.locator(".story .event").first.tap()
    expect(page.locator(".story .readout")).to_contain_text("Bahdanau")
    page.locator(".story [data-open]").tap()
    page.wait_for_selector(".picture table")
