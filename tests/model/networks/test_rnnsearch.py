"""The networks against an independent numpy version of their equations, and what else is known of them beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks.rnnsearch import GRU, GRUNetwork, Wiring
from tests.model.networks import oracle
from tests.model.tiny import (
    EOS,
    KINDS,
    KINDS_AND_WIRINGS,
    PAD,
    PAIRS,
    WIRINGS,
    L,
    M,
    N,
    build_batch,
    build_tiny_network,
    cycle_values,
    gradcheck,
)

every = pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)
STEPPED = [(*network, way) for network in KINDS_AND_WIRINGS for way in ("its own", "for search")]


def weights_of(network: GRUNetwork) -> oracle.Weights:
    """The state dict under the oracle's names; stacked matrices are cut where the equations have several."""
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


def same(ours: Tensor, theirs: oracle.Array | np.float64 | Tensor, tolerance: float = 1e-9) -> None:
    """Equal shapes, and no element further off than the tolerance."""
    other = torch.as_tensor(theirs)
    assert ours.shape == other.shape, f"{tuple(ours.shape)} against {tuple(other.shape)}"
    assert ours.dtype == other.dtype == torch.float64
    torch.testing.assert_close(ours, other, rtol=0.0, atol=tolerance)


def oracle_loss(weights: oracle.Weights, wiring: str, pairs: list[tuple[list[int], list[int]]] = PAIRS) -> float:
    return -sum(oracle.forced(weights, source, target, wiring).log_probability(target) for source, target in pairs)


# --- against the equations


@pytest.mark.verdict
@pytest.mark.parametrize(("kind", "wiring", "pair"), cycle_values(KINDS_AND_WIRINGS, PAIRS))
def test_teacher_forcing_is_the_oracle(kind: str, wiring: Wiring, pair: tuple[list[int], list[int]]) -> None:
    network, (source, target) = build_tiny_network(kind, wiring), pair
    truth = oracle.forced(weights_of(network), source, target, wiring)
    ours = network(torch.tensor([source]), torch.tensor([target]))
    same(ours.log_probs[0], truth.log_probs)
    same(ours.states[0], truth.spoke)
    same(ours.contexts[0], truth.contexts)
    if kind == "rnnsearch":
        assert list(ours.weights) == ["attention"]
        same(ours.weights["attention"][0], truth.alphas)
    else:
        assert ours.weights == {}


@pytest.mark.verdict
@pytest.mark.parametrize(("kind", "wiring", "way", "pair"), cycle_values(STEPPED, PAIRS))
def test_steps_are_the_oracle(kind: str, wiring: Wiring, way: str, pair: tuple[list[int], list[int]]) -> None:
    made, (source, target) = build_tiny_network(kind, wiring, seed=1), pair
    weights = weights_of(made)
    network: Any = made if way == "its own" else get_fast_decoder(made)
    truth = oracle.forced(weights, source, target, wiring)
    memory = network.encode(torch.tensor([source]))
    same(memory.annotations[0], truth.annotations if kind == "rnnsearch" else truth.annotations[-1:])
    state: Any = network.start(memory)
    same(state.s[0], truth.start)
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        same(result.log_probs[0], truth.log_probs[i])
        same(result.detail["state"][0], truth.spoke[i])
        same(result.detail["context"][0], truth.contexts[i])
        if kind == "rnnsearch":
            same(result.weights["attention"][0], truth.alphas[i])
            same(result.detail["energies"][0], truth.energies[i])
        else:
            assert result.weights == {}
            assert "energies" not in result.detail
        y = weights["E_y"][previous]
        if wiring != "groundhog" or i > 0:
            old = i - 1 if wiring == "groundhog" else i  # the step whose state and context the update eats
            z, r = oracle.gates(weights, "decoder", truth.seen[old], y, truth.contexts[old])
            same(result.detail["update"][0], z)
            same(result.detail["reset"][0], r)
        else:
            assert not {"update", "reset"} & result.detail.keys()
        bare = network.step(state, torch.tensor([previous]))
        assert bare.detail == {}
        same(bare.log_probs, result.log_probs, 0.0)
        state = result.state
    same(state.s[0], truth.final)


