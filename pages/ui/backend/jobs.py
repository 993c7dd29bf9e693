"""Readers' files being translated: each a job, done a few sentences at a time between everybody's requests.

A job is known by a key that cannot be guessed, and by nothing else: who has the key (it stands in the link) sees the
text, nobody else does. Jobs live in the server's memory only, for some hours, and the oldest make room for new ones.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Sequence
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
from model.text.normalise import Normalised
from model.text.tables import Table
from model.trace import Trace
from pages.ui.backend import cards, service
from pages.ui.backend.service import Traces

WINDOW_SENTENCES = 64  # sentences among which those of like length are put together
MAX_IDLE_HOURS = 6.0  # a job is kept after it was last looked at
MAX_JOBS = 100  # jobs
MAX_BYTES = 256 * 2**20  # of all jobs together
MAX_RUNNING = 12  # jobs at one time
MAX_RUNNING_PER_READER = 2  # of one reader

JobState = Literal["waiting", "running", "done", "stopped", "failed"]

_log = logging.getLogger(__name__)
_scoring_thread = ThreadPoolExecutor(1, thread_name_prefix="measuring")  # so that the decoding thread goes on decoding


class SliceTranslator(Protocol):
    """Where slices wait for their turn between everybody's requests (pages/ui/backend/service.py)."""

    def request_slice(
        self, name: str, sentences: Sequence[Normalised], settings: Settings, reader: str
    ) -> Future[list[Traces | SentenceError]]: ...


class TooManyJobsError(ValueError):
    """The server works on as many files as it may, or on as many of one reader (`own`)."""

    def __init__(self, message: str, own: bool = False) -> None:
        super().__init__(message)
        self.own = own


@dataclass(frozen=True)
class SentenceResult:
    """What one model made of one sentence: the output ("" where there is none), its measures, its scores where there is
    a reference, and the counts that chrF is made of; whether it came to an end, its hard alignment as Pharaoh text
    (None without attention), and the Trace, packed. `problem` says why there is no translation."""

    output: str
    is_finished: bool
    measures: TranslationMeasures | None
    scores: SentenceScores | None
    chrf_counts: Counts | None
    error: tuple[str, int, int] | None  # of a SentenceError: kind, got, limit
    pharaoh_alignment: str | None
    compressed_trace: bytes

    @property
    def trace(self) -> Trace | None:
        return Trace.from_json(zlib.decompress(self.compressed_trace)) if self.compressed_trace else None


@dataclass(frozen=True)
class Progress:
    """How far a job is: translations made, of how many, and the seconds that the rest should take (None: unknown)."""

    state: JobState
    num_done: int
    num_total: int
    seconds_left: float | None


