"""Story: keys walk through all scenes, pictures respond to pointer, tap and keyboard, and it can be presented."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from pages.ui.story.payload import SCENES
from tests.browser.running import is_presenting, settle_presentation

Visit = Callable[..., Page]
READY = ".story .picture > *"
NUM_SCENES = len(SCENES)
MAX_PRESSES = 100
PARTS = {1: ".unit", 2: ".vector", 3: ".map [data-target='0']", 4: ".column", 5: ".dot >> nth=-1", 6: ".event"}
FIND_OUTSIDE_WINDOW = """story => [...story.querySelectorAll("*")].filter(node => {
  const { width, top, bottom, left, right } = node.getBoundingClientRect()
  const drawn = width && getComputedStyle(node).visibility !== "hidden" && !node.closest(".unseen")
  return drawn && (top < -1 || bottom > innerHeight + 1 || left < -1 || right > innerWidth + 1)
}).map(node => `${node.tagName} ${node.getAttribute("class")}`)"""


def get_scene(page: Page) -> int:
    return int(page.locator(".story .scenes [aria-current=step]").inner_text())


def test_keys_walk_all_scenes_and_the_address_follows(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story", READY)
    scenes, keys = [get_scene(page)], ("PageDown", "Space", "ArrowRight")
    while page.locator(".story [data-by='1']").is_enabled():
        before = get_scene(page), page.locator(".story .count").inner_text()
        page.keyboard.press(keys[len(scenes) % 3])
        assert (get_scene(page), page.locator(".story .count").inner_text()) != before
        assert page.locator(".story .narration:not(.coming)").count() >= 1
        scenes.append(get_scene(page))
    assert list(dict.fromkeys(scenes)) == [*range(1, NUM_SCENES + 1)]
    page.wait_for_url(f"**/story?*scene={NUM_SCENES}*")
    for scene in reversed(scenes[:-1]):
        page.keyboard.press("PageUp")
        assert get_scene(page) == scene
    page.keyboard.press("End")
    assert get_scene(page) == NUM_SCENES
    expect(page.locator(".story .narration.coming")).to_have_count(0)
    page.keyboard.press("Home")
    assert get_scene(page) == 1
    expect(page.locator(".story [data-by='-1']")).to_be_disabled()


def test_every_picture_responds_to_pointer_click_and_keyboard(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story", READY)
    readout = page.locator(".story .readout")
    for scene, selector in PARTS.items():
        page.locator(".story .scenes button").nth(scene - 1).click()
        part: Locator = page.locator(f".story {selector}").first
        page.mouse.move(5, 5)
        idle = readout.inner_text()
        part.hover()
        expect(readout).not_to_have_text(idle)
        described = readout.inner_text()
        page.mouse.move(5, 5)
        expect(readout).to_have_text(idle)
        part.click()
        page.mouse.move(5, 5)
        expect(readout).to_have_text(described)  # pinned
        page.locator(".story .scenes button").nth(scene - 1).click()
        expect(readout).to_have_text(idle)
        part.focus()
        expect(readout).to_have_text(described)


def test_a_guess_comes_before_the_attention_is_shown(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?scene=4", READY)
    for _ in range(4):
        page.keyboard.press("Space")
    verdict, truth = page.locator(".story .verdict"), page.locator(".story .choices .truth")
    question = verdict.inner_text()
    expect(truth).to_have_count(0)
    page.locator(".story .choices button").first.click()
    expect(verdict).not_to_have_text(question)
    expect(truth).to_have_count(1)
    page.keyboard.press("Space")  # the next word, although a button has the focus
    expect(verdict).not_to_contain_text("attended")
    page.keyboard.press("Space")
    expect(truth).to_have_count(1)  # without a guess


def test_every_step_fits_a_small_projector_and_the_next_page_follows(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?present=1", READY, viewport={"width": 1024, "height": 768}, locale="ko-KR")
    settle_presentation(page)
    for _ in range(MAX_PRESSES):
        assert page.locator(".story").evaluate(FIND_OUTSIDE_WINDOW) == [], get_scene(page)
        if page.locator(".story [data-by='1']").is_disabled():
            break
        page.keyboard.press("ArrowRight")
    assert get_scene(page) == NUM_SCENES
    page.keyboard.press("PageDown")
    page.wait_for_selector(".picture table")
    page.wait_for_function("() => !new URL(location).searchParams.has('scene')")
    settle_presentation(page)
    assert is_presenting(page)
    for _ in range(MAX_PRESSES):
        if page.url.count("/story") or not page.locator(".frame.whole").count():
            break
        page.keyboard.press("PageUp")  # back to the end of the story
        page.wait_for_timeout(100)
    page.wait_for_selector(READY)
    expect(page.locator(".story .scenes [aria-current=step]")).to_have_text(str(NUM_SCENES))
    expect(page.locator(".story .narration.coming")).to_have_count(0)
    page.keyboard.press("PageUp")
    page.wait_for_timeout(1000)
    expect(page.locator(".story .narration.coming")).to_have_count(1)  # it does not jump to the end again
    page.locator(".story .scenes button").nth(1).click()
    page.keyboard.press("s")  # skips the rest of a scene
    expect(page.locator(".story .narration.coming")).to_have_count(0)
    assert get_scene(page) == 2
