"""A saved state that is whole but says what no run of ours says: one sentence, and never overwritten."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from model.training.machine import SizeError
from model.training.recipe import Plan
from model.training.state import STATE, StateError, read_state, write_state
from model.training.trainer import Trainer
from tests.hostile import CASES
from tests.model.training.runs import build_tiny_recipe, train_until

JUNK: tuple[Any, ...] = ("many", None, -1, math.inf, 10**400, [1], {"a": 1}, True, CASES["script"], "x" * 5000)
PLACES = ("updates", "pieces", "seconds", "processor_seconds", "cooling", "restarts", "best", "curve", "loss",
          "position",
          ("position", "epoch"), ("position", "pool"), ("position", "batch"),
          ("curve", 0), ("curve", 0, "pieces"), ("curve", 0, "hours"), ("curve", 0, "bleu"),
          ("curve", 0, "bleu", "all"))  # fmt: skip
FINE = (("best", -1), ("loss", math.inf), ("cooling", None))


@pytest.fixture(scope="module")
def saved(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    trainer = train_until(Trainer(folder, build_tiny_recipe(), Plan("rnnsearch", 50), data), 1)
    trainer.evaluate()
    trainer.save()
    return folder


def refused(state: dict[str, Any], data: Path, folder: Path) -> str:
    """The one sentence with which the state is refused; what was saved is as it was."""
    write_state(folder, state)
    before = (folder / STATE).read_bytes()
    with pytest.raises((StateError, SizeError)) as error:
        train_until(Trainer.resume(folder, data), 2)
    assert (folder / STATE).read_bytes() == before
    assert "\n" not in str(error.value)
    return str(error.value).replace(str(folder), "FOLDER")  # which is named after the test


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_odd_counters_are_refused(place: str | tuple[Any, ...], saved: Path, data: Path, tmp_path: Path) -> None:
    for junk in JUNK:
        if (place, junk) in FINE:
            continue
        state = copy.deepcopy(read_state(saved))
        at: Any = state["progress"]
        *way, last = (place,) if isinstance(place, str) else place
        for key in way:
            at = at[key]
        at[last] = junk
        told = refused(state, data, tmp_path)
        assert "does not fit its own recipe" in told
        assert len(told) < 500 + len(str(tmp_path))


@pytest.mark.parametrize(("key", "value"), [("epoch", 10**12), ("pool", 10**6), ("batch", 10**9)])
def test_a_position_far_outside_the_data_is_refused(
    key: str, value: int, saved: Path, data: Path, tmp_path: Path
) -> None:
    state = copy.deepcopy(read_state(saved))
    state["progress"]["position"][key] = value
    assert "there is no batch" in refused(state, data, tmp_path)


def test_missing_counters_and_odd_optimisers_are_refused(saved: Path, data: Path, tmp_path: Path) -> None:
    for key in ("updates", "position", "curve"):
        state = copy.deepcopy(read_state(saved))
        del state["progress"][key]
        assert f"lacks '{key}'" in refused(state, data, tmp_path)
    for value in (torch.zeros(3, 3), torch.tensor(math.nan), "text"):
        state = copy.deepcopy(read_state(saved))
        state["optimiser"]["state"][0]["exp_avg"] = value
        assert "optimiser's exp_avg" in refused(state, data, tmp_path)


@pytest.mark.parametrize("origin", [1, "x", {}, {"name": 1, "fingerprint": "", "training": {}},
                                    {"name": "a", "fingerprint": "b", "training": {"target_pieces": "many"}},
                                    {"name": "a", "fingerprint": "b", "training": {"from": 7}}])
def test_an_odd_origin_is_refused(origin: Any, saved: Path, data: Path, tmp_path: Path) -> None:
    told = refused(copy.deepcopy(read_state(saved)) | {"origin": origin}, data, tmp_path)
    assert ("lacks 'name'" if origin == {} else "origin") in told


def test_sizes_beyond_memory_are_refused_before_they_are_made(saved: Path, data: Path, tmp_path: Path) -> None:
    """In a recipe that a state holds; a new run asks the same."""
    state = copy.deepcopy(read_state(saved))
    state["recipe"]["network"] |= dict.fromkeys(("embedding", "hidden", "alignment", "readout"), 65536)
    assert "GiB" in refused(state, data, tmp_path)
