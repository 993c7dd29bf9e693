"""Benchmark training (plain loop and fused losses), search and decoding, side by side in one run.

Contenders take turns, so that the machine's other load affects all alike; the load average is part of the report.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from model.checkpoints.checkpoint import Model
from model.decoding import Settings, search
from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks import registry
from model.networks.base import AttentionOverrides, StepResult, Translator
from model.text.normalise import normalise
from model.text.vocabulary import EOS
from model.training.cuda_graphs import CudaGraphCache
from model.training.distributed import allocate_gradients
from model.training.machine import check_memory, describe_machine, supports_bfloat16

GPU = "cuda"
MATMUL_SIZE = 2048  # rows and columns of the reference matrix product


@dataclass(frozen=True)
class BenchmarkSizes:
    """Sizes of the benchmark networks and batches.

    The project's published figures use the defaults: ten to thirteen million parameters, nine for RNNencdec.
    """

    hidden: int = 384
    alignment: int = 384
    embedding: int = 256
    readout: int = 256
    layers: int = 2  # of LSTMs and of the Transformer, in encoder and decoder each
    vocabulary: int = 8000
    batch: int = 128
    source: int = 25
    target: int = 27

    def build_config(self, kind: registry.NetworkKind) -> Any:
        """Return the configuration of a kind with these sizes; other settings keep their defaults."""
        heads = next(number for number in (4, 2, 1) if self.hidden % number == 0)
        sizes = {**asdict(self), "feed_forward": 4 * self.hidden, "heads": heads, "dropout": 0.0}
        sizes = {name: value for name, value in sizes.items() if name in kind.setting_names}
        return kind.configure({"kind": kind.name, "vocabulary": self.vocabulary, **sizes})

    @property
    def target_tokens(self) -> int:
        """Target tokens of a batch."""
        return self.batch * self.target

    @property
    def min_memory_bytes(self) -> int:
        """Least memory for training RNNsearch with the plain loop.

        Counted are float32 weights, gradients and Adam's two moments, and what the forward pass keeps: about ten
        vectors of each size per source and target step, energies (batch, source, alignment) per attention step, and the
        output's log-probabilities (batch, target, vocabulary).
        """
        m, n, a, l = self.embedding, self.hidden, self.alignment, self.readout
        weights = 2 * self.vocabulary * m + self.vocabulary * l + 12 * n * (m + 2 * n) + 3 * n * a + 8 * n * l
        steps = self.batch * ((self.source + self.target) * 10 * (m + n + l)
                              + self.target * (self.source * a + self.vocabulary))
        return 4 * (4 * weights + steps)

    def check_memory(self) -> None:
        """Raise SizeError if this machine has less memory."""
        check_memory(self.min_memory_bytes, "a network and batch of these sizes")


@dataclass(frozen=True)
class BenchmarkLine:
    """One line of the report: name, median, unit, and a note."""

    name: str
    value: float
    unit: str
    note: str = ""


def benchmark_training(sizes: BenchmarkSizes, *, rounds: int, progress: Callable[[str], None],
             kinds: Sequence[registry.NetworkKind]) -> Iterator[BenchmarkLine]:
    """Yield target tokens per second of whole updates (forward, backward, clipping, Adam), plain and fast in turns."""
    has_bfloat16 = supports_bfloat16(torch.device("cpu"))
    dtypes = {"float32": torch.float32} | ({"bfloat16": torch.bfloat16} if has_bfloat16 else {})
    rates = {name: _measure_product_rate(dtype, MATMUL_SIZE) for name, dtype in dtypes.items()}
    for name, rate in rates.items():
        yield BenchmarkLine(f"matrix product {MATMUL_SIZE}³, {name}", rate / 1e9, "GFLOP/s")
    fastest = max(rates, key=lambda name: rates[name])
    for kind in kinds:
        torch.manual_seed(1)
        network = kind.build(sizes.build_config(kind))
        parameters = sum(parameter.numel() for parameter in network.parameters())
        optimiser = torch.optim.Adam(network.parameters(), fused=True)
        source = torch.randint(3, sizes.vocabulary, (sizes.batch, sizes.source))
        target = torch.randint(3, sizes.vocabulary, (sizes.batch, sizes.target))
        contenders: dict[str, Callable[[], torch.Tensor]] = {
            "plain": partial(network.loss, source, target),
        }
        if kind.loss:
            contenders["fast, float32"] = partial(kind.compute_loss, network, source, target)
        if kind.loss and has_bfloat16:
            contenders["fast, bfloat16"] = partial(kind.compute_loss, network, source, target, use_bfloat16=True)
        operations = count_matmul_operations(contenders["plain"])
        updates = {name: partial(_update, network, optimiser, partial(_run_backward, loss, sizes.target_tokens))
                   for name, loss in contenders.items()}  # fmt: skip
        timings = _time_in_turns(updates, rounds, kind.name, progress)
        for name, timing in timings.items():
            share = operations / timing.median / rates[fastest]
            yield BenchmarkLine(
                f"training {kind.name}, {name}", sizes.target_tokens / timing.median, "target tokens/s",
                f"{timings['plain'].median / timing.median:.2f} x plain, {share:.0%} of the {fastest} product rate, "
                f"peak memory {timing.memory:.0f} MB, {parameters / 1e6:.1f} M parameters",
            )  # fmt: skip


def benchmark_gpu_training(sizes: BenchmarkSizes, *, rounds: int, progress: Callable[[str], None],
                    kinds: Sequence[registry.NetworkKind]) -> Iterator[BenchmarkLine]:
    """Yield target tokens per second of whole updates on a GPU, launched one by one and as a CUDA graph; nothing
    without one.
    """
    if not torch.cuda.is_available():
        return
    device = torch.device(GPU)
    has_bfloat16 = supports_bfloat16(device)
    rate = _measure_product_rate(torch.bfloat16 if has_bfloat16 else torch.float32, 4 * MATMUL_SIZE, device)
    machine = describe_machine(device, has_bfloat16)
    yield BenchmarkLine(f"{machine}: matrix product {4 * MATMUL_SIZE}³", rate / 1e9, "GFLOP/s")
    for kind in kinds:
        torch.manual_seed(1)
        network = kind.build(sizes.build_config(kind)).to(device)
        if not kind.can_capture_loss(network.config, 0.0):
            continue
        parameters = list(network.parameters())
        allocate_gradients(parameters)
        optimiser = torch.optim.Adam(parameters, fused=True)
        loss = partial(kind.compute_loss, network, use_bfloat16=has_bfloat16)
        source, target = (torch.randint(3, sizes.vocabulary, (sizes.batch, length))
                          for length in (sizes.source, sizes.target))
        contenders: dict[str, Callable[[], object]] = {
            "eager": partial(
                _run_backward, partial(loss, source.to(device), target.to(device)), sizes.target_tokens
            ),
            "CUDA graph": partial(
                CudaGraphCache(loss, parameters).compute_gradients, source.numpy(), target.numpy(), sizes.target_tokens
            ),
        }
        updates = {name: partial(_update, network, optimiser, compute, is_allocated=True)
                   for name, compute in contenders.items()}  # fmt: skip
        # The second round records the graph.
        timings = _time_in_turns(updates, rounds, f"{kind.name} on a GPU", progress, warmups=2)
        for name, timing in timings.items():
            yield BenchmarkLine(
                f"training {kind.name} on a GPU, {name}", sizes.target_tokens / timing.median, "target tokens/s",
                f"{timings['eager'].median / timing.median:.2f} x eager, "
                f"{1000 * timing.median:.1f} ms an update",
            )  # fmt: skip


def benchmark_decoding(
    model: Model, sentences: list[str], *, rounds: int, progress: Callable[[str], None]
) -> Iterator[BenchmarkLine]:
    """Yield sentences and target tokens per second, greedy and with beam 5, one sentence at a time and 64 together."""
    encoded = [model.vocabulary.encode(normalise(sentence)) for sentence in sentences]
    plans = [(beam, batch) for beam in (1, 5) for batch in (1, 64)]
    rates: dict[tuple[int, int], list[tuple[float, float]]] = {plan: [] for plan in plans}
    for turn in range(rounds):
        for beam, batch in plans:
            progress(f"decoding, beam {beam}, batch {batch}, round {turn + 1} of {rounds}")
            settings = Settings(beam=beam, candidates=0)
            sources = encoded if batch == 1 else sorted((encoded * (-(-batch // len(encoded))))[:batch], key=len)
            start_time, pieces = time.perf_counter(), 0
            for start in range(0, len(sources), batch):
                for hypotheses in search(model.network, sources[start : start + batch], settings):
                    pieces += len(hypotheses[0].tokens)
            seconds = time.perf_counter() - start_time
            rates[beam, batch].append((len(sources) / seconds, pieces / seconds))
    for (beam, batch), measured in rates.items():
        name = "greedy" if beam == 1 else f"beam {beam}"
        per_sentence, per_piece = (statistics.median(values) for values in zip(*measured, strict=True))
        yield BenchmarkLine(f"decoding {model.name}, {name}, batch {batch}", per_sentence, "sentences/s",
                   f"{per_piece:,.0f} target tokens/s, {1000 / per_sentence:.1f} ms a sentence")


SEARCHES = ((1, 1), (1, 64), (12, 1))  # beams, and sentences at a time


class EndlessDecoder:
    """A network that never ends a sentence, so that all targets have the longest allowed length."""

    def __init__(self, network: Translator) -> None:
        self._network, self.maps = network, network.maps
        self.encode, self.start, self.get_encoder_attention_weights = (
            network.encode,
            network.start,
            network.get_encoder_attention_weights,
        )

    def step(
        self, state: Any, token: torch.Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        """Run the network's step with the end made impossible."""
        result = self._network.step(state, token, detail=detail, overrides=overrides)
        result.log_probs.select(1, EOS).fill_(-math.inf)
        return result


