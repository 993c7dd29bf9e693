"""The laboratory's other experiments: one journey each by pointer and keys, and each as a file of its own."""

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.running import choose_model

Visit = Callable[..., Page]
PHONE: ViewportSize = {"width": 390, "height": 844}


def expect_no_overlap(page: Page) -> None:
    """Expect that no two labels of the plane overlap."""
    boxes = page.locator(".vector .names span:not([hidden])").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON()).filter(({ width }) => width)"
    )
    assert len(boxes) > 5
    for box, other in combinations(boxes, 2):
        is_beside = box["x"] + box["width"] <= other["x"] + 1 or other["x"] + other["width"] <= box["x"] + 1
        assert is_beside or abs(box["y"] - other["y"]) >= min(box["height"], other["height"]) - 1


def test_saliency_maps_highlight_the_same_pair_and_the_method_is_in_the_link(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?experiment=saliency", ".saliency table")
    readout, maps = page.locator(".saliency .description"), page.locator(".saliency table")
    idle = readout.inner_text()
    expect(maps).to_have_count(2)
    row_maxima = """rows => rows.map(row => Math.max(
      ...[...row.querySelectorAll("td[data-s]")].map(cell => cell.style.getPropertyValue("--shade"))))"""
    assert set(maps.nth(1).locator("tbody tr").evaluate_all(row_maxima)) == {1}
    expect(page.locator(".saliency figcaption .scaled")).to_be_visible()
    maps.nth(0).locator('td[data-t="0"][data-s="0"]').hover()
    expect(page.locator(".saliency td.here")).to_have_count(2)
    expect(readout).to_contain_text("α")
    page.mouse.move(2, 2)
    expect(readout).to_have_text(idle)
    maps.nth(1).locator('td[data-t="0"][data-s="0"]').click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(maps.nth(1).locator('td[data-t="1"][data-s="1"]')).to_be_focused()
    expect(maps.nth(0).locator("td.here")).to_have_attribute("data-t", "1")
    page.locator(".st-key-method button", has_text="integrated gradients").click()
    expect(page.locator(".saliency .note")).to_contain_text("Each row's sum equals the effect of the whole source")
    page.locator(".st-key-method button", has_text="word occlusion").click()
    expect(page.locator(".saliency .means")).to_contain_text("Word occlusion")
    page.wait_for_url("**method=occlusion**")
    choose_model(page, "RNNencdec-50")
    expect(page.locator(".saliency .blind")).to_contain_text("has no α")
    expect(maps).to_have_count(1)


def test_the_beam_is_walked_filtered_and_continued_with_another_piece(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?experiment=beam&width=3", ".beam .canvas .node")
    tree, forced = page.locator(".beam .scroll.tree"), page.locator(".beam [data-do=free]")
    expect(page.locator(".st-key-search")).to_have_count(0)  # the beam has its own width
    for fate, style in (("kept", "solid"), ("finished", "double"), ("pruned", "dashed")):
        expect(page.locator(f".beam .canvas .node.{fate}").first).to_have_css("border-top-style", style)
    colour = "node => getComputedStyle(node).backgroundColor"
    legend = page.locator(".beam .bar .node.its").evaluate(colour)
    assert legend == page.locator(".beam .canvas .node.its").first.evaluate(colour)
    assert legend != page.locator(".beam .bar .node.kept").evaluate(colour)
    hypotheses, alpha = page.locator(".beam [data-rank]"), page.locator(".beam .maps tbody")
    expect(hypotheses).to_have_count(3)
    before = alpha.text_content()
    hypotheses.nth(2).click()
    expect(hypotheses.nth(2)).to_have_attribute("aria-pressed", "true")
    assert alpha.text_content() != before
    hypotheses.nth(0).click()

    page.locator(".beam .canvas .node").first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    selected = page.locator('.beam .canvas .node[aria-selected="true"]')
    expect(selected).to_be_focused()
    number = selected.get_attribute("data-node")
    expect(page.locator(".beam .description")).to_contain_text("step 2")
    page.wait_for_url("**node=**")
    candidates = page.locator(".beam [data-take]")
    expect(candidates.first).to_be_visible()
    page.keyboard.type("fr")
    expect(page.locator(".beam .filter")).to_have_value("fr")
    expect(page.locator(".beam .canvas .node:not(.faded)").first).to_contain_text("fr")
    expect(page.locator(".beam .canvas .node.faded").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator(".beam .canvas .node.faded")).to_have_count(0)
    piece = candidates.nth(2).inner_text().removeprefix("…")
    candidates.nth(2).click()
    page.wait_for_url("**overrides=p**")
    expect(page.locator(".beam .canvas .node.its").nth(2)).to_contain_text(piece)
    forced.click()
    page.wait_for_url(lambda url: "overrides=" not in url)
    expect(forced).to_have_count(0)
    page.locator(f'.beam .canvas [data-node="{number}"]').click()
    page.wait_for_url("**node=**")
    expect(candidates.first).to_be_visible()

    page.set_viewport_size(PHONE)
    expect(page.locator(".beam .sideways")).to_be_visible()  # the tree continues to the right
    expect(tree).to_have_class(re.compile(r"\bcut\b"))
    tree.evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    expect(page.locator(".beam .sideways")).to_be_hidden()
    expect(tree).not_to_have_class(re.compile(r"\bcut\b"))


def test_samples_depend_on_the_seed_alone(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?experiment=sampling&samples=10&temperature=1.5", ".sampling .groups li")
    groups, dice = page.locator(".sampling .groups"), page.locator(".st-key-dice button").first
    first = groups.text_content()
    assert dice.evaluate("node => parseFloat(getComputedStyle(node).borderTopWidth)") >= 1
    dice.click()
    expect(groups).not_to_have_text(first or "")
    page.wait_for_url("**seed=2**")
    second = groups.text_content()
    page.reload()
    expect(groups).to_have_text(second or "")
    page.locator(".sampling .place").nth(1).hover()
    expect(page.locator(".sampling tbody th.here")).to_have_attribute("data-t", "1")
    page.locator(".st-key-truncation button", has_text=re.compile("^top 5$")).click()
    page.wait_for_url("**truncation=top-5**")
    page.set_viewport_size(PHONE)
    scroll = page.locator(".sampling .scroll")
    expect(scroll).to_have_class(re.compile(r"\bcut\b"))
    expect(scroll).to_have_css("mask-image", re.compile("gradient"))


def test_words_lead_to_their_neighbours_in_the_plane_of_vectors(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?experiment=vector&sentence=The bank is old.", ".vector .written li")
    page.locator('.vector td[data-t="0"][data-s="1"]').click()
    prefix = page.locator(".vector .written li.here")
    expect(prefix).to_have_attribute("data-s", "1")
    description = page.locator(".vector .prefix-description")
    expect(description).to_contain_text("Only the first 2 of 5 words read, up to “bank”")
    page.keyboard.press("ArrowRight")
    expect(prefix).to_have_attribute("data-s", "2")

    page.locator(".vector .meanings button", has_text="bank").click()
    expect(page.locator(".vector .dot.same")).to_have_count(11)
    expect(page.locator(".vector .near li")).to_have_count(10)
    expect(page.locator(".vector .plane .link")).to_have_count(10)
    page.wait_for_url("**sense-word=**")
    page.locator(".vector .near li button").first.click()
    point = page.locator(".vector .dot.at")
    before = point.get_attribute("data-p")
    page.locator(".vector .plane").focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(point).to_have_count(1)
    assert point.get_attribute("data-p") != before

    page.locator(".vector .meanings button", has_text="spring").click()
    measure_spread = "all => Math.max(...all.map(one => one.offsetLeft)) - Math.min(...all.map(one => one.offsetLeft))"
    spread = page.locator(".vector .dot.same").evaluate_all(measure_spread)
    expect_no_overlap(page)
    page.locator(".vector .closer").click()
    expect_no_overlap(page)
    assert page.locator(".vector .dot.same").evaluate_all(measure_spread) > 1.5 * spread


def test_a_word_is_forced_by_click_and_by_typing(server: str, visit: Visit) -> None:
    page = visit(f"{server}/laboratory?experiment=forced_decoding", ".forced-decoding .word")
    own, forced = page.locator('.forced-decoding [data-row="0"]'), page.locator('.forced-decoding [data-row="1"]')
    own.nth(1).click()
    expect(own.nth(1)).to_have_attribute("aria-pressed", "true")
    page.locator(".forced-decoding [data-take]").nth(1).click()
    page.wait_for_url("**overrides=p**")
    expect(page.locator('.forced-decoding [data-row="1"].other').first).to_be_visible()
    own.nth(1).click()
    page.locator(".forced-decoding form input").fill("chat")
    page.locator(".forced-decoding form button").click()
    expect(forced.nth(1)).to_have_text(re.compile(r"^chat surprisal [0-9.]+ nats$"))
    page.locator(".forced-decoding [data-do=free]").click()
    page.wait_for_url(lambda url: "overrides=" not in url)
    expect(forced).to_have_count(0)


def test_a_translation_of_the_reader_s_own_is_scored_and_saved_as_a_picture(
    server: str, visit: Visit, tmp_path: Path
) -> None:
    address = f"{server}/laboratory?experiment=forced_decoding&own-translation=Mon chat dort."
    page = visit(address, ".forced-decoding .word")
    expect(page.locator(".forced-decoding .parts")).to_contain_text("first deviate at “chat”")
    first_word = page.locator('.forced-decoding [data-row="1"]').nth(1)
    expect(first_word).to_have_text(re.compile(r"^chat surprisal [0-9.]+ nats$"))
    page.locator('.forced-decoding [data-row="0"]').first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator('.forced-decoding [data-row="1"][data-word="1"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".forced-decoding .instead")).to_contain_text("chat")
    with page.expect_download() as download:
        page.locator(".st-key-forced_decoding-png button").first.click()
    download.value.save_as(tmp_path / "forced-decoding.png")
    header = (tmp_path / "forced-decoding.png").read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    assert int.from_bytes(header[16:20], "big") >= 1900  # pixels across


CONTENTS = {"ablation": ".ablation table .number", "beam": ".beam .canvas .node",
            "forced_decoding": ".forced-decoding .word", "saliency": ".saliency td[data-s]",
            "vector": ".vector .plane .dot", "sampling": ".sampling .groups li"}  # fmt: skip


@pytest.mark.parametrize("part", CONTENTS)
def test_every_experiment_is_saved_as_a_page_without_its_controls(
    server: str, visit: Visit, tmp_path: Path, part: str
) -> None:
    selector = CONTENTS[part]
    page = visit(f"{server}/laboratory?experiment={part}&sentence=The grey cat sleeps.", selector)
    count = page.locator(selector).count()
    with page.expect_download() as download:
        page.locator(f".st-key-{part}-html button").first.click()
    path = tmp_path / "experiment.html"
    download.value.save_as(path)
    saved = visit(path.as_uri(), selector)
    assert saved.locator(selector).count() == count
    assert "The grey cat sleeps." in saved.title()
    saved.locator(selector).first.click()
    assert saved.locator(":is([data-override], [data-take], form, [data-do])").count() == 0
    assert saved.evaluate("document.documentElement.scrollWidth <= innerWidth")
