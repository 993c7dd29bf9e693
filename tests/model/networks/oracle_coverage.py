"""Coverage and copying once more, in plain numpy, on top of `tests.model.networks.oracle`: one sentence at a time,
float64.

Written from Tu et al. (2016), section 3, and See et al. (2017), sections 2.2 and 2.3. Besides the oracle's weights:

    V_a (a, d)                                       of coverage in the energies
    U_f (w,), N                                      of fertilities
    cover: W, W_z, W_r (d, 1 + w + n); U, U_z, U_r (d, d); b (d,)     the GRU of neural coverage, fed [alpha; h; s]
    w_c (w,), w_s (n,), w_x (m,), b_gen (1,)         of p_gen
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.model.networks import oracle
from tests.model.networks.oracle import Array, Weights


@dataclass(frozen=True)
class Forced:
    """What one sentence pair gives, a row for each target piece."""

    log_probs: Array  # (target, V)
    alphas: Array  # (target, source)
    coverage: Array  # before each step (target, source, d); d = 0 without
    generated: Array  # p_gen (target,), 1 where nothing is copied


def covered(weights: Weights, way: str, before: Array, alpha: Array, h: list[Array], s: Array, n: int) -> Array:
    """C_i (source, d) after a step that looked with the state s."""
    rows = []
    for j in range(len(h)):
        if way == "sum":
            rows.append(before[j] + alpha[j])
        elif way == "linguistic":
            fertility = n * oracle.sigmoid(weights["U_f"] @ h[j])
            rows.append(before[j] + alpha[j] / fertility)
        elif way == "neural":
            fed = np.concatenate([[alpha[j]], h[j], s])
            rows.append(oracle.gru(weights, "cover", before[j], fed))
        else:
            rows.append(before[j])
    return np.array(rows)


def forced(weights: Weights, source: list[int], target: list[int], wiring: str, way: str, copying: bool,
           n: int = 2) -> Forced:
    """Teacher forcing; `way` says how coverage is kept, n is N."""
    h = oracle.annotate(weights, source)
    s, c = oracle.first_state(weights, h), np.zeros_like(h[0])
    nothing = np.zeros(weights["E_y"].shape[1])
    coverage = np.zeros((len(source), weights["V_a"].shape[1] if way != "none" else 0))
    rows = []
    for i in range(len(target)):
        y = weights["E_y"][target[i - 1]] if i > 0 else nothing
        if wiring == "groundhog" and i > 0:
            s = oracle.gru(weights, "decoder", s, y, c)
        asked = s
        energies = []
        for j in range(len(source)):
            inside = weights["W_a"] @ asked + weights["U_a"] @ h[j]
            if way != "none":
                inside = inside + weights["V_a"] @ coverage[j]
            energies.append(weights["v_a"] @ np.tanh(inside))
        alpha = np.exp(energies) / np.sum(np.exp(energies))
        c = np.sum([alpha[j] * h[j] for j in range(len(source))], axis=0)
        if wiring == "equation4":
            s = oracle.gru(weights, "decoder", s, y, c)
        spoke = s
        if wiring == "appendix":
            s = oracle.gru(weights, "decoder", s, y, c)
        p = np.exp(oracle.speak(weights, spoke, y, c))
        kept = 1.0
        if copying:
            kept = float(oracle.sigmoid(weights["w_c"] @ c + weights["w_s"] @ spoke + weights["w_x"] @ y
                                        + weights["b_gen"][0]))
            p = kept * p
            for j, piece in enumerate(source):
                p[piece] += (1 - kept) * alpha[j]
        rows.append((np.log(p), alpha, coverage, kept))
        coverage = covered(weights, way, coverage, alpha, h, asked, n)
    values, alphas, before, kepts = zip(*rows, strict=True)
    return Forced(np.array(values), np.array(alphas), np.array(before), np.array(kepts))
