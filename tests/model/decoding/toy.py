"""A translator made by hand: tables in place of a network, and everything a function of source and prefix.

Its state is one whole number that depends on the source and on every piece so far, in their order; log-probabilities
and weights depend on that number, on the last piece and on the source. So a test can recompute what any hypothesis
must have seen, and a state that followed the wrong hypothesis shows. All in float64, row by row: nothing in it depends
on the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.trace import MapDescription

PAD, EOS, UNK = 0, 1, 2
PRIME = 10_007


@dataclass(frozen=True)
class State:
    source: Tensor  # (batch, source)
    code: Tensor  # (batch,)

    def select(self, rows: Tensor) -> State:
        return State(self.source[rows], self.code[rows])

    def reorder(self, rows: Tensor) -> State:
        assert len(rows) == len(self.source), "reorder neither adds nor drops rows"
        assert torch.equal(self.source[rows], self.source), "reorder may not move a row to another sentence"
        return State(self.source, self.code[rows])


@dataclass
class Toy:
    """`table` (codes, vocabulary, vocabulary): log-probabilities of the next piece given code and last piece."""

    table: Tensor
    batch_sizes: list[int] = field(default_factory=list)  # how many rows each step had

    maps: ClassVar[tuple[MapDescription, ...]] = (MapDescription("attention"),)

    def encoder_attention_weights(self, encoder_output: Tensor) -> dict[str, Tensor]:
        return {}

    def encode(self, source: Tensor) -> Tensor:
        return source

    def start(self, encoder_output: Tensor) -> State:
        places = torch.arange(1, encoder_output.shape[1] + 1)
        return State(encoder_output, (encoder_output * places * places).sum(1) % PRIME)  # padding is 0 and adds nothing

    def step(
        self, state: State, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        self.batch_sizes.append(len(token))
        code = (state.code * 31 + token * 7 + 1) % PRIME
        raw = ((code[:, None] * (torch.arange(state.source.shape[1]) + 3)) % 17 + 1.0).double()
        raw = raw * (state.source != PAD)
        total = torch.zeros(len(raw), dtype=torch.float64)
        for column in raw.T:  # one after the other: a sum over an axis may be grouped by its length
            total = total + column
        weights = apply_override(raw / total[:, None], (overrides or {}).get("attention"))
        extra = {"code": code[:, None].double()} if detail else {}
        log_probabilities = self.table[code % len(self.table), token]
        return StepResult(log_probabilities, State(state.source, code), {"attention": weights}, extra)

    def recompute(self, source: Sequence[int], pieces: Sequence[int]) -> list[tuple[np.ndarray, np.ndarray, int]]:
        """Log-probabilities (vocabulary,), weights (source,) and code of each step that writes `pieces`."""
        code = sum(piece * place * place for place, piece in enumerate(source, 1)) % PRIME
        steps = []
        for last in [PAD, *pieces[:-1]]:
            code = (code * 31 + last * 7 + 1) % PRIME
            raw = np.array([(code * (j + 3)) % 17 + 1.0 for j in range(len(source))])
            steps.append((self.table[code % len(self.table), last].numpy(), raw / sum(raw), code))
        return steps


def random_toy(seed: int, vocabulary: int = 5, codes: int = 7, end: float = 0.0, spread: float = 1.5) -> Toy:
    """Random tables; `end` raises or lowers the ends of sentences."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(codes, vocabulary, vocabulary, generator=generator, dtype=torch.float64) * spread
    logits[:, :, EOS] += end
    return Toy(torch.log_softmax(logits, dim=-1))


def constant_toy(probabilities: Sequence[float]) -> Toy:
    """The same distribution at every step."""
    return Toy(torch.tensor(probabilities, dtype=torch.float64).log().expand(1, len(probabilities), -1))
