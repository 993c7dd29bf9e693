"""Replace files and folders atomically: whoever interrupts it leaves the old content or the new one.

A file is written as NAME.part and then renamed. A folder is written as NAME.new.part; the old one is renamed to
NAME.old.part, the new one takes its name, and the old one is deleted. An interruption between the two renames leaves
both folders complete under their temporary names: `find_complete_folder` finds the new one, and the next replacement
cleans up.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

WINDOWS = os.name == "nt"
RENAME_ATTEMPTS, RETRY_SECONDS = 20, 0.1
NEW_SUFFIX, OLD_SUFFIX, PART_SUFFIX = ".new.part", ".old.part", ".part"


def compute_checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def replace_file(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Replace a file by a content or by what a function writes.

    On failure, such as a full disk, the file is unchanged, nothing is left beside it, and the error is raised.
    """
    partial = append_suffix(path, PART_SUFFIX)
    try:
        with name_file_in_errors(path):
            write_and_sync(partial, content)
            rename_path(partial, path)
    except Exception:
        partial.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


@contextlib.contextmanager
def name_file_in_errors(name: str | os.PathLike[str]) -> Iterator[None]:
    """Add the file's name to an OSError that has none, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(name)
        raise


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace a folder, with all it holds, by a folder of these files, written in this order.

    On failure the folder is unchanged, nothing is left beside it, and the error is raised.
    """
    new_folder, old_folder = append_suffix(folder, NEW_SUFFIX), append_suffix(folder, OLD_SUFFIX)
    complete = find_complete_folder(folder)
    if complete is not None and complete != folder:
        rename_path(complete, folder)  # an earlier replacement was interrupted
    for leftover in (new_folder, old_folder):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        new_folder.mkdir(parents=True)
        for name, content in files.items():
            replace_file(new_folder / name, content)
        if folder.exists():
            rename_path(folder, old_folder)
        rename_path(new_folder, folder)
    except Exception:
        if old_folder.exists() and not folder.exists():  # on Windows another program has a file of the new folder open
            rename_path(old_folder, folder)
        shutil.rmtree(new_folder, ignore_errors=True)
        raise
    sync_folder(folder.parent)
    shutil.rmtree(old_folder, ignore_errors=True)


def rename_path(path: Path, target: Path) -> None:
    """Rename a file over another file, or a folder to a free name.

    Windows refuses this while anyone, such as a virus scanner, has a file open: there it is retried for two seconds.
    """
    for attempts_left in reversed(range(RENAME_ATTEMPTS)):
        try:
            path.replace(target)
        except PermissionError:
            if not attempts_left or not WINDOWS:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def find_complete_folder(folder: Path) -> Path | None:
    """Return where the folder is: in its place, or beside it after an interrupted replacement; None if nowhere."""
    if folder.is_dir():
        return folder
    # The old folder is renamed only once the new one is complete.
    new_folder, old_folder = append_suffix(folder, NEW_SUFFIX), append_suffix(folder, OLD_SUFFIX)
    complete = next((path for path in (new_folder, old_folder) if path.is_dir()), None) if old_folder.is_dir() else None
    return folder if folder.is_dir() else complete  # another process may have finished just now


def append_suffix(path: Path, suffix: str) -> Path:
    """Return the path with a suffix added to its name."""
    return path.with_name(path.name + suffix)


def write_and_sync(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file and flush it to the disk."""
    with path.open("wb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush a folder's names to the disk where the system can. Errors are ignored: the content is in place already."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
