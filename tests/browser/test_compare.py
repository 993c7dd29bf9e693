"""Compare: marked errors, highlights by pointer and keys, a sentence that grows clause by clause, a projector,
files."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from pages.ui.i18n.messages import load_messages
from tests.browser.running import NO_DOUBLE_PRESS, enter, get_box, list_highlighted, settle, settle_presentation
from tests.hostile import CASES

Visit = Callable[..., Page]
READY = ".compare .pair .column"
PROJECTOR = {"width": 1280, "height": 720}
LONG = (
    "My sister bought an old house in the country last year, but she does not live there in winter, "
    "because the big kitchen is much too cold."
)


def test_two_models_are_saved_as_one_figure_and_copied_as_latex(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare", READY, viewport=PROJECTOR)
    settle(page)
    page.locator(".st-key-figure button").first.click()
    code = page.get_by_test_id("stCode")
    expect(code.first).to_contain_text(r"\begin{tikzpicture}")
    expect(code.last).to_contain_text("bahdanau2015neural")
    with page.expect_download() as download:
        page.locator(".st-key-figure-svg button:visible").click()
    assert download.value.suggested_filename.endswith("rnnsearch-50-rnnencdec-50-compared.svg")
    picture = Path(download.value.path()).read_text("utf-8")
    assert "RNNsearch-50" in picture
    assert "RNNencdec-50" in picture


def test_errors_are_marked_and_words_highlight_what_they_attend_to(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare", READY, viewport=PROJECTOR)
    settle(page)
    say = load_messages("en")
    divergence = page.locator(".pair .followed")
    expect(divergence).to_have_count(1)
    expect(divergence).to_have_attribute("data-model", "1")
    expect(divergence.locator("xpath=following-sibling::small")).to_contain_text(say("compare.mark_thread"))
    expect(page.locator(".gone")).to_contain_text("off track")
    expect(page.locator(".trained")).to_contain_text("tokens in")
    assert page.locator("p.source .lost").count() > 3
    legend, readout = page.locator(".compare .legend"), page.locator(".compare .readout")
    expect(legend).to_contain_text("● RNNsearch-50, ■ RNNencdec-50")
    legend_box, pair_box = get_box(legend), get_box(page.locator(".compare .pair"))
    assert 0 <= legend_box["y"] < legend_box["y"] + legend_box["height"] <= pair_box["y"]
    for name in ("lost", "invented", "thread", "repeated", "differs", "marks"):
        legend.locator(f"[data-term={name}]").hover()
        expect(page.locator(".glossary .explanation")).to_contain_text(say(f"glossary.{name}"))
    other = page.locator(".pair .word.substitution").first
    expect(other.locator("xpath=following-sibling::small")).to_have_text("")  # differs, but is no error
    other.hover()
    expect(readout).to_contain_text(say("compare.mark_other"))

    page.mouse.move(5, 5)
    idle = readout.inner_text()
    word = page.locator(".pair [data-model='0']").nth(1)
    word.hover()
    expect(readout.locator("b.target")).to_have_text(word.inner_text())
    assert list_highlighted(page.locator("p.source .word")) == [readout.locator("b.source").first.inner_text()]
    word.click()
    page.mouse.move(5, 5)
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(readout.locator("b.target")).to_have_text(word.inner_text())
    word.click()
    page.mouse.move(5, 5)
    expect(readout).to_have_text(idle)
    page.locator(".pair [data-model='0']").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(word).to_be_focused()
    page.keyboard.press("Enter")
    expect(word).to_have_attribute("aria-pressed", "true")
    page.locator(".pair [data-model='1']").first.hover()
    expect(readout.locator("b.target")).to_have_text(word.inner_text())  # pinned
    source_words = page.locator(".compare .source [data-source]")
    source_words.first.focus()
    page.keyboard.press("ArrowRight")
    expect(source_words.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(source_words.nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(source_words.nth(1)).to_have_attribute("aria-pressed", "false")
    expect(page.locator('.compare .source [tabindex="0"]')).to_have_count(1)
    expect(page.locator(".announced").first).to_contain_text("RNNsearch-50")


def test_a_sentence_grows_and_shrinks_by_clauses(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare", READY)
    enter(page, LONG)
    expect(page.locator("p.source")).to_contain_text("kitchen")
    page.locator("[data-do=grow]").click()
    position, play = page.locator(".growth .where"), page.locator("[data-do=play]")
    expect(position).to_have_text("clause 1 of 3, 11 words")
    expect(play).to_have_text("❚❚")
    expect(page.locator(".track")).to_be_focused()
    page.keyboard.press(" ")
    expect(play).to_have_text("▶")
    page.keyboard.press("Home")
    expect(position).to_have_text("clause 1 of 3, 11 words")
    height = page.locator(".main").evaluate("node => node.offsetHeight")
    points = []
    steps = [("ArrowRight", 2), ("PageDown", 3), ("ArrowRight", 3), ("ArrowLeft", 2), ("PageUp", 1), ("End", 3)]
    for key, clause in steps:
        page.keyboard.press(key)
        expect(position).to_contain_text(f"clause {clause} of 3")
        assert page.locator(".main").evaluate("node => node.offsetHeight") == height
        points.append((clause, page.locator(".dot").first.evaluate("node => node.style.transform")))
    assert len(dict(points)) == len(set(points)) == 3  # one point of the curve per clause
    assert page.locator("p.source .unfed").count() == 0
    assert page.locator("p.source .fresh").first.inner_text() == "because"
    assert page.locator(".pair .new").count() > 0
    page.wait_for_url("**/*clauses=3*")
    page.keyboard.press("Home")
    page.wait_for_url("**/*clauses=1*")
    expect(position).to_contain_text("clause 1 of 3")
    assert page.locator("p.source .unfed").first.inner_text() == "but"
    for name, second in (("HTML", "b"), ("closing tags", "textarea")):
        enter(page, CASES[name])
        expect(page.locator("p.source .word").nth(1)).to_have_text(second)
        assert page.locator(".compare :is(img, script, iframe)").count() == 0, name


def test_a_clicker_grows_the_sentence(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare?present=1&sentence={LONG}", READY, viewport=PROJECTOR)
    expect(page.locator("p.source")).to_contain_text("kitchen")
    settle_presentation(page)
    page.keyboard.press("PageDown")
    position = page.locator(".growth .where")
    expect(position).to_contain_text("clause 1 of 3")
    expect(page.locator("[data-do=play]")).to_have_text("▶")  # a clicker decides when to go on
    page.wait_for_timeout(NO_DOUBLE_PRESS)
    for key, clause in (("PageDown", 2), ("PageUp", 1), ("s", 3)):
        page.keyboard.press(key)
        expect(position).to_contain_text(f"clause {clause} of 3")
