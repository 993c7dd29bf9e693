"""Your own text in a real Chromium: a file is given, its sentences become bars, one of them is opened elsewhere."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from pages.ui.backend import evaluations
from pages.ui.backend.cards import get_title, sort_default_first
from pages.ui.i18n.messages import load_messages
from pages.ui.your_text import sentence_bars
from tests.browser.running import settled, upload

Visit = Callable[..., Page]

PATIENCE = 240_000  # milliseconds: models may have to be loaded, on a busy machine
FILE = """source,reference
The small cat sleeps.,Le petit chat dort.
Where is the station?,Où est la gare?
The old house is near the river.,La vieille maison est près de la rivière.
I have a dog.,J'ai un chien.
"""


@pytest.fixture
def page(server: str, visit: Visit) -> Page:
    page = visit(server, ready=".st-key-pages a")
    page.set_default_timeout(PATIENCE)
    page.get_by_role("link", name="Your own text").click()
    expect(page.locator(".sentence-bars .row").first).to_be_visible(timeout=PATIENCE)
    return page


def letters(content: bytes, name: str = "letters.txt", kind: str = "text/plain") -> FilePayload:
    return {"name": name, "mimeType": kind, "buffer": content}


def test_what_is_pasted_waits_for_the_reader_who_goes_elsewhere(page: Page) -> None:
    box = page.locator(".st-key-pasted textarea")
    box.fill("The crocodile sleeps.")
    page.get_by_role("link", name="Translate", exact=True).click()
    expect(page.locator(".st-key-sentence textarea")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Your own text").click()
    expect(box).to_have_value("The crocodile sleeps.", timeout=PATIENCE)
    box.fill("The crocodile wakes.")
    page.get_by_role("radio", name="as a file").click()
    expect(box).to_have_count(0)
    page.get_by_role("radio", name="as text").click()
    expect(box).to_have_value("The crocodile wakes.")
    page.get_by_role("button", name="Translate all").click()
    expect(page.get_by_text("All 2 translations are there")).to_be_visible(timeout=PATIENCE)


def test_a_click_that_a_slow_browser_hears_late_loses_nothing_that_was_pasted(page: Page) -> None:
    """Streamlit says what was typed a moment after the box has lost the keyboard, and then a click may have waited."""
    box = page.locator(".st-key-pasted textarea")
    box.fill("The crocodile sleeps.")
    page.evaluate("""() => {
      document.activeElement.blur()
      for (const since = performance.now(); performance.now() < since + 600; );
      document.querySelector(".st-key-pages a[href*=compare]").click()
    }""")
    expect(page).to_have_url(re.compile("/compare"))
    page.wait_for_selector(".compare")
    page.get_by_role("link", name="Your own text").click()
    expect(box).to_have_value("The crocodile sleeps.")


def test_a_file_becomes_bars_and_a_bar_opens_its_sentence(page: Page, tmp_path: Path) -> None:
    page.get_by_role("radio", name="as a file").click()
    upload(page, letters(FILE.encode(), "letters.csv", "text/csv"))
    page.get_by_role("button", name="Translate all").click()
    expect(page.get_by_text("All 8 translations are there")).to_be_visible(timeout=PATIENCE)
    rows = page.locator(".sentence-bars .row")
    expect(rows).to_have_count(4)
    expect(page.get_by_label("sorted by")).to_have_value("0")
    expect(page.locator(".scores table")).to_contain_text("1–10")

    with page.expect_download() as taken:
        page.get_by_role("button", name="CSV of all sentences").click()
    assert "The small cat sleeps." in Path(taken.value.path()).read_text("utf-8")
    with page.expect_download() as taken:
        page.locator(".sentence-bars .svg").click()
    assert "BLEU difference" in Path(taken.value.path()).read_text("utf-8")
    with page.expect_download() as taken:
        page.locator(".sentence-bars .png").click()
    assert Path(taken.value.path()).read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as taken:
        page.locator(".st-key-own-curve-svg button:visible").click()
    curve = Path(taken.value.path()).read_text("utf-8")
    assert "<svg" in curve
    assert "RNNencdec-50" in curve
    expect(page.locator(".commands")).to_contain_text("evaluate sentences.tsv --model rnnsearch-50 --beam 1")

    page.get_by_label("sorted by").select_option(label="source words")
    expect(rows.first).to_contain_text("The old house")  # the longest comes first
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(rows.last).to_be_focused()
    key = parse_qs(urlsplit(page.url).query)["text"]
    rows.first.click()  # the first click; the second one leaves
    expect(page.locator(".sentence-bars .details")).to_contain_text("La vieille maison est près de la rivière.")
    page.get_by_role("link", name="Step by step: RNNsearch-50").click()
    box = page.locator(".st-key-sentence textarea")
    expect(box).to_have_value("The old house is near the river.", timeout=PATIENCE)
    assert "text=" not in page.url

    page.get_by_role("link", name="Your own text").click()  # the results have survived
    expect(rows).to_have_count(4, timeout=PATIENCE)
    assert parse_qs(urlsplit(page.url).query)["text"] == key


def test_the_numbers_of_a_sentence_stand_under_their_models(page: Page) -> None:
    """Of a shipped test set: four models, six pairs of them; and the same numbers leave as CSV."""
    index = evaluations.load_index()
    found, _ = index.load_evaluations(index.test_sets[0], sort_default_first(index.models), index.searches[0])
    measures = {
        measure.name: measure for measure in sentence_bars.build_evaluation_measures(found, load_messages("en"))
    }
    row = page.locator(".sentence-bars .row").first
    place = int(row.get_attribute("data-line") or "") - 1
    row.click()
    names = [get_title(one.model) for one in found]
    numbers = page.locator(".sentence-bars .numbers")
    expect(numbers.locator("thead th")).to_have_text(names)
    line = numbers.locator("tbody tr", has=page.locator("th", has_text=re.compile("^BLEU$")))
    bleus = [values[place] or 0.0 for _, values in measures["bleu"].series]
    expect(line.locator("td")).to_have_text([f"{value:.1f}" for value in bleus])
    expect(numbers.locator(".single")).to_contain_text(f"{names[0]} − {names[1]} {bleus[0] - bleus[1]:.1f}")
    expect(page.locator(".sentence-bars .links")).to_have_count(0)
    with page.expect_download() as taken:
        page.locator(".sentence-bars .csv").click()
    assert taken.value.path().read_bytes().startswith(b"\xef\xbb\xbf"), "Excel reads it as UTF-8"
    with open(taken.value.path(), encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert first["line"] == str(place + 1)
    assert [float(first[f"bleu: {name}"]) for name in names] == pytest.approx(bleus, abs=1e-3)


def test_a_file_too_large_is_refused_in_the_readers_language(page: Page) -> None:
    """Below the uploader, and Streamlit's own words, which are English, nowhere."""
    said = f"{load_messages('ko')('upload.too_large', size=5)} {load_messages('ko')('your_text.too_large')}"
    page.get_by_role("radio", name="한국어").click()
    page.get_by_role("radio", name=load_messages("ko")("your_text.file_way"), exact=True).click()
    upload(page, letters(b"a\n"))
    expect(page.get_by_test_id("stFileChip")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(said)).to_be_hidden()
    page.locator(".st-key-uploaded input[type=file]").set_input_files(letters(b"a\n" * 3_000_000))  # never sent
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("stFileChip").last.hover()
    page.wait_for_timeout(1000)  # its own words come while the pointer rests
    assert "smaller" not in page.locator("body").inner_text()


