"""Pairs of sentences that people have aligned, and how well links agree with theirs: the alignment error rate.

Och and Ney (2003, "A Systematic Comparison of Various Statistical Alignment Models"): people drew *sure* links S and
*possible* ones P, S among them. For links A, precision = |A and P| / |A|, recall = |A and S| / |S|, and
AER = 1 - (|A and S| + |A and P|) / (|A| + |S|), of a whole file at once. Links here are (source token, target token),
counted from 0; in files from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.analysis.metrics.length_curve import RESAMPLES, SEED, middle_interval, resample_sums
from model.serialization.files import compute_checksum
from model.text.bleu import Counts
from model.text.pair_files import read_lines

Link = tuple[int, int]

TEXT, GOLD = "hansards.en-fr.txt", "hansards.en-fr.gold"
"""The 447 pairs of the Canadian Hansards that Och and Ney aligned: `english ||| french` in tokens, and `i-j` (sure) or
`ipj` (possible) for each link, English-French, counted from 1."""

COUNTS = ("links", "sure", "links_sure", "links_possible")
"""|A|, |S|, |A and S|, |A and P| of a sentence."""

_LINK = re.compile(r"(\d{1,4})([-p])(\d{1,4})")


class HandAlignedError(ValueError):
    """Files of hand-aligned pairs that can't be used; the message is one sentence for the reader."""


@dataclass(frozen=True)
class AlignedPair:
    """A pair in tokens, and people's links: `possible` holds the sure ones too."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True)
class AlignedText:
    """The pairs of a file, its name, and the SHA-256 of the text's and the links' files."""

    name: str
    sha256: str
    gold_sha256: str
    pairs: tuple[AlignedPair, ...]

    def first(self, count: int) -> AlignedText:
        """The first `count` pairs only, and the name says so."""
        if count >= len(self.pairs):
            return self
        return AlignedText(f"{self.name}, first {count}", self.sha256, self.gold_sha256, self.pairs[:count])


@dataclass(frozen=True)
class LinkScores:
    """How well links agree with people's, all from 0 to 1; `low` and `high` bound the bootstrap's middle 95 %."""

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
    """The Hansards in a folder of corpora (its alignments/) or in the folder that holds the two files themselves.

    Raises HandAlignedError with the line's number for what does not fit, CorpusError for a file that is missing.
    """
    folder = folder / "alignments" if (folder / "alignments").is_dir() else folder
    text, gold = list(read_lines(folder / TEXT)), list(read_lines(folder / GOLD))
    if len(text) != len(gold):
        raise HandAlignedError(f"{TEXT} and {GOLD} must have as many lines: got {len(text)} and {len(gold)}.")
    pairs = tuple(
        parse_pair(line, links, number) for number, (line, links) in enumerate(zip(text, gold, strict=True), 1)
    )
    if not any(pair.sure for pair in pairs):
        raise HandAlignedError(f"{GOLD} holds no sure link (i-j); is it the right file?")
    sums = [compute_checksum(folder / name) for name in (TEXT, GOLD)]
    return AlignedText(TEXT.removesuffix(".txt"), sums[0], sums[1], pairs)


def parse_pair(line: str, links: str, number: int = 1) -> AlignedPair:
    """One pair, `source tokens ||| target tokens`, with its links, `i-j` and `ipj`; HandAlignedError names the line."""
    sides = [tuple(side.split()) for side in line.split("|||")]
    if len(sides) != 2 or not all(sides):
        raise HandAlignedError(f"Line {number} must hold a source and a target with ||| between them.")
    sure, possible = set(), set()
    for link in links.split():
        found = _LINK.fullmatch(link)
        if not found:
            raise HandAlignedError(f"Line {number}: a link is written i-j or ipj, got {link[:20]!r}.")
        source, target = int(found[1]) - 1, int(found[3]) - 1
        if not (0 <= source < len(sides[0]) and 0 <= target < len(sides[1])):
            raise HandAlignedError(f"Line {number}: links count tokens from 1, of which there are {len(sides[0])} and "
                                   f"{len(sides[1])}: got {link}.")
        possible.add((source, target))
        if found[2] == "-":
            sure.add((source, target))
    return AlignedPair(sides[0], sides[1], frozenset(sure), frozenset(possible))


def count_links(links: Iterable[Link], pair: AlignedPair) -> tuple[int, int, int, int]:
    """COUNTS of one pair."""
    chosen = set(links)
    return len(chosen), len(pair.sure), len(chosen & pair.sure), len(chosen & pair.possible)


def error_rate(counts: Sequence[int]) -> float:
    """AER, 0 to 1, of COUNTS summed over any sentences; without any link or sure link there is no error."""
    links, sure, right_sure, right_possible = counts
    return 1 - (right_sure + right_possible) / (links + sure) if links + sure else 0.0


def score_links(counts: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> LinkScores:
    """Error rate, precision and recall of a file, of COUNTS (sentences, 4); resampled by sentences."""
    sums = counts.sum(axis=0)
    drawn = resample_sums(counts, resamples, seed)
    aer, precision, recall = _rates(sums[None])
    bands = [middle_interval(values) for values in _rates(drawn)]
    return LinkScores(float(aer[0]), *bands[0], float(precision[0]), *bands[1], float(recall[0]), *bands[2],
                      int(sums[0]))


def diagonal_links(source: int, target: int) -> tuple[Link, ...]:
    """The baseline that knows lengths alone: each target token is linked to the source token as far along its line."""
    return tuple((min(source - 1, (2 * place + 1) * source // (2 * target)), place) for place in range(target))


def _rates(sums: Counts) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """AER, precision and recall of each row of COUNTS; 0 where nothing is divided by nothing."""
    links, sure, right_sure, right_possible = sums.T.astype(np.float64)

    def share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)

    together = links + sure
    aer = np.where(together > 0, 1 - share(right_sure + right_possible, together), 0.0)
    return aer, share(right_possible, links), share(right_sure, sure)
