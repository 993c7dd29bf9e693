"""When decoding fails, every page reports it in one sentence, and marks a previous result that it still displays."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.checkpoint import CheckpointError
from pages.ui.backend import cards, service
from pages.ui.escape import escape_html, shorten_quote
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages
from pages.ui.url_state.experiments import NAMES as EXPERIMENTS
from tests.cards import build_named_card
from tests.pages.components import list_data, open_page, submit_sentence
from tests.pages.fakes import ATTENDED, OTHER_SENTENCE, PLAIN
from tests.pages.your_text.test_page import get_linked_job, paste_text
from tests.traces import ENGLISH

SENTENCE = "the deep blue sea"  # not shipped
PAGES_WITHOUT_DECODING = ("story", "train_live", "length_and_bleu", "paper_figures")
PREVIOUS_SENTENCES = {
    "translate": ENGLISH, "step_by_step": "", "compare": OTHER_SENTENCE,
    **{f"laboratory?{part}": ENGLISH for part in EXPERIMENTS},
}  # fmt: skip
"""By page (and experiment), the sentence displayed while nothing can be decoded; "" if none is shipped for it."""


@pytest.fixture(autouse=True)
def two_models(fakes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "list_cards", lambda: (build_named_card(PLAIN), build_named_card(ATTENDED)))


@pytest.fixture
def broken_decoder(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """All decoding raises; its traceback must be in the log at the end."""

    def fail(*_: object) -> object:
        raise EOFError("a damaged file of the compiler")

    monkeypatch.setattr(service, "translate_sentence", fail)
    monkeypatch.setattr(service, "translate_slice", fail)
    with caplog.at_level(logging.ERROR):
        yield
    logged = [record.exc_text or "" for record in caplog.get_records("call")]
    assert any(text.startswith("Traceback") and "EOFError: a damaged file of the compiler" in text for text in logged)


def list_alerts_and_marks(app: AppTest) -> tuple[list[str], list[str]]:
    """Return the alerts of the status line, and its marks of a previous result."""
    assert not app.exception
    html = "".join(node.proto.body for node in app.get("html"))
    alerts, marks = ([part.partition("</p>")[0] for part in html.split(f"<p {attribute}>")[1:]]
                     for attribute in ('role="alert"', 'class="previous"'))  # fmt: skip
    return alerts, marks


def describe_failure(name: str, t: Messages) -> str:
    return t("problem.inside", model=cards.get_title(name))


def describe_previous(t: Messages, sentence: str) -> str:
    return escape_html(t("status.previous", sentence=shorten_quote(sentence), model=cards.get_title(ATTENDED)))


@pytest.mark.parametrize(("page", "language"), [
    *((page, LANGUAGES[number % 2]) for number, page in enumerate(PREVIOUS_SENTENCES)), ("translate", "ko"),
])  # fmt: skip
@pytest.mark.usefixtures("broken_decoder")
def test_a_failure_is_reported_and_the_previous_result_is_marked(page: str, language: str) -> None:
    t, previous = load_messages(language), PREVIOUS_SENTENCES[page]
    name, _, part = page.partition("?")
    query = {"experiment": part} if part else {}
    app = submit_sentence(open_page(name, locale=f"{language}-XX", **query), SENTENCE)
    alerts, marks = list_alerts_and_marks(app)
    assert alerts == [escape_html(describe_failure(ATTENDED, t))]
    assert marks == ([describe_previous(t, previous)] if previous else [])
    assert "damaged" not in "".join(node.proto.body for node in app.get("html"))
    assert all(SENTENCE not in str(data) for data in list_data(app))


@pytest.mark.usefixtures("broken_decoder")
def test_the_family_reports_a_failure_for_each_model() -> None:
    app = submit_sentence(open_page("family"), SENTENCE)
    (data,) = [data for data in list_data(app) if "members" in data]
    failures = {describe_failure(name, load_messages("en")) for name in (ATTENDED, PLAIN)}
    assert {member["problem"] for member in data["members"]} == failures
    assert [member["translation"] for member in data["members"]] == [None, None]
    assert data["text"] == SENTENCE


@pytest.mark.usefixtures("broken_decoder")
def test_your_text_reports_a_failure_for_each_model() -> None:
    app = paste_text(open_page("your_text", locale="ko-XX"), SENTENCE)
    alerts, _ = list_alerts_and_marks(app)
    assert alerts == [escape_html(describe_failure(name, load_messages("ko"))) for name in (ATTENDED, PLAIN)]
    job = get_linked_job(app)
    assert job is not None
    assert job.get_progress().state == "failed"


@pytest.mark.parametrize("page", PAGES_WITHOUT_DECODING)
def test_pages_that_decode_nothing_load_no_model(
    page: str, loaded_models: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.Service, "prefetch_models", lambda _, *names: loaded_models.extend(names))
    app = open_page(page)
    assert list_alerts_and_marks(app) == ([], [])
    assert list_data(app) or app.get("plotly_chart")


@pytest.mark.parametrize(
    ("error", "key"),
    [(CheckpointError("the weights of <b>rnnsearch-50</b> are damaged"), "model"), (MemoryError(), "memory"),
     (SystemExit(1), "inside"), (PermissionError(13, "Permission denied"), "inside")],
)  # fmt: skip
def test_a_model_that_cannot_be_loaded_is_reported_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: BaseException, key: str
) -> None:
    def fail(name: str) -> object:
        raise error

    monkeypatch.setattr(service, "load_model", fail)
    app = submit_sentence(open_page(), SENTENCE)
    t = load_messages("en")
    alert = t(f"problem.{key}", name=ATTENDED, model=cards.get_title(ATTENDED), reason=str(error))
    assert list_alerts_and_marks(app) == ([escape_html(alert)], [describe_previous(t, ENGLISH)])
    assert app.text_area(key="sentence").value == SENTENCE
    assert repr(error).partition("(")[0] in caplog.text


def test_the_mark_disappears_with_the_next_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    app = submit_sentence(open_page(), OTHER_SENTENCE)
    assert list_alerts_and_marks(app) == ([], [])
    with monkeypatch.context() as patch:
        patch.setattr(service, "translate_sentence", lambda *_: 1 / 0)
        submit_sentence(app, SENTENCE)
        assert list_alerts_and_marks(app)[1] == [describe_previous(load_messages("en"), OTHER_SENTENCE)]
    submit_sentence(app, SENTENCE)
    assert list_alerts_and_marks(app) == ([], [])
    assert any(SENTENCE.split() == data["source"]["labels"][:-1] for data in list_data(app) if "source" in data)


@pytest.mark.parametrize("page", ["translate", "family"])
def test_an_invalid_sentence_is_reported_and_the_previous_result_is_marked(page: str) -> None:
    app = submit_sentence(submit_sentence(open_page(page), OTHER_SENTENCE), " ")
    alerts, marks = list_alerts_and_marks(app)
    assert alerts == [escape_html(load_messages("en")("problem.empty", language="English"))]
    assert len(marks) == 1
    assert OTHER_SENTENCE in marks[0]


def test_a_failure_at_one_of_several_sentences_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    original = service.translate_sentence

    def decode(model: SimpleNamespace, text: str, *arguments: object) -> object:
        if text.startswith("the"):
            raise RuntimeError("not this one")
        return original(model, text, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(service, "translate_sentence", decode)
    app = open_page("translate", sentence=f"{SENTENCE}.\nI see it.", **{"open-sentence": "1"})
    alerts, marks = list_alerts_and_marks(app)
    assert alerts == [escape_html(describe_failure(ATTENDED, load_messages("en")))]
    assert marks == [describe_previous(load_messages("en"), ENGLISH)]
    assert any("ees" in node.proto.body for node in app.get("html"))
