"""The fair queue: readers take turns, nothing is done for nobody, the same work is done once."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from typing import Any, NoReturn

import pytest

from pages.ui.backend import queue
from pages.ui.backend.queue import Batching, FairQueue, StopCallback, Ticket

LONG = 5.0  # seconds that a test waits at most


class Desk:
    """A queue whose first job holds everything up until `open` is called, and a note of what was done."""

    def __init__(self) -> None:
        self.queue = FairQueue()
        self.done: list[str] = []
        self.gate, self.begun = threading.Event(), threading.Event()
        self.first = self.queue.submit(self._hold, "keeper")
        assert self.begun.wait(LONG)

    def _hold(self, stopped: StopCallback) -> str:
        self.begun.set()
        assert self.gate.wait(LONG)
        return "held"

    def ask(self, reader: str, name: str, **how: object) -> Ticket[str]:
        return self.queue.submit(self._work(name), reader, **how)  # type: ignore[arg-type]

    def _work(self, name: str) -> Callable[[StopCallback], str]:
        def work(stopped: StopCallback) -> str:
            self.done.append(name)
            return name

        return work

    def join(self, reader: str, name: str, kind: str = "kind", most: int = 100, brief: bool = False) -> Ticket[str]:
        """Ask for what can be done along with others of its kind, at most so many; "broken" comes to an error."""

        def work(parts: list[str], stopped: StopCallback) -> list[str | BaseException]:
            self.done.append("+".join(parts))
            if "ruinous" in parts:
                raise ValueError("all of them")
            return [ValueError(part) if part == "broken" else part for part in parts]

        together = Batching(kind, name, work, lambda parts: len(parts) <= most)
        return self.queue.submit(self._work(name), reader, together=together, brief=brief)

    def open(self, *tickets: Ticket[str]) -> None:
        self.gate.set()
        assert not wait(tickets, LONG).not_done


class Endless:
    """Work that ends only where it is told that nobody waits for it any more."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self, stopped: StopCallback) -> NoReturn:
        self.begun.set()
        while not stopped():
            self.ended.wait(0.001)
        self.ended.set()
        raise RuntimeError("stopped")

    def abandoned_by_all(self, asked: Sequence[Ticket[Any]]) -> None:
        """Everybody who asked for it gives it up, one after the other; it ends with the last."""
        assert self.begun.wait(LONG)
        assert all(ticket.running() for ticket in asked)
        for ticket in asked:
            assert not self.ended.wait(0.05)  # somebody still waits
            ticket.cancel()
        assert self.ended.wait(LONG)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.gate.set()


@pytest.mark.verdict
def test_readers_take_turns(desk: Desk) -> None:
    greedy = [desk.ask("A", f"A{k}") for k in range(4)]
    others = [desk.ask("B", "B0"), desk.ask("C", "C0"), desk.ask("B", "B1")]
    desk.open(*greedy, *others)
    assert desk.done == ["A0", "B0", "C0", "A1", "B1", "A2", "A3"]


def test_each_gets_their_own_result(desk: Desk) -> None:
    tickets = [desk.ask(f"reader {k}", f"answer {k}") for k in range(20)]
    desk.open(*tickets)
    assert [ticket.result(LONG) for ticket in tickets] == [f"answer {k}" for k in range(20)]


def test_bulk_work_lets_everybody_else_go_first(desk: Desk) -> None:
    bulk = [desk.ask("A", f"bulk {k}", bulk=True) for k in range(2)]
    single = [desk.ask("A", "one"), desk.ask("B", "two")]
    desk.open(*bulk, *single)
    assert desk.done == ["one", "two", "bulk 0", "bulk 1"]


