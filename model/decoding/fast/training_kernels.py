"""Numba kernels for training: element-wise operations between matrix products, each in one pass over memory.

Torch multiplies matrices; for everything between two products it needs an operation, and often a buffer, per sign of a
formula. Here each number is read and written once. The readable torch code is in `model.training.losses.gru` and
`model.training.losses.common`, whose `get_training_kernels` says when these kernels run. Errors are of the size of
float32's.

All kernels take contiguous numpy arrays, float32 unless noted, and write into the arrays at the end of their
parameters.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from model.decoding.fast.compilation import jit

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Bfloat16s = npt.NDArray[np.uint16]  # bfloat16 numbers as bits: the upper half of a float32

LANES = 64  # numbers compared at once

MAX_DOUBLED_EXPONENT = np.float32(43)  # e^(2 * 43) and e^-(2 * 43) are normal numbers in float32
_0, _1, _2, _HALF = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
_MIN_EXP, _MAX_EXP = np.float32(-87), np.float32(88)  # e^x is a normal float32 between these
_INVERSE_LOG_2 = np.float32(1 / math.log(2))
_LOG_2 = np.float32(0.693359375)  # few bits, so that an integer times it is exact
_LOG_2_REST = np.float32(math.log(2) - 0.693359375)
_C2, _C3, _C4, _C5, _C6, _C7 = (np.float32(1 / math.factorial(power)) for power in range(2, 8))
_HALF_BITS, _LOWEST_BIT, _BELOW_HALF = np.uint32(16), np.uint32(1), np.uint32(0x7FFF)  # to round a float32 to bfloat16
_FRACTION_BITS, _EXPONENT_BIAS = np.int32(23), np.int32(127)  # of a float32


@partial(jit, keeps_order=True, is_inline=True)  # the two subtractions of r must stay in order
def exp(x: Any) -> Any:
    """Return e^x, to two units in the last place.

    e^x = 2^n e^r with an integer n that leaves |r| <= log 2 / 2, and the Taylor series of e^r. Unlike a library call
    this compiles to vector instructions.
    """
    x = _MIN_EXP if x < _MIN_EXP else x
    x = _MAX_EXP if x > _MAX_EXP else x
    n = np.floor(x * _INVERSE_LOG_2 + _HALF)
    r = (x - n * _LOG_2) - n * _LOG_2_REST
    power = ((((((_C7 * r + _C6) * r + _C5) * r + _C4) * r + _C3) * r + _C2) * r + _1) * r + _1
    return power * np.int32((np.int32(n) + _EXPONENT_BIAS) << _FRACTION_BITS).view(np.float32)


@partial(jit, is_inline=True)
def sigmoid(x: Any) -> Any:
    return _1 / (_1 + exp(-x))


@partial(jit, is_inline=True)
def tanh(x: Any) -> Any:
    """Return tanh x."""
    return _1 - _2 / (_1 + exp(_2 * x))


@jit
def compute_gru_gates(pre: Floats, product: Floats, s: Floats, token_mask: Floats, gates: Floats, rs: Floats) -> None:
    """Write a GRU's gates z and r into `gates` (batch, 2n), and r * s into `rs` (batch, n).

    pre (batch, 3n): the part of the input; product (batch, 2n): that of the state s (batch, n). token_mask (batch, 1)
    or empty: z is multiplied by it.
    """
    n = s.shape[1]
    for b in range(len(s)):
        for k in range(2 * n):
            gates[b, k] = sigmoid(pre[b, k] + product[b, k])
        if len(token_mask):
            for k in range(n):
                gates[b, k] *= token_mask[b, 0]
        for k in range(n):
            rs[b, k] = gates[b, n + k] * s[b, k]


@jit
def update_gru(pre: Floats, product: Floats, s: Floats, gates: Floats, candidate: Floats, new_s: Floats) -> None:
    """Write the candidate and the next state `new_s` (batch, n); product: U (r * s)."""
    n = s.shape[1]
    for b in range(len(s)):
        for k in range(n):
            x = pre[b, 2 * n + k] + product[b, k]
            new_candidate = tanh(x)
            candidate[b, k] = new_candidate
            new_s[b, k] = s[b, k] + gates[b, k] * (new_candidate - s[b, k])


@jit
def update_gru_backward(ds: Floats, gates: Floats, candidate: Floats, dpre: Floats) -> None:
    """Write the gradient of the candidate's input into the last third of dpre (batch, 3n); ds: of the next state."""
    n = ds.shape[1]
    for b in range(len(ds)):
        for k in range(n):
            dpre[b, 2 * n + k] = ds[b, k] * gates[b, k] * (_1 - candidate[b, k] * candidate[b, k])


