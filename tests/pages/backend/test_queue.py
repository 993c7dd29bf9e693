"""The fair queue: readers take turns, equal work is done once, and abandoned work is dropped."""

import gc
import logging
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
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
        self.queue = FairQueue()
        self.done: list[str] = []
        self.gate, started = threading.Event(), threading.Event()

        def block(should_stop: StopCallback) -> str:
            started.set()
            assert self.gate.wait(TIMEOUT)
            return "first"

        self.first = self.queue.submit(block, "first reader")
        assert started.wait(TIMEOUT)

    def submit(self, reader: str, name: str, **options: object) -> TaskFuture[str]:
        def work(should_stop: StopCallback) -> str:
            self.done.append(name)
            return name

        return self.queue.submit(work, reader, **options)  # type: ignore[arg-type]

    def submit_batchable(
        self, reader: str, name: str, kind: str = "kind", max_items: int = 100, brief: bool = False
    ) -> TaskFuture[str]:
        """Submit a task that can be batched; "fails" gives an error, "fails all" an error of the whole batch."""

        def work(items: list[str], should_stop: StopCallback) -> list[str | BaseException]:
            self.done.append("+".join(items))
            if "fails all" in items:
                raise ValueError("all of them")
            return [ValueError(item) if item == "fails" else item for item in items]

        batching = BatchOptions(kind, name, work, lambda items: len(items) <= max_items)
        return self.submit(reader, name, batching=batching, brief=brief)

    def open(self, *tickets: TaskFuture[str]) -> None:
        """Let the first task end, and wait for `tickets`."""
        self.gate.set()
        assert not wait(tickets, TIMEOUT).not_done


class EndlessWork:
    """Work that ends only when it is told to stop."""

    def __init__(self) -> None:
        self.started, self.ended = threading.Event(), threading.Event()

    def __call__(self, should_stop: StopCallback) -> NoReturn:
        self.started.set()
        while not should_stop():
            self.ended.wait(0.001)
        self.ended.set()
        raise RuntimeError("stopped")

    def assert_ends_with_last_ticket(self, tickets: Sequence[TaskFuture[Any]]) -> None:
        assert self.started.wait(TIMEOUT)
        assert all(ticket.running() for ticket in tickets)
        for ticket in tickets:
            assert not self.ended.wait(0.05)
            ticket.cancel()
        assert self.ended.wait(TIMEOUT)


@pytest.fixture
def blocked() -> Iterator[BlockedQueue]:
    blocked = BlockedQueue()
    yield blocked
    blocked.gate.set()


@pytest.mark.verdict
def test_readers_take_turns(blocked: BlockedQueue) -> None:
    names = {"A": ["A0", "A1", "A2", "A3"], "B": ["B0", "B1"], "C": ["C0"]}
    tickets = {name: blocked.submit(reader, name) for reader in names for name in names[reader]}
    blocked.open(*tickets.values())
    assert blocked.done == ["A0", "B0", "C0", "A1", "B1", "A2", "A3"]
    assert all(ticket.result() == name for name, ticket in tickets.items())


@pytest.mark.parametrize(("max_turns", "order"), [
    (100, ["0", "1", "2", "3", "4", "5", "bulk 0", "bulk 1"]),
    (3, ["0", "1", "bulk 0", "2", "3", "4", "bulk 1", "5"]),  # the first task counts too
])  # fmt: skip
def test_bulk_work_waits_for_single_requests_but_not_forever(
    blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch, max_turns: int, order: list[str]
) -> None:
    monkeypatch.setattr(fair_queue, "MAX_TURNS_BEFORE_BULK", max_turns)
    bulk = [blocked.submit("A", f"bulk {number}", bulk=True) for number in range(2)]
    single = [blocked.submit("B", str(number)) for number in range(6)]
    blocked.open(*bulk, *single)
    assert blocked.done == order


def test_cancelled_work_is_neither_done_nor_kept(blocked: BlockedQueue) -> None:
    stays = blocked.submit("B", "shared", key="shared")
    tasks = []
    for number in range(3):
        ticket = blocked.submit("A", str(number), key=number)
        tasks.append(weakref.ref(ticket.task))
        assert ticket.cancel()
        assert ticket.cancelled()
    blocked.submit("A", "shared", key="shared").cancel()
    blocked.open(stays)
    assert blocked.done == ["shared"]
    del ticket
    assert blocked.submit("A", "last").result(TIMEOUT) == "last"
    gc.collect()
    assert not any(task() for task in tasks)


