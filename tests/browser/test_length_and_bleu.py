"""Length and BLEU in a real Chromium: counts and bands on hover, SVG and CSV to take along, a phone's width."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.ui.backend import evaluations

Visit = Callable[..., Page]

PATIENCE = 60_000  # milliseconds
CHART = "[class*=st-key-curve-] .js-plotly-plot"


@pytest.fixture
def opened(server: str, visit: Visit) -> Callable[..., Page]:
    """The page, reached from the first one with what a link says."""

    def run(query: str = "", **options: object) -> Page:
        page = visit(f"{server}/{query}", **options)
        page.get_by_role("link", name="Length and BLEU").click()
        page.wait_for_selector(f"{CHART} .scatterlayer .point", state="attached", timeout=PATIENCE)
        return page

    return run


def test_pointing_at_a_curve_tells_counts_and_bands_and_the_picture_leaves(opened: Callable[..., Page]) -> None:
    page = opened()
    stand = evaluations.load_index()
    (first, *_), _ = stand.load_evaluations(stand.test_sets[0], stand.models, stand.searches[0])
    point = first.by_length[1]
    page.locator(f"{CHART} .scatterlayer .trace:last-child .point").nth(1).hover(force=True)
    expect(page.locator(f"{CHART} .hoverlayer")).to_contain_text(
        f"{point.bleu:.1f} ({point.low:.1f} to {point.high:.1f}), {point.sentences:,} sentences"
    )
    with page.expect_download() as saved:
        page.locator(f".st-key-bleu-by-length-{evaluations.slugify(stand.test_sets[0])}-svg button:visible").click()
    assert saved.value.suggested_filename == f"bleu-by-length-{evaluations.slugify(stand.test_sets[0])}.svg"
    picture = Path(saved.value.path()).read_text("utf-8")
    assert "<svg" in picture
    assert "RNNsearch-50" in picture
    with page.expect_download() as saved:
        page.locator(".st-key-curves-csv button").first.click()
    table = Path(saved.value.path()).read_text("utf-8-sig").splitlines()
    assert table[0].startswith("test set,search,model,weights,first word,last word,sentences,BLEU,low,high")
    assert f"{point.bleu}" in table[2]
    expect(page.get_by_role("figure", name="BLEU by number of source words, measured on")).to_be_visible()


def test_a_phone_reads_it_without_scrolling_sideways(opened: Callable[..., Page]) -> None:
    page = opened("?bins=5", viewport={"width": 390, "height": 844}, color_scheme="dark")
    expect(page.get_by_role("radio", name="5 words", exact=True)).to_be_checked()
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    page.get_by_role("button", name="RNNencdec-50").click()
    expect(page.locator(f"{CHART} .legendtext")).not_to_contain_text(["RNNencdec-50"], timeout=PATIENCE)
    assert "curves=" in page.url


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080)])
def test_the_whole_curve_is_on_the_projector_and_answers_the_pointer(server: str, visit: Visit, width: int,
                                                                      height: int) -> None:
    page = visit(f"{server}/length_and_bleu?present=1", ".js-plotly-plot .main-svg",
                 viewport={"width": width, "height": height})  # fmt: skip
    page.wait_for_function("""() => {
      const frame = document.querySelector("[class*=st-key-curve-]")
      const [out, box] = [frame, frame.querySelector(".main-svg")].map(one => one.getBoundingClientRect())
      return innerWidth < 1.1 * out.width
        && Math.abs(out.width - box.width) < 2 && Math.abs(out.height - box.height) < 2
    }""")
    for end in (".xtick text", ".xtitle"):
        box = page.locator(f"{CHART} {end}").last.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.locator("[class*=st-key-curve-]:hover").count() == 1, end
    page.locator(f"{CHART} .scatterlayer .trace:last-child .point").last.hover(force=True)
    expect(page.locator(f"{CHART} .hoverlayer")).to_contain_text("61+")
