"""The family in a browser: partners light up in every column, a picture opens Translate, d is moved by keys."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watching
from tests.browser.running import settled

SENTENCE = "I am a student."
TWO = "rnnencdec-50,rnnsearch-50"  # the members that these tests look at, however many there are


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    with watching(browser) as open_address:

        def run(**options: object) -> Page:
            page = open_address(f"{server}/family?sentence={SENTENCE}&members={TWO}", ".family .target", **options)
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
    page.goto(page.url.replace("rnnsearch-50", "rnnsearch-30"))
    settled(page)
    page.locator(".family button.picture").click(timeout=60_000)
    page.wait_for_selector(".picture table")
    settled(page)
    assert "/family" not in page.url
    assert "model=rnnsearch-30" in page.url
    expect(page.locator(".st-key-box textarea")).to_have_value(SENTENCE)


def test_on_a_phone_nothing_is_wider_than_the_window(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, locale="ko-KR")
    wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390


def test_a_written_word_is_chosen_by_click_and_keys_and_the_link_says_which(open_page: Callable[..., Page]) -> None:
    page = open_page()
    words = page.locator(".gradients .model").last.locator(".word")
    expect(words.first).to_be_visible(timeout=60_000)
    line = page.locator(".gradients .plot path.line").last
    whole, told = line.get_attribute("d"), page.locator(".gradients .told").text_content()
    words.nth(1).click()
    expect(page.locator(".gradients .word[aria-pressed=true]")).to_have_count(2)
    assert line.get_attribute("d") != whole
    expect(page.locator(".gradients .told")).not_to_have_text(told or "")
    page.wait_for_url("**written=2**")
    words.nth(1).press("ArrowRight")
    expect(words.nth(2)).to_be_focused()
    words.nth(2).press("Enter")
    page.wait_for_url("**written=3**")
    page.locator(".gradients .choose button").click()
    expect(page.locator(".gradients .told")).to_have_text(told or "")
    page.wait_for_url(lambda address: "written" not in address)


def test_the_curves_are_walked_by_keys_and_by_the_pointer(open_page: Callable[..., Page]) -> None:
    page = open_page()
    plot = page.locator(".gradients .plot")
    expect(plot.locator("path.line").first).to_be_visible(timeout=60_000)
    plot.press("Home")
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".gradients .readout")).to_contain_text("the end")
    plot.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuenow", "1")
    plot.press("End")
    expect(page.locator(".gradients .readout")).to_contain_text("I")
    box = plot.bounding_box()
    assert box
    plot.hover(position={"x": 0.1 * box["width"], "y": 0.5 * box["height"]})
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".gradients .encoder th.here")).to_have_text("the end")
    page.locator(".gradients .name").first.hover()
    expect(plot.locator("g.faint")).to_have_count(2)
    page.locator(".gradients summary").click()
    expect(page.locator(".gradients .numbers tbody tr").first).to_contain_text("the end")


def test_the_gates_of_another_model_are_opened_and_say_their_values(open_page: Callable[..., Page]) -> None:
    page = open_page(color_scheme="dark")
    tab = page.locator(".gradients [data-gates]").last
    tab.click(timeout=60_000)
    expect(tab).to_have_attribute("aria-pressed", "true")
    page.wait_for_url("**gates=**")
    rows = page.locator(".gradients .encoder tbody tr")
    expect(rows).to_have_count(4)
    cell = rows.nth(2).locator("td").nth(1)
    cell.hover()
    readout = page.locator(".gradients .gate")
    expect(readout).to_contain_text("← update, “am”: 0.")
    cell.focus()
    cell.press("ArrowDown")
    expect(rows.nth(3).locator("td").nth(1)).to_be_focused()
    expect(readout).to_contain_text("← reset, “am”: 0.")


def test_a_sentence_that_is_too_long_says_so_and_leaves_no_empty_picture(open_page: Callable[..., Page]) -> None:
    page = open_page()
    long = "The old farmer sleeps behind the small church. " * 16
    page.goto(f"{page.url.split('?')[0]}?members={TWO}&sentence={long}")
    problems = page.locator(".gradients .problem")
    expect(problems).to_have_count(2, timeout=120_000)
    expect(problems.first).to_contain_text("100 pieces")
    expect(page.locator(".gradients figure")).to_be_hidden()
    expect(page.locator(".gradients section.gates")).to_be_hidden()


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
