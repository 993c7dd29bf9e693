"""The steps of `model.decoding.fast.rnnsearch` with the kernels of `model.decoding.fast.search_kernels`.

Results are the same but for rounding. For one row a decoder step is a single kernel, which also multiplies the
matrices, if these are exact in fp16 as shipped weights are. Otherwise torch multiplies, which is faster for more rows,
and each group of operations between two products is a kernel.
"""

from __future__ import annotations

import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch import Tensor

from model.decoding.fast.packed_linear import PackedLinear
from model.decoding.fast.step_parts import StepParts
from model.networks.base import AttentionOverrides, apply_override
from model.networks.rnnsearch import ATTENTION

if TYPE_CHECKING:
    from model.decoding.fast.rnnsearch import FastDecoderState, FastRNNsearch

MAX_KEY = 34.0  # with smaller ones the limit of `exp_doubled` changes no tanh, because tanh(43 - 34) is 1 in float32


class CompiledRNNsearch:
    """The encoder and the decoder step of a `FastRNNsearch`, compiled."""

    def __init__(self, decoder: FastRNNsearch, kernels: Any) -> None:
        # `decoder` owns this object: a strong reference back would keep both until garbage collection.
        self._decoder: FastRNNsearch = weakref.proxy(decoder)
        self._kernels = kernels

    def run_encoder(self, source: Tensor, lengths: Tensor) -> Tensor:
        """Return the states of all directions, side by side: (batch, source, directions * n)."""
        decoder, n, tokens = self._decoder, self._decoder.n, source.numpy()
        table = decoder.source_projection.get_table(source)  # (vocabulary, directions * 3n)
        h = torch.empty(*source.shape, len(decoder.encoder_U) * n)
        for direction, (gates, U) in enumerate(zip(decoder.encoder_gates, decoder.encoder_U, strict=True)):
            inputs = table.numpy(), direction * 3 * n, tokens
            outputs = lengths.numpy(), direction * n, h.numpy()
            if len(source) == 1 and (matrices := _get_fp16_bits(gates, U)):
                self._kernels.run_encoder(*inputs, direction == 1, *matrices,
                                          gates.bias_or_zeros.numpy(), *outputs)
            else:
                positions = range(source.shape[1])
                self._run_direction(reversed(positions) if direction else positions, gates, U, inputs, outputs)
        return h

    def _run_direction(self, positions: Any, gates: PackedLinear, U: PackedLinear, inputs: tuple[Any, ...],
                       outputs: tuple[Any, ...]) -> None:
        """Run one direction of a batch; torch multiplies the matrices."""
        h = outputs[-1]
        s, z, rs = (np.zeros((len(h), self._decoder.n), np.float32) for _ in range(3))
        for j in positions:
            self._kernels.compute_encoder_gates(*inputs, j, gates.multiply_array(s), s, z, rs)
            self._kernels.update_encoder(*inputs, j, U.multiply_array(rs), z, *outputs[:2], s, h)

    def compute_exp_keys(self, keys: Tensor) -> Tensor | None:
        """Return e^(2 U_a h) of the keys U_a h; None if one is too large for the kernels."""
        if float(keys.abs().max()) > MAX_KEY:
            return None
        exp_keys = torch.empty_like(keys)
        self._kernels.exp_doubled(keys.numpy(), exp_keys.numpy())
        return exp_keys

    @cached_property
    def _constants(self) -> tuple[Any, Any, Any, Any]:
        """The inputs of all steps: the token table, a bias of zeros, the output bias, and v_a."""
        decoder = self._decoder
        zeros = np.zeros(max(decoder.state_linear.bias_or_zeros.shape[0],
                             decoder.context_linear.bias_or_zeros.shape[0]), np.float32)
        v = np.empty(0, np.float32) if decoder.v_a is None else decoder.v_a.numpy()
        return decoder.target_table.numpy(), zeros, decoder.output_linear.bias_or_zeros.numpy(), v

    def step(self, state: FastDecoderState, token: Tensor, overrides: AttentionOverrides | None,
             detail: bool) -> StepParts:
        """Run one decoder step; gates and energies are returned only with `detail`."""
        decoder, kernels, output = self._decoder, self._kernels, state.encoder_output
        n, a = decoder.n, decoder.a
        arrays = output.kernel_arrays
        assert arrays is not None  # the caller has checked
        exp_keys, vectors, sentences, lengths = arrays
        table, zeros, output_bias, v = self._constants
        rows, has_attention = state.s.shape[0], exp_keys.shape[1] > 0
        update_first = decoder.wiring == "groundhog" and state.projected_context is not None
        update_last = decoder.wiring != "groundhog"
        readout_uses_new_state = update_first or decoder.wiring == "equation4"
        tokens, s, projected_state = token.numpy(), state.s.numpy(), state.projected_state.numpy()
        z, r, new_s = np.empty_like(s), np.empty_like(s), np.empty_like(s)
        energies, alphas = (np.empty((rows, exp_keys.shape[1]), np.float32) for _ in range(2))
        projected_context = np.empty((rows, table.shape[1]), np.float32) if has_attention else vectors[:, 0]
        previous_context = cast("Tensor", state.projected_context).numpy() if update_first else projected_context
        override = None if overrides is None or not has_attention else overrides.get(ATTENTION.key)

        def override_alphas() -> Any:
            return apply_override(torch.from_numpy(alphas.copy()), override).contiguous().numpy()

        linears = decoder.U, decoder.state_linear, decoder.context_linear, decoder.output_linear
        if rows == 1 and (matrices := _get_fp16_bits(*linears)):
            candidate_matrix, state_matrix, context_matrix, output_matrix = matrices
            if output.projected_annotations is not None:
                context_matrix = context_matrix[:0]
            new_projected_state = np.empty_like(projected_state)
            log_probs = np.empty((rows, len(output_bias)), np.float32)

            def run_step(weights: Any) -> None:
                kernels.run_decoder_step(
                    update_first, update_last, readout_uses_new_state, table, tokens, s, projected_state,
                    previous_context, exp_keys, vectors, sentences, lengths, candidate_matrix, state_matrix,
                    context_matrix, output_matrix, zeros, output_bias, v, weights, z, r, new_s, new_projected_state,
                    energies, alphas, projected_context, log_probs)

            run_step(alphas[:0])
            if override is not None:  # it may depend on the network's own alphas, which the first run computed
                run_step(override_alphas())
        else:
            new_projected_state, rs = projected_state, np.empty_like(s)

            def update(context: Any) -> Any:
                kernels.compute_decoder_gates(table, tokens, context, projected_state, a, s, z, r, rs)
                kernels.update_decoder(table, tokens, context, decoder.U.multiply_array(rs), s, z, new_s)
                return decoder.state_linear.multiply_array(new_s)

            if update_first:
                new_projected_state = update(previous_context)
            if has_attention:
                kernels.attend(new_projected_state, exp_keys, v, sentences, lengths, energies, alphas)
                alphas = alphas if override is None else override_alphas()
                context = np.empty((rows, vectors.shape[2]), np.float32)
                kernels.sum_weighted(alphas, vectors, sentences, context)
                projected_context = (decoder.context_linear.multiply_array(context)
                                     if output.projected_annotations is None else context)
            if update_last:
                new_projected_state = update(projected_context)
            t = np.empty((rows, decoder.l), np.float32)
            kernels.maxout(table, tokens, projected_context,
                           new_projected_state if readout_uses_new_state else projected_state, n, a, t)
            log_probs = decoder.output_linear.multiply_array(t)
            kernels.log_softmax(log_probs)
        step_detail = {"update": z, "reset": r} if detail and (update_first or update_last) else {}
        step_detail |= {"energies": energies} if detail and has_attention else {}
        next_s, next_projected = (new_s, new_projected_state) if update_first or update_last else (s, projected_state)
        return StepParts(
            torch.from_numpy(log_probs),
            state.replace_values(*map(torch.from_numpy, (next_s, next_projected, projected_context))),
            torch.from_numpy(s if decoder.wiring == "appendix" else next_s),
            torch.from_numpy(alphas) if has_attention else None,
            {name: torch.from_numpy(values) for name, values in step_detail.items()})


def _get_fp16_bits(*linears: PackedLinear) -> list[Any]:
    """Return the matrices (in, out) as bits of fp16 numbers, or an empty list if fp16 would change a weight."""
    matrices = [linear.fp16_bits for linear in linears]
    return [] if any(matrix is None for matrix in matrices) else matrices
