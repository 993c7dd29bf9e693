"""Two processes, as torchrun starts them, are one: the same gradients, the same run, one that writes and reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model.training.distributed import allocate_gradients, join_process_group
from model.training.state import STATE
from tests.model.training.runs import run_driver


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("group")
    run_driver("group", data, path)
    return path


@pytest.fixture(scope="module")
def alone(folder: Path) -> dict[str, Any]:
    return dict(torch.load(folder / "alone.pt", weights_only=True))


@pytest.fixture(scope="module")
def together(folder: Path) -> list[dict[str, Any]]:
    return [torch.load(folder / f"{rank}.pt", weights_only=True) for rank in (0, 1)]


def test_gradients_are_those_of_one_process(alone: dict[str, Any], together: list[dict[str, Any]]) -> None:
    """In float64 with dropout off within 1e-9, a batch of a single pair included."""
    assert [alone["size"], *(each["size"] for each in together)] == [1, 2, 2]
    assert len(alone["gradients"]) == 4
    for each in together:
        for expected, found in zip(alone["gradients"], each["gradients"], strict=True):
            assert found.keys() == expected.keys()
            assert found["loss"] == pytest.approx(expected["loss"], rel=0, abs=1e-9)
            for name in found.keys() - {"loss"}:
                assert found[name].dtype == torch.float64
                assert float((found[name] - expected[name]).abs().max()) < 1e-9, name
            assert float(found["b_w"].abs().max()) > 1e-3


def test_they_stay_together_and_come_to_the_same(alone: dict[str, Any], together: list[dict[str, Any]]) -> None:
    for name, value in together[0]["weights"].items():
        assert torch.equal(value, together[1]["weights"][name]), "bit for bit"
        assert float((value - alone["weights"][name]).abs().max()) < 1e-8, name
    for each in together:
        for key in ("updates", "pieces", "position"):
            assert each["progress"][key] == alone["progress"][key]
        assert each["progress"]["loss"] == pytest.approx(alone["progress"]["loss"], rel=1e-9)


def test_the_processors_time_is_that_of_all_together(alone: dict[str, Any], together: list[dict[str, Any]]) -> None:
    """No two processes need the same, but all hear the same, and the one that saves tells it."""
    assert [alone["sum"], together[0]["sum"], together[1]["sum"]] == [0.5, 2.0, 2.0]
    assert together[0]["progress"]["processor_seconds"] == together[1]["progress"]["processor_seconds"] > 0


def test_only_the_first_saves_evaluates_and_reports(
    folder: Path, alone: dict[str, Any], together: list[dict[str, Any]]
) -> None:
    assert (folder / "of two 0" / STATE).is_file()
    assert (folder / "of two 0" / "best").is_dir()
    assert not (folder / "of two 1").exists()
    assert together[0]["reports"] == alone["reports"][: len(together[0]["reports"])]
    assert "evaluated" in together[0]["reports"]
    assert together[1]["reports"] == []
    assert together[1]["progress"]["curve"] == []


def test_one_asked_to_stop_stops_all(alone: dict[str, Any], together: list[dict[str, Any]]) -> None:
    assert [alone["stopped"], together[0]["stopped"], together[1]["stopped"]] == [12, 6, 6]


def test_each_draws_dropout_of_its_own(alone: dict[str, Any], together: list[dict[str, Any]]) -> None:
    assert not torch.equal(together[0]["sown"], together[1]["sown"])
    for each in together:
        assert torch.equal(each["sown"], each["again"]), "by seed, update and rank alone"
    assert not torch.equal(alone["sown"], alone["again"]), "one process goes on in its stream"


def test_whoever_is_not_started_by_torchrun_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "8")  # as some clusters set it
    monkeypatch.delenv("TORCHELASTIC_RUN_ID", raising=False)
    group = join_process_group()
    assert (group.rank, group.size, group.is_first) == (0, 1, True)
    assert group.all_reduce_any(True)
    assert not group.all_reduce_any(False)


def test_gradients_are_laid_out_in_one_vector_that_leaves_a_place_for_the_loss() -> None:
    parameters = [torch.zeros(shape, requires_grad=True) for shape in ((3, 5), (16,), (2, 2, 2), (33,))]
    whole = allocate_gradients(parameters)
    for number, parameter in enumerate(parameters, 1):
        (parameter * number).sum().backward()
        assert parameter.grad is not None
        assert parameter.grad.data_ptr() % 64 == whole.data_ptr() % 64
        assert torch.equal(parameter.grad, torch.full_like(parameter, number))
    assert whole.sum() == sum(number * parameter.numel() for number, parameter in enumerate(parameters, 1))
    assert len(whole) == 16 + 16 + 16 + 48 + 1
    assert whole[-1] == 0
