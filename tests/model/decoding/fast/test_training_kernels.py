"""Numba kernels of training: the numbers of the torch code, for any batch, and NaN stays visible."""

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
from model.training.losses import gru as fused
from model.training.machine import describe_machine
from tests.model.tiny import KINDS_AND_WIRINGS, build_batch, build_tiny_network, cycle_values
from tests.model.training.losses.helpers import (
    BATCHES,
    assert_gradients_close,
    build_medium_network,
    build_random_batch,
    compute_gradients,
)

pytestmark = pytest.mark.usefixtures("one_thread")


def test_kernels_are_used_for_float32_on_few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    assert common.get_training_kernels(torch.zeros(2), None) is training_kernels
    assert ", numba" in describe_machine(torch.device("cpu"), True)
    for tensor in (torch.zeros(2).double(), torch.zeros(2).bfloat16(), torch.zeros(2, device="meta")):
        assert common.get_training_kernels(torch.zeros(2), tensor) is None
    torch.set_num_threads(common.MAX_THREADS + 1)
    assert common.get_training_kernels(torch.zeros(2)) is None
    assert ", numba" not in describe_machine(torch.device("cpu"), True)


@pytest.mark.parametrize(("kind", "wiring", "batch", "smoothing"), cycle_values(
    KINDS_AND_WIRINGS * len(BATCHES), BATCHES, [0.0, 0.1, 0.1, 0.0, 0.0]))
def test_loss_and_gradients_equal_the_reference(kind: str, wiring: Wiring, batch: str, smoothing: float) -> None:
    network, (source, target) = build_tiny_network(kind, wiring, seed=20), BATCHES[batch]
    reference = network.loss(source, target, smoothing)
    expected = {name: gradient.float() for name, gradient in compute_gradients(network, reference).items()}
    network.float()
    loss = fused.compute_loss(network, source, target, smoothing=smoothing)
    torch.testing.assert_close(loss, reference.float(), rtol=2e-6, atol=0.0)
    assert_gradients_close(compute_gradients(network, loss), expected, tolerance=2e-5)


def test_gradients_of_alphas_are_passed_on() -> None:
    """Losses of copying and coverage depend on the alphas too."""
    network = build_tiny_network("rnnsearch", "groundhog", seed=20)

    def compute_total(network: GRUNetwork) -> Tensor:
        source, target = (side.T.contiguous() for side in build_batch())
        result = fused.run_teacher_forced(network, source, target, False)
        assert result.alphas is not None
        return (result.alphas ** 3).sum() + result.contexts.square().sum() + result.states.sum()

    expected = compute_gradients(network, compute_total(network))
    network.float()
    assert_gradients_close(compute_gradients(network, compute_total(network)),
                           {name: gradient.float() for name, gradient in expected.items()}, tolerance=2e-5)
    assert float(expected["v_a"].abs().max()) > 1e-3


@pytest.mark.parametrize(("size", "smoothing"), [(3, 0.0), (64, 0.2), (130, 0.0), (200, 0.2)])
def test_cross_entropy_in_float32_and_bfloat16(size: int, smoothing: float) -> None:
    """Loss and gradients against float64; gradients in bfloat16 are those of float32, rounded to the nearest."""
    generator = torch.Generator().manual_seed(size)
    bfloat16_logits = (3 * torch.randn(40, size, generator=generator)).bfloat16()
    targets = torch.randint(0, size, (40,), generator=generator)
    exact = bfloat16_logits.double().requires_grad_()
    expected = nn.functional.cross_entropy(exact, targets, reduction="sum", label_smoothing=smoothing)
    expected.backward()
    assert exact.grad is not None
    logits, bias, bfloat16_bias = bfloat16_logits.float(), torch.ones(size), torch.ones(size)
    loss = training_kernels.cross_entropy(targets.numpy(), smoothing, logits.numpy(), bias.numpy())
    bfloat16_loss = training_kernels.cross_entropy_bfloat16(
        targets.numpy(), smoothing, common.as_numpy(bfloat16_logits), bfloat16_bias.numpy())
    assert loss == pytest.approx(expected.item(), rel=1e-6)
    assert bfloat16_loss == pytest.approx(loss, rel=1e-7)
    torch.testing.assert_close(logits.double(), exact.grad, rtol=0, atol=5e-7)
    for gradient in (bias, bfloat16_bias):
        torch.testing.assert_close(gradient.double() - 1, exact.grad.sum(0), rtol=0, atol=1e-5)
    rounded_copy = logits.bfloat16()  # sums may be taken in another order: a few gradients may round to another number
    assert (bfloat16_logits == rounded_copy).float().mean() > 0.99
    torch.testing.assert_close(bfloat16_logits.float(), rounded_copy.float(), rtol=2**-7, atol=1e-9)


@pytest.mark.parametrize(("chunk_rows", "band_rows", "use_bfloat16"), [
    (1, 1, False), (7, 3, True), (20, 7, False), (20, 7, True), (1000, 1, True)])
def test_chunks_and_bands_do_not_change_the_loss(chunk_rows: int, band_rows: int, use_bfloat16: bool,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    network, tokens = build_medium_network("rnnsearch", "groundhog"), build_random_batch()
    whole_loss = fused.compute_loss(network, *tokens, use_bfloat16=use_bfloat16)
    expected = compute_gradients(network, whole_loss)
    monkeypatch.setattr(common, "CHUNK_ROWS", chunk_rows)
    monkeypatch.setattr(common, "BAND_ROWS", band_rows)
    loss = fused.compute_loss(network, *tokens, use_bfloat16=use_bfloat16)
    torch.testing.assert_close(loss, whole_loss, rtol=1e-6, atol=0)
    for name, gradient in compute_gradients(network, loss).items():
        error = float((gradient - expected[name]).norm() / expected[name].norm())
        assert error < (1e-2 if use_bfloat16 else 1e-5), name  # each chunk's product is rounded to bfloat16


@pytest.mark.parametrize("name", ["W_o", "U_a", "v_a", "W_s"])
def test_weights_that_are_not_finite_give_a_loss_or_gradients_that_are_not(name: str) -> None:
    for value in (float("nan"), float("inf")):
        network = build_tiny_network("rnnsearch", "groundhog", seed=20).float()
        with torch.no_grad():
            dict(network.named_parameters())[name].flatten()[3] = value
        loss = fused.compute_loss(network, *build_batch())
        gradients = compute_gradients(network, loss).values()
        assert not (loss.isfinite() and all(bool(gradient.isfinite().all()) for gradient in gradients))


def test_inlined_functions_are_not_stored_with_their_callers() -> None:
    """Otherwise a process that loads the code may round differently from the one that compiled it."""
    caller = numba.njit(training_kernels.cross_entropy.__wrapped__)
    caller(np.zeros(1, np.int64), 0.1, np.zeros((1, 70), np.float32), np.zeros(70, np.float32))
    (code,) = caller.inspect_llvm().values()
    assert re.findall(r"define [^@\n]*@_ZN5model8decoding4fast16training_kernels\d+([a-z_]+)B", code) == [
        "cross_entropy"]
