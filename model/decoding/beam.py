"""Beam search over a batch of sentences.

At every step all continuations of a sentence's live hypotheses are ranked by their summed log-probability (they are of
one length, so that no length penalty would change the order) and the best `beam` are kept. Those that end are set
aside and ranked with their penalties, the others live on. Unlike in GroundHog, the beam does not shrink for each
hypothesis set aside; it stops when none is live, when the greatest length is reached, when no live hypothesis can still
enter the n best, by a bound that never errs (`Settings.best_possible`), so that stopping early changes nothing, or, if
the settings say so, when as many have ended as the beam is wide. Coverage takes part only in the ranking of what has
ended: halfway, it would punish whoever translates from left to right. What a hypothesis looked at goes along in its
Path (`model.decoding.hypothesis`), the decoder's state through its `reorder`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from model.decoding.batch_decoder import BatchDecoder, get_log_probs
from model.decoding.hypothesis import EMPTY, BeamTreeNode, Hypothesis, PartialHypothesis, SourceInfo, StepOutput
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.networks.base import Translator
from model.trace.tree import Fate


def beam_search(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]] | None = None,
    stopped: StopCallback | None = None,
    edits: Sequence[Overrides] | None = None,
) -> list[list[Hypothesis]]:
    """For each source (piece ids, EOS last) its n best hypotheses, best first; sentences done leave the batch.

    Those that have ended come before those that reached the greatest length unfinished; in each group the better score
    comes first, of equal scores the one found first. Fewer than n come back only if there are no more. All begin with
    their sentence's prefix (piece ids); `edits` has the changed rows of each sentence. SearchStopped once `stopped`
    says so.
    """
    if not sources:
        return []
    decoding = BatchDecoder(network, sources, settings, edits)
    given = prefixes or [()] * len(sources)
    beams = [Beam(source, settings, prefix) for source, prefix in zip(decoding.sources, given, strict=True)]
    numbers = {one: number for number, one in enumerate(beams)}
    going = beams
    while going:
        raise_if_stopped(stopped)
        result, look = decoding.step([path.token for one in going for path in one.live],
                                     [numbers[one] for one in going for _ in one.live])
        counts = [len(one.live) for one in going]
        firsts = list(accumulate(counts, initial=0))[:-1]
        pieces = {first: one.given for one, first in zip(going, firsts, strict=True) if one.given is not None}
        values = get_log_probs(result, pieces, going[0].live[0].length + 1)
        for one, first in zip(going, firsts, strict=True):
            one.advance(look, first, values.get(first))
        # the row that each live path of the next step comes from
        parents = [path.row for one in going if not one.done for path in one.live]
        within_sentences = counts == [0 if one.done else len(one.live) for one in going]
        going = [one for one in going if not one.done]
        if going and parents != list(range(sum(counts))):
            if within_sentences:
                decoding.reorder(parents)
            else:
                decoding.select(parents)
    return [one.n_best() for one in beams]


class Beam:
    """The beam of one sentence: its live paths, all of one length, and the n best that have ended; best first."""

    def __init__(self, source: SourceInfo, settings: Settings, prefix: Sequence[int] = ()) -> None:
        self.settings = settings
        self.source = source
        self.prefix = prefix
        self.longest = settings.max_target_length(source.length)
        self.live: list[PartialHypothesis] = [EMPTY]
        self.ended: list[tuple[float, PartialHypothesis]] = []  # with their scores
        self.endings = 0  # how many have ended so far, those no longer among the n best too
        self.done = False
        self.tree: list[BeamTreeNode] = []
        self.numbers: dict[PartialHypothesis, int] = {}  # the node of each live path

    @property
    def given(self) -> int | None:
        """The piece that the prefix wants next; None after the prefix."""
        written = self.live[0].length
        return self.prefix[written] if written < len(self.prefix) else None

    def advance(self, look: StepOutput, first: int, value: float | None = None) -> None:
        """Continue the live paths, which are the rows from `first` on of the step.

        While the prefix lasts there is one path, and `value` is the log-probability of the piece it is given.
        """
        width = self.settings.beam
        if self.given is not None and value is not None:
            ranked = [self.live[0].extend(self.given, value, look, first)]
        else:
            ranked = [self.live[row].extend_by_rank(look, first + row, rank) for row, rank in self._ranked(look, first)]
        if self.settings.tree:
            self._grow(ranked)
        kept = ranked[:width]
        ended = [path for path in kept if path.is_finished]
        scored = [*self.ended, *((self._score(path), path) for path in ended)]
        self.ended = sorted(scored, key=lambda pair: pair[0], reverse=True)[: self.settings.n_best]
        self.endings += len(ended)
        self.live = [path for path in kept if not path.is_finished]
        self.done = not self.live or self.live[0].length == self.longest or self._enough() or self._settled()

    def _ranked(self, look: StepOutput, first: int) -> list[tuple[int, int]]:
        """The live paths' likeliest continuations, the greatest sum first: which path, and of which rank there; as many
        as are kept, or all for the tree.

        Of equal sums the better parent's comes first, then its likelier, then its lower piece.
        """
        width = self.settings.beam
        found = [values[:width] for values in look.log_probs[first : first + len(self.live)]]
        sums = np.array([[*values, *[-np.inf] * (width - len(values))] for values in found])
        sums += np.array([[path.total_log_prob] for path in self.live])
        order = np.argsort(-sums, axis=None, kind="stable")[: int(np.isfinite(sums).sum())]
        return [divmod(place, width) for place in (order if self.settings.tree else order[:width]).tolist()]

    def _enough(self) -> bool:
        """Whether as many have ended as were asked to."""
        return self.settings.stop == "beam" and self.endings >= self.settings.beam

    def _settled(self) -> bool:
        """Whether no live path can still enter the n best; the live paths stand in the order of their sums."""
        if len(self.ended) < self.settings.n_best:
            return False
        return self.settings.score_upper_bound(self.live[0].total_log_prob, self.longest) <= self.ended[-1][0]

    def _grow(self, ranked: Sequence[PartialHypothesis]) -> None:
        """Note the continuations of one step, best first."""
        numbers: dict[PartialHypothesis, int] = {}
        for place, path in enumerate(ranked):
            fate: Fate = "pruned" if place >= self.settings.beam else "finished" if path.is_finished else "kept"
            if fate == "kept":
                numbers[path] = len(self.tree)
            parent = -1 if path.parent is None else self.numbers.get(path.parent, -1)
            self.tree.append(BeamTreeNode(parent, path.token, path.log_prob, self._score(path), fate))
        self.numbers = numbers

    def _score(self, path: PartialHypothesis) -> float:
        return path.score(self.source, self.settings)

    def n_best(self) -> list[Hypothesis]:
        """The n best hypotheses, best first; the first has the tree."""
        live = sorted(self.live, key=self._score, reverse=True)  # as they stood, but where coverage says otherwise
        ranked = [*(path for _, path in self.ended), *live][: self.settings.n_best]
        first, *others = (path.to_hypothesis(self.source, self.settings) for path in ranked)
        return [replace(first, tree=tuple(self.tree)) if self.settings.tree else first, *others]
