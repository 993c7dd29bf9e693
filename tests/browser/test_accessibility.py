"""Every page without serious violations of accessibility, in light and dark, and within the width of a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from pages.ui.story.payload import SCENES
from pages.ui.url_state import experiments
from tests.browser.accessibility import find_violations
from tests.browser.running import get_box, list_addresses, settle

Visit = Callable[..., Page]
PHONE: ViewportSize = {"width": 390, "height": 844}
FIND_TERMS = """() => {
  const terms = [], marks = [], MARK = /[\\u2061\\u2063\\u2064]|\\[\\[/
  const known = []
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot)
      if (node.dataset?.term) terms.push(node.dataset.term)
      if (node.matches(".glossary")) known.push(...node.entries.keys())
      for (const { name, value } of node.attributes) if (MARK.test(value)) marks.push(`${name}: ${value}`)
      for (const child of node.childNodes) if (child.nodeType === 3 && MARK.test(child.data)) marks.push(child.data)
    }
  }
  walk(document.body)
  return { terms, marks, known }
}"""
"""The glossary's terms on a page, the terms it knows, and marks of terms that were left in the text."""


FIND_LANGUAGES = """() => {
  const find = (root) => [...root.querySelectorAll("*")].flatMap((node) => [
    ...(node.matches(".component[lang]") ? [node.lang] : []), ...(node.shadowRoot ? find(node.shadowRoot) : []),
  ])
  return find(document)
}"""
"""The languages of the components on a page."""


def expect_explained_terms(page: Page) -> None:
    # Components draw their terms in their own time, also after the glossary.
    page.wait_for_function(f"() => ({FIND_TERMS})().known.length")
    page.wait_for_function(f"() => ({FIND_TERMS})().terms.length")
    found = page.evaluate(FIND_TERMS)
    assert set(found["terms"]) <= set(found["known"])
    assert found["marks"] == []


EXPERIMENTS = [f"laboratory?experiment={name}" for name in experiments.NAMES[1:]]


@pytest.mark.parametrize(
    "address", [*list_addresses(), "?more=1", *EXPERIMENTS], ids=lambda address: address or "first"
)
def test_every_page_is_accessible_in_light_and_dark_and_fits_a_phone(server: str, visit: Visit, address: str) -> None:
    page = visit(f"{server}/{address}", ".frame button:not([hidden])", color_scheme="light")
    settle(page)
    expect_explained_terms(page)
    assert find_violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
    page.locator(".st-key-lang").get_by_role("radio", name="한국어").click()
    page.wait_for_url("**lang=ko**")
    settle(page)
    page.wait_for_function(f"() => ({FIND_LANGUAGES})().every((language) => language === 'ko')")
    expect_explained_terms(page)
    assert find_violations(page) == []
    page.set_viewport_size(PHONE)
    page.wait_for_function("document.querySelector('.stMain').scrollWidth <= 390")


def test_the_end_of_every_scene_is_accessible_in_light_and_dark(server: str, visit: Visit) -> None:
    page = visit(f"{server}/story", ".story .picture > *", reduced_motion="reduce")
    violations = {}
    for scene in range(1, len(SCENES) + 1):
        page.goto(f"{server}/story?scene={scene}")
        page.wait_for_selector(".story .picture > *")
        settle(page)
        for _ in range(100):
            if not page.locator(".story .narration.coming").count():
                break
            page.keyboard.press("Space")
        expect(page.locator(".story .narration.coming")).to_have_count(0, timeout=1_000)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(
                "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme", arg=scheme
            )
            page.wait_for_timeout(600)  # fades end
            violations[scene, scheme] = find_violations(page)
    assert not any(violations.values()), violations


def test_a_tap_opens_a_tooltip_within_the_window_and_another_closes_it(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?more=1", viewport=PHONE, has_touch=True, is_mobile=True)
    settle(page)
    icon, tooltip = page.get_by_test_id("stTooltipIcon").first, page.get_by_test_id("stTooltipContent")
    icon.evaluate("node => node.scrollIntoView({ inline: 'center', block: 'nearest' })")
    icon.tap()
    expect(tooltip).to_have_count(1)
    box = get_box(tooltip)
    assert 0 <= box["x"] < box["x"] + box["width"] <= PHONE["width"]
    page.touchscreen.tap(20, 820)
    expect(tooltip).to_have_count(0)


def test_violations_are_found_inside_a_shadow_root(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><h1>x</h1><img src='data:,'><div></div></main>")
    page.evaluate(
        """const root = document.querySelector("div").attachShadow({ mode: "open" })
        const text = root.appendChild(document.createElement("p"))
        text.textContent = "pale"
        text.style.color = "#ccc" """
    )
    assert [line.split(" ")[0] for line in find_violations(page)] == ["color-contrast", "image-alt"]
    page.close()
