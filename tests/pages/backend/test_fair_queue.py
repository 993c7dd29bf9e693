"""The fair queue: readers take turns, equal work is done once, and abandoned work is dropped."""

import gc
import logging
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from typing import Any, NoReturn

import pytest

from model.decoding import StopCallback
from pages.ui.backend import fair_queue
from pages.ui.backend.fair_queue import BatchOptions, FairQueue, TaskFuture

TIMEOUT = 5.0  # seconds


class BlockedQueue:
    """A queue whose first task blocks it until `open` is called, and the names of the tasks done."""

    def __init__(self) -> None:
        self.queue = FairQueue("decoding", (KeyError,))
        self.done_names: list[str] = []
        self.gate, started = threading.Event(), threading.Event()

        def block(should_stop: StopCallback) -> str:
            started.set()
            assert self.gate.wait(TIMEOUT)
            return "first"

        self.first = self.queue.submit(block, "first reader")
        assert started.wait(TIMEOUT)

    def submit(self, reader: str, name: str, **options: object) -> TaskFuture[str]:
        def work(should_stop: StopCallback) -> str:
            self.done_names.append(name)
            return name

        return self.queue.submit(work, reader, **options)  # type: ignore[arg-type]

    def submit_batchable(
        self, reader: str, name: str, kind: str = "kind", max_items: int = 100, is_brief: bool = False,
        is_bulk: bool = False,
    ) -> TaskFuture[str]:
        """Submit a task that can be batched; "fails" gives an error, "fails all" an error of the whole batch."""

        def run_batch(items: list[str], should_stop: StopCallback) -> list[str | BaseException]:
            self.done_names.append("+".join(items))
            if "fails all" in items:
                raise ValueError("all of them")
            return [ValueError(item) if item == "fails" else item for item in items]

        batching = BatchOptions(kind, name, run_batch, lambda items: len(items) <= max_items)
        return self.submit(reader, name, batching=batching, is_brief=is_brief, is_bulk=is_bulk)

    def open(self, *futures: TaskFuture[Any]) -> None:
        """Let the first task end, and wait for `futures`."""
        self.gate.set()
        assert not wait(futures, TIMEOUT).not_done


def create_failing_work(error: BaseException) -> Callable[[StopCallback], NoReturn]:
    def work(should_stop: StopCallback) -> NoReturn:
        raise error

    return work


@pytest.fixture
def blocked() -> Iterator[BlockedQueue]:
    blocked = BlockedQueue()
    yield blocked
    blocked.gate.set()


@pytest.mark.verdict
def test_readers_take_turns_and_equal_work_is_done_once(blocked: BlockedQueue) -> None:
    names = {"A": ["A0", "A1", "A2", "A3"], "B": ["B0", "B1"], "C": ["C0"]}
    futures = {name: blocked.submit(reader, name) for reader in names for name in names[reader]}
    equal = [blocked.submit(reader, "equal", key=1) for reader in "CD"]
    blocked.open(*futures.values(), *equal)
    assert blocked.done_names == ["A0", "B0", "C0", "equal", "A1", "B1", "A2", "A3"]
    assert all(future.result() == name for name, future in futures.items())
    assert [future.result() for future in equal] == ["equal", "equal"]
    assert blocked.submit("A", "again", key=1).result(TIMEOUT) == "again"  # finished work is not joined
    assert not equal[0].cancel()
    assert equal[0].result() == "equal"


@pytest.mark.parametrize(("max_turns", "order"), [
    (100, ["0", "1", "2", "3", "4", "5", "bulk 0", "bulk 1"]),
    (3, ["0", "1", "bulk 0", "2", "3", "4", "bulk 1", "5"]),  # the first task counts too
])  # fmt: skip
def test_bulk_work_waits_for_single_requests_but_not_forever(
    blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch, max_turns: int, order: list[str]
) -> None:
    monkeypatch.setattr(fair_queue, "MAX_TURNS_BEFORE_BULK", max_turns)
    bulk = [blocked.submit("A", f"bulk {number}", is_bulk=True) for number in range(2)]
    single = [blocked.submit("B", str(number)) for number in range(6)]
    blocked.open(*bulk, *single)
    assert blocked.done_names == order


def test_cancelled_work_is_neither_done_nor_joined_nor_kept_in_memory(blocked: BlockedQueue) -> None:
    shared_future = blocked.submit("B", "shared", key="shared")
    tasks = []
    for number in range(3):
        future = blocked.submit("A", str(number), key=number)
        tasks.append(weakref.ref(future.task))
        assert future.cancel()
        assert future.cancelled()
    blocked.submit("A", "shared", key="shared").cancel()
    blocked.open(shared_future, blocked.submit("B", "new", key=0))
    assert blocked.done_names == ["shared", "new"]
    del future
    assert blocked.submit("A", "last").result(TIMEOUT) == "last"
    gc.collect()
    assert not any(task() for task in tasks)


@pytest.mark.parametrize("is_batch", [False, True])
def test_a_running_task_or_batch_is_stopped_when_nobody_waits_for_it(blocked: BlockedQueue, is_batch: bool) -> None:
    started, ended = threading.Event(), threading.Event()

    def work(should_stop: StopCallback) -> NoReturn:
        started.set()
        while not should_stop():
            ended.wait(0.001)
        ended.set()
        raise RuntimeError("stopped")

    batching: BatchOptions[str] = BatchOptions("kind", 0, lambda _, should_stop: work(should_stop), lambda _: True)
    options: dict[str, Any] = {"batching": batching} if is_batch else {"key": "equal"}
    futures = [blocked.queue.submit(work, reader, **options) for reader in "AB"]
    blocked.gate.set()
    assert started.wait(TIMEOUT)
    assert all(future.running() for future in futures)
    for future in futures:
        assert not ended.wait(0.05)
        future.cancel()
    assert ended.wait(TIMEOUT)
    assert blocked.submit("A", "next").result(TIMEOUT) == "next"


