"""Translation jobs: readers' files, translated a few sentences at a time between everybody's requests.

A job is found only by its key, which cannot be guessed: who has the link with the key sees the text, nobody else does.
Jobs are in the server's memory only, for some hours, and the oldest are dropped for new ones.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import streamlit as st

from model.analysis.alignment.trace_formats import format_pharaoh
from model.analysis.metrics.sentences import SentenceScores, TranslationMeasures, measure_translation, score_sentence
from model.decoding import Settings
from model.decoding.length_batches import batch_by_length
from model.decoding.translate import SentenceError
from model.text import languages
from model.text.bleu import Counts, count_character_ngrams
from model.text.normalise import NormalisedText
from model.text.politeness import add_missing_tag
from model.text.tables import Table
from model.trace import Trace
from pages.ui.backend import cards, service
from pages.ui.backend.service import Traces

WINDOW_SENTENCES = 64  # among these, sentences of similar length share a slice
MAX_IDLE_HOURS = 6.0  # after its last access a job is dropped
MAX_JOBS = 100
MAX_BYTES = 256 * 2**20  # of all jobs together
MAX_RUNNING = 12  # jobs at one time
MAX_RUNNING_PER_READER = 2

JobState = Literal["waiting", "running", "done", "stopped", "failed"]
SliceResult = list[Traces | SentenceError]

_log = logging.getLogger(__name__)
_scoring_thread = ThreadPoolExecutor(1, thread_name_prefix="scoring")  # so that the decoding thread goes on decoding


class SliceTranslator(Protocol):
    """What translates slices, between everybody's requests: `service.Service`."""

    def request_slice(
        self, name: str, sentences: Sequence[NormalisedText], settings: Settings, reader: str
    ) -> Future[SliceResult]: ...


class TooManyJobsError(ValueError):
    """As many jobs are running as the server allows, or as one reader may have (`is_reader_limit`)."""

    def __init__(self, message: str, is_reader_limit: bool = False) -> None:
        super().__init__(message)
        self.is_reader_limit = is_reader_limit


@dataclass(frozen=True)
class SentenceResult:
    """One model's translation of one sentence, and its measures.

    `output`: "" without a translation; `error` then says why: kind, size and limit of the SentenceError. `is_finished`:
    whether the output ends with the end of the sentence. `scores`, `chrf_counts`: None without a reference.
    `pharaoh_alignment`: the hard alignment as "i-j" links, None without attention.
    """

    output: str
    is_finished: bool
    measures: TranslationMeasures | None
    scores: SentenceScores | None
    chrf_counts: Counts | None
    error: tuple[str, int, int] | None
    pharaoh_alignment: str | None
    compressed_trace: bytes

    @property
    def trace(self) -> Trace | None:
        return Trace.from_json(zlib.decompress(self.compressed_trace)) if self.compressed_trace else None


@dataclass(frozen=True)
class Progress:
    """How many translations of a job are done; `seconds_left` is None if unknown."""

    state: JobState
    num_done: int
    num_total: int
    seconds_left: float | None


