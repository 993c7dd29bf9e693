"""Beam search over a batch of sentences.

At every step all continuations of a sentence's live hypotheses are ranked by their summed log-probability (they are of
one length, so that no length penalty would change the order) and the best `beam` are kept. Those that end are set
aside, the others live on. Unlike in GroundHog, the beam does not shrink for each hypothesis set aside; it stops when
none is live, when the greatest length is reached, or when no live hypothesis can still enter the n best, by a bound
that never errs (`Settings.best_possible`): stopping early changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.search.hypothesis import ROOT, Hypothesis, Look, Path
from model.search.settings import Settings
from model.search.step import rows_of, start, take
from model.translator import Translator


def beam(network: Translator, sources: Sequence[Sequence[int]], settings: Settings) -> list[list[Hypothesis]]:
    """For each source (piece ids, EOS last) its n best hypotheses, best first; sentences done leave the batch.

    Those that have ended come before those that reached the greatest length unfinished; in each group the better score
    comes first, of equal scores the one found first. Fewer than n come back only if there are no more.
    """
    beams = [Beam(len(source), settings) for source in sources]
    state = start(network, sources)
    going = beams
    while going:
        pieces = [path.piece for one in going for path in one.live]
        look, state = take(network, state, pieces, max(settings.beam, settings.candidates), settings.detail)
        parents: list[int] = []  # the row that each live path of the next step comes from
        first = 0
        counts = [len(one.live) for one in going]
        for one, count in zip(going, counts, strict=True):
            one.advance(look, first)
            first += count
            if not one.done:
                parents += [path.row for path in one.live]
        within_sentences = counts == [0 if one.done else len(one.live) for one in going]
        going = [one for one in going if not one.done]
        if going and parents != list(range(sum(counts))):
            rows = rows_of(network, parents)
            state = state.reorder(rows) if within_sentences else state.select(rows)
    return [one.n_best() for one in beams]


class Beam:
    """The beam of one sentence: its live paths, all of one length, and the n best that have ended; best first."""

    def __init__(self, source_pieces: int, settings: Settings) -> None:
        self.settings = settings
        self.source_pieces = source_pieces
        self.longest = settings.longest(source_pieces)
        self.live: list[Path] = [ROOT]
        self.ended: list[Path] = []
        self.done = False

    def advance(self, look: Look, first: int) -> None:
        """Continue the live paths, which are the rows from `first` on of the step."""
        width = self.settings.beam
        # Sorted as tuples: of equal sums the better parent's comes first, then its likelier, then its lower piece.
        continuations = sorted((-(path.total + value), row, rank) for row, path in enumerate(self.live, first)
                               for rank, value in enumerate(look.log_probabilities[row][:width]))
        kept = [self.live[row - first].extended(look, row, rank) for _, row, rank in continuations[:width]]
        ended = [*self.ended, *(path for path in kept if path.ended)]
        self.ended = sorted(ended, key=self._score, reverse=True)[: self.settings.n_best]
        self.live = [path for path in kept if not path.ended]
        self.done = not self.live or self.live[0].length == self.longest or self._settled()

    def _settled(self) -> bool:
        """Whether no live path can still enter the n best; the live paths stand in the order of their sums."""
        if len(self.ended) < self.settings.n_best:
            return False
        return self.settings.best_possible(self.live[0].total, self.longest) <= self._score(self.ended[-1])

    def _score(self, path: Path) -> float:
        return self.settings.score(path.total, path.length)

    def n_best(self) -> list[Hypothesis]:
        ranked = [*self.ended, *self.live]  # live paths are of one length, and stand in the order of their sums
        return [path.hypothesis(self.source_pieces, self.settings.candidates, self.settings.detail, self._score(path))
                for path in ranked[: self.settings.n_best]]