def test_bulk_work_has_a_turn_at_last(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MAX_TURNS_BEFORE_BULK", 3)
    bulk = [desk.ask("A", f"bulk {k}", bulk=True) for k in range(2)]
    single = [desk.ask("B", str(k)) for k in range(6)]
    desk.open(*bulk, *single)
    assert desk.done == ["0", "1", "bulk 0", "2", "3", "4", "bulk 1", "5"]  # the keeper's job counts too


def test_who_gives_up_while_waiting_is_passed_over(desk: Desk) -> None:
    gone, stays = desk.ask("A", "gone"), desk.ask("B", "stays")
    assert gone.cancel()
    assert gone.cancelled()
    desk.open(stays)
    assert desk.done == ["stays"]


def test_nothing_is_kept_of_work_that_is_given_up_before_it_begins(desk: Desk) -> None:
    stays = desk.ask("B", "shared", key="shared")
    for number in range(20):
        desk.ask("A", str(number), key=number).cancel()
    desk.ask("A", "shared", key="shared").cancel()
    assert set(desk.queue._jobs) == {"shared"}
    desk.open(stays)
    assert desk.done == ["shared"]
    assert not desk.queue._jobs


def test_a_running_job_is_stopped_when_nobody_waits_for_it_any_more() -> None:
    line, endless = FairQueue(), Endless()
    endless.abandoned_by_all([line.submit(endless, reader, key="same") for reader in "AB"])
    assert line.submit(lambda stopped: "next", "A").result(LONG) == "next"


def test_the_same_work_is_done_once_in_the_turn_of_whoever_comes_first(desk: Desk) -> None:
    tickets = [desk.ask("A", "x"), desk.ask("A", "same", key=1), desk.ask("B", "same", key=1), desk.ask("C", "y")]
    desk.open(*tickets)
    assert desk.done == ["x", "same", "y"]
    assert tickets[1].result() == tickets[2].result() == "same"
    assert desk.ask("A", "again", key=1).result(LONG) == "again"  # what is finished is not joined


def test_who_stays_keeps_the_work_of_who_left(desk: Desk) -> None:
    gone, stays = desk.ask("A", "same", key=1), desk.ask("B", "same", key=1)
    gone.cancel()
    desk.open(stays)
    assert desk.done == ["same"]


def test_abandoned_work_is_not_joined(desk: Desk) -> None:
    desk.ask("A", "old", key=1).cancel()
    new = desk.ask("B", "new", key=1)
    desk.open(new)
    assert desk.done == ["new"]


@pytest.mark.verdict
def test_errors_reach_all_who_asked_and_the_queue_lives_on(desk: Desk) -> None:
    def broken(stopped: StopCallback) -> str:
        raise SystemExit("no")

    tickets = [desk.queue.submit(broken, reader, key=1) for reader in "AB"]
    last = desk.ask("A", "last")
    desk.open(*tickets, last)
    assert all(isinstance(ticket.exception(), SystemExit) for ticket in tickets)
    assert last.result() == "last"


def test_a_failure_is_logged_once_with_its_traceback_and_a_refusal_is_not(caplog: pytest.LogCaptureFixture) -> None:
    """Though nobody waits for it any more: the operator is to know."""
    queue, gate = FairQueue("decoding", (KeyError,)), threading.Event()
    queue.submit(lambda stopped: gate.wait(LONG), "keeper")

    def raising(error: BaseException) -> Callable[[StopCallback], NoReturn]:
        def work(stopped: StopCallback) -> NoReturn:
            raise error

        return work

    failed = [queue.submit(raising(MemoryError("too much")), reader, key=1) for reader in "AB"]
    refused = queue.submit(raising(KeyError("no such sentence")), "A")
    gate.set()
    wait([*failed, refused], LONG)
    (record,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert record.getMessage() == "decoding failed"
    assert "MemoryError: too much" in (record.exc_text or "")
    assert "in work" in (record.exc_text or "")


def test_a_result_that_is_there_cannot_be_given_up(desk: Desk) -> None:
    desk.open(desk.first)
    assert not desk.first.cancel()
    assert desk.first.result() == "held"


@pytest.mark.verdict
def test_what_waits_of_one_kind_is_done_together_and_each_gets_their_own(desk: Desk) -> None:
    asked = [desk.join(reader, f"{reader}{kind}", kind) for reader in "ABC" for kind in ("x", "y")]
    desk.open(*asked)
    assert desk.done == ["Ax+Bx+Cx", "By+Cy+Ay"]
    assert [ticket.result() for ticket in asked] == ["Ax", "Ay", "Bx", "By", "Cx", "Cy"]


def test_everybodys_next_goes_before_anybodys_second(desk: Desk) -> None:
    asked = [desk.join("A", f"A{number}", most=3) for number in range(3)]
    asked += [desk.join("B", "B0", most=3), desk.ask("C", "other")]
    desk.open(*asked)
    assert desk.done == ["A0+B0+A1", "other", "A2"]


def test_nobody_waits_for_others_to_come(desk: Desk) -> None:
    alone = desk.join("A", "alone")
    desk.open(alone)
    assert desk.done == ["alone"]
    assert desk.join("B", "later").result(LONG) == "later"
    assert desk.done == ["alone", "later"]


def test_bulk_work_and_who_has_gone_do_not_go_along(desk: Desk) -> None:
    first, gone, last = (desk.join(reader, reader) for reader in "ABC")
    bulk = desk.ask("D", "bulk", bulk=True)
    gone.cancel()
    desk.open(first, last, bulk)
    assert desk.done == ["A+C", "bulk"]


def test_one_error_does_not_spoil_the_others(desk: Desk) -> None:
    first, broken, last = (desk.join(reader, name) for reader, name in (("A", "one"), ("B", "broken"), ("C", "two")))
    desk.open(first, broken, last)
    assert desk.done == ["one+broken+two"]
    assert (first.result(), last.result()) == ("one", "two")
    assert isinstance(broken.exception(), ValueError)


def test_an_error_of_all_reaches_all(desk: Desk) -> None:
    asked = [desk.join(reader, name) for reader, name in zip("AB", ("one", "ruinous"), strict=True)]
    desk.open(*asked)
    assert [str(ticket.exception()) for ticket in asked] == ["all of them"] * 2
    assert desk.ask("A", "last").result(LONG) == "last"


def test_what_is_done_together_is_stopped_when_nobody_waits_for_any_of_it(desk: Desk) -> None:
    endless = Endless()
    together: Batching[str] = Batching("kind", "part", lambda parts, stopped: endless(stopped), lambda parts: True)
    asked = [desk.queue.submit(desk._work(reader), reader, together=together) for reader in "AB"]
    desk.gate.set()
    endless.abandoned_by_all(asked)
    assert desk.ask("A", "next").result(LONG) == "next"


def long_work(line: FairQueue) -> tuple[Ticket[str], threading.Event]:
    """Work that is under way and asks whether to stop until it is let go, or given up."""
    begun, let_go = threading.Event(), threading.Event()

    def work(stopped: StopCallback) -> str:
        begun.set()
        while not let_go.wait(0.001):
            if stopped():
                return "stopped"
        return "long"

    ticket = line.submit(work, "A")
    assert begun.wait(LONG)
    return ticket, let_go


@pytest.mark.verdict
def test_brief_work_is_done_while_other_work_rests(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SLICE_SECONDS", 0.0)
    desk.open()
    ticket, let_go = long_work(desk.queue)
    waits = desk.ask("A", "no brief one"), desk.ask("B", "in bulk", bulk=True)
    brief = [desk.ask("A", "brief of A", brief=True), desk.ask("C", "brief of C", brief=True)]
    assert [one.result(LONG) for one in brief] == ["brief of A", "brief of C"]
    assert ticket.running()
    assert not any(one.done() for one in waits)
    let_go.set()
    assert [one.result(LONG) for one in (ticket, *waits)] == ["long", "no brief one", "in bulk"]
    assert desk.done == ["brief of A", "brief of C", "no brief one", "in bulk"]


def test_brief_work_of_one_kind_goes_along_there_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn of theirs is one batch, and the long work goes on between two of them."""
    monkeypatch.setattr(queue, "SLICE_SECONDS", LONG)
    desk.open()
    ticket, let_go = long_work(desk.queue)
    asked = [desk.join(reader, reader, brief=True) for reader in "BCD"]
    monkeypatch.setattr(queue, "SLICE_SECONDS", 0.0)  # now that all three wait, their turn comes
    assert not wait(asked, LONG).not_done
    assert desk.done == ["B+C+D"]
    let_go.set()
    assert ticket.result(LONG) == "long"


def test_work_goes_on_for_a_slice_before_brief_work_has_its_turn(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "SLICE_SECONDS", LONG)
    desk.open()
    ticket, let_go = long_work(desk.queue)
    brief = desk.ask("B", "brief", brief=True)
    assert not wait([brief], 0.1).done
    let_go.set()
    assert (ticket.result(LONG), brief.result(LONG)) == ("long", "brief")


def test_brief_work_is_done_in_one_go(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SLICE_SECONDS", 0.0)
    desk.open()
    order: list[str] = []

    def work(stopped: StopCallback) -> None:
        other = desk.queue.submit(lambda _: order.append("second"), "B", brief=True)
        assert not any(stopped() or other.done() for _ in range(10))
        order.append("first")

    desk.queue.submit(work, "A", brief=True).result(LONG)
    desk.queue.submit(lambda _: None, "C").result(LONG)
    assert order == ["first", "second"]


def test_an_error_of_brief_work_is_not_the_long_work_s(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SLICE_SECONDS", 0.0)
    desk.open()
    ticket, let_go = long_work(desk.queue)

    def fails(stopped: StopCallback) -> NoReturn:
        raise ValueError("brief")

    with pytest.raises(ValueError, match="brief"):
        desk.queue.submit(fails, "B", brief=True).result(LONG)
    let_go.set()
    assert ticket.result(LONG) == "long"
