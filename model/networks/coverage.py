"""Coverage and copying: what Tu et al. (2016) and See et al. (2017) add to RNNsearch, here together or alone.

Coverage C_{i-1,j} says how much of source piece j the steps before i have looked at, and takes part in the energies:
e_ij = v_a^T tanh(W_a s + U_a h_j + V_a C_{i-1,j}). Four ways of keeping it:

`none`        there is none.
`sum`         C_i = C_{i-1} + alpha_i, one number a piece (See et al., equation 10). While training the loss may get
              lambda sum_j min(alpha_ij, C_{i-1,j}) more (equation 12), which looking at the same piece again costs.
`linguistic`  C_ij = C_{i-1,j} + alpha_ij / Phi_j, with the fertility Phi_j = N sigmoid(U_f h_j): how much looking the
              piece is good for (Tu et al., equations 9 and 10).
`neural`      C_ij = GRU(C_{i-1,j}, [alpha_ij; h_j; s]), several numbers a piece (Tu et al., equation 7).

Copying: p_gen = sigmoid(w_c^T c_i + w_s^T s_i + w_x^T E y_{i-1} + b) is left to the vocabulary, and the rest goes to
the source's own pieces as they are looked at: p(w) = p_gen p_vocabulary(w) + (1 - p_gen) sum_{j: x_j = w} alpha_ij (See
et al., equations 8 and 9). Both languages share one vocabulary of pieces, so that whatever the source has can be copied
and no further pieces are needed.

Everything starts from a trained RNNsearch: V_a = 0 lets coverage change nothing at first, and b = BEGINNING nearly
nothing be copied. Shapes and symbols are those of `model.networks.rnnsearch`, d numbers of coverage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.networks import rnnsearch
from model.networks.base import Alpha, StepResult, in_place_of
from model.networks.rnnsearch import ATTENTION, GRU, RNNsearch
from model.serialization.fields import check_choice, check_flags, check_sizes
from model.text.vocabulary import PAD
from model.trace import COVERAGE_MAP, MapDescription

Coverage = Literal["none", "sum", "linguistic", "neural"]

COVERAGE = MapDescription(COVERAGE_MAP, rows_sum_to_one=False)  # C_{i-1}, where it is one number a piece
BEGINNING = 5.0  # of b: p_gen = 0.993. A sigmoid reaches 1 nowhere, and from too near it nothing would be learnt


@dataclass(frozen=True)
class Configuration(rnnsearch.Configuration):
    """Sizes and wiring as in RNNsearch, and what is added to it. Raises ValueError naming the field that is off."""

    coverage: Coverage = "linguistic"
    coverage_size: int = 10  # d, of neural coverage
    fertility: int = 2  # N, of linguistic coverage
    coverage_loss: float = 0.0  # lambda, of the coverage that is a sum, while training
    copying: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self, "coverage", get_args(Coverage))
        check_sizes(self, "coverage_size", "fertility")
        check_flags(self, "copying")
        if not 0.0 <= self.coverage_loss <= 1000.0:
            raise ValueError(f"coverage_loss is {self.coverage_loss!r}; it must be from 0 to 1000")
        if self.coverage_loss and self.coverage != "sum":
            raise ValueError(f"coverage_loss is {self.coverage_loss!r}; it is for the coverage 'sum' alone")
        if self.coverage == "none" and not self.copying:
            raise ValueError("coverage is 'none' and nothing is copied; that is RNNsearch, a kind of its own")


@dataclass(frozen=True)
class Memory(rnnsearch.Memory):
    """What the encoder leaves, and what copying and coverage need of the source."""

    pieces: Tensor  # (batch, source)
    gain: Tensor | None  # 1 / Phi_j (batch, source); None where a look counts as it is
    fed: Tensor | None  # what the GRU of neural coverage makes of h_j (batch, source, 3d); None for others

    def select(self, rows: Tensor) -> Memory:
        gain, fed = (None if part is None else part[rows] for part in (self.gain, self.fed))
        whole = super().select(rows)
        return Memory(whole.annotations, whole.keys, whole.mask, whole.summary, self.pieces[rows], gain, fed)


@dataclass(frozen=True)
class State(rnnsearch.State):
    """Where the decoder stands, and C: (batch, source, d), d = 1 unless it is neural; None without coverage."""

    coverage: Tensor | None

    def reorder(self, rows: Tensor) -> State:
        moved = super().reorder(rows)
        assert isinstance(moved, State)
        return replace(moved, coverage=None if self.coverage is None else self.coverage[rows])


@dataclass(frozen=True)
class Attention(rnnsearch.Attention):
    """A glance, and the coverage before it and after it (batch, source, d)."""

    before: Tensor | None
    after: Tensor | None

    @property
    def weights(self) -> dict[str, Tensor]:
        single = self.before is not None and self.before.shape[2] == 1
        return super().weights | ({COVERAGE.key: self.before[:, :, 0]} if single and self.before is not None else {})


class CoverageSearch(RNNsearch):
    """RNNsearch with coverage, with copying, or with both."""

    configuration: Configuration

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(configuration)
        m, n, kept, copying = (getattr(configuration, k) for k in ("embedding", "hidden", "coverage", "copying"))
        self.size = 0 if kept == "none" else configuration.coverage_size if kept == "neural" else 1  # d
        self.V_a = _parameter(bool(self.size), configuration.alignment, self.size)
        self.U_f = _parameter(kept == "linguistic", 2 * n)
        self.cover = GRU(1 + 3 * n, self.size) if kept == "neural" else None
        self.w_c, self.w_s, self.w_x = _parameter(copying, 2 * n), _parameter(copying, n), _parameter(copying, m)
        self.b_gen = _parameter(copying, 1)
        if kept in ("sum", "linguistic"):
            self.maps = (ATTENTION, COVERAGE)
        self.initialise()

    @torch.no_grad()
    def initialise(self, generator: torch.Generator | None = None) -> None:
        """As RNNsearch; of what is added V_a, U_f and the w are 0 and b is BEGINNING, the GRU as any other."""
        super().initialise(generator)
        for name, parameter in self.named_parameters():
            if name in ("V_a", "U_f", "w_c", "w_s", "w_x"):
                parameter.zero_()
            elif name == "b_gen":
                parameter.fill_(BEGINNING)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> Memory:
        """As RNNsearch, with what copying and coverage need of the source."""
        one = super().encode(source, embedded)
        h = one.annotations
        return Memory(h, one.keys, one.mask, one.summary, source, self.gain(h), self.fed(h))

    def gain(self, h: Tensor) -> Tensor | None:
        """1 / Phi_j = 1 / (N sigmoid(U_f h_j)), (batch, source, 2n) -> (batch, source); None where looks count 1."""
        if self.U_f is None:
            return None
        return 1 / (self.configuration.fertility * torch.sigmoid(h @ self.U_f))

    def fed(self, h: Tensor) -> Tensor | None:
        """What the GRU of neural coverage makes of h_j, (batch, source, 2n) -> (batch, source, 3d); None for others."""
        if self.cover is None:
            return None
        biases = torch.cat([self.cover.b.new_zeros(2 * self.size), self.cover.b])
        return F.linear(h, self.cover.W[:, 1 : 1 + h.shape[2]], biases)

    def start(self, memory: rnnsearch.Memory) -> State:
        """As RNNsearch, and nothing is covered yet."""
        one = super().start(memory)
        covered = memory.annotations.new_zeros(*memory.annotations.shape[:2], self.size) if self.size else None
        return State(one.memory, one.s, one.context, covered)

    def look_from(self, state: rnnsearch.State, s: Tensor, alpha: Alpha | None = None) -> Attention:
        """Where the decoder in the state s looks, given what is covered; `alpha` may change attention and coverage."""
        assert isinstance(state, State)
        memory, before = state.memory, state.coverage
        if before is None or self.V_a is None:
            one = self.look(memory, s, alpha)
            return Attention(one.context, one.alpha, one.energies, None, None)
        if alpha is not None and self.size == 1:
            before = in_place_of(before[:, :, 0], alpha.get(COVERAGE.key))[:, :, None]
        assert memory.keys is not None
        one = self.look(replace(memory, keys=memory.keys + before @ self.V_a.T), s, alpha)
        assert one.alpha is not None
        return Attention(one.context, one.alpha, one.energies, before, self._covered(memory, s, before, one.alpha))

    def _covered(self, memory: rnnsearch.Memory, s: Tensor, before: Tensor, alpha: Tensor) -> Tensor:
        """C_i (batch, source, d), given C_{i-1}, the state that looked, and alpha_i (batch, source)."""
        assert isinstance(memory, Memory)
        if self.cover is None or memory.fed is None:
            return before + (alpha if memory.gain is None else alpha * memory.gain)[:, :, None]
        of_alpha, of_s = self.cover.W[:, 0], self.cover.W[:, -s.shape[1] :]
        return self.cover(memory.fed + alpha[:, :, None] * of_alpha + (s @ of_s.T)[:, None], before)[0]

    def after(self, state: rnnsearch.State, s: Tensor, look: rnnsearch.Attention) -> State:
        assert isinstance(look, Attention)
        return State(state.memory, s, look.context, look.after)

    def generating(self, s: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        """What the sigmoid makes p_gen of, (..., n), (..., m) and (..., 2n) -> (...)."""
        w_c, w_s, w_x, b = (cast("Tensor", one) for one in (self.w_c, self.w_s, self.w_x, self.b_gen))
        return context @ w_c + s @ w_s + embedded @ w_x + b

    def say(self, memory: rnnsearch.Memory, t: Tensor, s: Tensor, embedded: Tensor,
            look: rnnsearch.Attention) -> Tensor:
        """log p(y_i): what the vocabulary says, mixed with the source's pieces where they are copied."""
        log_p = super().say(memory, t, s, embedded, look)
        if not self.configuration.copying:
            return log_p
        assert isinstance(memory, Memory)
        assert look.alpha is not None
        a = self.generating(s, embedded, look.context)[..., None]
        pieces = memory.pieces if log_p.dim() == 2 else memory.pieces[:, None].expand_as(look.alpha)
        looked_at = torch.zeros_like(log_p).scatter_add(-1, pieces, look.alpha)
        there = looked_at > 0
        copied = torch.where(there, looked_at, 1.0).log() + F.logsigmoid(-a)
        generated = log_p + F.logsigmoid(a)
        return torch.where(there, torch.logaddexp(generated, copied), generated)

    def step(self, state: rnnsearch.State, piece: Tensor, *, detail: bool = False,
             alpha: Alpha | None = None) -> StepResult:
        """As RNNsearch; the detail has p_gen (batch, 1) besides."""
        result = super().step(state, piece, detail=detail, alpha=alpha)
        if detail and self.configuration.copying:
            a = self.generating(result.detail["state"], self.target_embedding(piece), result.detail["context"])
            result.detail["p_gen"] = torch.sigmoid(a)[:, None]
        return result

    def besides(self, weights: dict[str, Tensor], target: Tensor) -> Tensor:
        """While training, lambda sum_ij min(alpha_ij, C_{i-1,j}) over the target's pieces."""
        share = self.configuration.coverage_loss
        if not (share and self.training):
            return super().besides(weights, target)
        again = torch.minimum(weights[ATTENTION.key], weights[COVERAGE.key]).sum(-1)  # (batch, target)
        return share * again[target != PAD].sum()


def _parameter(there: bool, *shape: int) -> nn.Parameter | None:
    return nn.Parameter(torch.empty(shape)) if there else None
