"""The networks' equations once more, in plain numpy, to hold the torch code against.

Written from the paper (Bahdanau, Cho, Bengio 2015, appendix A) and not from `model/networks/rnnsearch.py`: one sentence
at a time, column vectors, one `for` per subscript, float64, no batch, no padding, nothing computed ahead. What it lacks
in speed it has in being readable next to the printed equations.

Weights are a dict of float64 arrays. A matrix multiplies a column vector from the left, so its shape is (out, in).
With n hidden units, m the embedding, a = n' alignment units, l maxout units, V words, and w the width of a context
(2n; n without attention):

    E_x, E_y             (V, m)                  embeddings, one word a row
    forward.*, backward.*, decoder.*             a GRU: W, W_z, W_r (n, m); U, U_z, U_r (n, n); b (n,);
                                                 the decoder's also C, C_z, C_r (n, w)
    W_s, b_s             (n, n), (n,)            the decoder's first state
    W_a, U_a, v_a        (a, n), (a, 2n), (a,)   the alignment model
    U_o, V_o, C_o, b_o   (2l, n), (2l, m), (2l, w), (2l,)   the readout, two neighbouring rows a maxout unit
    W_o, b_w             (V, l), (V,)            words

Without attention (RNNencdec) there is no backward.* and no W_a, U_a, v_a. The paper prints no biases; the places of
b, b_s, b_o and b_w are those of the original code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]

WIRINGS = ("equation4", "appendix", "groundhog")


def sigmoid(a: Array) -> Array:
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-a))


def gates(weights: Weights, name: str, s: Array, e: Array, c: Array | None = None) -> tuple[Array, Array]:
    """z and r, each (n,), of the GRU `name` in the state `s` (n,), given an input `e` (m,) and any context `c` (w,)."""
    z_in = weights[f"{name}.W_z"] @ e + weights[f"{name}.U_z"] @ s
    r_in = weights[f"{name}.W_r"] @ e + weights[f"{name}.U_r"] @ s
    if c is not None:
        z_in = z_in + weights[f"{name}.C_z"] @ c
        r_in = r_in + weights[f"{name}.C_r"] @ c
    return sigmoid(z_in), sigmoid(r_in)


def gru(weights: Weights, name: str, s: Array, e: Array, c: Array | None = None) -> Array:
    """The gated unit as printed (appendix A.1.1): the next state (n,)."""
    z, r = gates(weights, name, s, e, c)
    candidate_in = weights[f"{name}.W"] @ e + weights[f"{name}.U"] @ (r * s) + weights[f"{name}.b"]  # r acts before U
    if c is not None:
        candidate_in = candidate_in + weights[f"{name}.C"] @ c
    return (1.0 - z) * s + z * np.tanh(candidate_in)  # z lets the new state in


def run_over(weights: Weights, name: str, words: list[int]) -> list[Array]:
    """The states (n,) of one encoder GRU over `words` in the order in which they are read, starting at zero."""
    s = np.zeros(weights[f"{name}.U"].shape[0])
    states = []
    for word in words:
        s = gru(weights, name, s, weights["E_x"][word])
        states.append(s)
    return states


def annotate(weights: Weights, source: list[int]) -> list[Array]:
    """h_j = [h->_j ; h<-_j] for every source word (appendix A.2.1); without a backward GRU, h_j = h->_j."""
    forward = run_over(weights, "forward", source)
    if not has_attention(weights):
        return forward
    backward = run_over(weights, "backward", source[::-1])[::-1]
    return [np.concatenate([forward[j], backward[j]]) for j in range(len(source))]


def has_attention(weights: Weights) -> bool:
    """Whether these are the weights of RNNsearch."""
    return "v_a" in weights


def first_state(weights: Weights, h: list[Array]) -> Array:
    """s_0 (n,): from the backward state at the first word; without attention, from c, the last forward state."""
    n = weights["W_s"].shape[0]
    return np.tanh(weights["W_s"] @ (h[0][n:] if has_attention(weights) else h[-1]) + weights["b_s"])


def look(weights: Weights, s: Array, h: list[Array]) -> tuple[Array, Array, Array]:
    """Energies e_ij and alphas of one row i, each (source,), and c_i = sum_j alpha_ij h_j (equations 5 and 6)."""
    e = np.array([weights["v_a"] @ np.tanh(weights["W_a"] @ s + weights["U_a"] @ h_j) for h_j in h])
    alpha = np.exp(e) / np.sum(np.exp(e))
    c = np.zeros_like(h[0])
    for j in range(len(h)):
        c = c + alpha[j] * h[j]
    return e, alpha, c


def speak(weights: Weights, s: Array, e: Array, c: Array) -> Array:
    """log p(y_i) of every word (V,): the readout, the larger of each two neighbours, the softmax (appendix A.2.2)."""
    t = weights["U_o"] @ s + weights["V_o"] @ e + weights["C_o"] @ c + weights["b_o"]
    maxout = np.array([max(t[2 * k], t[2 * k + 1]) for k in range(len(t) // 2)])
    logits = weights["W_o"] @ maxout + weights["b_w"]
    log_probs: Array = logits - np.log(np.sum(np.exp(logits)))
    return log_probs


@dataclass(frozen=True)
class Forced:
    """What one sentence pair gives, a row for each target word i.

    `seen` is the state the alignment model looked from, `spoke` the state the readout took, `final` the state after
    the last step. Without attention `energies` and `alphas` have no columns.
    """

    log_probs: Array  # (target, V)
    energies: Array  # (target, source)
    alphas: Array  # (target, source)
    contexts: Array  # (target, w)
    seen: Array  # (target, n)
    spoke: Array  # (target, n)
    final: Array  # (n,)
    annotations: Array  # (source, w)
    start: Array  # (n,)

    def log_probability(self, target: list[int]) -> float:
        """log p(y | x), the sum over the target's words."""
        return float(sum(self.log_probs[i, word] for i, word in enumerate(target)))


