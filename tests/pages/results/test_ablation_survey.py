"""A reader's own text asked how much it needs its attention: every sentence counted once, as long as somebody looks."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.ablation.ablation import RULES, WORD_KINDS, Ablation, AblationCounts
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import Settings
from model.decoding.translate import SentenceError
from model.text.normalise import normalise
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import need_set
from pages.ui.results import ablation_survey
from pages.ui.results.ablation_survey import MAX_SENTENCES, AblationSurvey
from tests.pages.laboratory.test_ablation import made

TEXTS = [normalise(f"Sentence {number} ends here.") for number in range(3)]


class Lane:
    """Keeps what is asked for until it is told to answer."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, Future[Ablation]]] = []

    def measure(
        self, name: str, key: Any, work: Any, reader: str, bulk: bool = False, keep: bool = True
    ) -> Future[Ablation]:
        assert bulk
        assert not keep
        future: Future[Ablation] = Future()
        self.asked.append((key[1], future))
        return future

    def answer(self, error: BaseException | None = None) -> str:
        text, future = self.asked[-1]
        if error is None:
            future.set_result(made())
        else:
            future.set_exception(error)
        return str(text)


def begun(lane: Lane, texts: list[Any] = TEXTS) -> AblationSurvey:
    one = AblationSurvey("rnnsearch-50", texts, Settings(candidates=0), "me", lane)
    one.keep_alive()
    return one


def test_each_sentence_is_asked_about_once_and_counted() -> None:
    lane = Lane()
    one = begun(lane)
    one.keep_alive()  # while the first is being asked about
    assert [lane.answer() for _ in TEXTS] == TEXTS
    assert (len(lane.asked), one.num_done, one.is_finished) == (3, 3, True)
    one.keep_alive()
    assert len(lane.asked) == 3
    expected = AblationCounts()
    for _ in TEXTS:
        expected.add(made())
    assert one.tally.forced == expected.forced
    assert one.tally.free["max"] == [42, 33]


def test_what_cannot_be_translated_is_left_out_and_told() -> None:
    lane = Lane()
    one = begun(lane)
    lane.answer(SentenceError("pieces", 900, 500))
    lane.answer()
    lane.answer()
    assert (one.num_skipped, one.tally.sentences, one.is_finished, one.error) == (1, 2, True, None)
    title = need_set.build_survey_payload(one, load_messages("en"))["set"]["title"]  # type: ignore[index]
    assert "Over 2 sentences" in title
    assert "1 could not be translated" in title


@pytest.mark.parametrize("error", [CheckpointError("no such model"), SystemExit(1)])
def test_it_ends_at_a_problem_and_when_it_is_stopped(error: BaseException) -> None:
    lane = Lane()
    one = begun(lane)
    lane.answer(error)
    assert one.is_finished
    assert one.error is error
    lane = Lane()
    one = begun(lane)
    one.stop()
    lane.answer()
    assert (one.num_done, one.is_finished, len(lane.asked)) == (1, True, 1)


@pytest.mark.parametrize("end", ["stopped", "problem", "stopped while asked about"])
def test_what_ended_early_goes_on_when_it_is_asked_to(end: str) -> None:
    lane = Lane()
    one = begun(lane)
    if end == "problem":
        lane.answer(CheckpointError("no such model"))
    else:
        one.stop()
        if end == "stopped":
            lane.answer()
    assert one.is_finished
    one.resume()
    assert (one.is_finished, one.error) == (False, None)
    one.keep_alive()
    while not one.is_finished:
        lane.answer()
    assert one.num_done == len(TEXTS)
    asked = [text for text, _ in lane.asked]
    assert asked == (TEXTS[:1] + TEXTS if end == "problem" else TEXTS)


def test_what_was_stopped_can_be_gone_on_with_on_the_page() -> None:
    def script(survey: object) -> None:  # run by itself: nothing of this module is known there
        from types import SimpleNamespace

        from pages.ui.i18n.messages import load_messages
        from pages.ui.laboratory import need_set

        need_set._render_survey(survey, SimpleNamespace(t=load_messages("en")))  # type: ignore[arg-type]

    lane = Lane()
    one = begun(lane)
    lane.answer()
    one.stop()
    app = AppTest.from_function(script, args=(one,)).run()
    assert not app.exception
    button = app.button(key="need-own")
    assert button.label == "Go on with the other 2 sentences"
    button.click().run()
    assert not app.exception
    assert not one.is_finished
    lane.answer()
    lane.answer()
    assert one.num_done == len(TEXTS)
    app.run()
    assert [button.key for button in app.button] == []


def test_it_rests_while_nobody_looks_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(ablation_survey.time, "monotonic", lambda: now[0])
    lane = Lane()
    one = begun(lane)
    now[0] += ablation_survey.IDLE_SECONDS + 1
    lane.answer()
    assert (len(lane.asked), one.is_finished) == (1, False)
    one.keep_alive()
    assert len(lane.asked) == 2
    lane.answer()
    lane.answer()
    assert one.is_finished


def test_who_looks_when_it_comes_to_rest_has_no_sentence_asked_about_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(ablation_survey.time, "monotonic", lambda: now[0])
    lane = Lane()
    one = begun(lane)

    class Looked:
        """The lock of the survey; when it is let go for the first time somebody looks before anything else happens."""

        def __init__(self) -> None:
            self.lock, self.free = threading.Lock(), False

        def __enter__(self) -> None:
            self.lock.acquire()

        def __exit__(self, *_: object) -> None:
            self.lock.release()
            if not self.free:
                self.free = True
                one.keep_alive()

    one._lock = Looked()  # type: ignore[assignment]
    now[0] += ablation_survey.IDLE_SECONDS + 1
    lane.answer()
    assert [text for text, _ in lane.asked] == TEXTS[:2]


def test_of_a_long_text_sentences_are_evenly_spaced() -> None:
    lane = Lane()
    texts = [normalise(f"Sentence {number}.") for number in range(3 * MAX_SENTENCES)]
    one = begun(lane, texts)
    lane.answer()
    lane.answer()
    assert one.num_sentences == MAX_SENTENCES
    assert [text for text, _ in lane.asked] == [texts[0], texts[3], texts[6]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_sent_is_the_set_alone(language: str) -> None:
    lane = Lane()
    one = begun(lane)
    lane.answer()
    data = need_set.build_survey_payload(one, load_messages(language))
    assert data["rows"] == []
    assert data["set"] is not None
    assert [len(row["shares"]) for row in data["set"]["rows"]] == [len(WORD_KINDS)] * len(RULES)
    assert need_set.survey_to_csv(one).count("\n") == 1 + len(RULES) * len(WORD_KINDS)


def test_a_text_that_is_deleted_is_asked_about_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(need_set.st, "session_state", session)
    need_set.discard_surveys("gone")  # where nothing was asked
    one, other = begun(Lane()), begun(Lane())
    of = ("rnnsearch-50", Settings())
    session[need_set._SURVEYS_KEY] = {("gone", *of): one, ("kept", *of): other}
    need_set.discard_surveys("gone")
    assert list(session[need_set._SURVEYS_KEY]) == [("kept", *of)]
    assert one.is_finished
    assert not other.is_finished