def test_a_renamed_archive_is_refused_in_a_sentence(page: Page) -> None:
    page.get_by_role("radio", name="as a file").click()
    upload(page, letters(b"PK\x03\x04" + bytes(100)))
    page.get_by_role("button", name="Translate all").click()
    expect(page.get_by_role("alert").filter(has_text="ZIP")).to_be_visible(timeout=PATIENCE)


def test_a_stop_keeps_what_is_done(page: Page) -> None:
    page.locator(".st-key-pasted textarea").fill(
        "\n".join(f"The cat number {n} sleeps on the chair." for n in range(300))
    )
    page.get_by_role("button", name="Translate all").click()
    rows = page.locator(".sentence-bars .row", has_text="The cat number")
    expect(rows.first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Stop, keep what is done").click()
    expect(page.get_by_text("Stopped:")).to_be_visible(timeout=PATIENCE)
    expect(rows.first).to_be_visible()


@pytest.mark.parametrize(("locale", "said"), [("en-GB", "Choose a file"), ("ko-KR", "파일 고르기")])
def test_the_place_for_a_file_speaks_the_reader_s_language(
    server: str, browser: Browser, locale: str, said: str
) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(f"{server}/your_text")
    settled(page)
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    page.locator(".st-key-given button").nth(1).click()
    button = page.get_by_role("button", name=said)
    with page.expect_file_chooser():
        button.click()
    inside = "node => [getComputedStyle(node).fontSize, getComputedStyle(node, '::after').content]"
    assert button.locator("p").evaluate(inside) == ["0px", f'"{said}"']
    context.close()


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
def test_on_a_phone_the_choices_of_the_bars_stay_within_their_column(
    server: str, browser: Browser, locale: str
) -> None:
    context = browser.new_context(locale=locale, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{server}/your_text")
    page.wait_for_selector(".sentence-bars .controls", timeout=PATIENCE)
    settled(page)
    right = "node => node.getBoundingClientRect().right"
    column = page.locator(".sentence-bars").evaluate(right)
    for choice in page.locator(".sentence-bars .controls select").all():
        assert choice.evaluate(right) <= column
    context.close()
