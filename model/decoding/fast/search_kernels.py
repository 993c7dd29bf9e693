"""Numba kernels for search: products of few rows, what lies between two products of a step, and whole steps.

A step of search is a few matrix products and dozens of operations on short vectors. Torch takes longer to start each of
these than to compute it. The readable torch code is in `model.decoding.fast.rnnsearch`, with the same symbols and
shapes; `model.decoding.fast.background_compile` says when these kernels run. Errors are of the size of float32's.

All kernels take contiguous numpy arrays and write into those at the end of their parameters. Arrays are float32, except
for token ids, positions and sentences (int64) and the matrices of `matmul` (fp16 as int16 bits).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from model.decoding.fast.compilation import jit
from model.decoding.fast.training_kernels import (
    LANES,
    Floats,
    Integers,
    exp,
    exp_doubled,
    maximum,
    sigmoid,
    tanh,
)

__all__ = ["attend", "compute_decoder_gates", "compute_encoder_gates", "exp_doubled", "log_softmax", "matmul", "maxout",
           "run_decoder_step", "run_encoder", "select_top_k", "sum_weighted", "update_decoder", "update_encoder"]

Halves = npt.NDArray[np.int16]  # fp16 numbers as bits

_0, _1 = np.float32(0), np.float32(1)
BLOCK = 64  # matrix rows summed separately, to limit rounding errors
_FRACTION_SHIFT = np.int32(13)  # a float32 has 23 bits of fraction, an fp16 number 10
_WITHOUT_SIGN_COPIES = np.int32(-0x70000001)  # clears the copies of the sign bit in the float32's exponent
_SCALE = np.float32(2.0**112)  # cancels the 2^-112 of `_widen`
UNROLLED = 8  # matrix rows that `_add_product` adds at once; its code is written for 8
GROUPED_ROWS = 6  # rows of x that `_add_grouped_products` multiplies at once; its code is written for 3 to 6
LEAST_GROUPED_ROWS = 3  # fewer are faster one by one


@partial(jit, is_inline=True)
def _widen(bits: Any) -> Any:
    """Return an fp16 number, given as int16 bits, times 2^-112 in float32.

    Sign, exponent and fraction move to their places in a float32; the exponents of the two formats differ by 112.
    """
    return np.int32((np.int32(bits) << _FRACTION_SHIFT) & _WITHOUT_SIGN_COPIES).view(np.float32)


@partial(jit, keeps_order=True)  # the order of the sums limits rounding errors
def matmul(x: Floats, matrix: Halves, bias: Floats, products: Floats) -> None:
    """Write x (rows, in) times matrix (in, out) plus bias (at least out numbers) into products (rows, out).

    Made for few rows, where loading the matrix takes the time: it is read as fp16, and |x| must be below 2^15. Each
    BLOCK of matrix rows is summed separately, so that fewer roundings follow one another.
    """
    factors = x * _SCALE
    for row in range(len(products)):
        product = products[row]
        for k in range(len(product)):
            product[k] = bias[k]
    first = 0
    while len(x) - first >= LEAST_GROUPED_ROWS:
        _add_grouped_products(factors[first : first + GROUPED_ROWS], matrix, products[first : first + GROUPED_ROWS])
        first = min(first + GROUPED_ROWS, len(x))
    for row in range(first, len(x)):
        _add_product(factors[row], matrix, products[row])


@partial(jit, keeps_order=True)
def _add_product(factors: Floats, matrix: Halves, product: Floats) -> None:
    """Add the product of one row; factors (in,): the row of x times 2^112."""
    block_sum = np.empty(len(product), np.float32)
    for first in range(0, len(factors), BLOCK):
        last = min(first + BLOCK, len(factors))
        unrolled_end = last - (last - first) % UNROLLED
        block_sum[:] = _0
        for i in range(first, unrolled_end, UNROLLED):
            a, b, block = _take_four(factors, i), _take_four(factors, i + 4), matrix[i : i + UNROLLED]
            for k in range(len(block_sum)):
                block_sum[k] += _dot_four(a, _widen_four(block, 0, k)) + _dot_four(b, _widen_four(block, 4, k))
        for i in range(unrolled_end, last):
            for k in range(len(block_sum)):
                block_sum[k] += factors[i] * _widen(matrix[i, k])
        for k in range(len(block_sum)):
            product[k] += block_sum[k]


@partial(jit, keeps_order=True)
def _add_grouped_products(factors: Floats, matrix: Halves, products: Floats) -> None:
    """Add the products of LEAST_GROUPED_ROWS to GROUPED_ROWS rows, each weight widened once for all of them.

    The rows are written out, so that a widened weight stays in a register; missing rows repeat the last one.
    """
    rows, block_sums = len(factors), np.empty((GROUPED_ROWS, products.shape[1]), np.float32)
    x0, x1, x2 = factors[0], factors[1], factors[2]
    x3, x4, x5 = factors[min(3, rows - 1)], factors[min(4, rows - 1)], factors[min(5, rows - 1)]
    for first in range(0, factors.shape[1], BLOCK):
        last = min(first + BLOCK, factors.shape[1])
        unrolled_end = last - (last - first) % 4
        block_sums[:] = _0
        for i in range(first, unrolled_end, 4):
            a0, a1, a2 = _take_four(x0, i), _take_four(x1, i), _take_four(x2, i)
            a3, a4, a5 = _take_four(x3, i), _take_four(x4, i), _take_four(x5, i)
            block = matrix[i : i + 4]
            for k in range(block_sums.shape[1]):
                weights = _widen_four(block, 0, k)
                block_sums[0, k] += _dot_four(a0, weights)
                block_sums[1, k] += _dot_four(a1, weights)
                block_sums[2, k] += _dot_four(a2, weights)
                block_sums[3, k] += _dot_four(a3, weights)
                block_sums[4, k] += _dot_four(a4, weights)
                block_sums[5, k] += _dot_four(a5, weights)
        for row in range(rows):
            block_sum, product = block_sums[row], products[row]
            for i in range(unrolled_end, last):
                for k in range(len(block_sum)):
                    block_sum[k] += factors[row, i] * _widen(matrix[i, k])
            for k in range(len(block_sum)):
                product[k] += block_sum[k]


@partial(jit, is_inline=True)
def _take_four(factors: Floats, i: int) -> Any:
    return factors[i], factors[i + 1], factors[i + 2], factors[i + 3]


@partial(jit, is_inline=True)
def _widen_four(block: Halves, i: int, k: int) -> Any:
    return _widen(block[i, k]), _widen(block[i + 1, k]), _widen(block[i + 2, k]), _widen(block[i + 3, k])


@partial(jit, is_inline=True, keeps_order=True)
def _dot_four(factors: Any, weights: Any) -> Any:
    return (factors[0] * weights[0] + factors[1] * weights[1]) + (factors[2] * weights[2] + factors[3] * weights[3])


@jit
def compute_encoder_gates(table: Floats, first: int, tokens: Integers, j: int, product: Floats, s: Floats, z: Floats,
                  rs: Floats) -> None:
    """Write the encoder's z and r * s (rows, n) at position j.

    table (vocabulary, ...): projected embeddings, whose columns from `first` on belong to this direction. tokens (rows,
    source); product (rows, 2n): that of the state s.
    """
    n = s.shape[1]
    for row in range(len(s)):
        projected = table[tokens[row, j]]
        for k in range(n):
            z[row, k] = sigmoid(projected[first + k] + product[row, k])
        for k in range(n):
            rs[row, k] = sigmoid(projected[first + n + k] + product[row, n + k]) * s[row, k]


@jit
def update_encoder(table: Floats, first: int, tokens: Integers, j: int, product: Floats, z: Floats, lengths: Integers,
                   column: int, s: Floats, h: Floats) -> None:
    """Update the encoder state s (rows, n) at position j, and write it into h (rows, source, ...) from `column` on.

    product: U (r * s). After the end of a sentence (`lengths`) the state stays the same.
    """
    n = s.shape[1]
    for row in range(len(s)):
        projected = table[tokens[row, j]]
        if j < lengths[row]:
            for k in range(n):
                x = projected[first + 2 * n + k] + product[row, k]
                s[row, k] += z[row, k] * (tanh(x) - s[row, k])
        for k in range(n):
            h[row, j, column + k] = s[row, k]


@jit
def run_encoder(table: Floats, first: int, tokens: Integers, is_backward: bool, gates_matrix: Halves,
                candidate_matrix: Halves, zeros: Floats, lengths: Integers, column: int, h: Floats) -> None:
    """Run one direction of the encoder and write its states into h (rows, source, ...) from `column` on.

    gates_matrix (n, 2n): U_z and U_r; candidate_matrix (n, n): U; zeros: a bias of at least 2n zeros.
    """
    rows, length, n = h.shape[0], h.shape[1], len(candidate_matrix)
    s, z, rs = np.zeros((rows, n), np.float32), np.empty((rows, n), np.float32), np.empty((rows, n), np.float32)
    gates_product, candidate_product = np.empty((rows, 2 * n), np.float32), np.empty((rows, n), np.float32)
    for step in range(length):
        j = length - 1 - step if is_backward else step
        matmul(s, gates_matrix, zeros, gates_product)
        compute_encoder_gates(table, first, tokens, j, gates_product, s, z, rs)
        matmul(rs, candidate_matrix, zeros, candidate_product)
        update_encoder(table, first, tokens, j, candidate_product, z, lengths, column, s, h)


@jit
def compute_decoder_gates(table: Floats, tokens: Integers, projected_context: Floats, projected_state: Floats, a: int,
                          s: Floats, z: Floats, r: Floats, rs: Floats) -> None:
    """Write the decoder's gates z and r, and r * s, each (rows, n)."""
    n = s.shape[1]
    for row in range(len(s)):
        projected = table[tokens[row]]
        for k in range(n):
            z[row, k] = sigmoid(projected[k] + projected_context[row, k] + projected_state[row, a + k])
        for k in range(n):
            r[row, k] = sigmoid(projected[n + k] + projected_context[row, n + k] + projected_state[row, a + n + k])
            rs[row, k] = r[row, k] * s[row, k]


