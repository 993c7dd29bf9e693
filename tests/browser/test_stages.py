"""The stages of all kinds in a real Chromium: what lights up in which order when a step is played."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.text.vocabulary import Vocabulary
from pages.ui.i18n.messages import load_messages
from pages.ui.step_by_step import payload
from tests.pages.stages import translate_with_equations

Visit = Callable[..., Page]
PLAYED = """() => new Promise((done) => {
    const root = document.querySelector(".player")
    const { clock } = root.player
    const seen = []
    clock.at = 0
    clock.speed = 2
    clock.play(true)
    const look = () => {
        for (const path of root.querySelectorAll(".stage [data-arrow], .stage .ribbon")) {
            const name = path.dataset.arrow ?? `looking ${path.dataset.part}`
            if (parseFloat(path.style.strokeDashoffset) < 0.5 && !seen.includes(name)) seen.push(name)
        }
        clock.playing ? requestAnimationFrame(look) : done(seen)
    }
    requestAnimationFrame(look)
})"""
ORDER = {
    "seq2seq": [{"pipe"}, {"previous cell 1", "cell 1 cell 2", "before cell 2", "cell 2 after"}, {"after out"}],
    "luong": [{"previous cell 1", "fed previous", "cell 2 after"}, {"looking alpha"},
              {"context attentional", "after attentional"}, {"attentional out"}, {"attentional next"}],
    "copy": [{"looking alpha"}, {"context p_gen"}],
    "transformer": [{"previous sum 0", "position sum 0"}, {"sum 0 sum 1", "own sum 1", "looking own"},
                    {"looking alpha", "context sum 2"}, {"feed_forward sum 3", "sum 2 sum 3"}, {"sum 3 out"}],
}  # fmt: skip


@pytest.fixture
def stage(visit: Visit, tmp_path: Path, tiny_vocabulary: Vocabulary) -> Callable[..., Page]:
    """The player alone with a translation by one of the small networks, as the file that is downloaded."""

    def open_file(name: str, step: int, **options: Any) -> Page:
        trace, told = translate_with_equations(name, tiny_vocabulary, tmp_path)
        say = load_messages("en")
        path = tmp_path / "stage.html"
        path.write_text(
            payload.build_player_document(payload.build_player_payload(trace, told, say, step), say), encoding="utf-8"
        )
        return visit(path.as_uri(), ".player .formula", **options)

    return open_file


@pytest.mark.parametrize("name", ORDER)
def test_a_step_lights_its_stage_in_the_order_of_its_equations(stage: Callable[..., Page], name: str) -> None:
    page = stage(name, 1 if name == "seq2seq" else 4)
    seen: list[str] = page.evaluate(PLAYED)
    places = [[seen.index(one) for one in group] for group in ORDER[name]]
    assert all(max(earlier) < min(later) for earlier, later in pairwise(places)), seen


def test_the_pipe_carries_once_and_the_source_is_read_backwards(stage: Callable[..., Page]) -> None:
    page = stage("seq2seq", 2)
    assert "pipe" not in page.evaluate(PLAYED)
    last = page.locator(".strip .piece").count() - 1
    ways = page.locator(".reading [data-from]").evaluate_all(
        "all => all.map((one) => [one.dataset.from, one.dataset.to])"
    )
    order = [last - 1 - k for k in range(last)] + [last]
    assert ways == [[str(a), str(b)] for a, b in pairwise(order)] * 2
    assert page.locator(".stage .ribbon").count() == 0


def test_what_is_written_so_far_stands_below_with_its_positions(stage: Callable[..., Page]) -> None:
    page = stage("transformer", 4)
    assert page.locator(".written-row .ribbon").count() == 4
    assert page.locator(".written-row .place").all_text_contents()[-1] == "4"
    page.locator(".stage .node.own .name").hover()
    expect(page.locator(".explain")).to_contain_text("looks back at all that is written so far")
    assert page.locator(".formula .symbol.own.lit").count() > 0
    page.keyboard.press("ArrowRight")
    expect(page.locator(".written-row .ribbon")).to_have_count(5)


def test_what_is_covered_grows_below_the_words(stage: Callable[..., Page]) -> None:
    page = stage("coverage", 4)
    heights = "all => all.map((one) => one.getBoundingClientRect().height)"
    before = page.locator(".covered i:first-child").evaluate_all(heights)
    page.keyboard.press("ArrowRight")
    after = page.locator(".covered i:first-child").evaluate_all(heights)
    assert len(before) > 3
    assert all(later > earlier > 0 for earlier, later in zip(before, after, strict=True))


@pytest.mark.parametrize(("name", "told"), [("luong", True), ("transformer", False)])
def test_energies_have_a_row_only_where_they_are_told(stage: Callable[..., Page], name: str, told: bool) -> None:
    page = stage(name, 4)
    energy, disc, label = (page.locator(which).first.bounding_box() for which in (".energy", ".disc", ".for-alpha"))
    assert energy
    assert disc
    assert label
    assert (energy["height"] > 10) == told
    assert energy["y"] + energy["height"] - 4 < label["y"] < disc["y"] + disc["height"]


@pytest.mark.parametrize("name", ["seq2seq", "luong", "copy", "transformer"])
@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_of_a_stage_stands_beside_it(stage: Callable[..., Page], name: str, width: int) -> None:
    page = stage(name, 4, viewport={"width": width, "height": 844})
    seen, beyond = page.evaluate("""() => {
        const frame = document.querySelector(".board").getBoundingClientRect()
        const all = [...document.querySelectorAll(".stage .node, .stage .aside")]
            .map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width)
        const beyond = all.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1)
        return [all.length, beyond.map(([one]) => one.dataset.box ?? one.textContent)]
    }""")
    assert seen > 5
    assert not beyond
