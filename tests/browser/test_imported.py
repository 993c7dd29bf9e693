"""Imported attention in a real Chromium: a file is given, its maps are seen, compared, enlarged and saved."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.accessibility import findings
from tests.model.importers.test_attention_files import build_npz, random_attention

Visit = Callable[..., Page]

SOURCE = ["▁The", "▁dog", "▁sleeps", "</s>"]
TARGET = ["▁Der", "▁Hund", "▁schl", "äft", "</s>"]


def file(content: bytes, name: str) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


@pytest.fixture
def page(server: str, visit: Visit) -> Page:
    page = visit(f"{server}/your_text", ready=".st-key-given")
    page.get_by_role("radio", name="attention from elsewhere").click()
    page.locator(".st-key-attention-file").wait_for()
    return page


def give(page: Page, content: bytes, name: str) -> None:
    page.locator(".st-key-attention-file input[type=file]").set_input_files(file(content, name))


def test_a_file_is_seen_enlarged_and_shown_large(page: Page) -> None:
    cross = random_attention(2, 2, 5, 4)
    encoder = random_attention(2, 2, 4, 4)
    give(page, build_npz(source=np.array(SOURCE), target=np.array(TARGET), cross=cross, encoder=encoder), "maps.npz")
    expect(page.locator(".picture .sentence")).to_have_text("Der Hund schläft")
    expect(page.locator(".picture td[data-target]")).to_have_count(4 * 4)
    thumbs = page.locator(".heads button[data-key]")
    expect(thumbs).to_have_count(2 * 3 + 4)

    thumbs.nth(1).click()  # layer 1, head 1
    large = page.locator(".heads .large")
    expect(large.get_by_role("grid")).to_be_visible()
    cells = large.locator("td[data-s]")
    cells.first.hover()
    expect(large.locator(".said")).to_contain_text(f"Der takes {cross[0, 0, 0, 0]:.2f} from The")
    assert not findings(page)

    large.get_by_role("button", name="Show it in the large picture").click()
    expect(large.get_by_text("It is in the large picture")).to_be_disabled()
    shown = page.locator('.picture td[data-target="0"][data-source="0"]')
    assert float(shown.evaluate("node => node.style.getPropertyValue('--shade')")) == pytest.approx(
        cross[0, 0, 0, 0], abs=0.001)  # fmt: skip
    page.keyboard.press("Escape")
    thumbs.nth(1).focus()
    page.keyboard.press("ArrowRight")
    expect(thumbs.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(large.get_by_role("grid")).to_be_visible()
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(thumbs.nth(2)).to_be_focused()


def test_a_wrong_file_is_said_and_another_can_follow(page: Page) -> None:
    wrong = {"source": ["a", "b", "c", "d"], "target": ["<b>x</b>"], "attention": [[0.5, 0.5]]}
    give(page, json.dumps(wrong).encode(), "wrong.json")
    said = page.locator('.stMain [role="alert"]').filter(has_text="2 columns")
    expect(said).to_be_visible()
    give(page, json.dumps(wrong | {"attention": [[0.25] * 4]}).encode(), "right.json")
    expect(page.locator(".picture .sentence")).to_have_text("<b>x</b>")
    expect(said).to_have_count(0)
    page.get_by_role("button", name="Another file").click()
    expect(page.locator(".st-key-attention-file")).to_be_visible()


def test_words_tell_where_they_looked_though_nobody_says_how_likely_they_were(page: Page) -> None:
    """A word that was pointed at broke the line that tells of it: what is read in has no probabilities."""
    cross = random_attention(2, 2, 5, 4)
    give(page, build_npz(source=np.array(SOURCE), target=np.array(TARGET), cross=cross), "maps.npz")
    readout = page.locator(".picture .readout")
    for word, name in ((page.locator(".picture .sentence .word").nth(1), "Hund"),
                       (page.locator(".picture tbody th").first, "Der")):
        word.hover()
        expect(readout).to_contain_text(f"{name} looked at")
        expect(readout).not_to_contain_text("probability")


def test_two_files_are_compared_and_saved(page: Page, visit: Visit, tmp_path: Path) -> None:
    """The first asks what its map is, the second for its sentences; then word links are saved, and the picture as a
    page that needs neither app nor net."""
    target = [*TARGET[:2], "▁pennt", "</s>"]
    first = {"source": SOURCE, "target": target, "decoder_attentions": np.eye(4).tolist()}
    give(page, json.dumps(first).encode(), "first.json")
    expect(page.get_by_text("What is it?")).to_be_visible()
    expect(page.locator(".picture")).to_have_count(0)
    page.get_by_role("button", name="cross-attention (target × source)").click()
    expect(page.locator(".picture .sentence")).to_have_text("Der Hund pennt")

    page.get_by_text("Compare with a second file").click()
    marian = "le chien dort ||| 0.7,0.1,0.1,0.1 0.1,0.7,0.1,0.1 0.1,0.1,0.7,0.1 0.1,0.1,0.1,0.7\n"
    page.locator(".st-key-attention-file-beside input[type=file]").set_input_files(file(marian.encode(), "marian.txt"))
    page.get_by_label("Source sentences, one per line").fill("The dog sleeps")
    page.get_by_label("Target sentences, one per line").click()
    page.get_by_role("button", name="Draw the attention").click()
    expect(page.locator(".st-key-picture-beside .sentence")).to_have_text("le chien dort")
    expect(page.locator(".st-key-picture .sentence")).to_have_text("Der Hund pennt")
    assert not findings(page)

    with page.expect_download() as links:
        page.get_by_role("button", name="Pharaoh").click()
    assert Path(links.value.path()).read_text("utf-8") == "0-0 1-1 2-2\n"
    with page.expect_download() as picture:
        page.get_by_role("button", name="HTML").click()
    path = tmp_path / "picture.html"
    picture.value.save_as(path)
    saved = visit(path.as_uri())
    expect(saved.locator(".sentence")).to_have_text("Der Hund pennt")
    saved.locator(".sentence .word").nth(1).hover()
    expect(saved.locator(".readout")).to_contain_text("Hund looked at dog 1.00")