@pytest.mark.verdict
@every
def test_gradients_are_the_slopes_of_the_oracle(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring, seed=2)
    network.loss(*build_batch()).backward()
    h = 1e-6
    generator = np.random.default_rng(3)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            direction = torch.from_numpy(generator.standard_normal(tuple(parameter.shape)))
            if "embedding" in name:
                direction[PAD] = 0.0  # no weight of the equations
            losses = []
            for sign in (1, -1):
                parameter.add_(direction, alpha=sign * h)
                losses.append(oracle_loss(weights_of(network), wiring))
                parameter.sub_(direction, alpha=sign * h)
            assert parameter.grad is not None
            slope = float((parameter.grad * direction).sum())
            assert slope == pytest.approx((losses[0] - losses[1]) / (2 * h), rel=1e-6, abs=1e-6), name
            assert abs(slope) > 1e-4, f"{name} has no influence"


@every
def test_gradcheck(kind: str, wiring: Wiring) -> None:
    assert gradcheck(build_tiny_network(kind, wiring, seed=4), GRUNetwork.loss)


def test_the_tiny_networks_are_far_from_linear() -> None:
    """The comparisons above would prove little with weights so small that everything is linear or even."""
    weights = weights_of(build_tiny_network("rnnsearch", "groundhog"))
    truths = [oracle.forced(weights, *pair, "groundhog") for pair in PAIRS]
    alphas = np.concatenate([truth.alphas.ravel() for truth in truths if truth.alphas.shape[1] > 1])
    assert alphas.min() < 0.05
    assert alphas.max() > 0.6
    assert np.abs(np.concatenate([truth.spoke.ravel() for truth in truths])).max() > 0.8


# --- the cell


def cell(hidden: int, inputs: int) -> GRU:
    """A GRU without context, of random float64 weights."""
    made = GRU(inputs, hidden).double()
    generator = torch.Generator().manual_seed(5)
    for parameter in made.parameters():
        nn.init.normal_(parameter, generator=generator)
    return made


def in_torchs_terms(ours: GRU) -> nn.GRU:
    """torch.nn.GRU with the same weights; there z keeps the old state, so that its pre-activation changes sign."""
    n = ours.hidden
    theirs = nn.GRU(ours.W.shape[1], n, batch_first=True).double()
    w_z, w_r, w = ours.W.split(n)
    u_z, u_r = ours.U_gates.split(n)
    weights = {
        "weight_ih_l0": torch.cat([w_r, -w_z, w]),
        "weight_hh_l0": torch.cat([u_r, -u_z, ours.U]),
        "bias_ih_l0": torch.cat([torch.zeros(2 * n), ours.b]),
        "bias_hh_l0": torch.zeros(3 * n),
    }
    theirs.load_state_dict(weights)
    return theirs


@torch.no_grad()
def test_our_cell_is_not_torchs() -> None:
    ours, generator = cell(N, M), torch.Generator().manual_seed(6)
    e = torch.randn(6, M, dtype=torch.float64, generator=generator)  # one step of six sentences
    s = torch.randn(6, N, dtype=torch.float64, generator=generator)

    def both() -> tuple[Tensor, Tensor]:
        return ours(ours.project(e), s)[0], in_torchs_terms(ours)(e[:, None], s[None])[1][0]

    mine, torchs = both()
    assert float((mine - torchs).abs().max()) > 0.01
    # With a diagonal U it makes no difference on which side of it r acts: nothing else sets the two apart.
    ours.U.copy_(torch.diag(torch.diagonal(ours.U)))
    same(*both(), 1e-12)


@torch.no_grad()
def test_the_gates_of_the_cell_shut_and_open() -> None:
    ours = cell(N, M)
    e, s = torch.ones(1, M, dtype=torch.float64), torch.rand(1, N, dtype=torch.float64) + 0.5
    ours.W[: 2 * N] = 0.0
    ours.U_gates.zero_()
    half = ours(ours.project(e), s)  # both gates at one half
    same(half[0], 0.5 * s + 0.5 * torch.tanh(e @ ours.W[2 * N :].T + (0.5 * s) @ ours.U.T + ours.b), 1e-12)
    same(half[1], torch.full_like(s, 0.5))
    ours.W[:N] = -1e3  # z = 0: the old state stays
    same(ours(ours.project(e), s)[0], s)
    ours.W[:N], ours.W[N : 2 * N] = 1e3, -1e3  # z = 1, r = 0: a new state that has forgotten the old one
    same(ours(ours.project(e), s)[0], torch.tanh(e @ ours.W[2 * N :].T + ours.b))


