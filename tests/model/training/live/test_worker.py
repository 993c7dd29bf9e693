"""The worker's commands and limits."""

import io
import queue
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from model.paths import ROOT
from model.training.learner import TrainingError
from model.training.live import run, worker, worker_process
from model.training.live.run import LiveRun
from model.training.live.settings import MAX_SECONDS, LiveSettings
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
            if [e.get("state") for e in events].count("done") == 2:
                raise EndOfTest
            for action in ("examine", "go"):
                commands.put({"do": action})

    with pytest.raises(EndOfTest):
        worker.serve(LiveRun(SMALL), commands, send)
    names = [event.get("state") or event["event"] for event in events]
    assert names[:9] == ["ready", "snapshot", "running", "paused", "exam", "snapshot", "input", "input", "running"]
    assert events[5]["snapshot"]["updates"] == 1
    assert len(events[6]["views"]) == 2
    assert events[7]["reason"] == "unknown"
    done_index = names.index("done")
    assert set(names[9:done_index]) == {"snapshot"}
    assert events[done_index - 1]["snapshot"]["seconds"] >= SMALL.seconds
    assert names[done_index + 1 : done_index + 4] == ["exam", "exam", "running"]  # of the end, and of "examine"
    assert events[-2]["snapshot"]["seconds"] >= 2 * SMALL.seconds
    assert events[4]["scores"][-1]["length"] == 8


def test_no_step_beyond_the_last_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    events: list[str] = []

    def send(event: dict[str, Any]) -> None:
        events.append(event["event"])
        if event["event"] == "input":
            raise StopIteration

    for command in ({"do": "pause"}, {"do": "step"}, {"do": "step"}, {"input": "abc"}):
        commands.put(command)
    monkeypatch.setattr(run, "MAX_SNAPSHOTS", 2)
    with pytest.raises(StopIteration):
        worker.serve(LiveRun(SMALL), commands, send)
    assert events.count("snapshot") == 2


def test_half_a_line_is_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO('{"event": "ready"}\n{"event": "snap')
    process = SimpleNamespace(stdin=io.StringIO(), stdout=output, wait=lambda: 0)
    monkeypatch.setattr(worker_process.subprocess, "Popen", lambda *_, **__: process)
    events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    WorkerProcess(SMALL, events.put)
    assert [events.get(timeout=60)["event"] for _ in range(2)] == ["ready", "ended"]


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
def test_memory_and_processor_time_are_limited() -> None:
    program = ("import resource, signal; from model.training.live.worker import *; limit_process()\n"
               "bytearray(100 * 2**20); print('small')\n"
               "try: bytearray(MEMORY_LIMIT)\nexcept MemoryError: print('limited')\n"
               "print(resource.getrlimit(resource.RLIMIT_CPU)[0])\n"
               "try: signal.raise_signal(signal.SIGXCPU)\nexcept ProcessorTimeError: print('over')")  # fmt: skip
    process = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=300,
                             check=False)
    seconds = int(MAX_SECONDS) + worker.SPARE_PROCESSOR_SECONDS
    expected_words = ["small", "limited", str(seconds), "over"]
    assert (process.returncode, process.stdout.split()) == (0, expected_words), process.stderr


@pytest.mark.parametrize(
    ("error", "reason"),
    [(TrainingError("not finite"), "diverged"), (worker.ProcessorTimeError(), "time"), (MemoryError(), "memory"),
     (RuntimeError("a shape"), "error")],
)
def test_failure_is_reported(error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_failure(*_: object) -> None:
        raise error

    events: list[dict[str, Any]] = []
    monkeypatch.setattr(worker, "serve", raise_failure)
    worker.train(SMALL, queue.SimpleQueue(), events.append)
    assert events == [{"event": "failed", "reason": reason}]