@jit
def update_decoder(table: Floats, tokens: Integers, projected_context: Floats, product: Floats, s: Floats, z: Floats,
                   new_s: Floats) -> None:
    """Write the decoder's next state (rows, n); product: U (r * s)."""
    n = s.shape[1]
    for row in range(len(s)):
        projected = table[tokens[row]]
        for k in range(n):
            x = projected[2 * n + k] + projected_context[row, 2 * n + k] + product[row, k]
            new_s[row, k] = s[row, k] + z[row, k] * (tanh(x) - s[row, k])


@jit
def attend(projected_state: Floats, exp_keys: Floats, v: Floats, sentences: Integers, lengths: Integers,
           energies: Floats, alphas: Floats) -> None:
    """Write energies and alphas (rows, source), given exp_keys: e^(2 U_a h) (sentences, source, n').

    Each row attends to its sentence. Energies are small differences of large sums, so they are summed in float64.
    """
    a, v_sum = len(v), 0.0
    query = np.empty(a, np.float32)
    for k in range(a):
        v_sum += v[k]
    for row in range(len(sentences)):
        sentence = sentences[row]
        exp_doubled(projected_state[row, :a], query)
        length, highest = lengths[sentence], -np.float32(np.inf)
        for j in range(exp_keys.shape[1]):
            difference = 0.0
            for k in range(a):
                difference += np.float64(v[k] / (_1 + exp_keys[sentence, j, k] * query[k]))
            e = np.float32(v_sum - 2 * difference)
            energies[row, j] = e
            if j < length:
                highest = e if not e <= highest else highest
        total = _0
        for j in range(length):
            alphas[row, j] = exp(energies[row, j] - highest)
            total += alphas[row, j]
        for j in range(length):
            alphas[row, j] /= total
        alphas[row, length:] = _0


