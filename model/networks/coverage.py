"""RNNsearch with coverage (Tu et al. 2016), with copying (See et al. 2017), or with both.

Coverage C_{i-1,j} is a record of the attention that source token j got before step i. It enters the energies:
e_ij = v_a^T tanh(W_a s + U_a h_j + V_a C_{i-1,j}). Four ways to compute it:

`none`        No coverage.
`sum`         C_i = C_{i-1} + alpha_i (See et al., eq. 10). In training an auxiliary loss can penalise attention to
              covered tokens: lambda sum_j min(alpha_ij, C_{i-1,j}) (eq. 12).
`linguistic`  C_ij = C_{i-1,j} + alpha_ij / Phi_j, where the fertility Phi_j = N sigmoid(U_f h_j) is the amount of
              attention that the token needs (Tu et al., eq. 9 and 10).
`neural`      C_ij = GRU(C_{i-1,j}, [alpha_ij; h_j; s]), d numbers per token (Tu et al., eq. 7).

Copying (See et al., eq. 8 and 9): p_gen = sigmoid(w_c^T c_i + w_s^T s_i + w_x^T E y_{i-1} + b), and
p(w) = p_gen p_vocabulary(w) + (1 - p_gen) sum_{j: x_j = w} alpha_ij. Both languages share one vocabulary, so that every
source token can be copied. Unknown words have ids from the size of the vocabulary up, which each source numbers for
itself (`Vocabulary.encode`): p_vocabulary of such an id is 0, and its embedding is that of UNK.

Training starts from a trained RNNsearch: V_a = 0 makes coverage ineffective at first, and the large b almost switches
copying off. Shapes and symbols are those of `model.networks.rnnsearch`; coverage is (B, T_x, d), d = 1 unless neural.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.networks import rnnsearch
from model.networks.base import AttentionOverrides, StepResult, apply_override, check_choice, check_flags, check_sizes
from model.networks.rnnsearch import ATTENTION, GRU, RNNsearch
from model.text.vocabulary import PAD, UNK
from model.trace import COVERAGE_MAP, MapDescription

CoverageKind = Literal["none", "sum", "linguistic", "neural"]

COVERAGE = MapDescription(COVERAGE_MAP, rows_sum_to_one=False)  # C_{i-1}, where d = 1
INITIAL_GENERATION_BIAS = 5.0  # b: p_gen = 0.993, close to 1 but with a gradient to learn from


@dataclass(frozen=True)
class CoverageConfig(rnnsearch.RNNsearchConfig):
    """Sizes and wiring as in RNNsearch, and the additions. Raises ValueError naming the field that is wrong."""

    coverage: CoverageKind = "linguistic"
    coverage_size: int = 10  # d, of neural coverage
    fertility: int = 2  # N, of linguistic coverage
    coverage_loss: float = 0.0  # lambda, of coverage "sum", in training
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
            raise ValueError("coverage is 'none' and nothing is copied; that is the kind rnnsearch")


@dataclass(frozen=True)
class CoverageEncoderOutput(rnnsearch.GRUEncoderOutput):
    """The encoder output of RNNsearch, with what copying and coverage need of the source."""

    token_ids: Tensor  # (B, T_x)
    inverse_fertility: Tensor | None  # 1 / Phi_j (B, T_x), of linguistic coverage
    coverage_inputs: Tensor | None  # input of the coverage GRU from h_j (B, T_x, 3d), of neural coverage

    def select(self, rows: Tensor) -> CoverageEncoderOutput:
        fertility, inputs = (
            None if part is None else part[rows] for part in (self.inverse_fertility, self.coverage_inputs)
        )
        return _extend(super().select(rows), self.token_ids[rows], fertility, inputs)


def _extend(
    output: rnnsearch.GRUEncoderOutput,
    token_ids: Tensor,
    inverse_fertility: Tensor | None,
    coverage_inputs: Tensor | None,
) -> CoverageEncoderOutput:
    return CoverageEncoderOutput(
        output.annotations, output.keys, output.mask, output.summary, token_ids, inverse_fertility, coverage_inputs
    )


@dataclass(frozen=True)
class CoverageDecoderState(rnnsearch.GRUDecoderState):
    """The decoder state of RNNsearch and C (B, T_x, d); None without coverage."""

    coverage: Tensor | None

    def reorder(self, rows: Tensor) -> CoverageDecoderState:
        state = cast("CoverageDecoderState", super().reorder(rows))
        return replace(state, coverage=None if self.coverage is None else self.coverage[rows])


@dataclass(frozen=True)
class CoverageAttentionStep(rnnsearch.AttentionStep):
    """The result of attending once, and the coverage before and after it (B, T_x, d)."""

    coverage_before: Tensor | None
    coverage_after: Tensor | None

    @property
    def weights(self) -> dict[str, Tensor]:
        coverage = self.coverage_before
        if coverage is None or coverage.shape[2] > 1:
            return super().weights
        return super().weights | {COVERAGE.key: coverage[:, :, 0]}


class CoverageRNNsearch(RNNsearch):
    """RNNsearch with coverage, with copying, or with both."""

    config: CoverageConfig

    def __init__(self, config: CoverageConfig) -> None:
        super().__init__(config)
        m, n, copying = config.embedding, config.hidden, config.copying
        self.extends_vocabulary = copying
        widths = {"none": 0, "sum": 1, "linguistic": 1, "neural": config.coverage_size}
        self.coverage_width = widths[config.coverage]  # d
        self.V_a = _create_parameter(bool(self.coverage_width), config.alignment, self.coverage_width)
        self.U_f = _create_parameter(config.coverage == "linguistic", 2 * n)
        self.cover = GRU(1 + 3 * n, self.coverage_width) if config.coverage == "neural" else None
        self.w_c = _create_parameter(copying, 2 * n)
        self.w_s = _create_parameter(copying, n)
        self.w_x = _create_parameter(copying, m)
        self.b_gen = _create_parameter(copying, 1)
        if config.coverage in ("sum", "linguistic"):
            self.maps = (ATTENTION, COVERAGE)
        self.initialise()

    @torch.no_grad()
    def initialise(self) -> None:
        """Initialise like RNNsearch; the added vectors and V_a are 0, and b is INITIAL_GENERATION_BIAS."""
        super().initialise()
        for name, parameter in self.named_parameters():
            if name in ("V_a", "U_f", "w_c", "w_s", "w_x"):
                parameter.zero_()
            elif name == "b_gen":
                parameter.fill_(INITIAL_GENERATION_BIAS)

    def replace_unknown(self, token_ids: Tensor) -> Tensor:
        if not self.extends_vocabulary:
            return token_ids
        return torch.where(token_ids < self.config.vocabulary, token_ids, UNK)

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> CoverageEncoderOutput:
        output = super().encode(source, embedded)
        h = output.annotations
        return _extend(output, source, self.compute_inverse_fertility(h), self.compute_coverage_inputs(h))

    def compute_inverse_fertility(self, h: Tensor) -> Tensor | None:
        """Return 1 / Phi_j = 1 / (N sigmoid(U_f h_j)), (B, T_x, 2n) -> (B, T_x); None unless linguistic."""
        if self.U_f is None:
            return None
        return 1 / (self.config.fertility * torch.sigmoid(h @ self.U_f))

    def compute_coverage_inputs(self, h: Tensor) -> Tensor | None:
        """Return the coverage GRU's input from h_j, (B, T_x, 2n) -> (B, T_x, 3d); None unless neural."""
        if self.cover is None:
            return None
        return F.linear(h, self.cover.W[:, 1 : 1 + h.shape[2]], self.cover.input_bias)

    def start(self, encoder_output: rnnsearch.GRUEncoderOutput) -> CoverageDecoderState:
        """Start like RNNsearch, with C_0 = 0."""
        state, h = super().start(encoder_output), encoder_output.annotations
        coverage = h.new_zeros(*h.shape[:2], self.coverage_width) if self.coverage_width else None
        return CoverageDecoderState(state.encoder_output, state.s, state.context, coverage)

    def attend_from_state(
        self, state: rnnsearch.GRUDecoderState, s: Tensor, overrides: AttentionOverrides | None = None
    ) -> CoverageAttentionStep:
        """Attend, given the coverage; `overrides` may hold attention and coverage."""
        assert isinstance(state, CoverageDecoderState)
        output, coverage_before = state.encoder_output, state.coverage
        if coverage_before is None or self.V_a is None:
            attention = self.attend(output, s, overrides)
            return CoverageAttentionStep(attention.context, attention.alpha, attention.energies, None, None)
        if overrides is not None and self.coverage_width == 1:
            coverage_before = apply_override(coverage_before[:, :, 0], overrides.get(COVERAGE.key))[:, :, None]
        assert output.keys is not None
        attention = self.attend(replace(output, keys=output.keys + coverage_before @ self.V_a.T), s, overrides)
        assert attention.alpha is not None
        coverage_after = self._update_coverage(output, s, coverage_before, attention.alpha)
        return CoverageAttentionStep(attention.context, attention.alpha, attention.energies, coverage_before,
                                     coverage_after)

    def _update_coverage(
        self, encoder_output: rnnsearch.GRUEncoderOutput, s: Tensor, coverage: Tensor, alpha: Tensor
    ) -> Tensor:
        """Return C_i (B, T_x, d) from C_{i-1}, the state that attended and alpha_i."""
        assert isinstance(encoder_output, CoverageEncoderOutput)
        inverse_fertility, inputs = encoder_output.inverse_fertility, encoder_output.coverage_inputs
        if self.cover is None or inputs is None:
            return coverage + (alpha if inverse_fertility is None else alpha * inverse_fertility)[:, :, None]
        W_alpha, W_s = self.cover.W[:, 0], self.cover.W[:, -s.shape[1] :]
        return self.cover(inputs + alpha[:, :, None] * W_alpha + (s @ W_s.T)[:, None], coverage)[0]

    def build_next_state(
        self, state: rnnsearch.GRUDecoderState, s: Tensor, attention: rnnsearch.AttentionStep
    ) -> CoverageDecoderState:
        assert isinstance(attention, CoverageAttentionStep)
        return CoverageDecoderState(state.encoder_output, s, attention.context, attention.coverage_after)

    def compute_generation_logit(self, s: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        """Return the logit of p_gen: (..., n), (..., m), (..., 2n) -> (...)."""
        w_c, w_s, w_x, b = (cast("Tensor", parameter) for parameter in (self.w_c, self.w_s, self.w_x, self.b_gen))
        return context @ w_c + s @ w_s + embedded @ w_x + b

    def compute_log_probs(
        self,
        encoder_output: rnnsearch.GRUEncoderOutput,
        t: Tensor,
        s: Tensor,
        embedded: Tensor,
        attention: rnnsearch.AttentionStep,
    ) -> Tensor:
        """Return log p(y_i): the vocabulary distribution, mixed with the copy distribution if there is one.

        Its width is the vocabulary, extended by the unknown words of the batch if there is copying.
        """
        log_probs = super().compute_log_probs(encoder_output, t, s, embedded, attention)
        if not self.config.copying:
            return log_probs
        assert isinstance(encoder_output, CoverageEncoderOutput)
        assert attention.alpha is not None
        logit = self.compute_generation_logit(s, embedded, attention.context)[..., None]
        token_ids = encoder_output.token_ids
        log_probs = extend_log_probs(log_probs, count_extended_ids(token_ids, self.config.vocabulary))
        token_ids = token_ids if log_probs.dim() == 2 else token_ids[:, None].expand_as(attention.alpha)
        copy_probs = torch.zeros_like(log_probs).scatter_add(-1, token_ids, attention.alpha)
        is_copied = copy_probs > 0
        copied = torch.where(is_copied, copy_probs, 1.0).log() + F.logsigmoid(-logit)
        generated = log_probs + F.logsigmoid(logit)
        return torch.where(is_copied, torch.logaddexp(generated, copied), generated)

    def step(
        self,
        state: rnnsearch.GRUDecoderState,
        token: Tensor,
        *,
        detail: bool = False,
        overrides: AttentionOverrides | None = None,
    ) -> StepResult:
        """Run one step as RNNsearch does; the detail also has p_gen (B, 1)."""
        result = super().step(state, token, detail=detail, overrides=overrides)
        if detail and self.config.copying:
            s, context = result.detail["state"], result.detail["context"]
            logit = self.compute_generation_logit(s, self.target_embedding(self.replace_unknown(token)), context)
            result.detail["p_gen"] = torch.sigmoid(logit)[:, None]
        return result

    def loss(self, source: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
        """Return the loss of RNNsearch. Raises ValueError for label smoothing with unknown words."""
        if smoothing and self.extends_vocabulary and bool((source >= self.config.vocabulary).any()):
            raise ValueError(f"smoothing is {smoothing:g}; with unknown words it must be 0, because a sentence without "
                             "them gives them the probability 0")
        return super().loss(source, target, smoothing)

    def compute_auxiliary_loss(self, weights: dict[str, Tensor], target: Tensor) -> Tensor:
        """Return the coverage loss, lambda sum_ij min(alpha_ij, C_{i-1,j}), in training; otherwise 0."""
        if not (self.config.coverage_loss and self.training):
            return super().compute_auxiliary_loss(weights, target)
        repeated = torch.minimum(weights[ATTENTION.key], weights[COVERAGE.key]).sum(-1)  # (B, T_y)
        return self.config.coverage_loss * repeated[target != PAD].sum()


def count_extended_ids(token_ids: Tensor, vocabulary: int) -> int:
    """Return the size of the vocabulary, extended by the unknown words of a batch of source sentences."""
    return max(vocabulary, int(token_ids.max()) + 1)


def extend_log_probs(log_probs: Tensor, size: int) -> Tensor:
    """Return log-probabilities (..., vocabulary) with -inf for further ids up to `size`."""
    return F.pad(log_probs, (0, size - log_probs.shape[-1]), value=-torch.inf)


def _create_parameter(exists: bool, *shape: int) -> nn.Parameter | None:
    return nn.Parameter(torch.empty(shape)) if exists else None