def benchmark_search(sizes: BenchmarkSizes, *, rounds: int, progress: Callable[[str], None],
              kinds: Sequence[registry.NetworkKind]) -> Iterator[BenchmarkLine]:
    """Yield target tokens per second of random networks with targets of `sizes.target` tokens.

    Contenders are the network's own step and its fast decoder. Weights are rounded to half precision like shipped ones.
    The numbers can be compared with other programs at the same sizes.
    """
    ratio = (sizes.target - 0.5) / sizes.source  # search rounds it up, and 28 / 25 * 25 may exceed 28
    settings = {beam: Settings(beam=beam, candidates=0, max_ratio=ratio) for beam, _ in SEARCHES}
    for kind in kinds:
        torch.manual_seed(1)
        network = kind.build(sizes.build_config(kind))
        with torch.no_grad():
            for weights in network.parameters():  # as large as trained ones, so that tokens differ
                weights.normal_(0.0, 2 / math.sqrt(weights.shape[-1]))
        network = network.half().float().eval()
        contenders: dict[str, Translator] = {"own step": EndlessDecoder(network),
                                             "for search": EndlessDecoder(get_fast_decoder(network))}
        token_ids = torch.randint(3, sizes.vocabulary, (64, sizes.source - 1)).tolist()
        sources = [[*pieces, EOS] for pieces in token_ids]
        for beam, batch in SEARCHES:
            batch_sources = sources[: max(batch, 4)]
            searches = {name: partial(_count_searched_tokens, decoder, batch_sources, batch, settings[beam])
                        for name, decoder in contenders.items()}  # fmt: skip
            timings = _time_in_turns(searches, rounds, f"{kind.name}, beam {beam}, batch {batch}", progress)
            own_timing, fast_timing = timings["own step"], timings["for search"]
            search_name = "greedy" if beam == 1 else f"beam {beam}"
            yield BenchmarkLine(
                f"search {kind.name}, random weights, {search_name}, batch {batch}",
                fast_timing.result / fast_timing.median, "target tokens/s",
                f"{own_timing.median / fast_timing.median:.2f} x its own step, "
                f"{fast_timing.result // len(batch_sources)} pieces a sentence, "
                f"{len(batch_sources) / fast_timing.median:,.1f} sentences/s, peak memory "
                f"{max(own_timing.memory, fast_timing.memory):.0f} MB",
            )  # fmt: skip


