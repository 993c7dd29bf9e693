"""Networks that learn before their readers: which run, which wait, and what they have reported.

A run has one or two networks, each in a process of its own (`model.training.live`). No more than MAX_WORKERS processes
are alive at a time; further runs wait in line. A run belongs to the browser that polls it by its key: when the polls
stop, its processes end. A finished or paused one keeps its processes, so that the reader can go on or try an input,
until others wait. What was reported is kept for a while longer, for exports.

Numbers go from the processes to the browser past Streamlit, so that no page waits for them.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypedDict

import streamlit as st

from model.training.live.records import NetworkReport, Reason, State, end_report, start_report, store_event
from model.training.live.settings import LiveSettings
from model.training.live.worker_process import Event, WorkerProcess

MAX_WORKERS = 2  # processes alive at a time
MAX_RUNS = 60  # that are kept: running, in line, and over
LEAVE_SECONDS = 20.0  # without a poll
IDLE_SECONDS = 20.0  # that a paused or finished run keeps its processes while others wait
MAX_LIFE_SECONDS = 20 * 60.0  # of processes, whatever they do
TICK_SECONDS = 0.5
COMMANDS = ("pause", "go", "step", "examine")

_log = logging.getLogger(__name__)


class RunNews(TypedDict):
    """The answer to a poll: the state of a run, and the snapshots that the browser does not have yet.

    `version`: changes when snapshots that the browser has have changed; then all are sent. `first`: the index of the
    first snapshot sent, for each network. `ahead`: runs in line before this one.
    """

    state: State
    ahead: int
    version: int
    first: list[int]
    networks: list[NetworkReport]


class Worker(Protocol):
    """What a run needs of `WorkerProcess`."""

    @property
    def is_alive(self) -> bool: ...

    def send(self, command: Mapping[str, Any]) -> None: ...

    def kill(self) -> None: ...


StartWorker = Callable[[LiveSettings, Callable[[Event], None]], Worker]


class LiveRuns:
    """The runs of one server, by key. Safe to use from every thread."""

    def __init__(self, start_worker: StartWorker | None = None) -> None:
        self._start_worker = start_worker or WorkerProcess
        self._runs: OrderedDict[str, Run] = OrderedDict()  # the oldest first, which is the order of the line
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    def start(self, settings: Sequence[LiveSettings], reader: str) -> str:
        """Start a run, or put it in line, in place of the reader's last one; return its key.

        If MAX_RUNS are learning or in line, the new run has ended already.
        """
        with self._lock:
            for run in self._runs.values():
                if run.reader == reader:
                    run.end("stopped")
            run = Run(settings, reader, self._lock)
            ended_keys = [key for key, old_run in self._runs.items() if old_run.is_over]
            for key in ended_keys[: max(0, len(self._runs) + 1 - MAX_RUNS)]:
                del self._runs[key]
            if len(self._runs) >= MAX_RUNS:
                run.end("others")
            key = secrets.token_urlsafe(24)
            self._runs[key] = run
            self.update()
            return key

    def find(self, key: str) -> Run | None:
        """Return the run of this key, or None if it is not kept any more."""
        with self._lock:
            return self._runs.get(key)

    def poll(self, key: str, version: int = -1, counts: Sequence[int] = ()) -> RunNews | None:
        """Return the news for a browser that has so many snapshots of each network; None if there is no such run."""
        with self._lock:
            run = self._runs.get(key)
            if run is None:
                return None
            run.last_poll = time.monotonic()
            waiting_runs = self._list_waiting()
            return run.build_news(waiting_runs.index(run) if run in waiting_runs else 0, version, counts)

    def execute_command(self, key: str, command: Mapping[str, Any]) -> bool:
        """Pass a reader's command to the networks; return False if there is no such run or command."""
        with self._lock:
            run = self._runs.get(key)
            if run is None:
                return False
            if isinstance(text := command.get("input"), str):
                run.send({"input": text})
            elif command.get("do") in COMMANDS:
                run.send({"do": command["do"]})
            elif command.get("do") == "stop":
                run.end("stopped")
            elif command.get("do") == "leave":
                run.end("left")
            else:
                return False
            self.update()
            return True

    def update(self) -> None:
        """End the runs that nobody watches or whose time is over, and start those whose turn it is."""
        with self._lock:
            current_time = time.monotonic()
            for run in self._runs.values():
                run.end_if_due(current_time)
            for run in self._list_waiting():
                if not self._make_room(len(run.settings), current_time):
                    break  # nobody overtakes
                run.start(self._start_worker)
            if any(not run.is_over for run in self._runs.values()):
                self._schedule()

    def _list_waiting(self) -> list[Run]:
        return [run for run in self._runs.values() if run.state == "waiting"]

    def count_workers(self) -> int:
        """Return how many processes are alive."""
        return sum(run.count_workers() for run in self._runs.values())

    def _make_room(self, num_workers: int, current_time: float) -> bool:
        """Return whether so many processes may start; end idle ones for that."""
        for run in self._runs.values():
            if self.count_workers() + num_workers <= MAX_WORKERS:
                break
            if run.state in ("paused", "done") and current_time - run.idle_since > IDLE_SECONDS:
                run.end("others")
        return self.count_workers() + num_workers <= MAX_WORKERS

    def _schedule(self) -> None:
        """Call `update` again soon, until all runs are over."""
        if self._timer is not None and self._timer.is_alive():
            return

        def tick() -> None:
            self._timer = None
            self.update()

        self._timer = threading.Timer(TICK_SECONDS, tick)
        self._timer.daemon = True
        self._timer.start()


