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
Change = Callable[[Tensor], Tensor]
"""From a network's own weights (batch, heads, n, m) to those to be used."""

TOGETHER = 256  # positions are made so many at a time


@dataclass(frozen=True)
class Configuration:
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


def attention(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None, change: Change | None) -> tuple[Tensor, Tensor]:
    """Equation 1 in every head: q (batch, heads, n, d_k), k and v (batch, heads, m, d_k) -> what the heads found, as q,
    and their weights (batch, heads, n, m). `seen` says which of the m each of the n may see; None: all."""
    e = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.softmax(e if seen is None else e.masked_fill(~seen, -torch.inf), dim=-1)
    used = weights if change is None else change(weights)
    return used @ v, used


def fused(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None, change: Change | None) -> tuple[Tensor, None]:
    """The same by torch's own function, which keeps no weights and lets none be changed."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=seen), None


Attend = Callable[[Tensor, Tensor, Tensor, Tensor | None, Change | None], tuple[Tensor, Tensor | None]]
Past = tuple[Tensor, Tensor]
"""Keys and values (batch, heads, m, d_k)."""


class MultiHead(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, .., head_h) W_O; each head's matrices are rows of W_Q, W_K and W_V."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Parameter(torch.empty(hidden, hidden)) for _ in range(4))

    def split(self, x: Tensor) -> Tensor:
        """(batch, n, hidden) -> (batch, heads, n, d_k)."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def offered(self, x: Tensor) -> Past:
        """The keys and values of x (batch, m, hidden)."""
        return self.split(F.linear(x, self.W_K)), self.split(F.linear(x, self.W_V))

    def forward(self, x: Tensor, offered: Past, seen: Tensor | None, attend: Attend,
                change: Change | None = None) -> tuple[Tensor, Tensor | None]:
        """What x (batch, n, hidden) finds among what is offered, (batch, n, hidden), and the weights."""
        found, weights = attend(self.split(F.linear(x, self.W_Q)), *offered, seen, change)
        return F.linear(found.transpose(1, 2).flatten(2), self.W_O), weights


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2."""

    def __init__(self, hidden: int, inner: int) -> None:
        super().__init__()
        self.W_1, self.b_1 = nn.Parameter(torch.empty(inner, hidden)), nn.Parameter(torch.empty(inner))
        self.W_2, self.b_2 = nn.Parameter(torch.empty(hidden, inner)), nn.Parameter(torch.empty(hidden))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(F.relu(F.linear(x, self.W_1, self.b_1)), self.W_2, self.b_2)


class Residual(nn.LayerNorm):
    """The sum of what goes past a sublayer and what the sublayer makes of it, and the LayerNorm that belongs to it."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(configuration.hidden)
        self.pre, self.dropout = configuration.norm == "pre", configuration.dropout

    def given(self, x: Tensor) -> Tensor:
        """What the sublayer is given."""
        return self(x) if self.pre else x

    def added(self, x: Tensor, made: Tensor) -> Tensor:
        """x and what the sublayer made."""
        added = x + F.dropout(made, self.dropout, self.training)
        return added if self.pre else self(added)


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__()
        self.own = MultiHead(configuration.hidden, configuration.heads)
        self.feed_forward = FeedForward(configuration.hidden, configuration.feed_forward)
        self.around_own, self.around_feed_forward = Residual(configuration), Residual(configuration)

    def forward(self, x: Tensor, seen: Tensor | None, attend: Attend) -> tuple[Tensor, Tensor | None]:
        given = self.around_own.given(x)
        made, weights = self.own(given, self.own.offered(given), seen, attend)
        x = self.around_own.added(x, made)
        return self.around_feed_forward.added(x, self.feed_forward(self.around_feed_forward.given(x))), weights


@dataclass(frozen=True)
class Looked:
    """What a decoder layer did besides: its keys and values (batch, heads, m, d_k) of all steps so far, what its look
    at the source made (batch, n, hidden), and the weights of both its attentions."""

    past: Past
    context: Tensor
    own: Tensor | None
    cross: Tensor | None


class DecoderLayer(nn.Module):
    """Self-attention over what is written so far, attention to the encoder, and feed-forward."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__()
        self.own = MultiHead(configuration.hidden, configuration.heads)
        self.cross = MultiHead(configuration.hidden, configuration.heads)
        self.feed_forward = FeedForward(configuration.hidden, configuration.feed_forward)
        self.around_own, self.around_cross, self.around_feed_forward = (Residual(configuration) for _ in range(3))

    def forward(self, x: Tensor, past: Past | None, offered: Past, before: Tensor | None, seen: Tensor | None,
                attend: Attend, changes: tuple[Change | None, Change | None] = (None, None)) -> tuple[Tensor, Looked]:
        """`past`: keys and values of the steps before x's (batch, n, hidden), None before the first; `offered`: those
        of the source; `before` and `seen`: which steps and which source pieces each of x may see."""
        given = self.around_own.given(x)
        keys, values = self.own.offered(given)
        if past is not None:
            keys, values = torch.cat([past[0], keys], dim=2), torch.cat([past[1], values], dim=2)
        made, own = self.own(given, (keys, values), before, attend, changes[0])
        x = self.around_own.added(x, made)
        made, cross = self.cross(self.around_cross.given(x), offered, seen, attend, changes[1])
        x = self.around_cross.added(x, made)
        x = self.around_feed_forward.added(x, self.feed_forward(self.around_feed_forward.given(x)))
        return x, Looked((keys, values), made, own, cross)


def positions(count: int, hidden: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i / hidden)), PE(pos, 2i + 1) = cos(the same), pos from 0: (count, hidden)."""
    return _positions(-(-count // TOGETHER) * TOGETHER, hidden, dtype, device)[:count]


@lru_cache(maxsize=16)
def _positions(count: int, hidden: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    with torch.inference_mode(False):
        angles = torch.arange(count, dtype=torch.float64)[:, None] \
            / 10000 ** (torch.arange(0, hidden, 2, dtype=torch.float64) / hidden)
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).to(device, dtype)
