"""Waiting for translations: the status line, and an end when the reader goes on to something else."""

import gc
import re
import threading
from concurrent.futures import Future
from dataclasses import replace
from types import SimpleNamespace
from typing import Literal, cast

import pytest

from model.analysis.attribution.saliency_record import SaliencyError
from model.analysis.probing.similarity import VectorError
from model.decoding import OverrideError, Overrides, SearchStopped, Settings, StopCallback
from model.text.normalise import normalise
from pages.ui.backend import result_cache, service
from pages.ui.i18n.messages import load_messages
from pages.ui.url_state import params
from pages.ui.widgets import fetch, status, translations
from tests.traces import make_trace

NAME = "rnnsearch-50"


class ReaderLeftError(BaseException):
    """Stands for what Streamlit raises at the next message once the reader has asked for something else."""


class RecordingStatus:
    """A status line that records its texts, and ends the run as Streamlit does after `max_texts` of them."""

    def __init__(self, max_texts: int = 1000) -> None:
        self.texts: list[str] = []
        self.max_texts = max_texts

    def show_waiting(self, text: str) -> None:
        if len(self.texts) == self.max_texts:
            raise ReaderLeftError
        self.texts.append(text)

    def clear_waiting(self) -> None:
        self.show_waiting("")


def wait_for(future: Future[service.Traces], line: RecordingStatus) -> None:
    translations.wait_for([future], lambda: "waiting", cast(status.Status, line))


def test_decoding_is_stopped_when_the_reader_leaves_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended = threading.Event(), threading.Event()

    def decode_forever(
        model: object, text: str, settings: Settings, should_stop: StopCallback, *_: object
    ) -> service.Traces:
        started.set()
        while not should_stop():
            ended.wait(0.001)
        ended.set()
        raise SearchStopped

    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint="0"))
    monkeypatch.setattr(service, "translate_sentence", decode_forever)
    models = service.Service()
    future = models.request("one", normalise("a long sentence"), Settings(), "A")
    assert started.wait(5)
    line = RecordingStatus(max_texts=2)
    with pytest.raises(ReaderLeftError):
        wait_for(future, line)
    assert line.texts == ["", ""]  # no notice yet
    assert future.cancelled()
    assert ended.wait(5)
    traces = (make_trace(),)
    monkeypatch.setattr(service, "translate_sentence", lambda *_: traces)
    assert models.request("one", normalise("a short one"), Settings(), "A").result(5) == traces


def test_a_notice_appears_after_a_second_and_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "WAIT_NOTICE_AFTER", 0.05)
    monkeypatch.setattr(translations, "FIRST_POLL_SECONDS", 0.02)
    future: Future[service.Traces] = Future()

    class AnsweredAfterNotice(RecordingStatus):
        def show_waiting(self, text: str) -> None:
            super().show_waiting(text)
            if text and not future.done():
                future.set_result(())

    line = AnsweredAfterNotice(max_texts=100)
    wait_for(future, line)
    assert line.texts[-2:] == ["waiting", ""]
    assert not any(line.texts[:-2])
    second_line = RecordingStatus()
    wait_for(future, second_line)
    assert second_line.texts == [""]  # a result that is there is not waited for


@pytest.mark.parametrize(("max_bytes", "is_kept"), [(0, False), (10**9, True)])
def test_large_translations_are_not_kept_by_the_session(
    monkeypatch: pytest.MonkeyPatch, max_bytes: int, is_kept: bool
) -> None:
    """The session recalls them only while the service caches them."""
    monkeypatch.setattr(translations.st, "session_state", {})
    monkeypatch.setattr(result_cache, "MAX_SESSION_BYTES", max_bytes)
    requests = [fetch.Request(NAME, Settings()), fetch.Request("rnnencdec-50", Settings())]
    assert translations.recall_displayed(requests) is None
    displayed = ((make_trace(),), ())
    translations.store_displayed(requests, displayed)
    assert translations.recall_displayed(requests) == displayed
    del displayed
    gc.collect()
    assert (translations.recall_displayed(requests) == ((make_trace(),), ())) is is_kept


def test_refusals_are_in_the_language_of_the_interface() -> None:
    for error in (OverrideError("An edit."), SaliencyError("An attribution."), VectorError("A vector.")):
        assert translations.describe_error(error, NAME, load_messages("en")) == str(error)
        korean = translations.describe_error(error, NAME, load_messages("ko"))
        assert re.search("[가-힣]", korean)
        assert str(error) not in korean
    named = VectorError(f"{NAME} has no vectors.")
    assert translations.describe_error(named, NAME, load_messages("en")) == "RNNsearch-50 has no vectors."


def test_a_placeholder_is_displayed_once_per_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations.st, "session_state", {})
    sentence = fetch.SentenceInput.from_text("a sentence that is not shipped")
    plain, overridden = fetch.Request(NAME, Settings()), fetch.Request(NAME, Settings(), Overrides(prefix=(5,)))
    assert translations.take_placeholder(sentence, [plain]) == fetch.find_opening_translations([plain])
    for requests in ([plain], [plain, overridden], [plain, plain], [fetch.Request(NAME, Settings(detail=True))]):
        assert translations.take_placeholder(sentence, requests) is None


@pytest.mark.parametrize(("search", "unk"), [("greedy", "show"), ("beam", "replace")])
def test_the_search_of_a_trace_is_found_also_for_a_model_that_never_writes_unk(
    search: str, unk: Literal["show", "replace"]
) -> None:
    trace = make_trace(model=NAME, beam=params.SEARCHES[search].beam)
    chosen = replace(params.SEARCHES["greedy"], unk=unk)
    assert fetch.find_search(trace, chosen) == replace(params.SEARCHES[search], unk=unk)