@jit
def sum_weighted(alphas: Floats, vectors: Floats, sentences: Integers, sums: Floats) -> None:
    """Write the sums (rows, width) of each sentence's vectors (sentences, source, width), weighted by alphas."""
    for row in range(len(sentences)):
        sentence_vectors, row_sums = vectors[sentences[row]], sums[row]
        for k in range(len(row_sums)):
            row_sums[k] = _0
        for j in range(len(sentence_vectors)):
            alpha, vector = alphas[row, j], sentence_vectors[j]
            for k in range(len(row_sums)):
                row_sums[k] += alpha * vector[k]


@jit
def maxout(table: Floats, tokens: Integers, projected_context: Floats, projected_state: Floats, n: int, a: int,
           t: Floats) -> None:
    """Write the maxout layer t (rows, l): the maximum of pairs of sums that are l columns apart."""
    l = t.shape[1]
    for row in range(len(t)):
        token, context, state = table[tokens[row]], projected_context[row], projected_state[row]
        for k in range(l):
            x = token[3 * n + k] + context[3 * n + k] + state[a + 2 * n + k]
            y = token[3 * n + l + k] + context[3 * n + l + k] + state[a + 2 * n + l + k]
            t[row, k] = x if x > y or x != x else y  # keeps NaN


@jit
def log_softmax(logits: Floats) -> None:
    """Turn logits (rows, vocabulary) into log-probabilities, in place."""
    for row in range(len(logits)):
        row_logits = logits[row]
        highest = maximum(row_logits)
        total = _0
        for k in range(len(row_logits)):
            total += exp(row_logits[k] - highest)
        normalizer = highest + np.log(total)
        for k in range(len(row_logits)):
            row_logits[k] -= normalizer