class Job:
    """The translation of one file by one or several models. Safe to read from other threads while it runs."""

    def __init__(
        self, key: str, document: Table, models: Sequence[str], settings: Settings, reader: str = "", style: str = ""
    ) -> None:
        self.key, self.reader, self.style = key, reader, style
        self.document = document
        self.models = tuple(models)
        self.settings = replace(settings, n_best=1, candidates=0, detail=False, tree=False)
        self.results: dict[str, list[SentenceResult | None]] = {
            name: [None] * len(document.sources) for name in self.models
        }
        self.errors: dict[str, BaseException] = {}  # of models that could not be loaded, or failed
        self.last_access = time.monotonic()
        self.num_bytes = sum(2 * len(text) + 100 for text in (*document.sources, *(document.references or ())))
        source_language, _ = cards.find_languages(self.models)
        self.word_counts = tuple(map(languages.get_language(source_language).count_words, document.sources))
        self._slices = iter(plan_slices(document.sources, self.models))
        self._num_done = dict.fromkeys(self.models, 0)
        self._words_done = dict.fromkeys(self.models, 0)  # of the sources
        self._last_slice_time = 0.0
        self._timed_words, self._timed_seconds = 0, 0.0  # of the slices from which the speed is estimated
        self._pending: Future[SliceResult] | None = None
        self._indices: list[int] = []  # the sentences of the last slice; the next model's slice is the same list
        self._is_stopped = False
        self._is_finished = False
        self._lock = threading.RLock()

    @property
    def is_finished(self) -> bool:
        """Whether no more results will come: all are done, the job was stopped, or every model failed."""
        return self._is_finished

    @property
    def completed_indices(self) -> tuple[int, ...]:
        """The indices of the sentences for which every working model has a result."""
        columns = [self.results[name] for name in self.working_models]
        if not columns:
            return ()
        return tuple(index for index, row in enumerate(zip(*columns, strict=True)) if None not in row)

    @property
    def working_models(self) -> tuple[str, ...]:
        """The models without an error."""
        return tuple(name for name in self.models if name not in self.errors)

    def get_progress(self) -> Progress:
        with self._lock:
            models = self.working_models
            num_done, num_total = sum(self._num_done[name] for name in models), len(self.word_counts) * len(models)
            if self._is_finished:
                state: JobState = "failed" if not models else "stopped" if self._is_stopped else "done"
                return Progress(state, num_done, num_total, None)
            if not self._timed_words:
                is_running = self._pending is not None and self._pending.running()
                state = "running" if is_running or any(self._words_done.values()) else "waiting"
                return Progress(state, num_done, num_total, None)
            words_left = sum(sum(self.word_counts) - self._words_done[name] for name in models)
            return Progress("running", num_done, num_total, words_left * self._timed_seconds / self._timed_words)

    def stop_early(self) -> None:
        """End the job early and keep its results. Sentences that one model has translated are translated by all."""
        self._is_stopped = True

    def cancel(self) -> None:
        """End the job at once; its results are not needed."""
        with self._lock:
            self._is_stopped, self._slices = True, iter(())
            pending_future = self._pending
        if pending_future is not None:
            pending_future.cancel()

    def tag_sources(self, model: str, indices: Iterable[int]) -> list[NormalisedText]:
        """Return these sources as `model` translates them: with the tag of the job's style, if it has the tags."""
        sources = [self.document.sources[index] for index in indices]
        if not self.style or not cards.has_style_tags(model):
            return sources
        return [add_missing_tag(source, self.style) for source in sources]

    def submit_next_slice(self, translator: SliceTranslator) -> None:
        """Request the next slice, and after it the one that follows. Only one waits at a time, so that jobs take
        turns."""
        name, indices = next((part for part in self._slices if part[0] not in self.errors), ("", []))
        if not name or (self._is_stopped and indices is not self._indices):
            self._is_finished = True
            return
        future = translator.request_slice(name, self.tag_sources(name, indices), self.settings, self.key)
        with self._lock:
            self._pending, self._indices = future, indices
        future.add_done_callback(
            lambda slice_future: _scoring_thread.submit(self._store_slice, slice_future, name, indices, translator)
        )

    def _store_slice(
        self, slice_future: Future[SliceResult], name: str, indices: list[int], translator: SliceTranslator
    ) -> None:
        """Store the results of a slice, and request the next one."""
        current_time = time.monotonic()
        with self._lock:
            if self._num_done[name]:  # the first slice of a model includes loading the model
                self._timed_words += sum(self.word_counts[index] for index in indices)
                self._timed_seconds += current_time - self._last_slice_time
            self._last_slice_time = current_time
        try:
            for index, answer in zip(indices, slice_future.result(), strict=True):
                self._store_result(name, index, answer)
        except CancelledError:
            pass
        except BaseException as error:  # of any type: if it were raised here, the job would never finish
            if error is not slice_future.exception():  # the service has logged that one
                _log.error("scoring the translations by %s failed", name, exc_info=error)
            self.errors[name] = error
        self.submit_next_slice(translator)

    def _store_result(self, name: str, index: int, answer: Traces | SentenceError) -> None:
        trace, error = (None, answer) if isinstance(answer, SentenceError) else (answer[0], None)
        output = trace.target.text if trace else ""
        reference = self.document.references[index] if self.document.references else None
        _, target_language = cards.find_languages([name])
        result = SentenceResult(
            output=output,
            is_finished=trace is not None and trace.is_finished,
            measures=measure_translation(trace) if trace else None,
            scores=None if reference is None else score_sentence(output, reference, target_language),
            chrf_counts=None if reference is None else count_character_ngrams(output, reference),
            error=(error.kind, error.size, error.limit) if error else None,
            pharaoh_alignment=format_pharaoh(trace) if trace and trace.has_attention else None,
            compressed_trace=zlib.compress(keep_displayed_map(trace).to_json().encode()) if trace else b"",
        )
        with self._lock:
            self.results[name][index] = result
            self.num_bytes += len(result.compressed_trace) + 2 * len(output) + 1000
            self._num_done[name] += 1
            self._words_done[name] += self.word_counts[index]


