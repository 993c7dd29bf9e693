"""Laboratory: rows of attention are dragged, typed, moved by keys and fingers, changed by rules, saved and opened."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import get_box, settle

Visit = Callable[..., Page]

READY = ".console .bar"
CHIP = ".console .chip"
PHONE = {"width": 390, "height": 844}
LONG = ("My brother bought a new car last week, but he does not know how to drive, and he cannot find a good teacher "
        "in the small town by the sea where he lives.")  # fmt: skip


def open_laboratory(server: str, visit: Visit, query: str = "", ready: str = READY, **options: object) -> Page:
    page = visit(f"{server}/laboratory{query}", ready, **options)
    settle(page)  # nothing moves any more
    return page


def list_weights(page: Page) -> list[float]:
    """Return the attention weights of the selected row."""
    weights: list[float] = page.locator(".console .bar").evaluate_all(
        "all => all.map(one => parseFloat(one.style.getPropertyValue('--share')))"
    )
    return weights


def list_changes(page: Page, count: int) -> list[str]:
    """Wait for this number of changes, and return them."""
    expect(page.locator(".chip")).to_have_count(count)
    return page.locator("[data-remove]").evaluate_all("all => all.map(one => one.dataset.remove)")


def parse_row(change: str) -> list[float]:
    return [float(part) for part in change.partition("=")[2].split(",")]


def remove_changes(page: Page) -> None:
    page.locator("button.clear").click()
    assert list_changes(page, 0) == []


def choose_experiment(page: Page, name: str) -> None:
    page.locator(".st-key-experiment").get_by_text(name, exact=True).click()


def press_bar(page: Page, index: int) -> tuple[float, float, float]:
    """Press the mouse near the foot of a bar; return the bar's x, top and height."""
    bar = get_box(page.locator(".console .bar").nth(index))
    x = bar["x"] + bar["width"] / 2
    page.mouse.move(x, bar["y"] + bar["height"] - 8)
    page.mouse.down()
    return x, bar["y"], bar["height"]


@pytest.mark.verdict
def test_weights_are_dragged_and_the_others_keep_their_proportions(server: str, visit: Visit) -> None:
    page = open_laboratory(server, visit)
    page.locator('.step[data-step="3"]').click()
    before = list_weights(page)
    x, top, height = press_bar(page, 5)
    page.mouse.move(x, top + height * 0.5, steps=6)
    during = list_weights(page)
    assert sum(during) == pytest.approx(1, abs=0.002)
    assert 0.3 < during[5] < 0.8
    assert during[2] == pytest.approx(before[2] * (1 - during[5]) / (1 - before[5]), abs=0.01)
    assert page.locator(".chip").count() == 0  # nothing is sent during a drag
    page.mouse.up()
    (change,) = list_changes(page, 1)
    assert change.startswith("attention@4=")
    assert parse_row(change) == pytest.approx(during, abs=0.002)
    assert sum(parse_row(change)) == pytest.approx(1, abs=1e-6)
    page.wait_for_url(re.compile("overrides="))
    assert list_weights(page) == pytest.approx(during, abs=0.002)
    remove_changes(page)

    before = list_weights(page)
    x, top, _ = press_bar(page, 4)
    page.mouse.move(x, top + 20, steps=4)
    assert list_weights(page) != before
    page.keyboard.press("Escape")  # cancels the drag
    assert list_weights(page) == before
    page.mouse.up()
    page.wait_for_timeout(500)
    assert page.locator(".chip").count() == 0

    cell = get_box(page.locator('td[data-step="2"][data-source="6"]'))
    page.mouse.move(cell["x"] + 8, cell["y"] + 8)
    page.mouse.down()
    page.mouse.move(cell["x"] + 8, cell["y"] - 62, steps=5)
    page.mouse.up()
    (change,) = list_changes(page, 1)
    assert change.startswith("attention@3=")
    assert parse_row(change)[6] == pytest.approx(0.5, abs=0.05)


