"""Attention ablation of a reader's own text, sentence by sentence in the background.

A survey takes turns with everybody's requests, and pauses while nobody views it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Protocol

import streamlit as st

from model.analysis.ablation.ablation import Ablation, AblationCounts, ablate_sentence
from model.checkpoints.checkpoint import Model
from model.decoding import Settings, StopCallback
from model.decoding.translate import SentenceError
from model.text.normalise import NormalisedText
from model.text.sampling import sample_evenly

MAX_SENTENCES = 500  # of a text, evenly spaced
IDLE_SECONDS = 30.0  # without `keep_alive` the survey pauses after this time
_SURVEYS_KEY = "ablation-surveys"


class MeasurementQueue(Protocol):
    """The queue of measurements (pages/ui/backend/service.py)."""

    def measure(
        self, name: str, key: Hashable, work: Callable[[Model, StopCallback], Ablation], reader: str,
        is_bulk: bool = False, should_cache: bool = True,
    ) -> Future[Ablation]: ...  # fmt: skip


class AblationSurvey:
    """The ablation of at most MAX_SENTENCES sentences. Safe to read from another thread while it runs.

    Attributes:
        counts: the counts so far.
        num_skipped: sentences that cannot be translated.
        error: what ended the survey early, if anything did.
    """

    def __init__(
        self, model_name: str, texts: Sequence[NormalisedText], settings: Settings, reader: str, queue: MeasurementQueue
    ) -> None:
        self.model_name = model_name
        self.counts = AblationCounts()
        self.num_skipped = 0
        self.error: BaseException | None = None
        self._texts = sample_evenly(texts, MAX_SENTENCES)
        self._settings, self._reader, self._queue = settings, reader, queue
        self._last_seen = 0.0
        self._is_waiting = False  # for the result of a sentence
        self._is_stopped = False
        self._lock = threading.Lock()

    @property
    def num_sentences(self) -> int:
        return len(self._texts)

    @property
    def num_done(self) -> int:
        return self.counts.sentences + self.num_skipped

    @property
    def is_finished(self) -> bool:
        return self._is_stopped or self.error is not None or self.num_done >= self.num_sentences

    def keep_alive(self) -> None:
        """Note that a reader views the survey; start it, or continue after a pause."""
        with self._lock:
            self._last_seen = time.monotonic()
            starts = not self._is_waiting and not self.is_finished
            self._is_waiting = self._is_waiting or starts
        if starts:
            self._request_next()

    def cancel(self) -> None:
        """Stop after the current sentence."""
        self._is_stopped = True

    def resume(self) -> None:
        """Allow the survey to continue after `cancel` or an error, at the next `keep_alive`. Counts stay."""
        with self._lock:
            self._is_stopped, self.error = False, None

    def _request_next(self) -> None:
        # Never with the lock held: the queue calls `_on_result` with its own lock held.
        text, settings = self._texts[self.num_done], self._settings
        future = self._queue.measure(
            self.model_name, ("ablation-of", text, settings),
            lambda model, should_stop: ablate_sentence(model, text, settings, should_stop),
            self._reader, is_bulk=True, should_cache=False,
        )  # fmt: skip
        future.add_done_callback(self._on_result)

    def _on_result(self, future: Future[Ablation]) -> None:
        with self._lock:
            try:
                self.counts.add(future.result())
            except SentenceError:
                self.num_skipped += 1
            except BaseException as error:  # raised in a callback it would be lost, and the survey never finish
                self.error = error
            is_watched = time.monotonic() - self._last_seen < IDLE_SECONDS
            continues = self._is_waiting = is_watched and not self.is_finished
        if continues:  # after the lock is released `keep_alive` may already have continued a paused survey
            self._request_next()


def get_surveys() -> dict[tuple[str, str, Settings], AblationSurvey]:
    """Return the session's surveys by the job key of the text, the model's name and the search settings."""
    surveys: dict[tuple[str, str, Settings], AblationSurvey] = st.session_state.setdefault(_SURVEYS_KEY, {})
    return surveys


def discard_surveys(job_key: str) -> None:
    """Stop and forget all surveys of a text."""
    surveys = get_surveys()
    for key in [key for key in surveys if key[0] == job_key]:
        surveys.pop(key).cancel()
