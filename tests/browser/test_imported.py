"""Imported attention: an uploaded file's maps are drawn, enlarged, compared and saved."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.accessibility import find_violations
from tests.model.importers.test_attention_files import build_npz, random_attention

Visit = Callable[..., Page]

SOURCE = ["▁The", "▁dog", "▁sleeps", "</s>"]
TARGET = ["▁Der", "▁Hund", "▁schl", "äft", "</s>"]


def make_file(content: bytes, name: str) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


@pytest.fixture
def page(server: str, visit: Visit) -> Page:
    page = visit(f"{server}/your_text", ready=".st-key-input-method")
    page.get_by_role("radio", name="import attention").click()
    page.locator(".st-key-attention-file").wait_for()
    return page


def upload(page: Page, content: bytes, name: str) -> None:
    page.locator(".st-key-attention-file input[type=file]").set_input_files(make_file(content, name))


def test_a_map_is_enlarged_and_drawn_as_the_picture(page: Page) -> None:
    cross = random_attention(2, 2, 5, 4)
    encoder = random_attention(2, 2, 4, 4)
    upload(page, build_npz(source=np.array(SOURCE), target=np.array(TARGET), cross=cross, encoder=encoder), "maps.npz")
    expect(page.locator(".picture .sentence")).to_have_text("Der Hund schläft")
    expect(page.locator(".picture td[data-target]")).to_have_count(4 * 4)
    readout = page.locator(".picture .readout")
    for word, name in ((page.locator(".picture .sentence .word").nth(1), "Hund"),
                       (page.locator(".picture tbody th").first, "Der")):
        word.hover()
        expect(readout).to_contain_text(f"{name} attended to")
        expect(readout).not_to_contain_text("probability")  # the file has none
    thumbs = page.locator(".heads button[data-key]")
    expect(thumbs).to_have_count(2 * 3 + 4)

    thumbs.nth(1).click()  # layer 1, head 1
    large = page.locator(".heads .large")
    expect(large.get_by_role("grid")).to_be_visible()
    cells = large.locator("td[data-s]")
    cells.first.hover()
    expect(large.locator(".description")).to_contain_text(f"Der gives {cross[0, 0, 0, 0]:.2f} to The")
    assert not find_violations(page)

    large.get_by_role("button", name="Show in the main heatmap").click()
    expect(large.get_by_text("Shown in the main heatmap")).to_be_disabled()
    page.wait_for_function("""value => [...document.querySelectorAll("*")].some((node) => {
      const cell = node.shadowRoot?.querySelector('.picture td[data-target="0"][data-source="0"]')
      return cell && Math.abs(Number(cell.style.getPropertyValue("--shade")) - value) < 0.001
    })""", arg=float(cross[0, 0, 0, 0]))  # drawn by another component than the button
    page.keyboard.press("Escape")
    thumbs.nth(1).focus()
    page.keyboard.press("ArrowRight")
    expect(thumbs.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(large.get_by_role("grid")).to_be_visible()
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(thumbs.nth(2)).to_be_focused()


def test_an_invalid_file_is_reported_and_another_can_follow(page: Page) -> None:
    content = {"source": ["a", "b", "c", "d"], "target": ["<b>x</b>"], "attention": [[0.5, 0.5]]}
    upload(page, json.dumps(content).encode(), "invalid.json")
    error = page.get_by_role("alert").filter(has_text="2 columns")
    expect(error).to_be_visible()
    upload(page, json.dumps(content | {"attention": [[0.25] * 4]}).encode(), "valid.json")
    expect(page.locator(".picture .sentence")).to_have_text("<b>x</b>")
    expect(error).to_have_count(0)
    page.get_by_role("button", name="Another file").click()
    expect(page.locator(".st-key-attention-file")).to_be_visible()


def test_two_files_are_compared_and_saved(page: Page, visit: Visit, tmp_path: Path) -> None:
    """The first file does not name its map, the second has no sentences."""
    target = [*TARGET[:2], "▁pennt", "</s>"]
    first = {"source": SOURCE, "target": target, "decoder_attentions": np.eye(4).tolist()}
    upload(page, json.dumps(first).encode(), "first.json")
    expect(page.get_by_text("Which map is it?")).to_be_visible()
    expect(page.locator(".picture")).to_have_count(0)
    page.get_by_role("button", name="cross-attention (target × source)").click()
    expect(page.locator(".picture .sentence")).to_have_text("Der Hund pennt")

    page.get_by_text("Compare with a second file").click()
    marian = "le chien dort ||| 0.7,0.1,0.1,0.1 0.1,0.7,0.1,0.1 0.1,0.1,0.7,0.1 0.1,0.1,0.1,0.7\n"
    second = page.locator(".st-key-attention-file-beside input[type=file]")
    second.set_input_files(make_file(marian.encode(), "marian.txt"))
    page.get_by_label("Source sentences, one per line").fill("The dog sleeps")
    page.get_by_label("Target sentences, one per line").click()
    page.get_by_role("button", name="Draw the heatmap").click()
    expect(page.locator(".st-key-picture-beside .sentence")).to_have_text("le chien dort")
    expect(page.locator(".st-key-picture .sentence")).to_have_text("Der Hund pennt")
    assert not find_violations(page)

    with page.expect_download() as download:
        page.get_by_role("button", name="Pharaoh").click()
    assert Path(download.value.path()).read_text("utf-8") == "0-0 1-1 2-2\n"
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    path = tmp_path / "picture.html"
    download.value.save_as(path)
    saved = visit(path.as_uri())
    expect(saved.locator(".sentence")).to_have_text("Der Hund pennt")
    saved.locator(".sentence .word").nth(1).hover()
    expect(saved.locator(".readout")).to_contain_text("Hund attended to dog 1.00")
