"""The fast decoder of the Transformer, one step at a time; the mathematics is that of `model.networks.transformer`.

Results are the same but for rounding. As in `model.decoding.fast.rnnsearch`, matrices that multiply the same vector are
joined, and matrices are packed in fp16 where that is exact. The rows of one sentence (a beam) share its encoder output.
The kv_cache of all layers is one tensor with room for further steps, so that reordering a beam is one operation.

Shapes and symbols are those of `model.networks.transformer_layers`; N layers, `rows` hypotheses of `sentences`.
"""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass, replace
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.decoding.fast.packed_linear import PackedLinear
from model.decoding.fast.row_layout import RowLayout, select_rows
from model.networks.base import AttentionOverrides, StepResult
from model.networks.transformer import Transformer, name_weights
from model.networks.transformer_layers import DecoderLayer, ResidualConnection, WeightOverride, compute_positions
from model.text.vocabulary import PAD
from model.trace import MapDescription

CACHE_BLOCK = 16  # steps that the kv_cache grows by


@dataclass(frozen=True)
class CrossAttentionCache:
    """Keys and values of the encoder output. Row i of a batch reads sentence i, unless `layout` says otherwise."""

    keys: Tensor  # (N, sentences, heads, d_k, source)
    values: Tensor  # (N, sentences, heads, source, d_k)
    mask: Tensor | None  # (sentences, source), true for tokens; None without padding
    encoder_weights: dict[str, Tensor]  # self-attention of the encoder by map key
    layout: RowLayout | None = None

    def select_sentences(self, sentences: Tensor) -> CrossAttentionCache:
        """Return the cache of these sentences, with one row each."""
        mask = None if self.mask is None else self.mask.index_select(0, sentences)
        weights = {key: values.index_select(0, sentences) for key, values in self.encoder_weights.items()}
        return CrossAttentionCache(self.keys.index_select(1, sentences), self.values.index_select(1, sentences), mask,
                                   weights)

    def select(self, rows: Tensor) -> CrossAttentionCache:
        kept, layout = select_rows(rows, self.layout, self.sentence_count)
        return replace(self if kept is None else self.select_sentences(kept), layout=layout)

    @property
    def sentence_count(self) -> int:
        return self.keys.shape[1]

    def attend(self, layer: int, q: Tensor, override: WeightOverride | None) -> tuple[Tensor, Tensor]:
        """Attend with scaled queries q (rows, heads, d_k).

        Returns the context vectors (rows, heads, d_k) and the weights (rows, heads, source).
        """
        keys, values, layout = self.keys[layer], self.values[layer], self.layout
        is_single = self.sentence_count == 1
        if layout is None and not is_single:
            e = (q[:, :, None] @ keys)[:, :, 0]
        elif is_single:
            e = (q.transpose(0, 1) @ keys[0]).transpose(0, 1)
        else:
            assert layout is not None
            e = (self._group(q, layout) @ keys)[layout.sentence, :, layout.slot]
        if self.mask is not None:
            mask = self.mask if layout is None else self.mask.index_select(0, layout.sentence)
            e = e.masked_fill(~mask[:, None], -torch.inf)
        weights = _apply_override(torch.softmax(e, dim=-1), override)
        if layout is None and not is_single:
            return (weights[:, :, None] @ values)[:, :, 0], weights
        if is_single:
            return (weights.transpose(0, 1) @ values[0]).transpose(0, 1), weights
        assert layout is not None
        return (self._group(weights, layout) @ values)[layout.sentence, :, layout.slot], weights

    def _group(self, x: Tensor, layout: RowLayout) -> Tensor:
        """(rows, heads, n) -> (sentences, heads, max_slots, n)."""
        return layout.scatter(x, self.sentence_count).transpose(1, 2)