@jit
def compute_gru_gates_backward(s: Floats, gates: Floats, candidate: Floats, drs: Floats, ds: Floats,
                               dpre: Floats) -> None:
    """Write the gradients of the gates' inputs into the first two thirds of dpre (batch, 3n); drs: that of r * s.

    ds (batch, n) is the gradient of the next state, and becomes that of the state, except through the gates' products.
    """
    n = ds.shape[1]
    for b in range(len(ds)):
        for k in range(n):
            z, r, d, dr = gates[b, k], gates[b, n + k], ds[b, k], drs[b, k]
            dpre[b, k] = (candidate[b, k] - s[b, k]) * d * z * (_1 - z)
            dpre[b, n + k] = dr * s[b, k] * r * (_1 - r)
            ds[b, k] = d * (_1 - z) + dr * r


@jit
def exp_doubled(x: Floats, result: Floats) -> None:
    """Write e^(2x) of every x into `result`, with |x| limited to 43.

    tanh(a + b) = 1 - 2 / (1 + e^2a e^2b) then needs no further exponential for any pair of a and b. The limit makes it
    wrong where it changes one of the two and the other is beyond 34 with the opposite sign.
    """
    inputs, outputs = x.reshape(-1), result.reshape(-1)
    for k in range(len(inputs)):
        limited = -MAX_DOUBLED_EXPONENT if inputs[k] < -MAX_DOUBLED_EXPONENT else inputs[k]
        outputs[k] = exp(_2 * (MAX_DOUBLED_EXPONENT if limited > MAX_DOUBLED_EXPONENT else limited))


@jit
def attend(exp_queries: Floats, exp_keys: Floats, v: Floats, h: Floats, lengths: Integers, alphas: Floats,
           contexts: Floats) -> None:
    """Attend for one step (equations 5 and 6): write alphas (batch, source) and contexts (batch, 2n).

    exp_queries (batch, n') and exp_keys (batch, source, n'): e^(2 W_a s) and e^(2 U_a h), as `exp_doubled` writes them.
    h (batch, source, 2n): annotations. lengths (batch,): of the sentences.
    """
    for b in range(len(exp_keys)):
        length, highest = lengths[b], -np.float32(np.inf)
        for j in range(length):
            e = _0  # without the constant, which the softmax drops
            for k in range(len(v)):
                e -= v[k] / (_1 + exp_keys[b, j, k] * exp_queries[b, k])
            e *= _2
            alphas[b, j] = e
            highest = e if not e <= highest else highest
        total = _0
        for j in range(length):
            alphas[b, j] = exp(alphas[b, j] - highest)
            total += alphas[b, j]
        contexts[b] = _0
        for j in range(length):
            alphas[b, j] /= total
            for k in range(h.shape[2]):
                contexts[b, k] += alphas[b, j] * h[b, j, k]
        alphas[b, length:] = _0


