"""The equations of Sutskever et al. (2014) and Luong et al. (2015) in plain numpy, to hold the torch code against.

Written from the papers and not from `model/`: one sentence at a time, column vectors, every gate a matrix of its own,
one `for` per subscript, float64, no batch, no padding, nothing computed ahead.

Weights are a dict of float64 arrays; a matrix multiplies a column vector from the left. With n units a layer:

    E_x, E_y                         (V, m)    embeddings, one piece a row
    LAYER.W_q, .U_q, .b_q            for q of i, f, o, g: (n, inputs), (n, n), (n,)
                                     LAYER is encoder.L.D or decoder.L, with L the layer and D the direction from 0
    W_a                              (n, n) general; (n, 2n) concat; (places, n) location
    v_a                              (n,)      concat
    W_p, v_p                         (n, n), (n,)   local-p
    W_c                              (n, 2n)
    W_o, b_o                         (V, n), (V,)   pieces

How a network is put together is said by a dict: layers, directions, reverse, and, of one that looks, score, window,
distance and feeding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]
Told = dict[str, Any]


def sigmoid(a: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-a))


@dataclass(frozen=True)
class Cell:
    """A layer after an update: its state, its cell, and the gates that made them."""

    h: Array
    c: Array
    i: Array
    f: Array
    o: Array


def lstm(weights: Weights, layer: str, x: Array, h: Array, c: Array) -> Cell:
    """One update of a layer."""
    of = {q: weights[f"{layer}.W_{q}"] @ x + weights[f"{layer}.U_{q}"] @ h + weights[f"{layer}.b_{q}"] for q in "ifog"}
    i, f, o, g = sigmoid(of["i"]), sigmoid(of["f"]), sigmoid(of["o"]), np.tanh(of["g"])
    kept = f * c + i * g
    return Cell(o * np.tanh(kept), kept, i, f, o)


def run(weights: Weights, layer: str, xs: list[Array]) -> list[Cell]:
    """A layer over inputs in the order in which they are read, from nothing."""
    n = len(weights[f"{layer}.b_i"])
    nothing = np.zeros(n)
    cells: list[Cell] = []
    for x in xs:
        h, c = (cells[-1].h, cells[-1].c) if cells else (nothing, nothing)
        cells.append(lstm(weights, layer, x, h, c))
    return cells


def encode(weights: Weights, told: Told, source: list[int]) -> tuple[list[Array], list[Array], list[Array]]:
    """The highest layer's state at each piece as the reader counts them, and every layer's last h and c."""
    order = list(range(len(source)))
    if told["reverse"]:
        order = [*reversed(order[:-1]), order[-1]]  # EOS is read last all the same
    xs = [weights["E_x"][source[j]] for j in order]
    last_h, last_c = [], []
    for layer in range(told["layers"]):
        forward = run(weights, f"encoder.{layer}.0", xs)
        states, h, c = [one.h for one in forward], forward[-1].h, forward[-1].c
        if told.get("directions", 1) == 2:
            backward = run(weights, f"encoder.{layer}.1", xs[::-1])[::-1]
            states = [np.concatenate([a, b.h]) for a, b in zip(states, backward, strict=True)]
            h, c = np.concatenate([h, backward[0].h]), np.concatenate([c, backward[0].c])
        last_h.append(h)
        last_c.append(c)
        xs = states
    h_of = dict(zip(order, xs, strict=True))
    return [h_of[j] for j in range(len(source))], last_h, last_c


def score(weights: Weights, told: Told, s: Array, h: list[Array]) -> list[float]:
    """score(s, h_j) of every piece j (Luong et al., section 3.1; Vaswani et al. for the scaled product)."""
    kind = told["score"]
    if kind == "location":
        of_places = weights["W_a"] @ s
        return [float(of_places[j]) if j < len(of_places) else 0.0 for j in range(len(h))]
    if kind == "dot":
        return [float(s @ h_j) for h_j in h]
    if kind == "scaled dot":
        return [float(s @ h_j) / np.sqrt(len(s)) for h_j in h]
    if kind == "general":
        return [float(s @ (weights["W_a"] @ h_j)) for h_j in h]
    assert kind == "concat"
    return [float(weights["v_a"] @ np.tanh(weights["W_a"] @ np.concatenate([s, h_j]))) for h_j in h]


def align(weights: Weights, told: Told, s: Array, h: list[Array], step: int) -> tuple[Array, Array]:
    """The weights of step t (counted from 1) over all pieces, and their scores (sections 3.1 and 3.2)."""
    scores, length = score(weights, told, s, h), len(h)
    distance, middle = told["distance"], 0.0
    if told["window"] == "local-m":
        middle = float(min(step, length))
    elif told["window"] == "local-p":
        middle = length * float(sigmoid(weights["v_p"] @ np.tanh(weights["W_p"] @ s)))
    inside = [j for j in range(length)
              if told["window"] == "global" or middle - distance <= j + 1 <= middle + distance]
    if told["score"] == "location":
        inside = [j for j in inside if j < len(weights["W_a"])]
    total = sum(np.exp(scores[j]) for j in inside)
    alpha = np.zeros(length)
    for j in inside:
        alpha[j] = np.exp(scores[j]) / total
        if told["window"] == "local-p":
            deviation = distance / 2
            alpha[j] *= np.exp(-((j + 1 - middle) ** 2) / (2 * deviation**2))
    return alpha, np.array(scores)


def speak(weights: Weights, s: Array) -> Array:
    """log p of every piece (V,)."""
    logits = weights["W_o"] @ s + weights["b_o"]
    log_probs: Array = logits - np.log(np.sum(np.exp(logits)))
    return log_probs


@dataclass(frozen=True)
class Forced:
    """What one sentence pair gives, a row for each target piece. Without a look alphas, energies and contexts are
    empty."""

    log_probs: Array  # (target, V)
    tops: list[Cell]  # the highest layer after each step
    alphas: Array  # (target, source)
    energies: Array  # (target, source)
    contexts: Array  # (target, n)

    def log_probability(self, target: list[int] | tuple[int, ...]) -> float:
        return float(sum(self.log_probs[i, piece] for i, piece in enumerate(target)))


def forced(weights: Weights, told: Told, source: list[int], target: list[int] | tuple[int, ...]) -> Forced:
    """Teacher forcing: every step is told the true piece before, the first one nothing. Ids end in EOS; no padding."""
    annotations, h, c = encode(weights, told, source)
    looks = "score" in told
    attentional = np.zeros(len(h[0]))
    rows: list[tuple[Array, Cell, Array, Array, Array]] = []
    for t in range(len(target)):
        x = weights["E_y"][target[t - 1]] if t else np.zeros(weights["E_y"].shape[1])
        if looks and told["feeding"]:
            x = np.concatenate([x, attentional])
        for layer in range(told["layers"]):
            cell = lstm(weights, f"decoder.{layer}", x, h[layer], c[layer])
            h[layer], c[layer], x = cell.h, cell.c, cell.h
        alpha = energies = context = np.zeros(0)
        spoken = cell.h
        if looks:
            alpha, energies = align(weights, told, cell.h, annotations, t + 1)
            context = sum((alpha[j] * annotations[j] for j in range(len(source))), np.zeros_like(cell.h))
            spoken = attentional = np.tanh(weights["W_c"] @ np.concatenate([context, cell.h]))
        rows.append((speak(weights, spoken), cell, alpha, energies, context))
    p, tops, alphas, scores, contexts = zip(*rows, strict=True)
    return Forced(np.array(p), list(tops), np.array(alphas), np.array(scores), np.array(contexts))
