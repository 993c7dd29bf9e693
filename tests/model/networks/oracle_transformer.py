"""The Transformer's equations once more, in plain numpy, to hold the torch code against.

Written from the paper (Vaswani et al. 2017, sections 3.1 to 3.5) and not from `model/networks/transformer.py`: one
sentence at a time, row vectors as the paper has them, one head and one position after the other, float64, no batch, no
padding, nothing kept from step to step: every prefix of the target is read anew, so that nothing can see what comes
after it.

Weights are a dict of float64 arrays under the names of the paper. A row vector is multiplied from the left, so that a
matrix's shape is (in, out). With d = d_model, f = d_ff and V pieces:

    E                                        (V, d)         embeddings, one piece a row
    encoder.L.own.*, decoder.L.own.*, decoder.L.cross.*     W_Q, W_K, W_V, W_O, each (d, d); heads are columns in a row
    encoder.L.ffn.*, decoder.L.ffn.*         W_1 (d, f), b_1 (f,), W_2 (f, d), b_2 (d,)
    encoder.L.norm1.* ...                    g, b (d,)      of the sublayers in their order
    encoder.norm.*, decoder.norm.*           g, b (d,)      at the end of each stack, where norms come first
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]


@dataclass
class Seen:
    """What one sentence gives: log p of every step (target, V), and every head's weights by (stack, layer, head)."""

    log_probs: Array = field(default_factory=lambda: np.zeros(0))
    weights: dict[tuple[str, int, int], Array] = field(default_factory=dict)
    states: Array = field(default_factory=lambda: np.zeros(0))


def position(pos: int, d: int) -> Array:
    """Section 3.5."""
    made = np.zeros(d)
    for i in range(d // 2):
        made[2 * i] = np.sin(pos / 10000 ** (2 * i / d))
        made[2 * i + 1] = np.cos(pos / 10000 ** (2 * i / d))
    return made


def softmax(a: Array) -> Array:
    shares: Array = np.exp(a) / np.sum(np.exp(a))
    return shares


def layer_norm(weights: Weights, name: str, x: Array) -> Array:
    """Ba et al. 2016, a row at a time; a hundred-thousandth keeps the root from zero."""
    rows = []
    for row in x:
        centred = row - row.mean()
        rows.append(centred / np.sqrt((centred**2).mean() + 1e-5) * weights[f"{name}.g"] + weights[f"{name}.b"])
    return np.array(rows)


def multi_head(weights: Weights, name: str, heads: int, asking: Array, asked: Array) -> tuple[Array, list[Array]]:
    """Section 3.2: the last rows of `asked` answer every row of `asking` (n, d); all of them can be seen."""
    d = asking.shape[1]
    width = d // heads
    found, looks = [], []
    for head in range(heads):
        columns = slice(head * width, (head + 1) * width)
        q = asking @ weights[f"{name}.W_Q"][:, columns]
        k = asked @ weights[f"{name}.W_K"][:, columns]
        v = asked @ weights[f"{name}.W_V"][:, columns]
        shares = np.array([softmax(np.array([np.dot(one, other) / np.sqrt(width) for other in k])) for one in q])
        found.append(shares @ v)
        looks.append(shares)
    return np.concatenate(found, axis=1) @ weights[f"{name}.W_O"], looks


def feed_forward(weights: Weights, name: str, x: Array) -> Array:
    """Section 3.3."""
    inner = np.maximum(0.0, x @ weights[f"{name}.W_1"] + weights[f"{name}.b_1"])
    made: Array = inner @ weights[f"{name}.W_2"] + weights[f"{name}.b_2"]
    return made


class Stack:
    """The sublayers of a stack, each in its residual, norms after ("post") or before ("pre")."""

    def __init__(self, weights: Weights, norm: str) -> None:
        self.weights, self.norm = weights, norm

    def given(self, name: str, x: Array) -> Array:
        return layer_norm(self.weights, name, x) if self.norm == "pre" else x

    def added(self, name: str, x: Array, made: Array) -> Array:
        return x + made if self.norm == "pre" else layer_norm(self.weights, name, x + made)

    def end(self, name: str, x: Array) -> Array:
        return layer_norm(self.weights, name, x) if self.norm == "pre" else x


def encode(weights: Weights, norm: str, layers: int, heads: int, source: list[int], seen: Seen) -> Array:
    """What the encoder says about the source, (source, d)."""
    d, stack = weights["E"].shape[1], Stack(weights, norm)
    x = np.array([np.sqrt(d) * weights["E"][piece] + position(pos, d) for pos, piece in enumerate(source)])
    for layer in range(layers):
        name = f"encoder.{layer}"
        given = stack.given(f"{name}.norm1", x)
        made, looks = multi_head(weights, f"{name}.own", heads, given, given)
        x = stack.added(f"{name}.norm1", x, made)
        x = stack.added(f"{name}.norm2", x, feed_forward(weights, f"{name}.ffn", stack.given(f"{name}.norm2", x)))
        for head, look in enumerate(looks):
            seen.weights["encoder", layer, head] = look
    return stack.end("encoder.norm", x)


def decode(weights: Weights, norm: str, layers: int, heads: int, h: Array,
           given_pieces: list[int | None]) -> tuple[Array, dict[tuple[str, int, int], Array]]:
    """The decoder's last row for what it was given so far, nothing first: (d,), and its looks at that step."""
    d, stack = weights["E"].shape[1], Stack(weights, norm)
    nothing = np.zeros(d)
    x = np.array([(nothing if piece is None else np.sqrt(d) * weights["E"][piece]) + position(pos, d)
                  for pos, piece in enumerate(given_pieces)])
    looks: dict[tuple[str, int, int], Array] = {}
    for layer in range(layers):
        name = f"decoder.{layer}"
        given = stack.given(f"{name}.norm1", x)
        # A row sees itself and the rows before it: each is computed from the rows up to it alone.
        rows = [multi_head(weights, f"{name}.own", heads, given[i : i + 1], given[: i + 1]) for i in range(len(x))]
        x = stack.added(f"{name}.norm1", x, np.concatenate([made for made, _ in rows]))
        made, cross = multi_head(weights, f"{name}.cross", heads, stack.given(f"{name}.norm2", x), h)
        x = stack.added(f"{name}.norm2", x, made)
        x = stack.added(f"{name}.norm3", x, feed_forward(weights, f"{name}.ffn", stack.given(f"{name}.norm3", x)))
        for head in range(heads):
            looks["own", layer, head], looks["cross", layer, head] = rows[-1][1][head][0], cross[head][-1]
    last: Array = stack.end("decoder.norm", x)[-1]
    return last, looks


def forced(weights: Weights, norm: str, layers: int, heads: int, source: list[int], target: list[int]) -> Seen:
    """Teacher forcing: every step is told the true pieces before it. Ids end in EOS on both sides; no padding."""
    seen = Seen()
    h = encode(weights, norm, layers, heads, source, seen)
    told: list[int | None] = [None, *target[:-1]]
    values, states, rows = [], [], []
    for i in range(len(target)):
        t, looks = decode(weights, norm, layers, heads, h, told[: i + 1])
        logits = np.array([np.dot(t, weights["E"][piece]) for piece in range(len(weights["E"]))])
        values.append(logits - np.log(np.sum(np.exp(logits))))
        states.append(t)
        rows.append(looks)
    for key in rows[0]:
        own = [np.pad(one[key], (0, len(target) - len(one[key]))) if key[0] == "own" else one[key] for one in rows]
        seen.weights[key] = np.array(own)
    seen.log_probs, seen.states = np.array(values), np.array(states)
    return seen
