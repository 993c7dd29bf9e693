"""Translate in a real Chromium: it opens on a picture; a sentence is typed, its translation and heatmap appear; what is
pointed at lights up, one of the n best is chosen, files leave."""

import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from model.text.normalise import normalise
from model.text.words import split_words
from tests.browser.running import addresses, choose_model, serving, settled
from tests.hostile import CASES

Visit = Callable[..., Page]

TYPED = "The old cat drinks cold water."
PATIENCE = 60_000  # milliseconds: the models may still be loading


def words_of(page: Page, side: str) -> list[str]:
    """The labels of one side of the heatmap, without the end."""
    return page.locator(f"table th:not(.end) .word.{side}").all_text_contents()


def ask(page: Page, text: str) -> None:
    box = page.locator(".st-key-sentence textarea")
    box.fill(text)
    box.press("Enter")


def english(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text, "en")]


@pytest.mark.verdict
def test_a_typed_sentence_is_translated_and_its_heatmap_drawn(server: str, visit: Visit) -> None:
    page = visit(server)
    assert page.locator(".plain .sentence").inner_text()
    expect(page.locator(".st-key-sentence textarea")).to_be_focused()
    opening = words_of(page, "source")
    assert opening
    page.keyboard.type(TYPED)  # the box is ready: what is typed replaces the sentence shown
    page.keyboard.press("Enter")
    expect(page.locator("thead th:not(.end) .word")).to_have_text(english(TYPED), timeout=PATIENCE)
    assert opening != english(TYPED)
    target = words_of(page, "target")
    assert target
    assert page.locator(".attended .sentence .word").all_text_contents()
    assert page.locator(".plain .sentence").inner_text()
    cells = page.locator("tbody td[data-target]").count()
    assert cells == page.locator("tbody tr").count() * page.locator("thead th").count()
    rows = page.evaluate(
        """() => [...document.querySelectorAll('*')].map(node => node.shadowRoot?.querySelector('.picture')?.data)
                  .find(Boolean).best[0].alpha.map(row => row.reduce((sum, value) => sum + value, 0))"""
    )
    assert rows == pytest.approx([1.0] * len(rows), abs=0.01)
    assert page.locator("svg path").count() >= len(target) / 2
    assert TYPED.replace(" ", "+") in page.url


def test_pointing_lights_the_partners(server: str, visit: Visit) -> None:
    page = visit(server)
    idle = page.locator(".readout").inner_text()
    page.locator("tbody th").nth(1).hover()
    word = words_of(page, "target")[1]
    expect(page.locator(".readout b.target").first).to_have_text(word)
    assert page.locator("tr:nth-child(2) td.on").count() == page.locator("thead th").count()
    assert page.locator("path.on").count() >= 1
    strongest = page.locator(".readout b.source").first.inner_text()
    assert strongest in page.locator("thead th .word").all_text_contents()
    page.locator("tbody tr:first-child td[data-source='0']").hover()
    expect(page.locator(".readout")).to_contain_text("α = ")
    assert page.locator("td.on").count() == 1
    page.mouse.move(5, 5)
    expect(page.locator(".readout")).to_have_text(idle)


def lit(page: Page, selector: str) -> list[str]:
    """The words that shine at least half as brightly as they can."""
    return page.locator(selector).evaluate_all(
        """nodes => nodes.filter(node => getComputedStyle(node).getPropertyValue("--lit") >= 0.5)
                         .map(node => node.textContent)"""
    )


