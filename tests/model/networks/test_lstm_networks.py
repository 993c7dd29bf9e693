"""Seq2Seq and Luong's networks against an independent numpy version of their equations, in every way they are built."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks.lstm import LSTMLayer, LSTMNetwork
from model.networks.registry import build_network
from tests.model.networks import lstm_oracle as oracle
from tests.model.tiny import EOS, PAD, PAIRS, build_batch, cycle_values, gradcheck
from tests.model.tiny_lstm import (
    ATTENTION_VARIANTS,
    VARIANTS,
    M,
    N,
    build_tiny_network,
    get_oracle_weights,
    get_settings,
)

every = pytest.mark.parametrize("name", VARIANTS)
looking = pytest.mark.parametrize("name", ATTENTION_VARIANTS)


def same(ours: Tensor, theirs: Any, tolerance: float = 1e-9) -> None:
    """Equal shapes, and no element further off than the tolerance."""
    other = torch.as_tensor(theirs)
    assert ours.shape == other.shape, f"{tuple(ours.shape)} against {tuple(other.shape)}"
    assert ours.dtype == other.dtype == torch.float64
    torch.testing.assert_close(ours, other, rtol=0.0, atol=tolerance)


def compute_log_probs(network: Any, source: Tensor, target: Tensor) -> Tensor:
    found = network(source, target)
    return found if isinstance(found, Tensor) else found[0]


def oracle_loss(network: Any, name: str, pairs: list[tuple[list[int], list[int]]] = PAIRS) -> float:
    weights = get_oracle_weights(network)
    return -sum(oracle.forced(weights, get_settings(name), x, y).log_probability(y) for x, y in pairs)


# --- against the equations


@pytest.mark.verdict
@pytest.mark.parametrize(("name", "pair"), cycle_values(VARIANTS, PAIRS))
def test_teacher_forcing_is_the_oracle(name: str, pair: tuple[list[int], list[int]]) -> None:
    network, (source, target) = build_tiny_network(name), pair
    truth = oracle.forced(get_oracle_weights(network), get_settings(name), source, target)
    found = network(torch.tensor([source]), torch.tensor([target]))
    if name in ATTENTION_VARIANTS:
        same(found[0][0], truth.log_probs)
        same(found[1][0], truth.alphas)
    else:
        same(found[0], truth.log_probs)


@pytest.mark.verdict
@pytest.mark.parametrize(("name", "pair"), cycle_values(VARIANTS, PAIRS))
def test_steps_are_the_oracle(name: str, pair: tuple[list[int], list[int]]) -> None:
    network, (source, target) = build_tiny_network(name, seed=1), pair
    weights = get_oracle_weights(network)
    truth = oracle.forced(weights, get_settings(name), source, target)
    annotations, h, c = oracle.encode(weights, get_settings(name), source)
    mask, states, _ = network.run_encoder(torch.tensor([source]))
    same(states[0], np.array(annotations))
    assert bool(mask.all())
    state = network.start(network.encode(torch.tensor([source])))
    same(state.lstm.h[0], np.array(h))
    same(state.lstm.c[0], np.array(c))
    for i, previous in enumerate([PAD, *target[:-1]]):
        result = network.step(state, torch.tensor([previous]), detail=True)
        same(result.log_probs[0], truth.log_probs[i])
        top, detail = truth.tops[i], {key: value[0] for key, value in result.detail.items()}
        for key, value in (("state", top.h), ("cell", top.c), ("input", top.i), ("forget", top.f), ("output", top.o)):
            same(detail[key], value)
        if name in ATTENTION_VARIANTS:
            same(result.weights["attention"][0], truth.alphas[i])
            same(detail["energies"], truth.energies[i])
            same(detail["context"], truth.contexts[i])
        else:
            assert result.weights == {}
            assert not {"energies", "context"} & result.detail.keys()
        bare = network.step(state, torch.tensor([previous]))
        assert bare.detail == {}
        same(bare.log_probs, result.log_probs, 0.0)
        state = result.state


@pytest.mark.verdict
@every
def test_gradients_are_the_slopes_of_the_oracle(name: str) -> None:
    network = build_tiny_network(name, seed=2)
    network.loss(*build_batch()).backward()
    h, generator = 1e-6, np.random.default_rng(3)
    with torch.no_grad():
        for label, parameter in network.named_parameters():
            direction = torch.from_numpy(generator.standard_normal(tuple(parameter.shape)))
            if "embedding" in label:
                direction[PAD] = 0.0  # no weight of the equations
            losses = []
            for sign in (1, -1):
                parameter.add_(direction, alpha=sign * h)
                losses.append(oracle_loss(network, name))
                parameter.sub_(direction, alpha=sign * h)
            assert parameter.grad is not None
            slope = float((parameter.grad * direction).sum())
            assert slope == pytest.approx((losses[0] - losses[1]) / (2 * h), rel=1e-6, abs=1e-6), label
            assert abs(slope) > 1e-4, f"{label} has no influence"


@every
def test_gradcheck(name: str) -> None:
    assert gradcheck(build_tiny_network(name, seed=4), type(build_tiny_network(name)).loss)


def test_the_tiny_networks_are_far_from_linear() -> None:
    weights = get_oracle_weights(build_tiny_network("general"))
    truths = [oracle.forced(weights, get_settings("general"), *pair) for pair in PAIRS]
    alphas = np.concatenate([truth.alphas.ravel() for truth in truths if truth.alphas.shape[1] > 1])
    assert alphas.min() < 0.05
    assert alphas.max() > 0.5
    assert np.abs(np.concatenate([one.h for truth in truths for one in truth.tops])).max() > 0.7


# --- the cell and the order of reading


@torch.no_grad()
def test_the_cell_is_torchs() -> None:
    """torch.nn.LSTM has the same equations, its gates in another order and with two biases."""
    ours, theirs = LSTMLayer(M, N).double(), nn.LSTM(M, N, batch_first=True).double()
    generator = torch.Generator().manual_seed(5)
    for parameter in ours.parameters():
        nn.init.normal_(parameter, generator=generator)
    weights = {"weight_ih_l0": ours.W, "weight_hh_l0": ours.U, "bias_ih_l0": ours.b}
    theirs.load_state_dict({name: torch.cat([value[: 2 * N], value[3 * N :], value[2 * N : 3 * N]])
                            for name, value in weights.items()} | {"bias_hh_l0": torch.zeros(4 * N)})
    x = torch.randn(3, 5, M, dtype=torch.float64, generator=generator)
    h, c = torch.randn(2, 3, N, dtype=torch.float64, generator=generator)
    states, cells = ours.run(x, h, c)
    expected, (_, last) = theirs(x, (h[None], c[None]))
    same(states, expected, 1e-12)
    same(cells[:, -1], last[0], 1e-12)


@pytest.mark.parametrize("name", ["seq2seq", "general"])
def test_a_reversed_sentence_is_what_reversal_reads(name: str) -> None:
    """Read forward, x_n .. x_1 EOS leaves the same state as x_1 .. x_n EOS read in reverse, and says the same of each
    piece."""
    turning = build_tiny_network(name, seed=6)
    forward = build_network(replace(turning.config, reverse=False)).double().eval()
    forward.load_state_dict(turning.state_dict())
    source = PAIRS[0][0]
    one = turning.run_encoder(torch.tensor([source]))
    other = forward.run_encoder(torch.tensor([[*source[-2::-1], EOS]]))
    same(one[2].h, other[2].h, 0.0)
    same(one[2].c, other[2].c, 0.0)
    same(one[1][0], torch.cat([other[1][0, :-1].flip(0), other[1][0, -1:]]), 0.0)


@pytest.mark.parametrize(("name", "changed"), [("seq2seq", [True, True, True, False, False, True]),
                                               ("seq2seq forward, deep", [False, False, True, True, True, True]),
                                               ("general, two directions", [True] * 6)])
def test_what_a_state_has_read(name: str, changed: list[bool]) -> None:
    """Another third piece changes what is said about those pieces that are read from it on, in the reader's order."""
    network = build_tiny_network(name, seed=7)
    one, other = (network.annotate(torch.tensor([[5, 3, piece, 7, 8, EOS]]))[1][0] for piece in (12, 9))
    assert (one != other).any(-1).tolist() == changed


