"""Layers of the Transformer (Vaswani et al. 2017, section 3): attention, feed-forward, residual connections, positions.

Shapes are (batch, n, hidden); heads come second: weights are (batch, heads, n, m), from n queries to m keys. Symbols
are the paper's: Q, K, V queries, keys and values, d_k the width of a head. Masks are True where attention is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.networks.base import check_choice, check_dropout, check_sizes

Norm = Literal["post", "pre"]
WeightOverride = Callable[[Tensor], Tensor]
"""From the network's own weights (batch, heads, n, m) to the weights to use."""

KVCache = tuple[Tensor, Tensor]
"""Keys and values, each (batch, heads, m, d_k)."""

POSITIONS_PER_TABLE = 256  # the table of positions grows in steps of this size


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes; the defaults are those of the paper's base model. Raises ValueError naming the field that is wrong."""

    kind: str
    vocabulary: int
    hidden: int = 512  # d_model, shared by the heads
    feed_forward: int = 2048  # d_ff
    heads: int = 8  # h
    layers: int = 6  # N, of the encoder
    norm: Norm = "post"
    dropout: float = 0.1  # on embeddings plus positions and on the output of every sublayer, in training
    decoder_layers: int | None = None  # None: N too

    def __post_init__(self) -> None:
        if self.decoder_layers is None:
            object.__setattr__(self, "decoder_layers", self.layers)
        check_sizes(self, "vocabulary", "hidden", "feed_forward", "heads", "layers", "decoder_layers")
        check_dropout(self)
        check_choice(self, "norm", get_args(Norm))
        if self.hidden % self.heads or self.hidden % 2:
            raise ValueError(f"hidden is {self.hidden}; it must be even, and {self.heads} heads must share it evenly")


AttentionFunction = Callable[
    [Tensor, Tensor, Tensor, Tensor | None, WeightOverride | None], tuple[Tensor, Tensor | None]
]
"""From q, k, v, mask and override to the output and, where they are computed, the weights."""


def attend_explicitly(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, override: WeightOverride | None
) -> tuple[Tensor, Tensor]:
    """Compute softmax(Q K^T / sqrt(d_k)) V (equation 1) in every head.

    q is (batch, heads, n, d_k), k and v are (batch, heads, m, d_k). Returns the output, shaped like q, and the weights
    (batch, heads, n, m).
    """
    e = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.softmax(e if mask is None else e.masked_fill(~mask, -torch.inf), dim=-1)
    if override is not None:
        weights = override(weights)
    return weights @ v, weights


def attend_fused(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, override: WeightOverride | None
) -> tuple[Tensor, None]:
    """Compute the same with torch's fused function, without returning weights. Ignores `override`."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), None


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, .., head_h) W_O; each head's matrices are rows of W_Q, W_K and W_V."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Parameter(torch.empty(hidden, hidden)) for _ in range(4))

    def split_heads(self, x: Tensor) -> Tensor:
        """Return x (batch, n, hidden) as (batch, heads, n, d_k)."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def compute_kv_cache(self, x: Tensor) -> KVCache:
        """Return the keys and values of x (batch, m, hidden)."""
        return self.split_heads(F.linear(x, self.W_K)), self.split_heads(F.linear(x, self.W_V))

    def forward(self, x: Tensor, kv_cache: KVCache, mask: Tensor | None, attend: AttentionFunction,
                override: WeightOverride | None = None) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """Attend from x (batch, n, hidden) to the keys and values; return the output (batch, n, hidden) and weights."""
        heads, weights = attend(self.split_heads(F.linear(x, self.W_Q)), *kv_cache, mask, override)
        return F.linear(heads.transpose(1, 2).flatten(2), self.W_O), weights


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2."""

    def __init__(self, hidden: int, inner_size: int) -> None:
        super().__init__()
        self.W_1, self.b_1 = nn.Parameter(torch.empty(inner_size, hidden)), nn.Parameter(torch.empty(inner_size))
        self.W_2, self.b_2 = nn.Parameter(torch.empty(hidden, inner_size)), nn.Parameter(torch.empty(hidden))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(F.relu(F.linear(x, self.W_1, self.b_1)), self.W_2, self.b_2)


class ResidualConnection(nn.LayerNorm):
    """The residual connection around a sublayer, with its LayerNorm: after the sum (post) or before the sublayer (pre).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config.hidden)
        self.is_pre_norm, self.dropout = config.norm == "pre", config.dropout

    def normalise_input(self, x: Tensor) -> Tensor:
        """Return the input of the sublayer."""
        return self(x) if self.is_pre_norm else x

    def add_output(self, x: Tensor, output: Tensor) -> Tensor:
        """Return x plus the sublayer's output."""
        x = x + F.dropout(output, self.dropout, self.training)
        return x if self.is_pre_norm else self(x)


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config.hidden, config.heads)
        self.feed_forward = FeedForward(config.hidden, config.feed_forward)
        self.self_attention_residual = ResidualConnection(config)
        self.feed_forward_residual = ResidualConnection(config)

    def forward(self, x: Tensor, mask: Tensor | None, attend: AttentionFunction) -> tuple[Tensor, Tensor | None]:
        """Return the layer's output (batch, n, hidden) and the self-attention weights."""
        residual = self.self_attention_residual
        normalised = residual.normalise_input(x)
        kv_cache = self.self_attention.compute_kv_cache(normalised)
        output, weights = self.self_attention(normalised, kv_cache, mask, attend)
        x = residual.add_output(x, output)
        residual = self.feed_forward_residual
        return residual.add_output(x, self.feed_forward(residual.normalise_input(x))), weights