@jit
def run_decoder_step(update_first: bool, update_last: bool, readout_uses_new_state: bool, table: Floats,
                     tokens: Integers, s: Floats, projected_state: Floats, previous_context: Floats, exp_keys: Floats,
                     vectors: Floats, sentences: Integers, lengths: Integers, candidate_matrix: Halves,
                     state_matrix: Halves, context_matrix: Halves, output_matrix: Halves, zeros: Floats,
                     output_bias: Floats, v: Floats, override_alphas: Floats, z: Floats, r: Floats, new_s: Floats,
                     new_projected_state: Floats, energies: Floats, alphas: Floats, projected_context: Floats,
                     log_probs: Floats) -> None:
    """Run a whole decoder step: the kernels above with the matrix products between them.

    The state is updated before attention (update_first), by the projected previous context; or after it (update_last);
    or not at all. Without attention `exp_keys` is empty and `projected_context` an input. `vectors`: the annotations,
    or their projections by the context's matrices, in which case `context_matrix` is empty. Matrices: U, those of the
    state, those of the context, W_o. `override_alphas`: attention weights (rows, source) to use instead of
    the computed ones, or empty. Writes its arguments from z on.
    """
    rows, n, a = s.shape[0], s.shape[1], len(v)
    rs, product = np.empty((rows, n), np.float32), np.empty((rows, n), np.float32)
    t = np.empty((rows, (table.shape[1] - 3 * n) // 2), np.float32)
    current_projected_state = projected_state
    if update_first:
        compute_decoder_gates(table, tokens, previous_context, projected_state, a, s, z, r, rs)
        matmul(rs, candidate_matrix, zeros, product)
        update_decoder(table, tokens, previous_context, product, s, z, new_s)
        matmul(new_s, state_matrix, zeros, new_projected_state)
        current_projected_state = new_projected_state
    if exp_keys.shape[1]:
        attend(current_projected_state, exp_keys, v, sentences, lengths, energies, alphas)
        if override_alphas.size:
            alphas[:] = override_alphas
        if context_matrix.size:
            context = np.empty((rows, vectors.shape[2]), np.float32)
            sum_weighted(alphas, vectors, sentences, context)
            matmul(context, context_matrix, zeros, projected_context)
        else:
            sum_weighted(alphas, vectors, sentences, projected_context)
    if update_last:
        compute_decoder_gates(table, tokens, projected_context, projected_state, a, s, z, r, rs)
        matmul(rs, candidate_matrix, zeros, product)
        update_decoder(table, tokens, projected_context, product, s, z, new_s)
        matmul(new_s, state_matrix, zeros, new_projected_state)
        if readout_uses_new_state:
            current_projected_state = new_projected_state
    maxout(table, tokens, projected_context, current_projected_state, n, a, t)
    matmul(t, output_matrix, output_bias, log_probs)
    log_softmax(log_probs)


@jit
def _insert_top_k(scores: Floats, first: int, last: int, count: int, best: Floats, columns: Integers) -> int:
    """Insert scores[first:last] into the sorted list of the `count` best so far, as far as they belong there.

    Returns the new count, or -1 for NaN.
    """
    size = len(best)
    for k in range(first, last):
        x = scores[k]
        if x != x:
            return -1
        if count < size or x > best[size - 1]:
            position = min(count, size - 1)
            while position and best[position - 1] < x:
                best[position], columns[position] = best[position - 1], columns[position - 1]
                position -= 1
            best[position], columns[position] = x, k
            count = min(count + 1, size)
    return count


@jit
def select_top_k(scores: Floats, values: Floats, columns: Integers) -> bool:
    """Write the greatest scores of each row (rows, n) in order into values (rows, k), and their columns.

    Ties go to the lower column. Returns False if there is NaN; the results are then useless.
    """
    size = values.shape[1]
    for row in range(len(scores)):
        row_scores, best, best_columns, count = scores[row], values[row], columns[row], 0
        aligned = len(row_scores) - len(row_scores) % LANES
        for first in range(0, aligned, LANES):
            if count == size:
                least, greater = best[size - 1], _0
                for k in range(LANES):
                    greater += _0 if row_scores[first + k] <= least else _1  # counts NaN too
                if greater == _0:
                    continue
            count = _insert_top_k(row_scores, first, first + LANES, count, best, best_columns)
            if count < 0:
                return False
        if _insert_top_k(row_scores, aligned, len(row_scores), count, best, best_columns) < 0:
            return False
    return True
