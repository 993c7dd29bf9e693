"""What search returns, and the chain it is built from while search goes on. Plain Python and numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.text.vocabulary import EOS, PAD

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One translation of one sentence, T pieces long, and its own history.

    `pieces`: ids, EOS included when `finished`; `log_probabilities`: of each piece, in nats, their sum being
    `log_probability`; `candidates`: for each step the likeliest (id, log-probability), best first, as many as asked
    for; `weights`: by name, (T, source pieces); `detail`: by name, (T, ...), None unless asked for; `score`: what it
    was ranked by.
    """

    pieces: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    candidates: tuple[tuple[tuple[int, float], ...], ...]
    weights: dict[str, Array]
    detail: dict[str, Array] | None
    log_probability: float
    score: float
    finished: bool


@dataclass(frozen=True)
class Look:
    """What one step gave, on the host: for each row the best pieces in order, the weights and the detail.

    `weights` and `detail` hold arrays (rows, ...); `pieces` and `log_probabilities` (rows, at least as many as the
    search needs), without what is impossible.
    """

    pieces: list[list[int]]
    log_probabilities: list[list[float]]
    weights: dict[str, Array]
    detail: dict[str, Array]

    def candidates(self, row: int, count: int) -> tuple[tuple[int, float], ...]:
        """The likeliest pieces of a row and their log-probabilities, best first."""
        return tuple(zip(self.pieces[row][:count], self.log_probabilities[row][:count], strict=True))


@dataclass(frozen=True, eq=False, slots=True)
class Path:
    """A hypothesis while it grows: its last piece, and the path before it.

    Paths that share a beginning share its links, and a beam that reorders only picks among paths: the history of a
    hypothesis (its weights, its candidates) cannot come apart from its pieces.
    """

    before: Path | None
    piece: int
    log_probability: float
    total: float  # the sum of the log-probabilities so far
    length: int
    look: Look | None
    row: int  # of `look`, where this path stood when its last piece was chosen

    def extended(self, look: Look, row: int, rank: int) -> Path:
        """This path, which was `row` of the step, followed by the piece of that rank there."""
        log_probability = look.log_probabilities[row][rank]
        total = self.total + log_probability
        return Path(self, look.pieces[row][rank], log_probability, total, self.length + 1, look, row)

    @property
    def ended(self) -> bool:
        return self.piece == EOS

    def hypothesis(self, source_pieces: int, candidates: int, detail: bool, score: float) -> Hypothesis:
        """The record of this path, with padding cut from its weights."""
        links: list[tuple[Path, Look]] = []
        path = self
        while path.look is not None and path.before is not None:
            links.append((path, path.look))
            path = path.before
        links.reverse()

        def stacked(part: Callable[[Look], dict[str, Array]]) -> dict[str, Array]:
            names = {name: part(look)[name] for _, look in links for name in part(look)}
            # What a step does not have is 0 there: before the first piece no gate has let anything through.
            return {name: np.stack([part(look)[name][path.row] if name in part(look) else np.zeros_like(like[0])
                                    for path, look in links]) for name, like in names.items()}

        return Hypothesis(
            pieces=tuple(path.piece for path, _ in links),
            log_probabilities=tuple(path.log_probability for path, _ in links),
            candidates=tuple(look.candidates(path.row, candidates) for path, look in links),
            weights={name: values[:, :source_pieces] for name, values in stacked(lambda look: look.weights).items()},
            detail=stacked(lambda look: look.detail) if detail else None,
            log_probability=self.total,
            score=score,
            finished=self.ended,
        )


ROOT = Path(None, PAD, 0.0, 0.0, 0, None, 0)
"""The empty path; PAD stands for "no previous piece"."""
