"""Components alone in a real Chromium: what is pointed at, typed, dragged or read while something else happens."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from model.decoding import OverrideRule, Settings
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.compare import payload as comparison
from pages.ui.heatmap import heads
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import console, vector
from pages.ui.models import columns
from pages.ui.models.family_results import FamilyResults
from pages.ui.results.payload_types import BirthData
from pages.ui.story import payload as scenes
from pages.ui.your_text.payload_types import SentenceBarsData
from tests.browser.mounted import Mounted
from tests.browser.test_components import bars, best, born, changed, tree
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.laboratory.test_vector import make_plane, make_prefix_translations
from tests.pages.models import test_gradients as gradients
from tests.pages.step_by_step.test_payload import build_payload
from tests.pages.traces import ENGLISH, LOST, make_trace

SAY = load_messages("en")
Mount = Callable[..., Mounted]


def middle(node: Locator) -> tuple[float, float]:
    """Where on the screen the middle of a node is."""
    node.scroll_into_view_if_needed()
    box = node.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_what_is_said_of_a_piece_is_of_the_step_that_is_shown(mount: Mount) -> None:
    """The pointer rests on it while the keys, or playing, go on."""
    component = mount("step_by_step")
    page = component.page
    component.give(build_payload())
    piece = page.locator(".view .text").nth(1)
    page.mouse.move(*middle(piece))
    said = page.locator(".explain")
    expect(said).to_contain_text("0.100")
    for weight in ("0.200", "0.600"):
        page.keyboard.press("ArrowRight")
        expect(said).to_contain_text(weight)
    row = page.locator(".number.pointed span").first
    expect(row).to_have_text(piece.inner_text())


def test_a_guess_is_told_to_nobody_before_it_is_made(mount: Mount) -> None:
    """Weights and candidates that are not seen yet are not read aloud either."""
    component = mount("step_by_step")
    page = component.page
    component.give(build_payload())
    page.keyboard.press("g")  # a letter alone is no command to the whole page
    expect(page.locator(".guess")).to_have_attribute("aria-pressed", "false")
    page.locator(".player").focus()
    page.keyboard.press("g")
    word = page.get_by_role("button", name="the")
    expect(word).to_have_accessible_name("the")
    assert page.get_by_role("listitem").count() == 0
    word.press("Enter")
    expect(page.locator(".group").first).to_contain_text("0.70")
    assert page.get_by_role("listitem").count() > 0


def at_work() -> BirthData:
    """Two moments of a model that looks at the one word of a sentence, first little, then much."""
    data = born()
    alpha = [base64.b64encode(bytes([part, 255 - part])).decode() for part in (51, 204)]
    data["models"][0]["probes"][0]["alpha"] = alpha
    return data


def test_what_is_said_of_a_cell_is_of_the_moment_that_is_shown(mount: Mount) -> None:
    component = mount("alignment_onset")
    page = component.page
    component.give(at_work())
    page.locator(".track").focus()
    page.mouse.move(*middle(page.locator(".cell").first))
    said = page.locator(".readout")
    expect(said).to_contain_text("0.80")
    page.keyboard.press("Home")
    expect(said).to_contain_text("0.20")


def test_moments_that_play_are_not_read_aloud_one_by_one(mount: Mount) -> None:
    component = mount("alignment_onset")
    component.give(at_work())
    count, play = component.page.locator(".count"), component.page.locator(".play")
    expect(count).to_have_attribute("aria-live", "polite")
    play.click()
    expect(count).to_have_attribute("aria-live", "off")
    expect(play).to_have_text(SAY("birth.play"))  # it has come to the end
    expect(count).to_have_attribute("aria-live", "polite")


def test_copying_the_address_takes_no_keyboard_and_what_came_of_it_is_said_for_a_moment(mount: Mount) -> None:
    """Without https there is no clipboard, and the address is copied through a selection."""
    component = mount("exports")
    page = component.page
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    component.give({"words": SAY.get_table("exports"), "language": "en"})
    link = page.locator(".link")
    help_ = link.get_attribute("title") or ""
    link.press("Enter")
    expect(page.locator("[role=status]")).to_have_text(SAY("exports.copied"))
    expect(link).to_be_focused()
    expect(page.locator("[role=status]")).to_have_text("")  # so that it is said again when it is true again
    expect(link).to_have_attribute("title", help_)


def test_escape_closes_a_map_and_nothing_else(mount: Mount) -> None:
    """While presenting the frame would end it."""
    component = mount("heads")
    page = component.page
    component.give(heads.build_heads_payload(make_trace(), SAY))
    page.evaluate("addEventListener('keydown', (event) => { window.taken = event.defaultPrevented })")
    page.locator("[data-key]").first.click()
    page.keyboard.press("Escape")
    expect(page.locator(".large")).to_be_hidden()
    assert page.evaluate("window.taken")
    page.keyboard.press("Escape")
    assert not page.evaluate("window.taken")


def test_escape_empties_the_search_among_hypotheses_and_nothing_else(
    mount: Mount, tiny_vocabulary: Vocabulary
) -> None:
    component = mount("beam")
    page = component.page
    component.give(tree(tiny_vocabulary))
    page.evaluate("addEventListener('keydown', (event) => { window.taken = event.defaultPrevented })")
    search = page.locator(".filter")
    search.press_sequentially("a")
    page.evaluate("window.taken = null")
    page.keyboard.press("Escape")
    expect(search).to_have_value("")
    assert page.evaluate("window.taken") is not False
    page.keyboard.press("Escape")
    assert page.evaluate("window.taken") is False


def test_behind_a_black_screen_nothing_moves(mount: Mount) -> None:
    component = mount("frame")
    page = component.page
    component.give({"present": True, "live": False, "places": [], "words": SAY.get_table("frame")})
    page.evaluate(
        "window.heard = []; document.addEventListener('keydown', ({ key }) => window.heard.push(key), true)"
    )
    black = page.locator(".black")
    page.keyboard.press("b")
    expect(black).to_be_visible()
    for key in ("ArrowRight", " ", "Home", "g"):
        page.keyboard.press(key)
        expect(black).to_be_visible()
    page.keyboard.press("PageDown")
    expect(black).to_be_hidden()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.heard") == ["b", "ArrowRight"]


PRESS = """([key, code]) => document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, bubbles: true, composed: true }))"""


@pytest.mark.parametrize(("b", "g"), [("ㅠ", "ㅎ"), ("B", "G")], ids=["Korean", "Caps Lock"])
def test_letters_are_keys_however_they_are_written(mount: Mount, b: str, g: str) -> None:
    page = (frame := mount("frame")).page
    frame.give({"present": True, "live": False, "places": [], "words": SAY.get_table("frame")})
    for visible in (True, False):
        page.evaluate(PRESS, [b, "KeyB"])
        expect(page.locator(".black")).to_be_visible(visible=visible)
    page = (player := mount("step_by_step")).page
    player.give(build_payload())
    page.locator(".player").evaluate(f"(node, of) => ({PRESS.replace('document.body', 'node')})(of)", [g, "KeyG"])
    expect(page.locator(".guess")).to_have_attribute("aria-pressed", "true")


def family(*names: str) -> Mapping[str, Any]:
    """Two models, of which these have answered."""
    traces = {PLAIN: make_trace(target=LOST, order=None, model=PLAIN), ATTENDED: make_trace(model=ATTENDED)}
    asked = FamilyResults(normalise(ENGLISH), Settings(), "en", {name: traces[name] for name in names}, {}, {})
    return columns.build_columns_payload(asked, [PLAIN, ATTENDED], SAY)


def test_answers_of_the_family_take_neither_the_keyboard_nor_the_light(mount: Mount) -> None:
    component = mount("family")
    page = component.page
    component.give(family(ATTENDED))
    word = page.locator('.source .word[data-source="1"]')
    page.locator(".source .word").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said = page.locator(".readout").inner_text()
    component.give(family(ATTENDED, PLAIN))
    expect(word).to_be_focused()
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(word).to_have_attribute("tabindex", "0")
    expect(page.locator('.source [tabindex="0"]')).to_have_count(1)
    expect(page.locator(".readout")).to_have_text(said)


def test_a_translation_that_comes_takes_no_keyboard(mount: Mount) -> None:
    component = mount("heatmap")
    page = component.page
    component.give(best())
    cell = page.locator('tbody td[data-target="1"][data-source="1"]')
    page.locator("tbody th").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(cell).to_be_focused()
    component.give(best("other"))
    expect(cell).to_be_focused()
    expect(cell).to_have_attribute("tabindex", "0")
    expect(page.locator('table [tabindex="0"]')).to_have_count(1)


def test_another_scale_puts_no_light_out(mount: Mount) -> None:
    component = mount("heatmap")
    page = component.page
    component.give(best())
    page.locator("tbody th").nth(1).click()
    said = page.locator(".readout").inner_text()
    component.give({**best(), "scale": "grey"})
    expect(page.locator(".pinned")).to_have_count(1)
    expect(page.locator(".readout")).to_have_text(said)
    component.give({**best("other"), "scale": "grey"})
    expect(page.locator(".pinned")).to_have_count(0)


def test_a_word_that_was_chosen_stays_chosen_whatever_was_on_its_way(mount: Mount) -> None:
    component = mount("gradients")
    page = component.page
    component.give(gradients.build_payload())
    word = page.locator('.word[data-m="0"][data-k="2"]')
    word.click()
    component.give({**gradients.build_payload(), "told": ["more"]})  # sent before the page had heard of the click
    expect(word).to_have_attribute("aria-pressed", "true")
    component.give({**gradients.build_payload(2), "told": ["more"]})
    expect(word).to_have_attribute("aria-pressed", "true")
    component.give({**gradients.build_payload(0), "told": ["of another sentence"]})
    expect(word).to_have_attribute("aria-pressed", "false")


def test_a_row_is_changed_on_while_the_change_before_is_answered(mount: Mount) -> None:
    component = mount("console")
    page = component.page
    component.give(changed())
    bar = page.locator(".bar").nth(1)
    x, y = middle(bar)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()
    first = component.next_told()[2]["more"]
    page.keyboard.press("End")
    component.give(changed(OverrideRule("attention", "uniform", 1, 1)))  # as well an answer as any other
    expect(bar).to_have_attribute("aria-valuenow", "1.00")
    second = component.next_told()[2]["more"]
    assert second != first
    assert second.split("=")[1].split(",")[1] == "1"


def test_a_row_changed_by_keys_is_told_when_another_is_looked_at(mount: Mount) -> None:
    component = mount("console")
    component.give(changed())
    component.page.locator(".bar").nth(1).press("End")
    component.page.locator(".step").nth(2).dispatch_event("click")  # before the keys have rested
    written = component.next_told()[2]["more"]
    assert written.startswith("attention@1=")
    assert written.split("=")[1].split(",")[1] == "1"


def test_a_weight_beyond_its_limits_is_written_as_what_it_became(mount: Mount) -> None:
    component = mount("console")
    component.give(changed())
    weight = component.page.locator(".weight")
    weight.fill("1.5")
    weight.press("Enter")
    expect(weight).to_have_value("1")


def test_a_row_in_a_file_of_its_own_is_for_reading(mount: Mount) -> None:
    component = mount("console")
    component.give({**changed(), "alone": True})
    bar = component.page.locator(".bar").first
    expect(bar).to_have_attribute("aria-readonly", "true")
    component.give(changed())
    expect(bar).not_to_have_attribute("aria-readonly", "true")


def fingers(page: Page, kind: str, number: int, x: float, y: float) -> None:
    """An event of the pointer of that number."""
    page.evaluate(
        """([kind, pointerId, clientX, clientY]) => {
          const at = document.querySelector("div").shadowRoot.elementFromPoint(clientX, clientY)
          const way = { bubbles: true, composed: true, cancelable: true }
          const finger = { pointerId, isPrimary: pointerId === 1, pointerType: "touch", clientX, clientY }
          at.dispatchEvent(new PointerEvent(kind, { ...way, ...finger }))
        }""",
        [kind, number, x, y],
    )


def test_another_finger_takes_no_row_out_of_hand(mount: Mount) -> None:
    component = mount("console")
    page = component.page
    component.give(changed())
    bars = page.locator(".bar")
    x, y = middle(bars.nth(1))
    u, v = middle(bars.nth(3))
    fingers(page, "pointerdown", 1, x, y)
    held = bars.nth(1).get_attribute("aria-valuenow") or ""
    fingers(page, "pointerdown", 2, u, v - 20)
    fingers(page, "pointercancel", 2, u, v)
    expect(bars.nth(1)).to_have_attribute("aria-valuenow", held)
    fingers(page, "pointermove", 1, x, y - 10)
    expect(bars.nth(1)).not_to_have_attribute("aria-valuenow", held)
    fingers(page, "pointerup", 1, x, y - 10)
    assert len(component.told()) == 1


def test_what_was_looked_at_in_the_vectors_of_another_sentence_is_not_told(mount: Mount, monkeypatch: Any) -> None:
    component = mount("vector")
    page = component.page
    plane = make_plane(monkeypatch)
    component.give(vector.build_vector_payload(make_prefix_translations(), plane, SAY))
    page.locator(".near [data-go]").last.click()
    component.give({
        **vector.build_vector_payload(make_prefix_translations(), plane, SAY),
        "means": "of another sentence",
    })
    page.wait_for_timeout(600)
    assert component.told() == []


def test_the_test_set_of_the_length_curve_stays_chosen(mount: Mount) -> None:
    component = mount("compare")
    data: Any = comparison.build_compare_payload(((make_trace(), None),), 0, Settings(), SAY)
    point = {"words": 5.0, "bleu": 20.0, "sentences": 9, "first": 1, "last": None}
    sets = [{"key": name, "name": name, "lines": [[{**point, "bleu": bleu}]]}
            for name, bleu in (("one", 20.0), ("other", 40.0))]  # fmt: skip
    data["curve"]["sets"] = sets
    component.give(data)
    choice, said = (component.page.locator(f".lengths {of}") for of in ("select", ".reading"))
    choice.select_option("1")
    expect(said).to_contain_text("40.0")
    component.give({**data, "text": "another"})
    expect(choice).to_have_value("1")
    expect(said).to_contain_text("40.0")
    data["curve"]["sets"] = sets[:1]
    component.give({**data, "text": "another"})
    expect(choice).to_have_value("0")


def test_a_guess_of_the_story_keeps_the_keyboard(mount: Mount) -> None:
    component = mount("story")
    page = component.page
    component.give(scenes.build_story_payload(4, SAY))
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    verdict = page.locator(".verdict")
    page.evaluate("window.verdict = document.querySelector('div').shadowRoot.querySelector('.verdict')")
    page.locator("[data-guess]").first.press("Enter")
    assert page.evaluate("window.verdict.isConnected")  # else nobody hears what it says
    expect(verdict).not_to_have_text("")
    expect(page.locator(".next")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("[data-guess]").first).to_be_enabled()


def test_no_word_beside_a_map_is_cut_on_a_phone(mount: Mount) -> None:
    long = make_trace(target="l' administration interinstitutionnelle dort ici .")
    for name, data in (
        ("heads", heads.build_heads_payload(long, SAY)),
        ("console", console.build_console_payload(long, long, None, SAY)),
    ):
        component = mount(name)
        component.page.set_viewport_size({"width": 390, "height": 844})
        component.give(data)
        if name == "heads":
            component.page.locator("[data-key]").first.click()
        rows = component.page.locator("tbody th")
        assert "erinstitutionnelle" in " ".join(rows.all_inner_texts())
        wide = "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1)"
        assert rows.evaluate_all(f"{wide}.map((node) => node.textContent)") == []


def measured(*names: str) -> SentenceBarsData:
    """Three sentences with these numbers, as they come while a file is at work."""

    def worst(name: str) -> Literal["low", "high"]:
        return "low" if name == "bleu" else "high"

    data = bars([1, 2, 3])
    (length,) = data["measures"]
    data["measures"] = [{**length, "key": name, "label": name, "worst": worst(name)} for name in names]
    return data


def test_the_number_that_was_chosen_stays_chosen_while_others_come_in_between(mount: Mount) -> None:
    component = mount("sentence_bars", packed=True)
    choice, _, order = (component.page.locator(".controls > :is(label, span)").nth(k) for k in range(3))
    component.give(measured("length"))
    component.give(measured("bleu", "coverage", "length"))
    expect(choice.locator("select")).to_have_value("0")  # nobody chose another one
    expect(order.locator("select")).to_have_value("0")  # the worst first
    choice.locator("select").select_option("1")
    order.locator("select").select_option("0")
    component.give(measured("difference", "bleu", "chrf", "coverage", "length"))
    expect(choice.locator("select")).to_have_value("3")
    expect(order.locator("select")).to_have_value("0")
    component.give(measured("bleu", "length"))
    expect(choice.locator("select")).to_have_value("0")
