"""A lock on a run folder, so that one process at a time trains in it.

The operating system releases the lock when the process ends, however it ends. The file of a killed process stays and
does not matter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _lock_file(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock_file(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


LOCK = "training.lock"
_locked_folders: set[Path] = set()  # by this process


class RunLockedError(ValueError):
    """Another process trains in this folder."""


@contextmanager
def lock_run_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder.

    May be nested: within another `lock_run_folder` of the same folder it does nothing. Raises RunLockedError if another
    process holds it, OSError if the file cannot be opened or locked.
    """
    path = folder.resolve()
    if path in _locked_folders:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as file:
        try:
            _lock_file(file)
        except (BlockingIOError, PermissionError) as error:  # POSIX raises the first, Windows the second
            raise RunLockedError(f"another training is running in {folder}; wait for its end or stop it, or train in "
                                 "another folder (--runs)") from error
        _locked_folders.add(path)
        try:
            yield
        finally:
            _locked_folders.discard(path)
