"""Measure the time of encoding and of one decoder step by source length, for networks of equal size.

Sizes are those of `model.analysis.benchmark.BenchmarkSizes`. One thread, one sentence at a time, as in the app. Weights
are random, in half precision like shipped ones: time depends on their amount, not on their values. A step is timed
after as many tokens as the source has, because self-attention also reads the generated tokens.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from model.analysis.benchmark import BenchmarkSizes, describe_conditions
from model.analysis.costs import LENGTHS, Cost, Costs
from model.decoding.fast.background_compile import disable_kernels
from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks.base import Translator
from model.networks.registry import NetworkKind
from model.serialization.timestamps import format_current_time
from model.text.vocabulary import EOS

STEPS = 9  # decoder steps timed around the wanted length; their median is kept


def measure_costs(
    kinds: Sequence[NetworkKind], *, rounds: int, lengths: Sequence[int] = LENGTHS,
    progress: Callable[[str], None] = lambda _: None,
) -> Costs:
    """Measure these kinds in turns, length by length, so that the machine's other load affects all alike.

    All of them run in torch operations, although some have compiled ones.
    """
    sizes = BenchmarkSizes()
    with _use_one_thread():
        networks: list[Any] = []  # a fast decoder does not keep its network alive
        decoders: dict[str, Translator] = {}
        parameters: dict[str, int] = {}
        for kind in kinds:
            torch.manual_seed(1)
            network = kind.build(sizes.build_config(kind)).half().float().eval()
            networks.append(network)
            parameters[kind.name] = sum(tensor.numel() for tensor in network.parameters())
            decoders[kind.name] = get_fast_decoder(network)
        times_by_kind: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for round_number in range(rounds + 1):
            for length in lengths if round_number else lengths[:1]:  # round 0 warms up
                for name, decoder in decoders.items():
                    progress(f"{name}, {length} tokens, round {round_number} of {rounds}")
                    times = time_encoding_and_step(decoder, length, sizes.vocabulary)
                    if round_number:
                        times_by_kind.setdefault((name, length), []).append(times)

        def take_medians(name: str, part: int) -> tuple[float, ...]:
            return tuple(round(statistics.median(times[part] for times in times_by_kind[name, length]), 4)
                         for length in lengths)  # fmt: skip

        costs = tuple(
            Cost(name, parameters[name], any(description.is_target_by_source for description in decoder.maps),
                 take_medians(name, 0), take_medians(name, 1))
            for name, decoder in decoders.items()
        )  # fmt: skip
        return Costs(tuple(lengths), sizes.hidden, sizes.layers, rounds, costs, "; ".join(describe_conditions()),
                     format_current_time())  # fmt: skip


@contextmanager
def _use_one_thread() -> Iterator[None]:
    """Use one thread and no compiled operations."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with disable_kernels():
            yield
    finally:
        torch.set_num_threads(threads)


def time_encoding_and_step(network: Translator, length: int, vocabulary: int) -> tuple[float, float]:
    """Return milliseconds of encoding one source, and of a decoder step: the median of those around step `length`."""
    tokens = torch.randint(3, vocabulary, (1, length))
    source = torch.cat([tokens[:, 1:], torch.tensor([[EOS]])], dim=1)
    steps: list[float] = []
    with torch.inference_mode():
        start_time = time.perf_counter()
        state = network.start(network.encode(source))
        encoding_time = time.perf_counter() - start_time
        for index in range(length + STEPS // 2 + 1):
            token = tokens[:, index % length]
            start_time = time.perf_counter()
            state = network.step(state, token).state
            if index >= length - STEPS // 2:
                steps.append(time.perf_counter() - start_time)
    return 1000 * encoding_time, 1000 * statistics.median(steps)
