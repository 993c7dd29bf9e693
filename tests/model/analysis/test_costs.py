"""Check that costs are measured for every kind, restored exactly, and refused if inconsistent."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from model.analysis import cost_measurement, costs
from model.analysis.benchmark import BenchmarkSizes
from model.analysis.cost_measurement import measure_costs
from model.analysis.costs import Costs, dump_costs, load_costs
from model.networks import registry
from model.serialization.codec import CodecError, parse_json, read_record


@pytest.mark.verdict
def test_every_kind_is_measured_and_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_measurement, "BenchmarkSizes", lambda: BenchmarkSizes(16, 16, 8, 8, 1, 50))
    kinds = [kind for kind in registry.list_kinds_by_year() if kind.network.startswith("model.")]
    result = measure_costs(kinds, rounds=1, lengths=(3, 5))
    assert [cost.kind for cost in result.costs] == [kind.name for kind in kinds]
    assert {cost.kind for cost in result.costs if not cost.has_attention} == {"rnnencdec", "seq2seq"}
    assert read_record(Costs, parse_json(dump_costs(result), "costs"), "costs") == result
    with pytest.raises(CodecError, match="must have a time above 0 for each of 2 lengths"):
        replace(result, costs=(replace(result.costs[0], step=(1.0, 0.0)),))
    with pytest.raises(CodecError, match="schema 1: got schema 2"):
        replace(result, schema=2)


@pytest.mark.parametrize("length", [4, 57])
def test_timed_steps_are_centred_on_the_length(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network advances a fake clock; a step takes as many seconds as tokens precede it."""
    clock = SimpleNamespace(seconds=0.0)

    class SlowingNetwork:
        def encode(self, source: torch.Tensor) -> int:
            return 0

        def start(self, memory: int) -> int:
            clock.seconds += 7
            return memory

        def step(self, token_count: int, piece: torch.Tensor) -> SimpleNamespace:
            clock.seconds += token_count
            return SimpleNamespace(state=token_count + 1)

    monkeypatch.setattr(cost_measurement, "time", SimpleNamespace(perf_counter=lambda: clock.seconds))
    assert cost_measurement.time_encoding_and_step(SlowingNetwork(), length, 50) == (7000, 1000 * length)  # type: ignore[arg-type]


def test_the_shipped_costs_cover_every_kind_and_length() -> None:
    result = load_costs()
    assert {cost.kind for cost in result.costs} >= {name for name, kind in registry.KINDS.items() if kind.year}
    assert (result.lengths, result.lengths[0], result.lengths[-1]) == (costs.LENGTHS, 10, 400)
    assert result.command == costs.COMMAND
