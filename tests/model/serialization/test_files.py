"""Files and folders are replaced completely or not at all, also by a killed process or on a full disk."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
from dataclasses import replace
from functools import partial
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
from tests.model.serialization.killer import Killer
from tests.traces import make_trace

OLD_FILES, NEW_FILES, NEXT_FILES = ({"a": b"old a", "b": b"old b"}, {"b": b"new b", "c": b"new c"}, {"d": b"next"})


@pytest.fixture
def killer(monkeypatch: pytest.MonkeyPatch) -> Killer:
    return Killer(monkeypatch)


def read_contents(folder: Path) -> dict[str, bytes]:
    complete = find_complete_folder(folder)
    return {path.name: path.read_bytes() for path in complete.iterdir()} if complete else {}


def test_folder_replacement_killed_anywhere_leaves_the_old_or_the_new_folder(killer: Killer, tmp_path: Path) -> None:
    """Also if the replacement after it is killed, and if there was no folder."""
    places = set()
    for first, second in itertools.product(range(12), repeat=2):
        folder = tmp_path / f"{first}-{second}" / "made"
        replace_folder(folder, OLD_FILES)
        is_finished = killer.survives(partial(replace_folder, folder, NEW_FILES), first)
        contents = read_contents(folder)
        assert contents in ((NEW_FILES,) if is_finished else (OLD_FILES, NEW_FILES))
        places.add(getattr(find_complete_folder(folder), "name", None))
        is_finished = killer.survives(partial(replace_folder, folder, NEXT_FILES), second)
        assert read_contents(folder) in ((NEXT_FILES,) if is_finished else (contents, NEXT_FILES))
        replace_folder(folder, NEXT_FILES)
        assert [path.name for path in folder.parent.iterdir()] == ["made"], "no leftovers"
        is_finished = killer.survives(partial(replace_folder, folder.with_name("first"), NEW_FILES), first)
        assert read_contents(folder.with_name("first")) == (NEW_FILES if is_finished else {})
    assert places == {"made", "made.new.part"}


def test_file_replacement_killed_anywhere_leaves_the_old_or_the_new_file(killer: Killer, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for change_count in range(4):
        replace_file(path, b"old")
        is_finished = killer.survives(partial(replace_file, path, b"new content"), change_count)
        assert path.read_bytes() == (b"new content" if is_finished else b"old")
        assert is_finished == (change_count >= 2)


def fill_disk(file: BinaryIO) -> None:
    file.write(b"half")
    raise OSError(errno.ENOSPC, "No space left on device")


def test_full_disk_leaves_the_old_file_and_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    replace_file(tmp_path / "file", b"old")
    with pytest.raises(OSError, match=r"No space left on device: '.*file'"):
        replace_file(tmp_path / "file", fill_disk)
    replace_folder(tmp_path / "made", OLD_FILES)
    write = files.write_and_sync
    monkeypatch.setattr(
        files, "write_and_sync", lambda path, data: write(path, fill_disk if path.name == "c.part" else data)
    )
    with pytest.raises(OSError, match="No space left"):
        replace_folder(tmp_path / "made", NEW_FILES)
    assert read_contents(tmp_path / "made") == OLD_FILES
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "made"]
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize("refused", ["made", "made.new.part"])
def test_a_refused_rename_leaves_the_old_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, refused: str) -> None:
    """As on Windows while another program has a file of the folder open."""
    replace_folder(tmp_path / "made", OLD_FILES)
    rename = files.rename_path

    def refuse(path: Path, target: Path) -> None:
        if path.name == refused:
            raise PermissionError(errno.EACCES, "Access is denied")
        rename(path, target)

    monkeypatch.setattr(files, "rename_path", refuse)
    with pytest.raises(PermissionError):
        replace_folder(tmp_path / "made", NEW_FILES)
    assert read_contents(tmp_path / "made") == OLD_FILES
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


@pytest.mark.skipif(os.name != "posix", reason="other systems cannot sync folders")
def test_file_system_that_cannot_sync_folders_is_supported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As some network file systems and virtual machines."""
    fsync = os.fsync

    def sync_files_only(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", sync_files_only)
    replace_file(tmp_path / "file", b"new")
    replace_folder(tmp_path / "made", NEW_FILES)
    assert (tmp_path / "file").read_bytes() == b"new"
    assert read_contents(tmp_path / "made") == NEW_FILES


# ---- users of these functions -----------------------------------------------------------------------------------


def test_opening_and_figures_are_replaced_as_a_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Stopped before its last Trace, writing leaves the old folder."""
    translated_texts: list[str] = []
    limit = 0

    def build_trace(model: SimpleNamespace, text: str) -> object:
        translated_texts.append(text)
        if len(translated_texts) == limit:
            raise ValueError("stopped")
        return make_trace(" ".join(text.split()), "un deux", None, model=model.name)

    monkeypatch.setattr(checkpoint, "load_model", lambda name: SimpleNamespace(name=name, vocabulary=None))
    monkeypatch.setattr(opening, "has_style_tags", lambda _: False)
    monkeypatch.setattr(opening, "translate_sentence", lambda model, text, _: build_trace(model, text))
    monkeypatch.setattr(figures, "translate", lambda model, texts, _: [[build_trace(model, text)] for text in texts])
    examples = [replace(example, criterion=None) for example in opening.EXAMPLES]  # these Traces meet no criterion
    monkeypatch.setattr(opening, "EXAMPLES", examples)
    for folder, write in ((tmp_path / "opening", opening.write_traces), (tmp_path / "figures", figures.write_figures)):
        translated_texts.clear()
        replace_folder(folder, OLD_FILES)
        assert {path.name for path in write(folder)} == {path.name for path in folder.iterdir()}
        replace_folder(tmp_path / "old", OLD_FILES)
        limit = 2 * len(translated_texts)
        with pytest.raises(ValueError, match="stopped"):
            write(tmp_path / "old")
        assert read_contents(tmp_path / "old") == OLD_FILES
    paths = (tmp_path / "opening").glob("[0-9]*-rnnsearch-*")  # of English to French
    sources = [Trace.from_json(path.read_bytes()).source.text for path in paths]
    assert sorted(sources) == sorted(opening.SENTENCES)
    assert figures.read_traces(figures.ALIGNMENTS, tmp_path / "figures")
    assert figures.read_traces(figures.LONG_SENTENCES_FILE, tmp_path / "figures")


@pytest.mark.parametrize(("is_windows", "refusals", "content"), [
    (True, 3, b"new"), (True, files.RENAME_ATTEMPTS, b"old"), (False, 1, b"old"),
])  # fmt: skip
def test_rename_is_tried_again_on_windows_while_a_file_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_windows: bool, refusals: int, content: bytes
) -> None:
    """A virus scanner may open new files; a training run must survive that."""
    attempts, replace_path = itertools.count(), Path.replace

    def refuse_some(path: Path, target: Path) -> Path:
        if next(attempts) < refusals:
            raise PermissionError(errno.EACCES, "Access is denied")
        return replace_path(path, target)

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", refuse_some)
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(files, "WINDOWS", is_windows)
    with contextlib.nullcontext() if content == b"new" else pytest.raises(PermissionError):
        replace_file(tmp_path / "a", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", content)]
