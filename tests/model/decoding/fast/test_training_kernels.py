"""The loops that numba compiles: the numbers of the plain path, whatever the batch, and nothing that hides."""

from __future__ import annotations

import re

import numba
import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.decoding.fast import training_kernels
from model.networks.rnnsearch import GRUNetwork, Wiring
from model.training.losses import common
from model.training.losses import gru as fast
from model.training.machine import describe_machine
from tests.model.tiny import build_batch, build_tiny_network
from tests.model.training.losses.test_gru import (
    BATCHES,
    assert_gradients_close,
    build_medium_network,
    build_random_batch,
    compute_gradients,
    every,
)

pytestmark = pytest.mark.usefixtures("one_thread")


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the plain path alone."""
    monkeypatch.setattr(common, "MAX_THREADS", 0)


def test_they_are_taken() -> None:
    """Else what follows would compare the plain path with itself."""
    assert common.get_kernels(torch.zeros(2), None) is training_kernels


@pytest.mark.parametrize("tensor", [torch.zeros(2, dtype=torch.float64), torch.zeros(2, dtype=torch.bfloat16),
                                    torch.zeros(2, device="meta")], ids=lambda one: f"{one.dtype} {one.device}")
def test_what_they_cannot_take_goes_the_plain_way(tensor: Tensor) -> None:
    assert common.get_kernels(torch.zeros(2), tensor) is None


def test_many_threads_go_the_plain_way() -> None:
    torch.set_num_threads(common.MAX_THREADS + 1)
    assert common.get_kernels(torch.zeros(2)) is None


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@every
@pytest.mark.parametrize("pieces", BATCHES.values(), ids=BATCHES.keys())
def test_loss_and_gradients_are_those_of_the_plain_loop(kind: str, wiring: Wiring, pieces: tuple[Tensor, Tensor],
                                                        smoothing: float) -> None:
    network = build_tiny_network(kind, wiring, seed=20)
    plain = network.loss(*pieces, smoothing)
    expected = compute_gradients(network, plain)
    network.float()
    ours = fast.compute_loss(network, *pieces, smoothing=smoothing)
    torch.testing.assert_close(ours, plain.float(), rtol=2e-6, atol=0.0)
    assert_gradients_close(compute_gradients(network, ours),
                           {name: slope.float() for name, slope in expected.items()}, tolerance=2e-5)


@every
@pytest.mark.parametrize("half", [False, True])
def test_they_are_as_exact_as_torch(kind: str, wiring: Wiring, half: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every tensor's gradient, how far it is from float64's: next to what bfloat16 rounds away, no farther than
    without them; in float32 too it stays within millionths."""
    network, pieces = build_medium_network(kind, wiring), build_random_batch()
    with_loops = compute_gradients(network, fast.compute_loss(network, *pieces, half=half))
    with monkeypatch.context() as patch:
        without(patch)
        without_loops = compute_gradients(network, fast.compute_loss(network, *pieces, half=half))
    network.double()
    exact = compute_gradients(network, network.loss(*pieces))
    assert any(not torch.equal(with_loops[name], without_loops[name]) for name in exact), "the loops took no part"
    for name, expected in exact.items():
        far, farther = (float((found[name] - expected).norm()) for found in (without_loops, with_loops))
        assert farther <= 1.1 * far + 4e-6 * float(expected.norm()), name


def test_alphas_that_go_elsewhere_too_bring_their_gradients() -> None:
    """As a copying network's do."""
    network = build_tiny_network("rnnsearch", "groundhog", seed=20)

    def total(of: GRUNetwork) -> Tensor:
        source, target = (side.T.contiguous() for side in build_batch())
        made = fast.run_teacher_forced(of, source, target, False)
        assert made.alphas is not None
        return (made.alphas ** 3).sum() + made.contexts.square().sum() + made.states.sum()

    expected = compute_gradients(network, total(network))
    network.float()
    assert_gradients_close(compute_gradients(network, total(network)),
                           {name: slope.float() for name, slope in expected.items()}, tolerance=2e-5)
    assert float(expected["v_a"].abs().max()) > 1e-3


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("size", [3, 64, 130, 200])
def test_the_likelihood_of_logits_in_either_precision(size: int, smoothing: float) -> None:
    """Loss and gradients against float64; those of bfloat16 are the ones of float32, rounded to the nearest."""
    generator = torch.Generator().manual_seed(size)
    halves = (3 * torch.randn(40, size, generator=generator)).bfloat16()
    pieces = torch.randint(0, size, (40,), generator=generator)
    exact = halves.double().requires_grad_()
    expected = nn.functional.cross_entropy(exact, pieces, reduction="sum", label_smoothing=smoothing)
    expected.backward()
    assert exact.grad is not None
    single, bias, biases = halves.float(), torch.ones(size), torch.ones(size)
    loss = training_kernels.cross_entropy(pieces.numpy(), smoothing, single.numpy(), bias.numpy())
    of_halves = training_kernels.cross_entropy_bfloat16(
        pieces.numpy(), smoothing, common.as_numpy(halves), biases.numpy()
    )
    assert loss == pytest.approx(expected.item(), rel=1e-6)
    assert of_halves == pytest.approx(loss, rel=1e-7)
    torch.testing.assert_close(single.double(), exact.grad, rtol=0, atol=5e-7)
    for one in (bias, biases):
        torch.testing.assert_close(one.double() - 1, exact.grad.sum(0), rtol=0, atol=1e-5)
    nearest = single.bfloat16()  # sums may be taken in another order: a few may have been as near to another
    assert (halves == nearest).float().mean() > 0.99
    torch.testing.assert_close(halves.float(), nearest.float(), rtol=2**-7, atol=1e-9)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(("chunk", "band"), [(1, 1), (7, 3), (20, 7), (1000, 1)])
