"""Numba kernels for the Transformer's decoder: attention, LayerNorm, and a whole step of a few rows.

The readable torch code is `model.networks.transformer`; `model.decoding.fast.transformer` calls these kernels. As in
`model.decoding.fast.search_kernels`, all arrays are contiguous, and kernels write into those at the end of their
parameters.
"""

from __future__ import annotations

import math

import numpy as np

from model.decoding.fast.compilation import jit
from model.decoding.fast.search_kernels import Halves, log_softmax, matmul
from model.decoding.fast.training_kernels import Floats, Integers, exp

__all__ = ["add_and_normalise", "compute_weights", "log_softmax", "run_decoder_step", "sum_values"]

_0, _1 = np.float32(0), np.float32(1)


@jit
def compute_weights(projected: Floats, keys: Floats, slots: Integers, lengths: Integers, weights: Floats, first: int,
                    heads: int) -> None:
    """Write the attention weights of each row to the keys (capacity, hidden) in its slots (rows, m).

    They go into weights (rows, maps, m), from the map `first` on. The queries are the first columns of `projected`.
    From the row's length (lengths, one per row) on, slots hold padding, with a weight of 0.
    """
    width = keys.shape[1] // heads
    scale = np.float32(_1 / math.sqrt(width))
    for row in range(len(slots)):
        row_weights, length = weights[row, first : first + heads], lengths[row]
        for j in range(length):
            key = keys[slots[row, j]]
            for head in range(heads):
                q, k = projected[row, head * width : (head + 1) * width], key[head * width : (head + 1) * width]
                e = _0
                for i in range(len(k)):
                    e += q[i] * k[i]
                row_weights[head, j] = e * scale
        for head in range(heads):
            head_weights, highest, total = row_weights[head, :length], -np.float32(np.inf), _0
            for j in range(length):
                highest = head_weights[j] if not head_weights[j] <= highest else highest
            for j in range(length):
                head_weights[j] = exp(head_weights[j] - highest)
                total += head_weights[j]
            for j in range(length):
                head_weights[j] /= total
            row_weights[head, length:] = _0


@jit
def sum_values(weights: Floats, values: Floats, slots: Integers, context: Floats, first: int, heads: int) -> None:
    """Write the sums (rows, hidden) of the values (capacity, hidden) in the slots of each row, weighted in each head.

    The weights are those that `compute_weights` writes.
    """
    width = values.shape[1] // heads
    for row in range(len(slots)):
        context[row] = _0
        for j in range(slots.shape[1]):
            value = values[slots[row, j]]
            for head in range(heads):
                weight, v = weights[row, first + head, j], value[head * width : (head + 1) * width]
                head_context = context[row, head * width : (head + 1) * width]
                for i in range(len(v)):
                    head_context[i] += weight * v[i]


@jit
def add_and_normalise(x: Floats, output: Floats, gain: Floats, bias: Floats, eps: float, total: Floats,
                      normalised: Floats) -> None:
    """Write the sum of x and a sublayer's output, and its LayerNorm, all (rows, hidden); gain and bias (hidden,)."""
    hidden = x.shape[1]
    for row in range(len(x)):
        mean, variance = _0, _0
        for k in range(hidden):
            total[row, k] = x[row, k] + output[row, k]
            mean += total[row, k]
        mean /= np.float32(hidden)
        for k in range(hidden):
            variance += (total[row, k] - mean) * (total[row, k] - mean)
        scale = _1 / np.sqrt(variance / np.float32(hidden) + np.float32(eps))
        for k in range(hidden):
            normalised[row, k] = (total[row, k] - mean) * scale * gain[k] + bias[k]


