"""Paper figures: the drawings are shown, and saved as SVG, PDF, PNG and CSV."""

import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect


def test_a_figure_is_saved_in_four_formats(server: str, visit: Callable[..., Page]) -> None:
    page = visit(f"{server}/paper_figures", ".st-key-print-figure-3a img", viewport={"width": 390, "height": 844})
    picture = page.locator(".st-key-print-figure-3a img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    saved = {}
    for kind in ("svg", "pdf", "png", "csv"):
        with page.expect_download() as download:
            page.locator(f".st-key-figure-3a-{kind} button:visible").click()
        assert download.value.suggested_filename == f"figure-3a.{kind}"
        saved[kind] = Path(download.value.path()).read_bytes()
    drawing = ET.fromstring(saved["svg"])
    width, height = struct.unpack(">II", saved["png"][16:24])
    assert saved["png"][:8] == b"\x89PNG\r\n\x1a\n"
    assert width >= 2000
    assert saved["pdf"].startswith(b"%PDF")
    _, _, across, down = map(float, drawing.get("viewBox", "").split())
    assert abs(width / height - across / down) < 0.05  # labels differ with the fonts
    assert saved["csv"].count(b"\n") > 5
    expect(page.get_by_text("goes off track here").first).to_be_visible()
    fold, command = page.locator(".st-key-fold-figure-3 summary"), page.locator(".st-key-fold-figure-3 .source-note")
    expect(command).not_to_be_visible()
    fold.click()
    expect(command).to_be_visible()
    page.get_by_role("link", name="Other test sets").click()  # and back: the fold is still open
    page.get_by_role("link", name="The paper's Figure 2").click()
    expect(command).to_be_visible()
    page.wait_for_function("document.querySelector('.stMain').scrollWidth <= 390")