def test_a_running_task_is_stopped_when_nobody_waits_for_it() -> None:
    fair_queue, endless = FairQueue(), EndlessWork()
    endless.assert_ends_with_last_ticket([fair_queue.submit(endless, reader, key="same") for reader in "AB"])
    assert fair_queue.submit(lambda should_stop: "next", "A").result(TIMEOUT) == "next"


def test_equal_work_is_done_once_in_the_first_turn(blocked: BlockedQueue) -> None:
    tickets = [blocked.submit("A", "x"), *(blocked.submit(reader, "same", key=1) for reader in "AB"),
               blocked.submit("C", "y")]  # fmt: skip
    blocked.open(*tickets)
    assert blocked.done == ["x", "same", "y"]
    assert tickets[1].result() == tickets[2].result() == "same"
    assert blocked.submit("A", "again", key=1).result(TIMEOUT) == "again"  # finished work is not joined


def test_abandoned_work_is_not_joined(blocked: BlockedQueue) -> None:
    blocked.submit("A", "old", key=1).cancel()
    blocked.open(blocked.submit("B", "new", key=1))
    assert blocked.done == ["new"]


@pytest.mark.verdict
def test_errors_reach_all_tickets_and_the_queue_goes_on(blocked: BlockedQueue) -> None:
    def fail(should_stop: StopCallback) -> str:
        raise SystemExit("no")

    tickets = [blocked.queue.submit(fail, reader, key=1) for reader in "AB"]
    last = blocked.submit("A", "last")
    blocked.open(*tickets, last)
    assert all(isinstance(ticket.exception(), SystemExit) for ticket in tickets)
    assert last.result() == "last"


def test_a_failure_is_logged_once_with_its_traceback_and_a_refusal_is_not(caplog: pytest.LogCaptureFixture) -> None:
    queue, gate = FairQueue("decoding", (KeyError,)), threading.Event()
    fair_queue.submit(lambda should_stop: gate.wait(TIMEOUT), "first reader")

    def create_work(error: BaseException) -> Callable[[StopCallback], NoReturn]:
        def work(should_stop: StopCallback) -> NoReturn:
            raise error

        return work

    failed = [fair_queue.submit(create_work(MemoryError("too much")), reader, key=1) for reader in "AB"]
    refused = fair_queue.submit(create_work(KeyError("no such sentence")), "A")
    gate.set()
    wait([*failed, refused], TIMEOUT)
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.getMessage() == "decoding failed"
    assert "MemoryError: too much" in (record.exc_text or "")
    assert "in work" in (record.exc_text or "")


def test_a_finished_task_cannot_be_cancelled(blocked: BlockedQueue) -> None:
    blocked.open(blocked.first)
    assert not blocked.first.cancel()
    assert blocked.first.result() == "first"


@pytest.mark.verdict
def test_tasks_of_one_kind_are_batched_and_keep_their_own_results(blocked: BlockedQueue) -> None:
    tickets = [blocked.submit_batchable(reader, f"{reader}{kind}", kind) for reader in "ABC" for kind in ("x", "y")]
    blocked.open(*tickets)
    assert blocked.done == ["Ax+Bx+Cx", "By+Cy+Ay"]
    assert [ticket.result() for ticket in tickets] == ["Ax", "Ay", "Bx", "By", "Cx", "Cy"]


def test_everybodys_next_task_is_batched_before_anybodys_second(blocked: BlockedQueue) -> None:
    tickets = [blocked.submit_batchable("A", f"A{number}", max_items=3) for number in range(3)]
    tickets += [blocked.submit_batchable("B", "B0", max_items=3), blocked.submit("C", "other")]
    blocked.open(*tickets)
    assert blocked.done == ["A0+B0+A1", "other", "A2"]


def test_bulk_and_cancelled_tasks_are_not_batched(blocked: BlockedQueue) -> None:
    first, cancelled, last = (blocked.submit_batchable(reader, reader) for reader in "ABC")
    bulk = blocked.submit("D", "bulk", bulk=True)
    cancelled.cancel()
    blocked.open(first, last, bulk)
    assert blocked.done == ["A+C", "bulk"]


