"""Step by step: the player with keys, playing, scrubbing, guessing and pointing, in the app and as a saved file."""

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
from tests.browser.running import NO_DOUBLE_PRESS, get_box, settle, settle_presentation
from tests.hostile import CASES
from tests.traces import make_trace

Visit = Callable[..., Page]
OpenPlayer = Callable[..., Page]

EXAMPLE = shipped_traces.load_examples()[0]
TRACE = EXAMPLE.traces["rnnsearch-50"]
NUM_STEPS = len(TRACE.steps)
PLAYER = """[document, ...[...document.querySelectorAll("*")].map((node) => node.shadowRoot)].filter(Boolean)
    .map((root) => root.querySelector(".player")?.player).find(Boolean)"""
CLOCK = f"({PLAYER}).clock"
READY = ".player .formula"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def open_player(visit: Visit, tmp_path: Path) -> OpenPlayer:
    """Return a function that opens a trace in the standalone player, without the app."""

    def open_file(
        trace: Trace = TRACE,
        step: int = 1,
        step_equations: StepEquations | None = None,
        ready: str = READY,
        **options: Any,
    ) -> Page:
        say = load_messages("en")
        step_equations = step_equations or payload.get_step_equations(trace.provenance.model)
        data = payload.build_player_payload(trace, step_equations, say, step)
        path = tmp_path / "player.html"
        path.write_text(payload.build_player_document(data, say), encoding="utf-8")
        return visit(path.as_uri(), ready, **options)

    return open_file


def expect_step(page: Page, step: int, num_steps: int = NUM_STEPS) -> None:
    expect(page.locator(".count")).to_have_text(f"step {step} of {num_steps}" if step else "the encoder")


def get_texts(nodes: Locator) -> list[str]:
    return [text.strip() for text in nodes.all_text_contents()]


def format_weights(step: int) -> list[str]:
    return ["·" if value < 0.005 else f"{value:.2f}" for value in TRACE.get_map().values[step - 1]]


def test_keys_move_through_the_steps_and_the_address_follows(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?step=2", READY)
    expect_step(page, 2)
    for _ in range(7):
        page.keyboard.press("ArrowRight", delay=0)
    expect_step(page, 9)
    for key, step in (("ArrowLeft", 8), ("PageDown", 9), ("PageUp", 8), ("End", NUM_STEPS), ("ArrowRight", NUM_STEPS),
                      ("Home", 0), ("ArrowRight", 1)):  # fmt: skip
        page.keyboard.press(key)
        expect_step(page, step)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=2**")
    expect_step(page, 2)
    box = page.locator(".st-key-sentence textarea")
    box.click()
    for key in ("Home", "ArrowRight", "End", " "):
        page.keyboard.press(key)
    expect_step(page, 2)
    assert box.input_value() == EXAMPLE.sentence + " "

    energies, discs, label = (get_box(page.locator(f".{name}").first) for name in ("energy", "disc", "for-alpha"))
    assert energies["y"] < label["y"] < discs["y"] + discs["height"]
    equation = page.locator(".equation", has=page.locator(".symbol[data-part]").nth(1)).first
    symbols, explanation = equation.locator(".symbol[data-part]"), page.locator(".explain")
    equation.focus()
    texts = {explanation.inner_text()}
    for number in range(1, symbols.count()):
        page.keyboard.press("ArrowDown")
        expect(symbols.nth(number)).to_have_class(re.compile(r"\blit\b"))
        texts.add(explanation.inner_text())
    assert len(texts) > 1
    expect(explanation).to_have_attribute("aria-live", "polite")
    page.locator(".player .label").first.hover()
    other = page.locator(".equation .symbol[data-part]").last
    other.click()  # pins the explanation, as a tap does
    text = explanation.inner_text()
    page.locator("textarea").first.hover()
    expect(explanation).to_have_text(text)


def test_numbers_on_the_page_are_those_of_the_trace(open_player: OpenPlayer) -> None:
    page = open_player(step=4)
    weights = TRACE.get_map().values[3]
    assert get_texts(page.locator(".strip .weight")) == format_weights(4)
    numbers = get_texts(page.locator(".equation .number b"))
    assert TRACE.detail is not None
    best = int(weights.argmax())
    assert numbers[0] == f"{TRACE.detail['energies'][3][best]:.2f}".replace("-", "−")
    assert numbers[3] == f"{weights[best]:.2f}"
    assert f"{TRACE.detail['context norm'][3]:.2f}" in numbers
    assert f"{TRACE.detail['update mean'][4]:.2f}" in numbers  # look, generate, update: part of the next step
    assert f"{TRACE.detail['state norm'][4]:.2f}" in numbers
    chosen = page.locator(".candidates .chosen")
    assert chosen.locator("b").inner_text() == TRACE.steps[3].piece.removeprefix("▁")
    widths = page.locator(".ribbon").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).strokeWidth))"
    )
    assert widths == pytest.approx([max(1.1, 34 * value) for value in weights], abs=0.05)
    assert page.locator(".announced").inner_text().startswith(f"Step 4 of {NUM_STEPS}")


