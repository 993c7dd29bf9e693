"""Q, K, V, the residual stream and shifted positions of the Transformer against its equations in numpy."""

from itertools import product

import numpy as np
import pytest

from model.analysis.probing.transformer_internals import (
    measure_encoder_weights,
    measure_shifted_source,
    record_internals,
)
from tests.model.networks import oracle_transformer as oracle
from tests.model.networks.test_transformer import get_oracle_weights, run_oracle
from tests.model.networks.tiny_networks import DECODER_LAYERS, HEADS, LAYERS, build_tiny_transformer
from tests.model.tiny import PAIRS

SOURCE, TARGET = PAIRS[0]


def test_matrices_of_each_head_give_its_weights_and_the_output_of_the_sublayer() -> None:
    network = build_tiny_transformer("post")
    weights, expected = get_oracle_weights(network), run_oracle(network, SOURCE, TARGET).weights
    for name, stack in record_internals(network, SOURCE, TARGET).items():
        for layer in range(LAYERS if name == "encoder" else DECODER_LAYERS):
            outputs = []
            for head in range(HEADS):
                matrices = stack.get_head(layer + 1, head + 1)
                scores = matrices.q @ matrices.k.T / np.sqrt(matrices.q.shape[1])
                if name == "decoder":
                    scores[np.triu_indices(len(scores), 1)] = -np.inf
                alpha = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
                np.testing.assert_allclose(
                    alpha, expected["own" if name == "decoder" else name, layer, head], atol=1e-6
                )
                outputs.append(alpha @ matrices.v)
            sublayer = next(part for part in stack.sublayers if part.heads and part.layer == layer + 1)
            output = np.concatenate(outputs, axis=1) @ weights[f"{name}.{layer}.own.W_O"]
            np.testing.assert_allclose(sublayer.output, output, atol=1e-5)


def test_outputs_of_sublayers_add_up_to_the_last_state() -> None:
    network = build_tiny_transformer("pre")
    weights, expected = get_oracle_weights(network), run_oracle(network, SOURCE, TARGET)
    stacks = record_internals(network, SOURCE, TARGET)
    x = np.array([oracle.position(pos, weights["E"].shape[1]) for pos in range(len(SOURCE))])
    x += np.sqrt(x.shape[1]) * weights["E"][SOURCE]
    np.testing.assert_allclose(stacks["encoder"].embedded, x, atol=1e-5)
    decoder = stacks["decoder"]
    x = decoder.embedded.astype(np.float64)
    for part, (layer, (number, name)) in zip(
        decoder.sublayers, product(range(DECODER_LAYERS), enumerate(("own", "cross", "ffn"), 1)), strict=True
    ):
        if name == "ffn":
            inputs = oracle.layer_norm(weights, f"decoder.{layer}.norm{number}", x)
            hidden_values = inputs @ weights[f"decoder.{layer}.ffn.W_1"] + weights[f"decoder.{layer}.ffn.b_1"]
            assert part.active_share == pytest.approx((hidden_values > 0).mean(axis=1))
        x += part.output
    np.testing.assert_allclose(oracle.layer_norm(weights, "decoder.norm", x), expected.states, atol=1e-5)


def test_weights_between_two_source_tokens_are_those_of_every_head() -> None:
    network = build_tiny_transformer("pre")
    expected = run_oracle(network, SOURCE, TARGET).weights
    assert measure_encoder_weights(network, SOURCE, 4, 1) == pytest.approx({
        (layer + 1, head + 1): expected["encoder", layer, head][4, 1]
        for layer, head in product(range(LAYERS), range(HEADS))
    })


def test_source_positions_start_at_the_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    network, shift = build_tiny_transformer("pre"), 300
    weights, position = get_oracle_weights(network), oracle.position
    monkeypatch.setattr(oracle, "position", lambda pos, d: position(pos + shift, d))
    h, _ = oracle.encode(weights, "pre", LAYERS, HEADS, SOURCE)
    monkeypatch.undo()
    shifted_log_prob = 0.0
    for i, token in enumerate(TARGET):
        state, _ = oracle.decode(weights, "pre", DECODER_LAYERS, HEADS, h, [None, *TARGET[:i]])
        shifted_log_prob += float(np.log(oracle.softmax(weights["E"] @ state))[token])
    log_prob = run_oracle(network, SOURCE, TARGET).log_probs[range(len(TARGET)), TARGET].sum()
    assert measure_shifted_source(network, SOURCE, TARGET, [0, shift]) == pytest.approx([log_prob, shifted_log_prob])
