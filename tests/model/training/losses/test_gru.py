"""The fast loss against the plain one: the same number, the same gradient of every parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from unittest import mock

import pytest
import torch
from torch import Tensor

from model.networks.registry import build_network
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from model.training.losses import common
from model.training.losses import coverage as fast_coverage
from model.training.losses import gru as fast
from tests.model.tiny import (
    EOS,
    KINDS,
    KINDS_AND_WIRINGS,
    PAD,
    PAIRS,
    L,
    M,
    build_batch,
    build_tiny_network,
    gradcheck,
    pad,
)

every = pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)

Gradients = dict[str, Tensor]

BATCHES = {
    "padded": build_batch(),
    "padded everywhere": tuple(torch.cat([side, torch.full((len(side), 2), PAD)], dim=1) for side in build_batch()),
    "full": (pad([[4, 8, 8, EOS], [12, 3, 2, EOS]]), pad([[5, 6, EOS], [6, 7, EOS]])),
    "one pair": (pad([PAIRS[0][0]]), pad([PAIRS[0][1]])),
    "nothing but EOS": (pad([[EOS], [EOS]]), pad([[EOS], [EOS]])),
    "only targets padded": (pad([[4, EOS], [5, EOS]]), pad([[5, 6, 6, 6, EOS], [EOS]])),
    "only sources padded": (pad([[4, 9, 9, 10, EOS], [EOS]]), pad([[5, EOS], [6, EOS]])),
}


def compute_gradients(network: GRUNetwork, loss: Tensor) -> Gradients:
    """The gradient of the loss in every parameter by name; zeros stand for a parameter that took no part."""
    names, parameters = zip(*network.named_parameters(), strict=True)
    found = torch.autograd.grad(loss, parameters, allow_unused=True)
    pairs = zip(names, parameters, found, strict=True)
    return {name: torch.zeros_like(parameter) if grad is None else grad for name, parameter, grad in pairs}


def assert_gradients_close(ours: Gradients, plain: Gradients, tolerance: float = 1e-9) -> None:
    """The same parameters, and no gradient further off than the tolerance."""
    assert ours.keys() == plain.keys()
    for name, expected in plain.items():
        assert ours[name].dtype == expected.dtype
        off = float((ours[name] - expected).abs().max())
        assert off <= tolerance, f"{name} is {off} off"


@pytest.mark.verdict
@every
@pytest.mark.parametrize("pieces", BATCHES.values(), ids=BATCHES.keys())
def test_loss_and_gradients_are_those_of_the_plain_loop(
    kind: str, wiring: Wiring, pieces: tuple[Tensor, Tensor]
) -> None:
    network = build_tiny_network(kind, wiring, seed=20)
    ours, plain = fast.compute_loss(network, *pieces), network.loss(*pieces)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_no_gradient_is_zero_by_mistake(kind: str, wiring: Wiring) -> None:
    """Else the equality above would hold for a network cut in two."""
    network = build_tiny_network(kind, wiring, seed=20)
    for name, grad in compute_gradients(network, fast.compute_loss(network, *build_batch())).items():
        used = grad[1:] if "embedding" in name else grad
        assert float(used.abs().max()) > 1e-3, name
        if "embedding" in name:
            assert not bool(grad[PAD].any()), "padding has no gradient"


@pytest.mark.parametrize("smoothing", [0.1, 0.7])
@every
def test_smoothed_labels_are_those_of_the_plain_loop(kind: str, wiring: Wiring, smoothing: float) -> None:
    network = build_tiny_network(kind, wiring, seed=20)
    ours, plain = fast.compute_loss(network, *build_batch(), smoothing=smoothing), network.loss(*build_batch(), smoothing)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_a_smoothed_label_is_torchs(kind: str, wiring: Wiring) -> None:
    network, (source, target) = build_tiny_network(kind, wiring, seed=20), build_batch()
    log_p = network(source, target).log_probs.flatten(0, 1)
    theirs = torch.nn.functional.cross_entropy(log_p, target.flatten(), ignore_index=PAD, reduction="sum",
                                               label_smoothing=0.3)
    torch.testing.assert_close(network.loss(source, target, 0.3), theirs, rtol=0.0, atol=1e-9)


@every
def test_gradcheck(kind: str, wiring: Wiring) -> None:
    assert gradcheck(build_tiny_network(kind, wiring, seed=21), fast.compute_loss)


def test_gradcheck_with_smoothed_labels() -> None:
    assert gradcheck(build_tiny_network("rnnsearch", "groundhog", seed=21), partial(fast.compute_loss, smoothing=0.2))


@pytest.mark.parametrize("chunk", [1, 3, 4])
def test_chunks_of_the_output_do_not_show(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build_tiny_network("rnnsearch", "groundhog", seed=22)
    plain = network.loss(*build_batch())
    monkeypatch.setattr(common, "CHUNK_ROWS", chunk)  # the batch has 20 target pieces
    ours = fast.compute_loss(network, *build_batch())
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_a_function_of_the_loss(kind: str, wiring: Wiring) -> None:
    """What stands behind the loss reaches the parameters; going back twice through one graph changes nothing."""
    network = build_tiny_network(kind, wiring, seed=23)
    ours, plain = fast.compute_loss(network, *build_batch()), network.loss(*build_batch())
    names, parameters = zip(*network.named_parameters(), strict=True)
    expected = dict(zip(names, torch.autograd.grad(plain.square() / 20, parameters), strict=True))
    for _ in range(2):
        found = torch.autograd.grad(ours.square() / 20, parameters, retain_graph=True)
        assert_gradients_close(dict(zip(names, found, strict=True)), expected)


@every
def test_without_gradients_the_loss_is_the_same(kind: str, wiring: Wiring) -> None:
    network = build_tiny_network(kind, wiring, seed=24)
    expected = network.loss(*build_batch()).detach()
    with torch.no_grad():
        ours = fast.compute_loss(network, *build_batch())
    assert not ours.requires_grad
    torch.testing.assert_close(ours, expected, rtol=0.0, atol=1e-9)


# --- dropout


def build_fixed_dropout(shapes: list[tuple[int, ...]], time_first: bool) -> Callable[[Tensor], Tensor]:
    """A stand-in for `Network.dropped`: fixed masks, one a call, for (batch, time, features), turned for `fast`."""
    generator = torch.Generator().manual_seed(25)
    masks = iter([torch.rand(shape, dtype=torch.float64, generator=generator) < 0.6 for shape in shapes])

    def dropped(values: Tensor) -> Tensor:
        mask = next(masks)
        mask = mask.transpose(0, 1) if time_first else mask
        assert values.shape == mask.shape
        return values * mask / 0.6

    return dropped


@every
def test_dropout_falls_where_the_plain_loop_has_it(
    kind: str, wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = build_tiny_network(kind, wiring, seed=26)
    source, target = build_batch()
    shapes = [(*source.shape, M), (*target.shape, M), (*target.shape, L)]
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=False))
    plain = network.loss(source, target)
    monkeypatch.setattr(network, "apply_dropout", build_fixed_dropout(shapes, time_first=True))
    ours = fast.compute_loss(network, source, target)
    torch.testing.assert_close(ours, plain, rtol=0.0, atol=1e-9)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain))


@every
def test_dropout_is_random_while_training_only(kind: str, wiring: Wiring) -> None:
    network, without = build_tiny_network(kind, wiring, dropout=0.4), build_tiny_network(kind, wiring)
    expected = fast.compute_loss(without, *build_batch())
    assert torch.equal(fast.compute_loss(network, *build_batch()), expected)
    network.train()
    torch.manual_seed(27)
    first, second = fast.compute_loss(network, *build_batch()), fast.compute_loss(network, *build_batch())
    torch.manual_seed(27)
    assert torch.equal(fast.compute_loss(network, *build_batch()), first)
    assert not torch.equal(first, second)
    assert not torch.equal(first, expected)


# --- precision


def build_medium_network(kind: str, wiring: Wiring) -> GRUNetwork:
    """A float32 network of sizes at which rounding shows.

    Of the readout's pairs the first always wins by far: else a rounding error could let the other one win, which
    makes gradients jump, and no tolerance could tell that from a fault.
    """
    network = build_network(
        RNNsearchConfig(kind, 200, embedding=24, hidden=32, alignment=40, readout=20, wiring=wiring)
    )
    generator = torch.Generator().manual_seed(28)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 16
            parameter.normal_(0.0, 1.0 / fan_in**0.5, generator=generator)
        for embedding in (network.source_embedding, network.target_embedding):
            embedding.weight[PAD] = 0.0
        network.b_o[1::2] -= 20.0
    return network


def build_random_batch() -> tuple[Tensor, Tensor]:
    """Twelve pairs of random pieces, sources and targets of 1 to 9 pieces and EOS."""
    generator = torch.Generator().manual_seed(29)
    lengths = torch.randint(1, 10, (2, 12), generator=generator).tolist()
    pieces = [[[*torch.randint(2, 200, (k,), generator=generator).tolist(), EOS] for k in side] for side in lengths]
    return pad(pieces[0]), pad(pieces[1])


@contextmanager
def round_in_loops_only() -> Iterator[None]:
    """The output layer and products over all steps round no longer, the loops over time still do where asked."""
    with mock.patch.object(common, "to_half", keep_precision), mock.patch.object(fast_coverage, "to_half", keep_precision):
        yield


def keep_precision(x: Tensor, half: bool) -> Tensor:
    return x


@every
@pytest.mark.parametrize(("half", "loss_off", "gradient_off"), [(False, 1e-6, 1e-5), (True, 2e-3, 2e-2)])
def test_rounding_stays_small(kind: str, wiring: Wiring, half: bool, loss_off: float, gradient_off: float) -> None:
    """In float32, and with bfloat16 factors, against float64: relative to the loss and to each gradient's norm."""
    network, pieces = build_medium_network(kind, wiring), build_random_batch()
    ours, full = fast.compute_loss(network, *pieces, half=half), fast.compute_loss(network, *pieces)
    with round_in_loops_only():
        looped = fast.compute_loss(network, *pieces, half=half)
    assert torch.equal(ours, full) == torch.equal(looped, full) == (not half)
    assert ours.dtype == torch.float32
    found = compute_gradients(network, ours)
    network.double()
    exact = network.loss(*pieces)
    assert abs(float(ours.detach() / exact.detach()) - 1) < loss_off
    for name, expected in compute_gradients(network, exact).items():
        assert found[name].dtype == torch.float32
        off = float((found[name] - expected).norm() / expected.norm())
        assert off < gradient_off, f"{name} is {off} off"


def test_states_are_never_rounded() -> None:
    """With recurrent matrices of zeros no product has anything to round: states must come out the same to the bit."""
    generator = torch.Generator().manual_seed(32)
    pre, start = torch.randn(9, 2, 15, generator=generator), torch.randn(2, 5, generator=generator)
    gates, candidate = torch.zeros(10, 5), torch.zeros(5, 5)
    full, half = (fast.GRUSequence.apply(pre, start, gates, candidate, None, False, half) for half in (False, True))
    assert torch.equal(full, half)
    assert not torch.equal(full, full.bfloat16().float())


@pytest.mark.parametrize("kind", KINDS)
def test_training_on_the_fast_loss_learns(kind: str) -> None:
    """Five pairs are learnt by heart from the initialisation of appendix B."""
    network, pieces = build_tiny_network(kind, "groundhog", seed=30).float(), build_batch()
    network.initialise(torch.Generator().manual_seed(31))
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(200):
        optimiser.zero_grad()
        fast.compute_loss(network, *pieces).backward()
        optimiser.step()
    with torch.no_grad():
        assert float(network.loss(*pieces)) < 3.0  # of 20 pieces' 51 nats at the start
