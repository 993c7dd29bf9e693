"""Drawings for files: numbers as on the screen, hostile text as text, reproducible bytes."""

import csv
import io
import re
import struct
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from model.analysis.metrics.length_curve import BINS
from pages.ui.charts import alignment_grid, curves, print_curves, print_maps, print_models, print_style, printing, sheet
from pages.ui.charts.alignment_grid import NUMBER_FROM
from pages.ui.charts.print_maps import choose_cell_colour
from pages.ui.charts.print_texts import PrintedWord
from pages.ui.charts.printing import Drawing, render
from pages.ui.charts.training_curves import TrainingCurves, TrainingMoment
from pages.ui.escape import strip_control_characters
from pages.ui.i18n.messages import load_messages
from tests.evaluations import falling_quality, make_evaluation
from tests.hostile import CASES
from tests.traces import ENGLISH, FRENCH, make_trace

SPACE = "{http://www.w3.org/2000/svg}"


def list_notes(letters: int) -> list[str]:
    return [f"no font for {letters}"]


def render_svg(drawing: Drawing) -> ET.Element:
    return ET.fromstring(render(drawing, "svg", list_notes))


def texts(svg: ET.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SPACE}text")]


def find_group(svg: ET.Element, name: str) -> ET.Element:
    (group,) = [element for element in svg.iter(f"{SPACE}g") if element.get("id") == name]
    return group


def find_fills(svg: ET.Element, name: str) -> list[str]:
    styles = (path.get("style") or "fill: #000000" for path in find_group(svg, name).iter(f"{SPACE}path"))
    return [style.removeprefix("fill: ") for style in styles]


def draw_map(source: str, target: str, scale: alignment_grid.ColourScale = "violet", paper: bool = False) -> Drawing:
    words = len(target.split())
    grid = alignment_grid.build_grid(
        make_trace(source, target, tuple(k % len(source.split()) for k in range(words))), "words"
    )
    style = print_maps.FIGURE_3_STYLE if paper else print_maps.LARGE_STYLE
    return print_maps.build_alignment_drawing("map", grid, scale, "a title", "end", style)


@pytest.mark.parametrize("scale", alignment_grid.COLOUR_SCALES)
@pytest.mark.parametrize("unit", alignment_grid.UNITS)
def test_map_has_every_weight_of_its_csv(scale: alignment_grid.ColourScale, unit: alignment_grid.Unit) -> None:
    grid = alignment_grid.build_grid(make_trace(), unit)
    svg = render_svg(print_maps.build_alignment_drawing("map", grid, scale, "a title", "end", model="a model"))
    table = np.array([row[1:] for row in csv.reader(io.StringIO(alignment_grid.to_csv(grid)))][1:], dtype=np.float32)
    unit_weight = alignment_grid.FIXED_POINT_ONE
    weights = [round(float(value) * unit_weight) / unit_weight for value in table.ravel()]
    assert find_fills(svg, "weights") == [choose_cell_colour(weight, scale) for weight in weights]
    numbers = [text for text in texts(svg) if re.fullmatch(r"\.\d\d|1", text)]
    large = [weight for weight in weights if weight >= NUMBER_FROM]
    assert numbers == [*map(alignment_grid.format_weight, large), "1"]  # and the scale
    assert svg.findtext(f"{SPACE}title") == "a title"
    assert "a model" in texts(svg)
    assert [text for text in texts(svg) if text == "end"] == ["end"] * 2


@pytest.mark.verdict
def test_paper_style_is_greyscale_with_source_across() -> None:
    grid = alignment_grid.build_grid(make_trace(), "words")
    style = print_maps.FIGURE_3_STYLE
    svg = render_svg(print_maps.build_alignment_drawing("map", grid, "grey", "a title", "end", style))
    labels = texts(svg)
    assert labels[: len(ENGLISH.split()) + 1] == [*ENGLISH.split(), "end"]
    assert labels[len(ENGLISH.split()) + 1 : -2] == [*FRENCH.split(), "end"]
    for colour, value in zip(find_fills(svg, "weights"), grid.values.ravel(), strict=True):
        assert colour == "#" + f"{round(255 * float(value)):02x}" * 3