def test_chunks_and_bands_of_the_output_do_not_show(chunk: int, band: int, half: bool,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    network, pieces = build_medium_network("rnnsearch", "groundhog"), build_random_batch()
    whole = fast.compute_loss(network, *pieces, half=half)
    expected = compute_gradients(network, whole)
    monkeypatch.setattr(common, "CHUNK_ROWS", chunk)
    monkeypatch.setattr(common, "BAND_ROWS", band)
    parts = fast.compute_loss(network, *pieces, half=half)
    torch.testing.assert_close(parts, whole, rtol=1e-6, atol=0)
    for name, found in compute_gradients(network, parts).items():
        off = float((found - expected[name]).norm() / expected[name].norm())
        assert off < (1e-2 if half else 1e-5), name  # each chunk's product of bfloat16 is rounded to it


def test_the_greatest_of_a_vector() -> None:
    for size in (1, 63, 64, 65, 300):
        for place in {0, size // 2, size - 1}:
            own = -np.arange(1, size + 1, dtype=np.float32)
            own[place] = 5
            assert training_kernels.maximum(own) == 5


def test_powers_of_e() -> None:
    x = np.linspace(-86, 88, 200_001).astype(np.float32)
    found = np.array([training_kernels.exp(one) for one in x])
    exact = np.exp(x.astype(np.float64))
    assert float(np.max(np.abs(found / exact - 1))) < 2.4e-7


@pytest.mark.parametrize(("x", "expected"), [(np.nan, np.nan), (-np.inf, 0.0), (-1e30, 0.0)])
def test_powers_of_what_is_no_number_or_far_away(x: float, expected: float) -> None:
    np.testing.assert_allclose(training_kernels.exp(np.float32(x)), expected, atol=2e-38)


def test_sums_far_apart_cancel() -> None:
    """tanh(a + b) of powers: the sum counts, however large the two are."""
    a = torch.tensor([-60.0, -42.0, -9.0, 0.0, 9.0, 42.0, 60.0])
    first, second = torch.empty_like(a), torch.empty_like(a)
    training_kernels.exp_doubled(a.numpy(), first.numpy())
    training_kernels.exp_doubled((-a + 0.25).numpy(), second.numpy())
    found = 1 - 2 / (1 + first * second)
    expected = torch.tanh(torch.where(a.abs() > 43, 0.0, 0.25))  # farther than 43 is 43
    torch.testing.assert_close(found, expected, rtol=0.0, atol=2e-6)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["W_o", "U_a", "v_a", "W_s"])
def test_a_loss_that_is_none_is_seen(name: str, wrong: float) -> None:
    network = build_tiny_network("rnnsearch", "groundhog", seed=20).float()
    with torch.no_grad():
        dict(network.named_parameters())[name].flatten()[3] = wrong
    loss = fast.compute_loss(network, *build_batch())
    gradients = compute_gradients(network, loss).values()
    assert not (loss.isfinite() and all(bool(one.isfinite().all()) for one in gradients))


def test_the_card_says_that_they_were_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ", numba" in describe_machine(torch.device("cpu"), True)
    without(monkeypatch)
    assert ", numba" not in describe_machine(torch.device("cpu"), True)


def test_callers_hold_no_second_copy_of_what_they_call() -> None:
    """Otherwise a process that loads the code may round differently from the one that compiled it."""
    caller = numba.njit(training_kernels.cross_entropy.__wrapped__)
    caller(np.zeros(1, np.int64), 0.1, np.zeros((1, 70), np.float32), np.zeros(70, np.float32))
    (code,) = caller.inspect_llvm().values()
    assert re.findall(r"define [^@\n]*@_ZN5model8decoding4fast16training_kernels\d+([a-z_]+)B", code) == [
        "cross_entropy"
    ]


def test_a_network_trained_with_them_is_one_trained_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty updates later the weights agree."""
    trained = []
    for taken in (True, False):
        with monkeypatch.context() as patch:
            if not taken:
                without(patch)
            network = build_medium_network("rnnsearch", "groundhog")
            optimiser = torch.optim.SGD(network.parameters(), lr=1e-3)
            for _ in range(20):
                optimiser.zero_grad()
                fast.compute_loss(network, *build_random_batch()).backward()
                optimiser.step()
            trained.append(torch.nn.utils.parameters_to_vector(network.parameters()).detach())
    torch.testing.assert_close(*trained, rtol=0.0, atol=1e-5)
    assert not torch.equal(*trained), "the loops took no part"
