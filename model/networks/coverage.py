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
from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.rnnsearch import ATTENTION, GRU, RNNsearch
from model.serialization.fields import check_choice, check_flags, check_sizes
from model.text.vocabulary import PAD
from model.trace import COVERAGE_MAP, MapDescription

CoverageKind = Literal["none", "sum", "linguistic", "neural"]

COVERAGE = MapDescription(COVERAGE_MAP, rows_sum_to_one=False)  # C_{i-1}, where it is one number a piece
INITIAL_GENERATION_BIAS = 5.0  # of b: p_gen = 0.993. A sigmoid reaches 1 nowhere, and from too near it nothing would be learnt


@dataclass(frozen=True)
class CoverageConfig(rnnsearch.RNNsearchConfig):
    """Sizes and wiring as in RNNsearch, and what is added to it. Raises ValueError naming the field that is off."""

    coverage: CoverageKind = "linguistic"
    coverage_size: int = 10  # d, of neural coverage
    fertility: int = 2  # N, of linguistic coverage
    coverage_loss: float = 0.0  # lambda, of the coverage that is a sum, while training
    copying: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self, "coverage", get_args(CoverageKind))
        check_sizes(self, "coverage_size", "fertility")
        check_flags(self, "copying")
        if not 0.0 <= self.coverage_loss <= 1000.0:
            raise ValueError(f"coverage_loss is {self.coverage_loss!r}; it must be from 0 to 1000")
        if self.coverage_loss and self.coverage != "sum":
            raise ValueError(f"coverage_loss is {self.coverage_loss!r}; it is for the coverage 'sum' alone")
        if self.coverage == "none" and not self.copying:
            raise ValueError("coverage is 'none' and nothing is copied; that is RNNsearch, a kind of its own")


@dataclass(frozen=True)
class CoverageEncoderOutput(rnnsearch.EncoderOutput):
    """What the encoder leaves, and what copying and coverage need of the source."""

    token_ids: Tensor  # (batch, source)
    inverse_fertility: Tensor | None  # 1 / Phi_j (batch, source); None where a look counts as it is
    projected_annotations: Tensor | None  # what the GRU of neural coverage makes of h_j (batch, source, 3d); None for others

    def select(self, rows: Tensor) -> CoverageEncoderOutput:
        gain, fed = (None if part is None else part[rows] for part in (self.inverse_fertility, self.projected_annotations))
        whole = super().select(rows)
        return CoverageEncoderOutput(whole.annotations, whole.keys, whole.mask, whole.summary, self.token_ids[rows], gain, fed)


@dataclass(frozen=True)
class CoverageDecoderState(rnnsearch.DecoderState):
    """Where the decoder stands, and C: (batch, source, d), d = 1 unless it is neural; None without coverage."""

    coverage: Tensor | None

    def reorder(self, rows: Tensor) -> CoverageDecoderState:
        moved = super().reorder(rows)
        assert isinstance(moved, CoverageDecoderState)
        return replace(moved, coverage=None if self.coverage is None else self.coverage[rows])


@dataclass(frozen=True)
class CoverageAttentionStep(rnnsearch.AttentionStep):
    """A glance, and the coverage before it and after it (batch, source, d)."""

    coverage_before: Tensor | None
    coverage_after: Tensor | None

    @property
    def weights(self) -> dict[str, Tensor]:
        single = self.coverage_before is not None and self.coverage_before.shape[2] == 1
        return super().weights | ({COVERAGE.key: self.coverage_before[:, :, 0]} if single and self.coverage_before is not None else {})