def _count_searched_tokens(
    decoder: Translator, sources: Sequence[list[int]], batch_size: int, settings: Settings
) -> int:
    """Search in batches and return the number of tokens of the best hypotheses."""
    return sum(len(best.tokens) for first in range(0, len(sources), batch_size)
               for best, *_ in search(decoder, sources[first : first + batch_size], settings))  # fmt: skip


@dataclass
class _Timing:
    """The seconds of each round, the peak memory in MB, and the last result."""

    seconds: list[float]
    memory: float = 0.0
    result: Any = None

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def _time_in_turns(
    contenders: Mapping[str, Callable[[], Any]], rounds: int, title: str, progress: Callable[[str], None],
    warmups: int = 1,
) -> dict[str, _Timing]:
    """Run the contenders in turns, first in rounds that warm up and are not timed."""
    timings = {name: _Timing([]) for name in contenders}
    for turn in range(1 - warmups, rounds + 1):
        for name, run in contenders.items():
            progress(f"{title}, {name}, round {max(turn, 0)} of {rounds}")
            timing = timings[name]
            _reset_peak_memory()
            _synchronize()
            start_time = time.perf_counter()
            timing.result = run()
            _synchronize()
            if turn > 0:
                timing.seconds.append(time.perf_counter() - start_time)
                timing.memory = max(timing.memory, _read_peak_memory())
    return timings