def forced(weights: Weights, source: list[int], target: list[int], wiring: str) -> Forced:
    """Teacher forcing: every step is told the true previous word. Ids end in EOS on both sides; no padding."""
    h = annotate(weights, source)
    start = first_state(weights, h)
    nothing = np.zeros(weights["E_y"].shape[1])

    def attend(s: Array) -> tuple[Array, Array, Array]:
        return look(weights, s, h) if has_attention(weights) else (np.zeros(0), np.zeros(0), h[-1])

    rows: list[tuple[Array, Array, Array, Array, Array, Array]] = []
    s = start
    c = nothing  # replaced before use: GroundHog's first step does not update
    for i in range(len(target)):
        y = weights["E_y"][target[i - 1]] if i > 0 else nothing  # E y_{i-1}; the first word has none before it
        if wiring == "equation4":  # look from s_{i-1}; s_i = f(s_{i-1}, y_{i-1}, c_i); y_i from s_i
            seen = s
            e, alpha, c = attend(s)
            s = gru(weights, "decoder", s, y, c)
            spoke = s
        elif wiring == "appendix":  # the same states, but y_i from s_{i-1}
            seen = spoke = s
            e, alpha, c = attend(s)
            s = gru(weights, "decoder", s, y, c)
        elif wiring == "groundhog":  # s' has eaten y_{i-1} with the context of *its* step; look and speak from s'
            if i > 0:
                s = gru(weights, "decoder", s, y, c)
            seen = spoke = s
            e, alpha, c = attend(s)
        else:
            raise ValueError(f"no such wiring: {wiring!r}")
        rows.append((speak(weights, spoke, y, c), e, alpha, c, seen, spoke))
    p, energies, alphas, contexts, seens, spokes = (np.array(column) for column in zip(*rows, strict=True))
    return Forced(p, energies, alphas, contexts, seens, spokes, s, np.array(h), start)
