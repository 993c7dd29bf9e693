"""A process that is killed at any one change of the disk, played within the tests' own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from model.serialization import files

Content = bytes | Callable[[BinaryIO], object]


class Killed(BaseException):
    """What a SIGKILL leaves undone, without ending the tests: nothing catches it."""


class Killer:
    """Ends the process, so to speak, at the n-th change of the disk, half-way through a write."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        for owner, name in ((Path, "rename"), (Path, "replace"), (Path, "mkdir"), (os, "rmdir"), (os, "unlink")):
            monkeypatch.setattr(owner, name, self.guarded(getattr(owner, name)))
        monkeypatch.setattr(files, "write_and_sync", self.writing(files.write_and_sync))

    def strike(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Killed

    def guarded(self, change: Callable[..., Any]) -> Callable[..., Any]:
        def guard(*given: Any, **named: Any) -> Any:
            self.strike()
            return change(*given, **named)

        return guard

    def writing(self, write: Callable[[Path, Content], None]) -> Callable[[Path, Content], None]:
        def guard(path: Path, content: Content) -> None:
            try:
                self.strike()
            except Killed:
                write(path, content)
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
                raise
            write(path, content)

        return guard

    def survives(self, action: Callable[[], Any], changes: int) -> bool:
        """Whether the action comes to its end within so many changes of the disk."""
        self.left = changes
        try:
            action()
        except Killed:
            return False
        finally:
            self.left = None
        return True
