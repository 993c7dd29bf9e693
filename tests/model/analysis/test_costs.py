"""Check that costs are measured for every kind, restored exactly, and refused if inconsistent."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from model.analysis import costs
from model.analysis.benchmark import BenchmarkSizes
from model.analysis.costs import Costs, costs_to_json, load_costs, measure_costs
from model.decoding.fast.get_decoder import get_fast_decoder
from model.networks import registry
from model.serialization.codec import CodecError, parse_json, read_record


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.analysis.benchmark.BenchmarkSizes", lambda: BenchmarkSizes(16, 16, 8, 8, 1, 50))


@pytest.mark.verdict
def test_every_kind_is_measured_and_restored(small: None) -> None:
    kinds = [kind for kind in registry.list_kinds_by_year() if kind.network.startswith("model.")]
    found = measure_costs(kinds, rounds=1, lengths=(3, 5))
    assert [one.kind for one in found.costs] == [kind.name for kind in kinds]
    assert {one.kind for one in found.costs if not one.attends} == {"rnnencdec", "seq2seq"}
    assert (found.lengths, found.hidden) == ((3, 5), 16)
    assert read_record(Costs, parse_json(costs_to_json(found), "costs"), "costs") == found


def test_recurrent_encoders_take_longer_for_longer_sources(small: None) -> None:
    (one,) = measure_costs([registry.find_kind("rnnsearch")], rounds=3, lengths=(4, 120)).costs
    assert one.reading[1] > 3 * one.reading[0]


def test_networks_have_half_precision_weights(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half precision, as shipped weights, so that memory traffic is that of the app."""
    made: list[torch.nn.Module] = []

    def noted(network: Any) -> Any:
        made.append(network)
        return get_fast_decoder(network)

    monkeypatch.setattr("model.decoding.fast.get_decoder.get_fast_decoder", noted)
    kinds = [registry.find_kind(name) for name in ("rnnsearch", "transformer")]
    measure_costs(kinds, rounds=1, lengths=(3,))
    assert len(made) == len(kinds)
    for weights in (weights for network in made for weights in network.parameters()):
        assert weights.dtype == torch.float32
        assert torch.equal(weights, weights.half().float())


@pytest.mark.parametrize("length", [4, 10, 57])
def test_the_timed_steps_are_centred_on_the_length(length: int,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """The network advances a fake clock; a step takes as many seconds as tokens precede it."""
    clock = SimpleNamespace(now=0.0)

    class Slower:
        def encode(self, source: torch.Tensor) -> int:
            return 0

        def start(self, memory: int) -> int:
            clock.now += 7
            return memory

        def step(self, written: int, piece: torch.Tensor) -> SimpleNamespace:
            clock.now += written
            return SimpleNamespace(state=written + 1)

    monkeypatch.setattr(costs, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    assert costs.time_once(Slower(), length, 50) == (7000, 1000 * length)  # type: ignore[arg-type]


def test_the_shipped_costs_cover_every_kind_and_length() -> None:
    found = load_costs()
    assert {one.kind for one in found.costs} >= {name for name, kind in registry.KINDS.items() if kind.year}
    assert (found.lengths, found.lengths[0], found.lengths[-1]) == (costs.LENGTHS, 10, 400)
    assert found.command == costs.COMMAND


@pytest.mark.parametrize("times", [(1.0,), (1.0, 0.0), (1.0, -1.0)])
def test_missing_times_are_refused(times: tuple[float, ...], small: None) -> None:
    found = measure_costs([registry.find_kind("rnnencdec")], rounds=1, lengths=(3, 5))
    with pytest.raises(CodecError, match="rnnencdec must have a time above 0 for each of 2 lengths"):
        replace(found, costs=(replace(found.costs[0], step=times),))