# --- the wirings


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_how_the_wirings_are_related(kind: str) -> None:
    """All three start from s_0; `appendix` has the chain of `equation4` and speaks one state earlier."""
    source, target = (torch.tensor([side]) for side in PAIRS[0])
    networks = {wiring: build_tiny_network(kind, wiring, seed=6) for wiring in WIRINGS}
    a, b, c = (networks[wiring](source, target) for wiring in WIRINGS)
    start = networks["equation4"].start(networks["equation4"].encode(source)).s
    same(b.states[:, 0], start, 1e-12)
    same(b.states[:, 1:], a.states[:, :-1], 1e-12)
    same(b.contexts, a.contexts, 1e-12)
    same(c.log_probs[:, 0], b.log_probs[:, 0], 1e-12)
    assert float((a.log_probs - b.log_probs).abs().max()) > 0.01
    assert float((c.log_probs - b.log_probs)[:, 1:].abs().max()) > 0.01
    assert float((c.log_probs - a.log_probs).abs().max()) > 0.01


@every
def test_which_piece_a_row_explains(kind: str, wiring: Wiring) -> None:
    """y_k reaches the probabilities from row k + 1 on, alpha from k + 1 in `groundhog` and from k + 2 in the others."""
    network = build_tiny_network(kind, wiring, seed=7)
    source, k = torch.tensor([PAIRS[0][0]]), 1
    one, other = (network(source, torch.tensor([[4, piece, 9, 10, 3, EOS]])) for piece in (8, 12))

    def first_change(a: Tensor, b: Tensor) -> int:
        return int((a != b).flatten(2).any(-1)[0].nonzero()[0])

    assert first_change(one.log_probs, other.log_probs) == k + 1
    assert first_change(one.states, other.states) == (k + 2 if wiring == "appendix" else k + 1)
    if kind == "rnnsearch":
        alphas = (pass_.weights["attention"] for pass_ in (one, other))
        assert first_change(*alphas) == (k + 1 if wiring == "groundhog" else k + 2)


# --- batches


@every
def test_a_padded_batch_equals_its_sentences(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring, seed=8)
    source, target = build_batch()
    wide = torch.cat([source, torch.full((len(source), 2), PAD)], dim=1)  # padding in every row
    for given in (source, wide):
        together = network(given, target)
        for row, (x, y) in enumerate(PAIRS):
            alone = network(torch.tensor([x]), torch.tensor([y]))
            for name in ("log_probs", "states", "contexts"):
                same(getattr(together, name)[row, : len(y)], getattr(alone, name)[0], 1e-12)
            if kind == "rnnsearch":
                alpha = together.weights["attention"][row]
                same(alpha[: len(y), : len(x)], alone.weights["attention"][0], 1e-12)
                assert bool((alpha[:, len(x) :] == 0.0).all()), "weight on padding"
                same(alpha.sum(-1), torch.ones(target.shape[1], dtype=torch.float64), 1e-12)
    losses = [network.loss(torch.tensor([x]), torch.tensor([y])) for x, y in PAIRS]
    same(network.loss(source, target), torch.stack(losses).sum(), 1e-11)


@every
def test_the_loss_is_the_sum_over_the_targets_pieces(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring, seed=9)
    source, target = build_batch()
    loss = network.loss(source, target)
    same(loss, np.float64(oracle_loss(weights_of(network), wiring)))
    longer = torch.cat([target, torch.full((len(target), 3), PAD)], dim=1)
    same(network.loss(source, longer), loss, 1e-11)


