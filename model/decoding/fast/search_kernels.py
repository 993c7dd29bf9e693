"""What search does element by element between two matrix products, each piece of it in one call, compiled by numba.

A step of search is a few matrix products and, between them, dozens of operations on vectors so short that torch takes
longer to start each than to do it. The mathematics is that of `model.decoding.fast.rnnsearch`, where the plain path
stays and is the one to read first; in float32, with errors of float32's size. `model.decoding.fast.background_compile`
says when this one is taken.

Everything here takes numpy arrays, rows behind one another, of float32 but for numbers of pieces, places and sentences,
and writes into those whose names end the list. Letters are those of `model.decoding.fast.rnnsearch`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from model.decoding.fast.compilation import jit
from model.decoding.fast.training_kernels import LANES, Floats, Numbers, exp, greatest, powers, sigmoid

__all__ = [
    "gates",
    "log_softmax",
    "look",
    "maxout",
    "multiply",
    "powers",
    "read",
    "read_gates",
    "read_update",
    "select_top_k",
    "update",
    "weighed",
    "whole",
]

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
SUMMED = 64  # products that are added up by themselves
UNROLLED = 8  # rows of a matrix that are added at a time, so that sums are loaded and stored less often


@partial(jit, in_order=True)  # of the sums
def multiply(x: Floats, matrix: Floats, bias: Floats, products: Floats) -> None:
    """Write the products (rows, out) of x (rows, in) and a matrix (in, out), plus a bias (out or more,).

    Rows are multiplied one by one: this is for one. Each SUMMED rows of the matrix are added up by themselves, so that
    fewer sums are rounded one after another.
    """
    part = np.empty(products.shape[1], np.float32)
    for row in range(len(x)):
        factors, product = x[row], products[row]
        for k in range(len(product)):
            product[k] = bias[k]
        for first in range(0, len(factors), SUMMED):
            last = min(first + SUMMED, len(factors))
            unrolled = last - (last - first) % UNROLLED
            part[:] = _0
            for i in range(first, unrolled, UNROLLED):
                a, b, c, d = factors[i], factors[i + 1], factors[i + 2], factors[i + 3]
                e, f, g, h = factors[i + 4], factors[i + 5], factors[i + 6], factors[i + 7]
                block = matrix[i : i + UNROLLED]
                for k in range(len(part)):
                    first_half = (a * block[0, k] + b * block[1, k]) + (c * block[2, k] + d * block[3, k])
                    last_half = (e * block[4, k] + f * block[5, k]) + (g * block[6, k] + h * block[7, k])
                    part[k] += first_half + last_half
            for i in range(unrolled, last):
                for k in range(len(part)):
                    part[k] += factors[i] * matrix[i, k]
            for k in range(len(part)):
                product[k] += part[k]


@jit
def read_gates(table: Floats, first: int, places: Numbers, j: int, product: Floats, s: Floats, z: Floats,
               rs: Floats) -> None:
    """The encoder's gate z and r s (rows, n) at place j of a sentence: of what its piece adds, which is the row
    places[row, j] of the table (pieces, ...) from the column `first` on, and the product (rows, 2n) of the state."""
    n = s.shape[1]
    for row in range(len(s)):
        given = table[places[row, j]]
        for k in range(n):
            z[row, k] = sigmoid(given[first + k] + product[row, k])
        for k in range(n):
            rs[row, k] = sigmoid(given[first + n + k] + product[row, n + k]) * s[row, k]


@jit
def read_update(table: Floats, first: int, places: Numbers, j: int, product: Floats, z: Floats, ends: Numbers,
                column: int, s: Floats, h: Floats) -> None:
    """The encoder's state s (rows, n) becomes that after the piece at place j, in h (rows, source, ...) too, from
    `column` on; the product is that of r s. Behind a sentence's end it stays as it was."""
    n = s.shape[1]
    for row in range(len(s)):
        given = table[places[row, j]]
        if j < ends[row]:
            for k in range(n):
                x = given[first + 2 * n + k] + product[row, k]
                candidate = _1 - _2 / (_1 + exp(_2 * x))  # tanh
                s[row, k] += z[row, k] * (candidate - s[row, k])
        for k in range(n):
            h[row, j, column + k] = s[row, k]


