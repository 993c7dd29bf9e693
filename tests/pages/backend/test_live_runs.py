"""Which networks learn at a time, in which order others wait, and when their processes end."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from model.training.live.settings import LiveSettings
from pages.ui.backend import live_runs
from pages.ui.backend.live_runs import LiveRuns
from tests.pages.fakes import FakeTimer, fake_timers

ONE_NETWORK, TWO_NETWORKS = [LiveSettings()], [LiveSettings(), LiveSettings(kind="rnnencdec")]


class FakeWorker:
    def __init__(self, settings: LiveSettings, on_event: Callable[[dict[str, Any]], None]) -> None:
        self.report, self.is_alive = on_event, True
        self.sent_commands: list[Mapping[str, Any]] = []
        workers.append(self)

    def send(self, command: Mapping[str, Any]) -> None:
        self.sent_commands.append(command)

    def kill(self) -> None:
        self.is_alive = False


workers: list[FakeWorker] = []


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[FakeTimer]:
    return fake_timers(monkeypatch, live_runs)


@pytest.fixture
def runs(timers: list[FakeTimer]) -> LiveRuns:
    workers.clear()
    return LiveRuns(FakeWorker)


def state(runs: LiveRuns, key: str) -> tuple[str, int]:
    news = runs.poll(key)
    assert news is not None
    return news["state"], news["ahead"]


def test_two_processes_at_a_time_others_in_line(runs: LiveRuns) -> None:
    settings = {"a": TWO_NETWORKS, "b": ONE_NETWORK, "c": TWO_NETWORKS, "d": ONE_NETWORK}
    keys = [runs.start(networks, reader) for reader, networks in settings.items()]
    assert [state(runs, key) for key in keys] == [("starting", 0), ("waiting", 0), ("waiting", 1), ("waiting", 2)]
    runs.execute_command(keys[0], {"do": "stop"})
    assert runs.count_workers() == 1  # d does not overtake c
    assert [state(runs, key) for key in keys] == [("ended", 0), ("starting", 0), ("waiting", 0), ("waiting", 1)]
    runs.start(ONE_NETWORK, "b")  # restart: b joins the line again
    assert [state(runs, key) for key in keys[1:]] == [("ended", 0), ("starting", 0), ("waiting", 0)]
    assert runs.count_workers() == live_runs.MAX_WORKERS


def test_processes_end_when_the_reader_leaves_and_nobody_else_comes(
    runs: LiveRuns, timers: list[FakeTimer], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = runs.start(TWO_NETWORKS, "a")
    start_time = live_runs.time.monotonic()
    monkeypatch.setattr(live_runs.time, "monotonic", lambda: start_time + live_runs.LEAVE_SECONDS - 1)
    timers[-1].function()
    assert (runs.count_workers(), len(timers)) == (2, 2)
    monkeypatch.setattr(live_runs.time, "monotonic", lambda: start_time + live_runs.LEAVE_SECONDS + 1)
    timers[-1].function()
    assert (runs.count_workers(), len(timers)) == (0, 2)  # and no further timer
    assert runs.find(key).reports[0]["reason"] == "left"  # type: ignore[union-attr]
    runs.execute_command(runs.start(TWO_NETWORKS, "b"), {"do": "leave"})
    assert runs.count_workers() == 0


def test_idle_processes_end_for_others_only(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    key = runs.start(TWO_NETWORKS, "a")
    for worker in workers:
        worker.report({"event": "state", "state": "done"})
    start_time = live_runs.time.monotonic()
    monkeypatch.setattr(live_runs.time, "monotonic", lambda: start_time + live_runs.IDLE_SECONDS + 1)
    assert state(runs, key)[0] == "done"
    runs.update()
    assert runs.count_workers() == 2
    other_key = runs.start(TWO_NETWORKS, "b")
    assert (state(runs, key)[0], state(runs, other_key)[0]) == ("ended", "starting")


def test_long_lives_end(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    key = runs.start(ONE_NETWORK, "a")
    start_time = live_runs.time.monotonic()
    monkeypatch.setattr(live_runs.time, "monotonic", lambda: start_time + live_runs.MAX_LIFE_SECONDS + 1)
    runs.poll(key)
    runs.update()
    assert runs.find(key).reports[0]["reason"] == "time"  # type: ignore[union-attr]


def test_news_since_the_last_poll(runs: LiveRuns) -> None:
    key = runs.start(TWO_NETWORKS, "a")
    view = {"output": ["b"], "alpha": ""}
    snapshots = [{"updates": updates, "examples": [view] * 3} for updates in range(3)]
    for snapshot in snapshots:
        workers[0].report({"event": "snapshot", "snapshot": snapshot})
    news = runs.poll(key, 0, [2, 0])
    assert news is not None
    assert (news["first"], [len(network["snapshots"]) for network in news["networks"]]) == ([2, 0], [1, 0])
    workers[0].report({"event": "input", "example": {"source": ["a"], "target": ["a"]}, "views": [view] * 3})
    news = runs.poll(key, 0, [3, 0])
    assert news is not None
    assert (news["version"], news["first"], len(news["networks"][0]["snapshots"])) == (1, [0, 0], 3)
    assert len(snapshots[0]["examples"]) == 4  # type: ignore[arg-type]
    workers[0].report({"event": "input", "reason": "unknown", "part": "é"})
    assert runs.poll(key)["networks"][0]["problem"] == ["unknown", "é"]  # type: ignore[index]


def test_one_network_that_fails_leaves_the_other(runs: LiveRuns) -> None:
    key = runs.start(TWO_NETWORKS, "a")
    for worker in workers:
        worker.report({"event": "state", "state": "running"})
    workers[1].report({"event": "failed", "reason": "diverged"})
    reports = runs.find(key).reports  # type: ignore[union-attr]
    assert [(report["state"], report["reason"]) for report in reports] == [("running", ""), ("ended", "diverged")]
    workers[0].report({"event": "ended"})
    assert state(runs, key)[0] == "ended"


def test_commands(runs: LiveRuns) -> None:
    key = runs.start(ONE_NETWORK, "a")
    assert runs.execute_command(key, {"do": "pause"})
    assert runs.execute_command(key, {"input": "abc"})
    assert not runs.execute_command(key, {"do": "rm"})
    assert not runs.execute_command("other", {"do": "pause"})
    assert workers[0].sent_commands == [{"do": "pause"}, {"input": "abc"}]


def test_a_waiting_run_keeps_the_readers_last_input(runs: LiveRuns) -> None:
    key, waiting = runs.start(TWO_NETWORKS, "a"), runs.start(ONE_NETWORK, "b")
    for text in ("abc", "abcd"):
        assert runs.execute_command(waiting, {"input": text})
    runs.execute_command(key, {"do": "stop"})
    assert workers[-1].sent_commands == [{"input": "abcd"}]


def test_a_full_server_refuses_the_next_run_and_drops_only_those_that_are_over(
    runs: LiveRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_runs, "MAX_RUNS", 2)
    learning, waiting = runs.start(TWO_NETWORKS, "a"), runs.start(ONE_NETWORK, "b")
    refused = [runs.start(ONE_NETWORK, "c"), runs.start(ONE_NETWORK, "d")]
    assert [runs.find(refused[0]), runs.find(refused[1]).reports[0]["reason"]] == [None, "others"]  # type: ignore[union-attr]
    assert (state(runs, learning), state(runs, waiting)) == (("starting", 0), ("waiting", 0))
    runs.execute_command(learning, {"do": "stop"})
    assert state(runs, runs.start(ONE_NETWORK, "c"))[0] == "starting"


def test_a_process_that_cannot_start_ends_its_run_alone(runs: LiveRuns) -> None:
    def start_one(settings: LiveSettings, on_event: Callable[[dict[str, Any]], None]) -> FakeWorker:
        if workers:
            raise OSError(12, "Cannot allocate memory")
        return FakeWorker(settings, on_event)

    runs._start_worker = start_one
    key = runs.start(TWO_NETWORKS, "a")
    assert [report["reason"] for report in runs.find(key).reports] == ["error", "error"]  # type: ignore[union-attr]
    assert runs.count_workers() == 0
    runs._start_worker = FakeWorker
    assert state(runs, runs.start(ONE_NETWORK, "a"))[0] == "starting"