class Job:
    """One file on its way through one or several models. Safe to read while it is worked on."""

    def __init__(self, key: str, document: Table, models: Sequence[str], settings: Settings, reader: str = ""
                 ) -> None:
        self.key, self.reader = key, reader
        self.document = document
        self.models = tuple(models)
        self.settings = replace(settings, n_best=1, candidates=0, detail=False, tree=False)
        self.results: dict[str, list[SentenceResult | None]] = {
            name: [None] * len(document.sources) for name in self.models
        }
        self.errors: dict[str, BaseException] = {}  # models that could not be loaded, or failed
        self.last_access = time.monotonic()
        self.num_bytes = sum(2 * len(text) + 100 for text in (*document.sources, *(document.references or ())))  # bytes
        read, _ = next(filter(None, map(cards.get_languages, self.models)), languages.DEFAULT_PAIR)
        self.word_counts = tuple(
            languages.get_language(read).count_words(source) for source in document.sources
        )  # in words
        self._slices = iter(plan_slices(document.sources, self.models))
        self._done = dict.fromkeys(self.models, 0)
        self._words = dict.fromkeys(self.models, 0)  # of the sources translated
        self._last = 0.0  # when the last slice was done
        self._paced = (0, 0.0)  # words and seconds of the slices that show how fast the work goes
        self._waiting: Future[list[Traces | SentenceError]] | None = None
        self._places: list[int] = []  # of the last slice; that of the next model is the same list
        self._stopped = False
        self._over = False
        self._lock = threading.RLock()

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will come: all is done, or it was stopped, or every model failed."""
        return self._over

    @property
    def completed_indices(self) -> tuple[int, ...]:
        """The sentences, by their place, that every model that works is done with."""
        columns = [self.results[name] for name in self.working_models]
        if not columns:
            return ()
        return tuple(place for place, row in enumerate(zip(*columns, strict=True)) if None not in row)

    @property
    def working_models(self) -> tuple[str, ...]:
        """The models that no problem was met with."""
        return tuple(name for name in self.models if name not in self.errors)

    def get_progress(self) -> Progress:
        with self._lock:
            working = self.working_models
            done, total = sum(self._done[name] for name in working), len(self.word_counts) * len(working)
            if self._over:
                state: JobState = "failed" if not working else "stopped" if self._stopped else "done"
                return Progress(state, done, total, None)
            words, seconds = self._paced
            if not words:
                begun = any(self._words.values()) or (self._waiting is not None and self._waiting.running())
                return Progress("running" if begun else "waiting", done, total, None)
            left = sum(sum(self.word_counts) - self._words[name] for name in working)
            return Progress("running", done, total, left * seconds / words)

    def stop(self) -> None:
        """End the job early and keep what is done. The slice of sentences that is at work goes to every model first."""
        self._stopped = True

    def cancel(self) -> None:
        """Do no more at all: nobody wants what there is."""
        with self._lock:
            self._stopped, self._slices = True, iter(())
            waiting = self._waiting
        if waiting is not None:
            waiting.cancel()

    def submit_next_slice(self, lane: SliceTranslator) -> None:
        """Have the next slice translated, and after it the next: never more than one waits, so that jobs take turns."""
        part = next((part for part in self._slices if part[0] not in self.errors), None)
        if part is None or (self._stopped and part[1] is not self._places):
            self._over = True
            return
        name, places = part
        waiting = lane.request_slice(name, [self.document.sources[place] for place in places], self.settings, self.key)
        with self._lock:
            self._waiting, self._places = waiting, places

        def measured(made: Future[list[Traces | SentenceError]]) -> None:
            _scoring_thread.submit(self._store_slice, made, name, places, lane)

        waiting.add_done_callback(measured)

    def _store_slice(
        self, made: Future[list[Traces | SentenceError]], name: str, places: list[int], lane: SliceTranslator
    ) -> None:
        """Keep what a slice gave, and go on. A model's first slice says nothing of the pace: the model was loaded."""
        now = time.monotonic()
        with self._lock:
            if self._done[name]:
                words, seconds = self._paced
                self._paced = words + sum(self.word_counts[place] for place in places), seconds + now - self._last
            self._last = now
        try:
            for place, answer in zip(places, made.result(), strict=True):
                self._store_result(name, place, answer)
        except CancelledError:
            pass
        except BaseException as error:  # whatever it is: raised here it would be lost, and the job never over
            if error is not made.exception():  # that one the service has logged
                _log.error("scoring what %s made of a file", name, exc_info=error)
            self.errors[name] = error
        self.submit_next_slice(lane)

    def _get_target_language(self, name: str) -> str:
        """The language that a model writes."""
        return (cards.get_languages(name) or languages.DEFAULT_PAIR)[1]

    def _store_result(self, name: str, place: int, answer: Traces | SentenceError) -> None:
        trace, problem = (None, answer) if isinstance(answer, SentenceError) else (answer[0], None)
        output = trace.target.text if trace else ""
        references = self.document.references
        outcome = SentenceResult(
            output=output,
            is_finished=trace is not None and trace.finished,
            measures=measure_translation(trace) if trace else None,
            scores=score_sentence(output, references[place], self._get_target_language(name)) if references else None,
            chrf_counts=count_character_ngrams(output, references[place]) if references else None,
            error=(problem.kind, problem.size, problem.limit) if problem else None,
            pharaoh_alignment=format_pharaoh(trace) if trace and trace.has_attention else None,
            compressed_trace=zlib.compress(keep_displayed_map(trace).to_json().encode()) if trace else b"",
        )
        with self._lock:
            self.results[name][place] = outcome
            self.num_bytes += len(outcome.compressed_trace) + 2 * len(output) + 1000
            self._done[name] += 1
            self._words[name] += self.word_counts[place]


