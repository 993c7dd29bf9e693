"""A lecture by clicker: every section of every page is once wholly in the window, in large letters."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from model.paths import ASSETS
from pages.ui.frame.walk import PARTS, list_all_stops
from tests.browser.running import NO_DOUBLE_PRESS, is_presenting, list_addresses, settle, settle_presentation

Visit = Callable[..., Page]

SCRIPT = (Path(__file__).parent / "presenting.js").read_text(encoding="utf-8")
MAX_PRESSES = 400
MIN_FONT_SIZE = 16  # pixels, in a window 720 high


def get_place(page: Page) -> tuple[str, str]:
    """Return the path of the page and the open part of it."""
    address = urlsplit(page.url)
    query = parse_qs(address.query)
    parts = [query.get(param.name, [""])[0] for name, param in PARTS.items() if address.path == f"/{name}"]
    return address.path, "".join(parts)


def wait_for_stop(page: Page, number: int, walk: str = "stop") -> None:
    """Wait until this stop, from 0, is on the screen. `walk`: "stop", or "lecture_stop" in a lecture."""
    deadline = time.monotonic() + 120  # the frame may be mounted anew meanwhile
    while (stop := page.locator(".frame").evaluate(f"frame => frame.data.walk.{walk}")) != number:
        assert time.monotonic() < deadline, f"stop {stop} instead of {number}: {page.url}"
        page.wait_for_timeout(100)
    settle_presentation(page)


def inspect(page: Page) -> dict[str, Any]:
    """Return the page's contents, what was never wholly in the window, and what is too small."""
    result: dict[str, Any] = page.evaluate("size => watch.inspect(size)", MIN_FONT_SIZE)
    return result


def present_page(page: Page, is_last: bool) -> list[str]:
    """Press PageDown until another page comes, or nothing changes on the last one; return what was never whole, or too
    small."""
    place = get_place(page)
    page.evaluate("watch.reset()")
    too_small: set[str] = set()
    before = inspect(page)
    for _ in range(MAX_PRESSES):
        too_small |= set(before["small"])
        page.keyboard.press("PageDown")
        page.wait_for_timeout(NO_DOUBLE_PRESS)
        now = inspect(page)
        if now["contents"] == before["contents"]:  # the end, or a page that is on its way
            settle_presentation(page)
            now = inspect(page)
        deadline = time.monotonic() + 60  # a busy browser may answer later
        while not is_last and get_place(page) == place and now["contents"] == before["contents"]:
            assert time.monotonic() < deadline, f"{place}: a press changes nothing"
            page.wait_for_timeout(100)
            now = inspect(page)
        if get_place(page) != place:
            return [*before["missed"], *too_small]
        if now["contents"] == before["contents"]:
            return [*now["missed"], *too_small]
        before = now
    raise AssertionError(f"{place} has no end")


def test_a_lecture_by_clicker_shows_every_section_whole(server: str, visit: Visit) -> None:
    page = visit("about:blank", "body", viewport={"width": 1280, "height": 720})
    page.add_init_script(SCRIPT)
    page.goto(f"{server}/{list_addresses()[0]}?present=1")
    problems = {}
    count = len(list_all_stops())
    for number in range(count):
        wait_for_stop(page, number)
        place = get_place(page)
        problems[place] = present_page(page, is_last=number == count - 1)
    assert problems == {place: [] for place in problems}
    assert len(problems) == count
    assert is_presenting(page)


