"""A fair queue: one job at a time, the readers taking turns, and nothing done that nobody waits for any more.

Each reader stands in a line of their own, and whose turn it is goes round: ten requests of one reader do not keep
another one waiting for more than the one that runs. Bulk work stands in a second row of lines, which is served when the
first is empty, and once after every PATIENT turns even when it is not; whoever has much to do there submits it in
slices of about half a second, one after the other, and everybody else slips in between.

Brief work, a reader's sentence, is done in one go. Whatever else is at work lets it in: where such a job asks whether
to stop, and has worked for SLICE since it last did, brief work that waits has a turn, and the job goes on after it.

Jobs of one kind can be done together in less time than one after the other: when the turn of one of them comes, those
that wait go along, as many as fit. Nobody waits for others to come.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")
StopCallback = Callable[[], bool]
"""What a job asks now and then: whether nobody waits for it any more."""
Work = Callable[[StopCallback], Result]

_log = logging.getLogger(__name__)

MAX_TURNS_BEFORE_BULK = 10  # turns that may go before bulk work has one
SLICE_SECONDS = 0.25  # seconds that other work goes on for before brief work has its turn


@dataclass(frozen=True)
class Batching(Generic[Result]):
    """How a job is done along with others of its kind.

    `part`: what of the work is this job's own; `work`, the same for all of the kind: from all parts, and a function
    that says whether to stop, to what each has come to, a result or the error that was met; `fits`: whether so many
    parts can be done at once.
    """

    kind: Hashable
    part: Any
    work: Callable[[list[Any], StopCallback], list[Result | BaseException]]
    fits: Callable[[list[Any]], bool]


class Task(Generic[Result]):
    """Some work and all who wait for it."""

    def __init__(self, work: Work[Result], key: Hashable, together: Batching[Result] | None, brief: bool) -> None:
        self.work, self.key, self.together, self.brief = work, key, together, brief
        self.tickets: list[Ticket[Result]] = []
        self.begun = False

    def abandoned(self) -> bool:
        """Whether nobody waits for it any more."""
        return all(ticket.done() for ticket in self.tickets)


class Ticket(Future[Result]):
    """One reader's place in the queue, and then the result. Unlike other Futures it can be cancelled while the job
    runs: the job is stopped if nobody else waits for it."""

    def __init__(self, queue: FairQueue, job: Task[Result], reader: str) -> None:
        super().__init__()
        self._queue, self.job, self.reader = queue, job, reader
        job.tickets.append(self)

    def running(self) -> bool:
        """Whether the job is being done right now."""
        return self.job.begun and not self.done()

    def cancel(self) -> bool:
        """Wait no longer; False if the result was there before."""
        with self._queue.lock:
            if self.done():
                return self.cancelled()
            super().cancel()
            self.set_running_or_notify_cancel()  # tells those who wait for this ticket
            self._queue.drop(self.job)
            return True


class FairQueue:
    """The queue and the one thread that works it off. Safe to use from every thread. Whatever a job raises is given to
    those who wait for it, and logged with its traceback unless it is one of the `refusals`, which mean no failure."""

    def __init__(self, name: str = "queue", refusals: tuple[type[BaseException], ...] = ()) -> None:
        self.lock = threading.RLock()
        self._name, self._refusals = name, refusals
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lines: OrderedDict[str, deque[Ticket[Any]]] = OrderedDict()
        self._bulk: OrderedDict[str, deque[Ticket[Any]]] = OrderedDict()
        self._jobs: dict[Hashable, Task[Any]] = {}  # by key, those that can still be joined
        self._passed = 0  # jobs since bulk work had its last turn

    def submit(
        self, work: Work[Result], reader: str, *, key: Hashable = None, bulk: bool = False, brief: bool = False,
        together: Batching[Result] | None = None,
    ) -> Ticket[Result]:
        """Stand in `reader`'s line with `work`, which is called with a function that says whether to stop.

        A `key` that a job still to be finished has too joins that job, which is done once. `together` says how it is
        done where others of its kind wait; `brief`, that it may be done while other work rests. The ticket raises
        whatever the work raised. Returns at once.
        """
        with self.lock:
            job = self._jobs.get(key)
            if job is None or job.abandoned():
                job = Task(work, key, together, brief)
                if key is not None:
                    self._jobs[key] = job
            ticket = Ticket(self, job, reader)
            (self._bulk if bulk else self._lines).setdefault(reader, deque()).append(ticket)
        self._worker.submit(self._serve)  # one turn a ticket: a turn that finds nothing to do costs nothing
        return ticket

    def drop(self, job: Task[Any]) -> None:
        """Keep no job that nobody waits for any more and that was not begun; to be called with the lock held."""
        if job.abandoned() and not job.begun:
            self._forget(job)

    def _forget(self, job: Task[Any]) -> None:
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    def _serve(self, brief: bool = False) -> None:
        """One turn; with `brief` of brief work, while another job rests."""
        with self.lock:
            first = _pop_next_task(self._lines, brief=True) if brief else self._next()
            if first is None:
                return
            jobs = [first, *self._companions(first)]
            for job in jobs:
                job.begun = True
        outcomes = _run_tasks(jobs, self._asked(first))
        # One failure of several jobs at once is logged once.
        for error in {id(one): one for one in outcomes if isinstance(one, BaseException)}.values():
            if not isinstance(error, self._refusals):
                _log.error("%s failed", self._name, exc_info=error)
        with self.lock:
            for job, outcome in zip(jobs, outcomes, strict=True):
                self._forget(job)
                for ticket in job.tickets:
                    if ticket.done():
                        continue
                    if isinstance(outcome, BaseException):
                        ticket.set_exception(outcome)
                    else:
                        ticket.set_result(outcome)

    def _asked(self, job: Task[Any]) -> StopCallback:
        """What the job asks whether to stop: where it is not brief itself, brief work has its turn then."""
        if job.brief:
            return job.abandoned
        rested = time.monotonic()

        def stopped() -> bool:
            nonlocal rested
            if time.monotonic() - rested > SLICE_SECONDS and not job.abandoned():
                self._serve(brief=True)
                rested = time.monotonic()
            return job.abandoned()

        return stopped

    def _companions(self, first: Task[Any]) -> list[Task[Any]]:
        """The waiting jobs that are done along with `first`: everybody's next one before anybody's second."""
        how = first.together
        if how is None:
            return []
        parts, found = [how.part], []
        lines = ([ticket.job for ticket in line if not ticket.done() and not ticket.job.begun]
                 for line in self._lines.values())
        for job in filter(None, chain.from_iterable(zip_longest(*lines))):
            other = job.together
            if other is None or other.kind != how.kind or job is first or job in found:
                continue
            if how.fits([*parts, other.part]):
                parts.append(other.part)
                found.append(job)
        return found

    def _next(self) -> Task[Any] | None:
        """The job of whoever's turn it is."""
        first, second = (
            (self._bulk, self._lines) if self._passed >= MAX_TURNS_BEFORE_BULK else (self._lines, self._bulk)
        )
        for lines in (first, second):
            job = _pop_next_task(lines)
            if job is not None:
                self._passed = 0 if lines is self._bulk else self._passed + 1
                return job
        return None


def _run_tasks(jobs: list[Task[Any]], stopped: StopCallback) -> list[Any]:
    """What each of the jobs has come to: its result, or the error that was met. `stopped`: what a single one asks."""
    how = jobs[0].together
    try:
        if len(jobs) == 1 or how is None:
            return [jobs[0].work(stopped)]
        parts = [job.together.part for job in jobs if job.together is not None]
        return how.work(parts, lambda: all(job.abandoned() for job in jobs))
    except BaseException as raised:  # whatever it is, the thread lives on and whoever asked is told
        return [raised] * len(jobs)


def _pop_next_task(lines: OrderedDict[str, deque[Ticket[Any]]], brief: bool = False) -> Task[Any] | None:
    """The first reader's next job that is still to be done, with `brief` the next brief one; that reader goes to the
    end of the round."""
    for reader in tuple(lines):
        line = deque(ticket for ticket in lines[reader] if not ticket.done() and not ticket.job.begun)
        found = next((ticket for ticket in line if ticket.job.brief or not brief), None)
        if found is not None:
            line.remove(found)
            lines.move_to_end(reader)
        if line:
            lines[reader] = line
        else:
            del lines[reader]
        if found is not None:
            return found.job
    return None
