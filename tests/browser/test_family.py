"""Family: partners of a word are highlighted in every model, and a picture opens in Translate."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import open_pages
from tests.browser.running import get_box, settle

SENTENCE = "I am a student."
MEMBERS = "rnnencdec-50,rnnsearch-50"


def test_training_is_compared_with_rnnsearch_of_equal_hours(visit: Callable[..., Page], server: str) -> None:
    page = visit(f"{server}/family?sentence={SENTENCE}&members=rnnsearch-50,transformer-50", ".family .target")
    expect(page.locator(".family .unequal")).to_contain_text("Not a fair comparison")
    expect(page.locator(".family article.grey h3")).to_have_text(["Transformer-50"])
    equal, choose = page.locator(".family .equal"), page.locator(".family .choose")
    expect(equal).to_be_hidden()
    choose.click()
    page.wait_for_url("**equal-hours=1**")
    slider, values = equal.get_by_role("slider"), equal.locator(".key b")
    expect(values).to_have_text(["20.5", "20.4"])  # RNNsearch with as many hours, and the Transformer
    slider.press("Home")
    expect(values).to_have_text(["0.0", "0.0"])
    choose.click()
    expect(equal).to_be_hidden()


def test_columns_are_swiped_on_a_phone(visit: Callable[..., Page], server: str) -> None:
    page = visit(f"{server}/family?sentence={SENTENCE}", ".family .target")
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    columns, second = page.locator(".family .columns"), page.locator(".family article").nth(1)
    first_box = get_box(page.locator(".family article").first)
    assert 280 < first_box["width"] < get_box(columns)["width"] - 20 < get_box(second)["x"]
    assert get_box(columns)["height"] < 844
    columns.evaluate("node => node.scrollBy({ left: 200 })")
    page.wait_for_function("node => Math.abs(node.getBoundingClientRect().left - 16) < 3", arg=second.element_handle())


@pytest.fixture(scope="module")
def page(browser: Browser, server: str) -> Iterator[Page]:
    """One page for all tests of the module; the last one leaves it."""
    with open_pages(browser) as open_page:
        page: Page = open_page(f"{server}/family?sentence={SENTENCE}&members={MEMBERS}", ".family .target")
        settle(page)
        yield page


def test_a_word_highlights_its_partners_in_every_model(page: Page) -> None:
    expect(page.locator(".family article")).to_have_count(2)
    student = page.locator(".family .source .word", has_text="student")
    student.hover()
    partner = page.locator(".family .target .word", has_text="étudiant").last
    assert float(partner.evaluate("node => node.style.getPropertyValue('--lit')")) > 0.5
    student.click()
    page.locator(".family .source .word").first.hover()
    expect(student).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".family .readout")).to_contain_text("étudiant")
    student.press("ArrowLeft")
    expect(page.locator(".family .source .word", has_text="a").nth(1)).to_be_focused()


def test_a_picture_opens_the_sentence_in_translate_with_its_model(page: Page) -> None:
    page.goto(f"{page.url.split('?')[0]}?members={MEMBERS.replace('search-50', 'search-30')}&sentence={SENTENCE}")
    settle(page)
    page.locator(".family button.picture").click()
    page.wait_for_selector(".picture table")
    settle(page)
    assert "/family" not in page.url
    assert "model=rnnsearch-30" in page.url
    expect(page.locator(".st-key-box textarea")).to_have_value(SENTENCE)