class CoverageRNNsearch(RNNsearch):
    """RNNsearch with coverage, with copying, or with both."""

    configuration: CoverageConfig

    def __init__(self, configuration: CoverageConfig) -> None:
        super().__init__(configuration)
        m, n, kept, copying = (getattr(configuration, k) for k in ("embedding", "hidden", "coverage", "copying"))
        self.coverage_size = 0 if kept == "none" else configuration.coverage_size if kept == "neural" else 1  # d
        self.V_a = _create_optional_parameter(bool(self.coverage_size), configuration.alignment, self.coverage_size)
        self.U_f = _create_optional_parameter(kept == "linguistic", 2 * n)
        self.cover = GRU(1 + 3 * n, self.coverage_size) if kept == "neural" else None
        self.w_c, self.w_s, self.w_x = _create_optional_parameter(copying, 2 * n), _create_optional_parameter(copying, n), _create_optional_parameter(copying, m)
        self.b_gen = _create_optional_parameter(copying, 1)
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
                parameter.fill_(INITIAL_GENERATION_BIAS)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> CoverageEncoderOutput:
        """As RNNsearch, with what copying and coverage need of the source."""
        one = super().encode(source, embedded)
        h = one.annotations
        return CoverageEncoderOutput(h, one.keys, one.mask, one.summary, source, self.compute_inverse_fertility(h), self.project_annotations(h))

    def compute_inverse_fertility(self, h: Tensor) -> Tensor | None:
        """1 / Phi_j = 1 / (N sigmoid(U_f h_j)), (batch, source, 2n) -> (batch, source); None where looks count 1."""
        if self.U_f is None:
            return None
        return 1 / (self.configuration.fertility * torch.sigmoid(h @ self.U_f))

    def project_annotations(self, h: Tensor) -> Tensor | None:
        """What the GRU of neural coverage makes of h_j, (batch, source, 2n) -> (batch, source, 3d); None for others."""
        if self.cover is None:
            return None
        biases = torch.cat([self.cover.b.new_zeros(2 * self.coverage_size), self.cover.b])
        return F.linear(h, self.cover.W[:, 1 : 1 + h.shape[2]], biases)

    def start(self, encoder_output: rnnsearch.EncoderOutput) -> CoverageDecoderState:
        """As RNNsearch, and nothing is covered yet."""
        one = super().start(encoder_output)
        covered = encoder_output.annotations.new_zeros(*encoder_output.annotations.shape[:2], self.coverage_size) if self.coverage_size else None
        return CoverageDecoderState(one.encoder_output, one.s, one.context, covered)

    def attend_from_state(self, state: rnnsearch.DecoderState, s: Tensor, overrides: AttentionOverrides | None = None) -> CoverageAttentionStep:
        """Where the decoder in the state s looks, given what is covered; `alpha` may change attention and coverage."""
        assert isinstance(state, CoverageDecoderState)
        memory, before = state.encoder_output, state.coverage
        if before is None or self.V_a is None:
            one = self.attend(memory, s, overrides)
            return CoverageAttentionStep(one.context, one.alpha, one.energies, None, None)
        if overrides is not None and self.coverage_size == 1:
            before = apply_override(before[:, :, 0], overrides.get(COVERAGE.key))[:, :, None]
        assert memory.keys is not None
        one = self.attend(replace(memory, keys=memory.keys + before @ self.V_a.T), s, overrides)
        assert one.alpha is not None
        return CoverageAttentionStep(one.context, one.alpha, one.energies, before, self._update_coverage(memory, s, before, one.alpha))

    def _update_coverage(self, memory: rnnsearch.EncoderOutput, s: Tensor, before: Tensor, alpha: Tensor) -> Tensor:
        """C_i (batch, source, d), given C_{i-1}, the state that looked, and alpha_i (batch, source)."""
        assert isinstance(memory, CoverageEncoderOutput)
        if self.cover is None or memory.projected_annotations is None:
            return before + (alpha if memory.inverse_fertility is None else alpha * memory.inverse_fertility)[:, :, None]
        of_alpha, of_s = self.cover.W[:, 0], self.cover.W[:, -s.shape[1] :]
        return self.cover(memory.projected_annotations + alpha[:, :, None] * of_alpha + (s @ of_s.T)[:, None], before)[0]

    def build_next_state(self, state: rnnsearch.DecoderState, s: Tensor, attention: rnnsearch.AttentionStep) -> CoverageDecoderState:
        assert isinstance(attention, CoverageAttentionStep)
        return CoverageDecoderState(state.encoder_output, s, attention.context, attention.coverage_after)

    def compute_generation_logit(self, s: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        """What the sigmoid makes p_gen of, (..., n), (..., m) and (..., 2n) -> (...)."""
        w_c, w_s, w_x, b = (cast("Tensor", one) for one in (self.w_c, self.w_s, self.w_x, self.b_gen))
        return context @ w_c + s @ w_s + embedded @ w_x + b

    def compute_log_probs(self, encoder_output: rnnsearch.EncoderOutput, t: Tensor, s: Tensor, embedded: Tensor,
            attention: rnnsearch.AttentionStep) -> Tensor:
        """log p(y_i): what the vocabulary says, mixed with the source's pieces where they are copied."""
        log_p = super().compute_log_probs(encoder_output, t, s, embedded, attention)
        if not self.configuration.copying:
            return log_p
        assert isinstance(encoder_output, CoverageEncoderOutput)
        assert attention.alpha is not None
        a = self.compute_generation_logit(s, embedded, attention.context)[..., None]
        pieces = encoder_output.token_ids if log_p.dim() == 2 else encoder_output.token_ids[:, None].expand_as(attention.alpha)
        looked_at = torch.zeros_like(log_p).scatter_add(-1, pieces, attention.alpha)
        there = looked_at > 0
        copied = torch.where(there, looked_at, 1.0).log() + F.logsigmoid(-a)
        generated = log_p + F.logsigmoid(a)
        return torch.where(there, torch.logaddexp(generated, copied), generated)

    def step(self, state: rnnsearch.DecoderState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        """As RNNsearch; the detail has p_gen (batch, 1) besides."""
        result = super().step(state, token, detail=detail, overrides=overrides)
        if detail and self.configuration.copying:
            a = self.compute_generation_logit(result.detail["state"], self.target_embedding(token), result.detail["context"])
            result.detail["p_gen"] = torch.sigmoid(a)[:, None]
        return result

    def compute_auxiliary_loss(self, weights: dict[str, Tensor], target: Tensor) -> Tensor:
        """While training, lambda sum_ij min(alpha_ij, C_{i-1,j}) over the target's pieces."""
        share = self.configuration.coverage_loss
        if not (share and self.training):
            return super().compute_auxiliary_loss(weights, target)
        again = torch.minimum(weights[ATTENTION.key], weights[COVERAGE.key]).sum(-1)  # (batch, target)
        return share * again[target != PAD].sum()


def _create_optional_parameter(there: bool, *shape: int) -> nn.Parameter | None:
    return nn.Parameter(torch.empty(shape)) if there else None
