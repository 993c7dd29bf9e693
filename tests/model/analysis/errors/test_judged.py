"""Check how often marks are right on translations judged by hand and not used for the rule."""

import pytest

from tests.model.analysis.errors.judged import Mark, score_marks

MIN_PRECISION = 0.9


@pytest.mark.verdict
@pytest.mark.parametrize("mark", ["lost", "invented"])
@pytest.mark.parametrize("attends", [True, False])
def test_nine_of_ten_marks_are_right_on_held_out_sentences(mark: Mark, attends: bool) -> None:
    result = score_marks(mark, attends)
    assert result.precision >= MIN_PRECISION, result
    assert result.recall >= ((0.75 if mark == "lost" else 0.7) if attends else 0.85), result
    assert result.expected_marks >= 20


@pytest.mark.parametrize("model", ["rnnsearch", "rnnencdec", "luong", "transformer"])
def test_omissions_are_found_equally_well_for_every_kind_of_model(model: str) -> None:
    result = score_marks("lost", model=model)
    assert result.precision >= MIN_PRECISION, result
    assert result.recall >= 0.6, result
    assert result.expected_marks >= 14
