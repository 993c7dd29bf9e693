"""BLEU against the length of the source, and how far such numbers may be trusted: bootstrap bands and differences.

Lengths are whitespace words of the English side. Everything here works on the ten numbers of each sentence
(`model.measure.bleu.statistics`), never on text. The bootstrap draws as many sentences as there are, with replacement,
and scores each such sample (Koehn 2004); the *paired* bootstrap draws the same sentences for both systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.measure.bleu import Counts, bleu

BINS: tuple[tuple[int, int | None], ...] = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None))
"""First and last number of source words; the last bin is open. A line without a word falls into the first."""

RESAMPLES = 1000
SEED = 1
LEVEL = 0.95
_AT_ONCE = 2_000_000  # random numbers held in memory together


@dataclass(frozen=True)
class Bin:
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


@dataclass(frozen=True)
class Difference:
    """How much better one system's corpus BLEU is than another's, on the same sentences.

    `low` and `high` bound the middle 95 % of the resampled differences. `p`: in what share of the samples the
    difference strays from its mean, to either side, by at least as much as the observed one does from 0.
    """

    difference: float
    low: float
    high: float
    p: float
    sentences: int


def bin_numbers(source_words: ArrayLike) -> NDArray[np.intp]:
    """The number of the bin, counted from 0, of each source."""
    return np.digitize(np.asarray(source_words), [first for first, _ in BINS[1:]])


def curve(statistics: Counts, source_words: ArrayLike, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[Bin, ...]:
    """Corpus BLEU of each bin, with its band, for statistics (sentences, 10) and source lengths (sentences,)."""
    numbers = bin_numbers(source_words)
    points = []
    for number, (first, last) in enumerate(BINS):
        members = statistics[numbers == number]
        if len(members):
            low, high = band(members, resamples, seed)
            points.append(Bin(first, last, len(members), bleu(members.sum(axis=0)), low, high))
        else:
            points.append(Bin(first, last, 0, None, None, None))
    return tuple(points)


def band(statistics: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[float, float]:
    """Between which two values the middle 95 % of the resampled corpus BLEU lie, for (sentences, 10), not empty."""
    return _middle([bleu(sums) for sums in _resampled(statistics, resamples, seed)])


def difference(one: Counts, other: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> Difference:
    """How much better `one` is than `other`, both (sentences, 10) of the same sentences in the same order.

    Raises ValueError where their numbers of sentences differ or are 0.
    """
    if len(one) != len(other) or not len(one):
        raise ValueError(f"A paired difference needs the same sentences twice: got {len(one)} and {len(other)}.")
    width = one.shape[1]
    both = np.concatenate([one, other], axis=1)
    observed = bleu(one.sum(axis=0)) - bleu(other.sum(axis=0))
    drawn = np.array([bleu(sums[:width]) - bleu(sums[width:]) for sums in _resampled(both, resamples, seed)])
    strays = int((np.abs(drawn - drawn.mean()) >= abs(observed) - 1e-12).sum())
    return Difference(observed, *_middle(drawn), (strays + 1) / (resamples + 1), len(one))


def _resampled(statistics: Counts, resamples: int, seed: int) -> Iterator[Counts]:
    """The column sums of each bootstrap sample; the same seed draws the same sentences of as many."""
    generator = np.random.default_rng(seed)
    sentences = len(statistics)
    chunk = max(1, _AT_ONCE // sentences)
    columns = statistics.astype(np.float64)  # exact far beyond any corpus, and quick to multiply
    for first in range(0, resamples, chunk):
        drawn = generator.integers(0, sentences, (min(chunk, resamples - first), sentences), dtype=np.int32)
        times = np.array([np.bincount(sample, minlength=sentences) for sample in drawn], dtype=np.float64)
        yield from (times @ columns).astype(np.int64)


def _middle(values: ArrayLike) -> tuple[float, float]:
    low, high = np.quantile(np.asarray(values), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
