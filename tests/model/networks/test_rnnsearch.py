"""RNNsearch and RNNencdec against a numpy version of their equations: the cell, the wirings, the initialisation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from model.networks import registry
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from tests.model.networks import oracle
from tests.model.networks.tiny_networks import assert_close, get_decoder
from tests.model.tiny import (
    KINDS,
    KINDS_AND_WIRINGS,
    PAD,
    PAIRS,
    V,
    build_tiny_network,
    cycle_values,
)
from tests.networks import build_network

STEPPED = [(*network, decoder) for network in KINDS_AND_WIRINGS for decoder in ("reference", "fast")]
ROOMY = RNNsearchConfig("rnnsearch", vocabulary=300, embedding=44, hidden=48, alignment=56, readout=40)


def get_oracle_weights(network: GRUNetwork) -> oracle.Weights:
    """Return the state dict under the oracle's names; stacked matrices are split."""
    state = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    n = network.config.hidden
    weights = {
        "E_x": state.pop("source_embedding.weight"),
        "E_y": state.pop("target_embedding.weight"),
        **{name: state.pop(name) for name in ("W_s", "b_s", "U_o", "V_o", "C_o", "b_o", "W_o", "b_w")},
    }
    names = {"encoder": "forward", "decoder": "decoder"}
    if network.config.kind == "rnnsearch":
        weights |= {name: state.pop(name) for name in ("W_a", "U_a", "v_a")}
        names["encoder_backward"] = "backward"
    z, r, candidate = slice(n), slice(n, 2 * n), slice(2 * n, 3 * n)
    for torch_name, name in names.items():
        stacked = state.pop(f"{torch_name}.W")
        weights |= {f"{name}.W_z": stacked[z], f"{name}.W_r": stacked[r], f"{name}.W": stacked[candidate]}
        stacked = state.pop(f"{torch_name}.U_gates")
        weights |= {f"{name}.U_z": stacked[z], f"{name}.U_r": stacked[r], f"{name}.U": state.pop(f"{torch_name}.U")}
        weights[f"{name}.b"] = state.pop(f"{torch_name}.b")
    stacked = state.pop("decoder.C")
    weights |= {"decoder.C_z": stacked[z], "decoder.C_r": stacked[r], "decoder.C": stacked[candidate]}
    assert not state, f"not in the equations: {sorted(state)}"
    return weights


# ---- against the equations --------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize(("kind", "wiring", "decoder", "pair"), cycle_values(STEPPED, PAIRS))
def test_steps_and_teacher_forcing_equal_the_oracle(
    kind: str, wiring: Wiring, decoder: str, pair: tuple[list[int], list[int]]
) -> None:
    reference, (source, target) = build_tiny_network(kind, wiring, seed=1), pair
    weights, network = get_oracle_weights(reference), get_decoder(reference, decoder)
    expected = oracle.force_decode(weights, source, target, wiring)
    forced = reference(torch.tensor([source]), torch.tensor([target]))
    assert_close(forced.log_probs[0], expected.log_probs)
    assert_close(forced.states[0], expected.readout_states)
    assert_close(forced.contexts[0], expected.contexts)
    assert list(forced.weights) == (["attention"] if kind == "rnnsearch" else [])
    for values in forced.weights.values():
        assert_close(values[0], expected.alphas)
    encoder_output = network.encode(torch.tensor([source]))
    assert_close(encoder_output.annotations[0], expected.annotations[0 if kind == "rnnsearch" else -1 :])
    state: Any = network.start(encoder_output)
    assert_close(state.s[0], expected.start)
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        detail = {name: values[0] for name, values in result.detail.items()}
        assert_close(result.log_probs[0], expected.log_probs[i])
        assert_close(detail["state"], expected.readout_states[i])
        assert_close(detail["context"], expected.contexts[i])
        assert list(result.weights) == (["attention"] if kind == "rnnsearch" else [])
        assert ("energies" in detail) == (kind == "rnnsearch")
        if kind == "rnnsearch":
            assert_close(result.weights["attention"][0], expected.alphas[i])
            assert_close(detail["energies"], expected.energies[i])
        if wiring == "groundhog" and i == 0:  # the first step does not update
            assert not {"update", "reset"} & detail.keys()
        else:
            read = i - 1 if wiring == "groundhog" else i  # the step whose state and context the update reads
            z, r = oracle.gates(weights, "decoder", expected.attention_states[read], weights["E_y"][previous],
                                expected.contexts[read])
            assert_close(detail["update"], z)
            assert_close(detail["reset"], r)
        assert network.step(state, torch.tensor([previous])).detail == {}
        state = result.state
    assert_close(state.s[0], expected.final)


# ---- construction -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_initialisation_follows_appendix_b(kind: str) -> None:
    network, n = build_network(replace(ROOMY, kind=kind)), ROOMY.hidden
    blocks = []
    for name, parameter in network.named_parameters():
        last, values = name.rsplit(".")[-1], parameter.detach().double()
        if last in ("U", "U_gates"):
            for block in values.split(n):
                blocks.append(block)
                torch.testing.assert_close(block @ block.T, torch.eye(n, dtype=torch.float64), rtol=0.0, atol=1e-5)
        elif last in ("v_a", "b", "b_s", "b_o", "b_w"):
            assert not bool(values.any()), name
        else:
            std = 0.001 if last in ("W_a", "U_a") else 0.01
            sampled = values[1:] if "embedding" in name else values  # the row of PAD is 0
            assert float(sampled.std()) == pytest.approx(std, rel=0.06), name
            assert abs(float(sampled.mean())) < 5 * std / math.sqrt(sampled.numel()), name
            assert float(sampled.abs().max()) > 2.5 * std, f"{name} is not normal"
    assert len(blocks) == (9 if kind == "rnnsearch" else 6)  # U, U_z, U_r of every GRU, all different
    assert all(float((a - b).abs().max()) > 0.1 for i, a in enumerate(blocks) for b in blocks[:i])
    for embedding in (network.source_embedding, network.target_embedding):
        assert not bool(embedding.weight[PAD].any())


@pytest.mark.parametrize(("change", "message"), [
    ({"kind": "convolution"}, "kind.*convolution.*rnnencdec, rnnsearch"),
    ({"wiring": "eq4"}, "wiring.*eq4.*equation4, appendix, groundhog"),
    ({"vocabulary": 0}, "vocabulary is 0"), ({"hidden": -5}, "hidden is -5"), ({"embedding": 2.5}, "embedding is 2.5"),
    ({"alignment": True}, "alignment is True"), ({"readout": "7"}, "readout is '7'"),
    ({"dropout": 1.0}, "dropout is 1.0"), ({"dropout": -0.1}, "dropout is -0.1"),
    ({"layers": 2}, r"unknown keys \['layers'\]"),
])  # fmt: skip
def test_invalid_configs_are_refused(change: dict[str, Any], message: str) -> None:
    settings = {"kind": "rnnsearch", "vocabulary": V} | change
    with pytest.raises(ValueError, match=message):
        registry.find_kind(settings["kind"]).configure(settings)
    with pytest.raises(ValueError, match=r"missing keys \['vocabulary'\]"):
        registry.find_kind("rnnsearch").configure({"kind": "rnnsearch"})
