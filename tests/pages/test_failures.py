"""What a reader sees when something fails in the background, on every page: one sentence in their language, and no
picture of another sentence than the one in the box without a word about it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.checkpoint import CheckpointError
from pages.ui.backend import cards, service
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages
from pages.ui.url_state.experiments import NAMES as EXPERIMENTS
from pages.ui.widgets.status import MAX_CHARACTERS, shorten
from tests.cards import build_named_card
from tests.pages.components import list_data
from tests.pages.fakes import ATTENDED, OTHER, PLAIN
from tests.pages.traces import ENGLISH
from tests.pages.your_text.test_page import get_linked_job, paste_text

Open = Callable[..., AppTest]
TYPED = "the deep blue sea"  # shipped by nobody
STILL = ("story", "length_and_bleu", "paper_figures")  # pages that decode nothing
BEFORE = {
    "translate": ENGLISH, "step_by_step": "", "compare": OTHER,
    **{f"laboratory?{part}": ENGLISH for part in EXPERIMENTS},
}  # fmt: skip
"""Pages that translate one sentence, and the one that each shows while nothing can be decoded; "" for none: nothing is
shipped for it here."""


@pytest.fixture(autouse=True)
def two_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "list_cards", lambda: (build_named_card(PLAIN), build_named_card(ATTENDED)))


@pytest.fixture
def broken(fakes: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is decoded or measured any more: everything raises, and the operator has a traceback of it."""

    def decode(*_: object) -> object:
        raise EOFError("a damaged file of the compiler")

    monkeypatch.setattr(service, "translate_sentence", decode)
    monkeypatch.setattr(service, "translate_slice", decode)
    with caplog.at_level(logging.ERROR):
        yield
    logged = [record.exc_text or "" for record in caplog.get_records("call")]
    assert any(text.startswith("Traceback") and "EOFError: a damaged file of the compiler" in text for text in logged)


def open_page(open_app: Open, page: str, **query: str) -> AppTest:
    """The app in a language, then one of its pages; `page` may name an experiment: "laboratory?beam"."""
    app = open_app(**query)
    name, _, part = page.partition("?")
    if part:
        app.query_params["part"] = part
    if name != "translate":
        app.switch_page(f"pages/{name}.py").run()
    return app


def submit_sentence(app: AppTest, text: str) -> AppTest:
    app.text_area(key="sentence").set_value(text)
    return app.button(key="submit").click().run()


def lines(app: AppTest, kind: str) -> list[str]:
    """The texts of the status line of a kind: its alerts, or its marks of what is of before."""
    found = "".join(node.proto.body for node in app.get("html"))
    return [part.partition("</p>")[0] for part in found.split(f"<p {kind}>")[1:]]


def list_alerts_and_marks(app: AppTest) -> tuple[list[str], list[str]]:
    assert not app.exception
    return lines(app, 'role="alert"'), lines(app, 'class="previous"')