@jit
def run_decoder_step(is_pre_norm: bool, heads: int, x: Floats, inputs: Floats, qkv: Halves, self_output: Halves,
                     cross_query: Halves, cross_output: Halves, inner_matrix: Halves, outer_matrix: Halves,
                     inner_bias: Floats, outer_bias: Floats, output_matrix: Halves, zeros: Floats, gains: Floats,
                     biases: Floats, eps: float, self_kv: Floats, self_slots: Integers, self_lengths: Integers,
                     cross_kv: Floats, cross_slots: Integers, cross_lengths: Integers, self_weights: Floats,
                     cross_weights: Floats, cross_outputs: Floats, log_probs: Floats) -> None:
    """Run a whole decoder step of a few rows x (rows, hidden); `inputs`: those of the first sublayer.

    Matrices of all layers are stacked: (N, in, out), biases (N, out), and the LayerNorms after each sublayer (3 N,
    hidden); output_matrix (hidden, vocabulary). `zeros` is the bias of matrices without one. self_kv and cross_kv
    (N, 2, capacity, hidden) are keys and values; slots (rows, m) and lengths (rows,) say which of them a row attends
    to. The last of each row's `self_slots` gets the keys and values of this step.

    Writes self_weights (rows, N heads, m); cross_weights (rows, N (1 + heads), m), each layer's mean before its heads;
    cross_outputs (N, rows, hidden), those of cross-attention; log_probs (rows, vocabulary); and the output layer's
    inputs into `inputs`. Overwrites x.
    """
    rows, hidden = x.shape
    projected, product = np.empty((rows, 3 * hidden), np.float32), np.empty((rows, hidden), np.float32)
    context, activations = np.empty((rows, hidden), np.float32), np.empty((rows, inner_matrix.shape[2]), np.float32)
    query = np.empty((rows, hidden), np.float32)
    for layer in range(len(qkv)):
        matmul(inputs, qkv[layer], zeros, projected)
        for row in range(rows):
            slot = self_slots[row, self_slots.shape[1] - 1]
            self_kv[layer, 0, slot] = projected[row, hidden : 2 * hidden]
            self_kv[layer, 1, slot] = projected[row, 2 * hidden :]
        first = layer * heads
        compute_weights(projected, self_kv[layer, 0], self_slots, self_lengths, self_weights, first, heads)
        sum_values(self_weights, self_kv[layer, 1], self_slots, context, first, heads)
        matmul(context, self_output[layer], zeros, product)
        _end_sublayer(is_pre_norm, x, product, gains[3 * layer], biases[3 * layer], eps, inputs)
        matmul(inputs, cross_query[layer], zeros, query)
        first = layer * (1 + heads) + 1
        compute_weights(query, cross_kv[layer, 0], cross_slots, cross_lengths, cross_weights, first, heads)
        _average_heads(cross_weights, first, heads)
        sum_values(cross_weights, cross_kv[layer, 1], cross_slots, context, first, heads)
        matmul(context, cross_output[layer], zeros, cross_outputs[layer])
        _end_sublayer(is_pre_norm, x, cross_outputs[layer], gains[3 * layer + 1], biases[3 * layer + 1], eps, inputs)
        matmul(inputs, inner_matrix[layer], inner_bias[layer], activations)
        for row in range(rows):
            for k in range(activations.shape[1]):
                activations[row, k] = activations[row, k] if not activations[row, k] <= _0 else _0  # keeps NaN
        matmul(activations, outer_matrix[layer], outer_bias[layer], product)
        _end_sublayer(is_pre_norm, x, product, gains[3 * layer + 2], biases[3 * layer + 2], eps, inputs)
    matmul(inputs, output_matrix, zeros, log_probs)
    log_softmax(log_probs)


@jit
def _average_heads(weights: Floats, first: int, heads: int) -> None:
    """Write the mean of the maps from `first` on into the one before them."""
    for row in range(len(weights)):
        mean = weights[row, first - 1]
        mean[:] = _0
        for head in range(heads):
            for j in range(len(mean)):
                mean[j] += weights[row, first + head, j]
        for j in range(len(mean)):
            mean[j] /= np.float32(heads)


@jit
def _end_sublayer(is_pre_norm: bool, x: Floats, output: Floats, gain: Floats, bias: Floats, eps: float,
                  inputs: Floats) -> None:
    """Add a sublayer's output to x, in place, and write the input of the next sublayer."""
    add_and_normalise(x, output, gain, bias, eps, x, inputs)
    if not is_pre_norm:
        x[:] = inputs
