"""Compare in a real Chromium: pointing and keys, a sentence that grows and shrinks, and a narrow window."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.ui.i18n.messages import load_messages
from tests.browser.conftest import watching
from tests.browser.running import brought, settled
from tests.hostile import CASES

Visit = Callable[..., Page]
READY = ".compare .pair .column"
PATIENCE = 60_000  # milliseconds: the models may still be loading
LONG = (
    "My sister bought an old house in the country last year, but she does not live there in winter, "
    "because the big kitchen is much too cold."
)
LIT = """nodes => nodes.filter(node => Number(getComputedStyle(node).getPropertyValue("--lit")) > 0.5)
                       .map(node => node.textContent)"""


@pytest.fixture(scope="module")
def page(server: str, browser: Browser) -> Iterator[Page]:
    """One window for the tests that need no other."""
    with watching(browser) as visit:
        yield visit(f"{server}/compare", READY)


def test_it_opens_where_one_model_loses_the_thread_and_the_place_is_marked(page: Page) -> None:
    place = page.locator(".pair .followed")
    expect(place).to_have_count(1)
    expect(place).to_have_attribute("data-model", "1")
    expect(place.locator("xpath=following-sibling::small")).to_contain_text("thread lost")
    expect(page.locator(".gone")).to_contain_text("it has lost the thread")
    expect(page.locator(".trained")).to_contain_text("pieces in")
    assert page.locator("p.source .lost").count() > 3


def test_what_the_marks_are_stands_above_the_picture_and_every_one_is_explained(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare", READY, viewport={"width": 1280, "height": 720})
    settled(page)
    legend = page.locator(".compare .legend")
    expect(legend).to_contain_text("● RNNsearch-50, ■ RNNencdec-50")
    box, pair = legend.bounding_box(), page.locator(".compare .pair").bounding_box()
    assert box
    assert pair
    assert 0 <= box["y"] < box["y"] + box["height"] <= pair["y"]
    say = load_messages("en")
    for name in ("lost", "invented", "thread", "repeated", "differs", "marks"):
        legend.locator(f"[data-term={name}]").hover()
        expect(page.locator(".glossary .explanation")).to_contain_text(say(f"glossary.{name}"))
    other = page.locator(".pair .word.other").first
    expect(other.locator("xpath=following-sibling::small")).to_have_text("")  # no word of blame below it
    other.hover()
    expect(page.locator(".compare .readout")).to_contain_text(say("compare.mark_other"))


def test_the_whole_opening_fits_the_projector(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare?present=1", READY, viewport={"width": 1280, "height": 720})
    brought(page)
    box = page.locator(".compare").bounding_box()
    assert box
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 720


def ask(page: Page, text: str) -> None:
    box = page.locator(".st-key-sentence textarea")
    box.fill(text)
    box.press("Enter")


def test_pointing_and_keys_light_what_a_word_looked_at(page: Page) -> None:
    idle = page.locator(".readout").inner_text()
    word = page.locator(".pair [data-model='0']").nth(1)
    word.hover()
    expect(page.locator(".readout b.target")).to_have_text(word.inner_text())
    looked = page.locator(".readout b.source").first.inner_text()
    lit = page.locator("p.source .word").evaluate_all(LIT)
    assert lit == [looked]
    word.click()
    page.mouse.move(5, 5)
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".readout b.target")).to_have_text(word.inner_text())
    word.click()
    page.mouse.move(5, 5)
    expect(page.locator(".readout")).to_have_text(idle)
    page.locator(".pair [data-model='0']").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".pair [data-model='0']").nth(1)).to_be_focused()
    expect(page.locator(".readout b.target")).to_have_text(word.inner_text())
    page.keyboard.press("Enter")
    expect(word).to_have_attribute("aria-pressed", "true")
    page.locator(".pair [data-model='1']").first.hover()
    expect(page.locator(".readout b.target")).to_have_text(word.inner_text())  # pinned


def test_a_sentence_grows_and_shrinks(page: Page) -> None:
    ask(page, LONG)
    expect(page.locator("p.source")).to_contain_text("kitchen", timeout=PATIENCE)
    page.locator("[data-do=grow]").click()
    where = page.locator(".growth .where")
    expect(where).to_have_text("clause 1 of 3, 11 words", timeout=PATIENCE)
    expect(page.locator("[data-do=play]")).to_have_text("❚❚")  # who asks for it sees it grow
    expect(page.locator(".track")).to_be_focused()
    page.keyboard.press(" ")
    expect(page.locator("[data-do=play]")).to_have_text("▶")
    page.keyboard.press("Home")
    height = page.locator(".main").evaluate("node => node.offsetHeight")
    dot = page.locator(".dot").first
    places = []
    steps = [("ArrowRight", 2), ("PageDown", 3), ("ArrowRight", 3), ("ArrowLeft", 2), ("PageUp", 1), ("End", 3)]
    for key, clause in steps:
        page.keyboard.press(key)
        expect(where).to_contain_text(f"clause {clause} of 3")
        assert page.locator(".main").evaluate("node => node.offsetHeight") == height
        places.append((clause, dot.evaluate("node => node.style.transform")))
    assert len(dict(places)) == len(set(places)) == 3  # one place a clause
    assert page.locator("p.source .unfed").count() == 0
    assert page.locator("p.source .fresh").first.inner_text() == "because"
    assert page.locator(".pair .new").count() > 0
    page.wait_for_url("**/*grown=3*")
    page.keyboard.press("Home")
    page.wait_for_url("**/*grown=1*")
    expect(where).to_contain_text("clause 1 of 3")
    assert page.locator("p.source .unfed").first.inner_text() == "but"
    page.locator(".track").fill("2")
    expect(where).to_contain_text("clause 2 of 3")


def test_the_clicker_grows_a_sentence_and_walks_its_clauses(server: str, visit: Callable[..., Page]) -> None:
    page = visit(f"{server}/compare?present=1&sentence={LONG}", READY, viewport={"width": 1280, "height": 720})
    expect(page.locator("p.source")).to_contain_text("kitchen", timeout=PATIENCE)
    brought(page)
    page.keyboard.press("PageDown")
    where = page.locator(".growth .where")
    expect(where).to_contain_text("clause 1 of 3", timeout=PATIENCE)
    expect(page.locator("[data-do=play]")).to_have_text("▶")  # whoever has a clicker goes on when they like
    for key, clause in (("PageDown", 2), ("PageUp", 1), ("s", 3)):
        page.keyboard.press(key)
        expect(where).to_contain_text(f"clause {clause} of 3")


def test_a_phone_in_the_dark_in_korean_and_hostile_text(server: str, visit: Callable[..., Page]) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/compare", READY, **phone)
    expect(page.locator("[data-do=grow]")).to_have_text("문장 늘리기")
    for name, second in (("HTML", "b"), ("closing tags", "textarea")):
        ask(page, CASES[name])
        expect(page.locator("p.source .word").nth(1)).to_have_text(second, timeout=PATIENCE)
        for tag in ("img", "script", "iframe"):
            assert page.locator(f".compare {tag}").count() == 0, name
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390


def test_words_of_the_sentence_answer_to_the_keyboard_too(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare", READY)
    words, readout = page.locator(".compare .source [data-source]"), page.locator(".compare .readout")
    words.first.focus()
    told = readout.inner_text()
    page.keyboard.press("ArrowRight")
    expect(words.nth(1)).to_be_focused()
    expect(readout).not_to_have_text(told)
    page.keyboard.press("Enter")
    expect(words.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.compare .source [tabindex="0"]')).to_have_count(1)
    expect(page.locator(".announced").first).to_contain_text("RNNsearch-50")
