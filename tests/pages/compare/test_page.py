"""The page Compare: opening without a model, the link, growing a sentence clause by clause."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.text.normalise import normalise
from pages.ui.backend import service
from pages.ui.compare import growing_sentence
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import load_messages
from tests.pages.components import get_component_data, get_status_text, submit_sentence
from tests.pages.fakes import OTHER_SENTENCE
from tests.traces import ENGLISH

OpenApp = Callable[..., AppTest]
LONG = "the small cat sleeps here , and the old dog runs there ."


@pytest.fixture
def open_page(open_app: OpenApp) -> OpenApp:
    return lambda **query: open_app("compare", **query).run()  # AppTest draws the box in a second run


def get_compare_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "compare")


def get_translations(app: AppTest, prefix: int = -1) -> list[str]:
    sides = get_compare_data(app)["prefixes"][prefix]["sides"]
    return ["".join(gap + word for gap, word in side["words"]) for side in sides]


@pytest.mark.verdict
def test_shipped_translations_need_no_model(open_page: OpenApp, loaded_models: list[str]) -> None:
    app = open_page()
    assert get_translations(app) == ["j’ ai vu la mer .", "la mer ."]  # the last example
    assert get_compare_data(app)["has_prefixes"] is False
    assert (get_status_text(app), "sentence" in app.query_params) == ("", False)


def test_only_a_chosen_sentence_is_kept_on_other_pages(open_page: OpenApp) -> None:
    app = open_page()
    assert app.text_area(key="sentence").value == OTHER_SENTENCE
    app.switch_page("pages/translate.py").run().run()
    assert app.text_area(key="sentence").value == ENGLISH
    app.switch_page("pages/compare.py").run().run()
    assert app.text_area(key="sentence").value == OTHER_SENTENCE
    submit_sentence(app, "the small dog runs")
    app.switch_page("pages/translate.py").run().run()
    assert app.text_area(key="sentence").value == "the small dog runs"


def test_typed_sentence_is_translated_by_both_models(open_page: OpenApp) -> None:
    app = submit_sentence(open_page(), "the small dog runs")
    assert get_translations(app) == ["eht llams god snur", "eht god"]
    assert get_compare_data(app)["clause_count"] == 1


def test_link_opens_a_growing_sentence(open_page: OpenApp) -> None:
    app = open_page(sentence=LONG, clauses="1")
    data = get_compare_data(app)
    assert (data["has_prefixes"], data["shown_clause_count"], len(data["prefixes"])) == (True, 1, 2)
    assert get_translations(app, 0)[0] == "eht llams tac speels .ereh"
    assert get_translations(app)[0] == " ".join(word[::-1] for word in LONG.split())
    assert app.query_params["clauses"] == "1"
    assert app.query_params["sentence"] == LONG
    submit_sentence(app, "the small dog runs")
    assert get_compare_data(app)["has_prefixes"] is False
    assert "clauses" not in app.query_params


def test_missing_clause_in_the_link_is_reported(open_page: OpenApp) -> None:
    app = open_page(sentence=LONG, clauses="3")
    assert get_compare_data(app)["has_prefixes"] is False
    assert get_translations(app)[0] == " ".join(word[::-1] for word in LONG.split())
    notice = load_messages("en")("notice.value", name="clauses", given="3", allowed="1, 2")
    assert notice in get_status_text(app)
    assert "clauses" not in app.query_params


def test_failure_while_growing_keeps_the_whole_sentence(open_page: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    good = service.translate_sentence

    def broken(model: Any, text: str, *arguments: Any) -> Any:
        if text != LONG:
            raise RuntimeError("secret detail")
        return good(model, normalise(text), *arguments)

    monkeypatch.setattr(service, "translate_sentence", broken)
    app = open_page(sentence=LONG)
    app.session_state["clauses"] = {"text": LONG, "clause": 1, "growth_count": 1}  # as the button does
    app.run()
    assert get_compare_data(app)["has_prefixes"] is False
    assert get_translations(app)[0] == " ".join(word[::-1] for word in LONG.split())
    assert "secret" not in get_status_text(app)
    assert escape_html(load_messages("en")("problem.inside", model="RNNsearch-50")) in get_status_text(app)
    assert get_compare_data(app)["is_growing"] is False  # it can be started again
    app.run()
    assert get_status_text(app) == ""


def test_only_valid_events_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {"c": {"grow": LONG, "clause": None}}
    monkeypatch.setattr(growing_sentence.st, "session_state", state)
    growing_sentence.make_grow_callback("c")()
    assert state[growing_sentence.POSITION] == {"text": LONG, "clause": 1, "growth_count": 1}
    for event, clause in (
        ({"text": LONG, "clause": 2}, 2), ({"text": LONG, "clause": 9}, 2), ({"text": "x", "clause": 1}, 2),
        ({"text": LONG, "clause": "1"}, 2), (None, 2), ({"text": LONG, "clause": 1}, 1),
    ):  # fmt: skip
        state["c"]["clause"] = event
        growing_sentence.make_clause_callback("c", "en")()
        assert state[growing_sentence.POSITION]["clause"] == clause
    state["c"]["grow"] = None
    growing_sentence.make_grow_callback("c")()
    assert state[growing_sentence.POSITION]["growth_count"] == 1
