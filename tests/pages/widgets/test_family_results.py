"""What a reader is told while the gradients of a model are computed."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from model.decoding import Settings
from model.text.normalise import normalise
from pages.ui.backend import cards, service
from pages.ui.i18n.messages import load_messages
from pages.ui.url_state import state
from pages.ui.widgets import family_results, status
from pages.ui.widgets.family_results import FamilyResults, compute_next_gradients
from tests.pages.fakes import fake_gradients
from tests.traces import ENGLISH, make_trace

NAME = "rnnsearch-50"


@pytest.mark.parametrize("is_own_task", [True, False])
def test_progress_has_a_share_only_in_the_reader_s_own_task(
    monkeypatch: pytest.MonkeyPatch, is_own_task: bool
) -> None:
    trace, t, future, texts = make_trace(), load_messages("en"), Future[Any](), list[str]()
    works: list[Callable[..., object]] = []

    def measure(name: str, key: object, work: Callable[..., object], *_: object, **__: object) -> Future[Any]:
        works.append(work)
        return future  # of another reader's task, if `work` is never called

    def compute(model: object, trace: object, on_progress: Callable[[float], None], should_stop: object) -> None:
        on_progress(0.5)

    def wait_for(futures: Sequence[Future[Any]], describe_wait: Callable[[], str], line: object) -> None:
        texts.append(describe_wait())
        future.set_running_or_notify_cancel()
        if is_own_task:
            works[0](None, lambda: False)
        texts.append(describe_wait())
        future.set_result(fake_gradients(SimpleNamespace(name=NAME), trace))

    monkeypatch.setattr(service, "get_service", lambda: SimpleNamespace(measure=measure))
    monkeypatch.setattr(state, "get_reader_id", lambda: "A")
    monkeypatch.setattr(family_results, "wait_for", wait_for)
    monkeypatch.setattr(family_results, "measure_gradients", compute)
    results = FamilyResults(normalise(ENGLISH), Settings(), "en", {NAME: trace})
    assert compute_next_gradients(results, [NAME], t, cast(status.Status, None))
    share = t("gradients.working", model=cards.get_title(NAME), share=50)
    assert texts == [t("status.queue"), share if is_own_task else t("laboratory.working")]


def test_a_failed_model_is_tried_again_when_the_sentence_is_submitted_again(
    open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[str] = []

    def fail(results: FamilyResults, name: str, *_: object) -> None:
        attempts.append(name)
        results.problems[name] = "It failed. Try again."

    monkeypatch.setattr(family_results, "_translate", fail)
    app = open_app("family", sentence="the sea is calm .")
    once = len(attempts)
    assert once
    app.run()
    assert len(attempts) == once
    app.button(key="submit").click().run()
    assert len(attempts) == 2 * once
