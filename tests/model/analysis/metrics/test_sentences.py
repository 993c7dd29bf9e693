"""Check measures and scores of sentences against known values and sacreBLEU."""

import math

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.analysis.metrics.sentences import compute_sentence_bleu, measure_translation, score_sentence
from tests.model.analysis.traces import build_side, build_trace

OUTPUTS = ["le chat dort .", "le chat gris dort sur le toit .", "", "oui", "la la la la mer est belle ce soir"]
REFERENCES = ["le chat dort .", "le petit chat dort sur un toit .", "non .", "oui", "la mer est calme ce soir"]


def test_measures_of_one_translation() -> None:
    result = measure_translation(
        build_trace(
            build_side("the", "grey", "cat"), build_side("le", "chat"), [[1, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]]
        )
    )
    assert (result.words, result.ratio, result.repetition) == (2, pytest.approx(2 / 3), 0.0)
    assert result.log_probability == pytest.approx(-0.5)
    # Coverage by hand: 1, 1/2, 1/2, 1, so that CDP = -2 ln(1 + 1/4) / 4.
    deviation = -2 * math.log(1.25) / 4
    assert result.coverage == pytest.approx(100 * math.exp(-(deviation**2)))
    # Only the second row is undecided, between two words: AP_in = -ln 2 / 3. Every column is one word's: AP_out = 0.
    confidence = deviation - math.log(2) / 3
    assert result.confidence == pytest.approx(100 * math.exp(-0.05 * confidence**2))


def test_repetition_is_a_share_of_the_output() -> None:
    # The second and third "mer" are repetitions, and so is the "la" before each of them.
    result = measure_translation(build_trace(build_side("the", "sea"), build_side(*["la", "mer"] * 3), None))
    assert result.repetition == pytest.approx(4 / 6)


@pytest.mark.parametrize(("output", "reference"), list(zip(OUTPUTS, REFERENCES, strict=True)))
def test_sentence_scores_equal_sacrebleu(output: str, reference: str) -> None:
    result = score_sentence(output, reference)
    assert result.bleu == pytest.approx(BLEU(effective_order=True).sentence_score(output, [reference]).score)
    assert result.chrf == pytest.approx(CHRF().sentence_score(output, [reference]).score)


def test_vectorised_scores_equal_sacrebleu() -> None:
    generator = np.random.default_rng(1)
    lengths = generator.integers(0, 12, (3000, 2))
    totals = np.maximum(lengths[:, :1] - np.arange(4), 0)
    counts = np.hstack([np.minimum.accumulate(generator.integers(0, totals + 1), axis=1), totals, lengths])
    expected = [BLEU.compute_bleu(list(row[:4]), list(row[4:8]), row[8], row[9], effective_order=True,
                                  smooth_method="exp").score for row in counts.tolist()]  # fmt: skip
    assert 0.0 in expected
    assert compute_sentence_bleu(counts) == pytest.approx(expected, rel=1e-12, abs=1e-12)
