"""Length and BLEU: curves show counts and intervals and are saved; the onset of alignment plays over the training."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from pages.ui.backend import evaluations
from tests.browser.running import settle

Visit = Callable[..., Page]

CHART = "[class*=st-key-curve-] .js-plotly-plot"
GET_WEIGHT = "node => Number(node.style.getPropertyValue('--weight'))"


def test_curves_show_counts_and_intervals_and_are_saved(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?bins=5")
    page.get_by_role("link", name="Length and BLEU").click()
    page.wait_for_selector(f"{CHART} .scatterlayer .point", state="attached")
    expect(page.get_by_role("radio", name="5 words each", exact=True)).to_be_checked()
    page.get_by_role("radio", name="10 words each", exact=True).click()
    page.wait_for_url(lambda url: "bins=5" not in url)
    index = evaluations.load_index()
    (first, *_), _ = index.load_evaluations(index.test_sets[0], index.models, index.searches[0])
    point = first.by_length[1]
    settle(page)  # until the chart of the other grouping has replaced the first
    points = page.locator(f"{CHART} .scatterlayer .trace:last-child .point")
    expect(points).to_have_count(len(first.by_length))
    points.nth(1).hover(force=True)
    expect(page.locator(f"{CHART} .hoverlayer")).to_contain_text(
        f"{point.bleu:.1f} ({point.low:.1f} to {point.high:.1f}), {point.sentences:,} sentences"
    )
    name = f"bleu-by-length-{evaluations.slugify(index.test_sets[0])}"
    with page.expect_download() as download:
        page.locator(f".st-key-{name}-svg button:visible").click()
    assert download.value.suggested_filename == f"{name}.svg"
    picture = Path(download.value.path()).read_text("utf-8")
    assert "<svg" in picture
    assert "RNNsearch-50" in picture
    with page.expect_download() as download:
        page.locator(".st-key-curves-csv button").first.click()
    table = Path(download.value.path()).read_text("utf-8-sig").splitlines()
    assert table[0].startswith("test set,search,model,weights,first word,last word,sentences,BLEU,low,high")
    assert f"{point.bleu}" in table[2]
    expect(page.get_by_role("figure", name="BLEU by number of source words, measured on")).to_be_visible()
    page.get_by_role("button", name="RNNencdec-50").click()
    expect(page.locator(f"{CHART} .legendtext")).not_to_contain_text(["RNNencdec-50"])
    expect(page).to_have_url(re.compile("curves="))


def test_the_onset_of_alignment_plays_and_its_rows_are_read_by_keys(server: str, visit: Visit) -> None:
    page = visit(f"{server}/length_and_bleu?probe=5", ".alignment-onset .alpha")
    track, play, readout = (page.locator(f".alignment-onset .{name}") for name in ("track", "play", "readout"))
    model = page.locator(".alignment-onset .side").first
    cells, rows = model.locator(".cell"), model.locator("th.target")
    assert max(cells.evaluate_all(f"nodes => nodes.map({GET_WEIGHT})")) > 0.8
    track.focus()
    page.keyboard.press("Home")
    assert max(cells.evaluate_all(f"nodes => nodes.map({GET_WEIGHT})")) < 0.3
    play.click()
    expect(play).to_have_text("Pause")
    expect(track).not_to_have_value("0")
    play.click()
    mark = page.locator(".alignment-onset .mark.reordering").first
    mark.click()
    expect(track).to_have_value(str(mark.get_attribute("data-position")))
    page.wait_for_url("**moment=**")
    settle(page)  # the run that writes the link draws the readout anew
    idle = readout.inner_text()
    rows.first.hover()
    expect(readout).not_to_have_text(idle)

    expect(model.locator('th.target[tabindex="0"]')).to_have_count(1)
    rows.first.focus()
    texts = [readout.inner_text()]
    for key, row in (("ArrowDown", 1), ("ArrowUp", 0), ("End", -1), ("ArrowDown", -1), ("Home", 0)):
        page.keyboard.press(key)
        expect(rows.nth(row)).to_be_focused()
        texts.append(readout.inner_text())
    assert texts[0] == texts[2] == texts[5]
    assert len({texts[0], texts[1], texts[3]}) == 3
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    expect(model.locator("th.target:focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(rows.last).to_be_focused()
    page.locator(".alignment-onset .choose").select_option("1")
    expect(rows).to_have_count(14)
    page.wait_for_url("**probe=2**")
