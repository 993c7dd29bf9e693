"""The opened beam in a real Chromium: keys walk it, letters fade, a hypothesis shows its α, another piece is taken."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.ui.i18n.messages import LANGUAGES, load_messages

Visit = Callable[..., Page]
READY = ".beam .canvas .node"


def test_it_is_walked_filtered_and_begun_otherwise(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=beam", READY)
    nodes = page.locator(".beam .canvas .node")
    nodes.first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    here = page.locator('.beam .canvas .node[aria-selected="true"]')
    expect(here).to_be_focused()
    number = here.get_attribute("data-node")
    expect(page.locator(".beam .said")).to_contain_text("step 2")
    page.wait_for_url("**node=**")
    take = page.locator(".beam [data-take]")
    expect(take.first).to_be_visible()
    page.keyboard.type("fr")
    expect(page.locator(".beam .filter")).to_have_value("fr")
    expect(page.locator(".beam .canvas .node:not(.faded)").first).to_contain_text("fr")
    expect(page.locator(".beam .canvas .node.faded").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator(".beam .canvas .node.faded")).to_have_count(0)
    wanted = take.nth(2).inner_text().removeprefix("…")
    take.nth(2).click()
    page.wait_for_url("**edits=p**")
    expect(page.locator(".beam .canvas .node.its").nth(2)).to_contain_text(wanted)
    page.locator(".beam [data-do=free]").click()
    page.wait_for_url(lambda url: "edits=" not in url)
    expect(page.locator(".beam [data-do=free]")).to_have_count(0)
    page.locator(f'.beam .canvas [data-node="{number}"]').click()  # looked at before, and forgotten meanwhile
    page.wait_for_url("**node=**")
    expect(take.first).to_be_visible()


def test_every_hypothesis_has_its_alpha_one_click_away_and_fates_have_shapes(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=beam&width=3", READY)
    hypotheses = page.locator(".beam [data-rank]")
    expect(hypotheses).to_have_count(3)
    before = page.locator(".beam .maps tbody").text_content()
    hypotheses.nth(2).click()
    expect(hypotheses.nth(2)).to_have_attribute("aria-pressed", "true")
    assert page.locator(".beam .maps tbody").text_content() != before
    drawn = "node => getComputedStyle(node).borderTopStyle"
    styles = {fate: page.locator(f".beam .canvas .node.{fate}").first.evaluate(drawn)
              for fate in ("kept", "finished", "pruned")}  # fmt: skip
    filled = "node => getComputedStyle(node).backgroundColor"
    key = page.locator(".beam .bar .node.its").evaluate(filled)
    assert key == page.locator(".beam .canvas .node.its").first.evaluate(filled)
    assert key != page.locator(".beam .bar .node.kept").evaluate(filled)
    assert styles == {"kept": "solid", "finished": "double", "pruned": "dashed"}


def test_a_phone_in_korean_in_the_dark(server: str, visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ko-KR"}
    page = visit(f"{server}/laboratory?part=beam", READY, **phone)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    assert page.locator(".beam").evaluate("node => node.scrollWidth <= node.clientWidth + 1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_lies_to_the_right_is_told_and_the_signs_are_explained(
    server: str, visit: Visit, language: str
) -> None:
    say = load_messages(language)
    page = visit(f"{server}/laboratory?part=beam&lang={language}", READY)
    expect(page.locator(".beam .sideways")).to_be_visible()
    expect(page.locator(".beam .scroll.tree")).to_have_class(re.compile(r"\bcut\b"))
    expect(page.locator(".beam .top")).to_contain_text(say("beam.signs"))
    page.locator(".beam .scroll.tree").evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    expect(page.locator(".beam .sideways")).to_be_hidden()
    expect(page.locator(".beam .scroll.tree")).not_to_have_class(re.compile(r"\bcut\b"))
    expect(page.locator(".st-key-search")).to_have_count(0)  # the beam's own size is the search here


def test_on_a_phone_a_map_that_goes_on_says_so(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?part=sampling", ".sampling td[data-s]", viewport={"width": 390, "height": 844})
    scroll = page.locator(".sampling .scroll")
    expect(scroll).to_have_class(re.compile(r"\bcut\b"))
    assert "gradient" in scroll.evaluate("node => getComputedStyle(node).maskImage")
    page.goto(f"{server}/laboratory")
    page.wait_for_selector(".console .bar")
    expect(page.locator(".console .main .scroll")).to_have_class(re.compile(r"\bcut\b"))