def test_models_without_attention_have_no_colour_scale() -> None:
    grid = alignment_grid.build_grid(make_trace(), "words")
    for model_grid, has_scale in ((grid, True), (None, False)):
        models = [print_models.PrintedModel("a model", "facts", [PrintedWord("", "chat")], model_grid)]
        drawing = print_models.build_models_drawing(
            "models", [PrintedWord("", "cat")], models, "a title", "end", "", 2, print_maps.LARGE_STYLE
        )
        groups = {element.get("id") for element in render_svg(drawing).iter(f"{SPACE}g")}
        assert ("scale" in groups) is has_scale


def test_curves_are_drawn_to_scale() -> None:
    t = load_messages("en")
    pair = [
        curves.build_curve(make_evaluation("rnnsearch-50"), BINS),
        curves.build_curve(make_evaluation("rnnencdec-30", falling_quality), BINS),
    ]
    svg = render_svg(print_curves.build_curves_drawing("curves", pair, "a title", t))
    lines = [find_group(svg, f"line-{number}") for number in range(2)]
    paths = [next(line.iter(f"{SPACE}path")).get("d") or "" for line in lines]
    # Heights are a linear function of BLEU: the same one for both lines.
    heights = np.array([float(y) for path in paths for y in re.findall(r"[ML] \S+ (\S+)", path)])
    scores = np.array([point.bleu for curve in pair for point in curve.points], dtype=float)
    slope, offset = np.polyfit(scores, heights, 1)
    assert slope < 0
    np.testing.assert_allclose(slope * scores + offset, heights, atol=0.01)
    for label in ("RNNsearch-50", "RNNencdec-30", "1–10", "61+", "30", t("curve.words")):
        assert label in texts(svg)
    solid, dashed = (ET.tostring(line, "unicode") for line in lines)
    assert ["stroke-dasharray" in line for line in (solid, dashed)] == [False, True]
    assert "fill: #ffffff" in dashed  # hollow


def test_training_curves_have_a_line_per_amount() -> None:
    moments = tuple(TrainingMoment(10**6 * 2**k, (1.0 + k, 2.0 + k, None)) for k in range(4))
    training = TrainingCurves("rnnsearch-50", "f" * 12, ((1, 10), (11, 20), (21, 21)), moments)
    svg = render_svg(print_curves.build_training_drawing(training, "pieces", load_messages("en")))
    assert {element.get("id") for element in svg.iter(f"{SPACE}g")} >= {f"line-{k}" for k in range(4)}
    assert {"1.0 million tokens", "8.0 million tokens", "11–20", "21"} <= set(texts(svg))


@pytest.mark.parametrize("case", [*CASES][::3])
def test_hostile_words_stay_text(case: str) -> None:
    text = "".join(letter for letter in CASES[case][:2000] if not 0xD800 <= ord(letter) < 0xE000)  # as in a Trace
    words = " ".join(text.split()[:12]) or "x"
    allowed = {"svg", "title", "metadata", "defs", "style", "g", "path", "text", "use", "clipPath", "rect"}
    svg = render_svg(draw_map(words, words))
    assert {element.tag.removeprefix(SPACE) for element in svg.iter() if element.tag.startswith(SPACE)} <= allowed
    for word in words.split():
        assert sheet.shorten_label(word) in texts(svg) or not strip_control_characters(word)


@pytest.mark.parametrize(("case", "kind"), [
    ("LaTeX", "png"), ("null bytes", "pdf"), ("zalgo", "png"), ("emoji", "pdf"), ("Arabic", "png"),
])  # fmt: skip
def test_hostile_words_render_as_png_and_pdf(case: str, kind: printing.FileFormat) -> None:
    words = " ".join(CASES[case][:600].split()[:6]) or "x"
    assert render(draw_map(words, words), kind, list_notes)[:4] in (b"\x89PNG", b"%PDF")


