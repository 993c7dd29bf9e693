"""Files being translated: in slices, in turns, stoppable, known only by their keys, and not for ever."""

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
from model.text.normalise import Normalised, normalise
from model.text.tables import Table, read_table
from pages.ui.backend import jobs, service
from pages.ui.backend.jobs import Job, JobStore, TooManyJobsError, plan_slices
from pages.ui.backend.service import Service, Traces
from tests.pages.fakes import ATTENDED, PLAIN, translate_backwards
from tests.pages.traces import trace

Answers = list[Traces | SentenceError]

BOTH = (ATTENDED, PLAIN)


def translate_slice(name: str, sentences: Sequence[Normalised], settings: Settings) -> Answers:
    """What the made-up models of fakes.py say; "nonsense" is no model."""
    if name == "nonsense":
        raise CheckpointError("there is no such folder")
    made: Answers = []
    for sentence in sentences:
        try:
            made.append(translate_backwards(SimpleNamespace(name=name), sentence, settings, lambda: False))
        except SentenceError as error:
            made.append(error)
    return made


class SliceQueue:
    """A lane with one thread; every slice waits for `gate` to let it pass, and is noted."""

    def __init__(self, open_gate: bool = True) -> None:
        self.gate = threading.Semaphore(10_000 if open_gate else 0)
        self.asked: list[tuple[str, str, tuple[str, ...]]] = []
        self._worker = ThreadPoolExecutor(1)

    def request_slice(
        self, name: str, sentences: Sequence[Normalised], settings: Settings, reader: str
    ) -> Future[Answers]:
        self.asked.append((reader, name, tuple(sentences)))

        def work() -> Answers:
            assert self.gate.acquire(timeout=20)
            return translate_slice(name, sentences, settings)

        return self._worker.submit(work)

    def close(self) -> None:
        self.gate.release(10_000)
        self._worker.shutdown()


@pytest.fixture
def lane() -> Iterator[SliceQueue]:
    made = SliceQueue()
    yield made
    made.close()


@pytest.fixture
def held() -> Iterator[SliceQueue]:
    made = SliceQueue(open_gate=False)
    yield made
    made.close()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def run_job(store: JobStore, document: Table, models: Sequence[str] = BOTH) -> Job:
    job = store.start(document, models, Settings())
    wait_until(lambda: job.is_finished)
    return job


def make_document(count: int) -> Table:
    return read_table("\n".join(f"the cat number {number} sleeps" for number in range(count)))


def test_every_sentence_is_translated_by_every_model(lane: SliceQueue) -> None:
    document = read_table("one two three\teno owt eerht\nthe sea\tla mer\n")
    job = run_job(JobStore(lane), document)
    assert job.completed_indices == (0, 1)
    outputs = [[outcome.output for outcome in job.results[name] if outcome] for name in BOTH]
    assert outputs == [["eno owt eerht", "eht aes"], ["eno eerht", "eht"]]
    progress = job.get_progress()
    assert (progress.state, progress.num_done, progress.num_total, progress.seconds_left) == ("done", 4, 4, None)
    first = job.results[ATTENDED][0]
    assert first is not None
    assert first.trace is not None
    assert first.trace.source.text == "one two three"
    assert first.trace.detail is None
    assert first.is_finished
    assert first.measures is not None
    assert first.measures.confidence is not None
    assert first.scores is not None
    made = stack_counts([outcome.scores for outcome in job.results[PLAIN] if outcome and outcome.scores])
    corpus = BLEU().corpus_score(outputs[1], [list(document.references or ())])
    assert made.sum(axis=0).tolist() == [*corpus.counts, *corpus.totals, corpus.sys_len, corpus.ref_len]


def test_without_references_there_are_no_scores(lane: SliceQueue) -> None:
    job = run_job(JobStore(lane), make_document(1), [ATTENDED])
    outcome = job.results[ATTENDED][0]
    assert outcome is not None
    assert outcome.scores is None


def test_a_stop_keeps_what_is_done(held: SliceQueue) -> None:
    job = JobStore(held).start(make_document(200), BOTH, Settings())
    held.gate.release(4)
    wait_until(lambda: len(held.asked) == 5)
    halfway = job.get_progress()
    assert halfway.state == "running"
    assert halfway.num_done == 4 * service.MAX_SLICE_SENTENCES
    assert halfway.num_total == 400
    assert halfway.seconds_left is not None
    assert not job.is_finished
    job.stop()
    held.gate.release(10)
    wait_until(lambda: job.is_finished)
    assert len(held.asked) == 6  # the other model has had the same sentences; no more were asked for
    assert job.get_progress().state == "stopped"
    assert len(job.completed_indices) == 3 * service.MAX_SLICE_SENTENCES
    assert all(job.results[name][place] is not None for name in BOTH for place in job.completed_indices)