def keep_displayed_map(trace: Trace) -> Trace:
    """Return the Trace with only the map that is displayed first: all heads of thousands of sentences would fill the
    server's memory."""
    has_others = trace.has_attention and len(trace.maps) > 1
    return replace(trace, maps=(trace.get_map(),), displayed_map_key=None) if has_others else trace


def plan_slices(sources: Sequence[str], models: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Return the slices of a job in order, each as a model and the indices of its sentences.

    Within a window sentences of similar length share a slice. Each slice goes to every model before the next one, so
    that a stopped job has the first sentences from every model.
    """
    slices = []
    for first in range(0, len(sources), WINDOW_SENTENCES):
        for part in batch_by_length(sources[first : first + WINDOW_SENTENCES], len, service.fits_slice):
            indices = [first + index for index in part]  # one list for all models: submit_next_slice compares with `is`
            slices += [(name, indices) for name in models]
    return slices


class JobStore:
    """The jobs of one server, by key."""

    def __init__(self, translator: SliceTranslator) -> None:
        self._translator = translator
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __len__(self) -> int:
        return len(self._jobs)

    def list_running(self) -> list[Job]:
        """Return the jobs that are not finished."""
        return [job for job in tuple(self._jobs.values()) if not job.is_finished]

    def start(
        self, document: Table, models: Sequence[str], settings: Settings, reader: str = "", style: str = ""
    ) -> Job:
        """Start a job for `reader`, with a style of Korean if the models have a choice. Raises TooManyJobsError."""
        with self._lock:
            self._drop_expired()
            running_jobs = self.list_running()
            if len(running_jobs) >= MAX_RUNNING:
                raise TooManyJobsError(f"The server works on {MAX_RUNNING} files already: try again in a few minutes.")
            if reader and sum(job.reader == reader for job in running_jobs) >= MAX_RUNNING_PER_READER:
                raise TooManyJobsError(
                    f"{MAX_RUNNING_PER_READER} files of yours are being translated: wait for one, or stop it.",
                    is_reader_limit=True,
                )
            self._make_room(1)
            job = Job(secrets.token_urlsafe(24), document, models, settings, reader, style)
            self._jobs[job.key] = job
            self._schedule_expiry()
        job.submit_next_slice(self._translator)
        return job

    def find(self, key: str) -> Job | None:
        """Return the job of this key, or None if there is none (any more)."""
        with self._lock:
            self._drop_expired()
            job = self._jobs.get(key)
            if job is not None:
                job.last_access = time.monotonic()
                self._jobs.move_to_end(key)
            self._make_room()
            return job

    def discard(self, key: str) -> None:
        """Forget a job and its text."""
        with self._lock:
            job = self._jobs.pop(key, None)
        if job is not None:
            job.cancel()

    def _drop_expired(self) -> None:
        """Drop the jobs that nobody has viewed for MAX_IDLE_HOURS."""
        oldest_access = time.monotonic() - MAX_IDLE_HOURS * 3600
        for job in [job for job in self._jobs.values() if job.last_access <= oldest_access]:
            self._jobs.pop(job.key).cancel()

    def _schedule_expiry(self) -> None:
        """Start a timer that drops the next job to expire, even if nobody visits the server any more."""
        if self._timer is not None or not self._jobs:
            return

        def expire() -> None:
            with self._lock:
                self._timer = None
                self._drop_expired()
                self._schedule_expiry()

        expiry = min(job.last_access for job in self._jobs.values()) + MAX_IDLE_HOURS * 3600
        self._timer = threading.Timer(max(0.0, expiry - time.monotonic()), expire)
        self._timer.daemon = True  # does not keep the server from ending
        self._timer.start()

    def _make_room(self, num_new: int = 0) -> None:
        """Drop the oldest finished jobs while there are too many for `num_new` more. Running jobs and the one last
        viewed stay."""
        num_bytes = sum(job.num_bytes for job in self._jobs.values())
        for key, job in list(self._jobs.items())[:-1]:
            if len(self._jobs) <= MAX_JOBS - num_new and num_bytes <= MAX_BYTES:
                return
            if job.is_finished:
                self._jobs.pop(key).cancel()
                num_bytes -= job.num_bytes


@st.cache_resource(show_spinner=False)
def get_job_store() -> JobStore:
    """Return the one JobStore of this server."""
    return JobStore(service.get_service())
