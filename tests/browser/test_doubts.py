"""Several sentences, capitals and other languages in a real Chromium: one line, one button, rows that open."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.accessibility import findings

Visit = Callable[..., Page]
PATIENCE = 60_000
PARAGRAPHS = "The bread is warm.\n\nWe open the window.\n\nThen it rains."


def test_three_paragraphs_become_three_rows_that_open(server: str, visit: Visit) -> None:
    page = visit(server)
    box = page.locator(".st-key-sentence textarea")
    box.fill(PARAGRAPHS)
    box.press("Enter")
    remedy = page.locator(".st-key-remedy button")
    expect(remedy).to_have_text("Sentence by sentence", timeout=PATIENCE)
    line = page.locator(".st-key-status").bounding_box()
    assert line is not None
    assert line["height"] <= 31, "one line, which was there before"
    remedy.click()
    expect(page.locator("thead th:not(.end) .word")).to_have_text(["The", "bread", "is", "warm", "."], timeout=PATIENCE)
    rows = page.locator("[class*=st-key-apart-row]")
    expect(rows).to_have_count(3)
    expect(rows.nth(2).locator("p[lang=fr]")).to_be_visible(timeout=PATIENCE)
    rows.nth(2).locator("button").click()
    expect(page.locator("thead th:not(.end) .word")).to_have_text(["Then", "it", "rains", "."], timeout=PATIENCE)
    expect(page).to_have_url(re.compile("apart=3"))
    assert box.input_value() == PARAGRAPHS
    assert findings(page) == []


def test_signs_are_left_out_by_one_click_and_an_emoji_is_copied_and_marked(server: str, visit: Visit) -> None:
    page = visit(server)
    box = page.locator(".st-key-sentence textarea")
    box.fill("The cat 猫 sleeps 🐱.")
    box.press("Enter")
    expect(page.locator(".doubt")).to_contain_text("猫", timeout=PATIENCE)
    page.locator(".st-key-remedy button").click(timeout=PATIENCE)
    expect(box).to_have_value("The cat sleeps 🐱.")
    expect(page.locator("thead th:not(.end) .word")).to_have_text(["The", "cat", "sleeps", "."], timeout=PATIENCE)
    expect(page.locator(".attended .sentence")).to_have_text(re.compile("🐱\\.$"))
    copied = page.locator(".attended .sentence [data-term=copied]")
    expect(copied).to_have_text("🐱")
    copied.click()
    expect(page.locator(".explanation")).to_contain_text("past the model")
    assert findings(page) == []


def test_capitals_are_mended_by_one_click(server: str, visit: Visit) -> None:
    page = visit(server)
    box = page.locator(".st-key-sentence textarea")
    box.fill("I AM A STUDENT.")
    box.press("Enter")
    page.locator(".st-key-remedy button").click(timeout=PATIENCE)
    expect(box).to_have_value("I am a student.")
    expect(page.locator("thead th:not(.end) .word").nth(3)).to_have_text("student", timeout=PATIENCE)
    expect(page.locator(".st-key-remedy")).to_have_count(0)
