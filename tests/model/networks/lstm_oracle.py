"""The equations of Sutskever et al. (2014) and Luong et al. (2015) in numpy, against which the tests check torch.

Written from the papers and not from `model/`: one sentence at a time, column vectors, a matrix for every gate, one
`for` per subscript, float64, without batches and padding.

Weights are a dict of float64 arrays; a matrix multiplies a column vector from the left. With n units per layer:

    E_x, E_y                         (V, m)    embeddings
    LAYER.W_q, .U_q, .b_q            for q of i, f, o, g: (n, inputs), (n, n), (n,)
                                     LAYER is encoder.L.D or decoder.L, with L the layer and D the direction from 0
    W_a                              (n, n) general; (n, 2n) concat; (places, n) location
    v_a                              (n,)      concat
    W_p, v_p                         (n, n), (n,)   local-p
    W_c                              (n, 2n)
    W_o, b_o                         (V, n), (V,)   output

The settings of a network: layers, directions, reverse, and with attention score, window, distance and feeding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]
Settings = dict[str, Any]


def sigmoid(a: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-a))


@dataclass(frozen=True)
class Cell:
    """The state h, cell c and gates of a layer after an update."""

    h: Array
    c: Array
    i: Array
    f: Array
    o: Array


def lstm(weights: Weights, layer: str, x: Array, h: Array, c: Array) -> Cell:
    """Update a layer once."""
    sums = {q: weights[f"{layer}.W_{q}"] @ x + weights[f"{layer}.U_{q}"] @ h + weights[f"{layer}.b_{q}"]
            for q in "ifog"}
    i, f, o, g = sigmoid(sums["i"]), sigmoid(sums["f"]), sigmoid(sums["o"]), np.tanh(sums["g"])
    cell = f * c + i * g
    return Cell(o * np.tanh(cell), cell, i, f, o)


def run(weights: Weights, layer: str, xs: list[Array]) -> list[Cell]:
    """Run a layer over inputs in their order, from zeros."""
    n = len(weights[f"{layer}.b_i"])
    zeros = np.zeros(n)
    cells: list[Cell] = []
    for x in xs:
        h, c = (cells[-1].h, cells[-1].c) if cells else (zeros, zeros)
        cells.append(lstm(weights, layer, x, h, c))
    return cells


def encode(weights: Weights, settings: Settings, source: list[int]) -> tuple[list[Array], list[Array], list[Array]]:
    """Return the top layer's state at each source position, and the last h and c of every layer."""
    order = list(range(len(source)))
    if settings["reverse"]:
        order = [*reversed(order[:-1]), order[-1]]  # EOS stays last
    xs = [weights["E_x"][source[j]] for j in order]
    last_h, last_c = [], []
    for layer in range(settings["layers"]):
        forward = run(weights, f"encoder.{layer}.0", xs)
        states, h, c = [one.h for one in forward], forward[-1].h, forward[-1].c
        if settings.get("directions", 1) == 2:
            backward = run(weights, f"encoder.{layer}.1", xs[::-1])[::-1]
            states = [np.concatenate([a, b.h]) for a, b in zip(states, backward, strict=True)]
            h, c = np.concatenate([h, backward[0].h]), np.concatenate([c, backward[0].c])
        last_h.append(h)
        last_c.append(c)
        xs = states
    h_of = dict(zip(order, xs, strict=True))
    return [h_of[j] for j in range(len(source))], last_h, last_c


def score(weights: Weights, settings: Settings, s: Array, h: list[Array]) -> list[float]:
    """Return score(s, h_j) for every j (Luong et al., section 3.1; Vaswani et al. for the scaled product)."""
    kind = settings["score"]
    if kind == "location":
        by_position = weights["W_a"] @ s
        return [float(by_position[j]) if j < len(by_position) else 0.0 for j in range(len(h))]
    if kind == "dot":
        return [float(s @ h_j) for h_j in h]
    if kind == "scaled dot":
        return [float(s @ h_j) / np.sqrt(len(s)) for h_j in h]
    if kind == "general":
        return [float(s @ (weights["W_a"] @ h_j)) for h_j in h]
    assert kind == "concat"
    return [float(weights["v_a"] @ np.tanh(weights["W_a"] @ np.concatenate([s, h_j]))) for h_j in h]


def align(weights: Weights, settings: Settings, s: Array, h: list[Array], step: int) -> tuple[Array, Array]:
    """Return alpha and the scores of a step, counted from 1 (sections 3.1 and 3.2)."""
    scores, length = score(weights, settings, s, h), len(h)
    distance, middle = settings["distance"], 0.0
    if settings["window"] == "local-m":
        middle = float(min(step, length))
    elif settings["window"] == "local-p":
        middle = length * float(sigmoid(weights["v_p"] @ np.tanh(weights["W_p"] @ s)))
    window_positions = [j for j in range(length)
                        if settings["window"] == "global" or middle - distance <= j + 1 <= middle + distance]
    if settings["score"] == "location":
        window_positions = [j for j in window_positions if j < len(weights["W_a"])]
    total = sum(np.exp(scores[j]) for j in window_positions)
    alpha = np.zeros(length)
    for j in window_positions:
        alpha[j] = np.exp(scores[j]) / total
        if settings["window"] == "local-p":
            deviation = distance / 2
            alpha[j] *= np.exp(-((j + 1 - middle) ** 2) / (2 * deviation**2))
    return alpha, np.array(scores)


def compute_log_probs(weights: Weights, s: Array) -> Array:
    """Return log p of every token, (V,)."""
    logits = weights["W_o"] @ s + weights["b_o"]
    log_probs: Array = logits - np.log(np.sum(np.exp(logits)))
    return log_probs


@dataclass(frozen=True)
class ForcedResult:
    """The numbers of one sentence pair, with a row for each target token; the last three empty without attention."""

    log_probs: Array  # (target, V)
    top_cells: list[Cell]  # of the top layer, after each step
    alphas: Array  # (target, source)
    energies: Array  # (target, source)
    contexts: Array  # (target, n)


def force_decode(weights: Weights, settings: Settings, source: list[int], target: Sequence[int]) -> ForcedResult:
    """Return the result of teacher forcing. Ids end in EOS on both sides; there is no padding."""
    annotations, h, c = encode(weights, settings, source)
    has_attention = "score" in settings
    attentional = np.zeros(len(h[0]))
    rows: list[tuple[Array, Cell, Array, Array, Array]] = []
    for t in range(len(target)):
        x = weights["E_y"][target[t - 1]] if t else np.zeros(weights["E_y"].shape[1])
        if has_attention and settings["feeding"]:
            x = np.concatenate([x, attentional])
        for layer in range(settings["layers"]):
            cell = lstm(weights, f"decoder.{layer}", x, h[layer], c[layer])
            h[layer], c[layer], x = cell.h, cell.c, cell.h
        alpha = energies = context = np.zeros(0)
        output_state = cell.h
        if has_attention:
            alpha, energies = align(weights, settings, cell.h, annotations, t + 1)
            context = sum((alpha[j] * annotations[j] for j in range(len(source))), np.zeros_like(cell.h))
            output_state = attentional = np.tanh(weights["W_c"] @ np.concatenate([context, cell.h]))
        rows.append((compute_log_probs(weights, output_state), cell, alpha, energies, context))
    log_probs, cells, alphas, scores, contexts = zip(*rows, strict=True)
    return ForcedResult(np.array(log_probs), list(cells), np.array(alphas), np.array(scores), np.array(contexts))
