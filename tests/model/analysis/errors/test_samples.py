"""Drawn translations beside one of them: counted, word by word, and where each place looked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model.analysis.errors.samples import compare_samples
from model.trace import WeightMap
from tests.pages.traces import trace

SOURCE = "the house sleeps ."


def test_the_same_translation_stands_once_with_its_count_the_most_frequent_first() -> None:
    like = trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
    other = trace(SOURCE, "le foyer dort .", (0, 1, 2, 3))
    found = compare_samples(like, [other, like, like, other, like])
    assert [one.target.text for one, _ in found.counted] == ["la maison dort .", "le foyer dort ."]
    assert [count for _, count in found.counted] == [3, 2]
    assert found.alternatives == ((("la", 3), ("le", 2)), (("maison", 3), ("foyer", 2)), (("dort", 5),), ((".", 5),))


def test_what_is_missing_is_counted_as_nothing_and_looks_nowhere() -> None:
    like = trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
    short = trace(SOURCE, "la maison .", (0, 1, 3))
    found = compare_samples(like, [short, short])
    assert found.alternatives[2] == ((None, 2),)
    assert found.alpha is not None
    assert found.alpha[2].tolist() == [0.0] * 5


@pytest.mark.verdict
def test_alpha_is_the_mean_over_what_stood_there() -> None:
    like = trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
    other = trace(SOURCE, "la maison dort .", (0, 2, 1, 3))
    found = compare_samples(like, [like, other, other, other])
    assert found.alpha is not None
    expected = (like.compute_word_map_with_end().astype(float) + 3 * other.compute_word_map_with_end()) / 4
    np.testing.assert_allclose(found.alpha, expected, atol=1e-6)
    np.testing.assert_allclose(found.alpha.sum(axis=1), 1, atol=1e-4)


def test_the_mean_is_of_the_map_that_is_looked_at() -> None:
    one = trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
    turned = trace(SOURCE, "la maison dort .", (1, 0, 3, 2))
    both = replace(one, maps=(WeightMap("attention", one.get_map().values, head=1),
                              WeightMap("attention", turned.get_map().values, head=2)), shown="attention-h1")  # fmt: skip
    found = compare_samples(replace(both, shown="attention-h2"), [both, both])
    assert found.alpha is not None
    np.testing.assert_allclose(found.alpha, turned.compute_word_map_with_end(), atol=1e-6)


def test_without_attention_there_is_no_mean() -> None:
    like = trace(SOURCE, "la maison dort .", None)
    assert compare_samples(like, [like]).alpha is None


def test_translations_of_other_sentences_are_refused() -> None:
    like = trace(SOURCE, "la maison dort .", None)
    with pytest.raises(ValueError, match="one sentence"):
        compare_samples(like, [trace()])
    with pytest.raises(ValueError, match="one sentence"):
        compare_samples(like, [])
