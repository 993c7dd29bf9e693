"""BLEU by source length, with bootstrap bands and differences.

Lengths are whitespace words of the source. Everything works on ten statistics per sentence
(`model.text.bleu.count_statistics`), not on text. The bootstrap draws as many sentences as there are, with replacement,
and scores each sample (Koehn 2004); the *paired* bootstrap draws the same sentences for both systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.text.bleu import Counts, compute_bleu, compute_bleu_per_row

Bins = tuple[tuple[int, int | None], ...]

BINS: Bins = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None))
"""First and last number of source words; the last bin is open. An empty line is in the first."""

RESAMPLES = 1000
SEED = 1
LEVEL = 0.95
_CHUNK = 2_000_000  # random numbers in memory at once


@dataclass(frozen=True)
class LengthBin:
    """One point of the curve. The fields are JSON keys.

    Attributes:
        first: the fewest source words.
        last: the most source words, None for any number.
        sentences: how many sentences.
        bleu: their corpus BLEU; None without sentences, as are the bounds.
        low: lower bound of the middle 95 % of the bootstrap.
        high: upper bound.
    """

    first: int
    last: int | None
    sentences: int
    bleu: float | None
    low: float | None
    high: float | None

    @property
    def label(self) -> str:
        if self.last is None:
            return f"{self.first}+"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def band(self) -> tuple[float, float] | None:
        """`low` and `high` of two or more sentences: resampling one sentence gives a misleading band of no width."""
        return None if self.sentences < 2 or self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class BleuDifference:
    """How much better one system's corpus BLEU is than another's on the same sentences. The fields are JSON keys.

    `low` and `high` bound the middle 95 % of resampled differences.
    """

    difference: float
    low: float
    high: float
    sentences: int


@dataclass(frozen=True)
class GroupDifference:
    """How corpus BLEU differs between two groups of sentences translated by one system, such as short and long ones.

    `low` and `high` bound the middle 95 % of differences with each group resampled separately.
    """

    first_bleu: float
    second_bleu: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        return self.second_bleu - self.first_bleu


def make_bins_of_equal_width(width: int, longest: int = 60) -> Bins:
    """Return bins of `width` words up to `longest`, and an open one. Raises ValueError unless `width` divides
    `longest`.
    """
    if width < 1 or longest < width or longest % width:
        raise ValueError(f"Bins of {width} words don't fill {longest} words.")
    closed: Bins = tuple((first, first + width - 1) for first in range(1, longest + 1, width))
    return (*closed, (longest + 1, None))


def make_bins_of_equal_size(source_words: ArrayLike, parts: int) -> Bins:
    """Return at most `parts` non-empty bins with numbers of these sources as equal as possible.

    Raises ValueError without sources or for fewer than one part.
    """
    lengths = np.maximum(np.sort(np.asarray(source_words, dtype=np.int64)), 1)
    if parts < 1 or not len(lengths):
        raise ValueError(f"Bins divide at least 1 sentence into at least 1 part: got {len(lengths)} and {parts}.")
    distinct, counts = np.unique(lengths, return_counts=True)
    shorter_counts = np.cumsum(counts) - counts  # how many sources are shorter than each length
    targets = np.arange(1, parts) * len(lengths) / parts
    nearest_indices = np.abs(shorter_counts[None, :] - targets[:, None]).argmin(axis=1)
    firsts = [1, *(int(first) for first in distinct[np.unique(nearest_indices[nearest_indices > 0])])]
    return tuple(zip(firsts, [*(first - 1 for first in firsts[1:]), None], strict=True))


def assign_bins(source_words: ArrayLike, bins: Bins = BINS) -> NDArray[np.intp]:
    """Return the index of each source's bin. Raises ValueError for bins with gaps."""
    _check_bins(bins)
    return np.digitize(np.asarray(source_words), [first for first, _ in bins[1:]])