def test_playing_runs_to_the_end_without_the_server(server: str, visit: Visit) -> None:
    frames: list[int] = []

    def on_websocket(socket: WebSocket) -> None:
        for event in ("framereceived", "framesent"):
            socket.on(event, lambda frame: frames.append(len(frame)))

    page = visit("about:blank", "body")
    page.on("websocket", on_websocket)
    page.goto(f"{server}/step_by_step")
    page.wait_for_selector(READY)
    page.wait_for_timeout(1500)
    page.evaluate(f"{CLOCK}.speed = 12")
    before = len(frames)
    page.keyboard.press("Space")
    expect(page.locator(".play")).to_contain_text("Pause")
    expect_step(page, NUM_STEPS)
    assert len(frames) == before > 0
    expect(page.locator(".play")).to_contain_text("Play")
    assert page.locator(".target .coming").count() == 0
    expect(page.locator(".target .now")).to_have_text("end")


def test_play_runs_the_encoder_before_step_1(open_player: OpenPlayer) -> None:
    page = open_player(bypass_csp=True)
    page.evaluate(f"{CLOCK}.speed = 4")
    page.keyboard.press("Space")
    expect_step(page, 0)
    page.wait_for_function(f"{CLOCK}.progress > 0.3")  # the forward states are being read
    page.keyboard.press("Space")
    shown = "nodes => nodes.map(node => Number(node.style.opacity))"
    forward, backward = (
        page.locator(".encoder > g").evaluate_all(shown)[k * len(TRACE.source.pieces) :][:3] for k in (0, 1)
    )
    assert (forward[0], backward) == (1, [0, 0, 0])
    blocks = page.locator(".strip .blocks").first
    assert blocks.evaluate("node => getComputedStyle(node).opacity") == "0"  # the annotations come last
    expect(page.locator(".chances")).to_be_hidden()
    page.get_by_role("button", name="Skip to step 1").click()
    page.mouse.move(0, 0)
    expect_step(page, 1)
    assert blocks.evaluate("node => getComputedStyle(node).opacity") == "1"
    page.keyboard.press("Space")  # the encoder has been shown
    page.wait_for_function(f"{CLOCK}.step === 1")


