"""`bench` and `costs`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from model.analysis import benchmark, cost_measurement, costs
from model.analysis.benchmark import BenchmarkSizes, count_matmul_operations
from model.checkpoints import checkpoint
from model.networks import registry
from tests.model.cli.running import Run

SMALL = ("--rounds", "1", "--hidden", "8", "--embedding", "6", "--vocabulary", "50", "--source", "9", "--target", "10")


def test_bench_measures_the_named_kind(run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.analysis.benchmark.MATMUL_SIZE", 64)
    monkeypatch.setattr("model.cli.speed.read_everyday", list)
    options = ("--batch", "2", "-m", str(tiny), "--kind", "luong", "--layers", "3")
    code, out, _ = run("bench", *SMALL, *options)
    assert code == 0
    assert out.count("x its own step, 10 pieces a sentence") == 3  # searches
    assert {line.split()[1].rstrip(",") for line in out.splitlines() if line.startswith(("training", "drawn"))} == \
        {"luong"}
    for part in ("load average", "training luong, fast, float32", "x plain", "greedy, batch 1 ", "beam 5, batch 64",
                 "drawn luong, beam 12, batch 1", "layers=3", "M parameters", "sentences/s, peak memory"):  # fmt: skip
        assert part in out


def test_batches_are_decoded_of_the_same_sentences_as_one_by_one(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, searched = checkpoint.load_model(str(tiny)), []

    def record_lengths(_network: object, sources: list[list[int]], _settings: object) -> list[list[SimpleNamespace]]:
        searched.append([len(source) for source in sources])
        return [[SimpleNamespace(tokens=[1])] for _ in sources]

    monkeypatch.setattr(benchmark, "search", record_lengths)
    sentences = ["Yes.", "The cat sleeps.", "The grey cat sleeps on the roof."]
    list(benchmark.benchmark_decoding(model, sentences, rounds=1, progress=lambda _: None))
    one, two, three, batch = searched[:4]
    assert [batch.count(length) for (length,) in (one, two, three)] == [22, 21, 21]


def test_matmul_operations_equal_those_of_the_equations() -> None:
    """RNNsearch: 2 operations per weight and row, and twice as many backward. The first steps have slightly fewer."""
    m, n, a, l, v = 3, 5, 4, 2, 11
    shape = BenchmarkSizes(hidden=n, alignment=a, embedding=m, readout=l, vocabulary=v, batch=2, source=60, target=80)
    kind = registry.find_kind("rnnsearch")
    network = kind.build(shape.build_config(kind))
    source, target = (torch.randint(3, v, (shape.batch, length)) for length in (shape.source, shape.target))
    encoder = 2 * 3 * n * (m + n) + 2 * n * a
    attention = n * a + shape.source * 2 * n  # without the product with v_a, a vector
    decoder = 3 * n * (m + n + 2 * n) + attention
    output = 2 * l * (n + m + 2 * n) + l * v
    expected = 3 * 2 * shape.batch * (shape.source * encoder + shape.target * (decoder + output))
    assert count_matmul_operations(lambda: network.loss(source, target)) == pytest.approx(expected, rel=0.03)


def test_costs_are_replaced_atomically(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, measured = tmp_path / "costs.json", costs.load_costs()
    file.write_text("before")
    monkeypatch.setattr(costs, "FILE", file)
    monkeypatch.setattr(cost_measurement, "measure_costs", lambda *_, **__: measured)
    with file.open() as reader:
        code, out, _ = run("costs", "--save")
        assert reader.read() == "before"
    assert (code, out.splitlines()[-1]) == (0, f"written to {file}")
    assert costs.load_costs(file) == measured


def test_saved_costs_name_their_rounds(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, measured = tmp_path / "costs.json", costs.load_costs()
    monkeypatch.setattr(costs, "FILE", file)
    monkeypatch.setattr(cost_measurement, "measure_costs", lambda *_, **__: measured)
    assert run("costs", "--rounds", "10", "--save")[0] == 0
    assert costs.load_costs(file).command == "python -m model costs --rounds 10 --save"
