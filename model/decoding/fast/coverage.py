"""The mathematics of `model.networks.coverage` for search, one step at a time: `model.decoding.fast.rnnsearch` with
what coverage and copying add.

What copying makes of a source piece, w_c h_j, and which of a sentence's pieces are alike, is computed once a sentence;
w_x E y is a table of all pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from model.decoding.fast import rnnsearch as quick
from model.decoding.fast.rnnsearch import FastRNNsearch
from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.coverage import COVERAGE, CoverageRNNsearch
from model.networks.rnnsearch import ATTENTION


@dataclass(frozen=True)
class Memory(quick.Memory):
    """What the encoder leaves, and what copying and coverage need of the source; of what a network has not, nothing."""

    pieces: Tensor | None = None  # (sentences, source)
    alike: Tensor | None = None  # 1 where two pieces of a sentence are the same, else 0: (sentences, source, source)
    copying: Tensor | None = None  # w_c h_j (sentences, source)
    gain: Tensor | None = None  # 1 / Phi_j (sentences, source)
    fed: Tensor | None = None  # what the GRU of neural coverage makes of h_j (sentences, source, 3d)

    def picked(self, sentences: Tensor) -> Memory:
        one = super().picked(sentences)
        more = {name: part if part is None else part.index_select(0, sentences) for name, part in self._added.items()}
        return _with(one, **more)

    @property
    def _added(self) -> dict[str, Tensor | None]:
        return {name: getattr(self, name) for name in ("pieces", "alike", "copying", "gain", "fed")}


def _with(memory: quick.Memory, **more: Tensor | None) -> Memory:
    parts: dict[str, Any] = {one.name: getattr(memory, one.name) for one in fields(quick.Memory)}
    return Memory(**(parts | more))


@dataclass(frozen=True)
class State(quick.State):
    """Where the decoder stands, and C (rows, source, d); None without coverage."""

    coverage: Tensor | None = None

    def after(self, s: Tensor, ahead: Tensor, eaten: Tensor | None) -> State:
        return State(self.memory, s, ahead, eaten, self.context, self.coverage)

    def reorder(self, rows: Tensor) -> State:
        moved = cast("State", super().reorder(rows))
        return moved if self.coverage is None else replace(moved, coverage=self.coverage.index_select(0, rows))


class FastCoverageSearch(FastRNNsearch):
    """A network of `model.networks.coverage` as `model.networks.base.Translator`, with the weights it had when this was
    made."""

    def __init__(self, network: CoverageRNNsearch) -> None:
        super().__init__(network)
        self.size, self.cover = network.coverage_width, network.cover
        self._as_such = network.V_a is None
        self.V_a, self.U_f, self.w_c, self.w_s, self.w_x, self.b_gen = (
            None if one is None else one.detach()
            for one in (network.V_a, network.U_f, network.w_c, network.w_s, network.w_x, network.b_gen))

    @cached_property
    def generating(self) -> Tensor:
        """w_x E y + b of each piece, (vocabulary,): made by the first step."""
        return self.target_embedding @ cast("Tensor", self.w_x) + cast("Tensor", self.b_gen)

    def encode(self, source: Tensor) -> Memory:
        """As RNNsearch, with what copying and coverage need of the source."""
        one, network = super().encode(source), cast("CoverageRNNsearch", self._network())
        h = one.annotations
        alike = None if self.w_c is None else (source[:, :, None] == source[:, None]).to(h.dtype)
        return _with(one, pieces=source, alike=alike, copying=None if self.w_c is None else h @ self.w_c,
                     gain=network.compute_inverse_fertility(h), fed=network.project_annotations(h))

    def start(self, encoder_output: quick.Memory) -> State:
        """As RNNsearch, and nothing is covered yet."""
        one = super().start(encoder_output)
        covered = (
            encoder_output.annotations.new_zeros(*encoder_output.annotations.shape[:2], self.size)
            if self.size
            else None
        )
        return State(one.memory, one.s, one.ahead, one.eaten, one.context, covered)

    def step(self, state: quick.State, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        """One step of search, as `model.networks.coverage.CoverageSearch.step`."""
        assert isinstance(state, State)
        if state.coverage is not None and overrides is not None and self.size == 1:
            changed = apply_override(state.coverage[:, :, 0], overrides.get(COVERAGE.key))
            state = replace(state, coverage=changed[:, :, None])
        result = super().step(state, token, detail=detail, overrides=overrides)
        after, weights = cast("State", result.state), result.weights[ATTENTION.key]
        used = state.s if self.wiring == "appendix" else after.s
        values = result.log_probs
        if self.w_s is not None:
            memory = cast("Memory", state.memory)
            copying = memory.of_rows(cast("Tensor", memory.copying))
            a = (weights * copying).sum(-1) + used @ self.w_s + self.generating.index_select(0, token)
            values = _mixed(values, a[:, None], weights, memory)
            if detail:
                result.detail["p_gen"] = torch.sigmoid(a)[:, None]
        if state.coverage is not None:
            looking = after.s if self.wiring == "groundhog" else state.s
            after = replace(after, coverage=self._covered(state, looking, weights))
            if self.size == 1:
                result.weights[COVERAGE.key] = state.coverage[:, :, 0]
        return StepResult(values, after, result.weights, result.detail)

    def _inside(self, state: quick.State, keys: Tensor, ahead: Tensor) -> Tensor:
        inside, covered = super()._inside(state, keys, ahead), cast("State", state).coverage
        if covered is None or self.V_a is None:
            return inside
        return inside.addcmul_(covered, self.V_a[:, 0]) if self.size == 1 else inside.add_(covered @ self.V_a.T)

    def _covered(self, state: State, s: Tensor, weights: Tensor) -> Tensor:
        """C_i (rows, source, d), given C_{i-1}, the state that looked, and alpha_i (rows, source)."""
        memory, before = cast("Memory", state.memory), cast("Tensor", state.coverage)
        if self.cover is not None and memory.fed is not None:
            of_alpha, of_s = self.cover.W[:, 0], self.cover.W[:, -s.shape[1] :]
            fed = memory.of_rows(memory.fed) + weights[:, :, None] * of_alpha + (s @ of_s.T)[:, None]
            return cast("Tensor", self.cover(fed, before)[0])
        looked = weights if memory.gain is None else weights * memory.of_rows(memory.gain)
        return before + looked[:, :, None]


def _mixed(values: Tensor, a: Tensor, weights: Tensor, memory: Memory) -> Tensor:
    """The vocabulary's log-probabilities (rows, vocabulary), of which sigmoid(a), a (rows, 1), is left to it, and the
    source's pieces with the attention (rows, source) that all alike get together."""
    alike, pieces = (memory.of_rows(cast("Tensor", part)) for part in (memory.alike, memory.pieces))
    got = (weights[:, None] @ alike)[:, 0]
    index = pieces.expand_as(got)
    generated = values + F.logsigmoid(a)
    mixed = torch.logaddexp(generated.gather(1, index), got.log() + F.logsigmoid(-a))
    return generated.scatter(1, index, mixed)
