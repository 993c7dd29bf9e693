"""The process in which one network learns: `python -m model.training.live.worker`, started by `WorkerProcess`.

It reads commands from standard input and writes events to standard output, each a JSON object on a line. The first line
is the settings. Commands: {"do": "pause", "go", "step" (one update) or "examine"} and {"input": TEXT}. It ends when its
standard input ends, so that it never outlives the server, and at its limits of memory and processor time.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from model.serialization.messages import is_out_of_memory
from model.training.learner import TrainingError
from model.training.live.run import LiveRun, describe_pair
from model.training.live.settings import MAX_SECONDS, LiveSettings
from model.training.live.tasks import TaskInputError

MEMORY_LIMIT = 2 * 2**30  # bytes of data; torch and the kernels take about a quarter of it
SPARE_PROCESSOR_SECONDS = 120  # beyond the training: importing, compiling, a reader's inputs
NICENESS = 5  # translations of other readers come first
GRACE_SECONDS = 5  # of processor time, to report that it is over

Send = Callable[[dict[str, Any]], None]


class ProcessorTimeError(Exception):
    """The processor time of this process is over."""


def limit_process() -> None:
    """Limit the memory and the processor time of this process, where the system can.

    At the end of its time ProcessorTimeError is raised in the main thread.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    seconds = int(MAX_SECONDS) + SPARE_PROCESSOR_SECONDS
    signal.signal(signal.SIGXCPU, _raise_processor_time_error)
    for restrict in (partial(os.nice, NICENESS),
                     partial(resource.setrlimit, resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT)),
                     partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds + GRACE_SECONDS))):
        with contextlib.suppress(OSError, ValueError):
            restrict()


def _raise_processor_time_error(*_: object) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # it comes again every second
    raise ProcessorTimeError


def read_commands(lines: Iterator[str], commands: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Put commands into the queue as they arrive; end the process when the server has closed the pipe."""
    for line in lines:
        commands.put(json.loads(line))
    os._exit(0)


def serve(run: LiveRun, commands: queue.SimpleQueue[dict[str, Any]], send: Send) -> None:
    """Train by the commands, for ever. Snapshots are sent as they are taken, and an exam whenever training stops."""
    end = run.settings.seconds
    state = "running"

    def enter(new_state: str) -> None:
        nonlocal state
        state = new_state
        send({"event": "state", "state": state})
        if state != "running":
            send({"event": "exam", "scores": run.examine()})

    send({"event": "ready", "parameters": sum(value.numel() for value in run.learner.parameters),
          "lengths": run.lengths, "longer": run.task.list_longer(run.limit),
          "examples": [describe_pair(pair) for pair in run.examples]})  # fmt: skip
    run.warm_up()
    send({"event": "snapshot", "snapshot": run.take_snapshot()})
    enter("running")
    while True:
        with contextlib.suppress(queue.Empty):
            command = commands.get(block=state != "running")
            action = command.get("do")
            if action == "pause" and state == "running":
                enter("paused")
            elif action == "go" and state != "running":
                end += run.settings.seconds if state == "done" else 0.0
                enter("running" if end <= MAX_SECONDS else "done")
            elif action == "step" and state == "paused" and not run.is_full and run.seconds < MAX_SECONDS:
                run.update()
                send({"event": "snapshot", "snapshot": run.take_snapshot()})
            elif action == "examine":
                send({"event": "exam", "scores": run.examine()})
            elif "input" in command:
                send({"event": "input", **view_input(run, str(command["input"]))})
        if state == "running":
            run.update()
            is_over = run.seconds >= end
            if is_over or run.is_due:
                send({"event": "snapshot", "snapshot": run.take_snapshot()})
            if is_over:
                enter("done")


def view_input(run: LiveRun, text: str) -> dict[str, Any]:
    """Return a reader's input at every snapshot, or why it has no answer."""
    try:
        example, views = run.view_input(text)
    except TaskInputError as error:
        return {"reason": error.reason, "part": error.part}
    return {"example": example, "views": views}


def train(settings: LiveSettings, commands: queue.SimpleQueue[dict[str, Any]], send: Send) -> None:
    """Train by the commands until that fails, and send the reason."""
    try:
        serve(LiveRun(settings), commands, send)
    except TrainingError:
        send({"event": "failed", "reason": "diverged"})
    except ProcessorTimeError:
        send({"event": "failed", "reason": "time"})
    except (MemoryError, RuntimeError) as error:
        send({"event": "failed", "reason": "memory" if is_out_of_memory(error) else "error"})


def send_line(event: dict[str, Any]) -> None:
    """Write an event to standard output."""
    print(json.dumps(event, separators=(",", ":")), flush=True)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end ends this process
    settings = LiveSettings.from_dict(json.loads(sys.stdin.readline()))
    limit_process()
    torch.set_num_threads(1)
    commands: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=read_commands, args=(iter(sys.stdin), commands), daemon=True).start()
    train(settings, commands, send_line)
    os._exit(1)


if __name__ == "__main__":
    main()
