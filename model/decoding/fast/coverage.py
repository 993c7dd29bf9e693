"""The fast decoder of `model.networks.coverage`: `model.decoding.fast.rnnsearch` with coverage and copying.

Computed once per sentence: w_c h_j, and which source tokens are equal. w_x E y is a table of all tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from model.decoding.fast.rnnsearch import FastDecoderState, FastEncoderOutput, FastRNNsearch
from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.coverage import COVERAGE, CoverageRNNsearch, count_extended_ids, extend_log_probs
from model.networks.rnnsearch import ATTENTION


@dataclass(frozen=True)
class FastCoverageEncoderOutput(FastEncoderOutput):
    """The encoder output, with what copying and coverage need of the source; None for what a network does not have."""

    token_ids: Tensor | None = None  # (sentences, source)
    equal_tokens: Tensor | None = None  # (sentences, source, source): 1 where two tokens are equal, else 0
    vocabulary: int = 0  # its size, extended by the unknown words of the batch
    copy_scores: Tensor | None = None  # w_c h_j (sentences, source)
    inverse_fertility: Tensor | None = None  # 1 / Phi_j (sentences, source)
    coverage_inputs: Tensor | None = None  # input of the coverage GRU from h_j (sentences, source, 3d)

    def select_sentences(self, sentences: Tensor) -> FastCoverageEncoderOutput:
        names = ("token_ids", "equal_tokens", "copy_scores", "inverse_fertility", "coverage_inputs")
        parts: dict[str, Tensor | None] = {name: getattr(self, name) for name in names}
        selected = {name: part if part is None else part.index_select(0, sentences) for name, part in parts.items()}
        return _extend(super().select_sentences(sentences), vocabulary=self.vocabulary, **selected)


def _extend(output: FastEncoderOutput, **parts: Tensor | int | None) -> FastCoverageEncoderOutput:
    base: dict[str, Any] = {field.name: getattr(output, field.name) for field in fields(FastEncoderOutput)}
    return FastCoverageEncoderOutput(**(base | parts))


@dataclass(frozen=True)
class FastCoverageDecoderState(FastDecoderState):
    """The decoder state and C (rows, source, d); None without coverage."""

    coverage: Tensor | None = None

    def replace_values(
        self, s: Tensor, projected_state: Tensor, projected_context: Tensor | None
    ) -> FastCoverageDecoderState:
        """Return the state with new values, the same encoder output and the same coverage."""
        return FastCoverageDecoderState(self.encoder_output, s, projected_state, projected_context, self.context_linear,
                                        self.coverage)

    def reorder(self, rows: Tensor) -> FastCoverageDecoderState:
        state = cast("FastCoverageDecoderState", super().reorder(rows))
        return state if self.coverage is None else replace(state, coverage=self.coverage.index_select(0, rows))


class FastCoverageRNNsearch(FastRNNsearch):
    """The fast decoder of a `CoverageRNNsearch`, with the weights that the network had when this was created."""

    def __init__(self, network: CoverageRNNsearch) -> None:
        super().__init__(network)
        self.coverage_width, self.cover = network.coverage_width, network.cover
        self._has_plain_energies = network.V_a is None
        self.V_a, self.U_f, self.w_c, self.w_s, self.w_x, self.b_gen = (
            None if parameter is None else parameter.detach()
            for parameter in (network.V_a, network.U_f, network.w_c, network.w_s, network.w_x, network.b_gen))

    @cached_property
    def generation_scores(self) -> Tensor:
        """w_x E y + b of all tokens (vocabulary,), computed by the first step."""
        return self.target_embedding @ cast("Tensor", self.w_x) + cast("Tensor", self.b_gen)

    def encode(self, source: Tensor) -> FastCoverageEncoderOutput:
        network = cast("CoverageRNNsearch", self._network())
        output = super().encode(network.replace_unknown(source))
        h, vocabulary = output.annotations, network.config.vocabulary
        equal_tokens = None if self.w_c is None else (source[:, :, None] == source[:, None]).to(h.dtype)
        return _extend(output, token_ids=source, equal_tokens=equal_tokens,
                       vocabulary=vocabulary if self.w_c is None else count_extended_ids(source, vocabulary),
                       copy_scores=None if self.w_c is None else h @ self.w_c,
                       inverse_fertility=network.compute_inverse_fertility(h),
                       coverage_inputs=network.compute_coverage_inputs(h))

    def start(self, encoder_output: FastEncoderOutput) -> FastCoverageDecoderState:
        """Return the initial state of RNNsearch, with a coverage of 0."""
        state, h = super().start(encoder_output), encoder_output.annotations
        coverage = h.new_zeros(*h.shape[:2], self.coverage_width) if self.coverage_width else None
        return FastCoverageDecoderState(state.encoder_output, state.s, state.projected_state, state.projected_context,
                                        state.context_linear, coverage)

    def step(self, state: FastDecoderState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        assert isinstance(state, FastCoverageDecoderState)
        if state.coverage is not None and overrides is not None and self.coverage_width == 1:
            coverage = apply_override(state.coverage[:, :, 0], overrides.get(COVERAGE.key))
            state = replace(state, coverage=coverage[:, :, None])
        token = cast("CoverageRNNsearch", self._network()).replace_unknown(token)
        result = super().step(state, token, detail=detail, overrides=overrides)
        next_state, alpha = cast("FastCoverageDecoderState", result.state), result.weights[ATTENTION.key]
        log_probs = result.log_probs
        if self.w_s is not None:
            output = cast("FastCoverageEncoderOutput", state.encoder_output)
            copy_scores = output.expand_to_rows(cast("Tensor", output.copy_scores))
            s = state.s if self.wiring == "appendix" else next_state.s
            logit = (alpha * copy_scores).sum(-1) + s @ self.w_s + self.generation_scores.index_select(0, token)
            log_probs = _mix_with_copying(log_probs, logit[:, None], alpha, output)
            if detail:
                result.detail["p_gen"] = torch.sigmoid(logit)[:, None]
        if state.coverage is not None:
            attending_s = next_state.s if self.wiring == "groundhog" else state.s
            next_state = replace(next_state, coverage=self._update_coverage(state, attending_s, alpha))
            if self.coverage_width == 1:
                result = replace(result, weights={**result.weights, COVERAGE.key: state.coverage[:, :, 0]})
        return StepResult(log_probs, next_state, result.weights, result.detail)

    def _compute_energy_inputs(self, state: FastDecoderState, keys: Tensor, projected_state: Tensor) -> Tensor:
        inputs = super()._compute_energy_inputs(state, keys, projected_state)
        coverage = cast("FastCoverageDecoderState", state).coverage
        if coverage is None or self.V_a is None:
            return inputs
        if self.coverage_width == 1:
            return inputs.addcmul_(coverage, self.V_a[:, 0])
        return inputs.add_(coverage @ self.V_a.T)

    def _update_coverage(self, state: FastCoverageDecoderState, s: Tensor, alpha: Tensor) -> Tensor:
        """Return C_i (rows, source, d); s: the state that attended."""
        output, coverage = cast("FastCoverageEncoderOutput", state.encoder_output), cast("Tensor", state.coverage)
        if self.cover is not None and output.coverage_inputs is not None:
            W_alpha, W_s = self.cover.W[:, 0], self.cover.W[:, -s.shape[1] :]
            inputs = (output.expand_to_rows(output.coverage_inputs) + alpha[:, :, None] * W_alpha
                      + (s @ W_s.T)[:, None])
            return cast("Tensor", self.cover(inputs, coverage)[0])
        increase = alpha
        if output.inverse_fertility is not None:
            increase = alpha * output.expand_to_rows(output.inverse_fertility)
        return coverage + increase[:, :, None]


def _mix_with_copying(log_probs: Tensor, logit: Tensor, alpha: Tensor, output: FastCoverageEncoderOutput) -> Tensor:
    """Mix generation (rows, vocabulary) with copying; logit (rows, 1): that of generating.

    A source token is copied with the sum of the attention to all tokens equal to it.
    """
    equal_tokens, token_ids = (output.expand_to_rows(cast("Tensor", part))
                               for part in (output.equal_tokens, output.token_ids))
    copy_probs = (alpha[:, None] @ equal_tokens)[:, 0]
    index = token_ids.expand_as(copy_probs)
    generated = extend_log_probs(log_probs + F.logsigmoid(logit), output.vocabulary)
    mixed = torch.logaddexp(generated.gather(1, index), copy_probs.log() + F.logsigmoid(-logit))
    return generated.scatter(1, index, mixed)
