"""The worker's commands and limits."""

import queue
import subprocess
import sys
from typing import Any

import pytest

from model.training.learner import TrainingError
from model.training.live import worker
from model.training.live.run import LiveRun
from model.training.live.settings import LiveSettings
from model.training.live.worker_process import WorkerProcess

SMALL = LiveSettings("copy", limit=4, hidden=32, seconds=0.2, interval=0.0)


def test_commands() -> None:
    commands: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    events: list[dict[str, Any]] = []

    class EndOfTest(Exception):
        pass

    def send(event: dict[str, Any]) -> None:
        events.append(event)
        if event.get("state") == "running" and len(events) < 5:
            commands.put({"do": "pause"})
        if event["event"] == "exam" and [e.get("state") for e in events].count("paused") and len(events) < 9:
            for command in ({"do": "step"}, {"input": "abc"}, {"input": "é"}, {"do": "go"}):
                commands.put(command)
        if event.get("state") == "done":
            raise EndOfTest

    with pytest.raises(EndOfTest):
        worker.serve(LiveRun(SMALL), commands, send)
    names = [event.get("state") or event["event"] for event in events]
    assert names[:9] == ["ready", "snapshot", "running", "paused", "exam", "snapshot", "input", "input", "running"]
    assert events[5]["snapshot"]["updates"] == 1
    assert len(events[6]["views"]) == 2
    assert events[7]["reason"] == "unknown"
    assert set(names[9:-1]) == {"snapshot"}
    assert events[-2]["snapshot"]["seconds"] >= SMALL.seconds
    assert events[4]["scores"][-1]["length"] == 8


def test_process_ends_with_its_server() -> None:
    events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    process = WorkerProcess(SMALL, events.put)
    names = []
    while "exam" not in names:
        names.append(events.get(timeout=300)["event"])
        assert names[-1] != "ended"
    process._process.stdin.close()  # type: ignore[union-attr]
    while names[-1] != "ended":
        names.append(events.get(timeout=60)["event"])
    assert not process.is_alive


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such limit")
def test_memory_limit() -> None:
    program = ("from model.training.live.worker import limit_process; limit_process(300 * 2**20)\n"
               "try: bytearray(400 * 2**20)\nexcept MemoryError: print('limited')")  # fmt: skip
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert "limited" in found.stdout + found.stderr or found.returncode


@pytest.mark.parametrize(
    ("error", "reason"),
    [(TrainingError("not finite"), "diverged"), (MemoryError(), "memory"), (RuntimeError("a shape"), "error")],
)
def test_failure_is_reported(error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    events: list[dict[str, Any]] = []
    monkeypatch.setattr(worker, "serve", fail)
    worker.train(SMALL, queue.SimpleQueue(), events.append)
    assert events == [{"event": "failed", "reason": reason}]
