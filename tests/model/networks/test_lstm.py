"""Seq2Seq and Luong's networks against a numpy version of their equations, their initialisation and settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks import registry
from model.networks.equations.lstm import build_luong_equations, build_seq2seq_equations
from tests.model.networks import lstm_oracle as oracle
from tests.model.networks.tiny_networks import assert_close, run_teacher_forcing
from tests.model.tiny import PAD, PAIRS, V, build_batch, cycle_values
from tests.model.tiny_lstm import (
    ATTENTION_VARIANTS,
    VARIANTS,
    build_tiny_network,
    get_oracle_weights,
    get_settings,
)

# ---- against the equations --------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize(("name", "pair"), cycle_values(VARIANTS, PAIRS))
def test_steps_and_teacher_forcing_equal_the_oracle(name: str, pair: tuple[list[int], list[int]]) -> None:
    network, (source, target) = build_tiny_network(name, seed=1), pair
    weights, settings = get_oracle_weights(network), get_settings(name)
    expected = oracle.force_decode(weights, settings, source, target)
    log_probs, maps = run_teacher_forcing(network, torch.tensor([source]), torch.tensor([target]))
    assert_close(log_probs[0], expected.log_probs)
    assert list(maps) == (["attention"] if name in ATTENTION_VARIANTS else [])
    for values in maps.values():
        assert_close(values[0], expected.alphas)
    annotations, h, c = oracle.encode(weights, settings, source)
    assert_close(network.annotate(torch.tensor([source]))[1][0], np.array(annotations))
    state = network.start(network.encode(torch.tensor([source])))
    assert_close(state.lstm.h[0], np.array(h))
    assert_close(state.lstm.c[0], np.array(c))
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        assert_close(result.log_probs[0], expected.log_probs[i])
        cell = expected.top_cells[i]
        detail = {"state": cell.h, "cell": cell.c, "input": cell.i, "forget": cell.f, "output": cell.o}
        if name in ATTENTION_VARIANTS:
            detail |= {"energies": expected.energies[i], "context": expected.contexts[i]}
            assert_close(result.weights["attention"][0], expected.alphas[i])
        else:
            assert result.weights == {}
            assert not {"energies", "context"} & result.detail.keys()
        for key, value in detail.items():
            assert_close(result.detail[key][0], value)
        assert network.step(state, torch.tensor([previous])).detail == {}
        state = result.state


@pytest.mark.parametrize("name", ["seq2seq", "general", "local-p, not fed"])
@torch.no_grad()
def test_fast_steps_with_half_precision_weights_are_near_float64(name: str) -> None:
    network, (source, target) = build_tiny_network(name, seed=13).half().float(), build_batch()
    exact = build_tiny_network(name)
    exact.load_state_dict(network.state_dict())
    fast = get_fast_decoder(network)
    states: list[Any] = [fast.start(fast.encode(source)), exact.start(exact.encode(source))]
    previous = torch.full_like(target[:, 0], PAD)
    for token in target.unbind(1):
        actual, expected = fast.step(states[0], previous), exact.step(states[1], previous)
        torch.testing.assert_close(actual.log_probs.double(), expected.log_probs, rtol=0, atol=1e-4)
        states, previous = [actual.state, expected.state], token


# ---- construction -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "settings", "limit"), [
    ("seq2seq", {}, 0.08), ("luong", {}, 0.1), ("luong", {"score": "concat", "window": "local-p"}, 0.1)])  # fmt: skip
def test_weights_start_uniform_as_in_the_papers_and_forget_gates_open(kind: str, settings: Any, limit: float) -> None:
    sizes = {"kind": kind, "vocabulary": 300, "embedding": 44, "hidden": 48, "layers": 2}
    network_kind = registry.find_kind(kind)
    network = network_kind.build(network_kind.configure({**sizes, **settings}))
    for name, parameter in network.named_parameters():
        values = parameter.detach()
        if name.endswith(".b"):
            assert values.chunk(4)[1].eq(1.0).all()
            assert not torch.cat([values[:48], values[96:]]).any()
        elif name == "b_o":
            assert not values.any()
        else:
            sampled = values[1:] if "embedding" in name else values  # the row of PAD is 0
            assert sampled.abs().max() <= torch.tensor(limit)  # in float32, where 0.1 is a little more
            assert float(sampled.std()) == pytest.approx(limit / 3**0.5, rel=0.2 if sampled.dim() == 1 else 0.05), name
            assert abs(float(sampled.mean())) < 4 * limit / sampled.numel() ** 0.5, name
    for embedding in (network.source_embedding, network.target_embedding):
        assert not bool(embedding.weight[PAD].any())


@pytest.mark.parametrize(("kind", "change", "message"), [
    ("seq2seq", {"layers": 0}, "layers is 0"), ("seq2seq", {"hidden": 2.5}, "hidden is 2.5"),
    ("seq2seq", {"reverse": 1}, "reverse is 1; it must be true or false"), ("seq2seq", {"dropout": 1.0}, "is 1.0"),
    ("seq2seq", {"score": "dot"}, r"unknown keys \['score'\]"), ("luong", {"directions": 3}, "directions is 3"),
    ("luong", {"directions": 2, "hidden": 5}, "hidden is 5; two directions share it"),
    ("luong", {"score": "additive"}, "score is 'additive'; allowed: dot, general, concat, location, scaled dot"),
    ("luong", {"window": "local"}, "window is 'local'; allowed: global, local-m, local-p"),
    ("luong", {"window": "local-p", "score": "location"}, "location scores positions"),
    ("luong", {"feeding": None}, "feeding is None"), ("luong", {"distance": 0}, "distance is 0"),
    ("luong", {"places": True}, "places is True"), ("luong", {"dropout": -0.1}, "dropout is -0.1"),
])  # fmt: skip
def test_invalid_configs_are_refused(kind: str, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        registry.find_kind(kind).configure({"kind": kind, "vocabulary": V} | change)


# ---- equations as text ------------------------------------------------------------------------------------------

CELL = """\
x_1 = {inputs}
i, f, o = σ(W_l x_l + U_l s_l,{{i-1}} + b_l)
g = tanh(W_l x_l + U_l s_l,{{i-1}} + b_l)
m_l,i = f ∘ m_l,{{i-1}} + i ∘ g
s_l,i = o ∘ tanh(m_l,i)
"""
SOFTMAX, WINDOW = "α_i,j = exp e_i,j / Σ_k exp e_i,k", "|j − p_i| ≤ D = 10"


def remove_spaces(text: object) -> str:
    return str(text).replace(" ", "")


def test_equations_of_seq2seq() -> None:
    end = "x_l+1 = s_l,i, l = 1 … 2\np(y_i) = softmax(W_o s_2,i + b_o)"
    expected = remove_spaces(CELL.format(inputs="E y_{i-1}") + end)
    assert remove_spaces(build_seq2seq_equations({"layers": 2})) == expected
    expected = expected.replace("x_l+1=s_l,i,l=1…2", "l=1").replace("s_2", "s_1")
    assert remove_spaces(build_seq2seq_equations({"layers": 1})) == expected


GLOBAL, MONOTONIC = ("global", SOFTMAX), ("local-m", f"{SOFTMAX}\np_i = min(i, S)\n{WINDOW}")
PREDICTED = ("local-p", f"{SOFTMAX} · exp(−2 (j − p_i)² / D²)\np_i = S σ(v_pᵀ tanh(W_p s_2,i))\n{WINDOW}")


@pytest.mark.parametrize(("score", "energy", "window", "feeding"), [
    ("dot", "s_2,iᵀ h_j", MONOTONIC, True), ("general", "s_2,iᵀ W_a h_j", PREDICTED, True),
    ("concat", "v_aᵀ tanh(W_a [s_2,i; h_j])", GLOBAL, False), ("location", "W_a,j s_2,i", GLOBAL, True),
    ("scaled dot", "s_2,iᵀ h_j / √n", PREDICTED, False), ("general", "s_2,iᵀ W_a h_j", MONOTONIC, False),
])  # fmt: skip
def test_equations_of_luong(score: str, energy: str, window: tuple[str, str], feeding: bool) -> None:
    config = {"layers": 2, "score": score, "window": window[0], "feeding": feeding, "distance": 10}
    equations = build_luong_equations(config)
    inputs = "[E y_{i-1}; s̃_{i-1}]" if feeding else "E y_{i-1}"
    expected = CELL.format(inputs=inputs) + f"""\
x_l+1 = s_l,i, l = 1 … 2
e_i,j = {energy}
{window[1]}
c_i = Σ_j α_i,j h_j
s̃_i = tanh(W_c [c_i; s_2,i])
p(y_i) = softmax(W_o s̃_i + b_o)"""
    assert remove_spaces(equations) == remove_spaces(expected)
    gates = ["gate_input", "gate_forget", "gate_output", "norm_state"]
    assert [name for equation in equations.equations for name in equation.numbers] == [
        *gates, "energies", "alpha", "mostly", "norm_context", "p", "log", "so_far"]  # fmt: skip
    with pytest.raises(ValueError, match="score is 'x'; allowed: dot"):
        build_luong_equations(config | {"score": "x"})
    with pytest.raises(ValueError, match="window is 'x'; allowed: global"):
        build_luong_equations(config | {"window": "x"})
