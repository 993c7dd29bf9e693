"""The player in a real Chromium: keys, playing, scrubbing, guessing, pointing, and the file that needs no app."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from model.networks.equations import rnnsearch as equations
from model.networks.equations.rnnsearch import Equation, StepEquations, Symbol
from model.trace import Trace
from pages.ui.backend import shipped_traces
from pages.ui.i18n.messages import load_messages
from pages.ui.step_by_step import payload
from tests.browser.running import brought
from tests.hostile import CASES
from tests.pages.traces import make_trace

Visit = Callable[..., Page]
Film = Callable[..., Page]

FIRST = shipped_traces.load_examples()[0]
MADE = FIRST.traces["rnnsearch-50"]
LAST = len(MADE.steps)
PLAYER = """[document, ...[...document.querySelectorAll("*")].map((node) => node.shadowRoot)].filter(Boolean)
    .map((root) => root.querySelector(".player")?.player).find(Boolean)"""
CLOCK = f"({PLAYER}).clock"
READY = ".player .formula"


@pytest.fixture
def film(visit: Visit, tmp_path: Path) -> Film:
    """The player alone, as the file that is downloaded: nothing of it needs the app."""

    def open_file(
        of: Trace = MADE, step: int = 1, told: StepEquations | None = None, wait: str = READY, **options: Any
    ) -> Page:
        say = load_messages("en")
        data = payload.build_player_payload(of, told or payload.get_step_equations(of.made_by.model), say, step)
        path = tmp_path / "film.html"
        path.write_text(payload.build_player_document(data, say), encoding="utf-8")
        return visit(path.as_uri(), wait, **options)

    return open_file


def at(page: Page, step: int, last: int = LAST) -> None:
    """The player is at that step."""
    expect(page.locator(".count")).to_have_text(f"step {step} of {last}")


def scales(page: Page, selector: str) -> list[float]:
    """By how much those nodes are stretched upwards: 0 for one that is not there yet."""
    found: list[float] = page.locator(selector).evaluate_all(
        "all => all.map(one => new DOMMatrix(getComputedStyle(one).transform).d)"
    )
    return found


def texts(of: Locator) -> list[str]:
    return [text.strip() for text in of.all_text_contents()]


def test_keys_move_through_the_steps_and_the_address_follows(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?step=2", READY)
    at(page, 2)
    for _ in range(7):
        page.keyboard.press("ArrowRight", delay=0)
    at(page, 9)
    for key, step in (
        ("ArrowLeft", 8),
        ("PageDown", 9),
        ("PageUp", 8),
        ("End", LAST),
        ("ArrowRight", LAST),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        at(page, step)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=2**")
    at(page, 2)  # the answer of the server does not snap back
    box = page.locator(".st-key-sentence textarea")
    box.click()
    for key in ("Home", "ArrowRight", "End", " "):
        page.keyboard.press(key)
    at(page, 2)
    assert box.input_value() == FIRST.sentence + " "


def test_numbers_on_the_screen_are_those_of_the_trace(film: Film) -> None:
    page = film(step=4)
    row = MADE.get_map().values[3]
    shown = texts(page.locator(".strip .weight"))
    assert shown == ["·" if value < 0.005 else f"{value:.2f}" for value in row]
    numbers = [text.strip() for text in page.locator(".equation .number b").all_text_contents()]
    assert MADE.detail is not None
    best = int(row.argmax())
    assert numbers[0] == f"{MADE.detail['energies'][3][best]:.2f}".replace("-", "−")
    assert numbers[3] == f"{row[best]:.2f}"
    assert f"{MADE.detail['context norm'][3]:.2f}" in numbers
    assert f"{MADE.detail['update mean'][4]:.2f}" in numbers  # look, generate, update: noted with the next step
    assert f"{MADE.detail['state norm'][4]:.2f}" in numbers
    chosen = page.locator(".candidates .chosen")
    assert chosen.locator("b").inner_text() == MADE.steps[3].piece.removeprefix("▁")
    widths = page.locator(".ribbon").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).strokeWidth))"
    )
    assert widths == pytest.approx([max(1.1, 34 * value) for value in row], abs=0.05)
    assert page.locator(".announced").inner_text().startswith(f"Step 4 of {LAST}")


def test_playing_runs_to_the_end_and_asks_nothing_of_the_server(server: str, visit: Visit) -> None:
    received: list[int] = []

    def hear(socket: WebSocket) -> None:
        for way in ("framereceived", "framesent"):
            socket.on(way, lambda frame: received.append(len(frame)))

    page = visit("about:blank", "body")
    page.on("websocket", hear)
    page.goto(f"{server}/step_by_step")
    page.wait_for_selector(".player .formula")
    page.wait_for_timeout(1500)  # the page has said all it has to say
    page.evaluate(f"{CLOCK}.speed = 12")
    before = len(received)
    page.keyboard.press("Space")
    expect(page.locator(".play")).to_contain_text("Pause")
    expect(page.locator(".count")).to_have_text(f"step {LAST} of {LAST}", timeout=15_000)
    assert len(received) == before > 0
    expect(page.locator(".play")).to_contain_text("Play")
    assert page.locator(".target .coming").count() == 0
    expect(page.locator(".target .now")).to_have_text("end")


def test_a_step_unfolds_when_it_is_played_and_pauses_where_it_is(film: Film) -> None:
    page = film(step=3, bypass_csp=True)  # Playwright waits with eval
    page.keyboard.press("Space")
    page.wait_for_function(f"{CLOCK}.step === 3 && {CLOCK}.progress > 0.28")
    page.keyboard.press("Space")
    moment = page.evaluate(f"{CLOCK}.progress")
    assert 0.2 < moment < 0.6
    assert page.locator(".candidates .chosen").count() == 0  # not yet decided
    bars = page.locator(".energy i").evaluate_all(
        "nodes => nodes.map(node => new DOMMatrix(getComputedStyle(node).transform).d)"
    )
    assert min(bars) > 0.9  # the energies are there
    page.keyboard.press("ArrowRight")
    at(page, 5)
    assert page.locator(".candidates .chosen").count() == 1


def test_scrubbing(film: Film) -> None:
    page = film()
    track = page.locator(".track").bounding_box()
    assert track is not None
    page.mouse.click(track["x"] + track["width"] - 3, track["y"] + track["height"] / 2)
    at(page, LAST)
    page.mouse.click(track["x"] + 3, track["y"] + track["height"] / 2)
    at(page, 1)
    page.locator(".target .piece").nth(2).click()
    at(page, 3)


def test_pointing_lights_the_picture_from_the_equations_and_the_other_way_round(film: Film) -> None:
    page = film(step=4)
    for part, drawn in (("alpha", ".strip .disc"), ("context", ".stage .node.context"), ("h", ".strip .blocks")):
        page.locator(f".formula .symbol.{part}").first.hover()
        expect(page.locator(f"{drawn}.lit").first).to_be_attached()
        assert page.locator(f"{drawn}.lit").count() == page.locator(drawn).count()
        assert page.locator(f".board .lit:not([data-part={part}])").count() == 0
    page.locator(".stage .node.gru text").hover()
    expect(page.locator(".formula .symbol.gru.lit")).to_have_count(1)
    expect(page.locator(".explain")).to_contain_text("GRU")
    page.locator(".stage .node.context .letter").hover()
    assert page.locator(".formula .symbol.context.lit").count() == page.locator(".formula .symbol.context").count() >= 3
    page.locator(".equation .number[data-source]").first.hover()
    expect(page.locator(".strip .piece.pointed")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator(".lit")).to_have_count(0)


def test_guessing_hides_the_step_until_a_word_is_chosen_and_keeps_the_score(film: Film) -> None:
    page = film(step=2)
    page.locator("[data-do=guess]").click()
    at(page, 2)
    expect(page.locator(".game")).to_contain_text("Where will it look?")
    assert (
        page.locator(".disc i").evaluate_all(
            "nodes => Math.max(...nodes.map(n => new DOMMatrix(getComputedStyle(n).transform).a))"
        )
        == 0
    )
    assert set(texts(page.locator(".equation .number b"))) <= {"?", ""}
    assert "writes" not in page.locator(".announced").inner_text()
    words = page.locator(".group[role=button]")
    row = MADE.compute_word_map_with_end()
    aims = [int(MADE.get_map().values[i].argmax()) for i in (1, 2)]
    truth = [MADE.source.word_of[aim] if MADE.source.word_of[aim] >= 0 else row.shape[1] - 1 for aim in aims]
    page.evaluate(f"{CLOCK}.speed = 20")
    words.nth(truth[0]).click()
    expect(page.locator(".game")).to_contain_text("Right 1 of 1")
    expect(page.locator(".candidates .chosen")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    at(page, 3)
    expect(page.locator(".candidates .chosen")).to_have_count(0)
    words.nth((truth[1] + 3) % words.count()).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".game")).to_contain_text("Right 1 of 2")
    expect(page.locator(".group.truth")).to_have_count(1)
    page.keyboard.press("ArrowLeft")  # a step that was answered stays open
    expect(page.locator(".candidates .chosen")).to_have_count(1)
    page.wait_for_timeout(500)  # a browser writes a tab's storage behind the page
    page.reload()  # who guesses goes on guessing
    expect(page.locator("[data-do=guess]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".game")).to_contain_text("Right 1 of 2")
    page.locator(".player").focus()
    page.keyboard.press("g")
    expect(page.locator(".game")).to_have_text("")


def test_who_guesses_a_step_anew_is_not_told_the_answer(film: Film) -> None:
    page = film(step=2)
    page.locator("[data-do=guess]").click()
    page.evaluate(f"{CLOCK}.speed = 20")
    page.locator(".group[role=button]").first.click()
    expect(page.locator(".game")).to_contain_text("of 1")
    expect(page.locator(".group.truth")).to_have_count(1)
    for _ in range(2):
        page.locator("[data-do=guess]").click()
    expect(page.locator(".game")).to_contain_text("Where will it look?")
    expect(page.locator(".group.truth, .group.wrong, .group.right")).to_have_count(0)


def test_the_keyboard_and_a_finger_reach_every_symbol(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?step=4", READY)
    equation = page.locator(".equation", has=page.locator(".symbol[data-part]").nth(1)).first
    symbols = equation.locator(".symbol[data-part]")
    explained = page.locator(".explain")
    equation.focus()
    said = {explained.inner_text()}
    for number in range(1, symbols.count()):
        page.keyboard.press("ArrowDown")
        expect(symbols.nth(number)).to_have_class(re.compile(r"\blit\b"))
        said.add(explained.inner_text())
    assert len(said) > 1
    expect(explained).to_have_attribute("aria-live", "polite")
    page.locator(".player .label").first.hover()
    other = page.locator(".equation .symbol[data-part]").last
    other.click()  # as a tap does, after which nothing points any more
    told = explained.inner_text()
    page.locator("textarea").first.hover()
    expect(explained).to_have_text(told)
    expect(other).to_have_class(re.compile(r"\blit\b"))


def test_live_leaves_the_keyboard_in_the_box(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?live=on", READY)
    box = page.locator(".st-key-sentence textarea")
    box.fill("")
    box.press_sequentially("The dog sleeps.", delay=20)
    expect(page.locator(".player .target")).to_contain_text("dort", timeout=60_000)
    expect(box).to_be_focused()
    page.keyboard.type(" Yes")
    expect(box).to_have_value("The dog sleeps. Yes")


def test_while_it_is_measured_the_window_stands_where_it_stood(server: str, visit: Visit) -> None:
    """What is presented is made small to see how large it may be, and the page is short meanwhile."""
    page = visit(f"{server}/step_by_step?present=1", READY, viewport={"width": 3840, "height": 2160})
    brought(page)
    page.evaluate("dispatchEvent(new WheelEvent('wheel'))")  # from now on nothing but the reader moves the page
    at = page.evaluate("document.querySelector('.stMain').scrollTop")
    assert at > 20
    zoom = "node => getComputedStyle(node).getPropertyValue('--zoom')"
    before = page.locator(".player").evaluate(zoom)
    page.set_viewport_size({"width": 3840, "height": 2100})
    page.wait_for_function(f"([node, before]) => ({zoom})(node) !== before",
                           arg=[page.locator(".player").element_handle(), before])  # fmt: skip
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == pytest.approx(at, abs=8)


def test_the_clicker_plays_the_game_and_s_skips_what_is_left(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?present=1", READY)
    brought(page)
    page.locator("[data-do=guess]").click()
    page.evaluate(f"{CLOCK}.speed = 20")
    expect(page.locator(".game")).to_contain_text("Where will it look?")
    page.keyboard.press("PageDown")  # what it looked at
    expect(page.locator(".candidates .chosen")).to_have_count(1)
    at(page, 1)
    page.keyboard.press("PageDown")  # the next question
    at(page, 2)
    expect(page.locator(".game")).to_contain_text("Where will it look?")
    expect(page.locator(".candidates .chosen")).to_have_count(0)
    page.keyboard.press("PageUp")
    at(page, 1)
    page.keyboard.press("s")
    at(page, LAST)
    assert page.evaluate("location.pathname") == "/step_by_step"


def test_a_network_that_does_not_look_shows_its_one_vector(film: Film) -> None:
    page = film(FIRST.traces["rnnencdec-50"], step=3)
    assert page.locator(".ribbon").count() == 1
    assert page.locator("[data-do=guess], .symbol.alpha").count() == 0
    assert "one vector" in page.locator(".fixed").inner_text()


def test_labels_stand_beside_their_rows(server: str, visit: Visit) -> None:
    """In the app, whose page has styles of its own."""
    page = visit(f"{server}/step_by_step", READY)
    energies, discs = (page.locator(f".{name}").first.bounding_box() for name in ("energy", "disc"))
    label = page.locator(".for-alpha").bounding_box()
    assert energies is not None
    assert discs is not None
    assert label is not None
    assert energies["y"] < label["y"] < discs["y"] + discs["height"]


def test_reduced_motion_shows_whole_steps(film: Film) -> None:
    page = film(reduced_motion="reduce")
    page.keyboard.press("Space")
    at(page, 2)
    assert page.locator(".candidates .chosen").count() == 1
    expect(page.locator(".play")).to_contain_text("Pause")


def test_a_phone_scrolls_the_sentence_and_not_the_page(film: Film) -> None:
    page = film(step=LAST - 1, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".strip .piece.strong").first).to_be_in_viewport()  # brought into sight
    assert page.locator(".view").evaluate("node => node.scrollWidth > node.clientWidth")
    assert page.locator(".stacked.narrow").count() == 1
    play = page.locator(".play").bounding_box()  # at hand, though the picture is higher than the phone
    assert play is not None
    assert play["y"] + play["height"] <= 844
    assert page.locator(".film").evaluate("node => node.offsetHeight") > 844


def test_lines_have_heads_once_they_have_arrived(film: Film) -> None:
    page = film(step=4)
    ends = page.locator(".stage .flow").evaluate_all("all => all.map(one => one.getAttribute('marker-end'))")
    assert len(ends) >= 8
    assert all(end.startswith("url(#head-") for end in ends)
    page.evaluate(f"{CLOCK}.progress = 0; {CLOCK}.play(true); {CLOCK}.pause()")
    ends = page.locator(".stage .flow").evaluate_all("all => all.map(one => one.getAttribute('marker-end'))")
    assert set(ends) == {"none"}


# ---- the file ------------------------------------------------------------------------------------------------------


def test_the_downloaded_file_plays_without_the_app(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{server}/step_by_step", READY)
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "my-brother-bought-a-new-car-rnnsearch-50-step-by-step.html"
    for scheme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(18, 22, 31)")):
        page = visit(path.as_uri(), READY, color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == colour
        page.keyboard.press("End")
        at(page, LAST)
        assert texts(page.locator(".strip .weight")) == [
            "·" if value < 0.005 else f"{value:.2f}" for value in MADE.get_map().values[-1]
        ]


def test_hostile_words_are_drawn_as_text(film: Film) -> None:
    for name in ("HTML", "script", "closing tags", "entities", "bidirectional overrides"):
        text = "_".join(CASES[name].split())
        page = film(make_trace(text, text, (0,)))
        assert "".join(page.locator(".strip .text").all_text_contents()[:2]) == text
        assert page.title().endswith(text)
        page.keyboard.press("ArrowRight")
        assert page.locator(".player :is(img, iframe, a, script)").count() == 0
        page.close()


def test_a_hundred_and_twenty_pieces(film: Film) -> None:
    """Nothing is cut: the sentence is scrolled, and ribbons follow it."""
    count = 120
    page = film(make_trace("cat " * count, "chat " * count, tuple(range(count))), step=100)
    at(page, 100, count + 1)
    assert page.locator(".strip .piece").count() == count + 1
    expect(page.locator(".strip .piece.strong").first).to_be_in_viewport()
    assert page.locator(".target .piece").count() == count + 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


WRITTEN = {
    "equation4": ["s3=GRU(s2,E “{1}”,{c})", "p(y3)=softmax(Wot3)", "t3=maxout(Uos3+VoE “{1}”+Co{c})"],
    "appendix": ["p(y3)=softmax(Wot3)", "t3=maxout(Uos2+VoE “{1}”+Co{c})", "s3=GRU(s2,E “{1}”,{c})"],
    "groundhog": ["p(y3)=softmax(Wot3)", "t3=maxout(Uos2+VoE “{1}”+Co{c})", "s3=GRU(s2,E “{2}”,{c})"],
}


@pytest.mark.parametrize("wiring", WRITTEN)
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_the_equations_of_step_3_are_those_of_the_network(film: Film, kind: str, wiring: str) -> None:
    of = FIRST.traces[f"{kind}-50"]
    page = film(of, step=3, told=getattr(equations, f"build_{kind}_equations")({"wiring": wiring}))
    at(page, 3, len(of.steps))
    looking = ["e3,j=vaᵀ tanh(Was2+Uahj)", "α3,j=exp e3,j/Σk exp e3,k", "c3=Σjα3,jhj"]
    context = "c3" if kind == "rnnsearch" else "c"
    expected = looking if kind == "rnnsearch" else [f"c=h{len(of.source.pieces)}"]
    words = {str(k): page.locator(".target .piece").nth(k).text_content() for k in (1, 2)}
    for line in WRITTEN[wiring]:
        expected.append(line.replace("{c}", context).replace("{1}", words["1"] or "").replace("{2}", words["2"] or ""))
    assert [text.replace(" ", "") for text in texts(page.locator(".formula"))] == [
        text.replace(" ", "") for text in expected
    ]
    # The picture is that of the equations: which state is read out from, and which piece is taken in.
    # One of two lines from that state goes to the readout; the other to the update, or away from it.
    assert page.locator(".stage .flow.before").count() == (1 if wiring == "equation4" else 2)
    assert page.locator(".stage .flow.after").count() == (2 if wiring == "equation4" else 1)
    assert page.locator(".stage .flow.fed").count() == (2 if wiring == "groundhog" else 1)


def test_a_network_that_nobody_knows_is_played_with_its_own_equations(film: Film) -> None:
    score = Symbol("e", "{step},j", "energies")
    line = (score, " = ", Symbol("q", "{before}", "question"), "ᵀ ", Symbol("h", "j", "h"))
    page = film(told=StepEquations((Equation("asking", (line,), ("energies", "temperature")),)))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    assert texts(page.locator(".formula")) == ["e1,j = q0ᵀ hj"]
    expect(page.locator(".equation .number")).to_have_count(3)  # the energies; nobody knows a temperature
    assert page.locator(".stage .node").count() == 1  # a plain stage: what it looked at, and what came of it
    assert page.locator(".stage .ribbon").count() == len(MADE.source.pieces)
    page.locator(".formula .symbol.question").hover()
    expect(page.locator(".explain")).to_have_text(load_messages("en")("step_by_step.explain"))
    for key in ("ArrowRight", "End", "Space", "Space"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Guess").click()
    page.keyboard.press("Home")
    page.locator("[data-group='1']").click()
    expect(page.locator(".game")).to_contain_text("of 1.")
    assert not errors


def test_a_network_without_equations_is_played_too(film: Film) -> None:
    page = film(told=StepEquations(), wait=".player .candidates")
    assert page.locator(".equation").count() == 0
    page.keyboard.press("ArrowRight")
    at(page, 2)
    expect(page.locator(".candidates .chosen")).to_have_count(1)


def test_on_a_phone_the_controls_take_little_and_the_source_that_goes_on_says_so(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step", READY, viewport={"width": 390, "height": 844})
    bar = page.locator(".player .controls").bounding_box()
    assert bar is not None
    assert bar["height"] < 95  # two lines: where the reader is, and what can be pressed
    buttons = page.locator(".player .controls :is(button, input)").all()
    assert len(buttons) > 5
    for button in buttons:
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    view = page.locator(".player .view")
    assert "gradient" in view.evaluate("node => getComputedStyle(node).maskImage")
    view.evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    expect(view).to_have_css("mask-image", "none")