def _synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def describe_conditions() -> list[str]:
    """Describe the processor, its threads and its load."""
    device = torch.device("cpu")
    machine = describe_machine(device, supports_bfloat16(device))
    if not hasattr(os, "getloadavg"):  # Windows
        return [machine]
    return [machine, f"load average {', '.join(f'{value:.2f}' for value in os.getloadavg())}"]


def count_matmul_operations(loss: Callable[[], torch.Tensor]) -> int:
    """Return the floating-point operations in the matrix products of one update by the plain loop, forward and
    backward.
    """
    with FlopCounterMode(display=False) as counter:
        loss().backward()
    return int(counter.get_total_flops())


def _run_backward(loss: Callable[[], torch.Tensor], tokens: int) -> None:
    (loss() / tokens).backward()


def _update(network: torch.nn.Module, optimiser: torch.optim.Optimizer, compute_gradients: Callable[[], object],
            is_allocated: bool = False) -> None:
    optimiser.zero_grad(set_to_none=not is_allocated)
    compute_gradients()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def _measure_product_rate(dtype: torch.dtype, size: int, device: torch.device | None = None) -> float:
    """Return operations per second of a large matrix product, the best of several."""
    a, b = (torch.randn(size, size).to(device, dtype) for _ in range(2))
    times = []
    for _ in range(6):
        start_time = time.perf_counter()
        torch.mm(a, b)
        if a.is_cuda:
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start_time)
    return float(2 * size**3 / min(times))


def _reset_peak_memory() -> None:
    """Reset the process's peak memory, where the system allows it (Linux)."""
    if os.access("/proc/self/clear_refs", os.W_OK):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _read_peak_memory() -> float:
    """Return the process's peak memory since, in MB; 0 if unknown. The system reports KiB."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    lines = (line.split() for line in status.read_text(encoding="ascii", errors="replace").splitlines())
    return next((int(line[1]) * 1024 / 1e6 for line in lines if line and line[0] == "VmHWM:"), 0.0)