@dataclass(frozen=True)
class DecoderLayerOutput:
    """What a decoder layer returns besides its output."""

    kv_cache: KVCache  # of all steps so far
    context: Tensor  # output of the cross-attention (batch, n, hidden)
    self_attention_weights: Tensor | None
    cross_attention_weights: Tensor | None


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder output, and feed-forward."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config.hidden, config.heads)
        self.cross_attention = MultiHeadAttention(config.hidden, config.heads)
        self.feed_forward = FeedForward(config.hidden, config.feed_forward)
        self.self_attention_residual = ResidualConnection(config)
        self.cross_attention_residual = ResidualConnection(config)
        self.feed_forward_residual = ResidualConnection(config)

    def forward(
        self,
        x: Tensor,
        kv_cache: KVCache | None,
        cross_kv_cache: KVCache,
        causal_mask: Tensor | None,
        source_mask: Tensor | None,
        attend: AttentionFunction,
        overrides: tuple[WeightOverride | None, WeightOverride | None] = (None, None),
    ) -> tuple[Tensor, DecoderLayerOutput]:
        """Run the layer on steps x (batch, n, hidden).

        `kv_cache`: keys and values of earlier steps, None before the first; `cross_kv_cache`: those of the source.
        `overrides`: of self-attention and of cross-attention.
        """
        residual = self.self_attention_residual
        normalised = residual.normalise_input(x)
        keys, values = self.self_attention.compute_kv_cache(normalised)
        if kv_cache is not None:
            keys, values = torch.cat([kv_cache[0], keys], dim=2), torch.cat([kv_cache[1], values], dim=2)
        output, self_weights = self.self_attention(normalised, (keys, values), causal_mask, attend, overrides[0])
        x = residual.add_output(x, output)

        residual = self.cross_attention_residual
        context, cross_weights = self.cross_attention(
            residual.normalise_input(x), cross_kv_cache, source_mask, attend, overrides[1]
        )
        x = residual.add_output(x, context)

        residual = self.feed_forward_residual
        x = residual.add_output(x, self.feed_forward(residual.normalise_input(x)))
        return x, DecoderLayerOutput((keys, values), context, self_weights, cross_weights)


def compute_positions(count: int, hidden: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Return the position encodings of the positions 0 to count - 1: (count, hidden).

    PE(pos, 2i) = sin(pos / 10000^(2i / hidden)), PE(pos, 2i + 1) = cos(pos / 10000^(2i / hidden)).
    """
    size = -(-count // POSITIONS_PER_TABLE) * POSITIONS_PER_TABLE
    return _compute_position_table(size, hidden, dtype, device)[:count]


@lru_cache(maxsize=16)
def _compute_position_table(count: int, hidden: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    with torch.inference_mode(False):
        angles = torch.arange(count, dtype=torch.float64)[:, None] \
            / 10000 ** (torch.arange(0, hidden, 2, dtype=torch.float64) / hidden)
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).to(device, dtype)
