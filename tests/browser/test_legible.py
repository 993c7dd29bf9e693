"""What is lit, chosen or new is read as well as what is not: 4.5 : 1, as it is drawn, on light pages and dark ones.
What is so at rest axe sees (test_accessibility.py), but neither bars and shades behind a text, nor what comes later."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from model.analysis.errors.samples import compare_samples
from model.decoding import OverrideRule, Settings
from pages.ui.compare import payload as comparison
from pages.ui.components import standalone
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import forced_decoding, sampling
from pages.ui.story import payload as scenes
from tests.browser.mounted import Mounted
from tests.browser.test_components import best, changed
from tests.browser.test_meanwhile import family
from tests.pages.compare.test_payload import FIRST, LONG
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.step_by_step.test_payload import build_payload
from tests.pages.traces import FRENCH, make_trace

SAY = load_messages("en")
LEAST = 4.5
DRAWN = 30  # pixels of a colour, from which on it is more than an edge

Open = Callable[[str, Any], Mounted]


def light(colour: np.ndarray) -> float:
    """How light a colour is (WCAG 2, relative luminance)."""
    shares = [float(part) / 255 for part in colour]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(node: Locator) -> float:
    """Of the letters of a node with what they stand on: the colour that most of it has, the one farthest from it."""
    picture = np.asarray(Image.open(BytesIO(node.screenshot())).convert("RGB"))
    colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    ground = light(colours[counts.argmax()])
    letters = [light(colour) for colour in colours[counts >= DRAWN]]
    return max((max(one, ground) + 0.05) / (min(one, ground) + 0.05) for one in letters)


@pytest.fixture(params=["light", "dark"])
def opened(request: pytest.FixtureRequest, mount: Callable[..., Mounted]) -> Open:
    """Puts a component on a page of the app's colours, large, so that letters are more than their edges."""

    def made(name: str, data: Any) -> Mounted:
        component = mount(name)
        component.page.emulate_media(color_scheme=request.param, reduced_motion="reduce")
        look = "color-scheme: light dark; background: var(--st-background-color); zoom: 3"
        component.page.add_style_tag(content=f"{standalone._render_colours()} body {{ --st-font: sans-serif; {look} }}")
        component.give(data)
        return component

    return made


def test_a_word_that_is_lit(opened: Open) -> None:
    page = opened("heatmap", best()).page
    page.locator("tbody th").nth(1).click()
    page.mouse.move(0, 0)
    expect(page.locator(".pinned")).to_have_count(1)
    assert contrast(page.locator(".lane.source .word").nth(2)) > LEAST
    assert contrast(page.locator("tbody th .word").nth(1)) > LEAST
    page = opened("family", family(PLAIN, ATTENDED)).page
    page.locator(".source .word").nth(1).click()
    page.mouse.move(0, 0)
    assert contrast(page.locator(".source .word").nth(1)) > LEAST


def test_a_word_of_the_comparison_that_is_lit_or_new(opened: Open) -> None:
    short = make_trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
    whole = make_trace(LONG, "un chat dort là , et le chien court .", (0, 2, 3, 4, 5, 6, 7, 9, 10, 11))
    page = opened(
        "compare", comparison.build_compare_payload(((short, short), (whole, whole)), 1, Settings(), SAY)
    ).page
    page.keyboard.press("PageDown")
    assert contrast(page.locator('[data-model="1"].new').first) > LEAST
    word = page.locator('.pair [data-model="1"]').first
    word.click()
    page.mouse.move(0, 0)
    expect(word).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.querySelector('div').shadowRoot.activeElement.blur()")
    assert contrast(word) > LEAST


def test_a_candidate_that_goes_on_a_word(opened: Open) -> None:
    page = opened("step_by_step", build_payload()).page
    page.keyboard.press("ArrowRight")
    goes_on = [node for node in page.locator(".candidate i").all() if node.inner_text()]
    assert goes_on
    assert all(contrast(node) > LEAST for node in goes_on)


def test_an_equation_at_work(opened: Open) -> None:
    page = opened("step_by_step", build_payload()).page
    page.locator(".guess").click()  # held in the first equation, for as long as the reader thinks
    equation = page.locator(".equation.now")
    assert contrast(equation.locator(".symbol.before").first) > LEAST
    assert contrast(equation.locator(".number span").first) > LEAST


def test_a_forced_word_that_is_chosen(opened: Open) -> None:
    mine = make_trace(target=FRENCH.replace("chat", "chien"))
    rows = [
        forced_decoding.build_row(make_trace(), make_trace(), "its own", SAY),
        forced_decoding.build_row(make_trace(), mine, "mine", SAY),
    ]
    page = opened("words", forced_decoding.build_forced_payload([make_trace()], rows, True, SAY)).page
    word = page.locator(".word.other").first
    word.click()
    word.evaluate("node => node.blur()")
    assert contrast(word) > LEAST


def test_a_count_before_its_bar(opened: Open) -> None:
    component = opened(
        "sampling", sampling.build_sampling_payload(compare_samples(make_trace(), [make_trace()] * 3), 3, SAY)
    )
    assert contrast(component.page.locator(".place .count").first) > LEAST


def test_a_number_of_a_word_that_changed(opened: Open) -> None:
    data = changed(OverrideRule("attention", "uniform", 1, 1))
    columns = [{**one, "flipped": True, "moved": 0.88} for one in data["columns"]]
    component = opened("console", {**data, "columns": columns})
    assert contrast(component.page.locator(".flipped > .number", has_text="0.88").first) > LEAST


def test_what_the_right_guess_gets(opened: Open) -> None:
    page = opened("story", scenes.build_story_payload(4, SAY)).page
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.locator("[data-guess]").first.click()
    page.mouse.move(0, 0)
    assert contrast(page.locator(".truth small")) > LEAST