def describe_previous(t: Messages, sentence: str) -> str:
    return escape_html(t("status.previous", sentence=shorten(sentence), model=cards.get_title(ATTENDED)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", BEFORE)
@pytest.mark.usefixtures("broken")
def test_what_cannot_be_translated_is_told_and_what_stands_below_is_marked(
    open_app: Open, page: str, language: str
) -> None:
    t = load_messages(language)
    app = submit_sentence(open_page(open_app, page, locale=f"{language}-XX"), TYPED)
    alerts, marks = list_alerts_and_marks(app)
    assert alerts == [escape_html(t("problem.inside", model=cards.get_title(ATTENDED)))]
    assert marks == ([describe_previous(t, BEFORE[page])] if BEFORE[page] else [])
    assert "damaged" not in "".join(node.proto.body for node in app.get("html"))
    assert all(TYPED not in str(data) for data in list_data(app))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("broken")
def test_the_family_says_it_in_each_column(open_app: Open, language: str) -> None:
    app = submit_sentence(open_page(open_app, "family", locale=f"{language}-XX"), TYPED)
    (data,) = [one for one in list_data(app) if "members" in one]
    t = load_messages(language)
    assert {member["problem"] for member in data["members"]} == {
        t("problem.inside", model=cards.get_title(name)) for name in (ATTENDED, PLAIN)
    }
    assert [member["answer"] for member in data["members"]] == [None, None]
    assert data["text"] == TYPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("broken")
def test_your_text_says_it_of_each_model(open_app: Open, language: str) -> None:
    app = paste_text(open_page(open_app, "your_text", locale=f"{language}-XX"), TYPED)
    t = load_messages(language)
    alerts, _ = list_alerts_and_marks(app)
    assert alerts == [escape_html(t("problem.inside", model=cards.get_title(name))) for name in (ATTENDED, PLAIN)]
    job = get_linked_job(app)
    assert job is not None
    assert job.get_progress().state == "failed"


@pytest.mark.parametrize("page", STILL)
def test_pages_that_decode_nothing_need_no_decoder(
    open_app: Open, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "load_model", lambda name: pytest.fail("a model was loaded"))
    app = open_page(open_app, page)
    assert list_alerts_and_marks(app) == ([], [])
    assert list_data(app) or app.get("plotly_chart")


@pytest.mark.parametrize(
    ("error", "key"),
    [(CheckpointError("the weights of <b>rnnsearch-50</b> are damaged"), "model"), (MemoryError(), "memory"),
     (SystemExit(1), "inside"), (PermissionError(13, "Permission denied"), "inside")],
)  # fmt: skip
def test_a_model_that_cannot_be_loaded_is_told_with_the_reason(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: BaseException, key: str
) -> None:
    def load_nothing(name: str) -> object:
        raise error

    monkeypatch.setattr(service, "load_model", load_nothing)
    app = submit_sentence(open_app(), TYPED)
    title = cards.get_title(ATTENDED)
    said = load_messages("en")(f"problem.{key}", name=ATTENDED, model=title, reason=str(error))
    assert list_alerts_and_marks(app) == ([escape_html(said)], [describe_previous(load_messages("en"), ENGLISH)])
    assert app.text_area(key="sentence").value == TYPED
    assert repr(error).partition("(")[0] in caplog.text


def test_the_mark_goes_with_the_next_sentence_that_is_translated(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = submit_sentence(open_app(), OTHER)
    assert list_alerts_and_marks(app) == ([], [])
    good = service.translate_sentence
    monkeypatch.setattr(service, "translate_sentence", lambda *_: 1 / 0)
    submit_sentence(app, TYPED)
    assert list_alerts_and_marks(app)[1] == [describe_previous(load_messages("en"), OTHER)]
    monkeypatch.setattr(service, "translate_sentence", good)
    submit_sentence(app, TYPED)
    assert list_alerts_and_marks(app) == ([], [])
    assert any(TYPED.split() == one["source"]["labels"][:-1] for one in list_data(app) if "source" in one)


@pytest.mark.parametrize("page", ["translate", "family"])
def test_a_refused_sentence_is_told_and_what_stands_below_is_marked(open_app: Open, page: str) -> None:
    app = submit_sentence(submit_sentence(open_page(open_app, page), OTHER), " ")
    alerts, marks = list_alerts_and_marks(app)
    assert alerts == [escape_html(load_messages("en")("problem.empty", language="English"))]
    assert len(marks) == 1
    assert OTHER in marks[0]


def test_a_model_that_fails_at_a_sentence_of_several_leaves_the_others(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alert about the opened sentence stays while the others are waited for."""
    good = service.translate_sentence

    def decode(model: SimpleNamespace, text: str, *rest: object) -> object:
        if text.startswith("the"):
            raise RuntimeError("not this one")
        return good(model, text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(service, "translate_sentence", decode)
    app = open_page(open_app, "translate", apart="1", sentence=f"{TYPED}.\nI see it.")
    alerts, marks = list_alerts_and_marks(app)
    assert alerts == [escape_html(load_messages("en")("problem.inside", model=cards.get_title(ATTENDED)))]
    assert marks == [describe_previous(load_messages("en"), ENGLISH)]
    assert any("ees" in node.proto.body for node in app.get("html"))


def test_a_long_sentence_is_named_by_its_first_words() -> None:
    assert shorten("a short one") == "a short one"
    assert shorten(ENGLISH) == "the small grey cat sleeps on the warm roof of the old house…"
    assert shorten("나" * 90) == "나" * MAX_CHARACTERS + "…"