def test_a_sentence_embedded_beforehand_is_the_same() -> None:
    for name in VARIANTS:
        network = build_tiny_network(name, seed=8)
        source, _ = build_batch()
        own, given = (network.start(network.encode(source, embedded))
                      for embedded in (None, network.embed_source(source)))
        same(own.lstm.h, given.lstm.h, 0.0)
        moved = network.start(network.encode(source, network.embed_source(source) * 1.1))
        assert not torch.equal(moved.lstm.h, own.lstm.h)


# --- batches


@every
def test_a_padded_batch_equals_its_sentences(name: str) -> None:
    network = build_tiny_network(name, seed=9)
    source, target = build_batch()
    wide = torch.cat([source, torch.full((len(source), 2), PAD)], dim=1)  # padding in every row
    for given in (source, wide):
        together = network(given, target)
        for row, (x, y) in enumerate(PAIRS):
            alone = network(torch.tensor([x]), torch.tensor([y]))
            if name in ATTENTION_VARIANTS:
                same(together[0][row, : len(y)], alone[0][0], 1e-12)
                same(together[1][row, : len(y), : len(x)], alone[1][0], 1e-12)
                assert bool((together[1][row, :, len(x) :] == 0.0).all()), "weight on padding"
            else:
                same(together[row, : len(y)], alone[0], 1e-12)
    losses = [network.loss(torch.tensor([x]), torch.tensor([y])) for x, y in PAIRS]
    same(network.loss(source, target), torch.stack(losses).sum(), 1e-11)


