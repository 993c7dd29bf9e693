"""The first page in a real Chromium: it opens on a picture; a sentence is typed, its translation and heatmap appear."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from model.text.normalise import normalise
from model.text.words import split_words
from tests.browser.running import serving
from tests.hostile import CASES

Visit = Callable[..., Page]

TYPED = "The old cat drinks cold water."
PATIENCE = 60_000  # milliseconds: the models may still be loading


def words_of(page: Page, side: str) -> list[str]:
    """The labels of one side of the heatmap, without the end."""
    return page.locator(f"table th:not(.end) .word.{side}").all_text_contents()


def ask(page: Page, text: str) -> None:
    box = page.locator(".st-key-sentence input")
    box.fill(text)
    box.press("Enter")


def english(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text, "en")]


def test_a_typed_sentence_is_translated_and_its_heatmap_drawn(server: str, visit: Visit) -> None:
    page = visit(server)
    assert page.locator(".plain .sentence").inner_text()
    expect(page.locator(".st-key-sentence input")).to_be_focused()
    opening = words_of(page, "source")
    assert opening
    page.keyboard.type(TYPED)  # the box is ready: what is typed replaces the sentence shown
    page.keyboard.press("Enter")
    expect(page.locator("thead th:not(.end) .word")).to_have_text(english(TYPED), timeout=PATIENCE)
    assert opening != english(TYPED)
    target = words_of(page, "target")
    assert target
    assert page.locator(".attended .sentence .word").all_text_contents()
    assert page.locator(".plain .sentence").inner_text()
    cells = page.locator("tbody td[data-target]").count()
    assert cells == page.locator("tbody tr").count() * page.locator("thead th").count()
    rows = page.evaluate(
        """() => [...document.querySelectorAll('*')].map(node => node.shadowRoot?.querySelector('.picture')?.data)
                  .find(Boolean).alpha.map(row => row.reduce((sum, value) => sum + value, 0))"""
    )
    assert rows == pytest.approx([1.0] * len(rows), abs=0.01)
    assert page.locator("svg path").count() >= len(target) / 2
    assert TYPED.replace(" ", "+") in page.url


def test_pointing_lights_the_partners(server: str, visit: Visit) -> None:
    page = visit(server)
    idle = page.locator(".readout").inner_text()
    page.locator("tbody th").nth(1).hover()
    word = words_of(page, "target")[1]
    expect(page.locator(".readout b.target").first).to_have_text(word)
    assert page.locator("tr:nth-child(2) td.on").count() == page.locator("thead th").count()
    assert page.locator("path.on").count() >= 1
    strongest = page.locator(".readout b.source").first.inner_text()
    assert strongest in page.locator("thead th .word").all_text_contents()
    page.locator("tbody tr:first-child td[data-source='0']").hover()
    expect(page.locator(".readout")).to_contain_text("α = ")
    assert page.locator("td.on").count() == 1
    page.mouse.move(5, 5)
    expect(page.locator(".readout")).to_have_text(idle)


def test_the_keyboard_walks_the_heatmap(server: str, visit: Visit) -> None:
    page = visit(server)
    page.locator("tbody th").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "End", "Home", "ArrowRight"):
        page.keyboard.press(key)
    focused = page.evaluate(
        """() => { let node = document.activeElement; while (node.shadowRoot) node = node.shadowRoot.activeElement;
                   return [node.dataset.target, node.dataset.source] }"""
    )
    assert focused == ["1", "0"]
    expect(page.locator(".readout")).to_contain_text("α = ")


def test_the_language_switch_keeps_the_rest(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?unit=pieces&scale=grey")
    page.get_by_role("radio", name="한국어").click()
    expect(page.get_by_role("button", name="번역")).to_be_visible()
    expect(page.locator("table.grey")).to_be_visible()
    expect(page.get_by_role("radio", name="조각")).to_be_checked()
    page.get_by_role("radio", name="제곱근").click()
    expect(page.locator("table.root")).to_be_visible()
    expect(page.get_by_role("radio", name="조각")).to_be_checked()
    assert "lang=ko" in page.url
    assert "scale=root" in page.url


def test_hostile_text_is_drawn_as_text(server: str, visit: Visit) -> None:
    page = visit(server)
    for name in ("HTML", "script", "closing tags", "Markdown", "bidirectional overrides", "lone high surrogate"):
        ask(page, CASES[name].replace("\n", " "))
        # What is drawn is the sentence as it came, normalised: its words and nothing that runs.
        expected = normalise(CASES[name].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        expect(page.locator("thead th:not(.end) .word").first).to_have_text(english(expected)[0], timeout=PATIENCE)
        for tag in ("img", "script", "a", "svg svg", "iframe"):
            assert page.locator(f".picture {tag}").count() == 0, name
        assert page.locator(".st-key-sentence input").input_value(), name


def test_too_long_a_text_is_refused_and_kept(server: str, visit: Visit) -> None:
    page = visit(server)
    before = words_of(page, "source")
    ask(page, "cat " * 600)
    expect(page.get_by_role("alert")).to_contain_text("2,400 characters")
    assert page.locator(".st-key-sentence input").input_value() == "cat " * 600
    assert words_of(page, "source") == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_the_heatmap_and_not_the_page(server: str, visit: Visit, scheme: str) -> None:
    page = visit(server, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    heat = page.locator(".heat")
    assert heat.evaluate("node => node.scrollWidth > node.clientWidth")
    heat.evaluate("node => node.scrollTo(200, 0)")
    label = page.locator("tbody th .word").first.bounding_box()
    assert label is not None
    assert 0 <= label["x"] < 200  # the row's word stays in sight
    assert page.locator(".lane.target").is_visible()


def test_the_first_request_may_name_a_page(browser: Browser) -> None:
    """A fresh server whose first reader follows a link to a page still shows the frame around it. (Streamlit itself
    then looks for the server below the page's path first, which the browser logs: hence no check of the console.)"""
    with serving() as address:
        page = browser.new_page()
        page.goto(f"{address}/translate?unit=pieces")
        page.wait_for_selector(".picture table", timeout=PATIENCE)
        expect(page.locator(".st-key-frame h1")).to_be_visible()
        expect(page.get_by_role("radio", name="pieces")).to_be_checked()
        assert page.title() == "Align & Translate"
        page.close()
