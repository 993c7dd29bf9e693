"""An example of a user's own network: one file whose last line registers it.

A recurrent encoder with one layer of self-attention over its states, and a recurrent decoder that attends to them with
two heads of scaled dot products after its update, as Luong et al. (2015) do. Nothing else in the project knows it.
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
ENCODER_MAP = MapDescription("encoder self-attention", layer=1, rows="source", columns="source")


@dataclass(frozen=True)
class EncoderOutput:
    states: Tensor  # (batch, source, n)
    mask: Tensor  # (batch, source), True where there is a token
    weights: Tensor  # self-attention (batch, source, source)

    def select(self, rows: Tensor) -> EncoderOutput:
        return EncoderOutput(self.states[rows], self.mask[rows], self.weights[rows])


@dataclass(frozen=True)
class DecoderState:
    encoder_output: EncoderOutput
    s: Tensor  # (batch, n)

    def reorder(self, rows: Tensor) -> DecoderState:
        return replace(self, s=self.s[rows])

    def select(self, rows: Tensor) -> DecoderState:
        return DecoderState(self.encoder_output.select(rows), self.s[rows])


class TwoHeads(nn.Module):
    """A recurrent encoder with self-attention, and two heads of dot-product attention to it."""

    maps = (*HEADS, ENCODER_MAP)

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

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> EncoderOutput:
        mask = source != PAD
        s, states = self.output.weight.new_zeros(len(source), self.config.hidden), []
        for j, x in enumerate((self.embed_source(source) if embedded is None else embedded).unbind(1)):
            s = torch.where(mask[:, j, None], self.encoder(x, s), s)
            states.append(s)
        h = torch.stack(states, dim=1)  # (batch, source, n)
        energies = (h @ h.mT / h.shape[2] ** 0.5).masked_fill(~mask[:, None], -torch.inf)
        weights = torch.softmax(energies, dim=-1)  # (batch, source, source)
        return EncoderOutput(h + weights @ h, mask, weights * mask[:, :, None])

    def get_encoder_attention_weights(self, encoder_output: EncoderOutput) -> dict[str, Tensor]:
        return {ENCODER_MAP.key: encoder_output.weights}

    def start(self, encoder_output: EncoderOutput) -> DecoderState:
        return DecoderState(
            encoder_output, encoder_output.states.masked_fill(~encoder_output.mask[:, :, None], 0.0).sum(1).tanh()
        )

    def step(
        self, state: DecoderState, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        s = self.decoder(self.embedding(token), state.s)
        contexts, weights = [], {}
        for head, q, h in zip(HEADS, self.query(s).chunk(2, -1), state.encoder_output.states.chunk(2, -1), strict=True):
            energies = (h @ q[:, :, None])[:, :, 0] / q.shape[1] ** 0.5  # (batch, source)
            alpha = torch.softmax(energies.masked_fill(~state.encoder_output.mask, -torch.inf), dim=-1)
            weights[head.key] = apply_override(alpha, (overrides or {}).get(head.key))
            contexts.append((weights[head.key][:, None] @ h)[:, 0])
        c = torch.cat(contexts, dim=-1)
        log_probs = torch.log_softmax(self.output(torch.tanh(self.mix(torch.cat([c, s], dim=-1)))), dim=-1)
        tensors = {"state": s, "context": c} if detail else {}
        return StepResult(log_probs, DecoderState(state.encoder_output, s), weights, tensors)

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        state: Any = self.start(self.encode(source))
        previous = torch.full_like(target[:, 0], PAD)
        total = self.output.weight.new_zeros(())
        for token in target.unbind(1):
            result = self.step(state, previous)
            state, previous = result.state, token
            total = total + nn.functional.cross_entropy(
                result.log_probs, token, ignore_index=PAD, reduction="sum", label_smoothing=smoothing
            )
        return total


def build_equations(settings: Mapping[str, Any]) -> StepEquations:
    """Return the equations of a step."""
    s, c, energy = Symbol("s", "{step}", "state"), Symbol("c", "{step}", "context"), Symbol("e", "{step},j,k")
    return StepEquations((
        Equation("state", ((s, " = GRU(E y, ", Symbol("s", "{before}"), ")"),)),
        Equation("energies", ((energy, " = ", Symbol("q", "k"), "ᵀ ", Symbol("h", "j,k"), " / √d"),)),
        Equation("context", ((c, " = [", Symbol("c", "1"), "; ", Symbol("c", "2"), "]"),)),
    ))  # fmt: skip


KIND = register(NetworkKind(
    "two-heads", "TwoHeads", "tests.proof.network:TwoHeads", "model.networks.rnnsearch:RNNsearchConfig",
    equations="tests.proof.network:build_equations",
))  # fmt: skip
