"""What the Transformer is built of (Vaswani et al. 2017, section 3): attention, feed-forward, residuals, positions.

Shapes are written (batch, n, hidden); heads stand second: (batch, heads, n, m) are the weights that each of n pieces
gives to m. Symbols are the paper's: Q, K, V queries, keys and values, d_k the width of a head.
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

from model.serialization.fields import check_choice, check_sizes

Norm = Literal["post", "pre"]
WeightOverride = Callable[[Tensor], Tensor]
"""From a network's own weights (batch, heads, n, m) to those to be used."""

POSITIONS_PER_TABLE = 256  # positions are made so many at a time


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes of a network; the defaults are those of the paper's base model. Raises ValueError naming what is off."""

    kind: str
    vocabulary: int
    hidden: int = 512  # d_model, which the heads share
    feed_forward: int = 2048  # d_ff
    heads: int = 8  # h
    layers: int = 6  # N, of the encoder and of the decoder
    norm: Norm = "post"
    dropout: float = 0.1  # on the sums of embeddings and positions and on what every sublayer adds, while training

    def __post_init__(self) -> None:
        check_sizes(self, "vocabulary", "hidden", "feed_forward", "heads", "layers")
        check_choice(self, "norm", get_args(Norm))
        if self.hidden % self.heads or self.hidden % 2:
            raise ValueError(f"hidden is {self.hidden}; it must be even, and {self.heads} heads must share it evenly")


def explicit_attention(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None, change: WeightOverride | None) -> tuple[Tensor, Tensor]:
    """Equation 1 in every head: q (batch, heads, n, d_k), k and v (batch, heads, m, d_k) -> what the heads found, as q,
    and their weights (batch, heads, n, m). `seen` says which of the m each of the n may see; None: all."""
    e = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.softmax(e if seen is None else e.masked_fill(~seen, -torch.inf), dim=-1)
    used = weights if change is None else change(weights)
    return used @ v, used