@dataclass(frozen=True)
class KVCache:
    """Keys and values of the first `steps` steps of all layers, in a tensor with room for more.

    The first continuation of a state writes into the shared tensor. A second continuation of the same state finds the
    place used and continues with a copy.
    """

    tensor: Tensor  # (N, 2, rows, heads, capacity, d_k)
    steps: int
    used_steps: list[int]  # one number, shared by all caches of this tensor

    def extend(self) -> KVCache:
        """Return the cache with one more step, whose keys and values are still to be written."""
        if self.used_steps[0] == self.steps < self.tensor.shape[4]:
            self.used_steps[0] += 1
            return KVCache(self.tensor, self.steps + 1, self.used_steps)
        shape = list(self.tensor.shape)
        shape[4] = self.steps + CACHE_BLOCK
        tensor = self.tensor.new_empty(shape)
        tensor[..., : self.steps, :] = self.tensor[..., : self.steps, :]
        return KVCache(tensor, self.steps + 1, [self.steps + 1])

    def select(self, rows: Tensor) -> KVCache:
        return KVCache(self.tensor.index_select(2, rows), self.steps, [self.steps])

    def get_layer(self, layer: int) -> Tensor:
        """Return keys and values of all steps of a layer, (2, rows, heads, steps, d_k)."""
        return self.tensor[layer, ..., : self.steps, :]


@dataclass(frozen=True)
class FastTransformerState:
    """The decoder state."""

    encoder_output: CrossAttentionCache
    kv_cache: KVCache

    def reorder(self, rows: Tensor) -> FastTransformerState:
        return replace(self, kv_cache=self.kv_cache.select(rows))

    def select(self, rows: Tensor) -> FastTransformerState:
        return FastTransformerState(self.encoder_output.select(rows), self.kv_cache.select(rows))


class _LayerNorm:
    """A LayerNorm with fixed weights."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        self.shape, self.eps = list(norm.normalized_shape), norm.eps
        self.weight, self.bias = norm.weight.detach(), norm.bias.detach()

    def __call__(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.shape, self.weight, self.bias, self.eps)


class _ResidualConnection(_LayerNorm):
    """A residual connection; its LayerNorm is before the sublayer (pre) or after the sum."""

    def __init__(self, residual: ResidualConnection) -> None:
        super().__init__(residual)
        self.pre = residual.pre

    def prepare_input(self, x: Tensor) -> Tensor:
        return self(x) if self.pre else x

    def add_output(self, x: Tensor, output: Tensor) -> Tensor:
        return x + output if self.pre else self(x + output)


class _Layer:
    """A decoder layer with joined and packed matrices."""

    def __init__(self, layer: DecoderLayer) -> None:
        self_attention, cross_attention = layer.self_attention, layer.cross_attention
        self.heads = self_attention.heads
        self.self_qkv = PackedLinear([self_attention.W_Q, self_attention.W_K, self_attention.W_V])
        self.self_output, self.cross_query, self.cross_output = (
            PackedLinear([matrix]) for matrix in (self_attention.W_O, cross_attention.W_Q, cross_attention.W_O))
        self.inner = PackedLinear([layer.feed_forward.W_1], layer.feed_forward.b_1)
        self.outer = PackedLinear([layer.feed_forward.W_2], layer.feed_forward.b_2)
        self.self_residual = _ResidualConnection(layer.self_attention_residual)
        self.cross_residual = _ResidualConnection(layer.cross_attention_residual)
        self.feed_forward_residual = _ResidualConnection(layer.feed_forward_residual)

    def attend_to_target(
        self, x: Tensor, kv_cache: Tensor, override: WeightOverride | None
    ) -> tuple[Tensor, Tensor]:
        """Self-attention of x (rows, hidden) to all steps. Returns x after it and the weights (rows, heads, steps).

        Writes the keys and values of this step, the last one, into kv_cache (2, rows, heads, steps, d_k).
        """
        q, k, v = self.self_qkv(self.self_residual.prepare_input(x)).unflatten(-1, (3, self.heads, -1)).unbind(1)
        keys, values = kv_cache[0], kv_cache[1]
        keys[:, :, -1], values[:, :, -1] = k, v
        e = (keys @ (q * q.shape[-1] ** -0.5)[..., None])[..., 0]
        weights = _apply_override(torch.softmax(e, dim=-1), override)
        context = (weights[:, :, None] @ values)[:, :, 0]
        return self.self_residual.add_output(x, self.self_output(context.flatten(1))), weights

    def attend_to_source(
        self, x: Tensor, encoder_output: CrossAttentionCache, layer: int, override: WeightOverride | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Cross-attention. Returns x after it, the weights (rows, heads, source), and the sublayer's output."""
        q = self.cross_query(self.cross_residual.prepare_input(x)).unflatten(-1, (self.heads, -1))
        context, weights = encoder_output.attend(layer, q * q.shape[-1] ** -0.5, override)
        output = self.cross_output(context.flatten(1))
        return self.cross_residual.add_output(x, output), weights, output

    def feed_forward(self, x: Tensor) -> Tensor:
        hidden = self.inner(self.feed_forward_residual.prepare_input(x)).relu_()
        return self.feed_forward_residual.add_output(x, self.outer(hidden))