@jit
def read(table: Floats, first: int, places: Numbers, backward: bool, gating: Floats, updating: Floats, none: Floats,
         ends: Numbers, column: int, h: Floats) -> None:
    """One direction of the encoder, into h (rows, source, ...) from `column` on: `read_gates` and `read_update` with
    the products between them, whose matrices are U_z and U_r (n, 2n), and U (n, n); `none` is a bias of zeros."""
    rows, length, n = h.shape[0], h.shape[1], len(none) // 2
    s, z, rs = np.zeros((rows, n), np.float32), np.empty((rows, n), np.float32), np.empty((rows, n), np.float32)
    both, one = np.empty((rows, 2 * n), np.float32), np.empty((rows, n), np.float32)
    for step in range(length):
        j = length - 1 - step if backward else step
        multiply(s, gating, none, both)
        read_gates(table, first, places, j, both, s, z, rs)
        multiply(rs, updating, none, one)
        read_update(table, first, places, j, one, z, ends, column, s, h)


@jit
def gates(table: Floats, pieces: Numbers, eaten: Floats, ahead: Floats, a: int, s: Floats, z: Floats, r: Floats,
          rs: Floats) -> None:
    """The decoder's gates z and r, and r s, (rows, n)."""
    n = s.shape[1]
    for row in range(len(s)):
        given = table[pieces[row]]
        for k in range(n):
            z[row, k] = sigmoid(given[k] + eaten[row, k] + ahead[row, a + k])
        for k in range(n):
            r[row, k] = sigmoid(given[n + k] + eaten[row, n + k] + ahead[row, a + n + k])
            rs[row, k] = r[row, k] * s[row, k]


@jit
def update(table: Floats, pieces: Numbers, eaten: Floats, product: Floats, s: Floats, z: Floats, new: Floats) -> None:
    """The decoder's state after an update (rows, n); the product is that of r s."""
    n = s.shape[1]
    for row in range(len(s)):
        given = table[pieces[row]]
        for k in range(n):
            x = given[2 * n + k] + eaten[row, 2 * n + k] + product[row, k]
            candidate = _1 - _2 / (_1 + exp(_2 * x))  # tanh
            new[row, k] = s[row, k] + z[row, k] * (candidate - s[row, k])


@jit
def look(ahead: Floats, keys: Floats, v: Floats, sentences: Numbers, lengths: Numbers, energies: Floats,
         alphas: Floats) -> None:
    """Energies and alphas (rows, source) of the `powers` of keys U_a h (sentences, source, n'), of which each row sees
    those of its sentence. Energies are added up in float64: they are small differences of large sums."""
    a, whole = len(v), 0.0
    query = np.empty(a, np.float32)
    for k in range(a):
        whole += v[k]
    for row in range(len(sentences)):
        sentence = sentences[row]
        for k in range(a):
            near = ahead[row, k]
            near = np.float32(-43) if near < np.float32(-43) else near
            query[k] = exp(_2 * (np.float32(43) if near > np.float32(43) else near))
        length, most = lengths[sentence], -np.float32(np.inf)
        for j in range(keys.shape[1]):
            less = 0.0
            for k in range(a):
                less += np.float64(v[k] / (_1 + keys[sentence, j, k] * query[k]))
            e = np.float32(whole - 2 * less)
            energies[row, j] = e
            if j < length:
                most = e if not e <= most else most
        total = _0
        for j in range(length):
            alphas[row, j] = exp(energies[row, j] - most)
            total += alphas[row, j]
        for j in range(length):
            alphas[row, j] /= total
        alphas[row, length:] = _0


@jit
def weighed(alphas: Floats, seen: Floats, sentences: Numbers, found: Floats) -> None:
    """What of its sentence's vectors seen (sentences, source, width) each row's alphas add up to: (rows, width)."""
    for row in range(len(sentences)):
        own, sums = seen[sentences[row]], found[row]
        for k in range(len(sums)):
            sums[k] = _0
        for j in range(len(own)):
            alpha, vector = alphas[row, j], own[j]
            for k in range(len(sums)):
                sums[k] += alpha * vector[k]


@jit
def maxout(table: Floats, pieces: Numbers, eaten: Floats, ahead: Floats, n: int, a: int, t: Floats) -> None:
    """The readout t (rows, l): of two sums, l apart, the greater."""
    l = t.shape[1]
    for row in range(len(t)):
        given, eats, says = table[pieces[row]], eaten[row], ahead[row]
        for k in range(l):
            x = given[3 * n + k] + eats[3 * n + k] + says[a + 2 * n + k]
            y = given[3 * n + l + k] + eats[3 * n + l + k] + says[a + 2 * n + l + k]
            t[row, k] = x if x > y or x != x else y  # what is not a number stays


