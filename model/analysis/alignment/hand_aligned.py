"""Hand-aligned sentence pairs, and the alignment error rate of links against the annotators' links.

Och and Ney (2003, "A Systematic Comparison of Various Statistical Alignment Models"): annotators marked *sure* links S
and *possible* links P, with S a subset of P. For links A over a whole file, precision = |A and P| / |A|, recall = |A
and S| / |S|, AER = 1 - (|A and S| + |A and P|) / (|A| + |S|). Links are (source token, target token), from 0 here and
from 1 in files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.analysis.metrics.length_curve import RESAMPLES, SEED, compute_middle_interval, resample_sums
from model.serialization.files import compute_checksum
from model.text.bleu import Counts
from model.text.pair_files import read_lines

Link = tuple[int, int]

TEXT, GOLD = "hansards.en-fr.txt", "hansards.en-fr.gold"
"""The 447 pairs of the Canadian Hansards of Och and Ney: `english ||| french` as tokens, and for each link `i-j` (sure)
or `ipj` (possible), English-French, from 1.
"""

COUNTS = ("links", "sure", "links_sure", "links_possible")
"""Of one sentence: |A|, |S|, |A and S|, |A and P|."""

_LINK = re.compile(r"(\d{1,4})([-p])(\d{1,4})")


class HandAlignedError(ValueError):
    """Raised for unusable files of hand-aligned pairs; the message is one sentence for the user."""


@dataclass(frozen=True)
class AlignedPair:
    """A pair as tokens, and the annotators' links; `possible_links` includes the sure ones."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure_links: frozenset[Link]
    possible_links: frozenset[Link]


@dataclass(frozen=True)
class AlignedText:
    """The pairs of a file, its name, and the SHA-256 of its two files."""

    name: str
    sha256: str
    gold_sha256: str
    pairs: tuple[AlignedPair, ...]

    def limit(self, count: int) -> AlignedText:
        """Return the first `count` pairs; the name says so."""
        if count >= len(self.pairs):
            return self
        return AlignedText(f"{self.name}, first {count}", self.sha256, self.gold_sha256, self.pairs[:count])


@dataclass(frozen=True)
class LinkScores:
    """Error rate, precision and recall, from 0 to 1. The fields are JSON keys.

    `_low` and `_high` bound the middle 95 % of the bootstrap. `links`: the number of links scored.
    """

    aer: float
    aer_low: float
    aer_high: float
    precision: float
    precision_low: float
    precision_high: float
    recall: float
    recall_low: float
    recall_high: float
    links: int


def read_hand_aligned(folder: Path) -> AlignedText:
    """Read the Hansards from a folder of corpora (from its alignments/) or from the folder of the two files.

    Raises HandAlignedError with the line number for a malformed line, CorpusError for a missing file.
    """
    folder = folder / "alignments" if (folder / "alignments").is_dir() else folder
    text, gold = list(read_lines(folder / TEXT)), list(read_lines(folder / GOLD))
    if len(text) != len(gold):
        raise HandAlignedError(f"{TEXT} and {GOLD} must have the same number of lines: got {len(text)} and "
                               f"{len(gold)}.")
    pairs = tuple(
        parse_pair(line, links, number) for number, (line, links) in enumerate(zip(text, gold, strict=True), 1)
    )
    if not any(pair.sure_links for pair in pairs):
        raise HandAlignedError(f"{GOLD} holds no sure link (i-j); is it the right file?")
    checksums = [compute_checksum(folder / name) for name in (TEXT, GOLD)]
    return AlignedText(TEXT.removesuffix(".txt"), checksums[0], checksums[1], pairs)


def parse_pair(line: str, links: str, number: int = 1) -> AlignedPair:
    """Parse a pair `source tokens ||| target tokens` and its links `i-j` and `ipj`. HandAlignedError names the line."""
    sides = [tuple(side.split()) for side in line.split("|||")]
    if len(sides) != 2 or not all(sides):
        raise HandAlignedError(f"Line {number} must hold a source and a target with ||| between them.")
    sure_links, possible_links = set(), set()
    for link in links.split():
        match = _LINK.fullmatch(link)
        if not match:
            raise HandAlignedError(f"Line {number}: a link is written i-j or ipj, got {link[:20]!r}.")
        source, target = int(match[1]) - 1, int(match[3]) - 1
        if not (0 <= source < len(sides[0]) and 0 <= target < len(sides[1])):
            raise HandAlignedError(f"Line {number}: links count tokens from 1, of which there are {len(sides[0])} and "
                                   f"{len(sides[1])}: got {link}.")
        possible_links.add((source, target))
        if match[2] == "-":
            sure_links.add((source, target))
    return AlignedPair(sides[0], sides[1], frozenset(sure_links), frozenset(possible_links))


def count_links(links: Iterable[Link], pair: AlignedPair) -> tuple[int, int, int, int]:
    """Return COUNTS of one pair."""
    link_set = set(links)
    return len(link_set), len(pair.sure_links), len(link_set & pair.sure_links), len(link_set & pair.possible_links)


def compute_error_rate(sums: Counts) -> float:
    """Return the AER of summed COUNTS, from 0 to 1; 0 if there are neither links nor sure links."""
    return float(compute_rates(sums[None])[0][0])


def score_links(counts: Counts) -> LinkScores:
    """Score the COUNTS of a file, (sentences, 4), with bootstrap bands over sentences."""
    sums = counts.sum(axis=0)
    samples = resample_sums(counts, RESAMPLES, SEED)
    aer, precision, recall = compute_rates(sums[None])
    bands = [compute_middle_interval(values) for values in compute_rates(samples)]
    return LinkScores(float(aer[0]), *bands[0], float(precision[0]), *bands[1], float(recall[0]), *bands[2],
                      int(sums[0]))


def build_diagonal_links(source: int, target: int) -> tuple[Link, ...]:
    """Return the baseline alignment, which knows only lengths: each target token is linked at the same relative
    position.
    """
    return tuple((min(source - 1, (2 * place + 1) * source // (2 * target)), place) for place in range(target))


def compute_rates(
    sums: Counts | NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return AER, precision and recall of each row of COUNTS; 0 for 0 / 0."""
    links, sure, right_sure, right_possible = sums.T.astype(np.float64)

    def divide(numerators: NDArray[np.float64], denominators: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.divide(numerators, denominators, out=np.zeros_like(numerators), where=denominators > 0)

    total = links + sure
    aer = np.where(total > 0, 1 - divide(right_sure + right_possible, total), 0.0)
    return aer, divide(right_possible, links), divide(right_sure, sure)