@jit
def attend_backward(exp_queries: Floats, exp_keys: Floats, v: Floats, h: Floats, lengths: Integers, alphas: Floats,
                    dcontexts: Floats, dalphas: Floats, dqueries: Floats, dkeys: Floats, dv: Floats) -> None:
    """Write the gradients of `attend`: dqueries (batch, n'), and add to dkeys (batch, source, n') and dv (batch, n').

    dcontexts, dalphas: gradients of the results. dkeys lacks the factor v.
    """
    de = np.empty(exp_keys.shape[1], np.float32)
    for b in range(len(exp_keys)):
        length, mean = lengths[b], _0
        for j in range(length):
            d = dalphas[b, j]
            for k in range(h.shape[2]):
                d += h[b, j, k] * dcontexts[b, k]
            de[j] = d
            mean += alphas[b, j] * d
        dqueries[b] = _0
        for j in range(length):
            d = alphas[b, j] * (de[j] - mean)
            for k in range(len(v)):
                value = _1 - _2 / (_1 + exp_keys[b, j, k] * exp_queries[b, k])  # tanh(W_a s + U_a h)
                dv[b, k] += d * value
                slope = d * (_1 - value * value)
                dqueries[b, k] += slope
                dkeys[b, j, k] += slope
        for k in range(len(v)):
            dqueries[b, k] *= v[k]


@partial(jit, is_inline=True)
def maximum(row: Floats) -> Any:
    """Return the maximum of a vector."""
    lanes = np.empty(LANES, np.float32)
    aligned = len(row) - len(row) % LANES
    lanes[:] = row[0]
    for first in range(0, aligned, LANES):  # LANES maxima side by side: vector instructions
        for k in range(LANES):
            x = row[first + k]
            lanes[k] = x if x > lanes[k] else lanes[k]
    highest = lanes[0]
    for k in range(LANES):
        highest = lanes[k] if lanes[k] > highest else highest
    for k in range(aligned, len(row)):
        highest = row[k] if row[k] > highest else highest
    return highest


@partial(jit, is_inline=True)
def _cross_entropy_row(target: int, smoothing: float, logits: Floats, dbias: Floats) -> float:
    """Return the loss of one row of `cross_entropy`."""
    size = len(logits)
    highest, target_logit, total = maximum(logits), logits[target], _0
    if smoothing:
        for k in range(size):
            total += logits[k] - highest
    exp_sum = _0
    for k in range(size):
        power = exp(logits[k] - highest)
        logits[k] = power
        exp_sum += power
    log_sum = np.log(exp_sum)
    # _MIN_EXP: e^-87 is the least probability that float32 holds
    loss = -(1 - smoothing) * max(target_logit - highest - log_sum, _MIN_EXP) - smoothing * (total / size - log_sum)
    uniform_gradient = np.float32(smoothing / size)
    for k in range(size):
        gradient = logits[k] / exp_sum - uniform_gradient
        logits[k] = gradient
        dbias[k] += gradient
    logits[target] -= np.float32(1 - smoothing)
    dbias[target] -= np.float32(1 - smoothing)
    return loss


@jit
def cross_entropy(targets: Integers, smoothing: float, logits: Floats, dbias: Floats) -> float:
    """Return the sum of the negative log-likelihoods of targets (rows,), in nats, with label smoothing.

    logits (rows, vocabulary) become their gradients, which are added to dbias. The reported loss of one token is at
    most 87 nats (without smoothing), as in `model.training.losses.common`; its gradient is not limited.
    """
    loss = 0.0
    for row in range(len(targets)):
        loss += _cross_entropy_row(targets[row], smoothing, logits[row], dbias)
    return loss


@jit
def cross_entropy_bfloat16(targets: Integers, smoothing: float, logits: Bfloat16s, dbias: Floats) -> float:
    """Return `cross_entropy` of bfloat16 logits.

    Gradients are computed in float32 and rounded to the nearest bfloat16 number; ties go to the even one.
    """
    loss, values = 0.0, np.empty(logits.shape[1], np.float32)
    for row in range(len(targets)):
        stored = logits[row]
        for k in range(len(values)):
            values[k] = np.uint32(np.uint32(stored[k]) << _HALF_BITS).view(np.float32)
        loss += _cross_entropy_row(targets[row], smoothing, values, dbias)
        bits = values.view(np.uint32)
        for k in range(len(values)):
            lowest_bit = np.uint32(np.uint32(bits[k] >> _HALF_BITS) & _LOWEST_BIT)
            stored[k] = np.uint16(np.uint32(bits[k] + np.uint32(_BELOW_HALF + lowest_bit)) >> _HALF_BITS)
    return loss
