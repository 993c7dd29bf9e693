"""Start and end the processes in which networks learn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any

from model.paths import ROOT
from model.training.live.settings import LiveSettings

Event = dict[str, Any]


class WorkerProcess:
    """A process in which one network learns (`model.training.live.worker`).

    `on_event` gets its events in a thread, and at last {"event": "ended"} when the process has gone.
    """

    def __init__(self, settings: LiveSettings, on_event: Callable[[Event], None]) -> None:
        threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "model.training.live.worker"], cwd=ROOT, env={**os.environ, **threads}, text=True,
            encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.send(settings.to_dict())
        reader = threading.Thread(target=self._read_events, args=(self._process.stdout, on_event), daemon=True)
        reader.start()

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, command: Mapping[str, Any]) -> None:
        """Send a command; nothing happens if the process has gone."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def _read_events(self, lines: IO[str], on_event: Callable[[Event], None]) -> None:
        try:
            for line in lines:
                if line.endswith("\n"):  # else the process was killed inside the line
                    on_event(json.loads(line))
        finally:
            self._process.wait()
            on_event({"event": "ended"})
