"""The equations of the Transformer in numpy, against which the tests check torch.

Written from the paper (Vaswani et al. 2017, sections 3.1 to 3.5) and not from `model/networks/transformer.py`: one
sentence at a time, row vectors as in the paper, one head and one position after the other, float64, without batches and
padding. Every prefix of the target is computed anew, so that no position can depend on a later one.

Weights are a dict of float64 arrays. A row vector is multiplied from the left: a matrix has the shape (in, out). With
d = d_model, f = d_ff and V tokens:

    E                                        (V, d)         embeddings
    encoder.L.own.*, decoder.L.own.*, decoder.L.cross.*     W_Q, W_K, W_V, W_O, (d, d); heads are blocks of columns
    encoder.L.ffn.*, decoder.L.ffn.*         W_1 (d, f), b_1 (f,), W_2 (f, d), b_2 (d,)
    encoder.L.norm1.* ...                    g, b (d,)      of the sublayers in their order
    encoder.norm.*, decoder.norm.*           g, b (d,)      at the end of each stack, with norms before sublayers
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]
HeadWeights = dict[tuple[str, int, int], Array]  # by stack, layer and head


@dataclass(frozen=True)
class ForcedResult:
    """The numbers of one sentence pair, with a row for each target token."""

    log_probs: Array  # (target, V)
    weights: HeadWeights
    states: Array  # (target, d)


def position(pos: int, d: int) -> Array:
    """Return the encoding of a position, (d,) (section 3.5)."""
    encoding = np.zeros(d)
    for i in range(d // 2):
        encoding[2 * i] = np.sin(pos / 10000 ** (2 * i / d))
        encoding[2 * i + 1] = np.cos(pos / 10000 ** (2 * i / d))
    return encoding


def softmax(a: Array) -> Array:
    result: Array = np.exp(a) / np.sum(np.exp(a))
    return result


def layer_norm(weights: Weights, name: str, x: Array) -> Array:
    """Normalise each row (Ba et al. 2016)."""
    rows = []
    for row in x:
        centred = row - row.mean()
        rows.append(centred / np.sqrt((centred**2).mean() + 1e-5) * weights[f"{name}.g"] + weights[f"{name}.b"])
    return np.array(rows)


def multi_head(weights: Weights, name: str, heads: int, queries: Array, memory: Array) -> tuple[Array, list[Array]]:
    """Attend from each row of `queries` (n, d) to all rows of `memory` (m, d): (n, d), and each head's weights (n, m)
    (section 3.2).
    """
    width = queries.shape[1] // heads
    outputs, head_weights = [], []
    for head in range(heads):
        columns = slice(head * width, (head + 1) * width)
        q = queries @ weights[f"{name}.W_Q"][:, columns]
        k = memory @ weights[f"{name}.W_K"][:, columns]
        v = memory @ weights[f"{name}.W_V"][:, columns]
        alpha = np.array([softmax(np.array([np.dot(q_i, k_j) / np.sqrt(width) for k_j in k])) for q_i in q])
        outputs.append(alpha @ v)
        head_weights.append(alpha)
    return np.concatenate(outputs, axis=1) @ weights[f"{name}.W_O"], head_weights


def feed_forward(weights: Weights, name: str, x: Array) -> Array:
    """Section 3.3."""
    inner_layer = np.maximum(0.0, x @ weights[f"{name}.W_1"] + weights[f"{name}.b_1"])
    output: Array = inner_layer @ weights[f"{name}.W_2"] + weights[f"{name}.b_2"]
    return output


class Stack:
    """Residual connections and norms of a stack, with norms after ("post") or before ("pre") the sublayers."""

    def __init__(self, weights: Weights, norm: str) -> None:
        self.weights, self.norm = weights, norm

    def compute_input(self, name: str, x: Array) -> Array:
        return layer_norm(self.weights, name, x) if self.norm == "pre" else x

    def add(self, name: str, x: Array, output: Array) -> Array:
        return x + output if self.norm == "pre" else layer_norm(self.weights, name, x + output)


def encode(weights: Weights, norm: str, layers: int, heads: int, source: list[int]) -> tuple[Array, HeadWeights]:
    """Return the encoder output (source, d) and the weights of each head."""
    d, stack = weights["E"].shape[1], Stack(weights, norm)
    x = np.array([np.sqrt(d) * weights["E"][token] + position(pos, d) for pos, token in enumerate(source)])
    maps: HeadWeights = {}
    for layer in range(layers):
        name = f"encoder.{layer}"
        inputs = stack.compute_input(f"{name}.norm1", x)
        output, alphas = multi_head(weights, f"{name}.own", heads, inputs, inputs)
        x = stack.add(f"{name}.norm1", x, output)
        inputs = stack.compute_input(f"{name}.norm2", x)
        x = stack.add(f"{name}.norm2", x, feed_forward(weights, f"{name}.ffn", inputs))
        maps |= {("encoder", layer, head): alpha for head, alpha in enumerate(alphas)}
    return stack.compute_input("encoder.norm", x), maps


def decode(weights: Weights, norm: str, layers: int, heads: int, h: Array,
           prefix: list[int | None]) -> tuple[Array, HeadWeights]:  # fmt: skip
    """Return the decoder's last row (d,) for a prefix that begins with None, and the weights of its heads there."""
    d, stack = weights["E"].shape[1], Stack(weights, norm)
    x = np.array([(np.zeros(d) if token is None else np.sqrt(d) * weights["E"][token]) + position(pos, d)
                  for pos, token in enumerate(prefix)])
    maps: HeadWeights = {}
    for layer in range(layers):
        name = f"decoder.{layer}"
        inputs = stack.compute_input(f"{name}.norm1", x)
        rows = [multi_head(weights, f"{name}.own", heads, inputs[i : i + 1], inputs[: i + 1]) for i in range(len(x))]
        x = stack.add(f"{name}.norm1", x, np.concatenate([output for output, _ in rows]))
        output, cross = multi_head(weights, f"{name}.cross", heads, stack.compute_input(f"{name}.norm2", x), h)
        x = stack.add(f"{name}.norm2", x, output)
        inputs = stack.compute_input(f"{name}.norm3", x)
        x = stack.add(f"{name}.norm3", x, feed_forward(weights, f"{name}.ffn", inputs))
        for head in range(heads):
            maps["own", layer, head], maps["cross", layer, head] = rows[-1][1][head][0], cross[head][-1]
    last: Array = stack.compute_input("decoder.norm", x)[-1]
    return last, maps


def force_decode(weights: Weights, norm: str, layers: tuple[int, int], heads: int, source: list[int],
                 target: list[int]) -> ForcedResult:  # fmt: skip
    """Return the result of teacher forcing. `layers`: of the encoder and of the decoder.

    Ids end in EOS on both sides; there is no padding.
    """
    h, maps = encode(weights, norm, layers[0], heads, source)
    tokens: list[int | None] = [None, *target[:-1]]
    log_probs, states, rows = [], [], []
    for i in range(len(target)):
        t, row = decode(weights, norm, layers[1], heads, h, tokens[: i + 1])
        logits = np.array([np.dot(t, embedding) for embedding in weights["E"]])
        log_probs.append(logits - np.log(np.sum(np.exp(logits))))
        states.append(t)
        rows.append(row)
    for key in rows[0]:
        maps[key] = np.array([np.pad(row[key], (0, len(target) - len(row[key]))) if key[0] == "own" else row[key]
                              for row in rows])
    return ForcedResult(np.array(log_probs), maps, np.array(states))