def test_the_time_left_is_reckoned_without_the_loading(held: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first slice of each model waits for the model, here for a hundred seconds; those after it take one second."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    job = JobStore(held).start(make_document(200), BOTH, Settings())
    found = []
    for number, seconds in enumerate((100, 100, 1, 1), 1):
        clock.now += seconds
        held.gate.release()
        wait_until(lambda number=number: job.get_progress().num_done == number * service.MAX_SLICE_SENTENCES)  # type: ignore[misc]
        found.append(job.get_progress())
    assert [(one.state, one.seconds) for one in found[:2]] == [("running", None)] * 2
    words = 5 * service.MAX_SLICE_SENTENCES  # of a slice, in a second
    assert found[2].seconds == pytest.approx((5 * 400 - 3 * words) / words)
    assert found[3].seconds == pytest.approx((5 * 400 - 4 * words) / words)
    job.cancel()
    held.gate.release(10)


def test_what_a_model_did_before_it_failed_does_not_shorten_the_time_left(
    held: SliceQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    job = JobStore(held).start(make_document(200), BOTH, Settings())
    for number in (1, 2, 3):
        clock.now += 1
        held.gate.release()
        wait_until(lambda number=number: job.get_progress().num_done == number * service.MAX_SLICE_SENTENCES)  # type: ignore[misc]
    first, second = held.asked[0][1], held.asked[1][1]
    assert held.asked[2][1] == first
    job.errors[second] = RuntimeError("the memory is gone")
    words = 5 * service.MAX_SLICE_SENTENCES  # of a slice, in a second
    assert job.get_progress().seconds_left == pytest.approx((5 * 200 - 2 * words) / words)
    job.cancel()
    held.gate.release(10)


def test_a_dropped_job_asks_for_nothing_more(held: SliceQueue) -> None:
    store = JobStore(held)
    job = store.start(make_document(200), BOTH, Settings())
    store.discard(job.key)
    held.gate.release(10)
    wait_until(lambda: job.is_finished)
    assert len(held.asked) == 1


def test_a_model_that_cannot_be_loaded_does_not_stop_the_others(lane: SliceQueue) -> None:
    job = run_job(JobStore(lane), make_document(40), ["nonsense", ATTENDED])
    assert list(job.errors) == ["nonsense"]
    assert job.working_models == (ATTENDED,)
    assert len(job.completed_indices) == 40
    assert job.get_progress().num_total == 40
    assert sum(name == "nonsense" for _, name, _ in lane.asked) == 1
    assert run_job(JobStore(lane), make_document(2), ["nonsense"]).get_progress().state == "failed"


@pytest.mark.parametrize("error", [EOFError("a damaged file"), SystemExit(1)])
def test_a_job_whose_worker_dies_is_over_and_says_why(error: BaseException) -> None:
    class Dead:
        def request_slice(self, *_: object) -> Future[Answers]:
            failed: Future[Answers] = Future()
            failed.set_exception(error)
            return failed

    job = run_job(JobStore(Dead()), make_document(2))
    assert job.get_progress().state == "failed"
    assert job.errors == dict.fromkeys(BOTH, error)


def test_a_sentence_that_cannot_be_translated_counts_as_empty(lane: SliceQueue) -> None:
    job = run_job(JobStore(lane), read_table("the sea\tla mer\n" + "cat " * 600 + "\tle chat\n"))
    outcome = job.results[ATTENDED][1]
    assert outcome is not None
    assert outcome.error == ("pieces", 600, 500)
    assert (outcome.output, outcome.trace, outcome.measures) == ("", None, None)
    assert outcome.scores is not None
    assert outcome.scores.bleu == 0.0
    assert job.completed_indices == (0, 1)


def test_the_plan_has_every_sentence_once_a_model_in_short_slices() -> None:
    document = read_table("\n".join("word " * (1 + number * 7 % 50) for number in range(150)))
    planned = plan_slices(document.sources, BOTH)
    for name in BOTH:
        places = [place for model, part in planned if model == name for place in part]
        assert sorted(places) == list(range(150))
        assert sorted(places[: jobs.WINDOW_SENTENCES]) == list(range(jobs.WINDOW_SENTENCES))
    assert all(len(part) == 1 or service.fits_slice([document.sources[place] for place in part]) for _, part in planned)
    assert [model for model, _ in planned[:4]] == [ATTENDED, PLAIN, ATTENDED, PLAIN]
    lengths = [len(document.sources[place]) for _, part in planned[:2] for place in part]
    assert max(lengths) < 60  # those of like length stand together


def test_jobs_take_turns(held: SliceQueue) -> None:
    store = JobStore(held)
    one, _ = (store.start(make_document(64), [ATTENDED], Settings()) for _ in range(2))
    held.gate.release(6)
    wait_until(lambda: len(held.asked) == 8)
    assert [reader == one.key for reader, _, _ in held.asked[:6]] == [True, False] * 3


def test_others_are_served_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real queue: a single sentence waits for one slice of a long file, not for the file."""
    begun, go = threading.Semaphore(0), threading.Semaphore(0)

    def slowly(model: SimpleNamespace, sentences: Sequence[Normalised], settings: Settings, stopped: object) -> Answers:
        begun.release()
        assert go.acquire(timeout=20)
        return translate_slice(model.name, sentences, settings)

    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=name))
    monkeypatch.setattr(service, "translate_sentence", translate_backwards)
    monkeypatch.setattr(service, "translate_slice", slowly)
    server = Service()
    job = JobStore(server).start(make_document(2000), BOTH, Settings())
    assert begun.acquire(timeout=20)
    single = server.request(PLAIN, normalise("the sea"), Settings(), "somebody")
    go.release()
    assert single.result(20)[0].target.text == "eht"
    assert job.get_progress().num_done <= 2 * service.MAX_SLICE_SENTENCES
    job.stop()
    go.release(3)
    wait_until(lambda: job.is_finished)
    assert job.get_progress().state == "stopped"


def test_a_job_is_known_by_its_key_alone(lane: SliceQueue) -> None:
    store = JobStore(lane)
    one, other = run_job(store, read_table("mine")), run_job(store, read_table("yours"))
    assert len(one.key) >= 32
    assert one.key != other.key
    assert store.find(one.key) is one
    for key in ("", "0", one.key[:-1], one.key + "x", "*", "../" + one.key):
        assert store.find(key) is None
    store.discard(one.key)
    assert store.find(one.key) is None
    assert store.find(other.key) is other


def test_a_job_expires_hours_after_the_last_look(lane: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    store = JobStore(lane)
    job = run_job(store, read_table("mine"))
    now = time.monotonic()
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now + 3600 * jobs.MAX_IDLE_HOURS * 0.9)
    assert store.find(job.key) is job
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now + 3600 * jobs.MAX_IDLE_HOURS * 1.8)
    assert store.find(job.key) is job  # looked at meanwhile
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now + 3600 * jobs.MAX_IDLE_HOURS * 2.9)
    assert store.find(job.key) is None


def test_the_oldest_make_room(lane: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_JOBS", 3)
    store = JobStore(lane)
    made = [run_job(store, read_table(f"text {number}")) for number in range(3)]
    assert store.find(made[0].key) is made[0]  # now the last one looked at
    made.append(run_job(store, read_table("one more")))
    assert [store.find(job.key) is not None for job in made] == [True, False, True, True]
    monkeypatch.setattr(jobs, "MAX_BYTES", 1)  # less than any of them: what is being looked at stays all the same
    assert store.find(made[2].key) is made[2]
    assert [store.find(job.key) is not None for job in made] == [False, False, True, False]


def test_nobody_s_file_that_is_at_work_makes_room(held: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_BYTES", 1)
    store = JobStore(held)
    made = [store.start(make_document(10), [ATTENDED], Settings()) for _ in range(3)]
    assert all(store.find(job.key) is job for job in made)
    held.gate.release(10)
    wait_until(lambda: all(job.is_finished for job in made))
    assert [store.find(job.key) is not None for job in reversed(made)] == [True, False, False]


def test_a_reader_has_two_files_at_work_and_leaves_the_others_a_place(held: SliceQueue) -> None:
    store = JobStore(held)
    mine = [store.start(make_document(10), [ATTENDED], Settings(), "A") for _ in range(jobs.MAX_RUNNING_PER_READER)]
    with pytest.raises(TooManyJobsError, match="of yours") as refused:
        store.start(make_document(10), [ATTENDED], Settings(), "A")
    assert refused.value.own
    store.start(make_document(10), [ATTENDED], Settings(), "B")
    store.discard(mine[0].key)
    store.start(make_document(10), [ATTENDED], Settings(), "A")


def test_of_many_maps_a_file_keeps_the_one_that_is_seen() -> None:
    one = trace()
    heads = tuple(replace(one.get_map(), head=number) for number in range(1, 9))
    slim = jobs.keep_displayed_map(replace(one, maps=heads, shown="attention-h3"))
    assert [each.head for each in slim.maps] == [3]
    assert slim.shown == "attention-h3"
    assert jobs.keep_displayed_map(one) is one


def test_what_a_job_holds_is_counted(lane: SliceQueue) -> None:
    small, large = run_job(JobStore(lane), make_document(10)), run_job(JobStore(lane), make_document(100))
    packed = sum(len(outcome.compressed_trace) for column in large.results.values() for outcome in column if outcome)
    assert large.num_bytes > packed
    assert large.num_bytes > 8 * small.num_bytes


def test_no_more_than_some_at_once(held: SliceQueue) -> None:
    store = JobStore(held)
    for _ in range(jobs.MAX_RUNNING):
        store.start(make_document(10), [ATTENDED], Settings())
    with pytest.raises(TooManyJobsError, match="already"):
        store.start(make_document(10), [ATTENDED], Settings())


def test_a_text_is_forgotten_in_time_though_nobody_comes(lane: SliceQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_IDLE_HOURS", 2 / 3600)
    store = JobStore(lane)
    first = run_job(store, make_document(1))
    second = store.start(make_document(1), BOTH, Settings())
    assert set(store._jobs) == {first.key, second.key}
    wait_until(lambda: not store._jobs)
    assert store._timer is None
    third = store.start(make_document(1), BOTH, Settings())
    assert set(store._jobs) == {third.key}
    wait_until(lambda: not store._jobs)
