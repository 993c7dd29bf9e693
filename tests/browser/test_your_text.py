"""Your own text in a real Chromium: a file is given, its sentences become bars, one of them is opened elsewhere."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect

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
    expect(page.locator(".bars .row").first).to_be_visible(timeout=PATIENCE)
    return page


def test_a_file_becomes_bars_and_a_bar_opens_its_sentence(page: Page, tmp_path: Path) -> None:
    page.get_by_role("radio", name="as a file").click()
    chooser = page.locator(".st-key-uploaded input[type=file]")
    chooser.set_input_files({"name": "letters.csv", "mimeType": "text/csv", "buffer": FILE.encode()})
    page.get_by_role("button", name="Translate all").click()
    expect(page.get_by_text("All 8 translations are there")).to_be_visible(timeout=PATIENCE)
    rows = page.locator(".bars .row")
    expect(rows).to_have_count(4)
    expect(page.get_by_label("sorted by")).to_have_value("0")
    expect(page.locator(".scores table")).to_contain_text("1–10")

    with page.expect_download() as taken:
        page.get_by_role("button", name="CSV of all sentences").click()
    assert "The small cat sleeps." in Path(taken.value.path()).read_text("utf-8")
    with page.expect_download() as taken:
        page.locator(".bars .save").click()
    assert "BLEU difference" in Path(taken.value.path()).read_text("utf-8")

    page.get_by_label("sorted by").select_option(label="source words")
    expect(rows.first).to_contain_text("The old house")  # the longest comes first
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(rows.last).to_be_focused()
    key = parse_qs(urlsplit(page.url).query)["text"]
    rows.first.click()  # the first click; the second one leaves
    expect(page.locator(".bars .details")).to_contain_text("La vieille maison est près de la rivière.")
    page.get_by_role("link", name="Step by step: RNNsearch-50").click()
    expect(page.locator(".st-key-sentence input")).to_have_value("The old house is near the river.", timeout=PATIENCE)
    assert "text=" not in page.url

    page.get_by_role("link", name="Your own text").click()  # the results have survived
    expect(rows).to_have_count(4, timeout=PATIENCE)
    assert parse_qs(urlsplit(page.url).query)["text"] == key


def test_a_renamed_archive_is_refused_in_a_sentence(page: Page) -> None:
    page.get_by_role("radio", name="as a file").click()
    archive: FilePayload = {"name": "letters.txt", "mimeType": "text/plain", "buffer": b"PK\x03\x04" + bytes(100)}
    page.locator(".st-key-uploaded input[type=file]").set_input_files(archive)
    page.get_by_role("button", name="Translate all").click()
    expect(page.get_by_role("alert").filter(has_text="ZIP")).to_be_visible(timeout=PATIENCE)


def test_a_stop_keeps_what_is_done(page: Page) -> None:
    page.locator(".st-key-pasted textarea").fill(
        "\n".join(f"The cat number {n} sleeps on the chair." for n in range(300))
    )
    page.get_by_role("button", name="Translate all").click()
    bars = page.locator(".bars .row", has_text="The cat number")
    expect(bars.first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Stop, keep what is done").click()
    expect(page.get_by_text("Stopped:")).to_be_visible(timeout=PATIENCE)
    expect(bars.first).to_be_visible()