def compute_length_curve(
    statistics: Counts, source_words: ArrayLike, resamples: int = RESAMPLES, *, bins: Bins = BINS
) -> tuple[LengthBin, ...]:
    """Return corpus BLEU and band of each bin, of statistics (sentences, 10) and source lengths (sentences,)."""
    numbers = assign_bins(source_words, bins)
    points = []
    for number, (first, last) in enumerate(bins):
        members = statistics[numbers == number]
        if len(members):
            low, high = estimate_bleu_band(members, resamples)
            points.append(LengthBin(first, last, len(members), compute_bleu(members.sum(axis=0)), low, high))
        else:
            points.append(LengthBin(first, last, 0, None, None, None))
    return tuple(points)


def estimate_bleu_band(statistics: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[float, float]:
    """Return the middle 95 % of resampled corpus BLEU, of statistics (sentences, 10), not empty."""
    return compute_middle_interval(compute_bleu_per_row(resample_sums(statistics, resamples, seed)))


def compute_paired_bleu_difference(
    first: Counts, second: Counts, resamples: int = RESAMPLES, seed: int = SEED
) -> BleuDifference:
    """Return how much better `first` is than `second`, both (sentences, 10) of the same sentences in the same order.

    Raises ValueError for different or zero numbers of sentences.
    """
    if len(first) != len(second) or not len(first):
        raise ValueError(f"A paired difference needs the same sentences twice: got {len(first)} and {len(second)}.")
    width = first.shape[1]
    statistics = np.concatenate([first, second], axis=1)
    observed = compute_bleu(first.sum(axis=0)) - compute_bleu(second.sum(axis=0))
    sums = resample_sums(statistics, resamples, seed)
    differences = compute_bleu_per_row(sums[:, :width]) - compute_bleu_per_row(sums[:, width:])
    return BleuDifference(observed, *compute_middle_interval(differences), len(first))


def compute_group_bleu_difference(first: Counts, second: Counts) -> GroupDifference:
    """Return how corpus BLEU differs between two groups of sentences, both (sentences, 10) and not empty.

    One group may be harder for any system, so compare the differences of several systems. Raises ValueError for an
    empty group.
    """
    if not len(first) or not len(second):
        raise ValueError(f"A difference needs sentences in both groups: got {len(first)} and {len(second)}.")
    generators = np.random.default_rng(SEED).spawn(2)
    first_scores, second_scores = (compute_bleu_per_row(_resample(group, RESAMPLES, generator)) for group, generator
                                   in zip((first, second), generators, strict=True))
    return GroupDifference(compute_bleu(first.sum(axis=0)), compute_bleu(second.sum(axis=0)),
                           *compute_middle_interval(second_scores - first_scores))


def _check_bins(bins: Sequence[tuple[int, int | None]]) -> None:
    """Raise ValueError unless every length from 1 up has exactly one bin."""
    firsts = [first for first, _ in bins]
    lasts: list[int | None] = [first - 1 for first in firsts[1:]]
    if not bins or firsts[0] != 1 or sorted(set(firsts)) != firsts or [last for _, last in bins] != [*lasts, None]:
        raise ValueError(f"Bins must follow one another from 1, the last one open: got {list(bins)[:20]}.")


def resample_sums(statistics: Counts, resamples: int, seed: int) -> Counts:
    """Return the column sums of each bootstrap sample, (resamples, columns); the same seed draws the same sentences."""
    return _resample(statistics, resamples, np.random.default_rng(seed))


def _resample(statistics: Counts, resamples: int, generator: np.random.Generator) -> Counts:
    sentences = len(statistics)
    chunk = max(1, _CHUNK // sentences)
    columns = statistics.astype(np.float64)  # exact far beyond any corpus, and fast
    sums = []
    for first in range(0, resamples, chunk):
        samples = generator.integers(0, sentences, (min(chunk, resamples - first), sentences), dtype=np.int32)
        multiplicities = np.array([np.bincount(sample, minlength=sentences) for sample in samples], dtype=np.float64)
        sums.append((multiplicities @ columns).astype(np.int64))
    return np.concatenate(sums)


def compute_middle_interval(values: ArrayLike) -> tuple[float, float]:
    """Return the bounds of the middle 95 % of values."""
    low, high = np.quantile(np.asarray(values), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
