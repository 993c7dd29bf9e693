"""Components mounted without the app: what they keep when new data arrives, and the events that they send."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from model.decoding import OverrideRule
from model.text.vocabulary import Vocabulary
from pages.ui.heatmap import heads
from pages.ui.laboratory import ablation, forced_decoding, vector
from pages.ui.laboratory.payload_types import BeamContinuation
from pages.ui.story import payload as scenes
from tests.browser.mounted import Mounted
from tests.browser.payloads import (
    SAY,
    build_bars,
    build_beam,
    build_console,
    build_family,
    build_growing_comparison,
    build_heatmap,
    build_onset,
)
from tests.browser.running import get_box
from tests.pages.concepts import test_gradients as gradients
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.laboratory.test_ablation import build_ablation
from tests.pages.laboratory.test_vector import make_plane, make_prefix_translations
from tests.pages.step_by_step.test_payload import build_payload
from tests.traces import make_trace

Mount = Callable[..., Mounted]
UNIFORM = OverrideRule("attention", "uniform", 1, 1)


def get_middle(node: Locator) -> tuple[float, float]:
    node.scroll_into_view_if_needed()
    box = get_box(node)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --- sentence bars


def test_an_open_sentence_stays_open_while_the_file_grows(mount: Mount) -> None:
    component = mount("sentence_bars", packed=True)
    page = component.page
    component.render(build_bars([1, 2, 5, 6]))
    row, details = page.locator('.row[data-line="5"]'), page.locator(".details")
    row.click()
    for lines in ([1, 2, 3, 5, 6, 7], [*range(1, 80)]):
        component.render(build_bars(lines))
        expect(row).to_have_attribute("aria-expanded", "true")
        expect(row).to_be_focused()
        expect(details).to_have_count(1)
        expect(page.locator(".open")).to_contain_text("5sentence 55phrase 5")
    details.get_by_role("link", name="Translate").click()
    (event,) = component.list_events()
    assert event == ("trigger", "open", {"page": "translate", "line": 5, "model": "rnnsearch-50", "other_model": None})


# --- beam and heatmap


def test_the_first_announcement_comes_after_its_live_region(mount: Mount) -> None:
    component = mount("heatmap")
    component.page.evaluate("""() => new MutationObserver((changes) => {
      window.newTexts = changes.flatMap(({ addedNodes }) => [...addedNodes])
        .filter((node) => node.matches?.(".announced")).map((node) => node.textContent)
    }).observe(document.querySelector("div").shadowRoot.querySelector("div"), { childList: true })""")
    component.render(build_heatmap())
    expect(component.page.locator(".announced")).not_to_have_text("")
    assert component.page.evaluate("window.newTexts") == [""]


def test_a_delayed_event_names_the_data_that_was_clicked(mount: Mount, tiny_vocabulary: Vocabulary) -> None:
    component = mount("beam")
    component.render(build_beam(tiny_vocabulary))
    component.page.locator('.canvas [data-node="1"]').click()
    component.render(build_beam(tiny_vocabulary, "other"))
    assert component.pop_event() == ("trigger", "node", {"search_id": "one", "node": 1})
    component = mount("heatmap")
    component.render(build_heatmap())
    component.page.locator('[data-rank="1"]').click()
    component.render(build_heatmap("other"))
    assert component.pop_event() == ("trigger", "chosen", {"id": "one", "rank": 1})


def test_keys_walk_the_alpha_of_a_hypothesis_and_escape_clears_the_filter(
    mount: Mount, tiny_vocabulary: Vocabulary
) -> None:
    component = mount("beam")
    page = component.page
    component.render(build_beam(tiny_vocabulary))
    page.locator('.maps td[data-t="0"][data-s="0"]').focus()
    for key, t, s in (("ArrowDown", 1, 0), ("ArrowRight", 1, 1), ("Home", 1, 0), ("ArrowUp", 0, 0)):
        page.keyboard.press(key)
        expect(page.locator(f'.maps td[data-t="{t}"][data-s="{s}"]')).to_be_focused()
    page.evaluate("addEventListener('keydown', (event) => { window.isHandled = event.defaultPrevented })")
    search = page.locator(".filter")
    search.press_sequentially("a")
    page.evaluate("window.isHandled = null")
    page.keyboard.press("Escape")
    expect(search).to_have_value("")
    assert page.evaluate("window.isHandled") is not False
    page.keyboard.press("Escape")
    assert page.evaluate("window.isHandled") is False
    page.evaluate("document.documentElement.setAttribute('data-presenting', '')")
    page.locator('.canvas [tabindex="0"]').press("b")  # blackens the screen
    expect(search).to_have_value("")


def test_the_heatmap_keeps_focus_on_a_new_translation_and_the_highlight_on_a_new_scale(mount: Mount) -> None:
    component = mount("heatmap")
    page = component.page
    component.render(build_heatmap())
    page.locator("tbody th").nth(1).click()
    text = page.locator(".readout").inner_text()
    component.render({**build_heatmap(), "scale": "grey"})
    expect(page.locator(".pinned")).to_have_count(1)
    expect(page.locator(".readout")).to_have_text(text)
    cell = page.locator('tbody td[data-target="1"][data-source="1"]')
    page.locator("tbody th").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(cell).to_be_focused()
    component.render(build_heatmap("other"))
    expect(page.locator(".pinned")).to_have_count(0)
    expect(cell).to_be_focused()
    expect(cell).to_have_attribute("tabindex", "0")
    expect(page.locator('table [tabindex="0"]')).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".pinned")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".pinned")).to_have_count(0)


def test_the_heatmap_marks_unknown_words(mount: Mount) -> None:
    component = mount("heatmap")
    data = build_heatmap()
    data["source"]["unknown_words"], data["n_best"][0]["unknown_words"] = [1], [2]
    component.render(data)
    for words in (".attended .word.target", ".lane.source .word"):
        expect(component.page.locator(f"{words}.unknown")).to_have_count(1)


# --- the attention console


def test_a_rule_of_the_ablation_table_is_opened(mount: Mount) -> None:
    component = mount("ablation")
    component.render(ablation.build_ablation_payload(build_ablation(), SAY))
    rule = component.page.locator("[data-override]").nth(6)
    rule.click()
    assert component.pop_event() == ("trigger", "open", rule.get_attribute("data-override"))


def test_the_console_keeps_focus_and_scrolling_after_every_answer(mount: Mount) -> None:
    component = mount("console")
    page = component.page
    page.set_viewport_size({"width": 390, "height": 844})
    component.render(build_console())
    scroll = page.locator(".main .scroll")
    left = scroll.evaluate("node => { node.scrollLeft = 120; return node.scrollLeft }")
    assert left > 0
    rule = page.locator("[data-rule=uniform]")
    rule.press("Enter")
    assert component.pop_event()[2]["add"] == "attention@1:uniform"
    component.render(build_console(UNIFORM))
    expect(rule).to_be_focused()
    expect(rule).to_have_attribute("aria-pressed", "true")
    assert scroll.evaluate("node => node.scrollLeft") == left
    page.locator("[data-remove]").press("Enter")
    component.render(build_console())
    expect(page.locator(".rule").first).to_be_focused()  # the focused button is gone
    page.locator(".step").first.focus()
    page.keyboard.press("ArrowDown")
    component.render(build_console(UNIFORM))
    expect(page.locator('.step[data-step="1"]')).to_be_focused()


def test_changes_of_a_row_are_sent_one_after_the_other(mount: Mount) -> None:
    component = mount("console")
    page = component.page
    component.render(build_console())
    bar, weight = page.locator(".bar").nth(1), page.locator(".weight")
    page.mouse.move(*get_middle(bar))
    page.mouse.down()
    page.mouse.up()
    first = component.pop_event()[2]["add"]
    page.keyboard.press("End")  # before the answer arrives
    component.render(build_console(UNIFORM))
    expect(bar).to_have_attribute("aria-valuenow", "1.00")
    second = component.pop_event()[2]["add"]
    assert second != first
    assert second.split("=")[1].split(",")[1] == "1"
    bar.press("Home")
    page.locator(".step").nth(2).dispatch_event("click")  # sends a pending change of the row before
    assert component.pop_event()[2]["add"].startswith("attention@1=")
    weight.fill("1.5")
    weight.press("Enter")
    expect(weight).to_have_value("1")
    component.render({**build_console(), "is_export": True})
    expect(bar).to_have_attribute("aria-readonly", "true")


# --- focus and choices in other components


def test_focus_is_kept_when_the_focused_element_is_drawn_anew(
    mount: Mount, tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = mount("forced_decoding")
    rows = [forced_decoding.build_row(make_trace(), make_trace(), name, SAY) for name in ("its own", "mine")]
    component.render(forced_decoding.build_forced_payload([make_trace()], rows[:1], False, SAY))
    chosen = component.page.locator('.word[data-row="0"][data-word="2"]')
    chosen.press("Enter")
    component.page.locator("[data-take]").first.press("Enter")
    component.render(forced_decoding.build_forced_payload([make_trace()], rows, True, SAY))
    expect(chosen).to_be_focused()

    component = mount("beam")
    data = build_beam(tiny_vocabulary)
    component.render(data)
    component.page.locator(".canvas .node").first.click()
    piece: BeamContinuation = {
        "id": 7, "text": "x", "continues_word": False, "is_in_tree": False, "p": 1.0, "is_selectable": True
    }  # fmt: skip
    component.render({**data, "selected": 0, "continuations": [piece]})
    component.page.locator("[data-take]").press("Enter")
    component.render({**data, "search_id": "other", "forced_count": 1})
    expect(component.page.locator('.canvas [tabindex="0"]')).to_be_focused()
    component.page.locator("[data-do=free]").press("Enter")
    component.render(data)
    expect(component.page.locator('.canvas [tabindex="0"]')).to_be_focused()

    component = mount("heads")
    page = component.page
    several = heads.build_heads_payload(make_trace(), SAY)
    component.render({**several, "selected": ""})
    page.evaluate("addEventListener('keydown', (event) => { window.isHandled = event.defaultPrevented })")
    for is_open in (True, False):  # Escape closes a map; presenting would end only by another
        if is_open:
            page.locator("[data-key]").first.click()
        page.keyboard.press("Escape")
        expect(page.locator(".large")).to_be_hidden()
        assert page.evaluate("window.isHandled") == is_open
    page.locator("[data-key]").first.click()
    page.locator("[data-take]").press("Enter")
    assert component.pop_event() == ("trigger", "chosen", several["groups"][0]["maps"][0]["key"])
    component.render(several)
    expect(page.locator("[data-close]")).to_be_focused()

    component = mount("vector")
    plane = make_plane(monkeypatch)
    component.render(vector.build_vector_payload(make_prefix_translations(), plane, SAY))
    nearest = component.page.locator(".near [data-go]")
    nearest.last.press("Enter")
    expect(nearest.first).to_be_focused()
    other = vector.build_vector_payload(make_prefix_translations(), plane, SAY)
    component.render({**other, "description": "of another sentence"})
    component.page.wait_for_timeout(600)
    assert component.list_events() == []  # the choice was of the sentence before


def test_a_word_chosen_for_gradients_stays_chosen_and_focus_and_details_stay(mount: Mount) -> None:
    component = mount("gradients")
    page = component.page
    component.render(gradients.build_payload())
    details, plot = page.locator("details"), page.locator(".plot")
    details.locator("summary").click()
    plot.press("ArrowRight")
    component.render({**gradients.build_payload(), "descriptions": ["more"]})
    expect(plot).to_be_focused()
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(details).to_have_attribute("open", "")
    word = page.locator('.word[data-m="0"][data-k="2"]')
    word.click()
    component.render({**gradients.build_payload(), "descriptions": ["more and more"]})  # sent before the click arrived
    expect(word).to_have_attribute("aria-pressed", "true")
    component.render({**gradients.build_payload(2), "descriptions": ["more"]})
    expect(word).to_have_attribute("aria-pressed", "true")
    component.render({**gradients.build_payload(0), "descriptions": ["of another sentence"]})
    expect(word).to_have_attribute("aria-pressed", "false")


def test_a_word_of_the_family_keeps_focus_and_highlight_when_another_model_answers(mount: Mount) -> None:
    component = mount("family")
    page = component.page
    component.render(build_family(ATTENDED))
    word = page.locator('.source .word[data-source="1"]')
    page.locator(".source .word").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    text = page.locator(".readout").inner_text()
    component.render(build_family(ATTENDED, PLAIN))
    expect(word).to_be_focused()
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(word).to_have_attribute("tabindex", "0")
    expect(page.locator('.source [tabindex="0"]')).to_have_count(1)
    expect(page.locator(".readout")).to_have_text(text)


def test_a_comparison_keeps_its_terms_in_the_tab_order_and_its_pinned_word_when_resized(mount: Mount) -> None:
    component = mount("compare")
    page = component.page
    component.render(build_growing_comparison())
    page.locator(".pair [data-target]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".pair .term").count() > 0
    expect(page.locator('.pair .term:not([tabindex="0"])')).to_have_count(0)
    word = page.locator(".pair [data-target]").nth(1)
    word.press("Enter")
    page.set_viewport_size({"width": 1000, "height": 900})
    page.wait_for_timeout(200)
    expect(word).to_have_attribute("aria-pressed", "true")


def test_the_slider_over_the_hours_stays_when_another_model_answers(mount: Mount) -> None:
    component = mount("family")
    equal = {"title": "base", "points": [[0.0, 1.0, 2.0], [1.0, 3.0, 4.0]], "set": "test", "choice": "equal", "run": ""}
    for names in ((ATTENDED,), (ATTENDED, PLAIN)):
        data = {**build_family(*names), "shows_equal_hours": True}
        data["members"][0]["training"]["equal_hours"] = equal
        component.render(data)
        if len(names) == 1:
            component.page.get_by_role("slider").press("Home")
        expect(component.page.locator(".key b")).to_have_text(["1.0", "2.0"])


# --- moments, steps and scenes


def test_the_onset_of_alignment_sends_only_the_reader_s_moves(mount: Mount) -> None:
    component = mount("alignment_onset")
    page = component.page
    component.render(build_onset())
    page.wait_for_timeout(900)
    assert component.list_events() == []
    track, count, play = (page.locator(f".{name}") for name in ("track", "count", "play"))
    track.focus()
    page.mouse.move(*get_middle(page.locator(".cell").first))
    expect(page.locator(".readout")).to_contain_text("0.80")
    page.keyboard.press("Home")
    expect(page.locator(".readout")).to_contain_text("0.20")  # of the new moment
    assert component.pop_event() == ("trigger", "position", {"probe": 1, "moment": 1})
    track.press("End")
    assert component.pop_event() == ("trigger", "position", {"probe": 1, "moment": 0})
    expect(count).to_have_attribute("aria-live", "polite")
    click = "node => { node.click(); return node.getRootNode().querySelector('.count').getAttribute('aria-live') }"
    assert play.evaluate(click) == "off"  # a screen reader does not read every moment
    expect(play).to_have_text(SAY("alignment_onset.play"))
    expect(count).to_have_attribute("aria-live", "polite")


def test_the_player_explains_the_current_step_and_hides_a_guess(mount: Mount) -> None:
    component = mount("step_by_step")
    page = component.page
    component.render(build_payload())
    piece, explanation = page.locator(".view .text").nth(1), page.locator(".explain")
    page.mouse.move(*get_middle(piece))
    expect(explanation).to_contain_text("0.100")
    for weight in ("0.200", "0.600"):
        page.keyboard.press("ArrowRight")
        expect(explanation).to_contain_text(weight)
    expect(page.locator(".number.pointed span").first).to_have_text(piece.inner_text())
    page.keyboard.press("Home")
    page.keyboard.press("g")  # only with the focus in the player
    expect(page.locator(".guess")).to_have_attribute("aria-pressed", "false")
    page.locator(".player").focus()
    page.keyboard.press("g")
    page.keyboard.press("ArrowRight")  # from the encoder to the first step
    word = page.get_by_role("button", name="the")
    expect(word).to_have_accessible_name("the")  # without its weight
    assert page.get_by_role("listitem").count() == 0
    word.press("Enter")
    expect(page.locator(".group").first).to_contain_text("0.70")
    assert page.get_by_role("listitem").count() > 0


def test_the_story_keeps_focus_and_guess_when_the_window_is_resized(mount: Mount) -> None:
    component = mount("story")
    page = component.page
    page.evaluate("document.documentElement.setAttribute('data-presenting', '')")
    component.render(scenes.build_story_payload(3, SAY))
    count, verdict = page.locator(".count"), page.locator(".verdict")
    for _ in range(100):
        if not page.locator(".line.now").count():
            break
        page.keyboard.press("ArrowRight")
    page.wait_for_function("!document.querySelector('div').shadowRoot.querySelector('.line.coming')")
    page.set_viewport_size({"width": 1100, "height": 700})
    page.wait_for_timeout(200)  # the map is fitted, and does not play again
    assert page.locator(".line.coming").count() == 0
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.evaluate("window.verdict = document.querySelector('div').shadowRoot.querySelector('.verdict')")
    page.locator("[data-guess]").first.press("Enter")
    assert page.evaluate("window.verdict.isConnected")  # a live region must stay in the document
    expect(page.locator(".next")).to_be_focused()
    position, text = count.inner_text(), verdict.inner_text()
    assert text
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_timeout(200)
    assert (count.inner_text(), verdict.inner_text()) == (position, text)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(verdict).not_to_have_text(text)  # a new guess


# --- the frame and exports


def test_the_address_is_copied_without_the_clipboard_api(mount: Mount) -> None:
    """Without https a page has no clipboard: the address is copied through a selection."""
    component = mount("exports")
    page = component.page
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    component.render({"messages": SAY.get_table("exports"), "language": "en"})
    link, status = page.locator(".link"), page.locator("[role=status]")
    title = link.get_attribute("title") or ""
    link.press("Enter")
    expect(status).to_have_text(SAY("exports.copied"))
    expect(link).to_be_focused()
    expect(status).to_have_text("")  # so that it is announced again the next time
    expect(link).to_have_attribute("title", title)


FRAME = {"is_presenting": False, "walk": {"stop": 0, "count": 1, "lecture_stop": -1}, "is_live": False,
         "has_unsaved_work": False, "position_params": [], "longest_address": 10, "pages": {"translate": "Translate"},
         "view_title": "Translate", "lecture_limit": 0, "messages": SAY.get_table("frame"),
         "lecture_messages": SAY.get_table("lecture"), "language": "en"}  # fmt: skip


def test_a_double_press_adds_one_view_and_is_announced_by_a_region_that_stays(mount: Mount) -> None:
    component = mount("frame")
    page = component.page
    component.render(FRAME)
    server = "<div class=stApp data-test-script-state=notRunning>"  # has nothing to do
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", server)
    page.locator(".present").click()
    page.locator(".choice button", has_text=SAY("frame.present_lecture")).first.click()
    expect(page.locator(".hint")).to_have_text(SAY("lecture.problem_fetch"))  # there is no server
    page.locator(".present").click()
    page.locator(".choice button", has_text=SAY("frame.present_own")).click()
    status = page.locator(".lecture .status").element_handle()
    page.locator(".lecture .add").dblclick()
    expect(page.locator(".lecture .status")).to_have_text(SAY("lecture.added", title="Translate"))
    expect(page.locator(".lecture li")).to_have_count(1)
    assert status is not None
    assert status.evaluate("node => node.isConnected")


def test_a_too_long_address_gets_a_sentence_instead_of_a_qr_code(mount: Mount) -> None:
    component = mount("frame")
    component.render(FRAME)
    expect(component.page.locator(".bar [aria-label]")).to_have_count(2)
    component.page.locator(".present").click()
    # Safari focuses no button that is clicked: the focus goes to the frame as from the menu's edge.
    menu = component.page.locator(".choice")
    menu.click(position={"x": get_box(menu)["width"] - 3, "y": 3})
    component.page.locator(".choice button", has_text="QR code").click()
    text = SAY("frame.code_long", count=len("about:blank"), limit=10)
    expect(component.page.locator("dialog.code [role=alert]")).to_have_text(text)
    component.page.keyboard.press("q")
    expect(component.page.locator("dialog.code")).to_be_hidden()


def test_the_reading_of_a_korean_word_goes_with_escape_the_focus_and_its_word(mount: Mount) -> None:
    component = mount("glossary")
    page = component.page
    component.render({"entries": [], "language": "en"})
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button>강아지</button><input>')")
    page.evaluate("addEventListener('keydown', (event) => { window.isHandled = event.defaultPrevented })")
    word, reading = page.get_by_role("button"), page.locator(".reading")
    word.focus()
    expect(reading).to_have_text("gangaji")
    page.keyboard.press("Escape")
    expect(reading).to_be_hidden()
    assert page.evaluate("window.isHandled") is None  # it does nothing else
    page.keyboard.press("Tab")
    word.focus()
    expect(reading).to_be_visible()
    page.keyboard.press("Tab")
    expect(reading).to_be_hidden()
    word.focus()
    expect(reading).to_be_visible()
    word.evaluate("node => node.remove()")
    expect(reading).to_be_hidden()