@jit
def log_softmax(logits: Floats) -> None:
    """Logits (rows, vocabulary) become log-probabilities."""
    for row in range(len(logits)):
        own = logits[row]
        most = greatest(own)
        total = _0
        for k in range(len(own)):
            total += exp(own[k] - most)
        less = most + np.log(total)
        for k in range(len(own)):
            own[k] -= less


@jit
def whole(early: bool, late: bool, told: bool, table: Floats, pieces: Numbers, s: Floats, ahead: Floats, before: Floats,
          keys: Floats, seen: Floats, sentences: Numbers, lengths: Numbers, updating: Floats, joined: Floats,
          eating: Floats, writing: Floats, none: Floats, bias: Floats, v: Floats, given: Floats, z: Floats, r: Floats,
          new: Floats, after: Floats, energies: Floats, alphas: Floats, eaten: Floats, values: Floats) -> None:
    """A whole step of the decoder, of what is above and the products between: into the gates z and r, the state `new`
    and what the joined matrices make of it, `after`, energies and alphas, what the context's matrices make of the
    context, `eaten`, and the log-probabilities `values`.

    An update comes before the look (early), by what the context `before` was eaten as, or behind it (late), or not at
    all; the readout is `told` of the state after. Without attention there are no keys, and `eaten` is given. `seen`:
    the annotations, or what the context's matrices have made of them, in which case `eating` is empty. Matrices: U, the
    joined ones, those of the context, W_o; biases: zeros, b_w. Alphas are those `given` where there are any.
    """
    rows, n, a = s.shape[0], s.shape[1], len(v)
    rs, product = np.empty((rows, n), np.float32), np.empty((rows, n), np.float32)
    t = np.empty((rows, (table.shape[1] - 3 * n) // 2), np.float32)
    spoken = ahead
    if early:
        gates(table, pieces, before, ahead, a, s, z, r, rs)
        multiply(rs, updating, none, product)
        update(table, pieces, before, product, s, z, new)
        multiply(new, joined, none, after)
        spoken = after
    if keys.shape[1]:
        look(spoken, keys, v, sentences, lengths, energies, alphas)
        if given.size:
            alphas[:] = given
        if eating.size:
            found = np.empty((rows, seen.shape[2]), np.float32)
            weighed(alphas, seen, sentences, found)
            multiply(found, eating, none, eaten)
        else:
            weighed(alphas, seen, sentences, eaten)
    if late:
        gates(table, pieces, eaten, ahead, a, s, z, r, rs)
        multiply(rs, updating, none, product)
        update(table, pieces, eaten, product, s, z, new)
        multiply(new, joined, none, after)
        if told:
            spoken = after
    maxout(table, pieces, eaten, spoken, n, a, t)
    multiply(t, writing, bias, values)
    log_softmax(values)


@jit
def _among(own: Floats, first: int, last: int, found: int, best: Floats, at: Numbers) -> int:
    """Put those of own[first:last] that are greater than the least of the `found` best, or for which there is room,
    in their places; how many there are then, -1 where one is no number."""
    most = len(best)
    for k in range(first, last):
        x = own[k]
        if x != x:
            return -1
        if found < most or x > best[most - 1]:
            place = min(found, most - 1)
            while place and best[place - 1] < x:
                best[place], at[place] = best[place - 1], at[place - 1]
                place -= 1
            best[place], at[place] = x, k
            found = min(found + 1, most)
    return found


@jit
def select_top_k(scores: Floats, values: Floats, columns: Numbers) -> bool:
    """The greatest of each row of scores (rows, n) in their order, as many as `values` (rows, count) has room for, and
    their columns; of equal ones the lowest column first. False where there is NaN: what is written is of no use then.
    """
    count = values.shape[1]
    for row in range(len(scores)):
        own, best, at, found = scores[row], values[row], columns[row], 0
        whole = len(own) - len(own) % LANES
        for first in range(0, whole, LANES):
            if found == count:
                least, over = best[count - 1], _0
                for k in range(LANES):
                    over += _0 if own[first + k] <= least else _1  # what is no number is neither
                if over == _0:
                    continue
            found = _among(own, first, first + LANES, found, best, at)
            if found < 0:
                return False
        if _among(own, whole, len(own), found, best, at) < 0:
            return False
    return True
