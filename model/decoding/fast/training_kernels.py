"""What training does element by element, each piece of it in one pass over memory, compiled by numba.

Matrix products are left to torch. What lies between two of them takes torch an operation, and often a buffer, for every
sign in a formula; here it is one loop, so that each number is read and written once. The mathematics is that of
`model.training.losses.gru` and `model.training.losses.common`, where the plain path stays and is the one to read
first; in float32, with errors of float32's size. `model.training.losses.common.loops` says when this one is taken.

Everything here takes numpy arrays of float32, rows behind one another, and writes into those whose names end the list.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from model.decoding.fast.compilation import jit

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint16]  # numbers in bfloat16, as their sixteen bits, which are the first of float32's

LANES = 64  # numbers side by side that are compared at once

_FARTHEST = np.float32(43)  # e^(2 * 43) and e^-(2 * 43) are normal numbers in float32
_0, _1, _2, _HALF = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
_LEAST, _MOST = np.float32(-87), np.float32(88)  # of what e to the power of is a normal number in float32
_PER_LOG_2 = np.float32(1 / math.log(2))
_LOG_2 = np.float32(0.693359375)  # so few digits that a whole number times it is exact
_LOG_2_REST = np.float32(math.log(2) - 0.693359375)
_C2, _C3, _C4, _C5, _C6, _C7 = (np.float32(1 / math.factorial(power)) for power in range(2, 8))
_HALF_PLACES, _ODD, _UNDER = np.uint32(16), np.uint32(1), np.uint32(0x7FFF)  # of a float32's bits, those rounded off
_PLACES, _BIAS = np.int32(23), np.int32(127)  # a float32's fraction, and what its exponent is stored above


@partial(jit, in_order=True, inline=True)  # in order: the two subtractions
def exp(x: Any) -> Any:
    """e^x = 2^n e^r with the whole number n that leaves r within log 2 / 2 of 0, e^r by its series; to two units in the
    last place. Unlike a call into a library it becomes instructions that work on many numbers at once."""
    x = _LEAST if x < _LEAST else x
    x = _MOST if x > _MOST else x
    n = np.floor(x * _PER_LOG_2 + _HALF)
    r = (x - n * _LOG_2) - n * _LOG_2_REST
    power = ((((((_C7 * r + _C6) * r + _C5) * r + _C4) * r + _C3) * r + _C2) * r + _1) * r + _1
    return power * np.int32((np.int32(n) + _BIAS) << _PLACES).view(np.float32)


@partial(jit, inline=True)
def sigmoid(x: Any) -> Any:
    return _1 / (_1 + exp(-x))


@jit
def gate(pre: Floats, product: Floats, s: Floats, keep: Floats, gates: Floats, rs: Floats) -> None:
    """A GRU's gates z and r (batch, 2n) of what the input adds, pre (batch, 3n), and the product of the state s (batch,
    n); and r s (batch, n). Where keep (batch, 1), or nothing, is 0, so is z."""
    n = s.shape[1]
    for b in range(len(s)):
        for k in range(2 * n):
            gates[b, k] = sigmoid(pre[b, k] + product[b, k])
        if len(keep):
            for k in range(n):
                gates[b, k] *= keep[b, 0]
        for k in range(n):
            rs[b, k] = gates[b, n + k] * s[b, k]


@jit
def update(pre: Floats, product: Floats, s: Floats, gates: Floats, candidate: Floats, out: Floats) -> None:
    """The candidate s~ and the state after an update (batch, n); the product is that of r s."""
    n = s.shape[1]
    for b in range(len(s)):
        for k in range(n):
            x = pre[b, 2 * n + k] + product[b, k]
            new = _1 - _2 / (_1 + exp(_2 * x))  # tanh
            candidate[b, k] = new
            out[b, k] = s[b, k] + gates[b, k] * (new - s[b, k])


@jit
def update_backward(ds: Floats, gates: Floats, candidate: Floats, dpre: Floats) -> None:
    """The gradient of the candidate's sum, into the last third of dpre (batch, 3n), given that of the new state."""
    n = ds.shape[1]
    for b in range(len(ds)):
        for k in range(n):
            dpre[b, 2 * n + k] = ds[b, k] * gates[b, k] * (_1 - candidate[b, k] * candidate[b, k])


@jit
def gates_backward(s: Floats, gates: Floats, candidate: Floats, drs: Floats, ds: Floats, dpre: Floats) -> None:
    """The gradients of the gates' sums, into the first two thirds of dpre (batch, 3n), given that of r s; and what of
    the new state's gradient ds (batch, n) comes to the old state other than through the gates."""
    n = ds.shape[1]
    for b in range(len(ds)):
        for k in range(n):
            z, r, d, dr = gates[b, k], gates[b, n + k], ds[b, k], drs[b, k]
            dpre[b, k] = (candidate[b, k] - s[b, k]) * d * z * (_1 - z)
            dpre[b, n + k] = dr * s[b, k] * r * (_1 - r)
            ds[b, k] = d * (_1 - z) + dr * r


