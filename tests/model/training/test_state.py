"""The saved state: damage, hostile contents and impossible counters are refused in one sentence."""

from __future__ import annotations

import copy
import errno
import math
import pickle
import resource
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.training.machine import SizeError
from model.training.recipe import Plan
from model.training.state import KEYS, STATE, InvalidStateError, StateError, check_progress, read_state, write_state
from model.training.trainer import Trainer
from tests.hostile import CASES
from tests.model.training.runs import build_tiny_recipe, find_differences, train_until


def build_content() -> dict[str, Any]:
    tensors = {"W": torch.arange(60_000, dtype=torch.float32)}
    return {**dict.fromkeys(KEYS), "plan": {}, "recipe": {}, "network": tensors, "average": tensors}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    write_state(tmp_path, build_content())
    return tmp_path / STATE


def assert_refused(path: Path, *expected: str) -> None:
    with pytest.raises(StateError) as refused:
        read_state(path.parent)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 600
    for part in ("the saved state", str(path), "--init", *expected):
        assert part in text, text


# --- the file


def test_a_state_survives_writing_and_shares_tensors(saved: Path) -> None:
    assert find_differences(build_content() | {"schema": 2}, read_state(saved.parent)) == []
    assert [path.name for path in saved.parent.iterdir()] == [STATE]
    assert saved.stat().st_size < 1.2 * 60_000 * 4  # without an average, weights are stored once


