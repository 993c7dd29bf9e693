"""One training at a time in one folder.

The operating system holds the lock for the process that took it and lets go of it when that ends, however it ends: a
killed training leaves a file, and no lock.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


LOCK = "training.lock"
_taken: set[Path] = set()  # by this process


class RunLockedError(ValueError):
    """Another training is at work in this folder; the message says what to do."""


@contextmanager
def lock_run_folder(folder: Path) -> Iterator[None]:
    """Make sure that no other process trains in this folder meanwhile. Raises RunningError where one does. Inside
    another `alone` for the same folder it does nothing."""
    place = folder.resolve()
    if place in _taken:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as file:
        try:
            _take(file)
        except OSError as error:
            raise RunLockedError(f"another training is at work in {folder}; wait for its end or stop it, or train in "
                               "another folder (--runs)") from error
        _taken.add(place)
        try:
            yield
        finally:
            _taken.discard(place)