def test_errors_in_a_batch(blocked: BlockedQueue) -> None:
    """An error of one item is its own; an error of the whole batch reaches all."""
    tickets = [blocked.submit_batchable(reader, name) for reader, name in zip("ABC", ("1", "fails", "2"), strict=True)]
    others = [
        blocked.submit_batchable(reader, name, "other") for reader, name in zip("AB", ("3", "fails all"), strict=True)
    ]
    blocked.open(*tickets, *others)
    assert blocked.done == ["1+fails+2", "fails all+3"]
    assert (tickets[0].result(), tickets[2].result()) == ("1", "2")
    assert isinstance(tickets[1].exception(), ValueError)
    assert [str(ticket.exception()) for ticket in others] == ["all of them"] * 2
    assert blocked.submit("A", "last").result(TIMEOUT) == "last"


def test_a_batch_is_stopped_when_nobody_waits_for_any_of_it(blocked: BlockedQueue) -> None:
    endless = EndlessWork()
    batching: BatchOptions[str] = BatchOptions(
        "kind", "item", lambda items, should_stop: endless(should_stop), lambda items: True
    )
    tickets = [blocked.submit(reader, reader, batching=batching) for reader in "AB"]
    blocked.gate.set()
    endless.assert_ends_with_last_ticket(tickets)
    assert blocked.submit("A", "next").result(TIMEOUT) == "next"


def submit_long_task(fair_queue: FairQueue) -> tuple[TaskFuture[str], threading.Event]:
    """Start a task that asks whether to stop until the event is set."""
    started, end = threading.Event(), threading.Event()

    def work(should_stop: StopCallback) -> str:
        started.set()
        while not end.wait(0.001):
            if should_stop():
                return "stopped"
        return "long"

    ticket = fair_queue.submit(work, "A")
    assert started.wait(TIMEOUT)
    return ticket, end


@pytest.mark.verdict
def test_brief_tasks_interrupt_a_long_one(blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    blocked.open()
    ticket, end = submit_long_task(blocked.queue)
    waiting = blocked.submit("A", "not brief"), blocked.submit("B", "bulk", bulk=True)
    brief = [blocked.submit("A", "brief A", brief=True), blocked.submit("C", "brief C", brief=True)]
    assert [ticket.result(TIMEOUT) for ticket in brief] == ["brief A", "brief C"]
    assert ticket.running()
    assert not any(ticket.done() for ticket in waiting)
    end.set()
    assert [ticket.result(TIMEOUT) for ticket in (ticket, *waiting)] == ["long", "not brief", "bulk"]
    assert blocked.done == ["brief A", "brief C", "not brief", "bulk"]


def test_brief_tasks_wait_for_a_slice_and_are_batched(blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", TIMEOUT)
    blocked.open()
    ticket, end = submit_long_task(blocked.queue)
    brief = [blocked.submit_batchable(reader, reader, brief=True) for reader in "BCD"]
    assert not wait(brief, 0.1).done
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    assert not wait(brief, TIMEOUT).not_done
    assert blocked.done == ["B+C+D"]
    end.set()
    assert ticket.result(TIMEOUT) == "long"


def test_brief_tasks_are_not_interrupted(blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    blocked.open()
    order: list[str] = []

    def work(should_stop: StopCallback) -> None:
        other = blocked.queue.submit(lambda _: order.append("second"), "B", brief=True)
        assert not any(should_stop() or other.done() for _ in range(10))
        order.append("first")

    blocked.queue.submit(work, "A", brief=True).result(TIMEOUT)
    blocked.queue.submit(lambda _: None, "C").result(TIMEOUT)
    assert order == ["first", "second"]


def test_an_error_of_a_brief_task_does_not_reach_the_interrupted_one(
    blocked: BlockedQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    blocked.open()
    ticket, end = submit_long_task(blocked.queue)

    def fail(should_stop: StopCallback) -> NoReturn:
        raise ValueError("brief")

    with pytest.raises(ValueError, match="brief"):
        blocked.queue.submit(fail, "B", brief=True).result(TIMEOUT)
    end.set()
    assert ticket.result(TIMEOUT) == "long"
