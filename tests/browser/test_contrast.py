"""Contrast of highlighted, chosen and new words: at least 4.5 : 1 as drawn, in light and dark.

axe does not see the bars and shades behind a text, nor states that need a click.
"""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from model.analysis.errors.samples import compare_samples
from model.decoding import OverrideRule
from pages.ui.components import standalone
from pages.ui.laboratory import forced_decoding, sampling
from pages.ui.story import payload as scenes
from tests.browser.mounted import Mounted
from tests.browser.payloads import SAY, build_console, build_family, build_growing_comparison, build_heatmap
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.step_by_step.test_payload import build_payload
from tests.traces import FRENCH, make_trace

MIN_CONTRAST = 4.5
MIN_PIXELS = 30  # of letters without their edges

MountScaled = Callable[[str, Any], Mounted]


def compute_luminance(colour: np.ndarray) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    shares = [float(part) / 255 for part in colour]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(one: np.ndarray, other: np.ndarray) -> float:
    """Return the contrast of two colours (WCAG 2)."""
    darker, lighter = sorted(map(compute_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def capture(node: Locator, colour: str) -> np.ndarray:
    """Return a node as drawn with letters of this colour, "" for their own."""
    style = f"* {{ -webkit-text-fill-color: {colour} !important }}" if colour else ""
    return np.asarray(Image.open(BytesIO(node.screenshot(style=style))).convert("RGB"))


def measure_contrast(node: Locator) -> float:
    """Return the least contrast between a letter of a node, without its edges, and what is behind it."""
    drawn, black, white, behind = (capture(node, colour) for colour in ("", "#000", "#fff", "transparent"))
    core = (black == 0).all(-1) & (white == 255).all(-1)
    assert core.sum() >= MIN_PIXELS
    pairs = np.unique(np.concatenate([drawn[core], behind[core]], axis=1), axis=0)
    return min(compute_contrast(pair[:3], pair[3:]) for pair in pairs)


@pytest.fixture(params=["light", "dark"])
def mount_scaled(request: pytest.FixtureRequest, mount: Callable[..., Mounted]) -> MountScaled:
    """Return a function that mounts a component in the app's colours, three times as large."""

    def mount_component(name: str, data: Any) -> Mounted:
        component = mount(name)
        component.page.emulate_media(color_scheme=request.param, reduced_motion="reduce")
        style = "--st-font: sans-serif; color-scheme: light dark; background: var(--st-background-color); zoom: 3"
        component.page.add_style_tag(content=f"{standalone._render_colours()} body {{ {style} }}")
        component.render(data)
        return component

    return mount_component


def test_highlighted_words(mount_scaled: MountScaled) -> None:
    page = mount_scaled("heatmap", build_heatmap()).page
    page.locator("tbody th").nth(1).click()
    page.mouse.move(0, 0)
    expect(page.locator(".pinned")).to_have_count(1)
    assert measure_contrast(page.locator(".lane.source .word").nth(2)) > MIN_CONTRAST
    assert measure_contrast(page.locator("tbody th .word").nth(1)) > MIN_CONTRAST
    page = mount_scaled("family", build_family(PLAIN, ATTENDED)).page
    page.locator(".source .word").nth(1).click()
    page.mouse.move(0, 0)
    assert measure_contrast(page.locator(".source .word").nth(1)) > MIN_CONTRAST
    page = mount_scaled("compare", build_growing_comparison()).page
    page.keyboard.press("PageDown")
    assert measure_contrast(page.locator('[data-model="1"].new').first) > MIN_CONTRAST
    word = page.locator('.pair [data-model="1"]').first
    word.click()
    page.mouse.move(0, 0)
    expect(word).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.querySelector('div').shadowRoot.activeElement.blur()")
    assert measure_contrast(word) > MIN_CONTRAST


def test_candidates_and_the_current_equation(mount_scaled: MountScaled) -> None:
    page = mount_scaled("step_by_step", build_payload()).page
    page.keyboard.press("ArrowRight")
    continuations = [node for node in page.locator(".candidate i").all() if node.inner_text()]
    assert continuations
    assert all(measure_contrast(node) > MIN_CONTRAST for node in continuations)
    page = mount_scaled("step_by_step", build_payload()).page
    page.locator(".guess").click()  # stops in the first equation
    equation = page.locator(".equation.now")
    assert measure_contrast(equation.locator(".symbol.before").first) > MIN_CONTRAST
    assert measure_contrast(equation.locator(".number span").first) > MIN_CONTRAST


def test_forced_words_counts_changed_numbers_and_answers(mount_scaled: MountScaled) -> None:
    forced = make_trace(target=FRENCH.replace("chat", "chien"))
    rows = [
        forced_decoding.build_row(make_trace(), make_trace(), "its own", SAY),
        forced_decoding.build_row(make_trace(), forced, "mine", SAY),
    ]
    page = mount_scaled("forced_decoding", forced_decoding.build_forced_payload([make_trace()], rows, True, SAY)).page
    word = page.locator(".word.other").first
    word.click()
    word.evaluate("node => node.blur()")
    assert measure_contrast(word) > MIN_CONTRAST
    samples = compare_samples(make_trace(), [make_trace()] * 3)
    page = mount_scaled("sampling", sampling.build_sampling_payload(samples, 3, SAY)).page
    assert measure_contrast(page.locator(".place .count").first) > MIN_CONTRAST
    data = build_console(OverrideRule("attention", "uniform", 1, 1))
    columns = [{**column, "is_changed": True, "kl_divergence": 0.88} for column in data["columns"]]
    page = mount_scaled("console", {**data, "columns": columns}).page
    assert measure_contrast(page.locator(".column.changed > .number", has_text="0.88").first) > MIN_CONTRAST
    page = mount_scaled("story", scenes.build_story_payload(4, SAY)).page
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.locator("[data-guess]").first.click()
    page.mouse.move(0, 0)
    assert measure_contrast(page.locator(".truth small")) > MIN_CONTRAST