def _apply_override(weights: Tensor, override: WeightOverride | None) -> Tensor:
    """Return attention weights (rows, heads, m) with an override applied."""
    return weights if override is None else override(weights[:, :, None])[:, :, 0]


class FastTransformer:
    """The fast decoder of a Transformer, with the weights that the network had when this was created."""

    def __init__(self, network: Transformer) -> None:
        self._network = weakref.ref(network)
        self.maps: tuple[MapDescription, ...] = network.maps
        self.hidden, self.main_layer = network.config.hidden, network.main_layer
        self.embedding = network.embedding.detach() * math.sqrt(self.hidden)
        self.embedding[PAD] = 0.0  # the token before the first one
        self.layers = [_Layer(cast("DecoderLayer", layer)) for layer in network.decoder]
        self.final_norm = (_LayerNorm(network.after_decoder) if isinstance(network.after_decoder, nn.LayerNorm)
                           else None)
        self.output_linear = PackedLinear([network.embedding])

    @property
    def network(self) -> Transformer:
        network = self._network()
        assert network is not None  # the caller of search holds it
        return network

    def encoder_attention_weights(self, encoder_output: CrossAttentionCache) -> dict[str, Tensor]:
        return encoder_output.encoder_weights

    def encode(self, source: Tensor) -> CrossAttentionCache:
        """Run the network's own encoder: it runs once per sentence."""
        output = self.network.encode(source)
        keys = torch.stack([keys.mT for keys, _ in output.cross_kv_caches]).contiguous()
        values = torch.stack([values for _, values in output.cross_kv_caches])
        mask = None if bool(output.mask.all()) else output.mask
        return CrossAttentionCache(keys, values, mask, self.network.encoder_attention_weights(output))

    def start(self, encoder_output: CrossAttentionCache) -> FastTransformerState:
        """Return an empty kv_cache. The encoder's own weights are not needed any more."""
        layers, sentences, heads, width, _ = encoder_output.keys.shape
        tensor = encoder_output.keys.new_empty(layers, 2, sentences, heads, 0, width)
        return FastTransformerState(replace(encoder_output, encoder_weights={}), KVCache(tensor, 0, [0]))

    def step(self, state: FastTransformerState, token: Tensor, *, detail: bool = False,
             overrides: AttentionOverrides | None = None) -> StepResult:
        kv_cache = state.kv_cache.extend()
        position = compute_positions(kv_cache.steps, self.hidden, self.embedding.dtype, self.embedding.device)[-1]
        x = self.embedding.index_select(0, token) + position
        self_weights, cross_weights, contexts = [], [], []
        for index, layer in enumerate(self.layers):
            self_override, cross_override = self.network.build_layer_overrides(index + 1, overrides)
            x, layer_self_weights = layer.attend_to_target(x, kv_cache.get_layer(index), self_override)
            x, layer_cross_weights, context = layer.attend_to_source(x, state.encoder_output, index, cross_override)
            x = layer.feed_forward(x)
            self_weights.append(layer_self_weights)
            cross_weights.append(layer_cross_weights)
            contexts.append(context)
        t = x if self.final_norm is None else self.final_norm(x)
        extra = {"state": t, "context": contexts[self.main_layer - 1]} if detail else {}
        log_probs = torch.log_softmax(self.output_linear(t), dim=-1)
        return StepResult(log_probs, FastTransformerState(state.encoder_output, kv_cache),
                          name_weights(self_weights, cross_weights), extra)