def keep_displayed_map(trace: Trace) -> Trace:
    """The Trace with the one map that a reader sees first: of a network with many heads thousands of sentences with all
    of theirs would fill the server's memory."""
    return replace(trace, maps=(trace.get_map(),), shown=None) if trace.has_attention and len(trace.maps) > 1 else trace


def plan_slices(sources: Sequence[str], models: Sequence[str]) -> list[tuple[str, list[int]]]:
    """The slices in the order of the work: within each window those of like length together, every model in turn, so
    that a job that is stopped has the first sentences from every model."""
    planned = []
    for first in range(0, len(sources), WINDOW_SENTENCES):
        for part in batch_by_length(sources[first : first + WINDOW_SENTENCES], len, service.fits_slice):
            places = [first + place for place in part]  # one list for all models, by which `run` knows it again
            planned += [(name, places) for name in models]
    return planned


class JobStore:
    """The jobs of one server, by key."""

    def __init__(self, lane: SliceTranslator) -> None:
        self._lane = lane
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def start(self, document: Table, models: Sequence[str], settings: Settings, reader: str = "") -> Job:
        """Begin a job for `reader`; raises TooManyJobs."""
        with self._lock:
            self._drop_expired()
            self._make_room(1)
            if sum(not job.is_finished for job in self._jobs.values()) >= MAX_RUNNING:
                raise TooManyJobsError(f"The server works on {MAX_RUNNING} files already: try again in a few minutes.")
            if (
                reader
                and sum(not job.is_finished and job.reader == reader for job in self._jobs.values()) >= MAX_RUNNING_PER_READER
            ):
                raise TooManyJobsError(
                    f"{MAX_RUNNING_PER_READER} files of yours are being translated: wait for one, or stop it.", own=True
                )
            job = Job(secrets.token_urlsafe(24), document, models, settings, reader)
            self._jobs[job.key] = job
            self._schedule_expiry()
        job.submit_next_slice(self._lane)
        return job

    def find(self, key: str) -> Job | None:
        """The job of that key, or None where there is none any more, or never was."""
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
        """Drop what nobody looked at for hours."""
        late = time.monotonic() - MAX_IDLE_HOURS * 3600
        for job in [job for job in self._jobs.values() if job.last_access <= late]:
            self._jobs.pop(job.key).cancel()

    def _schedule_expiry(self) -> None:
        """Have the jobs tidied when the next is due, whether or not anybody comes: for as long as there are any."""
        if self._timer is not None or not self._jobs:
            return

        def tidy() -> None:
            with self._lock:
                self._timer = None
                self._drop_expired()
                self._schedule_expiry()

        due = min(job.last_access for job in self._jobs.values()) + MAX_IDLE_HOURS * 3600
        self._timer = threading.Timer(max(0.0, due - time.monotonic()), tidy)
        self._timer.daemon = True  # the server ends when it ends
        self._timer.start()

    def _make_room(self, more: int = 0) -> None:
        """Drop the oldest that are over while there is too much for so many `more`; the one that was looked at last
        stays, and so do those that are at work."""
        total = sum(job.num_bytes for job in self._jobs.values())
        for key, job in list(self._jobs.items())[:-1]:
            if len(self._jobs) <= MAX_JOBS - more and total <= MAX_BYTES:
                return
            if job.is_finished:
                self._jobs.pop(key).cancel()
                total -= job.num_bytes


@st.cache_resource(show_spinner=False)
def get_job_store() -> JobStore:
    """The Jobs of this server."""
    return JobStore(service.get_service())
