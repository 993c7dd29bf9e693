"""The tree of a beam search: every hypothesis that it considered, and what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from model.serialization.messages import quote_value
from model.trace.checks import TraceError, check_finite, check_text, check_token, convert_to_tuples

Fate = Literal["kept", "finished", "pruned"]
FATES: dict[str, Fate] = {"k": "kept", "f": "finished", "p": "pruned"}


@dataclass(frozen=True)
class Tree:
    """The nodes of the beam search of one sentence, one entry per node in each column. Raises TraceError.

    Nodes are ordered by step, and within a step best first. A node is a piece (`ids`, `pieces`) generated after the
    node `parents`, -1 for the root. `log_probabilities`: of the pieces, in nats; `scores`: of the hypotheses that end
    in the nodes, with length and coverage penalties. `fates`: a letter per node; k: kept and continued at the next step
    (if there was one); f: finished with "</s>"; p: pruned. A node takes about 60 bytes of JSON.
    """

    parents: tuple[int, ...]
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    log_probabilities: tuple[float, ...]
    scores: tuple[float, ...]
    fates: str

    def __post_init__(self) -> None:
        convert_to_tuples(self, "parents", "ids", "pieces", "log_probabilities", "scores")
        columns = (self.parents, self.ids, self.pieces, self.log_probabilities, self.scores, self.fates)
        sizes = [len(column) for column in columns]
        if not self.parents or len(set(sizes)) > 1:
            raise TraceError(f"The columns of a tree are of one length, at least 1: got {quote_value(sizes)}.")
        check_text("piece of a tree", *self.pieces)
        for name in ("log_probabilities", "scores"):
            values = tuple(check_finite(value, "A number of the tree") for value in getattr(self, name))
            object.__setattr__(self, name, values)
        for number, fate in enumerate(self.fates):
            self._check_node(number, fate)
        if any(step > next_step for step, next_step in pairwise(self.steps)):
            raise TraceError("The nodes of a tree come in the order of the steps: got one after nodes of a later step.")
        if len(set(zip(self.parents, self.ids, strict=True))) < len(self):
            raise TraceError("Two nodes of the tree write the same piece after the same node.")

    def _check_node(self, number: int, fate: str) -> None:
        parent = self.parents[number]
        if fate not in FATES:
            raise TraceError(f"The fate of a node is one of the letters {', '.join(FATES)}: got {quote_value(fate)}.")
        if not -1 <= parent < number:
            raise TraceError(f"The parent of a node comes before it: got {quote_value(parent)} for node {number}.")
        if parent >= 0 and self.fates[parent] != "k":
            raise TraceError(f"Only a kept node is continued: node {number} continues {parent}, "
                             f"{FATES[self.fates[parent]]}.")
        check_token(self.ids[number], self.log_probabilities[number], f"node {number}")

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The step of each node, counted from 0."""
        steps: list[int] = []
        for parent in self.parents:
            steps.append(steps[parent] + 1 if parent >= 0 else 0)
        return tuple(steps)

    @cached_property
    def cumulative_log_probs(self) -> tuple[float, ...]:
        """The log-probability of each node's path, including the node, in nats: the beam prunes by it."""
        log_probs: list[float] = []
        for parent, value in zip(self.parents, self.log_probabilities, strict=True):
            log_probs.append((log_probs[parent] if parent >= 0 else 0.0) + value)
        return tuple(log_probs)

    @cached_property
    def _children(self) -> dict[tuple[int, int], int]:
        return {pair: number for number, pair in enumerate(zip(self.parents, self.ids, strict=True))}

    def get_fate(self, node: int) -> Fate:
        """Return what became of a node."""
        return FATES[self.fates[node]]

    def get_path(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the first piece to `node`, both included."""
        path = [node]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return tuple(path[::-1])

    def find_path(self, ids: Sequence[int]) -> tuple[int, ...] | None:
        """Return the nodes along the pieces `ids` from the start; None if the search did not consider them."""
        path: list[int] = []
        for piece in ids:
            node = self._children.get((path[-1] if path else -1, piece))
            if node is None:
                return None
            path.append(node)
        return tuple(path)
