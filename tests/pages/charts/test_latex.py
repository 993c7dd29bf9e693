"""Attention maps as TikZ: their numbers, labels and gaps."""

import re

import numpy as np
import pytest

from pages.ui.charts import alignment_grid, latex
from pages.ui.charts.alignment_grid import COLOUR_SCALES, ColourScale
from tests.hostile import CASES
from tests.traces import ENGLISH, make_trace


@pytest.mark.parametrize("scale", COLOUR_SCALES)
def test_cells_and_numbers_are_those_of_the_trace(scale: ColourScale) -> None:
    trace = make_trace()
    alpha = trace.compute_word_map_in_order().astype(np.float64)
    code = latex.build_tikz(alignment_grid.build_grid(trace, "words"), scale, "end", "a caption")
    cells = np.array(re.findall(r"^(\d+) (\d+) ([\d.e-]+)$", code, re.MULTILINE), dtype=np.float64)
    drawn_weights = np.full(alpha.shape, np.nan)
    drawn_weights[cells[:, 1].astype(int), cells[:, 0].astype(int)] = cells[:, 2]
    np.testing.assert_allclose(drawn_weights, np.sqrt(alpha) if scale == "root" else alpha, rtol=1e-3, atol=1e-3)
    numbers = re.findall(r"axis cs:(\d+),(\d+)\) \{(\.\d\d|1)\}", code)
    assert [(int(x), int(y)) for x, y, _ in numbers] == [(x, y) for y, x in np.argwhere(alpha >= 0.3)]
    assert [float(number) for *_, number in numbers] == pytest.approx(alpha[alpha >= 0.3], abs=5.1e-3)
    words = len(ENGLISH.split())
    assert rf"\draw[apart] (axis cs:{words - 0.5},-0.5)" in code  # the end stands apart
    assert code.startswith("% a caption\n")


def test_a_caption_is_a_comment_of_all_its_words() -> None:
    caption = f"{'very ' * 40}{'long' * 40} caption"
    code = latex.build_tikz(alignment_grid.build_grid(make_trace(), "words"), "violet", "end", caption)
    comment = code[: code.index("% Needs")]
    assert all(line.startswith("% ") and len(line) <= 102 for line in comment.splitlines())
    assert "".join(comment.replace("%", "").split()) == "".join(caption.split())


@pytest.mark.parametrize("case", CASES)
def test_hostile_labels_are_printed_literally(case: str) -> None:
    escaped = latex.escape_latex(CASES[case][:500])
    assert not re.search(r"[\\{}%$#&_^~\n]", re.sub(r"\\text[a-z]+\{\}|\\[%$#&_{}]", "", escaped))


def test_a_label_runs_no_command() -> None:
    grid = alignment_grid.build_grid(make_trace(r"\input{x} cat", "a b", (0, 1)), "words")
    code = latex.build_tikz(grid, "violet", "end", "a caption")
    assert r"\input" not in code
    assert r"\textbackslash{}input\{x\}" in code
