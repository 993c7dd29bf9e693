"""The fast decoder of RNNsearch and RNNencdec: the mathematics of `model.networks.rnnsearch`, one step at a time.

Results are the same but for rounding. A step of a few rows multiplies matrices with a few vectors, and most of its time
goes into loading the matrices. Therefore

- what depends on the token alone, W E y and V_o E y with the biases, is looked up in a table;
- matrices that multiply the same vector are joined, for example W_a, U_z, U_r and U_o for the state;
- matrices are packed in fp16 where that is exact (`model.decoding.fast.packed_linear`);
- C c_i and C_o c_i = sum_j alpha_ij (C h_j): the context's matrices multiply the annotations once per sentence, and a
  step only sums. This pays for a single sentence, or with several rows per sentence. RNNencdec has a constant context;
- the rows of one sentence (a beam) share its encoder output;
- on a CPU in float32, the operations between two products are one numba kernel, and for a single row the whole step is
  (`model.decoding.fast.compiled_rnnsearch`). The torch code here does the same and is easier to read.

Attention weights are computed in `FastRNNsearch._attend`, or by the kernel `attend`.

Shapes and symbols are those of `model.networks.rnnsearch`. A = n' + 2n + 2l is the width of a projected state (without
n' for RNNencdec), P = 3n + 2l that of a projected token or context.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.decoding.fast.background_compile import get_decoding_kernels
from model.decoding.fast.compiled_rnnsearch import CompiledRNNsearch
from model.decoding.fast.packed_linear import PackedLinear
from model.decoding.fast.row_layout import RowLayout, select_rows
from model.decoding.fast.step_parts import StepParts
from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.rnnsearch import ATTENTION, GRUNetwork, RNNsearch
from model.trace import MapDescription


@dataclass(frozen=True)
class FastEncoderOutput:
    """The encoder output and its projections. Row i of a batch reads sentence i, unless `layout` says otherwise."""

    annotations: Tensor  # h (sentences, source, 2n); for RNNencdec the vector c (batch, 1, n)
    projected_annotations: Tensor | None  # [C; C_o] h (sentences, source, P); None where it does not pay
    keys: Tensor | None  # U_a h (sentences, source, n')
    mask: Tensor | None  # (sentences, source), true for tokens; None without padding
    summary: Tensor  # (sentences, n)
    layout: RowLayout | None = None
    lengths: Tensor | None = None  # (sentences,); this and the next are for the kernels
    exp_keys: Tensor | None = None  # e^(2 U_a h) (sentences, source, n'); source is 0 without attention

    def select_sentences(self, sentences: Tensor) -> FastEncoderOutput:
        """Return the output of these sentences, with one row each."""
        projected, keys, mask, lengths, exp_keys = (
            None if part is None else part.index_select(0, sentences)
            for part in (self.projected_annotations, self.keys, self.mask, self.lengths, self.exp_keys))
        return FastEncoderOutput(self.annotations.index_select(0, sentences), projected, keys, mask,
                                 self.summary.index_select(0, sentences), None, lengths, exp_keys)

    @cached_property
    def kernel_arrays(self) -> tuple[Any, Any, Any, Any] | None:
        """The inputs of `search_kernels` at every step; None if the kernels do not apply.

        These are `exp_keys`, the annotations or their projections, the sentence of each row, and the lengths.
        """
        if self.lengths is None or self.exp_keys is None:
            return None
        vectors = self.annotations if self.projected_annotations is None else self.projected_annotations
        sentences = torch.arange(len(self.summary)) if self.layout is None else self.layout.sentence
        return self.exp_keys.numpy(), vectors.numpy(), sentences.numpy(), self.lengths.numpy()

    def expand_to_rows(self, part: Tensor) -> Tensor:
        """Expand a part (sentences, ...) to (rows, ...), or (1, ...) if all rows share it."""
        if self.layout is None or len(part) == 1:
            return part
        return part.index_select(0, self.layout.sentence)


@dataclass(frozen=True)
class FastDecoderState:
    """The decoder state, its projection, and that of the last context (None before the first step)."""

    encoder_output: FastEncoderOutput
    s: Tensor  # (rows, n)
    projected_state: Tensor  # (rows, A)
    projected_context: Tensor | None  # (rows, P)
    context_linear: PackedLinear  # computes `projected_context`

    def replace_values(self, s: Tensor, projected_state: Tensor, projected_context: Tensor | None) -> FastDecoderState:
        """Return the state with new values and the same encoder output."""
        return FastDecoderState(self.encoder_output, s, projected_state, projected_context, self.context_linear)

    def reorder(self, rows: Tensor) -> FastDecoderState:
        s, projected_state = self.s.index_select(0, rows), self.projected_state.index_select(0, rows)
        context = None if self.projected_context is None else self.projected_context.index_select(0, rows)
        return self.replace_values(s, projected_state, context)

    def select(self, rows: Tensor) -> FastDecoderState:
        return replace(self.reorder(rows), encoder_output=self._select_encoder_output(rows))

    def _select_encoder_output(self, rows: Tensor) -> FastEncoderOutput:
        output = self.encoder_output
        if output.keys is None:
            return output.select_sentences(rows)
        kept_sentences, layout = select_rows(rows, output.layout, len(output.summary))
        if kept_sentences is not None:
            output = output.select_sentences(kept_sentences)
        projected = output.projected_annotations
        if layout is not None and projected is None and len(rows) > len(output.summary):
            projected = self.context_linear(output.annotations)
        return replace(output, projected_annotations=projected, layout=layout)


class EmbeddingProjection:
    """A projection of each row of an embedding (vocabulary, m), computed when a token first occurs."""

    def __init__(self, linear: PackedLinear, embedding: Tensor) -> None:
        self._linear, self._embedding = linear, embedding
        self._table = embedding.new_empty(len(embedding), len(linear.bias_or_zeros))
        self._is_computed = torch.zeros(len(embedding), dtype=torch.bool, device=embedding.device)

    def get_table(self, tokens: Tensor) -> Tensor:
        """Return the table (vocabulary, out), valid in the rows of these tokens."""
        missing = tokens[~self._is_computed[tokens]]
        if len(missing):
            missing = missing.unique()
            self._table[missing] = self._linear(self._embedding[missing])
            self._is_computed[missing] = True  # last, because other threads read it
        return self._table


class FastRNNsearch:
    """The fast decoder of a GRU network, with the weights that the network had when this was created."""

    def __init__(self, network: GRUNetwork) -> None:
        self._network = weakref.ref(network)
        self.maps: tuple[MapDescription, ...] = tuple(network.maps)
        config = network.config
        self.wiring, self.n, self.l = config.wiring, config.hidden, config.readout
        has_attention = isinstance(network, RNNsearch)
        self.a = config.alignment if has_attention else 0
        weights = {name: value.detach() for name, value in network.named_parameters()}
        directions = [network.encoder, *([network.encoder_backward] if isinstance(network, RNNsearch) else [])]

        self.source_embedding, self.target_embedding = (weights[f"{side}_embedding.weight"]
                                                        for side in ("source", "target"))
        source_linear = PackedLinear([gru.W for gru in directions],
                                     torch.cat([gru.input_bias.detach() for gru in directions]))
        self.source_projection = EmbeddingProjection(source_linear, self.source_embedding)
        self.encoder_gates = [PackedLinear([gru.U_gates]) for gru in directions]  # each n -> 2n
        self.encoder_U = [PackedLinear([gru.U]) for gru in directions]  # each n -> n
        self.initial_state_linear = PackedLinear([weights["W_s"]], weights["b_s"])
        U_o, V_o, C_o, b_o = (_split_pairs(weights[name]) for name in ("U_o", "V_o", "C_o", "b_o"))
        self.state_linear = PackedLinear([*([weights["W_a"]] if has_attention else []), weights["decoder.U_gates"],
                                          U_o])  # n -> A
        self.token_linear = PackedLinear([weights["decoder.W"], V_o],
                                         torch.cat([network.decoder.input_bias.detach(), b_o]))  # m -> P
        self.context_linear = PackedLinear([weights["decoder.C"], C_o])  # 2n or n -> P
        self.U = PackedLinear([weights["decoder.U"]])
        self.output_linear = PackedLinear([weights["W_o"]], weights["b_w"])
        self.U_a = PackedLinear([weights["U_a"]]) if has_attention else None
        self.v_a: Tensor | None = weights["v_a"] if has_attention else None
        self._compiled: CompiledRNNsearch | None = None
        self._has_plain_energies = True  # e_ij = v_a tanh(W_a s + U_a h_j), as the kernels compute it

    @cached_property
    def target_table(self) -> Tensor:
        """The projection of all target tokens (vocabulary, P), computed by the first step.

        Steps read scattered rows of it, which is faster in the large memory pages that numpy requests.
        """
        table = self.token_linear(self.target_embedding)
        if table.device.type != "cpu" or table.dtype not in (torch.float32, torch.float64):
            return table
        return torch.from_numpy(np.empty(tuple(table.shape), table.numpy().dtype)).copy_(table)

    @property
    def compiled(self) -> CompiledRNNsearch | None:
        """The compiled steps, if they can be used; once used, they always are."""
        if self._compiled is None and (kernels := get_decoding_kernels(self.U.transposed)) is not None:
            self._compiled = CompiledRNNsearch(self, kernels)
        return self._compiled

    def get_encoder_attention_weights(self, encoder_output: FastEncoderOutput) -> dict[str, Tensor]:
        return {}

    def encode(self, source: Tensor) -> FastEncoderOutput:
        network = self._network()
        assert network is not None  # search keeps it alive
        mask = network.check_source(source)
        padding_mask, compiled = None if bool(mask.all()) else mask, self.compiled
        lengths = mask.sum(1)
        h = self._run_encoder(source, padding_mask) if compiled is None else compiled.run_encoder(source, lengths)
        use_kernels = compiled is not None and self._has_plain_energies
        if self.U_a is None:
            c = h[:, -1]  # padding leaves the state after EOS unchanged
            output = FastEncoderOutput(c[:, None], self.context_linear(c)[:, None], None, padding_mask, c)
            return replace(output, lengths=lengths, exp_keys=h[:, :0]) if use_kernels else output
        projected, keys = self.context_linear(h) if len(source) == 1 else None, self.U_a(h)
        output = FastEncoderOutput(h, projected, keys, padding_mask, h[:, 0, self.n :])
        if compiled is None or not use_kernels:
            return output
        return replace(output, lengths=lengths, exp_keys=compiled.compute_exp_keys(keys))

    def _run_encoder(self, source: Tensor, mask: Tensor | None) -> Tensor:
        """Return the states of all directions, side by side: (batch, source, directions * n)."""
        n, length = self.n, source.shape[1]
        source_table = self.source_projection.get_table(source)  # (vocabulary, directions * 3n)
        h = source_table.new_empty(len(source), length, len(self.encoder_U) * n)
        for direction, (gates, U) in enumerate(zip(self.encoder_gates, self.encoder_U, strict=True)):
            table = source_table[:, direction * 3 * n : (direction + 1) * 3 * n]
            s = source_table.new_zeros(len(source), n)
            for j in range(length) if direction == 0 else reversed(range(length)):
                projected = table.index_select(0, source[:, j])
                z, r = gates(s).add_(projected[:, : 2 * n]).sigmoid_().chunk(2, dim=-1)
                new_s = torch.lerp(s, U(r * s).add_(projected[:, 2 * n :]).tanh_(), z)
                s = new_s if mask is None else torch.where(mask[:, j, None], new_s, s)
                h[:, j, direction * n : (direction + 1) * n] = s
        return h

    def start(self, encoder_output: FastEncoderOutput) -> FastDecoderState:
        """Return the state s_0 = tanh(W_s summary + b)."""
        s = self.initial_state_linear(encoder_output.summary).tanh_()
        return FastDecoderState(encoder_output, s, self.state_linear(s), None, self.context_linear)

    def step(self, state: FastDecoderState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        compiled = None if state.encoder_output.kernel_arrays is None else self.compiled
        parts = self._step(state, token, overrides) if compiled is None else compiled.step(state, token, overrides,
                                                                                          detail)
        extra: dict[str, Tensor] = {}
        if detail:
            h = state.encoder_output.expand_to_rows(state.encoder_output.annotations)
            context = h[:, 0] if parts.alpha is None else (parts.alpha[:, None] @ h)[:, 0]
            extra = {"state": parts.s, "context": context, **parts.detail}
        weights = {} if parts.alpha is None else {ATTENTION.key: parts.alpha}
        return StepResult(parts.log_probs, parts.next_state, weights, extra)

    def _step(self, state: FastDecoderState, token: Tensor, overrides: AttentionOverrides | None) -> StepParts:
        s, projected_state = state.s, state.projected_state
        detail: dict[str, Tensor] = {}
        if self.wiring == "groundhog" and state.projected_context is not None:
            s, projected_state, detail = self._update(token, s, projected_state, state.projected_context)
        projected_context, alpha, energies = self._attend(state, projected_state, overrides)
        readout_s, readout_state = s, projected_state
        if self.wiring != "groundhog":
            s, projected_state, detail = self._update(token, s, projected_state, projected_context)
            if self.wiring == "equation4":
                readout_s, readout_state = s, projected_state
        if energies is not None:
            detail["energies"] = energies
        return StepParts(self._compute_log_probs(token, readout_state, projected_context),
                         state.replace_values(s, projected_state, projected_context), readout_s, alpha, detail)

    def _attend(
        self, state: FastDecoderState, projected_state: Tensor, overrides: AttentionOverrides | None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Return the projected context (rows, P), alpha_i and the energies (rows, source)."""
        output = state.encoder_output
        if output.keys is None or self.v_a is None:
            assert output.projected_annotations is not None
            return output.projected_annotations[:, 0], None, None
        e = self._compute_energy_inputs(state, output.keys, projected_state).tanh_() @ self.v_a  # (rows, source)
        masked = e if output.mask is None else e.masked_fill(~output.expand_to_rows(output.mask), -torch.inf)
        alpha = torch.softmax(masked, dim=-1)
        if overrides is not None:
            alpha = apply_override(alpha, overrides.get(ATTENTION.key))
        return self._sum_context(output, alpha), alpha, e

    def _compute_energy_inputs(self, state: FastDecoderState, keys: Tensor, projected_state: Tensor) -> Tensor:
        """Return W_a s + U_a h_j, (rows, source, n')."""
        query, row_keys = projected_state[:, None, : self.a], state.encoder_output.expand_to_rows(keys)
        return query + row_keys if row_keys is keys else row_keys.add_(query)

    def _sum_context(self, output: FastEncoderOutput, alpha: Tensor) -> Tensor:
        """Return the projected context (rows, P) for attention weights (rows, source)."""
        vectors = output.annotations if output.projected_annotations is None else output.projected_annotations
        if len(vectors) == 1:
            context = alpha @ vectors[0]
        elif output.layout is None:
            context = (alpha[:, None] @ vectors)[:, 0]
        else:
            layout = output.layout
            context = (layout.scatter(alpha, len(vectors)) @ vectors)[layout.sentence, layout.rank]
        return self.context_linear(context) if output.projected_annotations is None else context

    def _update(self, token: Tensor, s: Tensor, projected_state: Tensor,
                projected_context: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """Return s' = f(s, y, c), its projection, and the gates."""
        n, a = self.n, self.a
        inputs = self.target_table.index_select(0, token)[:, : 3 * n] + projected_context[:, : 3 * n]
        z, r = (inputs[:, : 2 * n] + projected_state[:, a : a + 2 * n]).sigmoid_().chunk(2, dim=-1)
        new_s = torch.lerp(s, self.U(r * s).add_(inputs[:, 2 * n :]).tanh_(), z)
        return new_s, self.state_linear(new_s), {"update": z, "reset": r}

    def _compute_log_probs(self, token: Tensor, projected_state: Tensor, projected_context: Tensor) -> Tensor:
        """Return log p(y_i), (rows, vocabulary)."""
        n, a = self.n, self.a
        t = self.target_table.index_select(0, token)[:, 3 * n :] + projected_state[:, a + 2 * n :]
        t += projected_context[:, 3 * n :]
        t = torch.maximum(t[:, : self.l], t[:, self.l :])  # (rows, l)
        return torch.log_softmax(self.output_linear(t), dim=-1)


def _split_pairs(rows: Tensor) -> Tensor:
    """Put the first rows of all pairs before the second ones; maxout takes the maximum of each pair."""
    return torch.cat([rows[0::2], rows[1::2]])
