"""The equations of coverage and copying in plain numpy, on top of `tests.model.networks.oracle`.

Written from Tu et al. (2016), section 3, and See et al. (2017), sections 2.2 and 2.3. Weights besides the oracle's:

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
class ForcedResult:
    """The numbers of one sentence pair, with a row for each target token."""

    log_probs: Array  # (target, V)
    alphas: Array  # (target, source)
    coverage: Array  # before each step (target, source, d); d = 0 without coverage
    p_gen: Array  # (target,); 1 without copying


def update_coverage(weights: Weights, kind: str, previous: Array, alpha: Array, h: list[Array], s: Array,
                    n: int) -> Array:  # fmt: skip
    """Return C_i (source, d) after a step that attended with the state s."""
    rows = []
    for j in range(len(h)):
        if kind == "sum":
            rows.append(previous[j] + alpha[j])
        elif kind == "linguistic":
            fertility = n * oracle.sigmoid(weights["U_f"] @ h[j])
            rows.append(previous[j] + alpha[j] / fertility)
        elif kind == "neural":
            rows.append(oracle.gru(weights, "cover", previous[j], np.concatenate([[alpha[j]], h[j], s])))
        else:
            rows.append(previous[j])
    return np.array(rows)


def force_decode(weights: Weights, source: list[int], target: list[int], wiring: str, kind: str, copying: bool,
                 n: int = 2) -> ForcedResult:  # fmt: skip
    """Return the result of teacher forcing; `kind` is the kind of coverage, n is N.

    Ids beyond the vocabulary are unknown words (See et al., section 2.2): read as UNK, and written by copying alone.
    """
    vocabulary = len(weights["E_y"])
    copied_ids, source, target = source, *([2 if token >= vocabulary else token for token in side]
                                           for side in (source, target))  # fmt: skip
    size = max(vocabulary, *(token + 1 for token in copied_ids))
    h = oracle.annotate(weights, source)
    s, c = oracle.compute_first_state(weights, h), np.zeros_like(h[0])
    zeros = np.zeros(weights["E_y"].shape[1])
    coverage = np.zeros((len(source), weights["V_a"].shape[1] if kind != "none" else 0))
    rows = []
    for i in range(len(target)):
        y = weights["E_y"][target[i - 1]] if i > 0 else zeros
        if wiring == "groundhog" and i > 0:
            s = oracle.gru(weights, "decoder", s, y, c)
        attention_state = s
        energies = []
        for j in range(len(source)):
            pre_activation = weights["W_a"] @ attention_state + weights["U_a"] @ h[j]
            if kind != "none":
                pre_activation = pre_activation + weights["V_a"] @ coverage[j]
            energies.append(weights["v_a"] @ np.tanh(pre_activation))
        alpha = np.exp(energies) / np.sum(np.exp(energies))
        c = np.sum([alpha[j] * h[j] for j in range(len(source))], axis=0)
        if wiring == "equation4":
            s = oracle.gru(weights, "decoder", s, y, c)
        readout_state = s
        if wiring == "appendix":
            s = oracle.gru(weights, "decoder", s, y, c)
        probs = np.exp(oracle.compute_log_probs(weights, readout_state, y, c))
        p_gen = 1.0
        if copying:
            logit = weights["w_c"] @ c + weights["w_s"] @ readout_state + weights["w_x"] @ y + weights["b_gen"][0]
            p_gen = float(oracle.sigmoid(logit))
            probs = p_gen * np.pad(probs, (0, size - vocabulary))
            for j, token in enumerate(copied_ids):
                probs[token] += (1 - p_gen) * alpha[j]
        with np.errstate(divide="ignore"):
            rows.append((np.log(probs), alpha, coverage, p_gen))
        coverage = update_coverage(weights, kind, coverage, alpha, h, attention_state, n)
    return ForcedResult(*(np.array(column) for column in zip(*rows, strict=True)))
