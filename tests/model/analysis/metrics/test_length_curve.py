"""Check bins, bands and paired differences on known values and against sacreBLEU on resampled text."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from model.analysis.metrics.length_curve import (
    BINS,
    Bins,
    LengthBin,
    assign_bins,
    compute_group_bleu_difference,
    compute_length_curve,
    compute_paired_bleu_difference,
    estimate_bleu_band,
    make_bins_of_equal_size,
    make_bins_of_equal_width,
)
from model.text.bleu import compute_bleu, count_statistics

Corpus = tuple[list[str], list[str], NDArray[np.int64]]


@pytest.fixture(scope="module")
def corpus(sentences: list[tuple[str, str]]) -> Corpus:
    """Return outputs, references and source lengths of 140 texts of 1 to 90 words; outputs drop one word in ten."""
    generator = random.Random(7)
    words = [word for _, reference in sentences for word in reference.split()]
    references = [" ".join(generator.choices(words, k=generator.randint(1, 90))) for _ in range(140)]
    outputs = [" ".join(word for word in text.split() if generator.random() < 0.9) for text in references]
    return outputs, references, np.array([len(text.split()) for text in references])


def test_every_length_is_in_one_bin() -> None:
    lengths = [0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61, 500]
    assert assign_bins(lengths).tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


@pytest.mark.verdict
def test_bins_are_corpus_bleu_and_add_up_to_it(corpus: Corpus) -> None:
    outputs, references, lengths = corpus
    rows = count_statistics(outputs, references)
    points = compute_length_curve(rows, lengths, resamples=20)
    assert [point.label for point in points] == ["1-10", "11-20", "21-30", "31-40", "41-50", "51-60", "61+"]
    assert LengthBin(13, 13, 0, None, None, None).label == "13"
    sums = np.zeros(10, dtype=np.int64)
    for point, (first, last) in zip(points, BINS, strict=True):
        members = [index for index, length in enumerate(lengths) if first <= length <= (last or 10**9)]
        member_texts = ([texts[index] for index in members] for texts in (outputs, references))
        expected = BLEU().corpus_score(next(member_texts), [next(member_texts)])
        assert point.sentences == len(members) > 5
        assert point.bleu == expected.score
        assert point.low is not None
        assert point.high is not None
        assert 0 < point.low <= point.high < 100.001
        sums += rows[members].sum(axis=0)
    assert compute_bleu(sums) == BLEU().corpus_score(outputs, [references]).score


def test_even_bins() -> None:
    assert make_bins_of_equal_width(10) == BINS
    assert make_bins_of_equal_width(3, 6) == ((1, 3), (4, 6), (7, None))
    for width, longest in ((0, 60), (7, 60), (61, 60), (-5, 60)):
        with pytest.raises(ValueError, match=f"Bins of {width} words don't fill {longest}"):
            make_bins_of_equal_width(width, longest)


def test_equal_bins_of_known_lengths() -> None:
    assert make_bins_of_equal_size([1, 2, 3, 4, 5, 6], 3) == ((1, 2), (3, 4), (5, None))
    assert make_bins_of_equal_size([6, 5, 4, 3, 2, 1], 2) == ((1, 3), (4, None))
    assert make_bins_of_equal_size([7, 7, 7, 7], 3) == ((1, None),)  # one length cannot be divided
    assert make_bins_of_equal_size([0, 0, 4, 9], 2) == ((1, 3), (4, None))  # no word counts as the shortest
    assert make_bins_of_equal_size([3, 3, 3, 3, 8], 4) == ((1, 7), (8, None))
    for lengths, parts in (([], 3), ([4], 0)):
        with pytest.raises(ValueError, match=f"got {len(lengths)} and {parts}"):
            make_bins_of_equal_size(lengths, parts)


@pytest.mark.parametrize("bins", [(), ((2, None),), ((1, 5),), ((1, 5), (7, None)), ((1, None), (6, None))])
def test_bins_with_gaps_are_refused(bins: Bins) -> None:
    with pytest.raises(ValueError, match=r"follow one another from 1, the last one open: got \["):
        assign_bins([3], bins)


def test_group_bleu_difference(corpus: Corpus) -> None:
    outputs, references, lengths = corpus
    worse = [text if length <= 40 else text[len(text) // 2 :] for text, length in zip(outputs, lengths, strict=True)]
    good, bad = count_statistics(outputs, references), count_statistics(worse, references)
    short, long = lengths <= 40, lengths > 40
    fall, level = (compute_group_bleu_difference(counts[short], counts[long]) for counts in (bad, good))
    assert fall.first_bleu == compute_bleu(bad[short].sum(axis=0))
    assert fall.second_bleu == compute_bleu(bad[long].sum(axis=0))
    assert fall.difference == fall.second_bleu - fall.first_bleu
    assert fall.low < fall.difference < fall.high < min(0, level.difference)
    # The groups are drawn apart: between a group and itself there is no difference, and yet an uncertainty.
    no_change = compute_group_bleu_difference(good[short], good[short])
    assert no_change.difference == 0
    low, high = estimate_bleu_band(good[short])
    assert (no_change.high - no_change.low) == pytest.approx(2**0.5 * (high - low), rel=0.2)
    for first, second in ((good[:0], good), (good, good[:0])):
        with pytest.raises(ValueError, match=f"in both groups: got {len(first)} and {len(second)}"):
            compute_group_bleu_difference(first, second)


def test_a_bin_without_sentences_has_no_score() -> None:
    points = compute_length_curve(count_statistics(["un chat"], ["un chat"]), [3], resamples=5)
    assert points[0].sentences == 1
    assert points[0].low == points[0].high == points[0].bleu
    assert points[0].band is None  # nothing to resample: a band of no width would look certain
    rows = count_statistics(["un chat", "un chien"], ["un chat", "un chat"])
    two = compute_length_curve(rows, [3, 3], resamples=5)[0]
    assert two.band == (two.low, two.high)
    assert [(point.sentences, point.bleu, point.low, point.high) for point in points[1:]] == [(0, None, None, None)] * 6


def test_the_band_equals_sacrebleu_on_resampled_text(corpus: Corpus) -> None:
    outputs, references, _ = corpus
    outputs, references = outputs[:30], references[:30]
    draws = np.random.default_rng(3).integers(0, 30, (40, 30), dtype=np.int32)
    scores = [BLEU().corpus_score([outputs[i] for i in draw], [[references[i] for i in draw]]).score for draw in draws]
    assert estimate_bleu_band(count_statistics(outputs, references), 40, 3) == pytest.approx(
        tuple(np.quantile(scores, [0.025, 0.975]))
    )


def test_a_paired_difference_draws_the_same_sentences_twice(corpus: Corpus) -> None:
    outputs, references, _ = corpus
    other_outputs = [text if index % 3 else text + " chat" for index, text in enumerate(outputs[:20])]
    first, second = count_statistics(outputs[:20], references[:20]), count_statistics(other_outputs, references[:20])
    draws = np.random.default_rng(5).integers(0, 20, (60, 20), dtype=np.int32)
    resampled = np.array([compute_bleu(first[draw].sum(axis=0)) - compute_bleu(second[draw].sum(axis=0))
                          for draw in draws])
    observed = compute_bleu(first.sum(axis=0)) - compute_bleu(second.sum(axis=0))
    result = compute_paired_bleu_difference(first, second, resamples=60, seed=5)
    assert (result.difference, result.sentences) == (observed, 20)
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(resampled, [0.025, 0.975])))