@every
def test_the_loss_is_the_sum_over_the_targets_pieces(name: str) -> None:
    network, (source, target) = build_tiny_network(name, seed=10), build_batch()
    loss = network.loss(source, target)
    same(loss, np.float64(oracle_loss(network, name)))
    longer = torch.cat([target, torch.full((len(target), 3), PAD)], dim=1)
    same(network.loss(source, longer), loss, 1e-11)
    uniform = -compute_log_probs(network, source, target).mean(-1)[target != PAD].sum()
    same(network.loss(source, target, 0.3), 0.7 * loss + 0.3 * uniform, 1e-11)


@pytest.mark.parametrize(("name", "way"), cycle_values(VARIANTS, ["its own", "for search"]))
def test_states_are_picked_and_reordered(name: str, way: str) -> None:
    made = build_tiny_network(name, seed=11)
    network: Any = made if way == "its own" else get_fast_decoder(made)
    source, target = build_batch()
    rows = torch.tensor([3, 0, 3, 4])
    whole, picked = network.start(network.encode(source)), network.start(network.encode(source[rows]))
    for previous in (torch.full_like(target[:, 0], PAD), target[:, 0].roll(1), target[:, 0]):
        ours, theirs = network.step(whole.select(rows), previous[rows]), network.step(picked, previous[rows])
        same(ours.log_probs, theirs.log_probs, 1e-12)
        whole, picked = network.step(whole, previous).state, theirs.state
    # hypotheses of one sentence trade places: cells, what is fed and the count of steps go with them
    state = network.start(network.encode(source[:1].repeat(3, 1)))
    state = network.step(state, torch.tensor([PAD, PAD, PAD])).state
    state = network.step(state, torch.tensor([4, 5, 6])).state
    order, pieces = torch.tensor([2, 0, 0]), torch.tensor([7, 8, 9])
    moved, selected = network.step(state.reorder(order), pieces), network.step(state.select(order), pieces)
    same(moved.log_probs, selected.log_probs, 0.0)
    for row, (history, piece) in enumerate(zip(([PAD, 6], [PAD, 4], [PAD, 4]), (7, 8, 9), strict=True)):
        alone = network.start(network.encode(source[:1]))
        for eaten in history:
            alone = network.step(alone, torch.tensor([eaten])).state
        same(moved.log_probs[row], network.step(alone, torch.tensor([piece])).log_probs[0], 1e-12)


