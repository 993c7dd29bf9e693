"""Waiting for translations: patience, words about it, and an end when the reader goes on to something else."""

import gc
import threading
from concurrent.futures import Future
from types import SimpleNamespace
from typing import cast

import pytest

from model.decoding import Overrides, SearchStopped, Settings, StopCallback
from model.text.normalise import normalise
from pages.ui.backend import result_cache, service
from pages.ui.widgets import fetch, present
from pages.ui.widgets import status as status_line
from tests.pages.traces import make_trace


class GoneOn(BaseException):
    """Stands for what Streamlit raises at the next message once the reader has asked for something else."""


class Status:
    """The status line: notes what it is told, and ends the run as Streamlit does, at the message `last`."""

    def __init__(self, last: int = 1000) -> None:
        self.told: list[str] = []
        self.last = last

    def show_waiting(self, text: str) -> None:
        self._tell(text)

    def clear_waiting(self) -> None:
        self._tell("")

    def _tell(self, body: str) -> None:
        if len(self.told) == self.last:
            raise GoneOn
        self.told.append(body)


def hold(future: Future[service.Traces], status: Status) -> None:
    present.wait_for([future], lambda: "<patience>", cast(status_line.Status, status))


def test_who_goes_on_is_noticed_before_a_second_is_over_and_the_decoding_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(model: object, text: str, settings: Settings, stopped: StopCallback, *_: object) -> service.Traces:
        begun.set()
        while not stopped():
            ended.wait(0.001)
        ended.set()
        raise SearchStopped

    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint="0"))
    monkeypatch.setattr(service, "translate_sentence", endless)
    models = service.Service()
    running = models.request("one", normalise("a long sentence"), Settings(), "A")
    assert begun.wait(5)
    status = Status(last=2)
    with pytest.raises(GoneOn):
        hold(running, status)
    assert status.told == ["", ""]  # nothing was said of the wait yet
    assert running.cancelled()
    assert ended.wait(5)
    made = (make_trace(),)
    monkeypatch.setattr(service, "translate_sentence", lambda *_: made)
    assert models.request("one", normalise("a short one"), Settings(), "A").result(5) == made


def test_patience_is_asked_for_after_a_second_and_the_line_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(present, "WAIT_NOTICE_AFTER", 0.05)
    monkeypatch.setattr(present, "FIRST_POLL_SECONDS", 0.02)
    future: Future[service.Traces] = Future()

    class Answered(Status):
        """What is waited for is there once the line has said something."""

        def show_waiting(self, text: str) -> None:
            super().show_waiting(text)
            future.set_result(())

    status = Answered(last=10)
    too_late = threading.Timer(10, future.set_exception, [TimeoutError()])
    too_late.start()
    hold(future, status)
    too_late.cancel()
    assert status.told[-2:] == ["<patience>", ""]
    assert not any(status.told[:-2])


def test_a_result_that_is_there_is_not_waited_for() -> None:
    future: Future[service.Traces] = Future()
    future.set_result(())
    status = Status()
    hold(future, status)
    assert status.told == [""]


@pytest.mark.parametrize(("light", "there"), [(0, False), (10**9, True)])
def test_a_session_holds_no_more_by_itself_than_it_may(
    monkeypatch: pytest.MonkeyPatch, light: int, there: bool
) -> None:
    """What was shown is shown again where a request is refused; what is large only while the service keeps it."""
    monkeypatch.setattr(present.st, "session_state", {})
    monkeypatch.setattr(result_cache, "MAX_SESSION_BYTES", light)
    asked = [fetch.Request("rnnsearch-50", Settings()), fetch.Request("rnnencdec-50", Settings())]
    assert present._recall_displayed(asked) is None
    shown = ((make_trace(),), ())
    present._store_displayed(asked, shown)
    assert present._recall_displayed(asked) == shown
    del shown
    gc.collect()
    assert (present._recall_displayed(asked) == ((make_trace(),), ())) is there


def test_the_opening_is_shown_in_the_place_of_another_sentence_once_in_a_session(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not again for its first change, or the first comparison of a model with itself."""
    monkeypatch.setattr(present.st, "session_state", {})
    typed, name = fetch.SentenceInput.from_text("a sentence that nobody shipped"), "rnnsearch-50"
    plain, changed = fetch.Request(name, Settings()), fetch.Request(name, Settings(), Overrides(prefix=(5,)))
    assert present.get_placeholder(typed, [plain]) == fetch.find_opening_translations([plain])
    for asked in ([plain], [plain, changed], [plain, plain], [fetch.Request(name, Settings(detail=True))]):
        assert present.get_placeholder(typed, asked) is None
