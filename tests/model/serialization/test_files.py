"""Files and folders are the old ones or the new ones, wherever a change is stopped or the disk is full."""

from __future__ import annotations

import errno
import itertools
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import pytest

from model.analysis.paper import figures
from model.checkpoints import checkpoint
from model.gallery import opening
from model.serialization import files
from model.serialization.files import find_complete_folder, replace_file, replace_folder
from model.trace import Trace
from tests.model.checkpoints.killer import Killer
from tests.pages.traces import make_trace

OLD, NEW, NEXT = ({"a": b"old a", "b": b"old b"}, {"b": b"new b", "c": b"new c"}, {"d": b"next"})


@pytest.fixture
def killer(monkeypatch: pytest.MonkeyPatch) -> Killer:
    return Killer(monkeypatch)


def content(folder: Path) -> dict[str, bytes]:
    found = find_complete_folder(folder)
    return {path.name: path.read_bytes() for path in found.iterdir()} if found else {}


def test_a_folder_is_the_old_or_the_new_one_wherever_its_change_is_killed(killer: Killer, tmp_path: Path) -> None:
    """And so it is where the change that follows is killed as well."""
    places = set()
    for first, second in itertools.product(range(12), repeat=2):
        folder = tmp_path / f"{first}-{second}" / "made"
        replace_folder(folder, OLD)
        done = killer.survives(lambda folder=folder: replace_folder(folder, NEW), first)  # type: ignore[misc]
        found = content(folder)
        assert found == NEW if done else found in (OLD, NEW)
        places.add(getattr(find_complete_folder(folder), "name", None))
        last = killer.survives(lambda folder=folder: replace_folder(folder, NEXT), second)  # type: ignore[misc]
        assert content(folder) == NEXT if last else content(folder) in (found, NEXT), "never back to an older one"
        replace_folder(folder, NEXT)
        assert [path.name for path in folder.parent.iterdir()] == ["made"], "nothing is left lying about"
    assert places == {"made", "made.new"}


def test_a_first_folder_is_whole_or_is_not_there(killer: Killer, tmp_path: Path) -> None:
    for changes in range(12):
        folder = tmp_path / str(changes) / "made"
        done = killer.survives(lambda folder=folder: replace_folder(folder, NEW), changes)  # type: ignore[misc]
        assert content(folder) == (NEW if done else {})


@pytest.mark.parametrize("number", range(4))
def test_a_file_is_the_old_or_the_new_one(killer: Killer, tmp_path: Path, number: int) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old")
    done = killer.survives(lambda: replace_file(path, b"new content"), number)
    assert path.read_bytes() == (b"new content" if done else b"old")
    assert done == (number >= 2)


def full(file: BinaryIO) -> None:
    file.write(b"half")
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_what_there_was_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    replace_file(tmp_path / "file", b"old")
    with pytest.raises(OSError, match=r"No space left on device: '.*file'"):  # who reads it knows which disk
        replace_file(tmp_path / "file", full)
    replace_folder(tmp_path / "made", OLD)
    write = files.write_and_sync
    monkeypatch.setattr(
        files, "write_and_sync", lambda path, data: write(path, full if path.name == "c.part" else data)
    )
    with pytest.raises(OSError, match="No space left"):
        replace_folder(tmp_path / "made", NEW)
    assert content(tmp_path / "made") == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "made"]
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder is never told to reach the disk")
def test_a_folder_that_cannot_be_told_to_reach_the_disk_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on some file systems of the net and of virtual machines."""
    fsync = os.fsync

    def files_alone(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", files_alone)
    replace_file(tmp_path / "file", b"new")
    replace_folder(tmp_path / "made", NEW)
    assert (tmp_path / "file").read_bytes() == b"new"
    assert content(tmp_path / "made") == NEW


# --- those who use it


def killed_anywhere(killer: Killer, change: Callable[[], object], read: Callable[[], object]) -> None:
    """Whatever change of the disk is the last one, `read` gives what it gave before, or what it gives at the end."""
    before, seen = read(), []
    for changes in itertools.count():
        done = killer.survives(change, changes)
        seen.append(read())
        if done:
            break
    assert changes > 5
    assert all(one in (before, seen[-1]) for one in seen)
    assert before != seen[-1]


def test_opening_and_figures_are_never_a_mixture(
    killer: Killer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = {"beam": 1}
    monkeypatch.setattr(checkpoint, "load_model", lambda name: SimpleNamespace(name=name))
    monkeypatch.setattr(opening, "translate_sentence", lambda model, text, settings: _trace(model, text, made["beam"]))
    monkeypatch.setattr(figures, "translate",
                        lambda model, texts, settings: [[_trace(model, text, made["beam"])] for text in texts])
    examples = [replace(example, criterion=None) for example in opening.EXAMPLES]  # what is made here shows nothing
    monkeypatch.setattr(opening, "EXAMPLES", examples)
    first, second = tmp_path / "opening", tmp_path / "figures"
    opening.write_traces(first)
    figures.write_figures(second)
    made["beam"] = 5

    def opened() -> object:
        paths = sorted((find_complete_folder(first) or first).glob("*.json"))
        return [(path.name, Trace.from_json(path.read_bytes()).made_by.settings["beam"]) for path in paths]

    def drawn() -> object:
        names = (figures.ALIGNMENTS, figures.LONG_SENTENCES)
        return [one.made_by.settings["beam"] for name in names for one in figures.read_traces(name, second)]

    killed_anywhere(killer, lambda: opening.write_traces(first), opened)
    killed_anywhere(killer, lambda: figures.write_figures(second), drawn)


def _trace(model: SimpleNamespace, text: str, beam: int) -> object:
    return make_trace(" ".join(text.split()), "un deux", None, model=model.name, beam=beam)


def test_windows_is_asked_again_while_somebody_has_a_file_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A virus scanner looks into what has just been written; a run that trains overnight must not end of that."""
    refused, replace_it = [3], Path.replace

    def refusing(path: Path, to: Path) -> Path:
        if refused[0]:
            refused[0] -= 1
            raise PermissionError(errno.EACCES, "Access is denied")
        return replace_it(path, to)

    monkeypatch.setattr(Path, "replace", refusing)
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(files, "WINDOWS", True)
    replace_file(tmp_path / "a", b"new")
    assert ((tmp_path / "a").read_bytes(), refused) == (b"new", [0])
    refused[0] = files.RENAME_ATTEMPTS
    with pytest.raises(PermissionError):
        replace_file(tmp_path / "a", b"newer")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    monkeypatch.setattr(files, "WINDOWS", False)
    refused[0] = 1
    with pytest.raises(PermissionError):
        replace_file(tmp_path / "a", b"newer")
    assert (tmp_path / "a").read_bytes() == b"new"
