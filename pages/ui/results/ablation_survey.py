"""How much the sentences of a reader's own text need their attention: asked one by one between everybody's requests, as
long as somebody looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Protocol

from model.analysis.ablation.ablation import Ablation, AblationCounts, ablate_sentence
from model.decoding import Settings, Stopped
from model.decoding.translate import SentenceError
from model.text.normalise import Normalised

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from model.checkpoints.checkpoint import Model

MAX_SENTENCES = 500  # sentences of a text, evenly spaced
IDLE_SECONDS = 30.0  # seconds after which nobody looks any more


class MeasurementQueue(Protocol):
    """Where a sentence waits for its turn (pages/ui/backend/service.py)."""

    def measure(
        self, name: str, key: Hashable, work: Callable[[Model, Stopped], Ablation], reader: str, bulk: bool = False,
        keep: bool = True,
    ) -> Future[Ablation]: ...  # fmt: skip


class AblationSurvey:
    """The sentences, at most MOST of them, and what they came to so far. Safe to read while it is worked on.

    `tally`: the counts; `left_out`: sentences that cannot be translated; `problem`: what ended it early, if anything
    did."""

    def __init__(
        self, model: str, texts: Sequence[Normalised], settings: Settings, reader: str, lane: MeasurementQueue
    ) -> None:
        self.model_name = model
        self.tally = AblationCounts()
        self.num_skipped = 0
        self.error: BaseException | None = None
        count = min(MAX_SENTENCES, len(texts))
        self._texts = [texts[place * len(texts) // count] for place in range(count)]
        self._settings, self._reader, self._queue = settings, reader, lane
        self._last_seen = 0.0
        self._is_waiting = False
        self._is_stopped = False
        self._lock = threading.Lock()

    @property
    def num_sentences(self) -> int:
        return len(self._texts)

    @property
    def num_done(self) -> int:
        return self.tally.sentences + self.num_skipped

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will come."""
        return self._is_stopped or self.error is not None or self.num_done >= self.num_sentences

    def keep_alive(self) -> None:
        """Somebody looks: it begins, or goes on."""
        with self._lock:
            self._last_seen = time.monotonic()
            begins = not self._is_waiting and not self.is_finished
            self._is_waiting = self._is_waiting or begins
        if begins:
            self._request_next()

    def stop(self) -> None:
        """Do no more after the sentence that is being asked about."""
        self._is_stopped = True

    def resume(self) -> None:
        """Go on after `stop` or a problem, once somebody looks; what is counted stays."""
        with self._lock:
            self._is_stopped, self.error = False, None

    def _request_next(self) -> None:
        # Never with the lock held: the lane calls `_take` with its own lock held.
        text = self._texts[self.num_done]
        self._queue.measure(self.model_name, ("need-of", text, self._settings), partial(_need, text, self._settings),
                           self._reader, bulk=True, keep=False).add_done_callback(self._on_result)  # fmt: skip

    def _on_result(self, made: Future[Ablation]) -> None:
        with self._lock:
            try:
                self.tally.add(made.result())
            except SentenceError:
                self.num_skipped += 1
            except BaseException as error:  # whatever it is: raised here it would be lost, and the survey never over
                self.error = error
            goes_on = self._is_waiting = not self.is_finished and time.monotonic() - self._last_seen < IDLE_SECONDS
        if goes_on:  # somebody who looks just now asks by themselves where it has come to rest
            self._request_next()


def _need(text: Normalised, settings: Settings, model: Model, stopped: Stopped) -> Ablation:
    return ablate_sentence(model, text, settings, stopped)
