"""The equations of RNNsearch and RNNencdec in plain numpy, against which the tests check the torch code.

Written from the paper (Bahdanau, Cho, Bengio 2015, appendix A) and not from `model/networks/rnnsearch.py`: one sentence
at a time, column vectors, one `for` per subscript, float64, without batches and padding.

Weights are a dict of float64 arrays. A matrix multiplies a column vector from the left: its shape is (out, in). With n
hidden units, m the embedding size, a = n' alignment units, l maxout units, V tokens, and w the size of a context vector
(2n; n without attention):

    E_x, E_y             (V, m)                  embeddings
    forward.*, backward.*, decoder.*             a GRU: W, W_z, W_r (n, m); U, U_z, U_r (n, n); b (n,);
                                                 the decoder's also C, C_z, C_r (n, w)
    W_s, b_s             (n, n), (n,)            first state of the decoder
    W_a, U_a, v_a        (a, n), (a, 2n), (a,)   alignment model
    U_o, V_o, C_o, b_o   (2l, n), (2l, m), (2l, w), (2l,)   readout; two neighbouring rows are a maxout unit
    W_o, b_w             (V, l), (V,)            output

Without attention (RNNencdec) there is no backward.* and no W_a, U_a, v_a. The paper prints no biases; b, b_s, b_o and
b_w stand where the original code has them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]


def sigmoid(a: Array) -> Array:
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-a))


def gates(weights: Weights, name: str, s: Array, e: Array, c: Array | None = None) -> tuple[Array, Array]:
    """Return z and r, each (n,), of the GRU `name` for a state s (n,), an input e (m,) and a context c (w,)."""
    z_in = weights[f"{name}.W_z"] @ e + weights[f"{name}.U_z"] @ s
    r_in = weights[f"{name}.W_r"] @ e + weights[f"{name}.U_r"] @ s
    if c is not None:
        z_in = z_in + weights[f"{name}.C_z"] @ c
        r_in = r_in + weights[f"{name}.C_r"] @ c
    return sigmoid(z_in), sigmoid(r_in)


def gru(weights: Weights, name: str, s: Array, e: Array, c: Array | None = None) -> Array:
    """Return the next state (n,) of a GRU (appendix A.1.1)."""
    z, r = gates(weights, name, s, e, c)
    candidate_in = weights[f"{name}.W"] @ e + weights[f"{name}.U"] @ (r * s) + weights[f"{name}.b"]  # r acts before U
    if c is not None:
        candidate_in = candidate_in + weights[f"{name}.C"] @ c
    return (1.0 - z) * s + z * np.tanh(candidate_in)


def run_encoder(weights: Weights, name: str, tokens: list[int]) -> list[Array]:
    """Return the states (n,) of an encoder GRU over tokens in their order, from zero."""
    s = np.zeros(weights[f"{name}.U"].shape[0])
    states = []
    for token in tokens:
        s = gru(weights, name, s, weights["E_x"][token])
        states.append(s)
    return states


def annotate(weights: Weights, source: list[int]) -> list[Array]:
    """Return h_j = [h->_j ; h<-_j] for every source token (appendix A.2.1); for RNNencdec h_j = h->_j."""
    forward = run_encoder(weights, "forward", source)
    if not has_attention(weights):
        return forward
    backward = run_encoder(weights, "backward", source[::-1])[::-1]
    return [np.concatenate([forward[j], backward[j]]) for j in range(len(source))]


def has_attention(weights: Weights) -> bool:
    """Whether these are the weights of RNNsearch."""
    return "v_a" in weights


def compute_first_state(weights: Weights, h: list[Array]) -> Array:
    """Return s_0 (n,), from the backward state at the first token; for RNNencdec from c, the last forward state."""
    n = weights["W_s"].shape[0]
    return np.tanh(weights["W_s"] @ (h[0][n:] if has_attention(weights) else h[-1]) + weights["b_s"])


def attend(weights: Weights, s: Array, h: list[Array]) -> tuple[Array, Array, Array]:
    """Return e_ij and alpha_ij of one row i, each (source,), and c_i = sum_j alpha_ij h_j (equations 5 and 6)."""
    e = np.array([weights["v_a"] @ np.tanh(weights["W_a"] @ s + weights["U_a"] @ h_j) for h_j in h])
    alpha = np.exp(e) / np.sum(np.exp(e))
    c = np.zeros_like(h[0])
    for j in range(len(h)):
        c = c + alpha[j] * h[j]
    return e, alpha, c


def compute_log_probs(weights: Weights, s: Array, e: Array, c: Array) -> Array:
    """Return log p(y_i) of every token, (V,): readout, maxout, softmax (appendix A.2.2)."""
    t = weights["U_o"] @ s + weights["V_o"] @ e + weights["C_o"] @ c + weights["b_o"]
    maxout = np.array([max(t[2 * k], t[2 * k + 1]) for k in range(len(t) // 2)])
    logits = weights["W_o"] @ maxout + weights["b_w"]
    log_probs: Array = logits - np.log(np.sum(np.exp(logits)))
    return log_probs


@dataclass(frozen=True)
class ForcedResult:
    """The numbers of one sentence pair, with a row for each target token i.

    `attention_states` are read by the alignment model, `readout_states` by the readout; `final` is the state after the
    last step. Without attention `energies` and `alphas` have no columns.
    """

    log_probs: Array  # (target, V)
    energies: Array  # (target, source)
    alphas: Array  # (target, source)
    contexts: Array  # (target, w)
    attention_states: Array  # (target, n)
    readout_states: Array  # (target, n)
    final: Array  # (n,)
    annotations: Array  # (source, w)
    start: Array  # (n,)


def force_decode(weights: Weights, source: list[int], target: list[int], wiring: str) -> ForcedResult:
    """Return the result of teacher forcing. Ids end in EOS on both sides; there is no padding."""
    h = annotate(weights, source)
    start = compute_first_state(weights, h)
    zeros = np.zeros(weights["E_y"].shape[1])

    def attend_if_possible(s: Array) -> tuple[Array, Array, Array]:
        return attend(weights, s, h) if has_attention(weights) else (np.zeros(0), np.zeros(0), h[-1])

    rows: list[tuple[Array, Array, Array, Array, Array, Array]] = []
    s = start
    c = zeros  # replaced before use: the first step of `groundhog` does not update
    for i in range(len(target)):
        y = weights["E_y"][target[i - 1]] if i > 0 else zeros  # E y_{i-1}
        if wiring == "equation4":  # attend with s_{i-1}; s_i = f(s_{i-1}, y_{i-1}, c_i); read out from s_i
            attention_state = s
            e, alpha, c = attend_if_possible(s)
            s = gru(weights, "decoder", s, y, c)
            readout_state = s
        elif wiring == "appendix":  # the same states, but read out from s_{i-1}
            attention_state = readout_state = s
            e, alpha, c = attend_if_possible(s)
            s = gru(weights, "decoder", s, y, c)
        else:  # groundhog: update with y_{i-1} and the context of its step; attend and read out from the new state
            assert wiring == "groundhog"
            if i > 0:
                s = gru(weights, "decoder", s, y, c)
            attention_state = readout_state = s
            e, alpha, c = attend_if_possible(s)
        rows.append((compute_log_probs(weights, readout_state, y, c), e, alpha, c, attention_state, readout_state))
    log_probs, energies, alphas, contexts, attended, read = (np.array(column) for column in zip(*rows, strict=True))
    return ForcedResult(log_probs, energies, alphas, contexts, attended, read, s, np.array(h), start)
