"""Simulates a process that is killed at a chosen change of the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from model.serialization import files

Content = bytes | Callable[[BinaryIO], object]


class Killed(BaseException):
    """Raised in place of a SIGKILL; nothing in the code under test catches it."""


class Killer:
    """Raises Killed at the n-th change of the disk; a write is cut in half."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.remaining: int | None = None
        for owner, name in ((Path, "rename"), (Path, "replace"), (Path, "mkdir"), (os, "rmdir"), (os, "unlink")):
            monkeypatch.setattr(owner, name, self.guard_call(getattr(owner, name)))
        monkeypatch.setattr(files, "write_and_sync", self.guard_write(files.write_and_sync))
        monkeypatch.setattr(os, "fsync", lambda _: None)  # slow, and a killed process loses no writes

    def count_change(self) -> None:
        if self.remaining is not None:
            self.remaining -= 1
            if self.remaining < 0:
                raise Killed

    def guard_call(self, change: Callable[..., Any]) -> Callable[..., Any]:
        def guard(*args: Any, **kwargs: Any) -> Any:
            self.count_change()
            return change(*args, **kwargs)

        return guard

    def guard_write(self, write: Callable[[Path, Content], None]) -> Callable[[Path, Content], None]:
        def guard(path: Path, content: Content) -> None:
            try:
                self.count_change()
            except Killed:
                write(path, content)
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
                raise
            write(path, content)

        return guard

    def survives(self, action: Callable[[], Any], changes: int) -> bool:
        """Run the action; whether it finished within this number of changes."""
        self.remaining = changes
        try:
            action()
        except Killed:
            return False
        finally:
            self.remaining = None
        return True
