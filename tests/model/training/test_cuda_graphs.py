"""Batches rounded up to a few shapes, losses that ask for no value, and, where there is a GPU, what it records."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch

from model.analysis import benchmark as bench
from model.networks import registry
from model.text.vocabulary import EOS, PAD
from model.training import cuda_graphs
from model.training.cuda_graphs import LENGTH_MULTIPLE, PAIR_MULTIPLE, CudaGraphCache, round_up_shape
from model.training.distributed import allocate_gradients
from model.training.losses import common
from model.training.recipe import Plan
from model.training.trainer import Trainer
from tests.model.networks.test_every_kind import KINDS, SMALL
from tests.model.tiny import build_batch
from tests.model.training.losses.test_gru import Gradients, assert_gradients_close, compute_gradients
from tests.model.training.runs import build_tiny_recipe, train_until

V = 13

every = pytest.mark.parametrize("kind", KINDS)
gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="wants a GPU")


def built(kind: str, **changed: Any) -> tuple[registry.NetworkKind, Any]:
    """A kind and a float64 network of it with drawn weights."""
    torch.manual_seed(7)
    found = registry.find_kind(kind)
    network = found.build(found.configure({"kind": kind, "vocabulary": V, **SMALL[kind], **changed})).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0.0, 0.7)
    return found, network


def pair() -> tuple[Any, Any]:
    source, target = build_batch()
    return source.numpy(), target.numpy()


# --- shapes


@pytest.mark.parametrize(
    ("pairs", "source", "target"), [(1, 1, 1), (PAIR_MULTIPLE, LENGTH_MULTIPLE, LENGTH_MULTIPLE), (17, 9, 30)]
)
def test_batches_are_rounded_up(pairs: int, source: int, target: int) -> None:
    ids = np.full((pairs, source), 5), np.full((pairs, target), 6)
    for before, after in zip(ids, round_up_shape(*ids), strict=True):
        assert after.shape[0] % PAIR_MULTIPLE == after.shape[1] % LENGTH_MULTIPLE == 0
        assert 0 <= after.shape[0] - pairs < PAIR_MULTIPLE
        assert 0 <= after.shape[1] - before.shape[1] < LENGTH_MULTIPLE
        assert (after[:pairs, : before.shape[1]] == before).all()
        assert (after[:pairs, before.shape[1] :] == PAD).all()
    wide, long = round_up_shape(*ids)
    assert (wide[pairs:, 0] == EOS).all()
    assert (wide[pairs:, 1:] == PAD).all()
    assert (long[pairs:] == PAD).all()


@pytest.mark.verdict
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@every
def test_what_is_rounded_has_the_same_loss_and_gradients(
    kind: str, smoothing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the network's own loss, by the operations that a GPU takes."""
    found, network = built(kind)
    plain = network.loss(*build_batch(), smoothing)
    monkeypatch.setattr(common, "requires_static_shapes", lambda tensor: True)
    ours = found.compute_loss(network, *map(torch.from_numpy, round_up_shape(*pair())), smoothing=smoothing)
    torch.testing.assert_close(ours, plain, rtol=1e-10, atol=1e-10)
    assert_gradients_close(compute_gradients(network, ours), compute_gradients(network, plain), 1e-9)


