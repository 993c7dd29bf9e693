"""Beam search over a batch of sentences.

At every step the continuations of a sentence's live hypotheses are ranked by their sum of log-probabilities. They are
of equal length, so a length penalty would not change the order. The best `beam` continuations are kept, the others
pruned (`Beam.advance`). Those that end in EOS are scored with the penalties and set aside; the others stay live.

The beam of a sentence is done when one of these holds:

- no hypothesis is live;
- the live ones have the maximal length;
- no live one can still enter the n best (`Settings.compute_score_upper_bound`), so that going on would change nothing;
- with `stop="beam"`, as many have finished as the beam is wide.

Unlike in GroundHog, the beam does not shrink when a hypothesis finishes. Coverage enters the final score only: earlier
it would penalise translating from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from model.decoding.batch_decoder import BatchDecoder
from model.decoding.hypothesis import (
    EMPTY_HYPOTHESIS,
    BeamTreeNode,
    Hypothesis,
    PartialHypothesis,
    SourceInfo,
    StepOutput,
)
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.networks.base import Translator
from model.trace.tree import Fate


def search_with_beam(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]],
    should_stop: StopCallback | None = None,
    overrides: Sequence[Overrides] | None = None,
) -> list[list[Hypothesis]]:
    """Return the n best hypotheses of each source, best first. Sentences that are done leave the batch.

    Finished hypotheses come before unfinished ones of maximal length. Within each group the higher score comes first,
    and of equal scores the one found first. The list is shorter than n only if there are no more hypotheses.
    """
    if not sources:
        return []
    decoder = BatchDecoder(network, sources, settings, overrides)
    beams = [Beam(source, settings, prefix) for source, prefix in zip(decoder.sources, prefixes, strict=True)]
    sentences = {beam: sentence for sentence, beam in enumerate(beams)}
    active_beams = beams
    while active_beams:
        raise_if_stopped(should_stop)
        rows = [(beam, hypothesis) for beam in active_beams for hypothesis in beam.live_hypotheses]
        result, output = decoder.step([hypothesis.token for _, hypothesis in rows],
                                      [sentences[beam] for beam, _ in rows])
        row_counts = [len(beam.live_hypotheses) for beam in active_beams]
        first_rows = list(accumulate(row_counts, initial=0))[:-1]
        forced_tokens = {first_row: beam.forced_token for beam, first_row in zip(active_beams, first_rows, strict=True)
                         if beam.forced_token is not None}
        forced_log_probs = decoder.get_forced_log_probs(result, forced_tokens)
        for beam, first_row in zip(active_beams, first_rows, strict=True):
            beam.advance(output, first_row, forced_log_probs.get(first_row))
        # the row that each live hypothesis of the next step comes from
        parent_rows = [hypothesis.row for beam in active_beams if not beam.is_done
                       for hypothesis in beam.live_hypotheses]
        is_reordering = row_counts == [0 if beam.is_done else len(beam.live_hypotheses) for beam in active_beams]
        active_beams = [beam for beam in active_beams if not beam.is_done]
        if active_beams and parent_rows != list(range(sum(row_counts))):
            if is_reordering:
                decoder.reorder(parent_rows)
            else:
                decoder.select(parent_rows)
    return [beam.get_n_best() for beam in beams]


class Beam:
    """The beam of one sentence: its live hypotheses, all of one length, and the n best finished ones."""

    def __init__(self, source: SourceInfo, settings: Settings, prefix: Sequence[int] = ()) -> None:
        self.settings = settings
        self.source = source
        self.prefix = prefix
        self.max_length = settings.compute_max_target_length(source.length)
        self.live_hypotheses: list[PartialHypothesis] = [EMPTY_HYPOTHESIS]  # greatest sum of log-probabilities first
        self.finished_hypotheses: list[tuple[float, PartialHypothesis]] = []  # with scores, best first
        self.finished_count = 0  # including those that are no longer among the n best
        self.is_done = False
        self.tree: list[BeamTreeNode] = []
        self.node_numbers: dict[PartialHypothesis, int] = {}  # of the live hypotheses

    @property
    def forced_token(self) -> int | None:
        """The next token of the prefix; None after the prefix."""
        length = self.live_hypotheses[0].length
        return self.prefix[length] if length < len(self.prefix) else None

    def advance(self, output: StepOutput, first_row: int, forced_log_prob: float | None = None) -> None:
        """Extend the live hypotheses, whose rows of the step begin at `first_row`, and prune all but the best.

        During the prefix one hypothesis is live, and `forced_log_prob` is the log-probability of its next token.
        """
        width = self.settings.beam
        if self.forced_token is not None and forced_log_prob is not None:
            continuations = [self.live_hypotheses[0].extend(self.forced_token, forced_log_prob, output, first_row)]
        else:
            continuations = [self.live_hypotheses[index].extend_by_rank(output, first_row + index, rank)
                             for index, rank in self._rank_continuations(output, first_row)]
        if self.settings.tree:
            self._record_tree(continuations)
        kept_hypotheses = continuations[:width]
        finished = [hypothesis for hypothesis in kept_hypotheses if hypothesis.is_finished]
        scored_hypotheses = [*self.finished_hypotheses,
                             *((self._score(hypothesis), hypothesis) for hypothesis in finished)]
        scored_hypotheses.sort(key=lambda pair: pair[0], reverse=True)
        self.finished_hypotheses = scored_hypotheses[: self.settings.n_best]
        self.finished_count += len(finished)
        self.live_hypotheses = [hypothesis for hypothesis in kept_hypotheses if not hypothesis.is_finished]
        self.is_done = (not self.live_hypotheses or self.live_hypotheses[0].length == self.max_length
                        or self._has_enough_finished() or not self.can_improve())

    def _rank_continuations(self, output: StepOutput, first_row: int) -> list[tuple[int, int]]:
        """Return the best continuations as (index of the live hypothesis, rank of its token), greatest sum first.

        Ties go to the better parent, then to its more probable token, then to the lower token id. Those that will be
        pruned are included only for the tree.
        """
        width = self.settings.beam
        log_probs = [row[:width] for row in output.log_probs[first_row : first_row + len(self.live_hypotheses)]]
        sums = np.array([[*row, *[-np.inf] * (width - len(row))] for row in log_probs])
        sums += np.array([[hypothesis.total_log_prob] for hypothesis in self.live_hypotheses])
        order = np.argsort(-sums, axis=None, kind="stable")[: int(np.isfinite(sums).sum())]
        return [divmod(index, width) for index in (order if self.settings.tree else order[:width]).tolist()]

    def _has_enough_finished(self) -> bool:
        return self.settings.stop == "beam" and self.finished_count >= self.settings.beam

    def can_improve(self) -> bool:
        """Tell whether a live hypothesis may still enter the n best."""
        if len(self.finished_hypotheses) < self.settings.n_best:
            return True
        upper_bound = self.settings.compute_score_upper_bound(self.live_hypotheses[0].total_log_prob, self.max_length)
        return upper_bound > self.finished_hypotheses[-1][0]

    def _record_tree(self, continuations: Sequence[PartialHypothesis]) -> None:
        """Record the continuations of one step, best first."""
        node_numbers: dict[PartialHypothesis, int] = {}
        for rank, hypothesis in enumerate(continuations):
            fate: Fate = ("pruned" if rank >= self.settings.beam else "finished" if hypothesis.is_finished
                          else "kept")
            if fate == "kept":
                node_numbers[hypothesis] = len(self.tree)
            parent = -1 if hypothesis.parent is None else self.node_numbers.get(hypothesis.parent, -1)
            self.tree.append(BeamTreeNode(parent, hypothesis.token, hypothesis.log_prob, self._score(hypothesis), fate))
        self.node_numbers = node_numbers

    def _score(self, hypothesis: PartialHypothesis) -> float:
        return hypothesis.score(self.source, self.settings)

    def get_n_best(self) -> list[Hypothesis]:
        """Return the n best hypotheses, best first; the first one holds the tree."""
        live_hypotheses = sorted(self.live_hypotheses, key=self._score, reverse=True)  # coverage may change their order
        best_hypotheses = [hypothesis for _, hypothesis in self.finished_hypotheses] + live_hypotheses
        first, *others = (hypothesis.to_hypothesis(self.source, self.settings)
                          for hypothesis in best_hypotheses[: self.settings.n_best])
        return [replace(first, tree=tuple(self.tree)) if self.settings.tree else first, *others]
