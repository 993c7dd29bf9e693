"""Tiny variants of `model.networks.seq2seq` and `model.networks.luong`, and their weights for the oracle."""

from __future__ import annotations

from typing import Any

import torch

from model.networks import registry
from tests.model.networks import lstm_oracle as oracle
from tests.model.tiny import PAD, V

M, N = 4, 6  # N is even: two directions share it

# Defaults: two layers, one direction, general, global, D = 2, five places, with input feeding.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "seq2seq": ("seq2seq", {"reverse": True}),
    "seq2seq forward, deep": ("seq2seq", {"layers": 3}),
    "seq2seq, one layer": ("seq2seq", {"layers": 1, "reverse": True}),
    "general": ("luong", {"reverse": True}),
    "general, two directions": ("luong", {"directions": 2}),
    "general, two directions, turned, deep": ("luong", {"directions": 2, "reverse": True, "layers": 3}),
    "general, not fed": ("luong", {"reverse": True, "feeding": False}),
    "dot": ("luong", {"score": "dot", "layers": 1}),
    "dot, not fed, deep": ("luong", {"score": "dot", "feeding": False, "layers": 3, "directions": 2}),
    "scaled dot": ("luong", {"score": "scaled dot", "layers": 3}),
    "concat": ("luong", {"score": "concat"}),
    "concat, not fed": ("luong", {"score": "concat", "feeding": False}),
    "location": ("luong", {"score": "location", "reverse": True}),
    "location, not fed": ("luong", {"score": "location", "feeding": False}),
    "local-m": ("luong", {"score": "dot", "window": "local-m"}),
    "local-m, not fed": ("luong", {"window": "local-m", "feeding": False, "reverse": True}),
    "local-m, concat": ("luong", {"score": "concat", "window": "local-m"}),
    "local-p": ("luong", {"window": "local-p", "reverse": True}),
    "local-p, not fed": ("luong", {"window": "local-p", "feeding": False, "directions": 2}),
    "local-p, concat": ("luong", {"score": "concat", "window": "local-p", "layers": 1}),
}
ATTENTION_VARIANTS = [name for name, (kind, _) in VARIANTS.items() if kind == "luong"]


def get_settings(name: str) -> oracle.Settings:
    """Return all settings of a variant."""
    kind, settings = VARIANTS[name]
    common = {"layers": 2, "reverse": False}
    attention = {"directions": 1, "score": "general", "window": "global", "distance": 2, "feeding": True}
    return common | (attention if kind == "luong" else {}) | settings


def build_tiny_network(name: str, seed: int = 0, dropout: float = 0.0, vocabulary: int = V) -> Any:
    """Return a float64 network in eval mode, with weights large enough for nonlinear behaviour."""
    kind = registry.find_kind(VARIANTS[name][0])
    settings = get_settings(name) | ({"places": 5} if kind.name == "luong" else {})
    network = kind.build(kind.configure({"kind": kind.name, "vocabulary": vocabulary, "embedding": M, "hidden": N,
                                         "dropout": dropout, **settings})).double().eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for label, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in label else 1
            size = {"W_a": 6.0, "v_a": 3.0, "v_p": 1.0}.get(label, 1.7)  # so that attention is not uniform
            parameter.normal_(0.0, size / fan_in**0.5, generator=generator)
        for embedding in (network.source_embedding, network.target_embedding):
            embedding.weight[PAD] = 0.0
    return network


def get_oracle_weights(network: Any) -> oracle.Weights:
    """Return the state dict under the oracle's names, with a layer's stacked matrices split by gate."""
    weights: oracle.Weights = {}
    for name, value in network.state_dict().items():
        values, last = value.detach().numpy().copy(), name.rsplit(".", 1)[-1]
        if name.startswith(("encoder.", "decoder.")):
            for number, gate in enumerate("ifog"):
                weights[f"{name}_{gate}"] = values[number * len(values) // 4 : (number + 1) * len(values) // 4]
        else:
            weights[{"source_embedding.weight": "E_x", "target_embedding.weight": "E_y"}.get(name, last)] = values
    known_names = {"E_x", "E_y", "W_a", "v_a", "W_p", "v_p", "W_c", "W_o", "b_o"}
    assert {name for name in weights if "." not in name} <= known_names
    return weights
