"""Hypotheses: the result of a search, and the linked list that search builds them from. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.decoding.settings import Settings
from model.decoding.stacked_weights import StackedWeights
from model.text.vocabulary import EOS, PAD
from model.trace import MapDescription, find_main_map
from model.trace.tree import Fate

Array = NDArray[Any]

COVERAGE_FLOOR = 1e-10  # the least coverage of a source token, because log 0 is undefined


@dataclass(frozen=True)
class BeamTreeNode:
    """One continuation that a beam considered: a token after the node number `parent` (-1: the root).

    `score`: the score of the hypothesis if it ended here.
    """

    parent: int
    token: int
    log_prob: float
    score: float
    fate: Fate


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One translation of one sentence, T tokens long.

    tokens: ids, with EOS if `is_finished`.
    log_probs: log-probability of each token, in nats; `total_log_prob` is their sum.
    candidates: for each step the most probable (id, log-probability), best first.
    weights: attention weights by map key, (T, source), (T, T) or (source, source).
    detail: further arrays (T, ...) by name, with `settings.detail`, else None.
    score: what the hypothesis was ranked by.
    tree: what the beam considered, step by step; with `settings.tree`, on the best hypothesis only.
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
    """A source sentence as hypotheses need it.

    `length` in tokens, with EOS; the attention `maps` of the network; the `weights` of its source x source maps by key.
    """

    length: int
    maps: tuple[MapDescription, ...] = ()
    weights: dict[str, Array] = field(default_factory=dict)

    @cached_property
    def main_map_key(self) -> str | None:
        """The key of the main map, which the coverage penalty is computed from; None without attention."""
        description = find_main_map(self.maps)
        return None if description is None else description.key


@dataclass(frozen=True)
class StepOutput:
    """The result of one decoder step on the host.

    `tokens` and `log_probs`: the best tokens of each row in order, without impossible ones. `weights`: by map key.
    `detail`: arrays (rows, ...) by name.
    """

    tokens: list[list[int]]
    log_probs: list[list[float]]
    weights: StackedWeights
    detail: dict[str, Array]

    def list_candidates(self, row: int, count: int) -> tuple[tuple[int, float], ...]:
        """Return the most probable tokens of a row with their log-probabilities, best first."""
        return tuple(zip(self.tokens[row][:count], self.log_probs[row][:count], strict=True))


@dataclass(eq=False, slots=True)  # never changed; not frozen because that takes three times as long to create
class PartialHypothesis:
    """A hypothesis during search: its last token, and the hypothesis before that token.

    Hypotheses with a common beginning share its links. Reordering a beam only selects among them, so the recorded
    weights and candidates always belong to the tokens.
    """

    parent: PartialHypothesis | None
    token: int
    log_prob: float
    total_log_prob: float
    length: int
    output: StepOutput | None
    row: int  # row of `output` that the token was chosen from

    def extend_by_rank(self, output: StepOutput, row: int, rank: int) -> PartialHypothesis:
        """Append the token of the given rank in `row` of a step."""
        return self.extend(output.tokens[row][rank], output.log_probs[row][rank], output, row)

    def extend(self, token: int, log_prob: float, output: StepOutput, row: int) -> PartialHypothesis:
        """Append any token, chosen in `row` of a step."""
        return PartialHypothesis(self, token, log_prob, self.total_log_prob + log_prob, self.length + 1, output, row)

    @property
    def is_finished(self) -> bool:
        return self.token == EOS

    def get_steps(self) -> list[tuple[PartialHypothesis, StepOutput]]:
        """Return the hypothesis after each of its tokens with the output of that step, first token first."""
        steps: list[tuple[PartialHypothesis, StepOutput]] = []
        current = self
        while current.output is not None and current.parent is not None:
            steps.append((current, current.output))
            current = current.parent
        return steps[::-1]

    def score(self, source: SourceInfo, settings: Settings) -> float:
        """Return the score of this hypothesis if it ended here."""
        key = source.main_map_key
        if not settings.beta or key is None:
            return settings.score(self.total_log_prob, self.length)
        rows = [output.weights[key][step.row][: source.length] for step, output in self.get_steps()]
        return settings.score(self.total_log_prob, self.length, compute_coverage_penalty(np.array(rows)))

    def to_hypothesis(self, source: SourceInfo, settings: Settings) -> Hypothesis:
        """Collect the record of all steps, without source padding. Target x target maps are padded with 0."""
        steps = self.get_steps()
        step_weights = _join_steps(steps)
        weights: dict[str, Array] = {}
        for description in source.maps:
            key = description.key
            if description.rows == "source":
                weights[key] = source.weights[key]
            else:
                columns = source.length if description.columns == "source" else len(steps)
                weights[key] = step_weights[key][:, :columns]
        return Hypothesis(
            tokens=tuple(step.token for step, _ in steps),
            log_probs=tuple(step.log_prob for step, _ in steps),
            candidates=tuple(output.list_candidates(step.row, settings.candidates) for step, output in steps)
            if settings.candidates else ((),) * len(steps),
            weights=weights,
            detail=_stack_detail(steps) if settings.detail else None,
            total_log_prob=self.total_log_prob,
            score=self.score(source, settings),
            is_finished=self.is_finished,
        )


def _join_steps(steps: list[tuple[PartialHypothesis, StepOutput]]) -> StackedWeights:
    """Return the weights of all steps, (T, columns) by map key; 0 after the end of a shorter row."""
    weights, stacks = steps[0][1].weights, []
    for number in range(len(weights.stacks)):
        rows = [output.weights.stacks[number][step.row] for step, output in steps]  # each (maps, columns)
        stack = np.zeros((len(rows), len(rows[0]), max(row.shape[1] for row in rows)), rows[0].dtype)
        for index, row in enumerate(rows):
            stack[index, :, : row.shape[1]] = row
        stacks.append(stack)
    return StackedWeights(stacks, weights.places)


def _stack_detail(steps: list[tuple[PartialHypothesis, StepOutput]]) -> dict[str, Array]:
    """Stack the detail of all steps; 0 where a step has none, such as the gates before the first update."""
    examples = {name: values for _, output in steps for name, values in output.detail.items()}
    return {name: np.stack([output.detail[name][step.row] if name in output.detail else np.zeros_like(example[0])
                            for step, output in steps]) for name, example in examples.items()}


EMPTY_HYPOTHESIS = PartialHypothesis(None, PAD, 0.0, 0.0, 0, None, 0)
"""The empty hypothesis. PAD means "no previous token"."""


def compute_coverage_penalty(attention: Array) -> float:
    """Return GNMT's sum_j log min(sum_i alpha_ij, 1) of attention (target, source); 0 if the whole source is covered.

    i runs over all target tokens including "</s>", j over the source tokens without their final "</s>".
    """
    covered = attention[:, :-1].sum(axis=0, dtype=np.float64)
    return float(np.log(np.clip(covered, COVERAGE_FLOOR, 1.0)).sum())
