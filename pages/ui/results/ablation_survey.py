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

MOST = 500  # sentences of a text, evenly spaced
UNSEEN = 30.0  # seconds after which nobody looks any more



class Lane(Protocol):
    """Where a sentence waits for its turn (pages/ui/backend/service.py)."""

    def measure(
        self, name: str, key: Hashable, work: Callable[[Model, Stopped], Ablation], reader: str, bulk: bool = False,
        keep: bool = True,
    ) -> Future[Ablation]: ...  # fmt: skip


class Survey:
    """The sentences, at most MOST of them, and what they came to so far. Safe to read while it is worked on.

    `tally`: the counts; `left_out`: sentences that cannot be translated; `problem`: what ended it early, if anything
    did."""

    def __init__(self, model: str, texts: Sequence[Normalised], settings: Settings, reader: str, lane: Lane) -> None:
        self.model = model
        self.tally = AblationCounts()
        self.left_out = 0
        self.problem: BaseException | None = None
        count = min(MOST, len(texts))
        self._texts = [texts[place * len(texts) // count] for place in range(count)]
        self._settings, self._reader, self._lane = settings, reader, lane
        self._seen = 0.0
        self._asking = False
        self._stopped = False
        self._lock = threading.Lock()

    @property
    def total(self) -> int:
        return len(self._texts)

    @property
    def done(self) -> int:
        return self.tally.sentences + self.left_out

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self._stopped or self.problem is not None or self.done >= self.total

    def look(self) -> None:
        """Somebody looks: it begins, or goes on."""
        with self._lock:
            self._seen = time.monotonic()
            begins = not self._asking and not self.over
            self._asking = self._asking or begins
        if begins:
            self._ask()

    def stop(self) -> None:
        """Do no more after the sentence that is being asked about."""
        self._stopped = True

    def resume(self) -> None:
        """Go on after `stop` or a problem, once somebody looks; what is counted stays."""
        with self._lock:
            self._stopped, self.problem = False, None

    def _ask(self) -> None:
        # Never with the lock held: the lane calls `_take` with its own lock held.
        text = self._texts[self.done]
        self._lane.measure(self.model, ("need-of", text, self._settings), partial(_need, text, self._settings),
                           self._reader, bulk=True, keep=False).add_done_callback(self._take)  # fmt: skip

    def _take(self, made: Future[Ablation]) -> None:
        with self._lock:
            try:
                self.tally.add(made.result())
            except SentenceError:
                self.left_out += 1
            except BaseException as error:  # whatever it is: raised here it would be lost, and the survey never over
                self.problem = error
            goes_on = self._asking = not self.over and time.monotonic() - self._seen < UNSEEN
        if goes_on:  # somebody who looks just now asks by themselves where it has come to rest
            self._ask()


def _need(text: Normalised, settings: Settings, model: Model, stopped: Stopped) -> Ablation:
    return ablate_sentence(model, text, settings, stopped)