class Run:
    """One run: its networks, their processes, and what these have reported."""

    def __init__(self, settings: Sequence[LiveSettings], reader: str, lock: threading.RLock) -> None:
        self.settings, self.reader = tuple(settings), reader
        self.reports = [start_report(one.to_dict()) for one in self.settings]
        self.version = 0
        self.last_poll = time.monotonic()
        self.start_time = self.idle_since = 0.0
        self._workers: list[Worker] = []
        self._waiting_input: dict[str, Any] | None = None  # sent at the start
        self._lock = lock

    @property
    def state(self) -> State:
        """The state of the run: that of the network that is busiest."""
        order: tuple[State, ...] = ("running", "starting", "paused", "done", "waiting", "ended")
        return min((report["state"] for report in self.reports), key=order.index)

    @property
    def is_over(self) -> bool:
        return self.state == "ended"

    def count_workers(self) -> int:
        return sum(worker.is_alive for worker in self._workers)

    def start(self, start_worker: StartWorker) -> None:
        """Start the process of each network; if one cannot start, end the run."""
        self.start_time = time.monotonic()
        try:
            for number, settings in enumerate(self.settings):
                self.reports[number]["state"] = "starting"
                self._workers.append(start_worker(settings, partial(self._store, number)))
        except OSError as error:
            _log.error("a live run could not start", exc_info=error)
            self.end("error")
        else:
            if self._waiting_input is not None:
                self.send(self._waiting_input)

    def send(self, command: dict[str, Any]) -> None:
        """Send a command to the networks; a run that waits keeps only the last input."""
        if "input" in command and not self._workers:
            self._waiting_input = command
        for worker in self._workers:
            worker.send(command)

    def end(self, reason: Reason) -> None:
        """End the processes and keep the reports."""
        for number in range(len(self.reports)):
            self._end_network(number, reason)

    def _end_network(self, number: int, reason: Reason) -> None:
        end_report(self.reports[number], reason)
        for worker in self._workers[number : number + 1]:  # none if it has not started
            worker.kill()

    def end_if_due(self, current_time: float) -> None:
        if self.is_over:
            return
        if current_time - self.last_poll > LEAVE_SECONDS:
            self.end("left")
        elif self.start_time and current_time - self.start_time > MAX_LIFE_SECONDS:
            self.end("time")

    def build_news(self, num_ahead: int, version: int, counts: Sequence[int]) -> RunNews:
        is_current = version == self.version and len(counts) == len(self.reports)
        first = [min(max(0, count), len(report["snapshots"])) if is_current else 0
                 for report, count in zip(self.reports, counts if is_current else [0] * len(self.reports), strict=True)]
        networks: list[NetworkReport] = [{**report, "snapshots": report["snapshots"][start:]}
                                         for report, start in zip(self.reports, first, strict=True)]
        return {"state": self.state, "ahead": num_ahead, "version": self.version, "first": first, "networks": networks}

    def _store(self, number: int, event: Event) -> None:
        """Store what a process reports."""
        with self._lock:
            store_event(self.reports[number], event)
            if event["event"] == "failed":
                _log.warning("a live run failed: %s", event["reason"])
            elif event["event"] == "state":
                self.idle_since = time.monotonic()
            elif event["event"] == "input":
                self.version += 1


@st.cache_resource(show_spinner=False)
def get_live_runs() -> LiveRuns:
    """Return the one LiveRuns of this server."""
    return LiveRuns()
