"""Two processes started by torchrun train like one; only the first writes and reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model.training.distributed import allocate_gradients, join_process_group
from model.training.state import STATE
from tests.model.training.runs import run_driver

Record = dict[str, Any]


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("group")
    run_driver(data, path)
    return path


@pytest.fixture(scope="module")
def single_record(folder: Path) -> Record:
    return dict(torch.load(folder / "alone.pt", weights_only=True))


@pytest.fixture(scope="module")
def pair(folder: Path) -> list[Record]:
    return [torch.load(folder / f"{rank}.pt", weights_only=True) for rank in (0, 1)]


def test_gradients_equal_those_of_one_process(single_record: Record, pair: list[Record]) -> None:
    assert [single_record["size"], *(record["size"] for record in pair)] == [1, 2, 2]
    assert len(single_record["gradients"]) == 4
    for record in pair:
        for expected, actual in zip(single_record["gradients"], record["gradients"], strict=True):
            assert actual.keys() == expected.keys()
            assert actual["loss"] == pytest.approx(expected["loss"], rel=0, abs=1e-9)
            for name in actual.keys() - {"loss"}:
                assert actual[name].dtype == torch.float64
                assert float((actual[name] - expected[name]).abs().max()) < 1e-9, name
            assert float(actual["b_w"].abs().max()) > 1e-3


def test_weights_and_counters_equal_those_of_one_process_but_not_dropout(
    single_record: Record, pair: list[Record]
) -> None:
    for name, value in pair[0]["weights"].items():
        assert torch.equal(value, pair[1]["weights"][name])
        assert float((value - single_record["weights"][name]).abs().max()) < 1e-8, name
    for record in pair:
        for key in ("updates", "target_tokens", "position"):
            assert record["progress"][key] == single_record["progress"][key]
        assert record["progress"]["loss"] == pytest.approx(single_record["progress"]["loss"], rel=1e-9)
        assert torch.equal(*record["random"])
    assert not torch.equal(pair[0]["random"][0], pair[1]["random"][0])
    assert not torch.equal(*single_record["random"])  # a single process keeps its stream
    assert [single_record["sum"], pair[0]["sum"], pair[1]["sum"]] == [0.5, 2.0, 2.0]
    assert pair[0]["progress"]["processor_seconds"] == pair[1]["progress"]["processor_seconds"] > 0


def test_only_the_first_process_saves_and_reports_and_each_may_stop_all(
    folder: Path, single_record: Record, pair: list[Record]
) -> None:
    assert (folder / "of two 0" / STATE).is_file()
    assert (folder / "of two 0" / "best").is_dir()
    assert not (folder / "of two 1").exists()
    assert pair[0]["reports"] == single_record["reports"][: len(pair[0]["reports"])]
    assert True in pair[0]["reports"]
    assert pair[1]["reports"] == pair[1]["progress"]["curve"] == []
    assert [single_record["last_update"], pair[0]["last_update"], pair[1]["last_update"]] == [12, 6, 6]


def test_without_torchrun_a_process_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "8")  # as some clusters set it
    monkeypatch.delenv("TORCHELASTIC_RUN_ID", raising=False)
    group = join_process_group()
    assert (group.rank, group.size, group.is_first) == (0, 1, True)
    assert group.all_reduce_any(True)
    assert not group.all_reduce_any(False)


def test_gradients_are_views_of_one_vector_that_ends_with_the_loss() -> None:
    parameters = [torch.zeros(shape, requires_grad=True) for shape in ((3, 5), (16,), (2, 2, 2), (33,))]
    vector = allocate_gradients(parameters)
    for number, parameter in enumerate(parameters, 1):
        (parameter * number).sum().backward()
        assert parameter.grad is not None
        assert parameter.grad.data_ptr() % 64 == vector.data_ptr() % 64
        assert torch.equal(parameter.grad, torch.full_like(parameter, number))
    assert vector.sum() == sum(number * parameter.numel() for number, parameter in enumerate(parameters, 1))
    assert len(vector) == 16 + 16 + 16 + 48 + 1
    assert vector[-1] == 0
