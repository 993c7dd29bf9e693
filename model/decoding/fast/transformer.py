"""The Transformer of `model.networks.transformer` for search, one step at a time: the same numbers but for rounding,
far sooner.

As `model.decoding.fast.rnnsearch` does it for the recurrent networks: matrices that eat the same vector are joined and
fetched in half precision where that is what they are (`model.decoding.fast.packed_linear`), and the rows of one sentence (a
beam) look at one memory, which is not copied for each. The keys and values of all steps so far, of all layers, are one
tensor, which a beam that reorders moves at once, with room for steps to come: what a step adds is written into it.

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
from model.decoding.fast.rnnsearch import Rows
from model.networks.base import AttentionOverrides, StepResult
from model.networks.transformer import Transformer, name_weights
from model.networks.transformer_layers import DecoderLayer, ResidualConnection, WeightOverride, compute_positions
from model.text.vocabulary import PAD
from model.trace import MapDescription

CACHE_BLOCK = 16  # steps that room is made for at once


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves. Row i of a batch looks at sentence i, unless `rows` says otherwise."""

    keys: Tensor  # (N, sentences, heads, d_k, source)
    values: Tensor  # (N, sentences, heads, source, d_k)
    mask: Tensor | None  # (sentences, source), true where there is a piece; None where it is so everywhere
    looked: dict[str, Tensor]  # what the source's pieces gave to one another, by the key of their map
    rows: Rows | None = None

    def picked(self, sentences: Tensor) -> Memory:
        """The memory of these sentences alone, a row each."""
        mask = None if self.mask is None else self.mask.index_select(0, sentences)
        looked = {key: weights.index_select(0, sentences) for key, weights in self.looked.items()}
        return Memory(self.keys.index_select(1, sentences), self.values.index_select(1, sentences), mask, looked)

    def of_rows(self, rows: Tensor) -> Memory:
        """That of picked or repeated rows."""
        kept, whose = Rows.gathered(rows, self.rows, self.sentences)
        return replace(self if kept is None else self.picked(kept), rows=whose)

    @property
    def sentences(self) -> int:
        return self.keys.shape[1]

    def look(self, layer: int, q: Tensor, change: WeightOverride | None) -> tuple[Tensor, Tensor]:
        """What rows find that ask q (rows, heads, d_k), already divided by sqrt(d_k): the same shape, and the weights
        (rows, heads, source)."""
        keys, values, rows = self.keys[layer], self.values[layer], self.rows
        one = self.sentences == 1
        if rows is None and not one:
            e = (q[:, :, None] @ keys)[:, :, 0]
        elif one:
            e = (q.transpose(0, 1) @ keys[0]).transpose(0, 1)
        else:
            assert rows is not None
            e = (_apart(q, rows, self.sentences) @ keys)[rows.sentence, :, rows.place]
        if self.mask is not None:
            mask = self.mask if rows is None else self.mask.index_select(0, rows.sentence)
            e = e.masked_fill(~mask[:, None], -torch.inf)
        weights = _changed(torch.softmax(e, dim=-1), change)
        if rows is None and not one:
            return (weights[:, :, None] @ values)[:, :, 0], weights
        if one:
            return (weights.transpose(0, 1) @ values[0]).transpose(0, 1), weights
        assert rows is not None
        return (_apart(weights, rows, self.sentences) @ values)[rows.sentence, :, rows.place], weights


def _apart(q: Tensor, rows: Rows, sentences: int) -> Tensor:
    """(rows, heads, n) -> (sentences, heads, most rows of one, n), zeros where a sentence has fewer."""
    apart = q.new_zeros(sentences, rows.most, *q.shape[1:])
    apart[rows.sentence, rows.place] = q
    return apart.transpose(1, 2)


@dataclass(frozen=True)
class Past:
    """The keys and values of the first `steps` steps, of all layers, in a tensor with room for more.

    Whoever goes on from here first takes the next place in it; whoever goes on from the same state a second time finds
    that place taken and goes on with a copy.
    """

    room: Tensor  # (N, 2, rows, heads, places, d_k)
    steps: int
    taken: list[int]  # how many places are taken: one number, shared by all that share the room

    def opened(self) -> Past:
        """With one step more, whose keys and values are still to be written."""
        if self.taken[0] == self.steps < self.room.shape[4]:
            self.taken[0] += 1
            return Past(self.room, self.steps + 1, self.taken)
        shape = list(self.room.shape)
        shape[4] = self.steps + CACHE_BLOCK
        room = self.room.new_empty(shape)
        room[..., : self.steps, :] = self.room[..., : self.steps, :]
        return Past(room, self.steps + 1, [self.steps + 1])

    def picked(self, rows: Tensor) -> Past:
        """That of picked or repeated rows."""
        return Past(self.room.index_select(2, rows), self.steps, [self.steps])

    def of_layer(self, number: int) -> Tensor:
        """A layer's keys and values of all steps, (2, rows, heads, steps, d_k)."""
        return self.room[number, ..., : self.steps, :]


@dataclass(frozen=True)
class State:
    """Where the decoder stands."""

    memory: Memory
    past: Past

    def reorder(self, rows: Tensor) -> State:
        return replace(self, past=self.past.picked(rows))

    def select(self, rows: Tensor) -> State:
        return State(self.memory.of_rows(rows), self.past.picked(rows))


