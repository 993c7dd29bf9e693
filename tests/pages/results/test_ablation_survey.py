"""Ablation surveys of the reader's own text: counts, errors, pauses."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import Any

import pytest
import streamlit as st

from model.analysis.ablation.ablation import Ablation, AblationCounts
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import Settings
from model.decoding.translate import SentenceError
from model.text.normalise import NormalisedText, normalise
from pages.ui.results import ablation_survey
from pages.ui.results.ablation_survey import MAX_SENTENCES, AblationSurvey, discard_surveys, get_surveys
from tests.pages.laboratory.test_ablation import build_ablation

TEXTS = [normalise(f"Sentence {number} ends here.") for number in range(3)]
SETTINGS = Settings(candidates=0)


class FakeQueue:
    """Stores requests until `answer` is called."""

    def __init__(self) -> None:
        self.requests: list[tuple[NormalisedText, Future[Ablation]]] = []

    def measure(
        self, name: str, key: Any, work: Any, reader: str, is_bulk: bool = False, should_cache: bool = True
    ) -> Future[Ablation]:
        assert is_bulk
        assert not should_cache
        future: Future[Ablation] = Future()
        self.requests.append((key[1], future))
        return future

    @property
    def texts(self) -> list[NormalisedText]:
        return [text for text, _ in self.requests]

    def answer(self) -> None:
        self.requests[-1][1].set_result(build_ablation())

    def fail(self, error: Exception) -> None:
        self.requests[-1][1].set_exception(error)


def start_survey(queue: FakeQueue) -> AblationSurvey:
    survey = AblationSurvey("rnnsearch-50", TEXTS, SETTINGS, "me", queue)
    survey.keep_alive()
    return survey


def test_each_sentence_is_requested_and_counted_once() -> None:
    queue = FakeQueue()
    survey = start_survey(queue)
    survey.keep_alive()  # while the first is waited for
    queue.answer()
    queue.answer()
    queue.fail(SentenceError("pieces", 900, 500))
    survey.keep_alive()
    assert queue.texts == TEXTS
    assert (survey.num_done, survey.num_skipped, survey.is_finished, survey.error) == (3, 1, True, None)
    expected = AblationCounts()
    for _ in range(2):
        expected.add(build_ablation())
    assert survey.counts.sentences == 2
    assert survey.counts.forced == expected.forced
    assert survey.counts.free["max"] == [28, 22]


@pytest.mark.parametrize("end", ["stopped", "failed", "stopped while waiting"])
def test_ended_survey_resumes_where_it_ended(end: str) -> None:
    queue = FakeQueue()
    survey = start_survey(queue)
    if end == "failed":
        error = CheckpointError("no such model")
        queue.fail(error)
        assert survey.error is error
    else:
        survey.cancel()
        if end == "stopped":
            queue.answer()
            assert (survey.num_done, len(queue.requests)) == (1, 1)
    assert survey.is_finished
    survey.resume()
    assert (survey.is_finished, survey.error) == (False, None)
    survey.keep_alive()
    while not survey.is_finished:
        queue.answer()
    assert survey.num_done == len(TEXTS)
    assert queue.texts == (TEXTS[:1] + TEXTS if end == "failed" else TEXTS)


def test_long_text_is_sampled_evenly() -> None:
    texts = [normalise(f"Sentence {number}.") for number in range(3 * MAX_SENTENCES)]
    survey = AblationSurvey("rnnsearch-50", texts, SETTINGS, "me", queue := FakeQueue())
    survey.keep_alive()
    queue.answer()
    assert survey.num_sentences == MAX_SENTENCES
    assert queue.texts == [texts[0], texts[3]]


def test_survey_pauses_without_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = FakeQueue()
    survey = start_survey(queue)
    idle_time = time.monotonic() + ablation_survey.IDLE_SECONDS + 1
    monkeypatch.setattr(ablation_survey.time, "monotonic", lambda: idle_time)
    queue.answer()
    assert (len(queue.requests), survey.is_finished) == (1, False)
    survey.keep_alive()
    assert queue.texts == TEXTS[:2]


def test_surveys_of_a_discarded_text_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    survey, kept_survey = start_survey(FakeQueue()), start_survey(FakeQueue())
    get_surveys()["discarded", "rnnsearch-50", SETTINGS] = survey
    get_surveys()["kept", "rnnsearch-50", SETTINGS] = kept_survey
    discard_surveys("discarded")
    assert list(get_surveys().values()) == [kept_survey]
    assert (survey.is_finished, kept_survey.is_finished) == (True, False)