@pytest.mark.verdict
def test_errors_reach_all_who_wait_and_failures_are_logged_once(
    blocked: BlockedQueue, caplog: pytest.LogCaptureFixture
) -> None:
    failed = [blocked.queue.submit(create_failing_work(SystemExit("no")), reader, key=1) for reader in "AB"]
    refused = blocked.queue.submit(create_failing_work(KeyError("no such sentence")), "A")
    last = blocked.submit("A", "last")
    blocked.open(*failed, refused, last)
    assert all(isinstance(future.exception(), SystemExit) for future in failed)
    assert isinstance(refused.exception(), KeyError)
    assert last.result() == "last"
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.getMessage() == "decoding failed"
    assert "SystemExit: no" in (record.exc_text or "")
    assert "in work" in (record.exc_text or "")


@pytest.mark.verdict
def test_tasks_of_one_kind_are_batched_and_get_their_own_results(blocked: BlockedQueue) -> None:
    futures = [blocked.submit_batchable(reader, f"{reader}{kind}", kind) for reader in "ABC" for kind in ("x", "y")]
    cancelled, bulk = blocked.submit_batchable("D", "Dx", "x"), blocked.submit_batchable("E", "Ex", "x", is_bulk=True)
    cancelled.cancel()
    blocked.open(*futures, bulk)
    assert blocked.done_names == ["Ax+Bx+Cx", "By+Cy+Ay", "Ex"]
    assert [future.result() for future in futures] == ["Ax", "Ay", "Bx", "By", "Cx", "Cy"]


def test_the_next_task_of_every_reader_is_batched_before_the_second_of_any(blocked: BlockedQueue) -> None:
    futures = [blocked.submit_batchable("A", f"A{number}", max_items=3) for number in range(3)]
    futures += [blocked.submit_batchable("B", "B0", max_items=3), blocked.submit("C", "other")]
    blocked.open(*futures)
    assert blocked.done_names == ["A0+B0+A1", "other", "A2"]


def test_an_error_of_one_item_is_its_own_and_an_error_of_the_batch_reaches_all(blocked: BlockedQueue) -> None:
    first = [blocked.submit_batchable(reader, name) for reader, name in zip("ABC", ("1", "fails", "2"), strict=True)]
    second = [
        blocked.submit_batchable(reader, name, "other") for reader, name in zip("AB", ("3", "fails all"), strict=True)
    ]
    blocked.open(*first, *second)
    assert (first[0].result(), first[2].result()) == ("1", "2")
    assert isinstance(first[1].exception(), ValueError)
    assert [str(future.exception()) for future in second] == ["all of them"] * 2
    assert blocked.submit("A", "last").result(TIMEOUT) == "last"


def submit_long_task(queue: FairQueue) -> tuple[TaskFuture[str], threading.Event]:
    """Start a task that asks whether to stop until the event is set."""
    started, end = threading.Event(), threading.Event()

    def work(should_stop: StopCallback) -> str:
        started.set()
        while not end.wait(0.001):
            if should_stop():
                return "stopped"
        return "long"

    future = queue.submit(work, "A")
    assert started.wait(TIMEOUT)
    return future, end


@pytest.mark.verdict
def test_brief_tasks_interrupt_a_long_one(blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    blocked.open()
    long, end = submit_long_task(blocked.queue)
    waiting = blocked.submit("A", "not brief"), blocked.submit("B", "bulk", is_bulk=True)
    brief = [blocked.submit("A", "brief A", is_brief=True), blocked.submit("C", "brief C", is_brief=True)]
    assert [future.result(TIMEOUT) for future in brief] == ["brief A", "brief C"]
    failing = blocked.queue.submit(create_failing_work(ValueError("brief")), "B", is_brief=True)
    with pytest.raises(ValueError, match="brief"):
        failing.result(TIMEOUT)
    assert long.running()
    assert not any(future.done() for future in waiting)
    end.set()
    assert [future.result(TIMEOUT) for future in (long, *waiting)] == ["long", "not brief", "bulk"]


def test_brief_tasks_wait_for_a_slice_and_are_batched(blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", TIMEOUT)
    blocked.open()
    long, end = submit_long_task(blocked.queue)
    brief = [blocked.submit_batchable(reader, reader, is_brief=True) for reader in "BCD"]
    assert not wait(brief, 0.1).done
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    assert not wait(brief, TIMEOUT).not_done
    assert blocked.done_names == ["B+C+D"]
    end.set()
    assert long.result(TIMEOUT) == "long"


def test_brief_tasks_are_not_interrupted(blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    blocked.open()
    order: list[str] = []

    def work(should_stop: StopCallback) -> None:
        second_future = blocked.queue.submit(lambda _: order.append("second"), "B", is_brief=True)
        assert not any(should_stop() or second_future.done() for _ in range(10))
        order.append("first")

    blocked.queue.submit(work, "A", is_brief=True).result(TIMEOUT)
    blocked.queue.submit(lambda _: None, "C").result(TIMEOUT)
    assert order == ["first", "second"]
