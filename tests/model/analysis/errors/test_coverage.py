"""Check repetitions and coverage deviation of scripted translations."""

from __future__ import annotations

import math

import pytest

from model.analysis.errors.coverage import COLUMNS, measure_coverage
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import build_scripted_model

TEXT = ParallelText("made-up", "0" * 64, tuple(normalise_pairs((("A cat.", "Un chat."), ("Yes.", "Oui.")))))


def test_repetitions_and_deviations_of_known_attention(tiny_vocabulary: Vocabulary) -> None:
    """Every step attends to the end of the source alone."""
    model = build_scripted_model(tiny_vocabulary, {"A cat.": "Un chat chat chat.", "Yes.": "Oui."},
                                 compute_attention=lambda key, step: [0.0] * (len(key) - 1) + [1.0])
    record = measure_coverage(model, TEXT, command="by hand")
    counts = record["counts"]
    assert list(counts) == list(COLUMNS)
    assert (counts["words"], counts["repeated"]) == ([5, 2], [2, 0])
    assert counts["source_words"] == [4, 3]  # "A", "cat", "." and the end; "Yes", "." and the end
    for (words, source), result in zip([(5, 4), (2, 3)], counts["deviation"], strict=True):
        rows = words + 1  # a row a word, and one of the end
        assert result == round(1e6 * ((source - 1) * math.log(2) + math.log(1 + (1 - rows) ** 2)))
    assert record["shares"]["repeated"]["value"] == pytest.approx(2 / 7)
    assert record["shares"]["deviation"]["value"] == pytest.approx(sum(counts["deviation"]) / 7e6)
    assert (record["kind"], record["search"]["beam"], record["command"]) == ("coverage", 1, "by hand")
    with pytest.raises(EvaluationError, match="scripted wrote no word for any sentence of made-up"):
        measure_coverage(build_scripted_model(tiny_vocabulary, {"A cat.": "", "Yes.": ""}), TEXT)
