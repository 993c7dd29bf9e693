"""Translate: a typed sentence gets its translation and heatmap; words respond to pointer and keys; files are saved."""

import re
import struct
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from model.text.normalise import normalise
from model.text.words import split_words
from tests.browser.accessibility import find_violations
from tests.browser.running import choose_model, enter, get_box, list_addresses, list_highlighted, settle
from tests.hostile import CASES

Visit = Callable[..., Page]
TYPED = "The old cat drinks cold water."
LONG = (
    "I believe that we must first listen to the citizens of our countries, that we must then explain what Europe can "
    "do for them, and that only after this debate should the Commission present a new proposal to Parliament."
)
BOX = ".st-key-sentence textarea"
SOURCE_WORDS = "thead th:not(.end) .word"


def list_words(page: Page, side: str) -> list[str]:
    """Return the labels of one side of the heatmap, without the end."""
    return page.locator(f"table th:not(.end) .word.{side}").all_text_contents()


def split_english(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text, "en")]


@pytest.mark.verdict
def test_a_typed_sentence_is_translated_and_its_heatmap_drawn(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit(server)
    assert page.locator(".plain .sentence").inner_text()
    expect(page.locator(BOX)).to_be_focused()
    assert list_words(page, "source")
    page.keyboard.type(TYPED)  # replaces the example
    page.keyboard.press("Enter")
    expect(page.locator(SOURCE_WORDS)).to_have_text(split_english(TYPED))
    target = list_words(page, "target")
    assert target
    assert page.locator(".attended .sentence .word").all_text_contents()
    cells = page.locator("tbody td[data-target]").count()
    assert cells == page.locator("tbody tr").count() * page.locator("thead th").count()
    sums = page.evaluate(
        """() => [...document.querySelectorAll('*')].map(node => node.shadowRoot?.querySelector('.picture')?.data)
                  .find(Boolean).n_best[0].alpha.map(row => row.reduce((sum, value) => sum + value, 0))"""
    )
    assert sums == pytest.approx([1.0] * len(sums), abs=0.01)
    assert page.locator("svg path").count() >= len(target) / 2
    assert TYPED.replace(" ", "+") in page.url

    expect(page.locator(".st-key-options, .st-key-exports")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("radio", name="words", exact=True)).to_be_checked()
    with page.expect_download() as download:
        page.locator(".st-key-attention-png button:visible").click()
    download.value.save_as(tmp_path / "picture.png")
    header = (tmp_path / "picture.png").read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", header[16:])
    assert width >= 2000
    assert height >= 1000
    page.locator(".exports .link").click()
    expect(page.locator(".exports [role=status]")).to_have_text("Link copied.")
    page.locator(".exports .code").click()
    expect(page.locator("dialog.code img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.code")).to_be_hidden()

    enter(page, "cat " * 600)
    expect(page.get_by_role("alert")).to_contain_text("2,400 characters")
    assert page.locator(BOX).input_value() == "cat " * 600
    assert list_words(page, "target") == target


def test_pointer_and_keys_highlight_the_partners_of_a_word(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?gloss=on")
    readout = page.locator(".readout")
    idle = readout.inner_text()
    page.locator("tbody th").nth(1).hover()
    expect(page.locator(".readout b.target").first).to_have_text(list_words(page, "target")[1])
    assert page.locator("tr:nth-child(2) td.on").count() == page.locator("thead th").count()
    assert page.locator("path.on").count() >= 1
    assert page.locator(".readout b.source").first.inner_text() in page.locator("thead th .word").all_text_contents()
    page.locator("tbody tr:first-child td[data-source='0']").hover()
    expect(readout).to_contain_text("α = ")
    assert page.locator("td.on").count() == 1
    page.mouse.move(5, 5)
    expect(readout).to_have_text(idle)

    gloss = page.locator(".attended rt .word.source").nth(1)
    word = gloss.inner_text()
    french = page.locator(".attended ruby .word.target").nth(1).inner_text()
    gloss.hover()
    expect(readout).to_contain_text(word)
    for selector in (".attended .word.source", "thead .word", ".lane.source .word"):
        assert list_highlighted(page.locator(selector)) == [word], selector
    for selector in (".attended .word.target", "tbody th .word"):
        assert list_highlighted(page.locator(selector)) == [french], selector
    page.locator(".plain .word.target").first.hover()
    expect(readout).to_contain_text("probability")

    for selector in (".attended .sentence .word", ".lane.source li .word", "tbody td[data-target]", ".marks .word"):
        word_at = page.locator(selector).first
        word_at.click()  # pins the highlight
        page.mouse.move(5, 5)
        expect(readout).not_to_have_text(idle)
        word_at.click()
        page.mouse.move(5, 5)
        expect(readout).to_have_text(idle)
    page.locator("tbody th").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "End", "Home", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator('tbody td[data-target="1"][data-source="0"]')).to_be_focused()
    expect(readout).to_contain_text("frère attends to My: α = 0.01")
    page.keyboard.press("End")
    expect(readout).to_contain_text("frère attends to end: α < 0.01")  # not 0.00
    page.keyboard.press("Enter")
    page.locator(".legend").click()  # anywhere else removes the highlight
    expect(readout).to_have_text(idle)


def test_the_attention_of_another_hypothesis_is_drawn(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?search=beam")
    rows, translation = page.locator(".best [role=radio]"), page.locator(".attended .sentence")
    expect(rows).to_have_count(5)
    texts = page.locator(".hypothesis").all_inner_texts()
    assert len(set(texts)) == 5
    assert translation.inner_text() == texts[0]
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # drawn without a request
    assert translation.inner_text() == texts[2]
    assert rows.nth(2).get_attribute("aria-checked") == "true"
    assert page.locator(".best [role=radio][tabindex='0']").count() == 1
    assert "".join(list_words(page, "target")) == texts[2].replace(" ", "").replace("\u202f", "")
    page.wait_for_url("**rank=3**")
    assert translation.inner_text() == texts[2]
    rows.nth(4).click()
    assert translation.inner_text() == texts[4]
    enter(page, "I am a student.")
    expect(page.locator(SOURCE_WORDS)).to_have_text(split_english("I am a student."))
    expect(rows.first).to_have_attribute("aria-checked", "true")


def test_options_keep_each_other_and_a_model_without_attention_has_no_heatmap(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?unit=pieces&scale=grey")
    page.get_by_role("radio", name="한국어").click()
    expect(page.locator(".st-key-box button")).to_contain_text(["번역"])
    expect(page.locator("table.grey")).to_be_visible()
    page.get_by_role("radio", name="제곱근").click()
    expect(page.locator("table.root")).to_be_visible()
    expect(page.get_by_role("radio", name="서브워드")).to_be_checked()
    assert "lang=ko" in page.url
    assert "scale=root" in page.url
    page.get_by_role("radio", name="English").click()
    page.get_by_role("button", name="choose models").click()
    choose_model(page, "RNNencdec-50")
    expect(page.locator(".map.none")).to_contain_text("has no attention")
    assert page.locator(".picture table, .picture path").count() == 0
    page.keyboard.press("Escape")  # closes the list of models
    readouts = []
    for word in page.locator(".attended .sentence .word").all():
        word.hover()
        expect(page.locator(".readout")).to_contain_text(f"{word.inner_text()} · probability ")
        readouts.append(page.locator(".readout").inner_text())
    assert any("probability 0." in text for text in readouts)
    expect(page.get_by_role("button", name="SVG")).to_have_count(0)


def test_hostile_text_is_drawn_as_text(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?gloss=on")
    for name in ("HTML", "script", "closing tags", "bidirectional overrides", "lone high surrogate"):
        enter(page, CASES[name])
        expected = normalise(CASES[name].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        expect(page.locator(SOURCE_WORDS)).to_have_text(split_english(expected))
        assert page.locator(".picture :is(img, script, a, svg svg, iframe)").count() == 0, name
        assert page.locator(BOX).input_value(), name


def test_a_phone_scrolls_the_heatmap_alone_and_responds_to_taps(server: str, visit: Visit) -> None:
    page = visit(server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    settle(page)
    label = get_box(page.locator(".attended .label"))
    links = page.locator(".st-key-newcomer :is(a, button)").all()
    assert len(links) == 2
    for link in links:  # the offer of the story leaves room for the translation
        box = get_box(link)
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= label["y"] + 1
    idle = page.locator(".readout").inner_text()
    for selector in (".attended .sentence .word", ".lane.source .word", ".lane.target .word"):
        page.locator(selector).nth(2).tap()
        expect(page.locator(".readout")).not_to_have_text(idle)
        assert page.locator("path.on").count() >= 1
    heat = page.locator(".heat")
    assert heat.evaluate("node => node.scrollWidth > node.clientWidth")
    heat.evaluate("node => node.scrollTo(200, 0)")
    row_label = get_box(page.locator("tbody th .word").first)
    assert 0 <= row_label["x"] < 200
    assert page.locator(".st-key-pages a").count() == len(list_addresses())


def test_a_long_sentence_shrinks_to_the_window_and_its_labels_stay_visible(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence={LONG}", viewport={"width": 1280, "height": 720})
    expect(page.locator("thead th")).to_have_count(len(split_english(LONG)) + 1)
    assert page.locator(".heat").evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    page.locator("tbody tr").last.scroll_into_view_if_needed()
    selectors = ("tbody tr:last-child", ".heads", ".readout", ".heads .end", "tbody tr:last-child td.end")
    boxes = [box for selector in selectors if (box := page.locator(selector).bounding_box())]
    row, head, readout, end_label, end_cell = boxes
    assert row["y"] > 300
    assert 0 <= readout["y"] < head["y"] < 80
    assert end_label["x"] == pytest.approx(end_cell["x"], abs=1.5)
    column = get_box(page.locator(".heads [data-source]").nth(1))
    size = page.locator(".heads .word").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert column["width"] * 0.707 >= size  # slanted labels do not touch


def test_an_outdated_picture_fades_and_back_restores_the_sentence(server: str, visit: Visit) -> None:
    first, second = "I am a student.", "The dog sleeps."
    page = visit(f"{server}/?sentence={first}")
    box, picture = page.locator(BOX), page.locator(".st-key-picture")
    expect(box).to_have_value(first)
    box.fill(second)
    expect(picture).to_have_css("opacity", "0.45")
    box.fill(first)
    expect(picture).to_have_css("opacity", "1")
    enter(page, second)
    expect(page.locator(SOURCE_WORDS)).to_have_text(split_english(second))
    expect(picture).to_have_css("opacity", "1")
    settle(page)
    page.wait_for_timeout(1100)  # a change of the link so soon counts as stale (STALE_SECONDS)
    page.go_back()
    expect(page.locator(SOURCE_WORDS)).to_have_text(split_english(first))
    expect(box).to_have_value(first)
    settle(page)
    page.wait_for_timeout(1100)
    page.go_forward()
    expect(page.locator(SOURCE_WORDS)).to_have_text(split_english(second))
    # A wait of over a second writes this (tests/pages/widgets/test_translations.py); here no wait is long enough.
    page.locator(".st-key-status").evaluate("node => { node.innerHTML = '<p class=waiting role=status>Wait</p>' }")
    picture.evaluate("node => { node.dataset.stale = 'true' }")
    expect(picture).to_have_css("opacity", "0.35")
    expect(page.locator(".waiting")).to_have_css("font-weight", "600")


def test_the_link_carries_the_enlarged_head(server: str, visit: Visit) -> None:
    page = visit(f"{server}?model=transformer-50&heads=on")
    enlarged, title = page.locator(".heads button[aria-expanded=true]"), page.locator(".heads .large h3")
    page.locator('.heads button[data-key="cross-attention-l1-h2"]').click()
    page.locator('.heads button[data-key="encoder-self-attention-l2-h1"]').click()  # before the page knows of the first
    expect(page).to_have_url(re.compile("head=encoder-self-attention-l2-h1"))
    expect(enlarged).to_have_count(1)
    page.reload()
    expect(title).to_have_text("encoder self-attention, layer 2, head 1")
    expect(page.locator(".heads .large")).to_have_attribute("data-rows", "source")
    page.locator(".heads .large td[data-s]").first.hover()
    expect(page.locator(".heads .description")).to_have_text(
        re.compile(r"largest weight of all \d+ maps: [01]\.\d\d, in layer \d, head \d$")
    )
    expect(page.locator(".heads button.most")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(enlarged).to_have_count(1)
    page.locator(".heads").get_by_role("button", name="Close").click()
    expect(page).not_to_have_url(re.compile("head="))

    page.goto(f"{server}?model=coverage-50&heads=on")  # coverage is no attention: it is not offered as the picture
    page.locator('.heads button[data-key="coverage"]').click()
    large = page.locator(".heads .large")
    expect(large.get_by_role("grid")).to_be_visible()
    expect(large.get_by_role("button")).to_have_text(["Close"])
    assert max(map(float, filter(None, large.locator("td[data-s]").all_text_contents()))) > 1
    expect(page.locator(".st-key-map")).to_have_count(0)


def test_sentences_apart_and_copied_symbols_are_drawn(server: str, visit: Visit) -> None:
    paragraphs = "The bread is warm.\n\nWe open the window.\n\nThen it rains."
    page = visit(f"{server}/?{urlencode({'sentence': paragraphs, 'open-sentence': '1'})}")
    words = page.locator(SOURCE_WORDS)
    expect(words).to_have_text(["The", "bread", "is", "warm", "."])
    assert get_box(page.locator(".st-key-status"))["height"] <= 31, "one line"
    rows = page.locator("[class*=st-key-apart-row]")
    expect(rows).to_have_count(3)
    expect(rows.nth(2).locator("p[lang=fr]")).to_be_visible()
    rows.nth(2).locator("button").click()
    expect(words).to_have_text(["Then", "it", "rains", "."])
    assert page.locator(BOX).input_value() == paragraphs
    assert find_violations(page) == []

    enter(page, "The cat sleeps 🐱.")
    expect(page.locator(".attended .sentence")).to_have_text(re.compile("🐱\\.$"))
    page.locator(".attended .sentence [data-term=copied]").click()
    expect(page.locator(".explanation")).to_contain_text("bypasses the model")