def test_weights_are_changed_by_keys_and_by_typing(server: str, visit: Visit) -> None:
    page = open_laboratory(server, visit)
    page.locator('.step[data-step="1"]').focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator('.step[data-step="2"]')).to_be_focused()
    page.locator(".console .bar[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    source_index = int(page.locator(".console .bar:focus").get_attribute("data-source") or -1)
    value = list_weights(page)[source_index]
    page.keyboard.press("ArrowUp")
    assert list_weights(page)[source_index] == pytest.approx(value + 0.05, abs=0.001)
    page.keyboard.press("Shift+ArrowUp")
    assert list_weights(page)[source_index] == pytest.approx(value + 0.06, abs=0.001)
    page.keyboard.press("Enter")
    (change,) = list_changes(page, 1)
    assert change.startswith("attention@3=")
    expect(page.locator(f'.console .bar[data-source="{source_index}"]')).to_be_focused()
    page.keyboard.press("Escape")
    assert list_changes(page, 0) == []
    page.locator('td[data-step="4"][data-source="1"]').click()
    page.locator("input.weight").fill("0.75")
    page.locator('td[data-step="2"][data-source="3"]').click()  # selects another row before Enter
    (change,) = list_changes(page, 1)
    assert change.startswith("attention@5=")
    assert parse_row(change)[1] == pytest.approx(0.75, abs=1e-6)


def test_a_finger_drags_a_bar_and_scrolls_nothing(server: str, visit: Visit) -> None:
    page = open_laboratory(server, visit, viewport=PHONE, has_touch=True)
    expect(page.locator(".console .main .scroll")).to_have_class(re.compile(r"\bcut\b"))
    page.locator(".console .bar").nth(1).scroll_into_view_if_needed()
    bar = get_box(page.locator(".console .bar").nth(1))
    x, top, height = bar["x"] + 8, bar["y"], bar["height"]
    scroll_top = page.evaluate("document.querySelector('.stMain').scrollTop")
    session = page.context.new_cdp_session(page)
    for kind, y in (("touchStart", top + height - 8), ("touchMove", top + height * 0.7), ("touchMove", top + 30)):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    (change,) = list_changes(page, 1)
    assert parse_row(change)[1] > 0.5
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == scroll_top


def test_rules_apply_to_a_step_a_range_or_all_steps(server: str, visit: Visit) -> None:
    page = open_laboratory(server, visit)
    hint, diagonal = page.locator(".console .help"), page.locator("[data-rule=diagonal]")
    chips = page.locator(".console .chips")
    expect(hint).to_have_text("")
    before = chips.bounding_box()
    diagonal.focus()
    expect(hint).to_have_text(diagonal.get_attribute("title") or "")
    assert chips.bounding_box() == before, "nothing moves"
    page.locator('td[data-step="1"][data-source="2"]').click()
    word = page.locator("thead .here .word").inner_text()
    for rule in ("never", "only"):
        expect(page.locator(f"[data-rule={rule}] u")).to_have_text(word)
        expect(page.locator(f"[data-rule={rule}]")).to_have_attribute("title", re.compile(f"underlined .*{word}"))
    page.locator("[data-rule=only]").click()
    assert list_changes(page, 1) == ["attention@2:only=3"]
    expect(page.locator(".label .summary")).to_have_text(re.compile(f"^“.+” attends only to “{word}”$"))
    page.locator("[data-scope=range]").click()
    page.keyboard.press("Alt+ArrowLeft")  # the browser's way back
    expect(page.locator("[data-scope=range]")).to_have_attribute("aria-checked", "true")
    page.locator("input[name=from]").fill("3")
    page.locator("input[name=to]").fill("5")
    page.locator("input[name=to]").press("Tab")
    diagonal.click()
    assert list_changes(page, 2) == ["attention@3-5:diagonal", "attention@2:only=3"]
    page.locator("[data-scope=all]").click()
    page.locator("[data-rule=shuffled]").click()
    assert list_changes(page, 1) == ["attention@*:shuffled=1"]
    expect(page.locator("input[name=temperature]")).to_be_hidden()
    page.locator("input[name=shuffled]").fill("5")
    page.locator("input[name=shuffled]").press("Tab")
    expect(page.locator("[data-remove]")).to_have_attribute("data-remove", "attention@*:shuffled=5")
    expect(page.locator(".column.changed").first).to_be_visible()
    rules = page.locator("[data-rule]").evaluate_all("all => all.map(one => one.dataset.rule)")
    assert len(rules) == 9
    for rule in ("max", "uniform"):
        page.locator(f"[data-rule={rule}]").click()
        expect(page.locator("[data-remove]")).to_have_attribute("data-remove", f"attention@*:{rule}")
    uniform = page.locator("[data-rule=uniform]")
    expect(uniform).to_have_attribute("aria-pressed", "true")
    page.locator("[data-scope=step]").click()
    expect(uniform).to_have_attribute("aria-pressed", "true")  # it applies to this step too
    uniform.click()
    assert list_changes(page, 0) == []
    expect(uniform).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".column.changed")).to_have_count(0)


