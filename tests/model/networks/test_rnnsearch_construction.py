"""How a network is built: initialisation, size, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from model.networks import registry
from model.networks.registry import build_network
from model.networks.rnnsearch import GRUNetwork, RNNsearch, RNNsearchConfig, Wiring
from tests.model.tiny import EOS, KINDS, PAD, PAIRS, WIRINGS, A, L, M, N, V, build_batch, build_tiny_network

ROOMY = RNNsearchConfig("rnnsearch", vocabulary=300, embedding=44, hidden=48, alignment=56, readout=40)


@pytest.mark.parametrize("kind", KINDS)
def test_initialisation_of_appendix_b(kind: str) -> None:
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
            filled = values[1:] if "embedding" in name else values  # without PAD's zeros
            assert float(filled.std()) == pytest.approx(std, rel=0.06), name
            assert abs(float(filled.mean())) < 5 * std / math.sqrt(filled.numel()), name
            assert float(filled.abs().max()) > 2.5 * std, f"{name} is not normal"
    assert len(blocks) == (9 if kind == "rnnsearch" else 6)  # U, U_z, U_r of every GRU, no two alike
    assert all(float((a - b).abs().max()) > 0.1 for i, a in enumerate(blocks) for b in blocks[:i])
    for embedding in (network.source_embedding, network.target_embedding):
        assert not bool(embedding.weight[PAD].any())


@torch.no_grad()
@pytest.mark.parametrize("wiring", WIRINGS)
def test_attention_starts_uniform(wiring: Wiring) -> None:
    network = build_network(RNNsearchConfig("rnnsearch", V, M, N, A, L, wiring)).double()
    attention = network(*build_batch()).weights["attention"]
    for row, (source, _) in enumerate(PAIRS):
        assert bool((attention[row, :, : len(source)] == 1.0 / len(source)).all())


def test_initialisation_repeats_with_its_generator() -> None:
    first, second, third = build_network(ROOMY), build_network(ROOMY), build_network(ROOMY)
    for network, seed in ((first, 1), (second, 1), (third, 2)):
        network.initialise(torch.Generator().manual_seed(seed))
    for a, b, c in zip(first.parameters(), second.parameters(), third.parameters(), strict=True):
        assert torch.equal(a, b)
        assert not bool(a.any()) or not torch.equal(a, c)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("optimiser", [torch.optim.SGD, torch.optim.Adadelta, torch.optim.Adam])
def test_the_embedding_of_padding_stays_zero(kind: str, optimiser: Any) -> None:
    network = build_tiny_network(kind, "groundhog")
    before = [embedding.weight.detach().clone() for embedding in (network.source_embedding, network.target_embedding)]
    steps = optimiser(network.parameters(), lr=0.1)
    for _ in range(2):
        steps.zero_grad()
        network.loss(*build_batch()).backward()
        steps.step()
    for old, embedding in zip(before, (network.source_embedding, network.target_embedding), strict=True):
        assert not bool(embedding.weight[PAD].any())
        assert bool((embedding.weight[3] != old[3]).any())


def gru_count(inputs: int, hidden: int, context: int = 0) -> int:
    return 3 * hidden * inputs + 3 * hidden * hidden + 3 * hidden * context + hidden


def network_count(kind: str, v: int, m: int, n: int, a: int, l: int) -> int:
    """By hand: embeddings, encoder, decoder, first state, alignment model, readout, words."""
    w = 2 * n if kind == "rnnsearch" else n
    encoder = gru_count(m, n) * (2 if kind == "rnnsearch" else 1)
    alignment = a * n + a * 2 * n + a if kind == "rnnsearch" else 0
    readout = 2 * l * (n + m + w + 1)
    return 2 * v * m + encoder + gru_count(m, n, w) + n * n + n + alignment + readout + v * l + v


@pytest.mark.parametrize(("kind", "tiny_count"), [("rnnsearch", 988), ("rnnencdec", 631)])
def test_parameter_counts(kind: str, tiny_count: int) -> None:
    """By pencil: 104 + 2·140 + 290 + 30 + 112 + 120 + 52, and 104 + 140 + 215 + 30 + 90 + 52."""

    def count(network: GRUNetwork) -> int:
        return sum(parameter.numel() for parameter in network.parameters())

    assert count(build_tiny_network(kind, "groundhog")) == tiny_count == network_count(kind, V, M, N, A, L)
    roomy = build_network(replace(ROOMY, kind=kind))
    assert count(roomy) == network_count(kind, v=300, m=44, n=48, a=56, l=40)
    assert isinstance(roomy, RNNsearch) == (kind == "rnnsearch")


# --- what is refused


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("source", "target", "says"),
    [
        (torch.zeros(1, 0, dtype=torch.int64), torch.tensor([[EOS]]), "empty"),
        (torch.tensor([[4, EOS], [PAD, PAD]]), torch.tensor([[EOS], [EOS]]), "empty"),
        (torch.tensor([[PAD, 4, EOS]]), torch.tensor([[EOS]]), "padding on the right"),
        (torch.tensor([4, EOS]), torch.tensor([[EOS], [EOS]]), r"\(2,\)"),
        (torch.tensor([[4, V, EOS]]), torch.tensor([[EOS]]), "13"),
        (torch.tensor([[4, -1, EOS]]), torch.tensor([[EOS]]), "-1"),
        (torch.tensor([[4, EOS]]), torch.tensor([[V, EOS]]), "13"),
        (torch.tensor([[4, EOS]]), torch.tensor([[-3, EOS]]), "-3"),
        (torch.tensor([[4, EOS]]), torch.tensor([[4, EOS], [5, EOS]]), r"\(1, 2\).*\(2, 2\)"),
        (torch.tensor([[4, EOS]]), torch.zeros(1, 0, dtype=torch.int64), r"\(1, 0\)"),
    ],
)
def test_batches_that_cannot_be_are_refused(kind: str, source: Tensor, target: Tensor, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        build_tiny_network(kind, "groundhog")(source, target)


@pytest.mark.parametrize("piece", [V, -1])
def test_a_step_refuses_pieces_outside_the_vocabulary(piece: int) -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    state = network.start(network.encode(torch.tensor([[4, EOS]])))
    with pytest.raises(ValueError, match=str(piece)):
        network.step(state, torch.tensor([piece]))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "convolution"}, "kind.*convolution.*rnnencdec, rnnsearch"),
        ({"wiring": "eq4"}, "wiring.*eq4.*equation4, appendix, groundhog"),
        ({"vocabulary": 0}, "vocabulary is 0"),
        ({"hidden": -5}, "hidden is -5"),
        ({"embedding": 2.5}, "embedding is 2.5"),
        ({"alignment": True}, "alignment is True"),
        ({"readout": "7"}, "readout is '7'"),
        ({"dropout": 1.0}, "dropout is 1.0"),
        ({"dropout": -0.1}, "dropout is -0.1"),
        ({"layers": 2}, r"unknown keys \['layers'\]"),
    ],
)
def test_configurations_that_cannot_be_are_refused(change: dict[str, Any], says: str) -> None:
    kind = {"kind": "rnnsearch", "vocabulary": V} | change
    with pytest.raises(ValueError, match=says):
        registry.find_kind(kind["kind"]).configure(kind)


def test_a_configuration_says_what_it_lacks() -> None:
    with pytest.raises(ValueError, match=r"missing keys \['vocabulary'\]"):
        registry.find_kind("rnnsearch").configure({"kind": "rnnsearch"})


def test_pieces_of_the_wrong_shape_or_kind_are_refused() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    state = network.start(network.encode(torch.tensor([[2, 9, 1], [3, 1, 0]])))
    for piece in (torch.tensor([2]), torch.tensor([[2], [3]]), torch.tensor(2)):
        with pytest.raises(ValueError, match="one token a row"):
            network.step(state, piece)
    with pytest.raises(ValueError, match="int64"):
        network.step(state, torch.tensor([2.0, 3.0]))
    with pytest.raises(ValueError, match="padding before its end"):
        network.encode(torch.tensor([[2, 0, 9, 1]]))