@pytest.mark.verdict
def test_the_lecture_of_45_minutes_goes_from_stop_to_stop_by_clicker_and_leads_back(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare?search=beam&lang=en", ".compare", viewport={"width": 1280, "height": 720})
    settle(page)
    page.evaluate("document.querySelector('.stMain').scrollTop = 60")
    start = page.url
    page.get_by_role("button", name="Present", exact=True).evaluate("button => button.click()")
    page.get_by_role("button", name="Lecture 45 minutes").evaluate("button => button.click()")
    stops = json.loads((ASSETS / "lectures" / "en.json").read_text("utf-8"))["stops"]
    for number, stop in enumerate(stops):
        wait_for_stop(page, number, "lecture_stop")
        assert get_place(page)[0].strip("/") == ("" if stop["page"] == "translate" else stop["page"])
        assert page.locator(".frame .bar").evaluate("node => getComputedStyle(node).opacity") == "0"  # nobody points
        expect(page.get_by_role("alert"), stop["title"]).to_have_count(0)
        if number == 0:
            expect(page.locator(".frame .hint")).to_contain_text("Hold PageDown")
        for _ in range(stop.get("presses", 5)):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(NO_DOUBLE_PRESS)
        if stop["page"] in ("story", "step_by_step"):  # all steps are done
            expect(page.locator(".count")).to_have_text(re.compile(r"^step (\d+) of \1$"))
        if number < len(stops) - 1:
            page.keyboard.press("PageDown")
    page.keyboard.press("Escape")
    page.wait_for_url(start)
    page.wait_for_function("() => document.querySelector('.stMain').scrollTop === 60")


def test_two_views_are_added_reordered_by_keyboard_and_presented_with_the_speaker_s_window(
    server: str, visit: Visit
) -> None:
    page = visit(f"{server}/?sentence=I+am+a+student.&lang=en")
    page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_role("button", name="Your lecture").click()
    page.get_by_role("button", name="Close", exact=True).click()
    add = page.locator(".frame > .add")
    add.click()
    expect(add).to_contain_text("(1)")
    page.get_by_role("link", name="Step by step").click()
    page.wait_for_selector(".player .formula")
    settle(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("step=2"))
    add.click()
    expect(add).to_contain_text("(2)")
    page.reload()
    expect(add).to_contain_text("(2)")  # kept by the browser
    page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_role("button", name="Your lecture").click()
    page.get_by_role("textbox", name="Note for stop 2").fill("Say this first.")
    minutes = page.get_by_role("spinbutton", name="minutes").last
    minutes.press_sequentially("601")
    minutes.press("Tab")
    expect(minutes).to_have_value("600")
    expect(page.locator(".lecture .lead")).to_contain_text("600 minutes")
    page.get_by_role("button", name="Remove stop 2").click()
    undo = page.get_by_role("button", name="Undo")
    undo.press("Enter")
    expect(undo).to_be_focused()
    page.get_by_role("button", name="Move stop 2 of 2").press("ArrowUp")
    expect(page.locator(".lecture .status")).to_have_text("Now stop 1 of 2.")
    expect(page.get_by_role("textbox", name="Title of stop 1")).to_have_value("Step by step: I am a student.")
    page.get_by_role("button", name="Link", exact=True).click()
    link = page.locator(".lecture .status .address").input_value()
    other = visit(link, ".lecture li .name", locale="ko-KR")  # another local storage
    expect(other.locator(".lecture li .name")).to_have_count(2)
    expect(other.locator(".lecture li .name").first).to_have_value("Step by step: I am a student.")
    expect(other).not_to_have_url(re.compile("lecture="))
    page.locator(".lecture .main").click()
    wait_for_stop(page, 0, "lecture_stop")
    expect(page.locator(".player .count")).to_have_text(re.compile("^step 2 of"))
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    speaker = opened.value
    expect(speaker.locator(".note")).to_have_text("Say this first.")
    expect(speaker.locator(".next")).to_have_text("Next: Translate: I am a student.")
    speaker.keyboard.press("b")
    expect(page.locator(".frame .black")).to_be_visible()
    expect(speaker.get_by_role("button", name="Blank screen")).to_have_attribute("aria-pressed", "true")
    speaker.keyboard.press("b")
    expect(page.locator(".frame .black")).to_be_hidden()
    page.keyboard.press("q")
    expect(page.locator("dialog.code")).to_be_visible()
    speaker.get_by_role("button", name="Next", exact=True).click()  # closes the dialog, and nothing moves behind it
    expect(page.locator("dialog.code")).to_be_hidden()
    expect(page.locator(".player .count")).to_have_text(re.compile("^step 2 of"))
    speaker.get_by_role("combobox").press("PageDown")  # does not move the list
    expect(page.locator(".player .count")).to_have_text(re.compile("^step 3 of"))
    page.wait_for_url(re.compile("step=3"))
    page.reload()  # goes on at this stop
    settle_presentation(page)
    expect(page.locator(".player .count")).to_have_text(re.compile("^step 3 of"))
    speaker.get_by_role("combobox").select_option("1")
    wait_for_stop(page, 1, "lecture_stop")
    expect(speaker.locator("h1")).to_have_text("Translate: I am a student.")
    page.keyboard.press("PageUp")
    wait_for_stop(page, 0, "lecture_stop")
    expect(page.locator(".player .count")).to_have_text(re.compile("^step 2 of"))
    expect(speaker.locator(".count")).to_have_text("Stop 1 of 2")
    page.keyboard.press("Escape")
    expect(speaker.locator("#missing")).to_be_visible()
    page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_role("button", name="Your lecture").click()
    page.locator(".lecture .main").click()
    wait_for_stop(page, 0, "lecture_stop")
    page.keyboard.press("n")  # the same window, for another lecture
    expect(speaker.locator(".note")).to_have_text("Say this first.")
    speaker.close()


def test_a_held_or_double_press_skips_the_remaining_steps(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?present=1&step=2&lang=en", ".player .formula")
    settle_presentation(page)
    count = page.locator(".player .count")
    last = int(count.inner_text().split()[-1])
    assert last > 5  # so that no single press reaches the end
    session, start = page.context.new_cdp_session(page), time.time()

    def press(seconds: float, *kinds: str, is_repeat: bool = False) -> None:
        """Press PageDown this long after the start, as the browser sees it."""
        for kind in kinds or ("keyDown", "keyUp"):
            session.send("Input.dispatchKeyEvent", {
                "type": kind, "key": "PageDown", "code": "PageDown", "windowsVirtualKeyCode": 34,
                "timestamp": start + seconds, "autoRepeat": is_repeat,
            })  # fmt: skip

    press(1)
    expect(count).to_have_text(f"step 3 of {last}")
    press(2, "keyDown")
    expect(count).to_have_text(f"step 4 of {last}")
    press(2.5, "keyDown", is_repeat=True)  # the keyboard repeats a key that is held
    press(2.6, "keyUp")
    expect(count).to_have_text(f"step {last} of {last}")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    press(4)
    expect(count).to_have_text(f"step 2 of {last}")
    press(4.3)  # too late for a double press
    expect(count).to_have_text(f"step 3 of {last}")
    press(4.5)
    expect(count).to_have_text(f"step {last} of {last}")
    assert get_place(page)[0] == "/step_by_step"
