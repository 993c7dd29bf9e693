"""Family: partners of a word are highlighted in every model, gradients and gates respond to keys and pointer."""

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
    page.wait_for_url("**equal=1**")
    slider, values = equal.get_by_role("slider"), equal.locator(".key b")
    last = values.all_text_contents()
    assert float(last[0]) > float(last[1]) > 5
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


def test_gradients_of_a_chosen_word_are_shown_and_the_link_names_it(page: Page) -> None:
    words = page.locator(".gradients .model").last.locator(".word")
    expect(words.first).to_be_visible()
    line, summary = page.locator(".gradients .plot path.line").last, page.locator(".gradients .told")
    whole, text = line.get_attribute("d"), summary.text_content()
    words.nth(1).click()
    expect(page.locator(".gradients .word[aria-pressed=true]")).to_have_count(2)
    assert line.get_attribute("d") != whole
    expect(summary).not_to_have_text(text or "")
    page.wait_for_url("**written=2**")
    words.nth(1).press("ArrowRight")
    expect(words.nth(2)).to_be_focused()
    words.nth(2).press("Enter")
    page.wait_for_url("**written=3**")
    page.locator(".gradients .choose button").click()
    expect(summary).to_have_text(text or "")
    page.wait_for_url(lambda address: "written" not in address)


def test_curves_and_gates_are_read_by_keys_and_pointer(page: Page) -> None:
    plot, readout = page.locator(".gradients .plot"), page.locator(".gradients .readout")
    plot.press("Home")
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(readout).to_contain_text("the end")
    plot.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuenow", "1")
    plot.press("End")
    expect(readout).to_contain_text("I")
    box = get_box(plot)
    plot.hover(position={"x": 0.1 * box["width"], "y": 0.5 * box["height"]})
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".gradients .encoder th.here")).to_have_text("the end")
    page.locator(".gradients .name").first.hover()
    expect(plot.locator("g.faint")).to_have_count(2)
    page.locator(".gradients summary").click()
    expect(page.locator(".gradients .numbers tbody tr").first).to_contain_text("the end")

    tab = page.locator(".gradients [data-gates]").last
    tab.click()
    expect(tab).to_have_attribute("aria-pressed", "true")
    page.wait_for_url("**gates=**")
    rows, gate = page.locator(".gradients .encoder tbody tr"), page.locator(".gradients .gate")
    expect(rows).to_have_count(4)
    cell = rows.nth(2).locator("td").nth(1)
    cell.hover()
    expect(gate).to_contain_text("← update, “am”: 0.")
    cell.focus()
    cell.press("ArrowDown")
    expect(rows.nth(3).locator("td").nth(1)).to_be_focused()
    expect(gate).to_contain_text("← reset, “am”: 0.")


def test_the_entropy_depends_on_the_dimension_and_the_scaling(page: Page) -> None:
    text, slider = page.locator(".root .told"), page.locator(".root input").first
    slider.press("Home")
    expect(text).to_contain_text("d = 1:")
    slider.press("End")
    expect(text).to_contain_text("d = 512:")
    before = text.text_content()
    page.locator(".root button").click()
    expect(text).not_to_have_text(before or "")


def test_a_picture_opens_the_sentence_in_translate_with_its_model(page: Page) -> None:
    page.goto(f"{page.url.split('?')[0]}?members={MEMBERS.replace('search-50', 'search-30')}&sentence={SENTENCE}")
    settle(page)
    page.locator(".family button.picture").click()
    page.wait_for_selector(".picture table")
    settle(page)
    assert "/family" not in page.url
    assert "model=rnnsearch-30" in page.url
    expect(page.locator(".st-key-box textarea")).to_have_value(SENTENCE)