@every
@pytest.mark.parametrize("way", ["its own", "for search"])
def test_states_are_picked_and_reordered(kind: str, wiring: Wiring, way: str) -> None:
    made = build_tiny_network(kind, wiring, seed=10)
    network: Any = made if way == "its own" else get_fast_decoder(made)
    source, target = build_batch()
    rows = torch.tensor([3, 0, 3, 4])
    whole: Any = network.start(network.encode(source))
    picked: Any = network.start(network.encode(source[rows]))
    for previous in (torch.full_like(target[:, 0], PAD), target[:, 0].roll(1)):  # at the first step, and after it
        ours, theirs = network.step(whole.select(rows), previous[rows]), network.step(picked, previous[rows])
        same(ours.log_probs, theirs.log_probs, 1e-12)
        whole, picked = network.step(whole, previous).state, theirs.state
    # hypotheses of one sentence trade places: the memory may stay, everything else moves
    state: Any = network.start(network.encode(source[:1].repeat(3, 1)))
    state = network.step(state, torch.tensor([PAD, PAD, PAD])).state
    state = network.step(state, torch.tensor([4, 5, 6])).state
    order, pieces = torch.tensor([2, 0, 0]), torch.tensor([7, 8, 9])
    moved, selected = network.step(state.reorder(order), pieces), network.step(state.select(order), pieces)
    same(moved.log_probs, selected.log_probs, 1e-12)
    for row, (history, piece) in enumerate(zip(([PAD, 6], [PAD, 4], [PAD, 4]), (7, 8, 9), strict=True)):
        alone: Any = network.start(network.encode(source[:1]))
        for eaten in history:
            alone = network.step(alone, torch.tensor([eaten])).state
        same(moved.log_probs[row], network.step(alone, torch.tensor([piece])).log_probs[0], 1e-12)


@every
@torch.no_grad()
def test_search_steps_through_a_padded_batch_as_the_network_does(kind: str, wiring: Wiring) -> None:
    """Also with some weights of another's in place of its own, and after the weights have changed."""
    network = build_tiny_network(kind, wiring, seed=11)
    source, target = build_batch()
    given = torch.full(source.shape, torch.nan, dtype=torch.float64)
    given[1] = torch.softmax(torch.arange(source.shape[1], dtype=torch.float64), dim=0)
    changed = {"attention": given} if kind == "rnnsearch" else None
    for _ in range(2):
        states: list[Any] = [one.start(one.encode(source)) for one in (network, get_fast_decoder(network))]
        previous = torch.full_like(target[:, 0], PAD)
        for piece in target.unbind(1):
            own, quick = (one.step(state, previous, detail=True, overrides=changed)
                          for one, state in zip((network, get_fast_decoder(network)), states, strict=True))
            same(quick.log_probs, own.log_probs, 1e-12)
            assert list(quick.weights) == list(own.weights)
            assert list(quick.detail) == list(own.detail)
            for name in own.weights:
                same(quick.weights[name], own.weights[name], 1e-12)
            for name in own.detail:
                kept = source != PAD if name == "energies" else ...
                same(quick.detail[name][kept], own.detail[name][kept], 1e-12)
            states, previous = [own.state, quick.state], piece
        for parameter in network.parameters():
            parameter.mul_(1.5)


def test_a_network_is_made_ready_for_search_once() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    ready = get_fast_decoder(network)
    assert get_fast_decoder(network) is ready
    with torch.no_grad():
        network.W_o.add_(0.1)
    assert get_fast_decoder(network) is not ready


# --- dropout


@every
def test_dropout_is_on_embeddings_and_readout_while_training(
    kind: str, wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, without = build_tiny_network(kind, wiring, dropout=0.4), build_tiny_network(kind, wiring)
    source, target = build_batch()
    assert torch.equal(network.loss(source, target), without.loss(source, target))
    network.train()
    assert not torch.equal(network.loss(source, target), network.loss(source, target))
    seen: list[tuple[tuple[int, ...], float, bool]] = []

    def record(values: Tensor, p: float, training: bool) -> Tensor:
        seen.append((tuple(values.shape), p, training))
        return values

    monkeypatch.setattr(nn.functional, "dropout", record)
    network.loss(source, target)
    sizes = [(*source.shape, M), (*target.shape, M), (*target.shape, L)]
    assert seen == [(size, 0.4, True) for size in sizes]
