"""The fast encoder and decoder of the Transformer; the mathematics is that of `model.networks.transformer`.

Results are the same but for rounding. As in `model.decoding.fast.rnnsearch`, matrices that multiply the same vector are
joined, and matrices are packed in fp16 where that is exact. Further,

- a row of the encoder is a source token, so that padding is computed in attention alone; a row of the decoder is a
  hypothesis;
- keys and values are stored once, in slots, and each row has a list of the slots that it attends to. Reordering a beam
  or dropping a row changes these lists alone, and hypotheses share their common beginning and their encoder output;
- on a CPU in float32, the decoder's attention and LayerNorm are numba kernels (`transformer_kernels`), and for a few
  rows the whole step is one. The torch code here does the same and is easier to read. A step with overrides is never
  one kernel, so that an override equal to the network's own weights changes results by rounding.

Shapes and symbols are those of `model.networks.transformer_layers`; N layers, m slots that a row attends to.
"""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.decoding.fast.background_compile import get_decoding_kernels
from model.decoding.fast.packed_linear import PackedLinear
from model.decoding.stacked_weights import StackedWeights
from model.networks.base import AttentionOverrides, StepResult, check_source
from model.networks.transformer import (
    Transformer,
    describe_cross_map,
    describe_decoder_map,
    describe_encoder_map,
    describe_mean_map,
)
from model.networks.transformer_layers import (
    DecoderLayer,
    EncoderLayer,
    WeightOverride,
    attend_explicitly,
    compute_positions,
)
from model.text.vocabulary import PAD
from model.trace import MapDescription

MAX_COMPILED_ROWS = 12  # most rows for which a step is one kernel; for more, PackedLinear is faster
CACHE_BLOCK = 16  # steps of room that a cache of self-attention gets when it is full


@dataclass(frozen=True)
class SlotCache:
    """Keys and values of all layers in slots, and the slots that each row attends to.

    Caches derived from one another share `kv`. Extending one claims the next free slots. If `kv` is full, or the next
    slots are taken because another cache was extended, it copies first.
    """

    kv: Tensor  # (N, 2, capacity, hidden): keys, then values
    slots: Tensor  # (rows, m)
    lengths: Tensor  # (rows,): how many of its slots a row attends to; the rest is padding
    end: int  # where its next slots begin
    shared_end: list[int]  # of the slots taken by any cache with this tensor: one number, shared by them

    def extend(self) -> SlotCache:
        """Give each row one more slot, the last of its list, whose keys and values are still to be written."""
        rows = len(self.slots)
        if self.shared_end[0] > self.end or self.end + rows > self.kv.shape[2]:
            return self._copy_used(CACHE_BLOCK * rows).extend()
        self.shared_end[0] += rows
        new_slots = torch.arange(self.end, self.end + rows, device=self.slots.device)
        slots = torch.cat([self.slots, new_slots[:, None]], dim=1)
        return replace(self, slots=slots, lengths=self.lengths + 1, end=self.end + rows)

    def _copy_used(self, room: int) -> SlotCache:
        """Return a copy of the slots that rows still attend to, with room for more."""
        used_slots, slots = self.slots.unique(return_inverse=True)
        kv = self.kv.new_empty(*self.kv.shape[:2], len(used_slots) + room, self.kv.shape[3])
        kv[:, :, : len(used_slots)] = self.kv.index_select(2, used_slots)
        return SlotCache(kv, slots, self.lengths, len(used_slots), [len(used_slots)])

    def select(self, rows: Tensor) -> SlotCache:
        return replace(self, slots=self.slots.index_select(0, rows), lengths=self.lengths.index_select(0, rows))

    def write(self, layer: int, kv: Tensor) -> None:
        """Write a layer's keys and values (rows, 2 hidden) into the slots of the last extension."""
        rows, hidden = len(kv), self.kv.shape[3]
        self.kv[layer, :, self.end - rows : self.end] = kv.view(rows, 2, hidden).transpose(0, 1)

    def attend(self, layer: int, projected: Tensor, heads: int, override: WeightOverride | None,
               kernels: Any) -> tuple[Tensor, Tensor]:
        """Return the context vectors (rows, hidden) and the weights (rows, heads, m) of a layer's attention.

        The first columns of projected (rows, ...) are the queries.
        """
        keys, values = self.kv[layer]
        if kernels is None:
            weights = compute_weights(projected, keys, self.slots, self.lengths, heads)
        else:
            weights = projected.new_empty(len(projected), heads, self.slots.shape[1])
            kernels.compute_weights(*(part.numpy() for part in (projected, keys, self.slots, self.lengths, weights)),
                                    0, heads)  # fmt: skip
        if override is not None:
            weights = override(weights[:, :, None])[:, :, 0]
        if kernels is None:
            return sum_values(weights, values, self.slots), weights
        context = projected.new_empty(len(projected), self.kv.shape[3])
        kernels.sum_values(*(part.numpy() for part in (weights.contiguous(), values, self.slots, context)), 0, heads)
        return context, weights


