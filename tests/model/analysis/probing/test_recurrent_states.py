"""Compare recorded states and gates with the equations in numpy float64."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from model.analysis.probing.recurrent_states import choose_units, encode_directions, encode_texts, record_units
from model.analysis.probing.similarity import Array, VectorError
from model.decoding.translate import prepare_source
from model.text.normalise import normalise
from tests.model.analysis.probing.test_nearest_words import TEXT


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def run_gru(cell: Any, embedded: Array) -> list[dict[str, Array]]:
    weights = {name: value.detach().numpy() for name, value in cell.named_parameters()}
    n, s, steps = cell.hidden, np.zeros(cell.hidden), []
    for e in embedded:
        projected = weights["W"] @ e
        z, r = np.split(sigmoid(projected[: 2 * n] + weights["U_gates"] @ s), 2)
        candidate = np.tanh(projected[2 * n :] + weights["b"] + weights["U"] @ (r * s))
        new_state = (1 - z) * s + z * candidate
        steps.append({"update": z, "reset": r, "candidate": candidate, "old": s, "new": new_state, "output": new_state})
        s = new_state
    return steps


def run_lstm(cell: Any, xs: Array) -> list[dict[str, Array]]:
    weights = {name: value.detach().numpy() for name, value in cell.named_parameters()}
    h = c = np.zeros(cell.hidden)
    steps = []
    for x in xs:
        i, f, o, g = np.split(weights["W"] @ x + weights["U"] @ h + weights["b"], 4)
        i, f, o, g = sigmoid(i), sigmoid(f), sigmoid(o), np.tanh(g)
        new_state = f * c + i * g
        h = o * np.tanh(new_state)
        gates = {"input": i, "forget": f, "output gate": o}
        steps.append({**gates, "candidate": g, "old": c, "new": new_state, "output": h})
        c = new_state
    return steps


@pytest.mark.verdict
def test_recorded_units_follow_the_equations(model: SimpleNamespace) -> None:
    network = model.network
    record = record_units(model, TEXT)
    embedded = network.source_embedding.weight.detach().numpy()[prepare_source(model, TEXT).ids]
    if hasattr(network.config, "layers"):
        last = len(embedded) - 1
        order = [*reversed(range(last)), last] if network.config.reverse else list(range(last + 1))
        lower, upper = (layer[0] for layer in network.encoder)
        steps = run_lstm(upper, np.array([step["output"] for step in run_lstm(lower, embedded[order])]))
        gates = {"input": "input", "forget": "forget", "output": "output gate"}
    else:
        order, gates = list(range(len(embedded))), {"update": "update", "reset": "reset"}
        steps = run_gru(network.encoder, embedded)
    assert list(record.order) == order
    assert list(record.gates) == list(gates)
    for name, values in record.gates.items():
        np.testing.assert_allclose(values, [step[gates[name]] for step in steps], atol=1e-12)
    for name, values in (("candidate", record.candidate), ("output", record.output), ("new", record.memory[1:]),
                         ("old", record.memory[:-1])):  # fmt: skip
        np.testing.assert_allclose(values, [step[name] for step in steps], atol=1e-12)


@pytest.mark.verdict
@pytest.mark.parametrize("model", ["rnnsearch"], indirect=True)
def test_directions_read_from_both_ends_and_padding_changes_nothing(model: SimpleNamespace) -> None:
    side, forward, backward = encode_directions(model, TEXT)
    embedded = model.network.source_embedding.weight.detach().numpy()[prepare_source(model, TEXT).ids]
    np.testing.assert_allclose(forward, [step["new"] for step in run_gru(model.network.encoder, embedded)], atol=1e-12)
    backward_steps = run_gru(model.network.encoder_backward, embedded[::-1])
    np.testing.assert_allclose(backward[::-1], [step["new"] for step in backward_steps], atol=1e-12)
    assert len(side.pieces) == len(embedded)
    short, long = encode_texts(model, [normalise("The old dog"), TEXT])
    np.testing.assert_allclose(long, np.hstack([forward, backward]), atol=1e-12)
    np.testing.assert_allclose(short, encode_texts(model, [normalise("The old dog")])[0], atol=1e-12)


@pytest.mark.parametrize("model", ["seq2seq"], indirect=True)
def test_other_networks_are_refused(model: SimpleNamespace) -> None:
    for refuse in (encode_directions, lambda model, text: encode_texts(model, [text])):
        with pytest.raises(VectorError, match="choose RNNsearch"):
            refuse(model, TEXT)
    with pytest.raises(VectorError, match="choose a recurrent model"):
        record_units(SimpleNamespace(name="other", network=None), TEXT)


def test_units_that_change_most_are_chosen() -> None:
    states = np.array([[0, 5, 0, 1], [1, 5, 0, -1], [-1, 5, 0.5, 1]])
    assert choose_units(states, 2) == [0, 3]
    assert choose_units(states, 9) == [0, 1, 2, 3]
