"""Check what the benchmark reports besides times; tests/model/cli runs it."""

import os

import pytest

from model.analysis import benchmark as bench
from model.networks import registry


def test_without_a_load_average_only_the_machine_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    if hasattr(os, "getloadavg"):
        assert bench.describe_conditions()[1].startswith("load average ")
        monkeypatch.delattr(os, "getloadavg")
    assert len(bench.describe_conditions()) == 1


@pytest.mark.parametrize("target", [10, 27, 28, 55])
def test_benchmark_targets_have_the_given_length(target: int) -> None:
    shape = bench.BenchmarkSizes(hidden=4, alignment=4, embedding=4, readout=4, vocabulary=40, source=25, target=target)
    kinds = [registry.find_kind("rnnencdec")]
    for line in bench.benchmark_search(shape, rounds=1, progress=lambda _: None, kinds=kinds):
        assert f", {target} pieces a sentence, " in line.note