def fused_attention(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None, change: WeightOverride | None) -> tuple[Tensor, None]:
    """The same by torch's own function, which keeps no weights and lets none be changed."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=seen), None


AttentionFunction = Callable[[Tensor, Tensor, Tensor, Tensor | None, WeightOverride | None], tuple[Tensor, Tensor | None]]
KVCache = tuple[Tensor, Tensor]
"""Keys and values (batch, heads, m, d_k)."""


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, .., head_h) W_O; each head's matrices are rows of W_Q, W_K and W_V."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Parameter(torch.empty(hidden, hidden)) for _ in range(4))

    def split_heads(self, x: Tensor) -> Tensor:
        """(batch, n, hidden) -> (batch, heads, n, d_k)."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def compute_kv_cache(self, x: Tensor) -> KVCache:
        """The keys and values of x (batch, m, hidden)."""
        return self.split_heads(F.linear(x, self.W_K)), self.split_heads(F.linear(x, self.W_V))

    def forward(self, x: Tensor, offered: KVCache, seen: Tensor | None, attend: AttentionFunction,
                change: WeightOverride | None = None) -> tuple[Tensor, Tensor | None]:
        """What x (batch, n, hidden) finds among what is offered, (batch, n, hidden), and the weights."""
        found, weights = attend(self.split_heads(F.linear(x, self.W_Q)), *offered, seen, change)
        return F.linear(found.transpose(1, 2).flatten(2), self.W_O), weights


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2."""

    def __init__(self, hidden: int, inner: int) -> None:
        super().__init__()
        self.W_1, self.b_1 = nn.Parameter(torch.empty(inner, hidden)), nn.Parameter(torch.empty(inner))
        self.W_2, self.b_2 = nn.Parameter(torch.empty(hidden, inner)), nn.Parameter(torch.empty(hidden))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(F.relu(F.linear(x, self.W_1, self.b_1)), self.W_2, self.b_2)


class ResidualConnection(nn.LayerNorm):
    """The sum of what goes past a sublayer and what the sublayer makes of it, and the LayerNorm that belongs to it."""

    def __init__(self, configuration: TransformerConfig) -> None:
        super().__init__(configuration.hidden)
        self.pre, self.dropout = configuration.norm == "pre", configuration.dropout

    def normalize_input(self, x: Tensor) -> Tensor:
        """What the sublayer is given."""
        return self(x) if self.pre else x

    def add_output(self, x: Tensor, made: Tensor) -> Tensor:
        """x and what the sublayer made."""
        added = x + F.dropout(made, self.dropout, self.training)
        return added if self.pre else self(added)


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward."""

    def __init__(self, configuration: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(configuration.hidden, configuration.heads)
        self.feed_forward = FeedForward(configuration.hidden, configuration.feed_forward)
        self.self_attention_residual, self.feed_forward_residual = ResidualConnection(configuration), ResidualConnection(configuration)

    def forward(self, x: Tensor, seen: Tensor | None, attend: AttentionFunction) -> tuple[Tensor, Tensor | None]:
        given = self.self_attention_residual.normalize_input(x)
        made, weights = self.self_attention(given, self.self_attention.compute_kv_cache(given), seen, attend)
        x = self.self_attention_residual.add_output(x, made)
        return self.feed_forward_residual.add_output(x, self.feed_forward(self.feed_forward_residual.normalize_input(x))), weights


@dataclass(frozen=True)
class DecoderLayerOutput:
    """What a decoder layer did besides: its keys and values (batch, heads, m, d_k) of all steps so far, what its look
    at the source made (batch, n, hidden), and the weights of both its attentions."""

    kv_cache: KVCache
    context: Tensor
    self_attention_weights: Tensor | None
    cross_attention_weights: Tensor | None


class DecoderLayer(nn.Module):
    """Self-attention over what is written so far, attention to the encoder, and feed-forward."""

    def __init__(self, configuration: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(configuration.hidden, configuration.heads)
        self.cross_attention = MultiHeadAttention(configuration.hidden, configuration.heads)
        self.feed_forward = FeedForward(configuration.hidden, configuration.feed_forward)
        self.self_attention_residual, self.cross_attention_residual, self.feed_forward_residual = (ResidualConnection(configuration) for _ in range(3))

    def forward(self, x: Tensor, past: KVCache | None, offered: KVCache, before: Tensor | None, seen: Tensor | None,
                attend: AttentionFunction, changes: tuple[WeightOverride | None, WeightOverride | None] = (None, None)) -> tuple[Tensor, DecoderLayerOutput]:
        """`past`: keys and values of the steps before x's (batch, n, hidden), None before the first; `offered`: those
        of the source; `before` and `seen`: which steps and which source pieces each of x may see."""
        given = self.self_attention_residual.normalize_input(x)
        keys, values = self.self_attention.compute_kv_cache(given)
        if past is not None:
            keys, values = torch.cat([past[0], keys], dim=2), torch.cat([past[1], values], dim=2)
        made, own = self.self_attention(given, (keys, values), before, attend, changes[0])
        x = self.self_attention_residual.add_output(x, made)
        made, cross = self.cross_attention(self.cross_attention_residual.normalize_input(x), offered, seen, attend, changes[1])
        x = self.cross_attention_residual.add_output(x, made)
        x = self.feed_forward_residual.add_output(x, self.feed_forward(self.feed_forward_residual.normalize_input(x)))
        return x, DecoderLayerOutput((keys, values), made, own, cross)


def compute_positions(count: int, hidden: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i / hidden)), PE(pos, 2i + 1) = cos(the same), pos from 0: (count, hidden)."""
    return _compute_position_table(-(-count // POSITIONS_PER_TABLE) * POSITIONS_PER_TABLE, hidden, dtype, device)[:count]


@lru_cache(maxsize=16)
def _compute_position_table(count: int, hidden: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    with torch.inference_mode(False):
        angles = torch.arange(count, dtype=torch.float64)[:, None] \
            / 10000 ** (torch.arange(0, hidden, 2, dtype=torch.float64) / hidden)
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).to(device, dtype)