def test_damaged_states_are_refused(saved: Path) -> None:
    """Truncated files, other files, and flipped bits except in padding between the parts of the archive."""
    state_bytes = saved.read_bytes()
    for content in (*(state_bytes[:length] for length in (0, 100, len(state_bytes) // 2, len(state_bytes) - 1)),
                    b"PK\x03\x04" * 40, pickle.dumps({"name": "x"}), CASES["script"].encode()):  # fmt: skip
        saved.write_bytes(content)
        assert_refused(saved, "is damaged")
    saved.write_bytes(state_bytes)
    with zipfile.ZipFile(saved) as archive:
        large = max(archive.infolist(), key=lambda part: part.file_size)
    positions = [large.header_offset + 5000, large.header_offset + large.file_size - 10]
    positions += np.random.default_rng(1).integers(0, len(state_bytes), 30).tolist()
    noticed_count = 0
    for position in positions:
        damaged = bytearray(state_bytes)
        damaged[position] ^= 16
        saved.write_bytes(damaged)
        try:
            assert find_differences(build_content() | {"schema": 2}, read_state(saved.parent)) == []
        except StateError:
            noticed_count += 1
    assert noticed_count >= 25


class Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("exploited"),)


def test_a_state_cannot_run_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({**build_content(), "name": Exploit()}, tmp_path / STATE)
    assert_refused(tmp_path / STATE, "is damaged (UnpicklingError)")
    assert not (tmp_path / "exploited").exists()


def test_other_schemas_and_contents_are_refused(tmp_path: Path) -> None:
    path, content = tmp_path / STATE, {**build_content(), "schema": 2}
    for state, expected in (
        ({**content, "schema": 3}, "has the schema 3, but 2 is known here"),
        ({key: value for key, value in content.items() if key not in ("origin", "diary")}, "lacks origin, diary"),
        ({**content, "recipe": [1]}, "lacks its recipe or its plan"),
        ({**content, "plan": 7}, "lacks its recipe or its plan"),
        (torch.zeros(3), "is damaged"),
    ):
        torch.save(state, path)
        assert_refused(path, expected)
    path.unlink()
    path.mkdir()
    assert_refused(path, "is damaged")


def test_a_state_that_may_not_be_read_is_not_damaged(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(zipfile, "ZipFile", refuse)
    with pytest.raises(StateError, match=r"cannot be read \(Permission denied\); .* --resume"):
        read_state(saved.parent)


def test_a_failed_write_leaves_the_previous_state(tmp_path: Path) -> None:
    """With a real limit on file sizes, in the middle of writing."""
    write_state(tmp_path, build_content())
    state_bytes = (tmp_path / STATE).read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(state_bytes) // 2, limits[1]))
    try:
        with pytest.raises(StateError, match=r"cannot be saved in .*; the previous state is kept") as refused:
            write_state(tmp_path, build_content())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "\n" not in str(refused.value)
    assert (tmp_path / STATE).read_bytes() == state_bytes
    assert [path.name for path in tmp_path.iterdir()] == [STATE]


# --- the content


JUNK: tuple[Any, ...] = ("many", None, -1, math.inf, 10**400, [1], {"a": 1}, True, "x" * 5000)
KEY_PATHS: tuple[tuple[str | int, ...], ...] = (
    ("updates",), ("target_tokens",), ("seconds",), ("processor_seconds",), ("cooling",), ("restarts",), ("best",),
    ("curve",), ("loss",), ("position",), ("position", "epoch"), ("position", "pool"), ("position", "batch"),
    ("curve", 0), ("curve", 0, "pieces"), ("curve", 0, "hours"), ("curve", 0, "bleu"), ("curve", 0, "bleu", "all"),
)  # fmt: skip
VALID = ((("best",), -1), (("loss",), math.inf), (("cooling",), None))


@pytest.fixture(scope="module")
def state(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    trainer = train_until(Trainer(tmp_path_factory.mktemp("run"), build_tiny_recipe(), Plan("rnnsearch", 50), data), 1)
    trainer.evaluate()
    trainer.save()
    return read_state(trainer.folder)


def resume_refused(state: dict[str, Any], data: Path, folder: Path) -> str:
    """Return the sentence that refuses to resume from the state, which must not be overwritten."""
    write_state(folder, state)
    state_bytes = (folder / STATE).read_bytes()
    with pytest.raises((StateError, SizeError)) as refused:
        train_until(Trainer.resume(folder, data), 2)
    assert (folder / STATE).read_bytes() == state_bytes
    assert "\n" not in str(refused.value)
    return str(refused.value).replace(str(folder), "FOLDER")


@pytest.mark.parametrize("path", KEY_PATHS, ids=str)
def test_invalid_counters_are_refused(path: tuple[str | int, ...], state: dict[str, Any]) -> None:
    for junk in JUNK:
        if (path, junk) in VALID:
            continue
        progress = copy.deepcopy(state["progress"])
        parent: Any = progress
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = junk
        with pytest.raises((InvalidStateError, LookupError, OverflowError)) as refused:
            check_progress(progress)
        assert len(str(refused.value)) < 200


@pytest.mark.parametrize(("change", "expected"), [
    ({"progress": {"position": {"epoch": 10**12}}}, "there is no batch"),
    ({"progress": {"position": {"pool": 10**6}}}, "there is no batch"),
    ({"progress": {"position": {"batch": 10**9}}}, "there is no batch"),
    ({"progress": {"updates": "many"}}, "does not fit its own recipe (progress.updates is 'many'"),
    ({"progress": {"surprise": 1}}, "does not fit its own recipe"),
    ({"progress": {"cooling": (5, 5)}}, "it must end after it begins"),
    ({"optimiser": {"state": {0: {"exp_avg": torch.zeros(3, 3)}}}}, "optimiser's exp_avg"),
    ({"optimiser": {"state": {0: {"exp_avg": torch.tensor(math.nan)}}}}, "optimiser's exp_avg"),
    ({"network": {"extra": torch.zeros(3)}}, "does not fit its own recipe"),
    ({"diary": {"schema": 7}}, "does not fit its own recipe"), ({"random": torch.zeros(3)}, "does not fit its own"),
    ({"origin": {}}, "lacks 'name'"), ({"origin": {"name": 1, "fingerprint": "", "training": {}}}, "origin"),
    ({"origin": {"name": "a", "fingerprint": "b", "training": {"from": 7}}}, "origin"),
    ({"recipe": {"network": dict.fromkeys(("embedding", "hidden", "alignment", "readout"), 65536)}}, "GiB"),
])  # fmt: skip
def test_contents_that_do_not_fit_are_refused(
    change: dict[str, Any], expected: str, state: dict[str, Any], data: Path, tmp_path: Path
) -> None:
    def merge(old_value: Any, new_value: Any) -> Any:
        if isinstance(old_value, dict) and isinstance(new_value, dict):
            return {**old_value, **{key: merge(old_value.get(key), value) for key, value in new_value.items()}}
        return new_value

    assert expected in resume_refused(merge(copy.deepcopy(state), change), data, tmp_path)
