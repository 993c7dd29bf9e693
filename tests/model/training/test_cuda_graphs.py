"""CUDA graphs: batches padded to a few shapes, capturable losses, and replay. Without a GPU, replay is simulated."""

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

from model.analysis import benchmark
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
from tests.model.training.losses.helpers import Gradients, assert_gradients_close, compute_gradients
from tests.model.training.runs import build_tiny_recipe, train_until

V = 13

every_kind = pytest.mark.parametrize("kind", KINDS)
gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")


def build_network(kind: str, **settings: Any) -> tuple[registry.NetworkKind, Any]:
    """Return a kind and a float64 network of it with random weights."""
    torch.manual_seed(7)
    network_kind = registry.find_kind(kind)
    config = network_kind.configure({"kind": kind, "vocabulary": V, **SMALL[kind], **settings})
    network = network_kind.build(config).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0.0, 0.7)
    return network_kind, network


def build_arrays() -> tuple[Any, Any]:
    source, target = build_batch()
    return source.numpy(), target.numpy()


# --- shapes


@pytest.mark.parametrize(("pairs", "length"), [(1, 1), (PAIR_MULTIPLE, LENGTH_MULTIPLE), (17, 30)])
def test_round_up_shape_pads_to_the_next_multiples(pairs: int, length: int) -> None:
    ids = np.full((pairs, length), 5), np.full((pairs, 9), 6)
    source, target = round_up_shape(*ids)
    for array, padded_array in zip(ids, (source, target), strict=True):
        assert padded_array.shape[0] % PAIR_MULTIPLE == padded_array.shape[1] % LENGTH_MULTIPLE == 0
        assert 0 <= padded_array.shape[0] - pairs < PAIR_MULTIPLE
        assert 0 <= padded_array.shape[1] - array.shape[1] < LENGTH_MULTIPLE
        assert (padded_array[:pairs, : array.shape[1]] == array).all()
        assert (padded_array[:pairs, array.shape[1] :] == PAD).all()
    assert (source[pairs:, 0] == EOS).all()
    assert not source[pairs:, 1:].any()
    assert not target[pairs:].any()


