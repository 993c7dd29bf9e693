"""Translation jobs: in slices, in turns, stoppable, found only by their keys, and dropped in time."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sacrebleu.metrics.bleu import BLEU

from model.analysis.metrics.sentences import stack_counts
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import Settings
from model.decoding.translate import SentenceError
from model.text.normalise import NormalisedText
from model.text.tables import Table, read_table
from pages.ui.backend import jobs, service
from pages.ui.backend.jobs import Job, JobStore, Progress, TooManyJobsError, plan_slices
from pages.ui.backend.service import Traces
from tests.pages.fakes import ATTENDED, PLAIN, fake_timers, translate_backwards
from tests.traces import make_trace

Answers = list[Traces | SentenceError]

MODELS = (ATTENDED, PLAIN)


def translate_slice(name: str, sentences: Sequence[NormalisedText], settings: Settings) -> Answers:
    """Translate by the fake models of fakes.py; "nonsense" is no model."""
    if name == "nonsense":
        raise CheckpointError("there is no such folder")
    translated: Answers = []
    for sentence in sentences:
        try:
            translated.append(translate_backwards(SimpleNamespace(name=name), sentence, settings, lambda: False))
        except SentenceError as error:
            translated.append(error)
    return translated


def translate_slice_backwards(
    model: SimpleNamespace, sentences: Sequence[NormalisedText], settings: Settings, should_stop: object
) -> Answers:
    """Replace `service.translate_slice`."""
    return translate_slice(model.name, sentences, settings)


class SliceQueue:
    """A translator with one thread; it records the requested slices, and each waits until `gate` is released."""

    def __init__(self, open_gate: bool = True) -> None:
        self.gate = threading.Semaphore(10_000 if open_gate else 0)
        self.requests: list[tuple[str, str, tuple[str, ...]]] = []
        self._worker = ThreadPoolExecutor(1)

    def request_slice(
        self, name: str, sentences: Sequence[NormalisedText], settings: Settings, reader: str
    ) -> Future[Answers]:
        self.requests.append((reader, name, tuple(sentences)))

        def work() -> Answers:
            assert self.gate.acquire(timeout=20)
            return translate_slice(name, sentences, settings)

        return self._worker.submit(work)

    def close(self) -> None:
        self.gate.release(10_000)
        self._worker.shutdown()


@pytest.fixture
def translator() -> Iterator[SliceQueue]:
    translator = SliceQueue()
    yield translator
    translator.close()


@pytest.fixture
def blocked() -> Iterator[SliceQueue]:
    translator = SliceQueue(open_gate=False)
    yield translator
    translator.close()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def run_job(store: JobStore, document: Table, models: Sequence[str] = MODELS) -> Job:
    job = store.start(document, models, Settings())
    wait_until(lambda: job.is_finished)
    return job


def make_document(count: int) -> Table:
    return read_table("\n".join(f"the cat number {number} sleeps" for number in range(count)))


def wait_for_slices(job: Job, count: int) -> Progress:
    """Wait until `count` full slices are done; return the progress then."""
    wait_until(lambda: job.get_progress().num_done == count * service.MAX_SLICE_SENTENCES)
    return job.get_progress()


def test_every_sentence_is_translated_and_scored_by_every_model(translator: SliceQueue) -> None:
    document = read_table("one two three\teno owt eerht\nthe sea\tla mer\n")
    job = run_job(JobStore(translator), document)
    assert job.completed_indices == (0, 1)
    outputs = [[result.output for result in job.results[name] if result] for name in MODELS]
    assert outputs == [["eno owt eerht", "eht aes"], ["eno eerht", "eht"]]
    assert job.get_progress() == Progress("done", 4, 4, None)
    first = job.results[ATTENDED][0]
    assert first is not None
    assert first.trace is not None
    assert (first.trace.source.text, first.trace.detail, first.is_finished) == ("one two three", None, True)
    assert first.measures is not None
    assert first.measures.confidence is not None
    counts = stack_counts([result.scores for result in job.results[PLAIN] if result and result.scores])
    corpus = BLEU().corpus_score(outputs[1], [list(document.references or ())])
    assert counts.sum(axis=0).tolist() == [*corpus.counts, *corpus.totals, corpus.sys_len, corpus.ref_len]
    (without_reference,) = run_job(JobStore(translator), make_document(1), [ATTENDED]).results[ATTENDED]
    assert without_reference is not None
    assert without_reference.scores is None


def test_a_stopped_job_keeps_its_results_and_a_discarded_one_requests_nothing_more(blocked: SliceQueue) -> None:
    store = JobStore(blocked)
    job = store.start(make_document(200), MODELS, Settings())
    blocked.gate.release(4)
    progress = wait_for_slices(job, 4)
    assert (progress.state, progress.num_total) == ("running", 400)
    assert not job.is_finished
    job.stop_early()
    blocked.gate.release(10)
    wait_until(lambda: job.is_finished)
    assert len(blocked.requests) == 6  # the other model translates the same sentences, and no more
    assert job.get_progress().state == "stopped"
    assert len(job.completed_indices) == 3 * service.MAX_SLICE_SENTENCES
    assert all(job.results[name][index] is not None for name in MODELS for index in job.completed_indices)

    discarded = store.start(make_document(200), MODELS, Settings())
    store.discard(discarded.key)
    wait_until(lambda: discarded.is_finished)
    assert len(blocked.requests) == 7


def test_the_time_left_counts_neither_loading_nor_failed_models(
    blocked: SliceQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first slice of each model takes a hundred seconds, since the model is loaded; the others take one second."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    job = JobStore(blocked).start(make_document(200), MODELS, Settings())
    progress = []
    for count, seconds in enumerate((100, 100, 1, 1), 1):
        clock.now += seconds
        blocked.gate.release()
        progress.append(wait_for_slices(job, count))
    assert [(one.state, one.seconds_left) for one in progress[:2]] == [("running", None)] * 2
    words = 5 * service.MAX_SLICE_SENTENCES  # of a slice, in a second
    assert progress[2].seconds_left == pytest.approx((5 * 400 - 3 * words) / words)
    assert progress[3].seconds_left == pytest.approx((5 * 400 - 4 * words) / words)
    job.errors[PLAIN] = RuntimeError("out of memory")
    assert job.get_progress().seconds_left == pytest.approx((5 * 200 - 2 * words) / words)
    job.cancel()


def test_a_model_that_cannot_be_loaded_does_not_stop_the_others(translator: SliceQueue) -> None:
    job = run_job(JobStore(translator), make_document(40), ["nonsense", ATTENDED])
    assert list(job.errors) == ["nonsense"]
    assert job.working_models == (ATTENDED,)
    assert len(job.completed_indices) == job.get_progress().num_total == 40
    assert sum(name == "nonsense" for _, name, _ in translator.requests) == 1


@pytest.mark.parametrize("error", [EOFError("a damaged file"), SystemExit(1)])
def test_a_job_whose_translator_fails_ends_with_the_error(error: BaseException) -> None:
    class FailingTranslator:
        def request_slice(self, *_: object) -> Future[Answers]:
            failed: Future[Answers] = Future()
            failed.set_exception(error)
            return failed

    job = run_job(JobStore(FailingTranslator()), make_document(2))
    assert job.get_progress().state == "failed"
    assert job.errors == dict.fromkeys(MODELS, error)


def test_a_sentence_that_cannot_be_translated_counts_as_empty(translator: SliceQueue) -> None:
    job = run_job(JobStore(translator), read_table("the sea\tla mer\n" + "cat " * 600 + "\tle chat\n"))
    result = job.results[ATTENDED][1]
    assert result is not None
    assert result.error == ("pieces", 600, 500)
    assert (result.output, result.trace, result.measures) == ("", None, None)
    assert result.scores is not None
    assert result.scores.bleu == 0.0
    assert job.completed_indices == (0, 1)


def test_slices_are_short_and_hold_every_sentence_once_per_model() -> None:
    document = read_table("\n".join("word " * (1 + number * 7 % 50) for number in range(150)))
    slices = plan_slices(document.sources, MODELS)
    for name in MODELS:
        indices = [index for model, part in slices if model == name for index in part]
        assert sorted(indices) == list(range(150))
        assert sorted(indices[: jobs.WINDOW_SENTENCES]) == list(range(jobs.WINDOW_SENTENCES))
    assert all(len(part) == 1 or service.fits_slice([document.sources[index] for index in part]) for _, part in slices)
    assert [model for model, _ in slices[:4]] == [ATTENDED, PLAIN, ATTENDED, PLAIN]
    assert max(len(document.sources[index]) for _, part in slices[:2] for index in part) < 60


def test_jobs_take_turns(blocked: SliceQueue) -> None:
    store = JobStore(blocked)
    first, _ = (store.start(make_document(64), [ATTENDED], Settings()) for _ in range(2))
    blocked.gate.release(6)
    wait_until(lambda: len(blocked.requests) == 8)
    assert [reader == first.key for reader, _, _ in blocked.requests[:6]] == [True, False] * 3


def test_a_job_is_found_only_by_its_key(translator: SliceQueue) -> None:
    store = JobStore(translator)
    first, second = run_job(store, read_table("mine")), run_job(store, read_table("yours"))
    assert len(first.key) >= 32
    assert first.key != second.key
    assert store.find(first.key) is first
    for key in ("", "0", first.key[:-1], first.key + "x", "*", "../" + first.key):
        assert store.find(key) is None
    store.discard(first.key)
    assert store.find(first.key) is None
    assert store.find(second.key) is second


def test_a_job_expires_some_hours_after_it_was_last_viewed(
    translator: SliceQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = JobStore(translator)
    job = run_job(store, read_table("mine"))
    start_time = time.monotonic()
    for fraction, is_kept in ((0.9, True), (1.8, True), (2.9, False)):
        monkeypatch.setattr(jobs.time, "monotonic", lambda: start_time + 3600 * jobs.MAX_IDLE_HOURS * fraction)  # noqa: B023
        assert (store.find(job.key) is job) == is_kept


def test_jobs_expire_without_any_visit(translator: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, timers = SimpleNamespace(now=0.0), fake_timers(monkeypatch, jobs)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    store = JobStore(translator)
    for number in (1, 2):  # the timer is started again for the second one
        run_job(store, make_document(1))
        assert [len(store), len(timers), timers[-1].interval] == [1, number, 3600 * jobs.MAX_IDLE_HOURS]
        clock.now += timers[-1].interval
        timers[-1].function()
        assert len(store) == 0


def test_the_oldest_finished_jobs_are_dropped_for_new_ones(
    translator: SliceQueue, blocked: SliceQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_JOBS", 3)
    store = JobStore(translator)
    finished = [run_job(store, read_table(f"text {number}")) for number in range(3)]
    assert store.find(finished[0].key) is finished[0]  # now the last one viewed
    finished.append(run_job(store, read_table("one more")))
    assert [store.find(job.key) is not None for job in finished] == [True, False, True, True]
    monkeypatch.setattr(jobs, "MAX_BYTES", 1)  # less than any of them: the one being viewed stays nevertheless
    assert store.find(finished[2].key) is finished[2]
    assert [store.find(job.key) is not None for job in finished] == [False, False, True, False]
    store = JobStore(blocked)
    running = [store.start(make_document(10), [ATTENDED], Settings()) for _ in range(3)]
    assert all(store.find(job.key) is job for job in running)


def test_the_number_of_running_jobs_is_limited_per_reader_and_in_all(blocked: SliceQueue) -> None:
    store = JobStore(blocked)

    def start(reader: str) -> Job:
        return store.start(make_document(10), [ATTENDED], Settings(), reader)

    own_jobs = [start("A") for _ in range(jobs.MAX_RUNNING_PER_READER)]
    with pytest.raises(TooManyJobsError, match="of yours") as refused:
        start("A")
    assert refused.value.is_reader_limit
    store.discard(own_jobs[0].key)
    start("A")
    for number in range(jobs.MAX_RUNNING - jobs.MAX_RUNNING_PER_READER):
        start(str(number))
    with pytest.raises(TooManyJobsError, match="already"):
        start("B")


def test_a_refused_job_drops_no_other_one(translator: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    store = JobStore(translator)
    finished = [run_job(store, read_table(f"text {number}")) for number in range(2)]
    monkeypatch.setattr(jobs, "MAX_JOBS", 2)
    monkeypatch.setattr(jobs, "MAX_RUNNING", 0)
    with pytest.raises(TooManyJobsError):
        store.start(make_document(10), MODELS, Settings())
    assert [store.find(job.key) for job in finished] == finished


def test_a_job_keeps_one_of_many_maps() -> None:
    original = make_trace()
    heads = tuple(replace(original.get_map(), head=number) for number in range(1, 9))
    reduced = jobs.keep_displayed_map(replace(original, maps=heads, displayed_map_key="attention-h3"))
    assert [attention_map.head for attention_map in reduced.maps] == [3]
    assert reduced.displayed_map_key == "attention-h3"
    assert jobs.keep_displayed_map(original) is original


def test_the_memory_of_a_job_is_counted(translator: SliceQueue) -> None:
    small, large = (run_job(JobStore(translator), make_document(count)) for count in (10, 100))
    compressed = sum(len(result.compressed_trace) for column in large.results.values() for result in column if result)
    assert large.num_bytes > compressed
    assert large.num_bytes > 8 * small.num_bytes
