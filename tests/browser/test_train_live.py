"""Train: a tiny run is trained, paused, stepped and given an input, and saved."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from pages.ui.train_live.watching import load_recorded
from tests.browser.mounted import Mounted
from tests.browser.payloads import SAY

TINY = "task=copy&longest-source=4&hidden=32&second-kind=rnnencdec&time=120"


def test_train_a_network(server: str, visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit(f"{server}/train_live?{TINY}", ".training .alpha")
    page.get_by_role("button", name="Train", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Restart", exact=True)).to_be_focused()
    pause, step = (page.get_by_role("button", name=name, exact=True) for name in ("Pause", "One step"))
    status = page.locator(".training .status")
    expect(status).to_contain_text("Training:")
    expect(page.locator(".count").first).to_contain_text(re.compile("[1-9][0-9]* updates"))
    expect(page.locator(".chart").nth(2)).to_contain_text("trained up to 4")
    pause.click()
    expect(status).to_contain_text("Paused")
    expect(page.locator(".training ~ .announced")).to_contain_text("Paused")
    before = page.locator(".count").first.inner_text()
    step.click()
    expect(page.locator(".count").first).not_to_have_text(before)
    page.get_by_label("your input").fill("abca")
    page.keyboard.press("Enter")
    expect(page.locator(".network").first.locator(".example")).to_have_count(4)
    page.get_by_label("your input").fill("été")
    page.keyboard.press("Enter")
    expect(page.locator(".problem")).to_contain_text("“é” is not in this task")
    slider = page.get_by_role("slider", name="Moment of training")
    slider.press("Home")
    expect(page.locator(".moment-text")).to_have_text("after 0 s")
    expect(page.locator(".exact").first).to_have_text("0 % exact")
    expect(page.locator(".network .cell").first).to_have_attribute("aria-label", re.compile(r"^<?[01]\.\d\d$"))
    page.locator(".network .cell").first.hover()
    expect(page.locator(".readout")).to_contain_text("attends to “a” with 0.")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert Path(download.value.path()).read_text("utf-8-sig").startswith("network,seed,snapshot")
    with page.expect_download() as download:
        page.locator(".st-key-training-html button:visible").click()
    download.value.save_as(tmp_path / "run.html")
    saved = visit((tmp_path / "run.html").as_uri(), ".training .alpha")
    saved.get_by_role("slider", name="Moment of training").press("Home")
    expect(saved.locator(".moment-text")).to_have_text("after 0 s")
    page.get_by_role("button", name="Continue").click()
    expect(status).to_contain_text("Training:")
    # The browser asks before it loads the page anew.
    assert page.evaluate("""() => {
      const event = new Event("beforeunload", { cancelable: true })
      dispatchEvent(event)
      return event.defaultPrevented
    }""")


def test_a_double_click_starts_one_run(mount: Callable[..., Mounted]) -> None:
    component = mount("train_live")
    networks = load_recorded()
    styles = [{"name": str(number), "is_dashed": number > 0} for number, _ in enumerate(networks)]
    component.render({"key": "", "version": 0, "networks": networks, "note": "", "styles": styles,
                      "separators": ["", ""], "input": "", "example": "", "is_export": False,
                      "messages": SAY.get_table("training"), "language": "en"})  # fmt: skip
    component.page.get_by_role("button", name="Train", exact=True).dblclick()
    assert [name for _, name, _ in component.list_events()] == ["train"]
