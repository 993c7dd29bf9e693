"""What happens inside a Transformer on one sentence pair: Q, K and V of every head, the residual stream, and log p when
the source stands at later positions. Token ids end in EOS on both sides; the target is given (teacher forcing).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.networks.base import shift_target
from model.networks.transformer import Transformer
from model.networks.transformer_layers import FeedForward, MultiHeadAttention, attend_explicitly, compute_positions

Array = NDArray[np.float32]
Stack = Literal["encoder", "decoder"]
SublayerName = Literal["self_attention", "cross_attention", "feed_forward"]
SUBLAYERS: tuple[SublayerName, ...] = get_args(SublayerName)  # of a layer, in their order


@dataclass(frozen=True, eq=False)
class HeadMatrices:
    """Queries, keys and values of one head of self-attention, each (tokens, d_k)."""

    q: Array
    k: Array
    v: Array


@dataclass(frozen=True, eq=False)
class Sublayer:
    """The output of a sublayer, (tokens, hidden). With pre-norm it is what the sublayer adds to the residual stream."""

    layer: int  # from 1
    name: SublayerName
    output: Array
    heads: tuple[HeadMatrices, ...] = ()  # of self-attention
    active_share: Array | None = None  # of a feed-forward network: share of inner units above 0, (tokens,)


@dataclass(frozen=True, eq=False)
class StackInternals:
    """One stack on one sentence: the input of its first layer, (tokens, hidden), and its sublayers in their order."""

    embedded: Array
    sublayers: tuple[Sublayer, ...]

    def get_head(self, layer: int, head: int) -> HeadMatrices:
        """Return one head of self-attention; both numbers from 1."""
        return next(part.heads[head - 1] for part in self.sublayers if part.heads and part.layer == layer)


@torch.no_grad()
def record_internals(network: Transformer, source: Sequence[int], target: Sequence[int]) -> dict[Stack, StackInternals]:
    """Run the encoder on the source and the decoder on the target, and record both stacks.

    Row i of the decoder belongs to the input of step i: nothing at the first step, then y_{i-1}.
    """
    source_ids, target_ids = (torch.tensor([list(ids)], device=network.embedding.device) for ids in (source, target))
    with _Recorder(network.encoder) as encoder:
        output = network.encode(source_ids)
    with _Recorder(network.decoder) as decoder:
        network.run_decoder(shift_target(target_ids), (), output.cross_kv_caches, output.mask, attend_explicitly)
    return {"encoder": encoder.build(), "decoder": decoder.build()}


class _Recorder(ExitStack):
    """Hooks that keep the input of a stack's first layer, and input and output of every sublayer."""

    def __init__(self, layers: nn.ModuleList) -> None:
        super().__init__()
        self._layers, self._calls = layers, dict[nn.Module, tuple[Tensor, Tensor]]()
        self._embedded = torch.empty(0)
        self.enter_context(layers[0].register_forward_pre_hook(self._keep_embedded))
        for module in self._list_sublayers().values():
            self.enter_context(module.register_forward_hook(self._keep_call))

    def _list_sublayers(self) -> dict[tuple[int, SublayerName], nn.Module]:
        return {(number, name): getattr(layer, name) for number, layer in enumerate(self._layers, 1)
                for name in SUBLAYERS if hasattr(layer, name)}  # fmt: skip

    def _keep_embedded(self, _: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        self._embedded = inputs[0][0]

    def _keep_call(self, module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor | tuple[Tensor, ...]) -> None:
        self._calls[module] = inputs[0][0], (output if isinstance(output, Tensor) else output[0])[0]

    def build(self) -> StackInternals:
        sublayers = []
        for (layer, name), module in self._list_sublayers().items():
            x, output = self._calls[module]
            heads = _split_heads(cast("MultiHeadAttention", module), x) if name == "self_attention" else ()
            share = None
            if isinstance(module, FeedForward):
                share = _to_array((F.linear(x, module.W_1, module.b_1) > 0).double().mean(-1))
            sublayers.append(Sublayer(layer, name, _to_array(output), heads, share))
        return StackInternals(_to_array(self._embedded), tuple(sublayers))


def _split_heads(attention: MultiHeadAttention, x: Tensor) -> tuple[HeadMatrices, ...]:
    q = attention.split_heads(F.linear(x[None], attention.W_Q))
    k, v = attention.compute_kv_cache(x[None])
    return tuple(HeadMatrices(*map(_to_array, matrices)) for matrices in zip(q[0], k[0], v[0], strict=True))


@torch.no_grad()
def measure_encoder_weights(
    network: Transformer, source: Sequence[int], row: int, column: int
) -> dict[tuple[int, int], float]:
    """Return the weight from one source token to another in every head of the encoder, by (layer, head) from 1."""
    output = network.encode(torch.tensor([list(source)], device=network.embedding.device))
    return {(layer, head): float(weights[0, head - 1, row, column])
            for layer, weights in enumerate(output.self_attention_weights, 1)
            for head in range(1, network.config.heads + 1)}  # fmt: skip


@torch.no_grad()
def measure_shifted_source(
    network: Transformer, source: Sequence[int], target: Sequence[int], shifts: Sequence[int],
    should_stop: StopCallback | None = None,
) -> list[float]:
    """Return log p of the target when the source's positions start at each of `shifts` instead of 0."""
    source_ids, target_ids = (torch.tensor([list(ids)], device=network.embedding.device) for ids in (source, target))
    embedded, count = network.embed_source(source_ids), len(source)
    positions = compute_positions(max(shifts) + count, embedded.shape[2], embedded.dtype, embedded.device)
    results = []
    for shift in shifts:
        raise_if_stopped(should_stop)
        # The encoder adds the positions from 0 on to the embeddings times the root of d.
        position_offsets = (positions[shift : shift + count] - positions[:count]) / math.sqrt(embedded.shape[2])
        output = network.encode(source_ids, embedded + position_offsets)
        states, _ = network.run_decoder(
            shift_target(target_ids), (), output.cross_kv_caches, output.mask, attend_explicitly
        )
        log_probs = network.compute_log_probs(states).gather(2, target_ids[:, :, None])
        results.append(float(log_probs.double().sum()))
    return results


def _to_array(values: Tensor) -> Array:
    array: Array = values.float().cpu().numpy()
    return array
