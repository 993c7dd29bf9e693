"""The saved state: every byte checked, and one sentence for what is not whole."""

from __future__ import annotations

import pickle
import resource
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.training.recipe import Plan, RecipeError
from model.training.state import KEYS, STATE, StateError, read_state, write_state
from model.training.trainer import Trainer
from tests.hostile import CASES
from tests.model.training.runs import build_tiny_recipe, find_differences, train_until


def content() -> dict[str, Any]:
    tensors = {"W": torch.arange(60_000, dtype=torch.float32)}
    return {**dict.fromkeys(KEYS), "plan": {}, "recipe": {}, "network": tensors, "average": tensors}


def but(*keys: str) -> dict[str, Any]:
    return {key: value for key, value in content().items() if key not in keys}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    write_state(tmp_path, content())
    return tmp_path / STATE


def refused(path: Path, *expected: str) -> None:
    with pytest.raises(StateError) as error:
        read_state(path.parent)
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 600
    for part in ("the saved state", str(path), "--init", *expected):
        assert part in text, text


def test_what_was_written_is_read(saved: Path) -> None:
    assert find_differences(content() | {"schema": 2}, read_state(saved.parent)) == []
    assert [path.name for path in saved.parent.iterdir()] == [STATE]


def test_weights_shared_by_two_are_written_once(saved: Path) -> None:
    """The paper's recipe has no average: its state is not twice as large for it."""
    assert saved.stat().st_size < 1.2 * 60_000 * 4


def test_a_truncated_state_is_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in (0, 1, 10, 100, len(whole) // 2, len(whole) - 100, len(whole) - 1):
        saved.write_bytes(whole[:length])
        refused(saved, "is damaged")


def test_flipped_bits_are_noticed(saved: Path) -> None:
    """Wherever it matters: a bit flipped in the padding between the parts changes nothing that is read."""
    whole = saved.read_bytes()
    with zipfile.ZipFile(saved) as archive:
        large = max(archive.infolist(), key=lambda part: part.file_size)
    positions = [large.header_offset + 5000, large.header_offset + large.file_size - 10]
    positions += np.random.default_rng(1).integers(0, len(whole), 30).tolist()
    noticed = 0
    for position in positions:
        damaged = bytearray(whole)
        damaged[position] ^= 16
        saved.write_bytes(damaged)
        try:
            assert find_differences(content() | {"schema": 2}, read_state(saved.parent)) == []
        except StateError:
            noticed += 1
    assert noticed >= 25


@pytest.mark.parametrize("junk", [*(np.random.default_rng(seed).bytes(5000) for seed in range(3)), b"PK\x03\x04" * 40,
                                  b"\x80\x02}q\x00.", pickle.dumps({"name": "x"}), *(c.encode("utf-8", "replace")[:9999]
                                                                                  for c in CASES.values())])
def test_junk_is_refused(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / STATE).write_bytes(junk)
    refused(tmp_path / STATE, "is damaged")


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("evil"),)


def test_a_state_cannot_run_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({**content(), "name": Evil()}, tmp_path / STATE)
    refused(tmp_path / STATE, "is damaged (UnpicklingError)")
    assert not (tmp_path / "evil").exists()


def test_other_schemas_and_contents_are_refused(tmp_path: Path) -> None:
    path = tmp_path / STATE
    for state, expected in (
        ({**content(), "schema": 3}, "has the schema 3, but 2 is known here"),
        ({**content(), "schema": "x"}, "has the schema 'x'"),
        ({**but("origin", "diary"), "schema": 2}, "lacks origin, diary"),
        ({**content(), "schema": 2, "recipe": [1]}, "lacks its recipe or its plan"),
        ({**content(), "schema": 2, "plan": 7}, "lacks its recipe or its plan"),
        ({"schema": 2}, "lacks plan, recipe"),
        ({}, "lacks recipe, origin"),
        ([1, 2], "is damaged"),
        (torch.zeros(3), "is damaged"),
    ):
        torch.save(state, path)
        refused(path, expected)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / STATE).mkdir()
    refused(tmp_path / STATE, "is damaged")


def test_nothing_to_resume(data: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"there is no run to resume in .*; start one: python -m model train"):
        Trainer.resume(tmp_path / "nowhere", data)


def test_a_write_that_fails_leaves_the_state_before(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 1)
    before = (tmp_path / STATE).read_bytes()

    def full(state: Any, file: Any) -> None:
        file.write(b"PK")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(
        StateError, match=r"cannot be saved in .* \(No space left on device\); the previous state is kept"
    ):
        train_until(trainer, 2)
    assert (tmp_path / STATE).read_bytes() == before
    assert not list(tmp_path.glob("*.part")), "nothing is left to fill the disk"
    monkeypatch.undo()
    assert Trainer.resume(tmp_path, data).progress.updates == 1


def test_a_file_system_that_is_full_is_told_in_one_sentence(tmp_path: Path) -> None:
    """With a real limit, half-way through torch's own writing."""
    write_state(tmp_path, content())
    before = (tmp_path / STATE).read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, limits[1]))
    try:
        with pytest.raises(StateError, match="cannot be saved") as error:
            write_state(tmp_path, content())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "\n" not in str(error.value)
    assert (tmp_path / STATE).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [STATE]