def compute_weights(projected: Tensor, keys: Tensor, slots: Tensor, lengths: Tensor, heads: int) -> Tensor:
    """Return the attention weights (rows, heads, m) of each row to the keys (capacity, hidden) in its slots."""
    q = projected[:, None, : keys.shape[1]].unflatten(-1, (heads, -1))  # (rows, 1, heads, d_k)
    e = (q * keys[slots].unflatten(-1, (heads, -1))).sum(-1).mT / math.sqrt(q.shape[-1])
    is_padding = torch.arange(slots.shape[1], device=slots.device) >= lengths[:, None]
    return torch.softmax(e.masked_fill(is_padding[:, None], -torch.inf), dim=-1)


def sum_values(weights: Tensor, values: Tensor, slots: Tensor) -> Tensor:
    """Return the sums (rows, hidden) of the values (capacity, hidden) in the slots, weighted in each head."""
    return (weights.mT[..., None] * values[slots].unflatten(-1, (weights.shape[1], -1))).sum(1).flatten(1)


@dataclass(frozen=True)
class FastTransformerEncoderOutput:
    """Keys and values of the source for the decoder's cross-attention, and what the encoder attended to."""

    cross_cache: SlotCache
    encoder_weights: dict[str, Tensor]  # by map key, (sentences, source, source)


@dataclass(frozen=True)
class FastTransformerState:
    """The decoder state: what cross-attention and self-attention attend to."""

    cross_cache: SlotCache
    self_cache: SlotCache

    def reorder(self, rows: Tensor) -> FastTransformerState:
        return replace(self, self_cache=self.self_cache.select(rows))

    def select(self, rows: Tensor) -> FastTransformerState:
        return FastTransformerState(self.cross_cache.select(rows), self.self_cache.select(rows))


class _Layer:
    """An encoder or decoder layer with joined and packed matrices, and the LayerNorms of its sublayers."""

    def __init__(self, layer: EncoderLayer | DecoderLayer) -> None:
        attention, feed_forward = layer.self_attention, layer.feed_forward
        self.self_qkv = PackedLinear([attention.W_Q, attention.W_K, attention.W_V])
        self.self_output = PackedLinear([attention.W_O])
        self.inner_linear = PackedLinear([feed_forward.W_1], feed_forward.b_1)
        self.outer_linear = PackedLinear([feed_forward.W_2], feed_forward.b_2)
        self.norms: list[nn.LayerNorm] = [layer.self_attention_residual, layer.feed_forward_residual]
        if isinstance(layer, DecoderLayer):
            self.cross_query = PackedLinear([layer.cross_attention.W_Q])
            self.cross_output = PackedLinear([layer.cross_attention.W_O])
            self.norms.insert(1, layer.cross_attention_residual)

    def feed_forward(self, inputs: Tensor) -> Tensor:
        return self.outer_linear(self.inner_linear(inputs).relu_())


