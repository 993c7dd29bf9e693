"""A fair queue with one worker thread: readers take turns, and tasks that nobody waits for any more are dropped.

Fairness is decided in two places:

- `RoundRobin.pop_next` takes turns among readers, so that ten requests of one reader delay another reader by no more
  than the running task.
- `FairQueue._choose_next_task` runs bulk work when no single request waits, and once after MAX_TURNS_BEFORE_BULK turns.
  Bulk work is submitted in slices of about half a second, so that single requests run in between.

Brief tasks, such as one sentence, run without interruption. Any other task is interrupted by them: each time it asks
whether to stop, and has run for SLICE_SECONDS, one waiting brief task runs before it goes on.

Tasks of one kind may take less time together than one after the other (`BatchOptions`). When one of them has its turn,
the waiting ones join it, as many as fit. No task waits for others to arrive.
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
"""The function of a task. It calls the callback now and then, which returns whether to stop."""

_log = logging.getLogger(__name__)

MAX_TURNS_BEFORE_BULK = 10
SLICE_SECONDS = 0.25  # that a task runs before a brief one interrupts it


@dataclass(frozen=True)
class BatchOptions(Generic[Result]):
    """How a task is batched with others of the same `kind`.

    `item`: this task's input. `run_batch`: takes all inputs and a stop callback, and returns for each its result or
    error. `fits_batch`: returns whether so many inputs make one batch.
    """

    kind: Hashable
    item: Any
    run_batch: Callable[[list[Any], StopCallback], list[Result | BaseException]]
    fits_batch: Callable[[list[Any]], bool]


class Task(Generic[Result]):
    """Some work, and the futures of all who wait for it."""

    def __init__(
        self, work: Work[Result], key: Hashable, batching: BatchOptions[Result] | None, is_brief: bool
    ) -> None:
        self.work, self.key, self.batching, self.is_brief = work, key, batching, is_brief
        self.futures: list[TaskFuture[Result]] = []
        self.has_started = False

    def is_abandoned(self) -> bool:
        """Return whether nobody waits for the task any more."""
        return all(future.done() for future in self.futures)

    def set_outcome(self, outcome: Result | BaseException) -> None:
        """Give the result or error to all who wait."""
        for future in self.futures:
            if future.done():
                continue
            if isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


class TaskFuture(Future[Result]):
    """One reader's place in the queue, and then the result.

    Unlike other Futures it can be cancelled while the task runs. The task is then stopped, unless somebody else waits
    for it.
    """

    def __init__(self, queue: FairQueue, task: Task[Result], reader: str) -> None:
        super().__init__()
        self._queue, self.task, self.reader = queue, task, reader
        task.futures.append(self)

    @property
    def is_waiting(self) -> bool:
        """Whether the future is not cancelled and its task has not started."""
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
            self.set_running_or_notify_cancel()  # wakes up those who wait for this future
            self._queue.drop_if_abandoned(self.task)
            return True


class RoundRobin:
    """The waiting futures, a line for each reader; the lines are served in turn. Not thread-safe."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[TaskFuture[Any]]] = OrderedDict()  # the reader whose turn is next first

    def append(self, future: TaskFuture[Any]) -> None:
        """Put a future at the end of its reader's line."""
        self._lines.setdefault(future.reader, deque()).append(future)

    def pop_next(self, is_brief_only: bool = False) -> Task[Any] | None:
        """Remove and return the next waiting task of the first reader that has one, and move this reader to the end of
        the round. `is_brief_only`: consider brief tasks only."""
        for reader in tuple(self._lines):
            line = deque(future for future in self._lines[reader] if future.is_waiting)
            future = next((future for future in line if future.task.is_brief or not is_brief_only), None)
            if future is not None:
                line.remove(future)
                self._lines.move_to_end(reader)
            if line:
                self._lines[reader] = line
            else:
                del self._lines[reader]
            if future is not None:
                return future.task
        return None

    def list_waiting(self) -> list[Task[Any]]:
        """Return the waiting tasks: the next one of every reader, then the second one of every reader, and so on."""
        lines = ([future.task for future in line if future.is_waiting] for line in self._lines.values())
        return [task for task in chain.from_iterable(zip_longest(*lines)) if task is not None]