@every
@torch.no_grad()
def test_search_steps_through_a_padded_batch_as_the_network_does(name: str) -> None:
    """Also with some weights of another's in place of its own, and after the weights have changed."""
    network = build_tiny_network(name, seed=12)
    source, target = build_batch()
    given = torch.full(source.shape, torch.nan, dtype=torch.float64)
    given[1] = torch.softmax(torch.arange(source.shape[1], dtype=torch.float64), dim=0)
    changed = {"attention": given} if name in ATTENTION_VARIANTS else None
    for _ in range(2):
        both = (network, get_fast_decoder(network))
        states: list[Any] = [one.start(one.encode(source)) for one in both]
        previous = torch.full_like(target[:, 0], PAD)
        for piece in target.unbind(1):
            own, quick = (one.step(state, previous, detail=True, overrides=changed)
                          for one, state in zip(both, states, strict=True))
            same(quick.log_probs, own.log_probs, 1e-12)
            assert (list(quick.weights), set(quick.detail)) == (list(own.weights), set(own.detail))
            for name_, values in {**own.weights, **own.detail}.items():
                kept = source != PAD if name_ == "energies" else ...
                same({**quick.weights, **quick.detail}[name_][kept], values[kept], 1e-12)
            states, previous = [own.state, quick.state], piece
        for parameter in network.parameters():
            parameter.mul_(1.2)


@pytest.mark.parametrize("name", ["seq2seq", "general", "local-p, not fed"])
@torch.no_grad()
def test_half_precision_is_fetched_without_loss(name: str) -> None:
    """In float32, with weights of half precision as shipped ones are: steps by rounding off those of float64."""
    network = build_tiny_network(name, seed=13).half().float()
    source, target = build_batch()
    exact = build_tiny_network(name)
    exact.load_state_dict(network.state_dict())
    states: list[Any] = [one.start(one.encode(source)) for one in (get_fast_decoder(network), exact)]
    previous = torch.full_like(target[:, 0], PAD)
    for piece in target.unbind(1):
        quick, truth = (one.step(state, previous)
                        for one, state in zip((get_fast_decoder(network), exact), states, strict=True))
        torch.testing.assert_close(quick.log_probs.double(), truth.log_probs, rtol=0, atol=1e-4)
        states, previous = [quick.state, truth.state], piece


def test_a_network_is_made_ready_for_search_once() -> None:
    network = build_tiny_network("general")
    ready = get_fast_decoder(network)
    assert get_fast_decoder(network) is ready
    with torch.no_grad():
        network.W_c.add_(0.1)
    assert get_fast_decoder(network) is not ready


# --- dropout


@every
def test_dropout_is_random_while_training_only(name: str) -> None:
    network, without = build_tiny_network(name, dropout=0.4), build_tiny_network(name)
    assert torch.equal(network.loss(*build_batch()), without.loss(*build_batch()))
    network.train()
    assert not torch.equal(network.loss(*build_batch()), network.loss(*build_batch()))


@pytest.mark.parametrize(("name", "inside"), [("seq2seq", 2), ("seq2seq forward, deep", 4), ("general", 1)])
def test_dropout_falls_between_layers(name: str, inside: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On both embeddings, between layers and before the output, and nowhere else."""
    network, (source, target), seen = build_tiny_network(name, dropout=0.4).train(), build_batch(), []

    def record(values: Tensor, p: float, training: bool) -> Tensor:
        seen.append((tuple(values.shape), p, training))
        return values

    monkeypatch.setattr(nn.functional, "dropout", record)
    network.loss(source, target)
    layers = get_settings(name)["layers"]
    encoder = [(*source.shape, M), *[(*source.shape, N)] * (layers - 1)]
    decoder = [(*target.shape, M), *[(*target.shape, N)] * layers]
    assert seen == [(size, 0.4, True) for size in encoder + decoder]


def test_every_network_is_covered() -> None:
    assert {type(build_tiny_network(name)) for name in VARIANTS} == set(LSTMNetwork.__subclasses__())