class _Stack:
    """The layers of the encoder or of the decoder, and the LayerNorm after each sublayer's residual connection.

    With norm "post" that is the sublayer's own, with "pre" it is that of the next sublayer, or the stack's final one.
    """

    def __init__(self, layers: nn.ModuleList, final_norm: nn.Module) -> None:
        self.layers = [_Layer(cast("EncoderLayer | DecoderLayer", layer)) for layer in layers]
        norms = [norm for layer in self.layers for norm in layer.norms]
        self.is_pre_norm = isinstance(final_norm, nn.LayerNorm)
        self.first_norm, self.eps = norms[0], norms[0].eps
        if self.is_pre_norm:
            norms = [*norms[1:], cast("nn.LayerNorm", final_norm)]
        self.gains = torch.stack([norm.weight.detach() for norm in norms])  # (sublayers, hidden)
        self.biases = torch.stack([norm.bias.detach() for norm in norms])

    def start(self, x: Tensor) -> Tensor:
        """Return the input of the first sublayer."""
        return self.first_norm(x) if self.is_pre_norm else x

    def end_sublayer(self, number: int, x: Tensor, output: Tensor, kernels: Any = None) -> tuple[Tensor, Tensor]:
        """Return x after the residual connection of a sublayer, and the input of the next; x (rows, hidden)."""
        gain, bias = self.gains[number], self.biases[number]
        if kernels is None:
            total = x + output
            normalised = F.layer_norm(total, gain.shape, gain, bias, self.eps)
        else:
            total, normalised = torch.empty_like(x), torch.empty_like(x)
            kernels.add_and_normalise(*(part.numpy() for part in (x, output, gain, bias)), self.eps, total.numpy(),
                                      normalised.numpy())
        return total if self.is_pre_norm else normalised, normalised


class _TransformerStepParts(NamedTuple):
    """The parts of one decoder step."""

    log_probs: Tensor  # (rows, vocabulary)
    t: Tensor  # input of the output layer (rows, hidden)
    cross_weights: Tensor  # (rows, maps, source), the first stack of `_find_places`
    self_weights: Tensor  # (rows, maps, steps), the second
    cross_outputs: Tensor  # (N, rows, hidden)


class _KernelParameters(NamedTuple):
    """The weights of all layers as `run_decoder_step` takes them: matrices (N, in, out) as fp16 bits."""

    qkv: Any
    self_output: Any
    cross_query: Any
    cross_output: Any
    inner_matrix: Any
    outer_matrix: Any
    inner_bias: Any  # (N, d_ff)
    outer_bias: Any  # (N, hidden)
    output_matrix: Any  # (hidden, vocabulary)
    zeros: Any  # at least as many as a matrix without bias has outputs
    norm_gains: Any  # (3 N, hidden)
    norm_biases: Any  # (3 N, hidden)
    eps: float


