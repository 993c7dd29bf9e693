"""The attention console in a real Chromium: rows dragged, typed, moved by keys and fingers, rules, files, the link."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.ui.backend import shipped_traces

Visit = Callable[..., Page]

MADE = shipped_traces.load_examples()[0].traces["rnnsearch-50"]
READY = ".console .bar"
PIECES = len(MADE.source.pieces)


def opened(server: str, visit: Visit, query: str = "", wait: str = READY, **options: object) -> Page:
    page = visit(f"{server}/laboratory{query}", wait, **options)
    page.wait_for_selector(".stApp[data-test-script-state='notRunning']")
    return page


def shares(page: Page) -> list[float]:
    """The weights of the row that is looked at, as the bars have them."""
    found: list[float] = page.locator(".bar").evaluate_all(
        "all => all.map(one => parseFloat(one.style.getPropertyValue('--share')))"
    )
    return found


def changes(page: Page, count: int) -> list[str]:
    """The changes that hold, once there are so many."""
    expect(page.locator(".chip")).to_have_count(count)
    return page.locator("[data-less]").evaluate_all("all => all.map(one => one.dataset.less)")


def row_of(change: str) -> list[float]:
    return [float(part) for part in change.partition("=")[2].split(",")]


@pytest.mark.verdict
def test_a_bar_is_dragged_and_the_rest_gives_way(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator('.step[data-step="3"]').click()
    before = shares(page)
    bar = page.locator(".bar").nth(5).bounding_box()
    assert bar is not None
    x, top, height = bar["x"] + bar["width"] / 2, bar["y"], bar["height"]
    page.mouse.move(x, top + height - 8)
    page.mouse.down()
    page.mouse.move(x, top + height * 0.5, steps=6)
    during = shares(page)
    assert sum(during) == pytest.approx(1, abs=0.002)
    assert 0.3 < during[5] < 0.8
    assert during[2] == pytest.approx(before[2] * (1 - during[5]) / (1 - before[5]), abs=0.01)
    assert page.locator(".chip").count() == 0  # nothing is asked for before the reader lets go
    page.mouse.up()
    (change,) = changes(page, 1)
    assert change.startswith("attention@4=")
    assert row_of(change) == pytest.approx(during, abs=0.002)
    assert sum(row_of(change)) == pytest.approx(1, abs=1e-6)
    page.wait_for_url(re.compile("edits="))
    assert shares(page) == pytest.approx(during, abs=0.002)  # the answer does not snap back


def test_escape_gives_a_dragged_row_back(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    before = shares(page)
    bar = page.locator(".bar").nth(4).bounding_box()
    assert bar is not None
    page.mouse.move(bar["x"] + 5, bar["y"] + bar["height"] - 8)
    page.mouse.down()
    page.mouse.move(bar["x"] + 5, bar["y"] + 20, steps=4)
    assert shares(page) != before
    page.keyboard.press("Escape")
    assert shares(page) == before
    page.mouse.up()
    page.wait_for_timeout(500)
    assert page.locator(".chip").count() == 0


def test_a_cell_of_the_map_is_dragged_with_the_mouse(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    cell = page.locator('td[data-step="2"][data-place="6"]').bounding_box()
    assert cell is not None
    page.mouse.move(cell["x"] + 8, cell["y"] + 8)
    page.mouse.down()
    page.mouse.move(cell["x"] + 8, cell["y"] - 62, steps=5)
    page.mouse.up()
    (change,) = changes(page, 1)
    assert change.startswith("attention@3=")
    assert row_of(change)[6] == pytest.approx(0.5, abs=0.05)


def test_keys_change_a_row_and_give_it_back(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator('.step[data-step="1"]').focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator('.step[data-step="2"]')).to_be_focused()
    page.locator(".bar[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    place = int(page.locator(".bar:focus").get_attribute("data-place") or -1)
    value = shares(page)[place]
    page.keyboard.press("ArrowUp")
    assert shares(page)[place] == pytest.approx(value + 0.05, abs=0.001)
    page.keyboard.press("Shift+ArrowUp")
    assert shares(page)[place] == pytest.approx(value + 0.06, abs=0.001)
    page.keyboard.press("Enter")
    (change,) = changes(page, 1)
    assert change.startswith("attention@3=")
    expect(page.locator(f'.bar[data-place="{place}"]')).to_be_focused()  # the answer leaves the keyboard where it was
    page.keyboard.press("Escape")
    assert changes(page, 0) == []


def test_a_weight_is_typed(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator('td[data-step="4"][data-place="1"]').click()
    page.locator("input.weight").fill("0.75")
    page.locator("input.weight").press("Enter")
    (change,) = changes(page, 1)
    assert row_of(change)[1] == pytest.approx(0.75, abs=1e-6)


def test_a_weight_that_is_typed_is_of_the_row_that_was_looked_at_then(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator('td[data-step="4"][data-place="1"]').click()
    page.locator("input.weight").fill("0.75")
    page.locator('td[data-step="2"][data-place="3"]').click()  # only to look at it
    (change,) = changes(page, 1)
    assert change.startswith("attention@5=")
    assert row_of(change)[1] == pytest.approx(0.75, abs=1e-6)


def test_a_finger_drags_a_bar(server: str, visit: Visit) -> None:
    page = opened(server, visit, viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator(".bar").nth(1).scroll_into_view_if_needed()
    bar = page.locator(".bar").nth(1).bounding_box()
    assert bar is not None
    x, top, height = bar["x"] + 8, bar["y"], bar["height"]
    session = page.context.new_cdp_session(page)
    for kind, y in (("touchStart", top + height - 8), ("touchMove", top + height * 0.7), ("touchMove", top + 30)):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    scrolled = page.evaluate("document.querySelector('.stMain').scrollTop")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    (change,) = changes(page, 1)
    assert row_of(change)[1] > 0.5
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == scrolled
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390


def test_rules_at_a_step_a_range_and_all_steps(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator('td[data-step="1"][data-place="2"]').click()
    page.locator("[data-way=only]").click()
    assert changes(page, 1) == ["attention@2:only=3"]
    page.locator("[data-scope=range]").click()
    page.locator("input[name=from]").fill("3")
    page.locator("input[name=to]").fill("5")
    page.locator("input[name=to]").press("Tab")
    page.locator("[data-way=diagonal]").click()
    assert changes(page, 2) == ["attention@3-5:diagonal", "attention@2:only=3"]
    page.locator("[data-scope=all]").click()
    expect(page.locator("input[name=shuffled]")).to_be_hidden()  # a number is asked for where a rule takes one
    page.locator("[data-way=shuffled]").click()
    assert changes(page, 1) == ["attention@*:shuffled=1"]
    expect(page.get_by_role("spinbutton", name="seed")).to_be_visible()
    expect(page.locator("input[name=temperature]")).to_be_hidden()
    page.locator("input[name=shuffled]").fill("5")
    page.locator("input[name=shuffled]").press("Tab")
    expect(page.locator("[data-less]")).to_have_attribute("data-less", "attention@*:shuffled=5")
    assert changes(page, 1) == ["attention@*:shuffled=5"]
    expect(page.locator(".column.flipped").first).to_be_visible()
    page.locator("button.none").click()
    assert changes(page, 0) == []
    expect(page.locator(".column.flipped")).to_have_count(0)


def test_a_rule_that_holds_is_pressed_and_pressed_again_is_taken_back(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator("[data-scope=all]").click()
    uniform = page.locator("[data-way=uniform]")
    uniform.click()
    changes(page, 1)
    expect(uniform).to_have_attribute("aria-pressed", "true")
    page.locator("[data-scope=step]").click()
    expect(uniform).to_have_attribute("aria-pressed", "true")  # it holds at this step too
    uniform.click()
    assert changes(page, 0) == []
    expect(uniform).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(("edits", "scope", "way"), [
    ("attention@*:shuffled=7", "all", "shuffled"), ("attention@3:max", "step", "max"),
    ("attention@2-4:temperature=2", "range", "temperature"),
])  # fmt: skip
def test_the_controls_say_what_the_link_has_changed(
    server: str, visit: Visit, edits: str, scope: str, way: str
) -> None:
    page = opened(server, visit, f"?edits={edits}", ".console .chip")
    expect(page.locator("[data-scope][aria-checked=true]")).to_have_attribute("data-scope", scope)
    expect(page.locator("[data-way][aria-pressed=true]")).to_have_attribute("data-way", way)
    if "=" in edits:
        expect(page.locator(f"input[name={way}]")).to_have_value(edits.partition("=")[2])
    if scope == "step":
        assert "3" in page.locator("[data-scope=step]").inner_text()
    if scope == "range":
        assert [page.locator(f"input[name={one}]").input_value() for one in ("from", "to")] == ["2", "4"]


def test_what_a_rule_does_is_read_without_a_mouse(server: str, visit: Visit) -> None:
    page = opened(server, visit, "", ".console .way")
    help, rule = page.locator(".console .help"), page.locator(".console .way[data-way=diagonal]")
    expect(help).to_have_text("")
    before = page.locator(".console .chips").bounding_box()
    rule.focus()
    expect(help).to_have_text(rule.get_attribute("title") or "")
    assert page.locator(".console .chips").bounding_box() == before, "nothing moves"
    rule.press("Enter")
    expect(page.locator(".console .chip")).to_have_count(1)
    expect(help).to_have_text(rule.get_attribute("title") or "")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_figure_stands_under_its_own_word_and_a_blank_row_says_why(
    server: str, visit: Visit, language: str
) -> None:
    page = opened(server, visit, f"?edits=attention@*:uniform&lang={language}", ".console .chip")
    columns = page.locator(".column:not(.names)")
    blank = 0
    for column in columns.all():
        parts = column.locator("span:not(.unseen)")
        was, gained, moved, now, log = parts.all_inner_texts()
        boxes = [one.bounding_box() for one in parts.all()]
        tops = [box["y"] for box in boxes if box]
        assert tops == sorted(tops)
        assert len(tops) == 5  # its own word, what became of it, the word now, its own probability
        assert bool(gained.strip()) == bool(moved.strip()) == (was != "–")
        assert bool(log.strip()) == (now != "–")
        blank += "–" in (was, now)
    assert blank > 2
    hatched = page.locator(".small rect.none")
    assert hatched.count() == blank
    assert hatched.first.locator("title").text_content()
    expect(page.locator(".small .lone")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "query"), [(1440, ""), (1280, "&lang=ko"), (390, ""), (390, "&lang=ko"), (1280, "&present=1")]
)
def test_every_line_of_figures_has_the_names_of_its_rows(server: str, visit: Visit, width: int, query: str) -> None:
    window = {"width": width, "height": 844}
    page = opened(server, visit, f"?edits=attention@*:diagonal{query}", ".console .chip", viewport=window)
    names = page.locator(".column.names")
    texts, columns = page.locator(".aligned").evaluate("""node => [".names", ":not(.names)"].map((which) =>
      [...node.querySelectorAll(`.column${which}`)].map((one) =>
        [...one.querySelectorAll(":scope > :not(.unseen)")].map((part) => {
        const box = part.getBoundingClientRect(); return [box.left, box.right, (box.top + box.bottom) / 2] })))""")
    first = [one for k, one in enumerate(columns) if not k or one[0][2] > columns[k - 1][0][2] + 20]  # of every line
    assert width > 390 or len(first) > 2
    for beside, column in zip(texts, first, strict=True):
        for (_, right, middle), (left, _, its) in zip(beside, column, strict=True):
            assert right <= left  # no figure stands over a name, and each name beside its row
            assert abs(middle - its) < 3
    assert len(set(names.all_inner_texts())) == 1
    assert page.locator(".names [role=button]").count() == page.locator(".names").first.locator("[role=button]").count()


def test_above_the_result_stands_what_was_changed_and_a_rule_says_of_which_word(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    assert page.locator(".label .told").count() == 0
    page.locator('td[data-step="1"][data-place="2"]').click()
    word = page.locator("thead .here .word").inner_text()
    for way in ("never", "only"):
        expect(page.locator(f"[data-way={way}] u")).to_have_text(word)
        expect(page.locator(f"[data-way={way}]")).to_have_attribute("title", re.compile(f"underlined .*{word}"))
    page.locator("[data-way=only]").click()
    expect(page.locator(".label .told")).to_have_text(re.compile(f"^“.+” looks at “{word}” alone$"))


def test_every_rule_button_asks_for_its_rule(server: str, visit: Visit) -> None:
    page = opened(server, visit)
    page.locator("[data-scope=all]").click()
    ways = page.locator("[data-way]").evaluate_all("all => all.map(one => one.dataset.way)")
    assert len(ways) == 9
    for way in ways:
        page.locator(f"[data-way={way}]").click()
        expect(page.locator("[data-less]")).to_have_attribute("data-less", re.compile(rf"^attention@\*:{way}\b"))
        changes(page, 1)


def test_a_link_and_a_file_open_it_exactly(server: str, visit: Visit, tmp_path: Path) -> None:
    page = opened(server, visit, "?edits=attention@*:uniform", ".console .chip")
    written = page.locator(".column .now").all_inner_texts()
    with page.expect_download() as saved:
        page.locator(".st-key-save-experiment button").first.click()
    path = tmp_path / "experiment.json"
    saved.value.save_as(path)
    assert json.loads(path.read_text("utf-8"))["edits"] == "attention@*:uniform"
    page = opened(server, visit)
    page.locator(".st-key-open-experiment button").click()
    page.locator(".st-key-experiment-file input[type=file]").set_input_files(path)
    assert changes(page, 1) == ["attention@*:uniform"]
    assert page.locator(".column .now").all_inner_texts() == written


@pytest.mark.parametrize(("part", "more", "shown"), [
    ("words", "", ".words section > ol > li"), ("beam", "&width=3", ".beam [data-do=free]"),
])  # fmt: skip
def test_what_was_begun_otherwise_comes_back_by_its_file(
    server: str, visit: Visit, tmp_path: Path, part: str, more: str, shown: str
) -> None:
    page = opened(server, visit, f"?part={part}{more}&edits=p50", f".{part}")
    before = page.locator(shown).all_inner_texts()
    with page.expect_download() as saved:
        page.locator(".st-key-save-experiment button").first.click()
    path = tmp_path / "experiment.json"
    saved.value.save_as(path)
    assert json.loads(path.read_text("utf-8"))["edits"] == "p50"
    page = opened(server, visit, f"?part={part}", f".{part}")
    page.locator(".st-key-open-experiment button").click()
    page.locator(".st-key-experiment-file input[type=file]").set_input_files(path)
    page.wait_for_url(re.compile("edits=p50"))
    expect(page.locator(shown)).to_have_count(len(before))
    assert page.locator(shown).all_inner_texts() == before
    assert ("width=3" in page.url) == (part == "beam")


def test_a_page_of_its_own_shows_what_was_changed(server: str, visit: Visit, tmp_path: Path) -> None:
    page = opened(server, visit, "?edits=attention@*:max", ".console .chip")
    with page.expect_download() as saved:
        page.locator(".st-key-attention-html button").first.click()
    path = tmp_path / "experiment.html"
    saved.value.save_as(path)
    alone = visit(path.as_uri(), READY)
    assert alone.locator(".chip").count() == 1
    assert not alone.locator("[data-way]").first.is_visible()
    alone.locator('.step[data-step="2"]').click()
    assert max(shares(alone)) == 1
    bar = alone.locator(".bar").nth(1).bounding_box()
    assert bar is not None
    alone.mouse.click(bar["x"] + 5, bar["y"] + 30)
    assert max(shares(alone)) == 1


def test_how_much_it_needs_that_leads_to_the_console(server: str, visit: Visit) -> None:
    page = opened(server, visit, "?part=need", ".need table")
    rules = page.locator("[data-written]")
    assert rules.count() == 8
    rules.nth(6).click()
    assert changes(page, 1) == ["attention@*:uniform"]
    assert "part=" not in page.url
    expect(page.locator("[data-scope][aria-checked=true]")).to_have_attribute("data-scope", "all")
    expect(page.locator("[data-way=uniform]")).to_have_attribute("aria-pressed", "true")
    page.locator(".back").click()
    expect(page.locator("[data-written]")).to_have_count(8)
    page.wait_for_url(re.compile("part=need"))
    assert "edits=" not in page.url
    page.get_by_role("radio", name="change where it looks").click()
    assert changes(page, 1) == ["attention@*:uniform"]
    assert page.locator(".back").count() == 0  # chosen by the reader, not by the table


def choose(page: Page, name: str) -> None:
    page.locator(".st-key-part").get_by_text(name, exact=True).click()


def test_an_experiment_begins_clean_and_finds_its_own_again(server: str, visit: Visit) -> None:
    page = opened(server, visit, "?edits=attention@*:uniform", ".console .chip")
    choose(page, "force a word")
    expect(page.locator(".words section > ol > li")).to_have_count(1)
    assert "edits=" not in page.url
    choose(page, "change where it looks")
    assert changes(page, 1) == ["attention@*:uniform"]


def test_what_a_link_brings_into_an_experiment_is_taken_back_with_one_press(server: str, visit: Visit) -> None:
    page = opened(server, visit, "?part=words&edits=attention@*:uniform", ".st-key-begin-clean button")
    expect(page.locator(".words section > ol > li")).to_have_count(2)
    page.locator(".st-key-begin-clean button").click()
    expect(page.locator(".words section > ol > li")).to_have_count(1)
    expect(page.locator(".st-key-begin-clean")).to_have_count(0)


LONG = ("My brother bought a new car last week, but he does not know how to drive, and he cannot find a good teacher "
        "in the small town by the sea where he lives.")  # fmt: skip


def test_while_another_experiment_is_worked_out_the_old_one_stands_back_and_can_be_left(
    server: str, visit: Visit
) -> None:
    page = opened(server, visit, f"?part=vector&sentence={LONG}", ".vector .dot")
    choose(page, "other ways of asking")
    page.wait_for_selector(".asking td[data-s]")
    page.locator(".st-key-asked").get_by_text("integrated gradients").click()
    page.wait_for_selector(".st-key-status .waiting")  # it says that it works, and what ends it
    expect(page.locator(".st-key-status .waiting")).to_contain_text("%")
    old = page.locator("[data-stale=true]:has(.asking)").last
    assert old.evaluate("node => getComputedStyle(node).pointerEvents") == "none"
    assert float(old.evaluate("node => getComputedStyle(node).opacity")) < 0.5
    choose(page, "change where it looks")
    page.wait_for_selector(READY, timeout=5_000)
    expect(page.locator(".asking")).to_have_count(0, timeout=5_000)


def test_on_a_phone_every_experiment_is_reached(server: str, visit: Visit) -> None:
    page = opened(server, visit, "", READY, viewport={"width": 390, "height": 844})
    line, every = page.locator(".st-key-experiments"), page.locator(".st-key-experiments button[role=radio]")
    assert line.evaluate("node => node.scrollWidth > 2 * node.clientWidth")
    line.evaluate("node => { node.scrollLeft = node.scrollWidth }")
    every.last.click(timeout=5_000)
    expect(every.last).to_have_attribute("aria-checked", "true")
    every.first.click(timeout=5_000)
    expect(every.first).to_have_attribute("aria-checked", "true")


def test_on_a_phone_the_rules_have_their_translations_in_sight(server: str, visit: Visit) -> None:
    sentence = "?part=need&sentence=The+old+man+reads+a+long+letter+in+the+garden."
    page = opened(server, visit, sentence, ".need table", viewport={"width": 390, "height": 844})
    texts = page.locator(".need .sentence td.text").all()
    assert len(texts) > 5
    for text in texts:
        box = text.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    expect(page.locator(".need .broke", has_text="→").first).to_be_visible()
    assert page.locator(".need .sentence .scroll").evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_model_without_attention_says_why_and_offers_one_that_attends(server: str, visit: Visit) -> None:
    page = opened(server, visit, "?model=rnnencdec-50", ".st-key-use-attending button")
    assert "RNNencdec-50" in page.locator(".st-key-blind").inner_text()
    page.locator(".st-key-use-attending button").click()
    page.wait_for_selector(READY)


SHOWN = {"need": "table .number", "beam": ".canvas .node", "words": ".word", "asking": "td[data-s]",
         "vector": ".plane .dot", "sampling": ".groups li"}  # fmt: skip


@pytest.mark.parametrize("part", SHOWN)
def test_every_experiment_is_a_page_of_its_own(server: str, visit: Visit, tmp_path: Path, part: str) -> None:
    """It shows what the app shows, offers nothing that only the app can do, and asks nobody for anything."""
    ready = f".{part} {SHOWN[part]}"
    page = opened(server, visit, f"?part={part}&sentence=The grey cat sleeps.", ready)
    count = page.locator(ready).count()
    with page.expect_download() as saved:
        page.locator(f".st-key-{part}-html button").first.click()
    path = tmp_path / "experiment.html"
    saved.value.save_as(path)
    alone = visit(path.as_uri(), ready)
    assert alone.locator(ready).count() == count
    assert "The grey cat sleeps." in alone.title()
    alone.locator(ready).first.click()
    assert alone.locator(":is([data-written], [data-take], form, [data-do])").count() == 0
    assert alone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_was_forced_is_a_picture_for_a_slide(server: str, visit: Visit, tmp_path: Path) -> None:
    page = opened(server, visit, "?part=words&own=Mon chat dort.", ".words .word")
    with page.expect_download() as saved:
        page.locator(".st-key-words-png button").first.click()
    path = tmp_path / "words.png"
    saved.value.save_as(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert int.from_bytes(path.read_bytes()[16:20], "big") >= 1900  # pixels across


def test_a_reader_s_own_text_is_asked_how_much_it_needs_that(server: str, visit: Visit) -> None:
    page = visit(f"{server}/your_text", "textarea")
    page.locator("textarea").last.fill("The grey cat sleeps.\n\nWe saw the sea.\nWhere is my letter?\n")
    page.locator("textarea").last.press("Control+Enter")
    page.get_by_role("button", name="Translate all").click()
    expect(page.locator(".sentence-bars .row")).to_have_count(3, timeout=60_000)
    page.get_by_role("link", name="Laboratory").click()
    page.wait_for_selector(READY)
    page.get_by_text("how much it needs attention").click()
    page.locator(".st-key-need-own button").click(timeout=60_000)
    expect(page.locator(".st-key-need-own-csv button").first).to_be_visible(timeout=60_000)
    own = page.locator(".need").nth(1)
    expect(own).to_contain_text("Over 3 sentences of your own text")
    expect(own.locator("tbody tr")).to_have_count(8)
    expect(page.locator(".need").first.locator(".own")).to_be_visible()  # the sentence's own table stays
