"""Points of a curve keep all digits: numbers are rounded once, where they are shown."""

import pytest

from model.analysis.metrics.length_curve import LengthBin
from pages.ui.charts.payload_parts import build_curve_points
from pages.ui.i18n.typography import format_decimal


@pytest.mark.verdict
def test_points_keep_all_digits() -> None:
    bleu = 5.749  # rounded to 5.75 first it would become 5.8
    (point,) = build_curve_points([LengthBin(61, None, 20, bleu, 5.0, 6.0), LengthBin(1, 10, 0, None, None, None)])
    assert point["bleu"] == bleu
    assert format_decimal(point["bleu"], 1) == "5.7"