class FastTransformer:
    """The fast decoder of a Transformer, with the weights that the network had when this was created."""

    def __init__(self, network: Transformer) -> None:
        self._network = weakref.ref(network)
        self.maps: tuple[MapDescription, ...] = network.maps
        self.hidden, self.heads, self.main_layer = network.config.hidden, network.config.heads, network.main_layer
        self.source_embedding = network.embedding.detach() * math.sqrt(self.hidden)
        self.target_embedding = self.source_embedding.clone()
        self.target_embedding[PAD] = 0.0  # the token before the first one
        self.encoder = _Stack(network.encoder, network.after_encoder)
        self.decoder = _Stack(network.decoder, network.after_decoder)
        attentions = [cast("DecoderLayer", layer).cross_attention for layer in network.decoder]
        self.cross_kv = PackedLinear([matrix for attention in attentions for matrix in (attention.W_K, attention.W_V)])
        self.output_linear = PackedLinear([network.embedding])
        self._places = _find_places(len(self.decoder.layers), self.heads)

    @property
    def network(self) -> Transformer:
        network = self._network()
        assert network is not None  # search keeps it alive
        return network

    def get_encoder_attention_weights(self, encoder_output: FastTransformerEncoderOutput) -> dict[str, Tensor]:
        return encoder_output.encoder_weights

    def encode(self, source: Tensor) -> FastTransformerEncoderOutput:
        """Encode token ids (sentences, source); between attentions, rows are tokens, without padding."""
        mask = check_source(source, self.network.config.vocabulary)
        sentences, positions = mask.nonzero(as_tuple=True)  # of each token
        slots = (mask.flatten().cumsum(0) - 1).view_as(source)  # at padding, that of the sentence's last token
        x = self.source_embedding[source[mask]] + self._compute_positions(source.shape[1])[positions]
        inputs, sublayers = self.encoder.start(x), count()  # (tokens, hidden)
        weights: dict[str, Tensor] = {}
        for number, layer in enumerate(self.encoder.layers, 1):
            q, k, v = layer.self_qkv(inputs)[slots].unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
            contexts, layer_weights = attend_explicitly(q, k, v, mask[:, None, None], None)
            output = layer.self_output(contexts.transpose(1, 2)[sentences, positions].flatten(1))
            x, inputs = self.encoder.end_sublayer(next(sublayers), x, output)
            x, inputs = self.encoder.end_sublayer(next(sublayers), x, layer.feed_forward(inputs))
            weights |= {describe_encoder_map(number, head).key: head_weights * mask[:, :, None]
                        for head, head_weights in enumerate(layer_weights.unbind(1), 1)}
        # (N, 2, tokens, hidden)
        kv = self.cross_kv(inputs).unflatten(-1, (-1, 2, self.hidden)).permute(1, 2, 0, 3).contiguous()
        return FastTransformerEncoderOutput(SlotCache(kv, slots, mask.sum(1), len(inputs), [len(inputs)]), weights)

    def start(self, encoder_output: FastTransformerEncoderOutput) -> FastTransformerState:
        cross = encoder_output.cross_cache
        lengths = torch.zeros_like(cross.lengths)
        return FastTransformerState(cross, SlotCache(cross.kv[:, :, :0], cross.slots[:, :0], lengths, 0, [0]))

    def step(self, state: FastTransformerState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        next_state = FastTransformerState(state.cross_cache, state.self_cache.extend())
        x = self.target_embedding.index_select(0, token)
        x += self._compute_positions(next_state.self_cache.slots.shape[1])[-1]
        kernels = get_decoding_kernels(x, "transformer_kernels")
        if kernels is not None and len(x) <= MAX_COMPILED_ROWS and not overrides and self.kernel_parameters:
            parts = self._run_compiled_step(next_state, x, self.kernel_parameters, kernels)
        else:
            parts = self._run_layers(next_state, x, overrides, kernels)
        extra = {"state": parts.t, "context": parts.cross_outputs[self.main_layer - 1]} if detail else {}
        weights = StackedWeights([parts.cross_weights, parts.self_weights], self._places)
        return StepResult(parts.log_probs, next_state, weights, extra)

    def _run_layers(self, state: FastTransformerState, x: Tensor, overrides: AttentionOverrides | None,
                    kernels: Any) -> _TransformerStepParts:
        """Run all layers for x (rows, hidden); the keys and values of this step go into the state's last slots.

        `kernels`: those of attention, LayerNorm and softmax; None for torch.
        """
        inputs, end_sublayer, sublayers = self.decoder.start(x), self.decoder.end_sublayer, count()
        self_weights, cross_weights, cross_outputs = [], [], []
        for index, layer in enumerate(self.decoder.layers):
            self_override, cross_override = self.network.build_layer_overrides(index + 1, overrides)
            projected = layer.self_qkv(inputs)
            state.self_cache.write(index, projected[:, self.hidden :])
            context, weights = state.self_cache.attend(index, projected, self.heads, self_override, kernels)
            self_weights.append(weights)
            x, inputs = end_sublayer(next(sublayers), x, layer.self_output(context), kernels)
            query = layer.cross_query(inputs)
            context, weights = state.cross_cache.attend(index, query, self.heads, cross_override, kernels)
            cross_weights += [weights.mean(1, keepdim=True), weights]
            cross_outputs.append(layer.cross_output(context))
            x, inputs = end_sublayer(next(sublayers), x, cross_outputs[-1], kernels)
            x, inputs = end_sublayer(next(sublayers), x, layer.feed_forward(inputs), kernels)
        log_probs = self.output_linear(inputs)
        if kernels is None:
            log_probs = torch.log_softmax(log_probs, dim=-1)
        else:
            kernels.log_softmax(log_probs.numpy())
        return _TransformerStepParts(log_probs, inputs, torch.cat(cross_weights, dim=1), torch.cat(self_weights, dim=1),
                          torch.stack(cross_outputs))  # fmt: skip

    @cached_property
    def kernel_parameters(self) -> _KernelParameters | None:
        """The weights of all layers for `run_decoder_step`; None if fp16 would change one."""
        layers, stack = self.decoder.layers, self.decoder
        matrices = [[getattr(layer, name) for layer in layers] for name in
                    ("self_qkv", "self_output", "cross_query", "cross_output", "inner_linear", "outer_linear")]
        if any(linear.fp16_bits is None for linears in (*matrices, [self.output_linear]) for linear in linears):
            return None
        biases = [np.stack([linear.bias_or_zeros.numpy() for linear in linears]) for linears in matrices[-2:]]
        zeros = np.zeros(max(3 * self.hidden, len(self.output_linear.bias_or_zeros)), np.float32)
        stacked = [np.stack([linear.fp16_bits for linear in linears]) for linears in matrices]
        return _KernelParameters._make([*stacked, *biases, self.output_linear.fp16_bits, zeros, stack.gains.numpy(),
                                        stack.biases.numpy(), stack.eps])  # fmt: skip

    def _run_compiled_step(self, state: FastTransformerState, x: Tensor, parameters: _KernelParameters,
                           kernels: Any) -> _TransformerStepParts:
        """Do for a few rows what `_run_layers` does, all in one kernel. Overwrites x."""
        layers, rows = len(self.decoder.layers), len(x)
        inputs = self.decoder.start(x).clone()
        cross_weights = x.new_empty(rows, layers * (1 + self.heads), state.cross_cache.slots.shape[1])
        self_weights = x.new_empty(rows, layers * self.heads, state.self_cache.slots.shape[1])
        cross_outputs = x.new_empty(layers, rows, self.hidden)
        log_probs = x.new_empty(rows, len(self.target_embedding))
        arrays = (part.numpy() for cache in (state.self_cache, state.cross_cache)
                  for part in (cache.kv, cache.slots, cache.lengths))  # fmt: skip
        kernels.run_decoder_step(self.decoder.is_pre_norm, self.heads, x.numpy(), inputs.numpy(), *parameters,
                                 *arrays, *(part.numpy() for part in (self_weights, cross_weights, cross_outputs,
                                                                      log_probs)))  # fmt: skip
        return _TransformerStepParts(log_probs, inputs, cross_weights, self_weights, cross_outputs)

    def _compute_positions(self, count: int) -> Tensor:
        return compute_positions(count, self.hidden, self.target_embedding.dtype, self.target_embedding.device)


def _find_places(layers: int, heads: int) -> dict[str, tuple[int, int]]:
    """Return the stack and the position of every decoder map.

    The first stack holds cross-attention, layer by layer the mean and the heads; the second holds self-attention.
    """
    places = {}
    for layer in range(layers):
        places[describe_mean_map(layer + 1).key] = 0, layer * (1 + heads)
        places |= {describe_cross_map(layer + 1, head).key: (0, layer * (1 + heads) + head)
                   for head in range(1, heads + 1)}
        places |= {describe_decoder_map(layer + 1, head + 1).key: (1, layer * heads + head) for head in range(heads)}
    return places
