"""BLEU against the length of the source, and how far such numbers may be trusted: bootstrap bands and differences.

Lengths are whitespace words of the English side. Everything here works on the ten numbers of each sentence
(`model.text.bleu.statistics`), never on text. The bootstrap draws as many sentences as there are, with
replacement, and scores each such sample (Koehn 2004); the *paired* bootstrap draws the same sentences for both systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.text.bleu import Counts, compute_bleu, compute_bleu_per_row

Bins = tuple[tuple[int, int | None], ...]

BINS: Bins = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None))
"""First and last number of source words; the last bin is open. A line without a word falls into the first."""

RESAMPLES = 1000
SEED = 1
LEVEL = 0.95
_AT_ONCE = 2_000_000  # random numbers held in memory together


@dataclass(frozen=True)
class LengthBin:
    """One point of the curve: sources of `first` to `last` words (None: any more), how many, and their corpus BLEU.

    `low` and `high` bound the bootstrap's middle 95 %. All three are None where there is no sentence.
    """

    first: int
    last: int | None
    sentences: int
    bleu: float | None
    low: float | None
    high: float | None

    @property
    def label(self) -> str:
        return f"{self.first}+" if self.last is None else f"{self.first}-{self.last}"

    @property
    def band(self) -> tuple[float, float] | None:
        """`low` and `high` where they tell something: of a single sentence nothing can be resampled, and a band of no
        width would look certain."""
        return None if self.sentences < 2 or self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class BleuDifference:
    """How much better one system's corpus BLEU is than another's, on the same sentences.

    `low` and `high` bound the middle 95 % of the resampled differences. `p`: the bootstrap's two-sided p-value, the
    share of resampled differences that are at least as far from their mean as the observed difference is from 0.
    """

    difference: float
    low: float
    high: float
    p: float
    sentences: int


@dataclass(frozen=True)
class GroupDifference:
    """How corpus BLEU differs between two groups of sentences that one system translated.

    `low` and `high` bound the middle 95 % of the differences when each group is resampled by itself.
    """

    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        return self.after - self.before


def make_even_bins(width: int, longest: int = 60) -> Bins:
    """Bins of `width` words each up to `longest`, and an open one for what is longer. ValueError unless they fit."""
    if width < 1 or longest < width or longest % width:
        raise ValueError(f"Bins of {width} words don't fill {longest} words.")
    closed: Bins = tuple((first, first + width - 1) for first in range(1, longest + 1, width))
    return (*closed, (longest + 1, None))


def make_equal_bins(source_words: ArrayLike, parts: int) -> Bins:
    """At most `parts` bins that hold as equal numbers of these sources as whole lengths allow; none of them is empty.

    Raises ValueError where there is no source, or fewer than one part is asked for.
    """
    lengths = np.maximum(np.sort(np.asarray(source_words, dtype=np.int64)), 1)
    if parts < 1 or not len(lengths):
        raise ValueError(f"Bins divide at least 1 sentence into at least 1 part: got {len(lengths)} and {parts}.")
    known, counts = np.unique(lengths, return_counts=True)
    below = np.cumsum(counts) - counts  # how many sources are shorter than each length
    wanted = np.arange(1, parts) * len(lengths) / parts
    nearest = np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)
    firsts = [1, *(int(first) for first in known[np.unique(nearest[nearest > 0])])]
    return tuple(zip(firsts, [*(first - 1 for first in firsts[1:]), None], strict=True))


def assign_bins(source_words: ArrayLike, bins: Bins = BINS) -> NDArray[np.intp]:
    """The number of the bin, counted from 0, of each source. Raises ValueError where bins leave lengths out."""
    _check(bins)
    return np.digitize(np.asarray(source_words), [first for first, _ in bins[1:]])


def compute_length_curve(
    statistics: Counts, source_words: ArrayLike, resamples: int = RESAMPLES, seed: int = SEED, *, bins: Bins = BINS
) -> tuple[LengthBin, ...]:
    """Corpus BLEU of each bin, with its band, for statistics (sentences, 10) and source lengths (sentences,)."""
    numbers = assign_bins(source_words, bins)
    points = []
    for number, (first, last) in enumerate(bins):
        members = statistics[numbers == number]
        if len(members):
            low, high = bleu_band(members, resamples, seed)
            points.append(LengthBin(first, last, len(members), compute_bleu(members.sum(axis=0)), low, high))
        else:
            points.append(LengthBin(first, last, 0, None, None, None))
    return tuple(points)


def bleu_band(statistics: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[float, float]:
    """Between which two values the middle 95 % of the resampled corpus BLEU lie, for (sentences, 10), not empty."""
    return middle_interval(compute_bleu_per_row(resample_sums(statistics, resamples, seed)))


def paired_bleu_difference(one: Counts, other: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> BleuDifference:
    """How much better `one` is than `other`, both (sentences, 10) of the same sentences in the same order.

    Raises ValueError where their numbers of sentences differ or are 0.
    """
    if len(one) != len(other) or not len(one):
        raise ValueError(f"A paired difference needs the same sentences twice: got {len(one)} and {len(other)}.")
    width = one.shape[1]
    both = np.concatenate([one, other], axis=1)
    observed = compute_bleu(one.sum(axis=0)) - compute_bleu(other.sum(axis=0))
    sums = resample_sums(both, resamples, seed)
    drawn = compute_bleu_per_row(sums[:, :width]) - compute_bleu_per_row(sums[:, width:])
    strays = int((np.abs(drawn - drawn.mean()) >= abs(observed) - 1e-12).sum())
    return BleuDifference(observed, *middle_interval(drawn), (strays + 1) / (resamples + 1), len(one))


def group_bleu_difference(
    before: Counts, after: Counts, resamples: int = RESAMPLES, seed: int = SEED
) -> GroupDifference:
    """How corpus BLEU changes from one group of sentences to another, both (sentences, 10) and not empty.

    The groups are other sentences, and may be harder or easier for any system: compare changes of several systems.
    Raises ValueError for an empty group.
    """
    if not len(before) or not len(after):
        raise ValueError(f"A change needs sentences before and after: got {len(before)} and {len(after)}.")
    generators = np.random.default_rng(seed).spawn(2)
    first, second = (compute_bleu_per_row(_drawn(group, resamples, own))
                     for group, own in zip((before, after), generators, strict=True))
    return GroupDifference(
        compute_bleu(before.sum(axis=0)), compute_bleu(after.sum(axis=0)), *middle_interval(second - first)
    )


def _check(bins: Sequence[tuple[int, int | None]]) -> None:
    """Raise ValueError unless every length from 1 up has one bin."""
    firsts = [first for first, _ in bins]
    lasts: list[int | None] = [first - 1 for first in firsts[1:]]
    if not bins or firsts[0] != 1 or sorted(set(firsts)) != firsts or [last for _, last in bins] != [*lasts, None]:
        raise ValueError(f"Bins must follow one another from 1, the last one open: got {list(bins)[:20]}.")


def resample_sums(statistics: Counts, resamples: int, seed: int) -> Counts:
    """The column sums of each bootstrap sample, (resamples, columns); the same seed draws the same sentences."""
    return _drawn(statistics, resamples, np.random.default_rng(seed))


def _drawn(statistics: Counts, resamples: int, generator: np.random.Generator) -> Counts:
    sentences = len(statistics)
    chunk = max(1, _AT_ONCE // sentences)
    columns = statistics.astype(np.float64)  # exact far beyond any corpus, and quick to multiply
    sums = []
    for first in range(0, resamples, chunk):
        drawn = generator.integers(0, sentences, (min(chunk, resamples - first), sentences), dtype=np.int32)
        times = np.array([np.bincount(sample, minlength=sentences) for sample in drawn], dtype=np.float64)
        sums.append((times @ columns).astype(np.int64))
    return np.concatenate(sums)


def middle_interval(values: ArrayLike) -> tuple[float, float]:
    """Between which two values the middle 95 % of these values lie."""
    low, high = np.quantile(np.asarray(values), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