@every
def test_no_loss_that_is_recorded_asks_for_a_value(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the device `meta`, where no tensor has one, and which torch's autocast does not know."""
    found, network = built(kind)
    monkeypatch.setattr(torch, "autocast", lambda *given, **settings: nullcontext())
    assert found.can_capture_loss(network.config, 0.0)
    monkeypatch.setattr(common, "requires_static_shapes", lambda tensor: True)
    source, target = (torch.from_numpy(ids).to("meta") for ids in round_up_shape(*pair()))
    compute_gradients(network.to("meta"), found.compute_loss(network, source, target))


@pytest.mark.parametrize(("kind", "changed", "smoothing", "able"), [
    ("rnnsearch", {}, 0.1, True), ("coverage", {}, 0.1, True), ("coverage", {"coverage": "neural"}, 0.0, False),
    ("copy", {}, 0.0, True), ("copy", {}, 0.1, False), ("luong", {"feeding": True, "score": "concat"}, 0.0, False),
    ("luong", {"feeding": False, "score": "concat"}, 0.0, True),
])  # fmt: skip
def test_what_goes_by_the_networks_own_loop_is_not_recorded(
    kind: str, changed: dict[str, Any], smoothing: float, able: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, network = built(kind, **changed)
    assert found.can_capture_loss(network.config, smoothing) is able
    own = Mock(side_effect=network.loss)
    monkeypatch.setattr(network, "loss", own)
    found.compute_loss(network, *build_batch(), smoothing=smoothing)
    assert own.called is not able


def test_a_kind_without_a_fast_loss_is_not_recorded() -> None:
    found, network = built("rnnsearch")
    assert not replace(found, loss="").can_capture_loss(network.config, 0.0)


# --- on a GPU, and without one in its stead


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where it is recorded; a processor computes anew what a GPU would play, from where its inputs lie to where its
    results do."""
    if request.param == "cpu":
        monkeypatch.setattr(common, "requires_static_shapes", lambda tensor: True)
        monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: None)
        monkeypatch.setattr(CudaGraphCache, "capture", by_hand)
    return str(request.param)


def by_hand(self: CudaGraphCache, inputs: Any) -> Any:
    total = torch.empty_like(inputs.divisor)
    graph = Mock(replay=lambda: total.copy_(self.compute_eagerly(inputs)))
    return cuda_graphs.CapturedGraph(graph, inputs, total)


def recording(kind: str, device: str, **changed: Any) -> tuple[Any, CudaGraphCache, Callable[[], Gradients]]:
    """A network, recordings of its loss, and what then lies in the gradients."""
    found, network = built(kind, **changed)
    network.to(device)
    parameters = list(network.parameters())
    allocate_gradients(parameters)
    return network, CudaGraphCache(partial(found.compute_loss, network), parameters), \
        lambda: {name: one.grad.cpu().clone() for name, one in network.named_parameters()}


@every
def test_recorded_gradients_are_those_of_the_plain_loop(kind: str, device: str) -> None:
    """One by one, recorded, and played with other batches of the same shape."""
    _, network = built(kind)
    _, recordings, made = recording(kind, device)
    source, target = pair()
    for turn in range(4):
        other = np.where(source > EOS, (source + turn) % (V - 2) + 2, source), target[:, : 7 - turn % 2]
        other[1][other[1].sum(1) == 0, 0] = EOS
        plain = network.loss(*map(torch.from_numpy, other))
        total = recordings.compute_gradients(*other, 3)
        torch.testing.assert_close(total.cpu(), plain.detach(), rtol=1e-10, atol=1e-10)
        assert_gradients_close(made(), compute_gradients(network, plain / 3), 1e-9)
        assert len(recordings) == min(turn, 1)


def test_every_play_drops_something_else_and_a_seed_drops_the_same(device: str) -> None:
    network, recordings, _ = recording("rnnsearch", device, dropout=0.5)
    network.train()
    recordings.compute_gradients(*pair(), 1)
    found = []
    for seed in (1, 2, 1):
        torch.manual_seed(seed)
        found += [recordings.compute_gradients(*pair(), 1).item() for _ in range(2)]
    assert found[:2] == found[4:]
    assert len(set(found)) == 4


def test_what_was_played_longest_ago_makes_room(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_graphs, "MAX_GRAPHS", 2)
    _, recordings, _ = recording("rnnencdec", device)
    for number in (0, 0, 1, 1, 0, 2, 2, 0):
        pairs = number * PAIR_MULTIPLE + 1
        recordings.compute_gradients(np.full((pairs, 3), EOS), np.full((pairs, 3), EOS), 1)
    assert len(recordings) == 2


@gpu
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_training_on_a_gpu_learns_and_goes_on(kind: str, data: Path, tmp_path: Path) -> None:
    first = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan(kind, 50), data), 30)
    assert "NVIDIA" in first.machine
    assert first.device.type == "cuda"
    begun = first.progress.loss
    again = train_until(Trainer.resume(tmp_path, data), 90)
    assert again.progress.updates == 90
    assert again.progress.loss < begun
    assert again.progress.curve or again.evaluate() >= 0


def test_the_benchmark_tells_both_ways(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = bench.BenchmarkSizes(
        hidden=4, alignment=4, embedding=4, readout=4, vocabulary=40, batch=3, source=5, target=6
    )
    kinds = [registry.find_kind("rnnencdec")]
    monkeypatch.setattr(bench, "MATMUL_SIZE", 4)
    if device == "cpu":
        monkeypatch.setattr(torch.cuda, "is_available", Mock(return_value=False))  # also where there is one
        assert not list(bench.benchmark_gpu_training(small, rounds=1, progress=lambda _: None, kinds=kinds))
        for name, stead in {"is_available": True, "synchronize": None,
                            "get_device_name": "NVIDIA"}.items():  # fmt: skip
            monkeypatch.setattr(torch.cuda, name, Mock(return_value=stead))
        monkeypatch.setattr(bench, "GPU", "cpu")
    lines = list(bench.benchmark_gpu_training(small, rounds=2, progress=lambda _: None, kinds=kinds))
    ways = [line.name.removeprefix("training rnnencdec on a GPU, ") for line in lines[1:]]
    assert ways == ["one by one", "recorded"]
    assert all(line.value > 0 for line in lines)
