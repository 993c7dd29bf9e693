"""A third network, which lives here alone: what somebody's own would look like.

A recurrent encoder whose states look at one another once, and a recurrent decoder that looks at them with two heads of
scaled dot-product attention, after its update, as Luong et al. (2015) do. The last line makes it known; nothing else in
the project knows of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.equations.rnnsearch import Equation, StepEquations, Symbol
from model.networks.registry import NetworkKind, register
from model.networks.rnnsearch import RNNsearchConfig
from model.text.vocabulary import PAD
from model.trace import MapDescription

HEADS = tuple(MapDescription("cross-attention", head=head) for head in (1, 2))
INNER = MapDescription("encoder self-attention", layer=1, rows="source", columns="source")


@dataclass(frozen=True)
class Memory:
    states: Tensor  # (batch, source, n)
    mask: Tensor  # (batch, source), true where there is a piece
    inner: Tensor  # (batch, source, source)

    def select(self, rows: Tensor) -> Memory:
        return Memory(self.states[rows], self.mask[rows], self.inner[rows])


@dataclass(frozen=True)
class State:
    memory: Memory
    s: Tensor  # (batch, n)

    def reorder(self, rows: Tensor) -> State:
        return replace(self, s=self.s[rows])

    def select(self, rows: Tensor) -> State:
        return State(self.memory.select(rows), self.s[rows])


class TwoHeads(nn.Module):
    """Two heads of dot-product attention over a recurrent encoder with a self-attention of its own."""

    maps = (*HEADS, INNER)

    def __init__(self, config: RNNsearchConfig) -> None:
        super().__init__()
        self.config = config
        m, n = config.embedding, config.hidden
        self.embedding = nn.Embedding(config.vocabulary, m, padding_idx=PAD)
        self.encoder = nn.GRUCell(m, n)
        self.decoder = nn.GRUCell(m, n)
        self.query, self.mix = nn.Linear(n, n), nn.Linear(2 * n, n)
        self.output = nn.Linear(n, config.vocabulary)

    def embed_source(self, source: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(source)
        return embedded

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> Memory:
        mask = source != PAD
        s, states = self.output.weight.new_zeros(len(source), self.config.hidden), []
        for j, one in enumerate((self.embed_source(source) if embedded is None else embedded).unbind(1)):
            s = torch.where(mask[:, j, None], self.encoder(one, s), s)
            states.append(s)
        h = torch.stack(states, dim=1)  # (batch, source, n)
        energies = (h @ h.mT / h.shape[2] ** 0.5).masked_fill(~mask[:, None], -torch.inf)
        inner = torch.softmax(energies, dim=-1)  # (batch, source, source)
        return Memory(h + inner @ h, mask, inner * mask[:, :, None])

    def encoder_attention_weights(self, encoder_output: Memory) -> dict[str, Tensor]:
        return {INNER.key: encoder_output.inner}

    def start(self, encoder_output: Memory) -> State:
        return State(
            encoder_output, encoder_output.states.masked_fill(~encoder_output.mask[:, :, None], 0.0).sum(1).tanh()
        )

    def step(
        self, state: State, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        s = self.decoder(self.embedding(token), state.s)
        parts, weights = [], {}
        for one, q, h in zip(HEADS, self.query(s).chunk(2, -1), state.memory.states.chunk(2, -1), strict=True):
            energies = (h @ q[:, :, None])[:, :, 0] / q.shape[1] ** 0.5  # (batch, source)
            own = torch.softmax(energies.masked_fill(~state.memory.mask, -torch.inf), dim=-1)
            weights[one.key] = apply_override(own, (overrides or {}).get(one.key))
            parts.append((weights[one.key][:, None] @ h)[:, 0])
        c = torch.cat(parts, dim=-1)
        values = torch.log_softmax(self.output(torch.tanh(self.mix(torch.cat([c, s], dim=-1)))), dim=-1)
        return StepResult(values, State(state.memory, s), weights, {"state": s, "context": c} if detail else {})

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        state: Any = self.start(self.encode(source))
        previous = torch.full_like(target[:, 0], PAD)
        total = self.output.weight.new_zeros(())
        for piece in target.unbind(1):
            result = self.step(state, previous)
            state, previous = result.state, piece
            total = total + nn.functional.cross_entropy(result.log_probs, piece, ignore_index=PAD,
                                                        reduction="sum", label_smoothing=smoothing)
        return total


def equations(network: Mapping[str, Any]) -> StepEquations:
    """What one step computes: dot products in place of Bahdanau's energies, in two heads."""
    s, c, energy = Symbol("s", "{step}", "state"), Symbol("c", "{step}", "context"), Symbol("e", "{step},j,k")
    return StepEquations((
        Equation("state", ((s, " = GRU(E y, ", Symbol("s", "{before}"), ")"),)),
        Equation("energies", ((energy, " = ", Symbol("q", "k"), "ᵀ ", Symbol("h", "j,k"), " / √d"),)),
        Equation("context", ((c, " = [", Symbol("c", "1"), "; ", Symbol("c", "2"), "]"),)),
    ))  # fmt: skip


KIND = register(NetworkKind(
    "two-heads", "TwoHeads", "tests.proof.network:TwoHeads", "model.networks.rnnsearch:RNNsearchConfig",
    equations="tests.proof.network:equations",
))  # fmt: skip
