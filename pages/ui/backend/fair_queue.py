"""A fair queue with one worker thread: readers take turns, and tasks that nobody waits for any more are dropped.

Fairness is decided in `_pop_next_task`. Each reader has a line, and the lines are served in turn (round robin), so that
ten requests of one reader delay another one by no more than the running task. Bulk work has lines of its own, served
when the others are empty, and once after MAX_TURNS_BEFORE_BULK turns. It is submitted in slices of about half a second,
so that single requests are served in between.

Brief tasks, such as one sentence, run without interruption. Any other task lets them in: when it asks whether to stop,
and has run for SLICE_SECONDS, one waiting brief task runs before it goes on.

Tasks of one kind may take less time together than one after the other (`Batching`). When one of them has its turn, the
waiting ones join it, as many as fit. No task waits for others to arrive.
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

from model.decoding import StopCallback

Result = TypeVar("Result")
Work = Callable[[StopCallback], Result]
"""What a task does; it asks the callback now and then whether to stop, since nobody waits for it any more."""

_log = logging.getLogger(__name__)

MAX_TURNS_BEFORE_BULK = 10
SLICE_SECONDS = 0.25  # that other tasks run before a brief one has its turn


@dataclass(frozen=True)
class BatchOptions(Generic[Result]):
    """How a task is done together with others of the same `kind`.

    `item`: this task's part of the work. `work`: takes all items and a stop callback, and returns for each its result
    or error. `fits`: whether so many items can be done at once.
    """

    kind: Hashable
    item: Any
    work: Callable[[list[Any], StopCallback], list[Result | BaseException]]
    fits: Callable[[list[Any]], bool]


class Task(Generic[Result]):
    """Some work, and the tickets of all who wait for it."""

    def __init__(self, work: Work[Result], key: Hashable, batching: BatchOptions[Result] | None, brief: bool) -> None:
        self.work, self.key, self.batching, self.is_brief = work, key, batching, brief
        self.futures: list[TaskFuture[Result]] = []
        self.has_started = False

    def is_abandoned(self) -> bool:
        """Return whether nobody waits for the task any more."""
        return all(ticket.done() for ticket in self.futures)


class TaskFuture(Future[Result]):
    """One reader's place in the queue, and then the result.

    Unlike other Futures it can be cancelled while the task runs, which is stopped if nobody else waits for it.
    """

    def __init__(self, queue: FairQueue, task: Task[Result], reader: str) -> None:
        super().__init__()
        self._queue, self.task, self.reader = queue, task, reader
        task.futures.append(self)

    @property
    def is_waiting(self) -> bool:
        """Whether the ticket is not cancelled and its task has not started."""
        return not self.done() and not self.task.has_started

    def running(self) -> bool:
        """Return whether the task runs now."""
        return self.task.has_started and not self.done()

    def cancel(self) -> bool:
        """Wait no longer; return False if there is a result already."""
        with self._queue.lock:
            if self.done():
                return self.cancelled()
            super().cancel()
            self.set_running_or_notify_cancel()  # wakes up those who wait for this ticket
            self._queue.drop_abandoned(self.task)
            return True


Lines = OrderedDict[str, deque[TaskFuture[Any]]]
"""The waiting tickets by reader; the reader whose turn is next comes first."""


class FairQueue:
    """The queue and its worker thread. Safe to use from every thread.

    An exception of a task is raised by its tickets. It is also logged, unless it is one of `refusals`, which are no
    failures.
    """

    def __init__(self, name: str = "queue", refusals: tuple[type[BaseException], ...] = ()) -> None:
        self.lock = threading.RLock()
        self._name, self._refusals = name, refusals
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lines: Lines = OrderedDict()
        self._bulk_lines: Lines = OrderedDict()
        self._tasks: dict[Hashable, Task[Any]] = {}  # by key, those that can still be joined
        self._turns_since_bulk = 0

    def submit(
        self, work: Work[Result], reader: str, *, key: Hashable = None, bulk: bool = False, brief: bool = False,
        batching: BatchOptions[Result] | None = None,
    ) -> TaskFuture[Result]:  # fmt: skip
        """Put `work` into the line of `reader`, and return at once.

        If an unfinished task has the same `key`, the ticket joins this task, which is done once. `brief`: the task may
        run while another one pauses. `batching`: how it is done together with others of its kind.
        """
        with self.lock:
            task = self._tasks.get(key)
            if task is None or task.is_abandoned():
                task = Task(work, key, batching, brief)
                if key is not None:
                    self._tasks[key] = task
            ticket = TaskFuture(self, task, reader)
            (self._bulk_lines if bulk else self._lines).setdefault(reader, deque()).append(ticket)
        self._worker.submit(self._run_turn)  # one turn for each ticket; some will find nothing to do
        return ticket

    def drop_abandoned(self, task: Task[Any]) -> None:
        """Forget a task that nobody waits for and that has not started. The caller holds the lock."""
        if task.is_abandoned() and not task.has_started:
            self._forget(task)

    def _forget(self, task: Task[Any]) -> None:
        if self._tasks.get(task.key) is task:
            del self._tasks[task.key]

    def _run_turn(self, brief: bool = False) -> None:
        """Run the next task and those that join it; with `brief` only a brief one, while another task pauses."""
        with self.lock:
            first = _pop_next_task(self._lines, brief=True) if brief else self._choose_next_task()
            if first is None:
                return
            tasks = [first, *self._find_companions(first)]
            for task in tasks:
                task.has_started = True
        outcomes = _run_tasks(tasks, self._create_stop_callback(first))
        # An error of several tasks at once is logged once.
        for error in {id(outcome): outcome for outcome in outcomes if isinstance(outcome, BaseException)}.values():
            if not isinstance(error, self._refusals):
                _log.error("%s failed", self._name, exc_info=error)
        with self.lock:
            for task, outcome in zip(tasks, outcomes, strict=True):
                self._forget(task)
                for ticket in task.futures:
                    if ticket.done():
                        continue
                    if isinstance(outcome, BaseException):
                        ticket.set_exception(outcome)
                    else:
                        ticket.set_result(outcome)

    def _create_stop_callback(self, task: Task[Any]) -> StopCallback:
        """Return the callback by which a task asks whether to stop; in it brief tasks interrupt a task that is not."""
        if task.is_brief:
            return task.is_abandoned
        last_pause = time.monotonic()

        def should_stop() -> bool:
            nonlocal last_pause
            if time.monotonic() - last_pause > SLICE_SECONDS and not task.is_abandoned():
                self._run_turn(brief=True)
                last_pause = time.monotonic()
            return task.is_abandoned()

        return should_stop

    def _find_companions(self, first: Task[Any]) -> list[Task[Any]]:
        """Return the waiting tasks to do together with `first`: everybody's next one before anybody's second."""
        if first.batching is None:
            return []
        items, companions = [first.batching.item], []
        lines = ([ticket.task for ticket in line if ticket.is_waiting] for line in self._lines.values())
        for task in filter(None, chain.from_iterable(zip_longest(*lines))):
            batching = task.batching
            if batching is None or batching.kind != first.batching.kind or task is first or task in companions:
                continue
            if first.batching.fits([*items, batching.item]):
                items.append(batching.item)
                companions.append(task)
        return companions

    def _choose_next_task(self) -> Task[Any] | None:
        """Take the next task from the lines, or from the bulk lines if these are due or the others are empty."""
        lines_in_order = [self._lines, self._bulk_lines]
        if self._turns_since_bulk >= MAX_TURNS_BEFORE_BULK:
            lines_in_order.reverse()
        for lines in lines_in_order:
            task = _pop_next_task(lines)
            if task is not None:
                self._turns_since_bulk = 0 if lines is self._bulk_lines else self._turns_since_bulk + 1
                return task
        return None


def _run_tasks(tasks: list[Task[Any]], should_stop: StopCallback) -> list[Any]:
    """Run tasks, and return the result or error of each. `should_stop`: for a single task."""
    batching = tasks[0].batching
    try:
        if len(tasks) == 1 or batching is None:
            return [tasks[0].work(should_stop)]
        items = [task.batching.item for task in tasks if task.batching is not None]
        return batching.work(items, lambda: all(task.is_abandoned() for task in tasks))
    except BaseException as error:  # of any kind: the thread must live on, and the tickets must end
        return [error] * len(tasks)


def _pop_next_task(lines: Lines, brief: bool = False) -> Task[Any] | None:
    """Take the next waiting task of the first reader that has one, with `brief` the next brief one, and move this
    reader to the end of the round."""
    for reader in tuple(lines):
        line = deque(ticket for ticket in lines[reader] if ticket.is_waiting)
        ticket = next((ticket for ticket in line if ticket.task.is_brief or not brief), None)
        if ticket is not None:
            line.remove(ticket)
            lines.move_to_end(reader)
        if line:
            lines[reader] = line
        else:
            del lines[reader]
        if ticket is not None:
            return ticket.task
    return None