@jit
def powers(x: Floats, out: Floats) -> None:
    """e^2x of every x: with them tanh(a + b) = 1 - 2 / (1 + e^2a e^2b) takes no further power, however many
    b meet an a. An x farther from 0 than 43 counts as 43."""
    given, into = x.reshape(-1), out.reshape(-1)
    for k in range(len(given)):
        near = -_FARTHEST if given[k] < -_FARTHEST else given[k]
        into[k] = exp(_2 * (_FARTHEST if near > _FARTHEST else near))


@jit
def look(queries: Floats, keys: Floats, v: Floats, h: Floats, lengths: Numbers, alphas: Floats,
         contexts: Floats) -> None:
    """Equations 5 and 6 for one step: alphas (batch, source) and contexts (batch, 2n) of the `powers` of queries W_a s
    (batch, n') and keys U_a h (batch, source, n'), and of annotations h (batch, source, 2n); each sentence has its
    length."""
    for b in range(len(keys)):
        length, most = lengths[b], -np.float32(np.inf)
        for j in range(length):
            e = _0  # without the constant, which the softmax drops
            for k in range(len(v)):
                e -= v[k] / (_1 + keys[b, j, k] * queries[b, k])
            e *= _2
            alphas[b, j] = e
            most = e if not e <= most else most
        total = _0
        for j in range(length):
            alphas[b, j] = exp(alphas[b, j] - most)
            total += alphas[b, j]
        contexts[b] = _0
        for j in range(length):
            alphas[b, j] /= total
            for k in range(h.shape[2]):
                contexts[b, k] += alphas[b, j] * h[b, j, k]
        alphas[b, length:] = _0


@jit
def look_backward(queries: Floats, keys: Floats, v: Floats, h: Floats, lengths: Numbers, alphas: Floats,
                  dcontexts: Floats, dalphas: Floats, dqueries: Floats, dkeys: Floats, dv: Floats) -> None:
    """The gradients of `look`: dqueries (batch, n'), and what it adds to dkeys (batch, source, n') and dv (batch, n'),
    given those of contexts and alphas; dkeys without the factor v."""
    de = np.empty(keys.shape[1], np.float32)
    for b in range(len(keys)):
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
                tanh = _1 - _2 / (_1 + keys[b, j, k] * queries[b, k])
                dv[b, k] += d * tanh
                slope = d * (_1 - tanh * tanh)
                dqueries[b, k] += slope
                dkeys[b, j, k] += slope
        for k in range(len(v)):
            dqueries[b, k] *= v[k]


@partial(jit, inline=True)
def greatest(own: Floats) -> Any:
    """The greatest of a vector."""
    highest = np.empty(LANES, np.float32)
    whole = len(own) - len(own) % LANES
    highest[:] = own[0]
    for first in range(0, whole, LANES):  # side by side, since the greatest is not looked for in any order
        for k in range(LANES):
            x = own[first + k]
            highest[k] = x if x > highest[k] else highest[k]
    most = highest[0]
    for k in range(LANES):
        most = highest[k] if highest[k] > most else most
    for k in range(whole, len(own)):
        most = own[k] if own[k] > most else most
    return most


@partial(jit, inline=True)
def _likelihood(piece: int, smoothing: float, own: Floats, dbias: Floats) -> float:
    """`likelihood` of one row."""
    size = len(own)
    most, at, total = greatest(own), own[piece], _0
    if smoothing:
        for k in range(size):
            total += own[k] - most
    whole = _0
    for k in range(size):
        power = exp(own[k] - most)
        own[k] = power
        whole += power
    normaliser = np.log(whole)
    loss = -(1 - smoothing) * max(at - most - normaliser, _LEAST) - smoothing * (total / size - normaliser)
    share = np.float32(smoothing / size)
    for k in range(size):
        gradient = own[k] / whole - share
        own[k] = gradient
        dbias[k] += gradient
    own[piece] -= np.float32(1 - smoothing)
    dbias[piece] -= np.float32(1 - smoothing)
    return loss


@jit
def likelihood(pieces: Numbers, smoothing: float, logits: Floats, dbias: Floats) -> float:
    """The summed negative log-likelihood of pieces (rows,) whose labels are smoothed by so much, in nats. The logits
    (rows, vocabulary) become its gradients, which are added to dbias."""
    loss = 0.0
    for row in range(len(pieces)):
        loss += _likelihood(pieces[row], smoothing, logits[row], dbias)
    return loss


@jit
def likelihood_of_halves(pieces: Numbers, smoothing: float, logits: Words, dbias: Floats) -> float:
    """The same of logits in bfloat16, whose gradients, which are computed in float32, become numbers of bfloat16 in
    their place: the nearest ones, of two as near the even one."""
    loss, own = 0.0, np.empty(logits.shape[1], np.float32)
    for row in range(len(pieces)):
        given = logits[row]
        for k in range(len(own)):
            own[k] = np.uint32(np.uint32(given[k]) << _HALF_PLACES).view(np.float32)
        loss += _likelihood(pieces[row], smoothing, own, dbias)
        bits = own.view(np.uint32)
        for k in range(len(own)):
            even = np.uint32(np.uint32(bits[k] >> _HALF_PLACES) & _ODD)
            given[k] = np.uint16(np.uint32(bits[k] + np.uint32(_UNDER + even)) >> _HALF_PLACES)
    return loss