def test_everything_fits_a_small_window(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?step=4", READY, viewport={"width": 1280, "height": 720})
    for name in (".for-source", ".play", ".track", ".target", ".chances li:last-child", ".explain"):
        box = get_box(page.locator(f".player {name}").first)
        assert 0 < box["y"] < box["y"] + box["height"] <= 720, name
    assert page.locator(".stMain").evaluate("main => main.scrollHeight <= main.clientHeight")


def test_a_step_unfolds_when_played_and_the_track_is_scrubbed(open_player: OpenPlayer) -> None:
    page = open_player(step=3, bypass_csp=True)  # Playwright waits with eval
    arrow_heads = "all => all.map(one => one.getAttribute('marker-end'))"
    heads = page.locator(".stage .flow").evaluate_all(arrow_heads)
    assert len(heads) >= 8
    assert all(head.startswith("url(#head-") for head in heads)
    page.evaluate(f"{CLOCK}.speed = 0.5")
    page.keyboard.press("Space")
    page.wait_for_function(f"{CLOCK}.step === 3 && {CLOCK}.progress > 0.28")
    page.keyboard.press("Space")
    assert 0.2 < page.evaluate(f"{CLOCK}.progress") < 0.6
    assert page.locator(".candidates .chosen").count() == 0
    bars = page.locator(".energy i").evaluate_all(
        "nodes => nodes.map(node => new DOMMatrix(getComputedStyle(node).transform).d)"
    )
    assert min(bars) > 0.9  # the energies are drawn
    page.evaluate(f"{CLOCK}.progress = 0; {CLOCK}.play(true); {CLOCK}.pause()")
    assert set(page.locator(".stage .flow").evaluate_all(arrow_heads)) == {"none"}
    page.keyboard.press("ArrowRight")
    assert page.locator(".candidates .chosen").count() == 1
    track = get_box(page.locator(".track"))
    page.mouse.click(track["x"] + track["width"] - 3, track["y"] + track["height"] / 2)
    expect_step(page, NUM_STEPS)
    page.mouse.click(track["x"] + 3, track["y"] + track["height"] / 2)
    expect_step(page, 0)
    page.locator(".target .piece").nth(2).click()
    expect_step(page, 3)

    page = open_player(reduced_motion="reduce")
    page.keyboard.press("Space")
    expect_step(page, 2)
    assert page.locator(".candidates .chosen").count() == 1
    expect(page.locator(".play")).to_contain_text("Pause")


def test_symbols_and_the_diagram_highlight_each_other(open_player: OpenPlayer) -> None:
    page = open_player(step=4)
    for part, drawing in (("alpha", ".strip .disc"), ("context", ".stage .node.context"), ("h", ".strip .blocks")):
        page.locator(f".formula .symbol.{part}").first.hover()
        expect(page.locator(f"{drawing}.lit").first).to_be_attached()
        assert page.locator(f"{drawing}.lit").count() == page.locator(drawing).count()
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


def test_a_guess_hides_the_step_until_a_word_is_chosen(open_player: OpenPlayer) -> None:
    page = open_player(step=2)
    guess, score, chosen = (page.locator(name) for name in ("[data-do=guess]", ".game", ".candidates .chosen"))
    guess.click()
    expect_step(page, 2)
    expect(score).to_contain_text("Where will it attend?")
    scales = "nodes => Math.max(...nodes.map(n => new DOMMatrix(getComputedStyle(n).transform).a))"
    assert page.locator(".disc i").evaluate_all(scales) == 0
    assert set(get_texts(page.locator(".equation .number b"))) <= {"?", ""}
    assert "writes" not in page.locator(".announced").inner_text()
    words, word_map = page.locator(".group[role=button]"), TRACE.compute_word_map_with_end()
    aims = [int(TRACE.get_map().values[i].argmax()) for i in (1, 2)]
    answers = [TRACE.source.word_of[aim] if TRACE.source.word_of[aim] >= 0 else word_map.shape[1] - 1 for aim in aims]
    page.evaluate(f"{CLOCK}.speed = 20")
    words.nth(answers[0]).click()
    expect(score).to_contain_text("Right 1 of 1")
    expect(chosen).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect_step(page, 3)
    expect(chosen).to_have_count(0)
    words.nth((answers[1] + 3) % words.count()).focus()
    page.keyboard.press("Enter")
    expect(score).to_contain_text("Right 1 of 2")
    expect(page.locator(".group.truth")).to_have_count(1)
    page.keyboard.press("ArrowLeft")  # an answered step stays open
    expect(chosen).to_have_count(1)
    page.wait_for_timeout(500)  # session storage is written asynchronously
    page.reload()
    expect(guess).to_have_attribute("aria-pressed", "true")
    expect(score).to_contain_text("Right 1 of 2")
    page.locator(".player").focus()
    page.keyboard.press("g")
    expect(score).to_have_text("")
    page.keyboard.press("g")  # a new game does not show the answers of the last one
    expect(score).to_contain_text("Where will it attend?")
    expect(page.locator(".group.truth, .group.wrong, .group.right")).to_have_count(0)


def test_a_clicker_plays_the_guessing_game_and_s_skips_to_the_end(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?present=1", ".player .play", viewport={"width": 3840, "height": 2160})
    settle_presentation(page)
    expect_step(page, 0)  # the encoder, which plays
    page.locator("[data-do=guess]").click()
    page.keyboard.press("ArrowRight")
    page.evaluate(f"{CLOCK}.speed = 20")
    score, chosen = page.locator(".game"), page.locator(".candidates .chosen")
    expect(score).to_contain_text("Where will it attend?")
    page.keyboard.press("PageDown")  # the answer
    expect(chosen).to_have_count(1)
    expect_step(page, 1)
    page.wait_for_timeout(NO_DOUBLE_PRESS)
    page.keyboard.press("PageDown")  # the next question
    expect_step(page, 2)
    expect(score).to_contain_text("Where will it attend?")
    expect(chosen).to_have_count(0)
    page.keyboard.press("PageUp")
    expect_step(page, 1)
    page.keyboard.press("s")
    expect_step(page, NUM_STEPS)
    assert page.evaluate("location.pathname") == "/step_by_step"


def test_on_a_phone_the_sentence_scrolls_and_the_controls_take_two_lines(server: str, visit: Visit) -> None:
    page = visit(f"{server}/step_by_step?step={NUM_STEPS - 1}", READY, viewport=PHONE)
    view = page.locator(".player .view")
    expect_step(page, NUM_STEPS - 1)
    expect(page.locator(".stacked.narrow")).to_have_count(1)
    assert view.evaluate("node => node.scrollWidth > node.clientWidth && node.scrollLeft > 0")  # follows the step
    assert get_box(page.locator(".player .controls"))["height"] < 95
    buttons = page.locator(".player .controls :is(button, input)").all()
    assert len(buttons) > 5
    for button in buttons:
        box = get_box(button)
        assert 0 <= box["x"] < box["x"] + box["width"] <= PHONE["width"]
    view.evaluate("node => node.scrollTo(0, 0)")
    expect(view).to_have_css("mask-image", re.compile("to left"))  # fades where it goes on
    view.evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    expect(view).to_have_css("mask-image", re.compile("to right"))
    page.goto(f"{server}/step_by_step?step=5")
    expect_step(page, 5)
    settle(page)
    attended_word, strip = get_box(page.locator(".player .view .strong")), get_box(view)
    assert strip["x"] <= attended_word["x"] < attended_word["x"] + attended_word["width"] <= strip["x"] + strip["width"]
    end = view.evaluate("node => (node.scrollTo(node.scrollWidth, 0), node.scrollLeft)")
    page.locator(".player .explain").evaluate("node => node.style.minHeight = '400px'")  # as by a long explanation
    page.wait_for_timeout(200)
    assert view.evaluate("node => node.scrollLeft") == end
    page.keyboard.press("Home")
    expect(page.locator(".player .count")).to_have_text("the encoder")
    end = view.evaluate("node => (node.scrollTo(node.scrollWidth, 0), node.scrollLeft)")
    page.set_viewport_size({"width": PHONE["width"] - 10, "height": PHONE["height"]})
    page.wait_for_timeout(200)
    assert view.evaluate("node => node.scrollLeft") >= end  # does not show what step 1 attends to


# --- the saved file


def test_the_saved_file_plays_without_the_app(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{server}/step_by_step", READY)
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "my-brother-bought-a-new-car-rnnsearch-50-step-by-step.html"
    page = visit(path.as_uri(), READY, color_scheme="light")
    for scheme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(18, 22, 31)")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect(page.locator("body")).to_have_css("background-color", colour)
    page.keyboard.press("End")
    expect_step(page, NUM_STEPS)
    assert get_texts(page.locator(".strip .weight")) == format_weights(NUM_STEPS)


def test_hostile_words_are_drawn_as_text(open_player: OpenPlayer) -> None:
    for name in ("HTML", "script", "closing tags", "entities", "bidirectional overrides"):
        text = "_".join(CASES[name].split())
        page = open_player(make_trace(text, text, (0,)))
        assert "".join(page.locator(".strip .text").all_text_contents()[:2]) == text
        assert page.title().endswith(text)
        page.keyboard.press("ArrowRight")
        assert page.locator(".player :is(img, iframe, a, script)").count() == 0
        page.close()


def test_the_equations_of_a_step_are_those_of_the_network(open_player: OpenPlayer) -> None:
    trace = EXAMPLE.traces["rnnencdec-50"]
    page = open_player(trace, step=3, step_equations=equations.build_rnnencdec_equations({"wiring": "groundhog"}))
    expect_step(page, 3, len(trace.steps))
    before, chosen = (page.locator(".target .piece").nth(k).text_content() for k in (1, 2))
    assert [text.replace(" ", "") for text in get_texts(page.locator(".equation .formula"))] == [
        line.replace(" ", "")
        for line in (f"c = h{len(trace.source.pieces)}", "p(y3) = softmax(Wot3)",
                     f"t3 = maxout(Uos2 + VoE “{before}” + Coc)", f"s3 = GRU(s2, E “{chosen}”, c)")
    ]  # fmt: skip
    # The diagram shows which state the readout uses, and which piece the update takes in.
    for name, count in (("before", 2), ("after", 1), ("fed", 2)):
        assert page.locator(f".stage .flow.{name}").count() == count
    assert page.locator(".ribbon").count() == 1
    assert page.locator("[data-do=guess], .symbol.alpha").count() == 0
    assert "one vector" in page.locator(".fixed").inner_text()


def test_an_unknown_network_is_played_with_its_own_equations_or_none(open_player: OpenPlayer) -> None:
    score = Symbol("e", "{step},j", "energies")
    line = (score, " = ", Symbol("q", "{before}", "question"), "ᵀ ", Symbol("h", "j", "h"))
    page = open_player(step_equations=StepEquations((Equation("asking", (line,), ("energies", "temperature")),)))
    assert get_texts(page.locator(".formula")) == ["e1,j = q0ᵀ hj"]
    expect(page.locator(".equation .number")).to_have_count(3)  # the energies; the trace has no temperature
    assert page.locator(".stage .node").count() == 1  # a plain diagram
    assert page.locator(".stage .ribbon").count() == len(TRACE.source.pieces)
    page.locator(".formula .symbol.question").hover()
    expect(page.locator(".explain")).to_have_text(load_messages("en")("step_by_step.explain"))
    for key in ("ArrowRight", "End", "Space", "Space"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Guess").click()
    page.keyboard.press("Home")
    page.locator("[data-group='1']").click()
    expect(page.locator(".game")).to_contain_text("of 1.")

    page = open_player(step_equations=StepEquations(), ready=".player .candidates")
    assert page.locator(".equation").count() == 0
    page.keyboard.press("ArrowRight")
    expect_step(page, 2)
    expect(page.locator(".candidates .chosen")).to_have_count(1)
