"""Simulates a process that is killed at a chosen change of the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.serialization import files


class Killed(BaseException):
    """Raised in place of a SIGKILL; nothing in the code under test catches it."""


class Killer:
    """Raises Killed at the n-th change of the disk; a write is cut in half."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.remaining: int | None = None
        for owner, name in ((Path, "rename"), (Path, "replace"), (Path, "mkdir"), (os, "rmdir"), (os, "unlink"),
                            (files, "write_and_sync")):  # fmt: skip
            monkeypatch.setattr(owner, name, self.guard(getattr(owner, name)))
        monkeypatch.setattr(os, "fsync", lambda _: None)  # slow, and a killed process loses no writes

    def guard(self, disk_operation: Callable[..., Any]) -> Callable[..., Any]:
        def run_or_raise(*args: Any, **kwargs: Any) -> Any:
            if self.remaining is not None:
                self.remaining -= 1
                if self.remaining < 0:
                    if disk_operation.__name__ == "write_and_sync":
                        disk_operation(*args, **kwargs)
                        os.truncate(args[0], args[0].stat().st_size // 2)
                    raise Killed
            return disk_operation(*args, **kwargs)

        return run_or_raise

    def survives(self, action: Callable[[], Any], change_count: int) -> bool:
        """Run the action; whether it finished within this number of changes."""
        self.remaining = change_count
        try:
            action()
        except Killed:
            return False
        finally:
            self.remaining = None
        return True
