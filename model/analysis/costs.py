"""What looking costs: the time of reading a sentence and of one step of writing, by the sentence's length, for each
kind of network at equal sizes (`model.analysis.benchmark.Shape`), on one thread, one sentence at a time, as the app
translates.

The weights are drawn, of half precision as shipped ones are: how long a step takes does not hang on what they say, but
on how much of them is fetched. A step is timed after as many pieces as the source has, since a network that looks at
what it has written too looks at all of that. Reading needs no torch.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.paths import ASSETS
from model.serialization.codec import CodecError, dump_json, parse_json, read_record, to_plain

if TYPE_CHECKING:
    from model.networks.base import Translator
    from model.networks.registry import NetworkKind

FILE = ASSETS / "costs.json"
SCHEMA = 1
LENGTHS = (10, 20, 40, 60, 80, 120, 160, 240, 320, 400)
STEPS = 9  # timed in a row, the one that is meant in their middle
COMMAND = "python -m model costs --save"


@dataclass(frozen=True)
class Cost:
    """Of one kind of network: its parameters, whether it attends, and in milliseconds the medians of reading sources of
    the lengths measured and of one step of writing after as many pieces."""

    kind: str
    parameters: int
    attends: bool
    reading: tuple[float, ...]
    step: tuple[float, ...]


@dataclass(frozen=True)
class Costs:
    """What was measured: `lengths` of the source in pieces, `hidden` (d), and how: in how many rounds, where, when."""

    lengths: tuple[int, ...]
    hidden: int
    layers: int
    rounds: int
    costs: tuple[Cost, ...]
    machine: str
    made: str
    command: str = COMMAND
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        """Raises CodecError where a kind has not a positive time for every length."""
        for one in self.costs:
            for times in (one.reading, one.step):
                if len(times) != len(self.lengths) or not all(value > 0 for value in times):
                    raise CodecError(f"{one.kind} must have a time above 0 for each of {len(self.lengths)} lengths")


def measure_costs(kinds: Sequence[NetworkKind], *, rounds: int, lengths: Sequence[int] = LENGTHS,
            progress: Callable[[str], None] = lambda _: None) -> Costs:
    """Measure these kinds, which take turns length by length so that what else the machine does hits all alike; all by
    torch's operations, though some have compiled ones."""
    import torch

    from model.analysis.benchmark import BenchmarkSizes, describe_conditions
    from model.decoding.fast.get_decoder import get_fast_decoder

    shape = BenchmarkSizes()
    with _alike():
        built: list[Any] = []  # the way through a search does not hold its network
        networks: dict[str, Translator] = {}
        parameters: dict[str, int] = {}
        for kind in kinds:
            torch.manual_seed(1)
            network = kind.build(shape.config(kind)).half().float().eval()
            built.append(network)
            parameters[kind.name] = sum(one.numel() for one in network.parameters())
            networks[kind.name] = get_fast_decoder(network)
        seen: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for turn in range(rounds + 1):
            for length in lengths if turn else lengths[:1]:  # the first turn warms up
                for name, one in networks.items():
                    progress(f"{name}, {length} pieces, round {turn} of {rounds}")
                    times = _once(one, length, shape.vocabulary)
                    if turn:
                        seen.setdefault((name, length), []).append(times)
        found = tuple(
            Cost(name, parameters[name], any(description.is_source_attention for description in one.maps), *(
                tuple(round(statistics.median(times[part] for times in seen[name, length]), 4) for length in lengths)
                for part in (0, 1)))
            for name, one in networks.items()
        )  # fmt: skip
        return Costs(tuple(lengths), shape.hidden, shape.layers, rounds, found, "; ".join(describe_conditions()),
                     datetime.now(UTC).isoformat(timespec="seconds"))  # fmt: skip


@contextmanager
def _alike() -> Iterator[None]:
    """One thread, and nothing that is compiled for some kinds."""
    import torch

    from model.decoding.fast.background_compile import disable_kernels

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with disable_kernels():
            yield
    finally:
        torch.set_num_threads(threads)


def _once(network: Translator, length: int, vocabulary: int) -> tuple[float, float]:
    """Milliseconds of reading one source of that length, and of a step after as many pieces: the median of those around
    it, fewer before it where the source is shorter than that."""
    import torch

    from model.text.vocabulary import EOS

    pieces = torch.randint(3, vocabulary, (1, length))
    source = torch.cat([pieces[:, 1:], torch.tensor([[EOS]])], dim=1)
    steps: list[float] = []
    with torch.inference_mode():
        began = time.perf_counter()
        state = network.start(network.encode(source))
        reading = time.perf_counter() - began
        for place in range(length + STEPS // 2 + 1):
            piece = pieces[:, place % length]
            began = time.perf_counter()
            state = network.step(state, piece).state
            if place >= length - STEPS // 2:
                steps.append(time.perf_counter() - began)
    return 1000 * reading, 1000 * statistics.median(steps)


def costs_to_json(found: Costs) -> str:
    """The file of a measurement."""
    return dump_json(to_plain(found))


@cache
def load_costs(file: Path = FILE) -> Costs:
    """What was measured for the app. Raises CodecError or OSError where the file holds none."""
    return read_record(Costs, parse_json(file.read_bytes(), "what looking costs"), "costs")