@pytest.mark.parametrize("kind", printing.FILE_FORMATS)
def test_rendering_is_reproducible(kind: printing.FileFormat) -> None:
    rendered = render(draw_map(ENGLISH, FRENCH), kind, list_notes)
    with ThreadPoolExecutor(4) as executor:
        repetitions = list(executor.map(lambda _: render(draw_map(ENGLISH, FRENCH), kind, list_notes), range(4)))
    assert {rendered, *repetitions} == {rendered}
    assert not re.search(rb"20[0-9]{2}-[01][0-9]-|CreationDate|matplotlib", rendered, re.IGNORECASE)


def test_png_is_wide_enough_for_print() -> None:
    for words in ("a", ENGLISH):
        png = render(draw_map(words, words), "png", list_notes)
        width, height = struct.unpack(">II", png[16:24])
        assert width >= sheet.MIN_PNG_WIDTH
        assert max(width, height) <= sheet.MAX_PNG_SIDE


def test_file_has_a_note_on_missing_glyphs() -> None:
    counts: list[int] = []

    def note_once(letters: int) -> list[str]:
        counts.append(letters)
        return ["\U0010fffe", "a note"]

    cuneiform = draw_map("\U00012000 \U00012020 sœur, α √ Ł", "le chat gris")  # hardly any computer has a font for them
    assert "\U00012000" in texts(render_svg(cuneiform))
    render(cuneiform, "png", note_once)
    assert counts == [2]
    render(draw_map("sœur, α √ Ł", "le chat gris"), "png", note_once)
    assert counts == [2]


def _lightness(colour: str) -> float:
    """CIE L* of "#rrggbb"."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * luminance ** (1 / 3) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def test_colour_scale_is_perceptually_even() -> None:
    steps = np.diff([_lightness(choose_cell_colour(k / 10, "violet")) for k in range(11)])
    assert (steps < -4).all()
    assert steps.min() / steps.max() < 1.1, steps  # the largest step within a tenth of the smallest


def test_dark_drawing_has_dark_background() -> None:
    drawing = draw_map("a b", "c d", "grey", True)
    light, dark = (render(drawing, "svg", list_notes, is_dark).decode() for is_dark in (False, True))
    background = r'id="patch_1">\s*<path[^>]*style="fill: (#\w+)"'
    assert [re.findall(background, svg) for svg in (light, dark)] == [["#ffffff"], ["#12161f"]]
    assert [print_style.INK in svg for svg in (light, dark)] == [True, False]
    light_svg, dark_svg = ET.fromstring(light), ET.fromstring(dark)
    assert texts(light_svg) == texts(dark_svg)
    assert find_fills(light_svg, "weights") == find_fills(dark_svg, "weights")


def test_comparison_marks_changed_words() -> None:
    grid = alignment_grid.build_grid(make_trace(), "words")
    grids = [print_maps.LabelledGrid(grid, name, marked_words)
             for name, marked_words in (("its own", frozenset({3})), ("changed", frozenset[int]()))]  # fmt: skip
    svg = render_svg(print_maps.build_comparison_drawing("both", grids, "a title", "end"))
    assert texts(svg).index("its own") < texts(svg).index("changed")
    styles = [(element.text, element.get("style") or "") for element in svg.iter(f"{SPACE}text")]
    is_amber = [(text, print_maps.AMBER in style) for text, style in styles if text in ("chat", "gris")]
    assert is_amber == [("chat", False), ("gris", True), ("chat", False), ("gris", False)]
    cells = [group for group in svg.iter(f"{SPACE}g") if group.get("id") == "weights"]
    assert [len(list(group.iter(f"{SPACE}path"))) for group in cells] == [grid.values.size] * 2