def test_a_gloss_word_lights_its_partners_everywhere(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?gloss=on")
    gloss = page.locator(".attended rt .word.source").nth(1)
    word = gloss.inner_text()
    french = page.locator(".attended ruby .word.target").nth(1).inner_text()
    gloss.hover()
    expect(page.locator(".readout")).to_contain_text(f"{word} was looked at by")
    assert lit(page, ".attended .word.source") == lit(page, "thead .word") == lit(page, ".lane.source .word") == [word]
    for selector in (".attended .word.target", "tbody th .word"):
        assert lit(page, selector) == [french], selector
    page.locator(".plain .word.target").first.hover()
    expect(page.locator(".readout")).to_contain_text("its probability")
    assert page.locator(".plain .label").inner_text().endswith("gloss from a lexicon: it looks at no single word")


def test_one_of_the_n_best_is_chosen_and_its_weights_are_drawn(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?search=beam")
    rows = page.locator(".best [role=radio]")
    expect(rows).to_have_count(5, timeout=PATIENCE)
    texts = page.locator(".hypothesis").all_inner_texts()
    assert len(set(texts)) == 5
    assert page.locator(".attended .sentence").inner_text() == texts[0]
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # drawn at once: nothing is waited for here
    assert page.locator(".attended .sentence").inner_text() == texts[2]
    assert rows.nth(2).get_attribute("aria-checked") == "true"
    assert page.locator(".best [role=radio][tabindex='0']").count() == 1
    assert "".join(words_of(page, "target")) == texts[2].replace(" ", "").replace("\u202f", "")
    page.wait_for_url("**best=3**", timeout=PATIENCE)
    assert page.locator(".attended .sentence").inner_text() == texts[2]
    rows.nth(4).click()
    assert page.locator(".attended .sentence").inner_text() == texts[4]
    ask(page, "I am a student.")
    expect(page.locator("thead th:not(.end) .word")).to_have_text(english("I am a student."), timeout=PATIENCE)
    expect(rows.first).to_have_attribute("aria-checked", "true")


def test_without_attention_it_says_why_there_is_no_picture(server: str, visit: Visit) -> None:
    page = visit(server)
    page.get_by_role("button", name="models").click()
    choose_model(page, "RNNencdec-50")
    expect(page.locator(".map.none")).to_contain_text("has no attention")
    assert page.locator(".picture table, .picture path").count() == 0
    page.keyboard.press("Escape")  # the list of models lies over some words
    told = []
    for word in page.locator(".attended .sentence .word").all():
        word.hover()
        expect(page.locator(".readout")).to_contain_text(f"{word.inner_text()} · its probability ")
        told.append(page.locator(".readout").inner_text())
    assert any("its probability 0." in text for text in told)  # and of some it is as sure as two digits can say
    expect(page.get_by_role("button", name="SVG")).to_have_count(0)


def test_the_picture_leaves_as_png_and_the_page_as_link(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit(server)
    with page.expect_download() as download:
        page.locator(".st-key-attention-png button:visible").click()
    download.value.save_as(tmp_path / "picture.png")
    header = (tmp_path / "picture.png").read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", header[16:])
    assert width >= 2000
    assert height >= 1000
    page.locator(".exports .link").click()
    expect(page.locator(".exports [role=status]")).to_have_text("The address is copied.")


def test_the_keyboard_walks_the_heatmap(server: str, visit: Visit) -> None:
    page = visit(server)
    page.locator("tbody th").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "End", "Home", "ArrowRight"):
        page.keyboard.press(key)
    focused = page.evaluate(
        """() => { let node = document.activeElement; while (node.shadowRoot) node = node.shadowRoot.activeElement;
                   return [node.dataset.target, node.dataset.source] }"""
    )
    assert focused == ["1", "0"]
    expect(page.locator(".readout")).to_contain_text("frère looking at My: α = 0.01")
    page.keyboard.press("End")
    expect(page.locator(".readout")).to_contain_text("frère looking at end: α < 0.01")  # not 0.00


def test_the_language_switch_keeps_the_rest(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?unit=pieces&scale=grey")
    page.get_by_role("radio", name="한국어").click()
    expect(page.get_by_test_id("stBaseButton-secondaryFormSubmit")).to_contain_text("번역")
    expect(page.locator("table.grey")).to_be_visible()
    expect(page.get_by_role("radio", name="조각")).to_be_checked()
    page.get_by_role("radio", name="제곱근").click()
    expect(page.locator("table.root")).to_be_visible()
    expect(page.get_by_role("radio", name="조각")).to_be_checked()
    assert "lang=ko" in page.url
    assert "scale=root" in page.url


def test_hostile_text_is_drawn_as_text(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?gloss=on")
    for name in ("HTML", "script", "closing tags", "Markdown", "bidirectional overrides", "lone high surrogate"):
        ask(page, CASES[name])
        # What is drawn is the sentence as it came, normalised: its words and nothing that runs.
        expected = normalise(CASES[name].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        expect(page.locator("thead th:not(.end) .word").first).to_have_text(english(expected)[0], timeout=PATIENCE)
        for tag in ("img", "script", "a", "svg svg", "iframe"):
            assert page.locator(f".picture {tag}").count() == 0, name
        assert page.locator(".st-key-sentence textarea").input_value(), name


def test_too_long_a_text_is_refused_and_kept(server: str, visit: Visit) -> None:
    page = visit(server)
    before = words_of(page, "source")
    ask(page, "cat " * 600)
    expect(page.get_by_role("alert")).to_contain_text("2,400 characters")
    assert page.locator(".st-key-sentence textarea").input_value() == "cat " * 600
    assert words_of(page, "source") == before


def test_a_click_keeps_the_light_until_the_next_one(server: str, visit: Visit) -> None:
    page = visit(server)
    idle = page.locator(".readout").inner_text()
    for selector in (".attended .sentence .word", ".lane.source li .word", "tbody td[data-target]", ".marks .word"):
        word = page.locator(selector).first
        word.click()
        page.mouse.move(5, 5)
        assert page.locator(".readout").inner_text() != idle, selector
        word.click()
        page.mouse.move(5, 5)
        expect(page.locator(".readout")).to_have_text(idle)
    page.locator("tbody th").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    kept = page.locator(".readout").inner_text()
    page.locator(".legend").click()  # beside everything: the light goes out
    assert "α = " in kept
    expect(page.locator(".readout")).to_have_text(idle)


def test_a_tap_on_a_phone_lights_a_word_and_its_partners(server: str, visit: Visit) -> None:
    page = visit(server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    idle = page.locator(".readout").inner_text()
    for selector in (".attended .sentence .word", ".lane.source .word", ".lane.target .word"):
        page.locator(selector).nth(2).tap()
        expect(page.locator(".readout")).not_to_have_text(idle)
        assert page.locator("path.on").count() >= 1
    links = page.locator(".st-key-pages a")
    assert links.count() == len(addresses())
    for k in range(links.count()):  # the navigation shows every page
        box = links.nth(k).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
def test_the_story_is_offered_on_a_phone_without_standing_in_the_way(server: str, visit: Visit, locale: str) -> None:
    page = visit(server, viewport={"width": 390, "height": 844}, locale=locale)
    settled(page)
    label = page.locator(".attended .label").bounding_box()
    assert label is not None
    for part in page.locator(".st-key-newcomer :is(a, button)").all():
        box = part.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= label["y"] + 1
    assert page.locator(".st-key-newcomer :is(a, button)").count() == 2


LONG = (
    "I believe that we must first listen to the citizens of our countries, that we must then explain what Europe can "
    "do for them, and that only after this debate should the Commission present a new proposal to Parliament."
)


def test_a_long_sentence_keeps_its_heads_and_says_where_it_goes_on(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence={LONG}", viewport={"width": 1280, "height": 720})
    expect(page.locator("thead th")).to_have_count(len(english(LONG)) + 1, timeout=PATIENCE)
    assert page.locator(".map.more").count() == 1
    page.locator(".heat").evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    expect(page.locator(".map.more")).to_have_count(0)
    page.locator("tbody tr").last.scroll_into_view_if_needed()
    row, head, readout = (page.locator(name).bounding_box() for name in ("tbody tr:last-child", ".heads", ".readout"))
    assert row is not None
    assert head is not None
    assert readout is not None
    assert row["y"] > 300
    assert 0 <= readout["y"] < head["y"] < 80  # both stay at the top, the heads below the readout
    last, cell = page.locator(".heads .end").bounding_box(), page.locator("tbody tr:last-child td.end").bounding_box()
    assert last is not None
    assert cell is not None
    assert last["x"] == pytest.approx(cell["x"], abs=1.5)  # above their columns
    heads = page.locator(".heads .word")
    apart = page.locator(".heads [data-source]").nth(1).bounding_box()
    assert apart is not None
    high = heads.first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert apart["width"] * 0.707 >= high  # slanted lines of letters do not touch


def test_a_short_sentence_and_the_paper_s_grey(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence=I am a student.&scale=grey")
    expect(page.locator("thead th")).to_have_count(6, timeout=PATIENCE)
    lane, heat = page.locator(".lane.source").bounding_box(), page.locator(".heat").bounding_box()
    assert lane is not None
    assert heat is not None
    assert heat["x"] - lane["x"] - lane["width"] < 450
    assert page.locator(".picture path").first.evaluate("node => getComputedStyle(node).stroke") == page.locator(
        ".picture"
    ).evaluate("node => getComputedStyle(node).color")


def test_while_one_waits_what_is_out_of_date_stands_back(server: str, visit: Visit) -> None:
    page = visit(server)
    shown = page.locator(".st-key-picture")
    assert shown.evaluate("node => getComputedStyle(node).opacity") == "1"
    # What a wait of over a second writes (tests/pages/widgets/test_present.py): no wait can be relied on here. What
    # the script that waits has not drawn yet is stale.
    page.locator(".st-key-status").evaluate("node => { node.innerHTML = '<p class=waiting role=status>Wait</p>' }")
    shown.evaluate("node => { node.dataset.stale = 'true' }")
    assert float(shown.evaluate("node => getComputedStyle(node).opacity")) < 0.5
    assert page.locator(".waiting").evaluate("node => getComputedStyle(node).fontWeight") == "600"


def test_what_answers_another_sentence_than_the_one_in_the_box_stands_back(server: str, visit: Visit) -> None:
    page = visit(server)
    box, shown = page.locator(".st-key-sentence textarea"), page.locator(".st-key-picture")
    expect(box).not_to_have_value("")  # the picture is there sooner than what it is of
    first = box.input_value()
    box.fill("The dog sleeps.")
    expect(shown).to_have_css("opacity", "0.45")
    box.fill(first)
    expect(shown).to_have_css("opacity", "1")  # it is what was asked for
    box.fill("The dog sleeps.")
    box.press("Enter")
    expect(page.locator("thead th:not(.end) .word")).to_have_text(english("The dog sleeps."), timeout=PATIENCE)
    expect(shown).to_have_css("opacity", "1")


def test_back_brings_the_sentence_before(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence=I am a student.")
    first = english("I am a student.")
    expect(page.locator("thead th:not(.end) .word")).to_have_text(first, timeout=PATIENCE)
    second = "The red car is in front of the white house."
    ask(page, second)
    expect(page.locator("thead th:not(.end) .word")).to_have_text(english(second), timeout=PATIENCE)
    page.wait_for_timeout(1500)
    page.go_back()
    expect(page.locator("thead th:not(.end) .word")).to_have_text(first, timeout=PATIENCE)
    assert page.locator(".st-key-sentence textarea").input_value() == "I am a student."
    page.wait_for_timeout(1500)
    page.go_forward()
    expect(page.locator("thead th:not(.end) .word")).to_have_text(english(second), timeout=PATIENCE)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_the_heatmap_and_not_the_page(server: str, visit: Visit, scheme: str) -> None:
    page = visit(server, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    heat = page.locator(".heat")
    assert heat.evaluate("node => node.scrollWidth > node.clientWidth")
    heat.evaluate("node => node.scrollTo(200, 0)")
    label = page.locator("tbody th .word").first.bounding_box()
    assert label is not None
    assert 0 <= label["x"] < 200  # the row's word stays in sight
    assert page.locator(".lane.target").is_visible()


def test_the_first_request_may_name_a_page(browser: Browser) -> None:
    """A fresh server whose first reader follows a link to a page still shows the frame around it. (Streamlit itself
    then looks for the server below the page's path first, which the browser logs: hence no check of the console.)"""
    with serving() as address:
        page = browser.new_page()
        page.goto(f"{address}/translate?unit=pieces")
        page.wait_for_selector(".picture table", timeout=PATIENCE)
        expect(page.locator(".st-key-frame h1")).to_be_visible()
        expect(page.get_by_role("radio", name="pieces")).to_be_checked()
        assert page.title() == "Align & Translate"
        page.close()


def test_the_link_carries_the_head_that_is_enlarged(server: str, visit: Visit) -> None:
    page = visit(f"{server}?model=transformer-50&heads=on")
    enlarged = page.locator(".heads button[aria-expanded=true]")
    title = page.locator(".heads .large h3")
    page.locator('.heads button[data-key="cross-attention-l1-h2"]').click(timeout=PATIENCE)
    page.locator('.heads button[data-key="encoder-self-attention-l2-h1"]').click()  # before the page heard of the first
    expect(page).to_have_url(re.compile("head=encoder-self-attention-l2-h1"), timeout=PATIENCE)
    expect(enlarged).to_have_count(1)
    expect(title).to_have_text("encoder self-attention, layer 2, head 1")
    other = visit(page.url)
    expect(other.locator(".heads .large h3")).to_have_text(title.inner_text(), timeout=PATIENCE)
    expect(other.locator(".heads .large")).to_have_attribute("data-rows", "source")
    other.locator(".heads .large td[data-s]").first.hover()
    said = other.locator(".heads .said")
    expect(said).to_have_text(re.compile(r"largest of all \d+ maps: [01]\.\d\d, in layer \d, head \d$"))
    expect(other.locator(".heads button.most")).to_have_count(1)
    other.keyboard.press("Escape")
    expect(enlarged).to_have_count(1)
    other.locator(".heads").get_by_role("button", name="Close").click()
    expect(other).not_to_have_url(re.compile("head="), timeout=PATIENCE)


def test_an_account_of_looking_is_no_picture_of_it(server: str, visit: Visit) -> None:
    page = visit(f"{server}?model=coverage-50&heads=on")
    large = page.locator(".heads .large")
    page.locator('.heads button[data-key="coverage"]').click(timeout=PATIENCE)
    expect(large.get_by_role("grid")).to_be_visible()
    expect(large.get_by_role("button")).to_have_text(["Close"])
    assert max(map(float, filter(None, large.locator("td[data-s]").all_text_contents()))) > 1
    expect(page.locator(".st-key-map")).to_have_count(0)