@pytest.mark.verdict
@every_kind
def test_padding_changes_neither_loss_nor_gradients(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the operations that are used on a GPU."""
    smoothing = 0.1
    network_kind, network = build_network(kind)
    reference = network.loss(*build_batch(), smoothing)
    monkeypatch.setattr(common, "requires_static_shapes", lambda tensor: True)
    padded = map(torch.from_numpy, round_up_shape(*build_arrays()))
    loss = network_kind.compute_loss(network, *padded, smoothing=smoothing)
    torch.testing.assert_close(loss, reference, rtol=1e-10, atol=1e-10)
    assert_gradients_close(compute_gradients(network, loss), compute_gradients(network, reference), 1e-9)


@every_kind
def test_captured_losses_read_no_tensor_value(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the device `meta`, whose tensors have no values."""
    network_kind, network = build_network(kind)
    monkeypatch.setattr(torch, "autocast", lambda *arguments, **options: nullcontext())  # does not know `meta`
    assert network_kind.can_capture_loss(network.config, 0.0)
    monkeypatch.setattr(common, "requires_static_shapes", lambda tensor: True)
    source, target = (torch.from_numpy(ids).to("meta") for ids in round_up_shape(*build_arrays()))
    compute_gradients(network.to("meta"), network_kind.compute_loss(network, source, target))


@pytest.mark.parametrize(("kind", "settings", "smoothing", "is_captured"), [
    ("coverage", {}, 0.1, True), ("coverage", {"coverage": "neural"}, 0.0, False), ("copy", {}, 0.1, False),
    ("luong", {"feeding": True, "score": "concat"}, 0.0, False),
])  # fmt: skip
def test_only_fused_losses_are_captured(
    kind: str, settings: dict[str, Any], smoothing: float, is_captured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    network_kind, network = build_network(kind, **settings)
    assert network_kind.can_capture_loss(network.config, smoothing) is is_captured
    assert not replace(network_kind, loss="").can_capture_loss(network.config, smoothing)
    reference = Mock(side_effect=network.loss)
    monkeypatch.setattr(network, "loss", reference)
    network_kind.compute_loss(network, *build_batch(), smoothing=smoothing)
    assert reference.called is not is_captured


# --- capture and replay


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The device of the graphs. On a CPU a replay computes anew, from the captured inputs to the captured loss."""
    if request.param == "cpu":
        monkeypatch.setattr(common, "requires_static_shapes", lambda tensor: True)
        monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: None)
        monkeypatch.setattr(CudaGraphCache, "capture", simulate_capture)
    return str(request.param)


def simulate_capture(self: CudaGraphCache, inputs: Any) -> Any:
    loss = torch.empty_like(inputs.divisor)
    graph = Mock(replay=lambda: loss.copy_(self.compute_eagerly(inputs)))
    return cuda_graphs.CapturedGraph(graph, inputs, loss)


def build_graphs(kind: str, device: str, **settings: Any) -> tuple[Any, CudaGraphCache, Callable[[], Gradients]]:
    """Return a network, the graphs of its loss, and a function that reads its gradients."""
    network_kind, network = build_network(kind, **settings)
    network.to(device)
    parameters = list(network.parameters())
    allocate_gradients(parameters)
    return network, CudaGraphCache(partial(network_kind.compute_loss, network), parameters), \
        lambda: {name: x.grad.cpu().clone() for name, x in network.named_parameters()}


@every_kind
def test_gradients_equal_the_reference_eager_captured_and_replayed(kind: str, device: str) -> None:
    _, network = build_network(kind)
    _, graphs, read_gradients = build_graphs(kind, device)
    source, target = build_arrays()
    for turn in range(4):
        batch = np.where(source > EOS, (source + turn) % (V - 2) + 2, source), target[:, : 7 - turn % 2]
        batch[1][batch[1].sum(1) == 0, 0] = EOS
        reference = network.loss(*map(torch.from_numpy, batch))
        loss = graphs.compute_gradients(*batch, 3)
        torch.testing.assert_close(loss.cpu(), reference.detach(), rtol=1e-10, atol=1e-10)
        assert_gradients_close(read_gradients(), compute_gradients(network, reference / 3), 1e-9)
        assert len(graphs) == min(turn, 1)


def test_the_least_recently_used_graph_is_dropped(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_graphs, "MAX_GRAPHS", 2)
    _, graphs, _ = build_graphs("rnnencdec", device)
    for number in (0, 0, 1, 1, 0, 2, 2, 0):
        pairs = number * PAIR_MULTIPLE + 1
        graphs.compute_gradients(np.full((pairs, 3), EOS), np.full((pairs, 3), EOS), 1)
    assert len(graphs) == 2
    assert [shape[0] // PAIR_MULTIPLE - 1 for shape in graphs._graphs] == [2, 0]


@gpu
def test_training_on_a_gpu_learns_and_resumes(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 30)
    assert "NVIDIA" in trainer.machine
    assert trainer.device.type == "cuda"
    resumed = train_until(Trainer.resume(tmp_path, data), 90)
    assert resumed.progress.updates == 90
    assert resumed.progress.loss < trainer.progress.loss


def test_the_benchmark_measures_with_and_without_graphs(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = benchmark.BenchmarkSizes(
        hidden=4, alignment=4, embedding=4, readout=4, vocabulary=40, batch=3, source=5, target=6
    )
    kinds = [registry.find_kind("rnnencdec")]
    monkeypatch.setattr(benchmark, "MATMUL_SIZE", 4)
    if device == "cpu":
        monkeypatch.setattr(torch.cuda, "is_available", Mock(return_value=False))
        assert not list(benchmark.benchmark_gpu_training(sizes, rounds=1, progress=lambda _: None, kinds=kinds))
        for name, value in {"is_available": True, "synchronize": None, "get_device_name": "NVIDIA"}.items():
            monkeypatch.setattr(torch.cuda, name, Mock(return_value=value))
        monkeypatch.setattr(benchmark, "GPU", "cpu")
    lines = list(benchmark.benchmark_gpu_training(sizes, rounds=2, progress=lambda _: None, kinds=kinds))
    modes = [line.name.removeprefix("training rnnencdec on a GPU, ") for line in lines[1:]]
    assert modes == ["eager", "CUDA graph"]
    assert all(line.value > 0 for line in lines)
