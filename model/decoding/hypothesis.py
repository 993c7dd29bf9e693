"""What search returns, and the chain it is built from while search goes on. Plain Python and numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.decoding.settings import Settings
from model.text.vocabulary import EOS, PAD
from model.trace import MapDescription, find_main_map
from model.trace.tree import Fate

Array = NDArray[Any]

COVERAGE_FLOOR = 1e-10  # a source piece never looked at counts as if that much of it were covered: log 0 has no value


@dataclass(frozen=True)
class BeamTreeNode:
    """One continuation that a beam looked at: a piece after the node `parent` (its number, -1 for the root).

    `log_probability` is that of the piece, `score` what the hypothesis would be ranked by if this were its last piece.
    """

    parent: int
    token: int
    log_prob: float
    score: float
    fate: Fate


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One translation of one sentence, T pieces long, and its own history.

    `pieces`: ids, EOS included when `finished`; `log_probabilities`: of each piece, in nats, their sum being
    `log_probability`; `candidates`: for each step the likeliest (id, log-probability), best first, as many as asked
    for; `weights`: by the key of their map, (T, source pieces), (T, T) or (source pieces, source pieces); `detail`: by
    name, (T, ...), None unless asked for; `score`: what it was ranked by; `tree`: all that the beam
    looked at, in the order of the steps, None unless asked for, and only with the best hypothesis of a sentence.
    """

    tokens: tuple[int, ...]
    log_probs: tuple[float, ...]
    candidates: tuple[tuple[tuple[int, float], ...], ...]
    weights: dict[str, Array]
    detail: dict[str, Array] | None
    total_log_prob: float
    score: float
    is_finished: bool
    tree: tuple[BeamTreeNode, ...] | None = None


@dataclass(frozen=True)
class SourceInfo:
    """What search knows of a source sentence: its pieces, the end included, the maps its network makes, and the weights
    of those that lie between source pieces, by key."""

    length: int
    maps: tuple[MapDescription, ...] = ()
    weights: dict[str, Array] = field(default_factory=dict)

    @cached_property
    def coverage_map_key(self) -> str | None:
        """The key of the map that coverage is read from: the one a reader sees first; None without attention."""
        first = find_main_map(self.maps)
        return None if first is None else first.key


@dataclass(frozen=True)
class StepOutput:
    """What one step gave, on the host: for each row the best pieces in order, the weights and the detail.

    `weights` and `detail` hold arrays (rows, ...); `pieces` and `log_probabilities` (rows, at least as many as the
    search needs), without what is impossible.
    """

    tokens: list[list[int]]
    log_probs: list[list[float]]
    weights: dict[str, Array]
    detail: dict[str, Array]

    def list_candidates(self, row: int, count: int) -> tuple[tuple[int, float], ...]:
        """The likeliest pieces of a row and their log-probabilities, best first."""
        return tuple(zip(self.tokens[row][:count], self.log_probs[row][:count], strict=True))


@dataclass(eq=False, slots=True)  # not frozen, which would take three times as long to make, but never changed
class PartialHypothesis:
    """A hypothesis while it grows: its last piece, and the path before it.

    Paths that share a beginning share its links, and a beam that reorders only picks among paths: the history of a
    hypothesis (its weights, its candidates) cannot come apart from its pieces.
    """

    parent: PartialHypothesis | None
    token: int
    log_prob: float
    total_log_prob: float  # the sum of the log-probabilities so far
    length: int
    output: StepOutput | None
    row: int  # of `look`, where this path stood when its last piece was chosen

    def extend_by_rank(self, look: StepOutput, row: int, rank: int) -> PartialHypothesis:
        """This path, which was `row` of the step, followed by the piece of that rank there."""
        return self.extend(look.tokens[row][rank], look.log_probs[row][rank], look, row)

    def extend(self, piece: int, log_probability: float, look: StepOutput, row: int) -> PartialHypothesis:
        """This path, which was `row` of the step, followed by any piece."""
        return PartialHypothesis(self, piece, log_probability, self.total_log_prob + log_probability, self.length + 1, look, row)

    @property
    def is_finished(self) -> bool:
        return self.token == EOS

    def get_steps(self) -> list[tuple[PartialHypothesis, StepOutput]]:
        """This path cut short after each of its pieces, with what was seen there; the first piece first."""
        links: list[tuple[PartialHypothesis, StepOutput]] = []
        path = self
        while path.output is not None and path.parent is not None:
            links.append((path, path.output))
            path = path.parent
        return links[::-1]

    def score(self, source: SourceInfo, settings: Settings) -> float:
        """What this path is ranked by once it has ended, or can grow no longer."""
        if not settings.beta or source.coverage_map_key is None:
            return settings.score(self.total_log_prob, self.length)
        rows = [look.weights[source.coverage_map_key][path.row][: source.length] for path, look in self.get_steps()]
        return settings.score(self.total_log_prob, self.length, compute_coverage(np.array(rows)))

    def to_hypothesis(self, source: SourceInfo, settings: Settings) -> Hypothesis:
        """The record of this path: its weights with padding cut away, those over the target filled up with 0."""
        links = self.get_steps()
        weights: dict[str, Array] = {}
        for one in source.maps:
            if one.rows == "source":
                weights[one.key] = source.weights[one.key]
                continue
            rows = [look.weights[one.key][path.row] for path, look in links]
            if one.columns == "source":
                weights[one.key] = np.concatenate(rows).reshape(len(rows), -1)[:, : source.length]
            else:
                weights[one.key] = filled = np.zeros((len(rows), len(rows)), rows[0].dtype)
                for number, row in enumerate(rows):
                    filled[number, : len(row)] = row

        def stacked(part: Callable[[StepOutput], dict[str, Array]]) -> dict[str, Array]:
            names = {name: part(look)[name] for _, look in links for name in part(look)}
            # What a step does not have is 0 there: before the first piece no gate has let anything through.
            return {name: np.stack([part(look)[name][path.row] if name in part(look) else np.zeros_like(like[0])
                                    for path, look in links]) for name, like in names.items()}

        return Hypothesis(
            tokens=tuple(path.token for path, _ in links),
            log_probs=tuple(path.log_prob for path, _ in links),
            candidates=tuple(look.list_candidates(path.row, settings.candidates) for path, look in links)
            if settings.candidates else ((),) * len(links),
            weights=weights,
            detail=stacked(lambda look: look.detail) if settings.detail else None,
            total_log_prob=self.total_log_prob,
            score=self.score(source, settings),
            is_finished=self.is_finished,
        )


EMPTY = PartialHypothesis(None, PAD, 0.0, 0.0, 0, None, 0)
"""The empty path; PAD stands for "no previous piece"."""


def compute_coverage(attention: Array) -> float:
    """sum_j log min(sum_i alpha_ij, 1) of attention (target, source): 0 where all of the source was looked at.

    The sum over i is over all target pieces, "</s>" too, that over j over the source pieces without the last, "</s>".
    """
    covered = attention[:, :-1].sum(axis=0, dtype=np.float64)
    return float(np.log(np.clip(covered, COVERAGE_FLOOR, 1.0)).sum())
