"""Terms explain themselves in a real Chromium: pointed at, tapped, by the keyboard, on pages and in components."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.ui.i18n.messages import LANGUAGES, load_messages
from tests.browser.accessibility import findings
from tests.browser.running import addresses, settled

Visit = Callable[..., Page]
BOX = ".glossary .explanation"
MARKED = """() => {
  const found = [], SIGNS = /[\\u2061\\u2063\\u2064]|\\[\\[/
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot)
      for (const { name, value } of node.attributes) if (SIGNS.test(value)) found.push(`${name}: ${value}`)
      for (const child of node.childNodes) if (child.nodeType === 3 && SIGNS.test(child.data)) found.push(child.data)
    }
  }
  walk(document.body)
  return found
}"""
TERMS = """() => {
  const found = []
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot)
      if (node.dataset?.term) found.push(node.dataset.term)
    }
  }
  walk(document.body)
  return found
}"""
"""The terms on a page, through the roots of its components."""


def inside(page: Page) -> bool:
    """Whether the explanation lies wholly within the window."""
    box, view = page.locator(BOX).bounding_box(), page.viewport_size
    assert box is not None
    assert view is not None
    return box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= view["width"] \
        and box["y"] + box["height"] <= view["height"]


@pytest.mark.verdict
def test_a_term_is_explained_by_pointing_and_nothing_moves(server: str, visit: Visit) -> None:
    page = visit(server)
    say = load_messages("en")
    settled(page)
    term = page.locator(".picture .term[data-term=log_p]").first
    before = page.locator(".picture table").bounding_box()
    term.hover()
    expect(page.locator(BOX)).to_contain_text(say("glossary.log_p"))
    assert inside(page)
    assert page.locator(".picture table").bounding_box() == before
    page.locator(BOX).hover()  # it can be read, and copied, without going away
    page.wait_for_timeout(400)
    expect(page.locator(BOX)).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.locator(BOX)).to_be_hidden()
    name = page.locator(".picture .term[data-term='model:RNNencdec-50']").first
    name.hover()
    expect(page.locator(BOX)).to_contain_text(say("glossary.rnnencdec"))


def between(page: Page, *terms: str) -> list[tuple[float, float]]:
    """The middles of terms of the story's text."""
    boxes = [page.locator(f".story .term[data-term={term}]").first.bounding_box() for term in terms]
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]


@pytest.mark.verdict
@pytest.mark.parametrize("steps", [1, 5, 40], ids=["jumping", "fast", "slow"])
def test_a_term_is_explained_however_the_pointer_comes_to_it(server: str, visit: Visit, steps: int) -> None:
    page = visit(f"{server}/story?scene=4", ".story .picture > *")
    settled(page)
    page.keyboard.press("Space")  # two sentences are told, which have terms
    say = load_messages("en")
    first, second = between(page, "energy", "decoder")  # what explains the first lies below it, the second above
    page.mouse.move(first[0], first[1] + 90)  # within the story, which is one component
    page.mouse.move(*first, steps=steps)
    expect(page.locator(BOX)).to_contain_text(say("glossary.energy"))
    page.mouse.move(*second, steps=steps)
    expect(page.locator(BOX)).to_contain_text(say("glossary.decoder"))
    page.mouse.move(second[0], second[1] - 60, steps=steps)
    expect(page.locator(BOX)).to_be_hidden()


def test_a_term_of_the_story_is_explained_by_a_tap_and_the_keyboard(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story?scene=4", ".story .picture > *", viewport={"width": 390, "height": 844},
                 has_touch=True, is_mobile=True)  # fmt: skip
    settled(page)
    say = load_messages("en")
    page.locator(".story .term[data-term=decoder]").tap()
    expect(page.locator(BOX)).to_contain_text(say("glossary.decoder"))
    assert inside(page)
    page.locator(".story .term[data-term=hidden_state]").tap()
    expect(page.locator(BOX)).to_contain_text(say("glossary.hidden_state"))
    page.locator(".story h2").tap()
    expect(page.locator(BOX)).to_be_hidden()
    page.locator(".story .term[data-term=decoder]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(BOX)).to_contain_text(say("glossary.decoder"))
    page.keyboard.press("ArrowRight")  # the story goes on, and what was explained does not stay behind
    expect(page.locator(BOX)).to_be_hidden()
    expect(page.locator(".story .told:not(.coming)")).to_have_count(2)


def test_a_term_is_explained_by_the_keyboard(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?present=1", viewport={"width": 1280, "height": 720}, color_scheme="dark")
    settled(page)
    term = page.locator(".picture .term[data-term=one_vector]").first
    term.focus()
    page.keyboard.press("Enter")
    expect(page.locator(BOX)).to_contain_text(load_messages("en")("glossary.one_vector"))
    expect(term).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".glossary [aria-live]")).to_contain_text(load_messages("en")("glossary.one_vector"))
    assert inside(page)
    assert float(page.locator(BOX).evaluate("node => parseFloat(getComputedStyle(node).fontSize)")) >= 16
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(BOX)).to_be_hidden()
    expect(term).to_be_focused()
    assert page.evaluate("document.documentElement.hasAttribute('data-presenting')"), "Escape is the term's first"


def test_a_term_is_explained_by_a_tap(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?lang=ko", viewport={"width": 390, "height": 844}, has_touch=True)
    settled(page)
    page.locator(".picture .term[data-term=one_vector]").first.tap()
    expect(page.locator(BOX)).to_contain_text(load_messages("ko")("glossary.one_vector"))
    assert inside(page)
    assert findings(page) == []
    page.locator(".sentence .word").first.tap()
    expect(page.locator(BOX)).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", addresses(), ids=lambda address: address or "first")
def test_every_page_has_terms_and_no_mark_is_seen(server: str, visit: Visit, address: str, language: str) -> None:
    page = visit(f"{server}/{address}?lang={language}", ready=".frame button")
    settled(page)
    terms = page.evaluate(TERMS)
    assert terms
    # The glossary is drawn last: the family may be between two of its runs, and it is not there yet.
    known = set(page.wait_for_function(
        """() => [...document.querySelectorAll("*")].map((node) => node.shadowRoot?.querySelector(".glossary"))
          .find(Boolean)?.entries.keys().toArray()"""
    ).json_value())  # fmt: skip
    assert set(terms) <= known, set(terms) - known
    assert page.evaluate(MARKED) == []
