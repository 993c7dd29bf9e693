"""Files and folders put in place in one step: whoever is stopped on the way leaves the old ones or the new ones.

A file is written beside its place, as NAME.part, and takes the name at the end. A folder is made whole beside its
place, as NAME.new; then the one before steps aside as NAME.old and the new one takes the name. Stopped between these
two steps, both are whole and neither is in its place: `whole` knows which to take, and the next change puts it there.
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
RENAME_ATTEMPTS, RETRY_SECONDS = 20, 0.1  # seconds between two
NEW_SUFFIX, OLD_SUFFIX, PART_SUFFIX = ".new", ".old", ".part"


def compute_checksum(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def replace_file(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Put a content, or what a function writes, in a file's place. Where that fails, as on a full disk, the file is as
    before and nothing is left beside it; raises what failed."""
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
    """Give an OSError that names no file, such as that of a full disk, the name of the file that is being written."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(name)
        raise


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put a folder of these files, written in this order, in another one's place, which goes with all it holds. Where
    that fails the folder is as before and nothing is left beside it; raises what failed."""
    fresh, old = append_suffix(folder, NEW_SUFFIX), append_suffix(folder, OLD_SUFFIX)
    standing = find_complete_folder(folder)
    if standing is not None and standing != folder:
        rename_path(standing, folder)  # an earlier change was stopped between its two renames
    for left in (fresh, old):
        shutil.rmtree(left, ignore_errors=True)
    try:
        fresh.mkdir(parents=True)
        for name, content in files.items():
            replace_file(fresh / name, content)
    except Exception:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if folder.exists():
        rename_path(folder, old)
    rename_path(fresh, folder)
    sync_folder(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def rename_path(path: Path, to: Path) -> None:
    """Give a file, or a folder, the name of another file or a name that nothing has. Windows refuses that for as long
    as anybody, a virus scanner say, has it open or a file in it: there it is tried for a while."""
    for left in reversed(range(RENAME_ATTEMPTS)):
        try:
            path.replace(to)
        except PermissionError:
            if not left or not WINDOWS:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def find_complete_folder(folder: Path) -> Path | None:
    """Where the folder is: in its place, or beside it where a change was stopped between its two renames."""
    if folder.is_dir():
        return folder
    # The old one steps aside only once the new one is whole.
    fresh, old = append_suffix(folder, NEW_SUFFIX), append_suffix(folder, OLD_SUFFIX)
    found = next((path for path in (fresh, old) if path.is_dir()), None) if old.is_dir() else None
    return folder if folder.is_dir() else found  # the change may have ended just now


def append_suffix(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def write_and_sync(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file and see to it that it reaches the disk."""
    with path.open("wb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder reach the disk, where the system has a way to say so: what is in its place
    already has not failed where a folder can't be read or its file system knows no such thing."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
