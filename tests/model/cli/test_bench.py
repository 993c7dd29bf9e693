"""`bench` and `costs`: every contender at equal sizes, and products counted as the equations have them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model.analysis import cost_measurement, costs
from model.networks.registry import KINDS
from tests.model.cli.running import Run


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench that takes no time: a small product, and the opening sentences alone to translate."""
    monkeypatch.setattr("model.analysis.benchmark.MATMUL_SIZE", 64)
    monkeypatch.setattr("model.cli.speed.read_everyday", list)


@pytest.mark.usefixtures("short")
def test_bench_measures_every_contender(run: Run, tiny: Path) -> None:
    code, out, _ = run("bench", "--rounds", "1", "--batch", "4", "--hidden", "8", "--embedding", "6", "-m", str(tiny),
                       "--vocabulary", "50", "--source", "9", "--target", "10")
    assert code == 0
    drawn = 3 * len(KINDS)  # three ways of searching each, all sentences as long as they may be
    assert out.count("x its own step, 10 pieces a sentence") == drawn
    for part in ("load average", "training rnnsearch, plain", "training rnnencdec, fast, float32", "x plain",
                 "greedy, batch 1 ", "beam 5, batch 64", "drawn rnnencdec, beam 12, batch 1", "M parameters",
                 "sentences/s, peak memory"):  # fmt: skip
        assert part in out


@pytest.mark.usefixtures("short")
def test_bench_measures_the_kinds_that_are_named(run: Run, tiny: Path) -> None:
    code, out, _ = run("bench", "--rounds", "1", "--batch", "2", "--hidden", "8", "--embedding", "6", "-m", str(tiny),
                       "--vocabulary", "50", "--source", "9", "--target", "10", "--kind", "luong", "--layers", "3")
    assert code == 0
    assert "layers=3" in out
    assert {line.split()[1].rstrip(",") for line in out.splitlines() if line.startswith(("training", "drawn"))} == \
        {"luong"}


def test_kinds_are_measured_at_equal_sizes() -> None:
    """What the bench compares has as many parameters, within a fifth; RNNencdec has no second encoder and no look."""
    from model.analysis.benchmark import BenchmarkSizes
    from model.networks import registry

    counts = {}
    ours = [kind for kind in registry.KINDS.values() if kind.network.startswith("model.")]  # tests register others
    for kind in ours:
        with torch.device("meta"):
            network = kind.build(BenchmarkSizes().config(kind))
        counts[kind.name] = sum(parameter.numel() for parameter in network.parameters())
        assert network.config.dropout == 0.0
    encdec = counts.pop("rnnencdec")
    assert encdec < min(counts.values())
    assert max(counts.values()) < 6 / 5 * min(counts.values()), counts


def test_products_are_counted_as_the_equations_have_them() -> None:
    """RNNsearch by its equations, 2 operations a weight and row, twice as many backward as forward. The first steps,
    which start from nothing, have less to do."""
    from model.analysis.benchmark import BenchmarkSizes, count_matmul_operations
    from model.networks import registry

    m, n, a, l, v = 3, 5, 4, 2, 11
    shape = BenchmarkSizes(hidden=n, alignment=a, embedding=m, readout=l, vocabulary=v, batch=2, source=60, target=80)
    kind = registry.find_kind("rnnsearch")
    network = kind.build(shape.config(kind))
    source, target = (torch.randint(3, v, (shape.batch, length)) for length in (shape.source, shape.target))
    encoder = 2 * 3 * n * (m + n) + 2 * n * a
    look = n * a + shape.source * 2 * n  # the energies' last product has a vector for a matrix and is not counted
    decoder = 3 * n * (m + n + 2 * n) + look
    output = 2 * l * (n + m + 2 * n) + l * v
    expected = 3 * 2 * shape.batch * (shape.source * encoder + shape.target * (decoder + output))
    assert count_matmul_operations(lambda: network.loss(source, target)) == pytest.approx(expected, rel=0.03)


def test_costs_are_kept_in_one_step(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, found = tmp_path / "costs.json", costs.load_costs()
    kept.write_text("before")
    monkeypatch.setattr(costs, "FILE", kept)
    monkeypatch.setattr(cost_measurement, "measure_costs", lambda *_, **__: found)
    with kept.open() as reading:
        code, out, _ = run("costs", "--save")
        assert reading.read() == "before"
    assert (code, out.splitlines()[-1]) == (0, f"written to {kept}")
    assert costs.load_costs(kept) == found
