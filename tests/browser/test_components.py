"""Components alone in a real Chromium: what they keep when new data come, and what they tell the page."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from model.decoding import OverrideRule, Overrides, RowOverride, Settings
from model.decoding.translate import translate_n_best
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.compare import payload as comparison
from pages.ui.heatmap import heads, heatmap
from pages.ui.heatmap.heatmap import HeatmapView
from pages.ui.heatmap.payload_types import HeatmapData
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import beam, console, forced_decoding, vector
from pages.ui.laboratory.payload_types import BeamData, BeamNext, ConsoleData
from pages.ui.results.payload_types import BirthData
from pages.ui.story import payload as scenes
from pages.ui.your_text import sentence_bars
from pages.ui.your_text.payload_types import BarRow, SentenceBarsData
from tests.browser.mounted import Mounted
from tests.model.analysis.attribution.test_saliency import build_model
from tests.pages.compare.test_payload import FIRST, LONG
from tests.pages.laboratory.test_vector import make_plane, make_prefix_translations
from tests.pages.models import test_gradients as gradients
from tests.pages.traces import LOST, make_trace

SAY = load_messages("en")
Mount = Callable[..., Mounted]


def bars(lines: list[int]) -> SentenceBarsData:
    """The sentences of these lines of a file at work, each as long as its line says."""
    rows: list[BarRow] = [
        {"line": line, "words": line, "source": f"sentence {line}", "outputs": [{"text": f"phrase {line}"}]}
        for line in lines
    ]
    length = sentence_bars.SentenceMeasure("length", (("all", [float(line) for line in lines]),), "high", 0)
    data = sentence_bars.build_bars_payload("letters.txt", rows, [length], ["rnnsearch-50"], SAY)
    data["pages"] = [{"url": "translate", "title": "Translate", "each": False}]
    return data


def test_a_sentence_that_is_opened_stays_itself_while_the_file_is_at_work(mount: Mount) -> None:
    """Its place among the rows changes: it is named by its line, and the list follows it."""
    component = mount("sentence_bars", packed=True)
    page = component.page
    component.give(bars([1, 2, 5, 6]))
    row = page.locator('.row[data-line="5"]')
    row.click()
    details = page.locator("li.open .details")
    for lines in ([1, 2, 3, 5, 6, 7], [*range(1, 80)]):
        component.give(bars(lines))
        expect(row).to_have_attribute("aria-expanded", "true")
        expect(row).to_be_focused()
        expect(details).to_contain_text("phrase 5")
        expect(details).to_have_count(1)
        expect(page.locator("li.open")).to_contain_text("sentence 5")
    details.get_by_role("link", name="Translate").click()
    (sent,) = component.told()
    assert sent == ("trigger", "open", {"page": "translate", "line": 5, "model": "rnnsearch-50", "beside": None})


def tree(vocabulary: Vocabulary, of: str = "one") -> BeamData:
    """A beam of an untrained model, by that name."""
    settings = Settings(beam=3, n_best=3, tree=True, max_ratio=1.0)
    traces = tuple(translate_n_best(build_model(vocabulary), normalise("The grey cat sleeps."), settings))
    assert traces[0].tree is not None
    return {**beam.build_beam_payload(traces, traces[0].tree, -1, (), 3, SAY), "of": of}


def best(of: str = "one") -> HeatmapData:
    """Two translations of a sentence to choose from, by that name."""
    return {
        **heatmap.build_heatmap_payload(
            (make_trace(beam=5), make_trace(target=LOST, beam=5)), None, HeatmapView(), 0, SAY
        ),
        "of": of,
    }


def test_what_waits_to_be_told_goes_out_under_the_name_of_what_it_was_said_of(
    mount: Mount, tiny_vocabulary: Vocabulary
) -> None:
    """Other data come between the click and the rest after it."""
    component = mount("beam")
    component.give(tree(tiny_vocabulary))
    component.page.locator('.canvas [data-node="1"]').click()
    component.give(tree(tiny_vocabulary, "other"))
    assert component.next_told() == ("trigger", "node", {"of": "one", "node": 1})
    component = mount("heatmap")
    component.give(best())
    component.page.locator('[data-rank="1"]').click()
    component.give(best("other"))
    assert component.next_told() == ("state", "chosen", {"of": "one", "rank": 1})


def changed(*rules: OverrideRule, rows: tuple[RowOverride, ...] = ()) -> ConsoleData:
    """What the attention console is sent after changes by rule, and by hand."""
    before = make_trace()
    made_by = replace(before.made_by, edits=Overrides(rows=rows, rules=rules).to_text())
    return console.build_console_payload(
        before, replace(before, made_by=made_by) if made_by.edits else before, None, SAY
    )


def test_the_console_keeps_what_has_the_keyboard_and_what_is_scrolled(mount: Mount) -> None:
    """Every answer to a change draws it anew."""
    component = mount("console")
    page = component.page
    page.set_viewport_size({"width": 390, "height": 844})
    component.give(changed())
    scroll = page.locator(".main .scroll")
    left = scroll.evaluate("node => { node.scrollLeft = 120; return node.scrollLeft }")
    assert left > 0
    way = page.locator("[data-way=uniform]")
    way.press("Enter")
    rule = OverrideRule("attention", "uniform", 1, 1)
    assert component.next_told()[2]["more"] == "attention@1:uniform"
    component.give(changed(rule))
    expect(way).to_be_focused()
    expect(way).to_have_attribute("aria-pressed", "true")
    assert scroll.evaluate("node => node.scrollLeft") == left
    page.locator("[data-less]").press("Enter")
    component.give(changed())
    expect(page.locator(".way").first).to_be_focused()  # the button that took it back is gone
    page.locator(".step").first.focus()
    page.keyboard.press("ArrowDown")
    component.give(changed(rule))
    expect(page.locator('.step[data-step="1"]')).to_be_focused()


def test_a_number_of_the_console_is_stepped_again_and_again(mount: Mount) -> None:
    component = mount("console")
    component.give(changed())
    component.page.locator("[data-way=temperature]").click()
    component.next_told()
    component.give(changed(OverrideRule("attention", "temperature", 1, 1, parameter=0.5)))
    number = component.page.locator("input[name=temperature]")
    number.focus()
    for value in (0.55, 0.6, 0.65):
        expect(number).to_be_focused()
        component.page.keyboard.press("ArrowUp")
        expect(number).to_have_value(str(value))
        assert component.next_told()[2]["more"] == f"attention@1:temperature={value}"
        component.give(changed(OverrideRule("attention", "temperature", 1, 1, parameter=value)))


def test_escape_ends_a_drag_and_takes_back_no_earlier_change(mount: Mount) -> None:
    component = mount("console")
    page = component.page
    width = len(make_trace().source.pieces)
    component.give(changed(rows=(RowOverride(1, "attention", (1.0,) + (0.0,) * (width - 1)),)))
    bar = page.locator(".bar").nth(1)
    weight = bar.get_attribute("aria-valuenow")
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(bar).not_to_have_attribute("aria-valuenow", weight or "")
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(bar).to_have_attribute("aria-valuenow", weight or "")
    assert component.told() == []
    page.keyboard.press("Escape")  # now it is the earlier change that goes
    assert component.next_told()[2]["less"].startswith("attention@1=")


def born() -> BirthData:
    """Two moments of a model without attention, and one sentence."""
    return {
        "of": "one", "probe": 1, "moment": 0, "ticks": [10, 20], "languages": ("en", "fr"), "made": "",
        "probes": [{"source": [("", "one")], "target": [("", "un")]}],
        "models": [{"name": "a", "dashed": True, "hollow": False, "marker": "circle", "pieces": [10, 20],
                    "bleu": [1.0, 2.0], "at": [0, 1],
                    "probes": [{"translations": ["", "un"], "alpha": None, "diagonal": None, "turning": None}]}],
        "words": SAY.get_table("birth"), "language": "en",
    }  # fmt: skip


def test_a_birth_tells_only_where_the_reader_has_come_to(mount: Mount) -> None:
    """Not where it was opened: each telling runs the page once more."""
    component = mount("alignment_onset")
    component.give(born())
    component.page.wait_for_timeout(900)
    assert component.told() == []
    component.page.locator(".track").press("Home")
    assert component.next_told() == ("trigger", "place", {"probe": 1, "moment": 1})
    component.page.locator(".track").press("End")
    assert component.next_told() == ("trigger", "place", {"probe": 1, "moment": 0})


def test_arrow_keys_walk_the_alpha_of_a_hypothesis(mount: Mount, tiny_vocabulary: Vocabulary) -> None:
    component = mount("beam")
    component.give(tree(tiny_vocabulary))
    page = component.page
    page.locator('.maps td[data-t="0"][data-s="0"]').focus()
    for key, t, s in (("ArrowDown", 1, 0), ("ArrowRight", 1, 1), ("Home", 1, 0), ("ArrowUp", 0, 0)):
        page.keyboard.press(key)
        expect(page.locator(f'.maps td[data-t="{t}"][data-s="{s}"]')).to_be_focused()


def test_the_keyboard_is_never_lost_where_something_is_drawn_anew(
    mount: Mount, tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = mount("words")
    rows = [forced_decoding.build_row(make_trace(), make_trace(), name, SAY) for name in ("its own", "mine")]
    component.give(forced_decoding.build_forced_payload([make_trace()], rows[:1], False, SAY))
    chosen = component.page.locator('.word[data-row="0"][data-word="2"]')
    chosen.press("Enter")
    component.page.locator("[data-take]").first.press("Enter")
    component.give(forced_decoding.build_forced_payload([make_trace()], rows, True, SAY))
    expect(chosen).to_be_focused()

    component = mount("beam")
    data = tree(tiny_vocabulary)
    component.give(data)
    component.page.locator(".canvas .node").first.click()
    piece: BeamNext = {"id": 7, "text": "x", "joined": False, "taken": False, "p": 1.0, "free": True}
    component.give({**data, "at": 0, "next": [piece]})
    component.page.locator("[data-take]").press("Enter")
    component.give({**data, "of": "other", "given": 1})
    expect(component.page.locator('.canvas [tabindex="0"]')).to_be_focused()
    component.page.locator("[data-do=free]").press("Enter")
    component.give(data)
    expect(component.page.locator('.canvas [tabindex="0"]')).to_be_focused()

    component = mount("gradients")
    component.give(gradients.build_payload())
    details = component.page.locator("details")
    details.locator("summary").click()
    plot = component.page.locator(".plot")
    plot.press("ArrowRight")
    component.give({**gradients.build_payload(), "told": ["more"]})
    expect(plot).to_be_focused()
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(details).to_have_attribute("open", "")

    component = mount("heads")
    several = heads.build_heads_payload(make_trace(), SAY)
    component.give({**several, "shown": ""})
    component.page.locator("[data-key]").first.click()
    component.page.locator("[data-take]").press("Enter")
    assert component.next_told() == ("trigger", "chosen", several["groups"][0]["maps"][0]["key"])
    component.give(several)
    expect(component.page.locator("[data-close]")).to_be_focused()

    component = mount("vector")
    component.give(vector.build_vector_payload(make_prefix_translations(), make_plane(monkeypatch), SAY))
    nearest = component.page.locator(".near [data-go]")
    nearest.last.press("Enter")
    expect(nearest.first).to_be_focused()


def test_a_word_of_the_comparison_keeps_the_keyboard_and_its_light_while_the_sentence_grows(mount: Mount) -> None:
    first = make_trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
    whole = make_trace(LONG, "un chat dort là , et le chien court .", (0, 2, 3, 4, 5, 6, 7, 9, 10, 11))
    component = mount("compare")
    component.give(comparison.build_compare_payload(((first, None), (whole, None)), 1, Settings(), SAY))
    word = component.page.locator('.pair [data-target="2"]')
    word.focus()
    for key in ("PageDown", "PageUp"):
        component.page.keyboard.press(key)
        expect(word).to_be_focused()
        expect(word).to_have_attribute("tabindex", "0")
        expect(component.page.locator('.pair [tabindex="0"]')).to_have_count(1)


def test_a_window_of_another_size_replays_no_map_and_forgets_no_guess(mount: Mount) -> None:
    """Presenting, every step of a scene is drawn to see how large it may be."""
    component = mount("story")
    page = component.page
    page.evaluate("document.documentElement.setAttribute('data-presenting', '')")
    component.give(scenes.build_story_payload(3, SAY))
    count = page.locator(".count")
    while page.locator(".line.now").count():
        page.keyboard.press("ArrowRight")
    page.wait_for_function("!document.querySelector('div').shadowRoot.querySelector('.line.coming')")
    page.set_viewport_size({"width": 1100, "height": 700})
    page.wait_for_timeout(200)  # the map is seen again, and fitted
    assert page.locator(".line.coming").count() == 0
    page.keyboard.press("ArrowRight")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.locator("[data-guess]").first.click()
    at, verdict = count.inner_text(), page.locator(".verdict").inner_text()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_timeout(200)
    assert (count.inner_text(), page.locator(".verdict").inner_text()) == (at, verdict)
    page.keyboard.press("ArrowLeft")  # who comes back to the question may guess again
    page.keyboard.press("ArrowRight")
    expect(page.locator(".verdict")).not_to_have_text(verdict)
