"""Your text: pasted or uploaded sentences become a table or bars; bad files are refused; a run stops."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect

from pages.ui.backend import evaluations
from pages.ui.backend.cards import get_title, sort_default_first
from pages.ui.i18n.messages import load_messages
from pages.ui.your_text import sentence_bars
from tests.browser.running import settle, upload

Visit = Callable[..., Page]

CSV = """source,reference
The small cat sleeps.,Le petit chat dort.
Where is the station?,Où est la gare?
The old house is near the river.,La vieille maison est près de la rivière.
I have a dog.,J'ai un chien.
"""


@pytest.fixture
def page(server: str, visit: Visit) -> Page:
    return visit(f"{server}/your_text", ".sentence-bars .row")


def make_file(content: bytes, name: str = "letters.txt", mime_type: str = "text/plain") -> FilePayload:
    return {"name": name, "mimeType": mime_type, "buffer": content}


def test_pasted_text_is_kept_on_other_pages_and_a_stopped_run_keeps_its_results(page: Page) -> None:
    box = page.locator(".st-key-pasted textarea")
    box.fill("The crocodile sleeps.")
    # Streamlit sends the text a moment after the box loses the focus. A busy browser may follow the link before that.
    page.evaluate("""() => {
      document.activeElement.blur()
      for (const since = performance.now(); performance.now() < since + 600; );
      document.querySelector(".st-key-pages a[href*=compare]").click()
    }""")
    expect(page).to_have_url(re.compile("/compare"))
    page.wait_for_selector(".compare")
    page.get_by_role("link", name="Your text").click()
    expect(box).to_have_value("The crocodile sleeps.")
    box.fill("\n".join(f"The cat number {n} sleeps on the chair." for n in range(300)))
    page.get_by_role("radio", name="as a file").click()
    expect(box).to_have_count(0)
    page.get_by_role("radio", name="as text").click()
    expect(box).to_have_value(re.compile("^The cat number 0 "))
    page.get_by_role("button", name="Translate all").click()
    rows = page.locator(".sentence-bars .row", has_text="The cat number")
    expect(rows.first).to_be_visible()
    page.get_by_role("button", name="Stop and keep what is done").click()
    expect(page.get_by_text("Stopped:")).to_be_visible()
    expect(rows.first).to_be_visible()


def test_a_file_becomes_a_table_and_bars_and_a_bar_opens_its_sentence(page: Page) -> None:
    page.get_by_role("radio", name="as a file").click()
    upload(page, make_file(b"PK\x03\x04" + bytes(100)))
    expect(page.get_by_role("alert").filter(has_text="ZIP")).to_be_visible()
    upload(page, make_file(CSV.encode(), "letters.csv", "text/csv"))
    expect(page.locator(".st-key-input [role=status]")).to_be_visible()
    page.get_by_role("button", name="Translate all").click()
    expect(page.get_by_text("8 of 8 done")).to_be_visible()
    rows = page.locator(".sentence-bars .row")
    expect(rows).to_have_text([line.partition(",")[0] for line in CSV.splitlines()[1:]])  # as in the file
    translations = page.locator(".texts tbody tr").nth(1).locator(".output .text")
    expect(translations).to_have_text([re.compile("gare"), re.compile(r"\w")])
    page.get_by_role("button", name="bars", exact=True).click()
    expect(page.locator(".sentence-bars .strip")).to_be_visible()
    expect(page.get_by_label("sorted by")).to_have_value("0")
    expect(page.locator(".scores table")).to_contain_text("1–10")
    expect(page.locator(".commands")).to_contain_text("evaluate sentences.tsv --model rnnsearch-50 --beam 1")

    for button, content in ((page.get_by_role("button", name="CSV of all sentences"), b"The small cat sleeps."),
                            (page.locator(".sentence-bars .svg"), b"BLEU difference"),
                            (page.locator(".sentence-bars .png"), b"\x89PNG"),
                            (page.locator(".st-key-own-curve-svg button:visible"), b"RNNencdec-50")):  # fmt: skip
        with page.expect_download() as download:
            button.click()
        assert content in Path(download.value.path()).read_bytes()

    page.get_by_label("sorted by").select_option(label="source words")
    expect(rows.first).to_contain_text("The old house")  # the longest
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(rows.last).to_be_focused()
    expect(page).to_have_url(re.compile("text="))
    key = parse_qs(urlsplit(page.url).query)["text"]
    rows.first.click()
    expect(page.locator(".sentence-bars .details")).to_contain_text("La vieille maison est près de la rivière.")
    page.get_by_role("link", name="Step by step: RNNsearch-50").click()
    expect(page.locator(".st-key-sentence textarea")).to_have_value("The old house is near the river.")
    expect(page).not_to_have_url(re.compile("text="))
    page.get_by_role("link", name="Your text").click()
    expect(rows).to_have_count(4)
    expect(page).to_have_url(re.compile(f"text={re.escape(key[0])}"))


def test_the_scores_of_a_test_set_s_sentence_stand_under_their_models(page: Page) -> None:
    index = evaluations.load_index()
    test_set = evaluations.choose_main_test_set(index.test_sets)
    results, _ = index.load_evaluations(test_set, sort_default_first(index.models), index.searches[0])
    measures = {
        measure.name: measure for measure in sentence_bars.build_evaluation_measures(results, load_messages("en"))
    }
    row = page.locator(".sentence-bars .row").first
    place = int(row.get_attribute("data-line") or "") - 1
    row.click()
    names = [get_title(result.model) for result in results]
    numbers = page.locator(".sentence-bars .numbers")
    expect(numbers.locator("thead th")).to_have_text(names)
    line = numbers.locator("tbody tr", has=page.locator("th", has_text=re.compile("^BLEU$")))
    bleus = [values[place] or 0.0 for _, values in measures["bleu"].series]
    expect(line.locator("td")).to_have_text([f"{value:.1f}" for value in bleus])
    expect(numbers.locator(".single")).to_contain_text(f"{names[0]} − {names[1]} {bleus[0] - bleus[1]:.1f}")
    expect(page.locator(".sentence-bars .links")).to_have_count(0)
    with page.expect_download() as download:
        page.locator(".sentence-bars .csv").click()
    assert download.value.path().read_bytes().startswith(b"\xef\xbb\xbf"), "Excel reads it as UTF-8"
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert first["line"] == str(place + 1)
    assert [float(first[f"bleu: {name}"]) for name in names] == pytest.approx(bleus, abs=1e-3)


def test_the_uploader_speaks_korean_and_refuses_a_large_file_before_it_is_sent(server: str, visit: Visit) -> None:
    say = load_messages("ko")
    page = visit(f"{server}/your_text", ".sentence-bars .controls", locale="ko-KR")
    settle(page)
    assert page.evaluate("document.documentElement.lang") == "ko"
    page.get_by_role("radio", name=say("your_text.file_way"), exact=True).click()
    button = page.get_by_role("button", name="파일 선택")
    with page.expect_file_chooser():
        button.click()
    style = "node => [getComputedStyle(node).fontSize, getComputedStyle(node, '::after').content]"
    assert button.locator("p").evaluate(style) == ["0px", '"파일 선택"']
    message = f"{say('upload.too_large', size=5)} {say('your_text.too_large')}"
    upload(page, make_file(b"a\n"))
    expect(page.get_by_test_id("stFileChip")).to_be_visible()
    expect(page.get_by_text(message)).to_be_hidden()
    page.locator(".st-key-uploaded input[type=file]").set_input_files(make_file(b"a\n" * 3_000_000))
    expect(page.get_by_role("alert").filter(has_text=message)).to_be_visible()
    page.get_by_test_id("stFileChip").last.hover()
    page.wait_for_timeout(1000)  # for Streamlit's own tooltip, which is English
    assert "smaller" not in page.locator("body").inner_text()
