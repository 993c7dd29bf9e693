"""Check the comparison of sampled translations with a reference."""

from __future__ import annotations

import numpy as np
import pytest

from model.analysis.errors.samples import compare_samples
from tests.traces import make_trace

SOURCE = "the house sleeps ."


def test_translations_are_counted_most_frequent_first() -> None:
    reference = make_trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
    sample = make_trace(SOURCE, "le foyer dort .", (0, 1, 2, 3))
    result = compare_samples(reference, [sample, reference, reference, sample, reference])
    assert [one.target.text for one, _ in result.sample_counts] == ["la maison dort .", "le foyer dort ."]
    assert [count for _, count in result.sample_counts] == [3, 2]
    assert result.alternatives == ((("la", 3), ("le", 2)), (("maison", 3), ("foyer", 2)), (("dort", 5),), ((".", 5),))
    result = compare_samples(reference, [make_trace(SOURCE, "la maison .", (0, 1, 3))] * 2)
    assert result.alternatives[2] == ((None, 2),)
    assert result.alpha is not None
    assert result.alpha[2].tolist() == [0.0] * 5


@pytest.mark.verdict
def test_alpha_is_averaged_over_the_words_in_a_place() -> None:
    reference = make_trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
    sample = make_trace(SOURCE, "la maison dort .", (0, 2, 1, 3))
    result = compare_samples(reference, [reference, sample, sample, sample])
    assert result.alpha is not None
    expected = (reference.compute_word_map_with_end().astype(float) + 3 * sample.compute_word_map_with_end()) / 4
    np.testing.assert_allclose(result.alpha, expected, atol=1e-6)
    np.testing.assert_allclose(result.alpha.sum(axis=1), 1, atol=1e-4)


def test_translations_of_other_sentences_are_refused() -> None:
    reference = make_trace(SOURCE, "la maison dort .", None)
    with pytest.raises(ValueError, match="of the reference's sentence 'the house"):
        compare_samples(reference, [make_trace()])
    with pytest.raises(ValueError, match="at least one"):
        compare_samples(reference, [])