def test_links_and_files_restore_an_experiment(server: str, visit: Visit, tmp_path: Path) -> None:
    page = open_laboratory(server, visit, "?overrides=attention@2-4:temperature=2", CHIP)
    for attribute, value in (("data-scope", "range"), ("data-rule", "temperature")):
        state = "aria-checked" if attribute == "data-scope" else "aria-pressed"
        expect(page.locator(f"[{attribute}][{state}=true]")).to_have_attribute(attribute, value)
    expect(page.locator("input[name=temperature]")).to_have_value("2")
    assert [page.locator(f"input[name={name}]").input_value() for name in ("from", "to")] == ["2", "4"]
    translation = page.locator(".column .now").all_inner_texts()
    path, document = tmp_path / "experiment.json", tmp_path / "experiment.html"
    with page.expect_download() as download:
        page.locator(".st-key-save-experiment button").first.click()
    download.value.save_as(path)
    assert json.loads(path.read_text("utf-8"))["overrides"] == "attention@2-4:temperature=2"
    with page.expect_download() as download:
        page.locator(".st-key-attention-html button").first.click()
    download.value.save_as(document)
    remove_changes(page)
    page.locator(".st-key-open-experiment button").click()
    page.locator(".st-key-experiment-file input[type=file]").set_input_files(path)
    assert list_changes(page, 1) == ["attention@2-4:temperature=2"]
    expect(page.locator(".column .now")).to_have_text(translation)

    saved = visit(document.as_uri(), READY)
    assert saved.locator(".chip").count() == 1
    assert not saved.locator("[data-rule]").first.is_visible()
    saved.locator('.step[data-step="2"]').click()
    weights = list_weights(saved)
    bar = get_box(saved.locator(".console .bar").nth(1))
    saved.mouse.click(bar["x"] + 5, bar["y"] + 30)
    assert list_weights(saved) == weights  # read-only


def test_a_slow_experiment_can_be_left(server: str, visit: Visit) -> None:
    page = open_laboratory(server, visit, f"?experiment=saliency&sentence={LONG}", ".saliency td[data-s]")
    page.locator(".st-key-method").get_by_text("integrated gradients").click()
    expect(page.locator(".st-key-status .waiting")).to_contain_text("%")
    outdated = page.locator("[data-stale=true]:has(.saliency)").last
    expect(outdated).to_have_css("pointer-events", "none")
    assert float(outdated.evaluate("node => getComputedStyle(node).opacity")) < 0.5
    choose_experiment(page, "edit attention")
    page.wait_for_selector(READY, timeout=5_000)
    expect(page.locator(".saliency")).to_have_count(0, timeout=5_000)


def test_the_need_for_attention_is_measured_over_the_reader_s_own_text(server: str, visit: Visit) -> None:
    page = visit(f"{server}/your_text", "textarea")
    page.locator("textarea").last.fill("The grey cat sleeps.\n\nWe saw the sea.\nWhere is my letter?\n")
    page.locator("textarea").last.press("Control+Enter")
    page.get_by_role("button", name="Translate all").click()
    expect(page.locator(".sentence-bars .row")).to_have_count(3)
    page.get_by_role("link", name="Laboratory").click()
    page.wait_for_selector(READY)
    page.get_by_text("attention ablation").click()
    page.locator(".st-key-ablation-own button").click()
    expect(page.locator(".st-key-ablation-own-csv button").first).to_be_visible()
    table = page.locator(".ablation").nth(1)
    expect(table).to_contain_text("Over 3 sentences of your own text")
    expect(table.locator("tbody tr")).to_have_count(8)
    expect(page.locator(".ablation").first.locator(".own")).to_be_visible()
