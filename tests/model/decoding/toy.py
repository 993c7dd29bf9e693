"""A toy translator for tests of search: tables in place of a network.

Its state is a number that encodes the source and all tokens so far, in order. Log-probabilities and attention weights
depend on that number, on the last token and on the source, so that a test can recompute them for any hypothesis. A
state that followed the wrong hypothesis would show. Rows of a batch are independent, in float64.
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
    """`table` (codes, vocabulary, vocabulary): log-probabilities of the next token given code and last token."""

    table: Tensor
    batch_sizes: list[int] = field(default_factory=list)  # how many rows each step had

    maps: ClassVar[tuple[MapDescription, ...]] = (MapDescription("attention"),)

    def get_encoder_attention_weights(self, encoder_output: Tensor) -> dict[str, Tensor]:
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
        for column in raw.T:  # in order: a sum over an axis may be grouped by its length
            total = total + column
        weights = apply_override(raw / total[:, None], (overrides or {}).get("attention"))
        extra = {"code": code[:, None].double()} if detail else {}
        log_probabilities = self.table[code % len(self.table), token]
        return StepResult(log_probabilities, State(state.source, code), {"attention": weights}, extra)

    def recompute(self, source: Sequence[int], pieces: Sequence[int]) -> list[tuple[np.ndarray, np.ndarray, int]]:
        """Return log-probabilities (vocabulary,), weights (source,) and code of each step that writes `pieces`."""
        code = sum(piece * place * place for place, piece in enumerate(source, 1)) % PRIME
        steps = []
        for last in [PAD, *pieces[:-1]]:
            code = (code * 31 + last * 7 + 1) % PRIME
            raw = np.array([(code * (j + 3)) % 17 + 1.0 for j in range(len(source))])
            steps.append((self.table[code % len(self.table), last].numpy(), raw / sum(raw), code))
        return steps


def random_toy(seed: int, vocabulary: int = 5, codes: int = 7, end: float = 0.0, spread: float = 1.5) -> Toy:
    """Return random tables; `end` is added to the logits of EOS."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(codes, vocabulary, vocabulary, generator=generator, dtype=torch.float64) * spread
    logits[:, :, EOS] += end
    return Toy(torch.log_softmax(logits, dim=-1))


def constant_toy(probabilities: Sequence[float]) -> Toy:
    """Return a translator with the same distribution at every step."""
    return Toy(torch.tensor(probabilities, dtype=torch.float64).log().expand(1, len(probabilities), -1))