class _Norm:
    """A LayerNorm with the weights it had."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        self.shape, self.eps = list(norm.normalized_shape), norm.eps
        self.weight, self.bias = norm.weight.detach(), norm.bias.detach()

    def __call__(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.shape, self.weight, self.bias, self.eps)


class _Around(_Norm):
    """A residual: its LayerNorm is before the sublayer or after the sum."""

    def __init__(self, residual: ResidualConnection) -> None:
        super().__init__(residual)
        self.pre = residual.pre

    def given(self, x: Tensor) -> Tensor:
        return self(x) if self.pre else x

    def added(self, x: Tensor, made: Tensor) -> Tensor:
        return x + made if self.pre else self(x + made)


class _Layer:
    """A decoder layer, its matrices joined and packed."""

    def __init__(self, layer: DecoderLayer) -> None:
        self.heads = layer.self_attention.heads
        self.own = PackedLinear([layer.self_attention.W_Q, layer.self_attention.W_K, layer.self_attention.W_V])
        self.own_out, self.asking, self.cross_out = (
            PackedLinear([one]) for one in (layer.self_attention.W_O, layer.cross_attention.W_Q, layer.cross_attention.W_O)
        )
        self.inner = PackedLinear([layer.feed_forward.W_1], layer.feed_forward.b_1)
        self.outer = PackedLinear([layer.feed_forward.W_2], layer.feed_forward.b_2)
        self.around_own, self.around_cross = (
            _Around(layer.self_attention_residual),
            _Around(layer.cross_attention_residual),
        )
        self.around_feed_forward = _Around(layer.feed_forward_residual)

    def look_back(self, x: Tensor, past: Tensor, change: WeightOverride | None) -> tuple[Tensor, Tensor]:
        """Self-attention of x (rows, hidden) over all steps, this one the last: what x is after it, and the weights
        (rows, heads, steps). Writes this step's keys and values into `past` (2, rows, heads, steps, d_k)."""
        q, k, v = self.own(self.around_own.given(x)).unflatten(-1, (3, self.heads, -1)).unbind(1)
        keys, values = past[0], past[1]
        keys[:, :, -1], values[:, :, -1] = k, v
        e = (keys @ (q * q.shape[-1] ** -0.5)[..., None])[..., 0]
        weights = _changed(torch.softmax(e, dim=-1), change)
        found = (weights[:, :, None] @ values)[:, :, 0]
        return self.around_own.added(x, self.own_out(found.flatten(1))), weights

    def look(
        self, x: Tensor, memory: Memory, layer: int, change: WeightOverride | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Attention to the source: what x is after it, the weights (rows, heads, source), and what was found."""
        q = self.asking(self.around_cross.given(x)).unflatten(-1, (self.heads, -1))
        found, weights = memory.look(layer, q * q.shape[-1] ** -0.5, change)
        made = self.cross_out(found.flatten(1))
        return self.around_cross.added(x, made), weights, made

    def feed_forward(self, x: Tensor) -> Tensor:
        return self.around_feed_forward.added(x, self.outer(self.inner(self.around_feed_forward.given(x)).relu_()))


def _changed(weights: Tensor, change: WeightOverride | None) -> Tensor:
    """Weights (rows, heads, m) as they are to be used."""
    return weights if change is None else change(weights[:, :, None])[:, :, 0]


class FastTransformer:
    """A Transformer as `model.networks.base.Translator`, with the weights it had when this was made."""

    def __init__(self, network: Transformer) -> None:
        self._network = weakref.ref(network)
        self.maps: tuple[MapDescription, ...] = network.maps
        self.hidden, self.heads, self.shown = (
            network.config.hidden,
            network.config.heads,
            network.main_layer,
        )
        self.embedding = network.embedding.detach() * math.sqrt(self.hidden)
        self.embedding[PAD] = 0.0  # before the first piece nothing is written
        self.layers = [_Layer(cast("DecoderLayer", one)) for one in network.decoder]
        self.end = _Norm(network.after_decoder) if isinstance(network.after_decoder, nn.LayerNorm) else None
        self.output = PackedLinear([network.embedding])

    @property
    def network(self) -> Transformer:
        network = self._network()
        assert network is not None  # whoever searches holds it
        return network

    def encoder_attention_weights(self, encoder_output: Memory) -> dict[str, Tensor]:
        """What source pieces gave to one another, in each head of each layer."""
        return encoder_output.looked

    def encode(self, source: Tensor) -> Memory:
        """As the network itself: a sentence is read once."""
        one = self.network.encode(source)
        keys = torch.stack([keys.mT for keys, _ in one.cross_kv_caches]).contiguous()
        values = torch.stack([values for _, values in one.cross_kv_caches])
        return Memory(
            keys, values, None if bool(one.mask.all()) else one.mask, self.network.encoder_attention_weights(one)
        )

    def start(self, encoder_output: Memory) -> State:
        """Nothing is written yet. The source's looks at itself are done with, and need not go along."""
        n, sentences, heads, width, _ = encoder_output.keys.shape
        return State(
            replace(encoder_output, looked={}),
            Past(encoder_output.keys.new_empty(n, 2, sentences, heads, 0, width), 0, [0]),
        )

    def step(
        self, state: State, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        """One step of search, as `model.networks.transformer.Transformer.step`."""
        past = state.past.opened()
        where = compute_positions(past.steps, self.hidden, self.embedding.dtype, self.embedding.device)[-1]
        x = self.embedding.index_select(0, token) + where
        own, cross, contexts = [], [], []
        for number, layer in enumerate(self.layers):
            changes = self.network.build_layer_overrides(number + 1, overrides)
            x, back = layer.look_back(x, past.of_layer(number), changes[0])
            x, looked, found = layer.look(x, state.memory, number, changes[1])
            x = layer.feed_forward(x)
            own.append(back)
            cross.append(looked)
            contexts.append(found)
        t = x if self.end is None else self.end(x)
        extra = {"state": t, "context": contexts[self.shown - 1]} if detail else {}
        probabilities = torch.log_softmax(self.output(t), dim=-1)
        return StepResult(probabilities, State(state.memory, past), name_weights(own, cross), extra)