class FairQueue:
    """The queue and its worker thread. Safe to use from every thread.

    An exception of a task is raised by its futures. It is also logged, unless it is one of `refusals`, which are no
    failures.
    """

    def __init__(self, name: str = "queue", refusals: tuple[type[BaseException], ...] = ()) -> None:
        self.lock = threading.RLock()
        self._name, self._refusals = name, refusals
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._single_requests, self._bulk_work = RoundRobin(), RoundRobin()
        self._tasks: dict[Hashable, Task[Any]] = {}  # by key, those that can still be joined
        self._turns_since_bulk = 0

    def submit(
        self, work: Work[Result], reader: str, *, key: Hashable = None, is_bulk: bool = False, is_brief: bool = False,
        batching: BatchOptions[Result] | None = None,
    ) -> TaskFuture[Result]:  # fmt: skip
        """Put `work` into the line of `reader`, and return at once.

        If an unfinished task has the same `key`, the future joins this task, which runs once. `is_brief`: the task may
        interrupt another one. `batching`: how it is batched with others of its kind.
        """
        with self.lock:
            task = self._tasks.get(key)
            if task is None or task.is_abandoned():
                task = Task(work, key, batching, is_brief)
                if key is not None:
                    self._tasks[key] = task
            future = TaskFuture(self, task, reader)
            (self._bulk_work if is_bulk else self._single_requests).append(future)
        self._worker.submit(self._run_turn)  # one turn for each future; some turns will find nothing to do
        return future

    def drop_if_abandoned(self, task: Task[Any]) -> None:
        """Forget a task that nobody waits for and that has not started. The caller holds the lock."""
        if task.is_abandoned() and not task.has_started:
            self._forget(task)

    def _forget(self, task: Task[Any]) -> None:
        if self._tasks.get(task.key) is task:
            del self._tasks[task.key]

    def _choose_next_task(self) -> Task[Any] | None:
        """Take the next single request, or bulk work if it is due or nothing else waits."""
        lines_in_order = [self._single_requests, self._bulk_work]
        if self._turns_since_bulk >= MAX_TURNS_BEFORE_BULK:
            lines_in_order.reverse()
        for lines in lines_in_order:
            task = lines.pop_next()
            if task is not None:
                self._turns_since_bulk = 0 if lines is self._bulk_work else self._turns_since_bulk + 1
                return task
        return None

    def _run_turn(self, is_brief_only: bool = False) -> None:
        """Run the next task and those batched with it. `is_brief_only`: a brief one, while another task pauses."""
        with self.lock:
            first = self._single_requests.pop_next(is_brief_only=True) if is_brief_only else self._choose_next_task()
            if first is None:
                return
            tasks = self._collect_batch(first)
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
                task.set_outcome(outcome)

    def _collect_batch(self, first: Task[Any]) -> list[Task[Any]]:
        """Return `first` and the waiting tasks to run together with it."""
        tasks = [first]
        if first.batching is None:
            return tasks
        items = [first.batching.item]
        for task in self._single_requests.list_waiting():
            batching = task.batching
            if batching is None or batching.kind != first.batching.kind or task in tasks:
                continue
            if first.batching.fits_batch([*items, batching.item]):
                items.append(batching.item)
                tasks.append(task)
        return tasks

    def _create_stop_callback(self, task: Task[Any]) -> StopCallback:
        """Return the callback by which a task asks whether to stop. If the task is not brief, waiting brief tasks run
        within the callback."""
        if task.is_brief:
            return task.is_abandoned
        last_pause = time.monotonic()

        def should_stop() -> bool:
            nonlocal last_pause
            if time.monotonic() - last_pause > SLICE_SECONDS and not task.is_abandoned():
                self._run_turn(is_brief_only=True)
                last_pause = time.monotonic()
            return task.is_abandoned()

        return should_stop


def _run_tasks(tasks: list[Task[Any]], should_stop: StopCallback) -> list[Any]:
    """Run one task or a batch, and return the result or error of each. `should_stop`: for a single task."""
    batching = tasks[0].batching
    try:
        if len(tasks) == 1 or batching is None:
            return [tasks[0].work(should_stop)]
        items = [task.batching.item for task in tasks if task.batching is not None]
        return batching.run_batch(items, lambda: all(task.is_abandoned() for task in tasks))
    except BaseException as error:  # of any type: the thread must go on, and the futures must end
        return [error] * len(tasks)
