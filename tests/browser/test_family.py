"""The family in a browser: partners light up in every column, a picture opens Translate, d is moved by keys."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watching
from tests.browser.running import settled

SENTENCE = "I am a student."


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    with watching(browser) as open_address:

        def run(**options: object) -> Page:
            page = open_address(f"{server}/family?sentence={SENTENCE}", ".family .target", **options)
            settled(page)
            return page

        yield run


def test_a_word_lights_who_looked_at_it_and_stays_lit_when_clicked(open_page: Callable[..., Page]) -> None:
    page = open_page()
    expect(page.locator(".family article")).to_have_count(2)
    student = page.locator(".family .source .word", has_text="student")
    student.hover()
    lit = page.locator(".family .target .word", has_text="étudiant").last
    assert float(lit.evaluate("node => node.style.getPropertyValue('--lit')")) > 0.5
    student.click()
    page.locator(".family .source .word").first.hover()
    expect(student).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".family .readout")).to_contain_text("étudiant")
    student.press("ArrowLeft")
    expect(page.locator(".family .source .word", has_text="a").nth(1)).to_be_focused()


def test_a_picture_opens_the_sentence_in_translate_with_its_model(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.locator(".family button.picture").click()
    page.wait_for_selector(".picture table")
    settled(page)
    assert "/family" not in page.url
    assert "model=" in page.url or "sentence=" in page.url
    expect(page.locator(".st-key-box textarea")).to_have_value(SENTENCE)


def test_on_a_phone_nothing_is_wider_than_the_window(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, locale="ko-KR")
    wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390


def test_d_is_moved_by_keys_and_the_entropy_without_the_scale_falls(open_page: Callable[..., Page]) -> None:
    page = open_page()
    told = page.locator(".root .told")
    slider = page.locator(".root input").first
    slider.press("Home")
    expect(told).to_contain_text("d = 1:")
    slider.press("End")
    expect(told).to_contain_text("d = 512:")
    before = told.text_content()
    page.locator(".root button").click()
    expect(told).not_to_have_text(before or "")
