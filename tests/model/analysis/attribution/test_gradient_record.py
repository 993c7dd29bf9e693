"""Check decay curves and the fitted decay factor on known numbers."""

from __future__ import annotations

import numpy as np
import pytest

from model.analysis.attribution.gradient_record import Gradients, fit_decay_factor
from model.trace import Side


def build_gradients(remaining_steps: tuple[int, ...]) -> Gradients:
    side = Side("a b", ("a", "b"), ("a", "b", "</s>"), (0, 1, -1))
    norms = np.array([[1.0, 10.0, 100.0], [3.0, 30.0, 300.0]])
    return Gradients("tiny", side, side, np.zeros(2), norms, None, remaining_steps, True, 1, ())


def test_a_decay_curve_is_ordered_by_distance() -> None:
    gradients = build_gradients((2, 1, 0))
    assert gradients.compute_decay_curve(gradients.total).tolist() == [200.0, 20.0, 2.0]
    assert gradients.list_tokens_by_distance() == ("</s>", "b", "a")
    assert build_gradients((1, 2, 0)).list_tokens_by_distance() == ("</s>", "a", "b")


def test_every_word_and_the_end_have_a_decay_curve() -> None:
    side = Side("ab c", ("ab", "c"), ("a", "b", "c", "</s>"), (0, 0, 1, -1))
    norms = np.array([[1.0, 0, 0, 8], [3, 0, 0, 0], [0, 4, 0, 0], [0, 0, 4, 0]])
    gradients = Gradients("tiny", side, side, np.zeros(4), norms, None, (3, 2, 1, 0), True, 1, ())
    assert [curve.tolist() for curve in gradients.compute_word_decay_curves(norms)] == [
        [2, 1, 1, 1],
        [4, 0, 0, 2],
        [0, 0, 4, 0],
        [0, 4, 0, 0],
    ]


@pytest.mark.parametrize(("curve", "expected"), [
    ([200.0, 20.0, 2.0], 0.1), ([1.0, 1.0, 1.0, 1.0], 1.0), ([1.0, 0.0, 0.25, 0.125], 0.5),
    ([0.0, 0.5], None), ([], None),
])  # fmt: skip
def test_the_decay_factor_of_known_curves(curve: list[float], expected: float | None) -> None:
    assert fit_decay_factor(np.array(curve)) == (None if expected is None else pytest.approx(expected))
