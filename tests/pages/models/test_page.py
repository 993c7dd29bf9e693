"""The family on the page: a column a model in the order of the years, each as soon as it is there."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.analysis.attribution.gradient_record import Gradients, GradientsError
from model.checkpoints.checkpoint import CheckpointError
from model.networks import registry
from model.text.normalise import normalise
from pages.ui.backend import cards, opening, service
from pages.ui.i18n.messages import LANGUAGES, load
from pages.ui.models import columns, cost_curves, gradients_asking, gradients_text
from pages.ui.models.gradients_text import format_factor
from pages.ui.url_state import links, state
from tests.cards import card
from tests.hostile import CASES
from tests.pages.components import control, data_of
from tests.pages.fakes import ATTENDED, PLAIN, backwards
from tests.pages.traces import ENGLISH, FRENCH, LOST

Open = Callable[..., AppTest]
SENTENCE = "the small dog runs"


@pytest.fixture
def open_family(open_app: Open) -> Open:
    """The app at this page, opened by a link with these query parameters."""

    def run(locale: str = "en-GB", **query: str) -> AppTest:
        app = open_app(locale, **query)
        for key, value in query.items():
            app.query_params[key] = value
        return app.switch_page("pages/family.py").run().run()

    return run


@pytest.fixture
def open_page(open_family: Open, monkeypatch: pytest.MonkeyPatch) -> Open:
    """The same where there are no models but the paper's own."""
    kept = tuple(card for card in cards.known() if card.kind in ("rnnsearch", "rnnencdec"))
    monkeypatch.setattr(cards, "known", lambda: kept)
    return open_family


def family(app: AppTest) -> dict[str, Any]:
    """What was sent to the columns."""
    assert not app.exception
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("family")]
    data: dict[str, Any] = data_of(component)
    return data


def gradients(app: AppTest) -> dict[str, Any]:
    """What was sent to the gradients below them."""
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("gradients")]
    data: dict[str, Any] = data_of(component)
    return data


def french(app: AppTest) -> list[str]:
    made = [member["answer"] for member in family(app)["members"]]
    return ["".join(gap + word for gap, word in one["words"]) if one else "" for one in made]


def said(app: AppTest) -> str:
    return " ".join(node.proto.body for node in app.get("html") if node.proto.body.startswith("<p role="))


@pytest.mark.verdict
def test_one_model_of_each_kind_in_the_order_of_the_years(open_page: Open) -> None:
    data = family(open_page(sentence=SENTENCE))
    assert [(member["name"], member["year"]) for member in data["members"]] == [(PLAIN, "2014"), (ATTENDED, "2015")]
    assert data["text"] == SENTENCE


def test_every_shipped_kind_has_a_column(open_family: Open) -> None:
    app = open_family(sentence=SENTENCE)
    members = family(app)["members"]
    assert [card.kind for card in map(cards.find, [member["name"] for member in members]) if card] == [
        kind.name for kind in registry.list_kinds_by_year() if kind.name in {card.kind for card in cards.known()}
    ]
    assert [member["year"] for member in members] == sorted(member["year"] for member in members)
    assert all(french(app))


def test_it_opens_on_a_sentence_of_its_own_which_other_pages_do_not_take_over(open_page: Open) -> None:
    app = open_page()
    assert app.text_area(key="sentence").value == family(app)["text"] == opening.family("en")
    assert "sentence" not in app.query_params
    assert french(app)[1].startswith("ehT god")
    app.switch_page("pages/translate.py").run().run()
    assert app.text_area(key="sentence").value == ENGLISH


def test_what_is_shipped_is_shown_without_a_model(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> SimpleNamespace:
        raise CheckpointError("its weights are gone")

    monkeypatch.setattr(service, "load", gone)
    app = open_page(sentence=ENGLISH)
    assert french(app) == [LOST, FRENCH]
    assert all("its weights are gone" in model["problem"] for model in gradients(app)["models"])


def test_marks_looks_and_training_stand_beside_each(open_page: Open) -> None:
    data = family(open_page(sentence=ENGLISH))
    plain, attending = data["members"]
    assert data["told"]
    assert [ENGLISH.split()[place] for place in plain["answer"]["lost"]] == ["grey", "warm", "old"]
    assert plain["answer"]["looks"] is None
    assert attending["answer"]["lost"] == []
    assert len(attending["answer"]["looks"]) == len(attending["answer"]["words"])
    assert all("hours" in member["taught"] and "million" in member["taught"] for member in data["members"])
    hours = sorted(card.hours for card in cards.models() if card.name in (PLAIN, ATTENDED))
    said = load("en").sent("family.unequal", least=f"{hours[0]:.1f}", most=f"{hours[1]:.1f}")
    assert data["unequal"] == (said if hours[1] >= columns.MAX_HOURS_RATIO * hours[0] else "")


def test_more_models_can_be_put_beside_and_the_link_says_which(open_page: Open) -> None:
    app = open_page(sentence=SENTENCE)
    app.segmented_control(key="members").set_value([ATTENDED, "rnnsearch-30"]).run()
    assert [member["name"] for member in family(app)["members"]] == [ATTENDED, "rnnsearch-30"]
    assert app.query_params["members"] == f"{ATTENDED},rnnsearch-30"
    linked = open_page(sentence=SENTENCE, members="rnnsearch-30,rnnencdec-30")
    assert [member["name"] for member in family(linked)["members"]] == ["rnnencdec-30", "rnnsearch-30"]
    assert all(french(linked))
    linked.segmented_control(key="members").set_value([]).run()
    assert family(linked)["members"] == []


def test_a_model_that_cannot_be_loaded_says_so_in_its_column_and_keeps_nobody_waiting(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> SimpleNamespace:
        if name == PLAIN:
            raise CheckpointError("its weights are gone")
        return SimpleNamespace(name=name, fingerprint=name[::-1])

    monkeypatch.setattr(service, "load", missing)
    app = open_page(sentence=SENTENCE)
    plain, attending = family(app)["members"]
    assert "its weights are gone" in plain["problem"]
    assert plain["answer"] is None
    assert attending["answer"]


def test_no_sentence_leaves_what_was_shown_and_says_why(open_page: Open) -> None:
    app = open_page(sentence=SENTENCE)
    app.text_area(key="sentence").set_value("")
    app.button(key="submit").click().run()
    assert load("en")("problem.empty", language="English") in said(app)
    assert family(app)["text"] == SENTENCE


def test_a_sentence_that_is_too_long_is_asked_of_nobody(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(model: SimpleNamespace, text: str, *rest: Any) -> service.Traces:
        asked.append(text)
        return backwards(model, normalise(text), *rest)

    monkeypatch.setattr(service, "decode", noted)
    app = open_page(sentence="word " * 500)
    assert load("en")("problem.characters", count="2,500", limit="2,000") in said(app)
    assert not family(app)["text"]
    assert not any(french(app))
    assert asked == []


def test_what_cannot_be_done_is_said_in_the_language_that_is_turned_to(open_page: Open) -> None:
    app = open_page(sentence="go " * 600)
    pieces = {"count": "600", "limit": "500"}
    assert {member["problem"] for member in family(app)["members"]} == {load("en")("problem.pieces", **pieces)}
    app.segmented_control(key="lang").set_value("ko").run().run()
    assert {member["problem"] for member in family(app)["members"]} == {load("ko")("problem.pieces", **pieces)}


def test_a_picture_opens_what_it_shows_though_something_was_changed_elsewhere(open_page: Open) -> None:
    app = open_page(sentence=SENTENCE, members="rnnsearch-30", edits="attention@*:uniform")
    app.session_state["apart"], app.session_state["apart-page"] = 1, "translate"  # sentence by sentence, there
    app.session_state["family-columns-open"] = "rnnsearch-30"
    app.run()
    assert not app.exception
    assert not app.session_state["edits"]
    assert not app.session_state["apart"]
    assert not {"edits", "apart"} & set(app.query_params)


def test_a_sentence_that_grows_in_canonical_form_opens_as_it_was_typed(open_page: Open) -> None:
    typed = "so\u2014so " * 285
    assert len(typed) <= links.LIMIT < len(normalise(typed))
    app = open_page(sentence=typed, members="rnnsearch-30")
    app.session_state["family-columns-open"] = "rnnsearch-30"
    app.run()
    assert not app.exception
    assert app.text_area(key="sentence").value == typed
    assert control(app, "model").value == "rnnsearch-30"


def test_a_picture_opens_the_sentence_in_translate_with_that_model(open_page: Open) -> None:
    app = open_page(sentence=SENTENCE, members="rnnsearch-30")
    app.session_state["family-columns-open"] = "rnnsearch-30"
    app.run()
    assert not app.exception
    assert app.text_area(key="sentence").value == SENTENCE
    assert control(app, "model").value == "rnnsearch-30"


@pytest.mark.parametrize("odd", [None, 1, "nobody", [], CASES["script"]])
def test_whatever_a_browser_sends_as_a_model_opens_nothing(open_page: Open, odd: object) -> None:
    app = open_page(sentence=SENTENCE)
    app.session_state["family-columns-open"] = odd
    app.run()
    assert family(app)["text"] == SENTENCE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_of_time_has_every_kind_and_every_published_score(open_page: Open, language: str) -> None:
    app = open_page(locale=f"{language}-XX", sentence=SENTENCE)
    (line,) = [node.proto.body for node in app.get("html") if "class='line'" in node.proto.body]
    years = [int(part.split("<")[0]) for part in line.split("<b class='year'>")[1:]]
    assert years == sorted(years)
    assert (years[0], years[-1]) == (2003, 2017)
    for score in ("33.3", "17.82", "30.59", "28.45", "19.0", "38.1", "27.3"):
        assert score in line


@pytest.mark.parametrize("name", ["script", "null"])
def test_hostile_sentences(open_page: Open, name: str) -> None:
    case = next((text for key, text in CASES.items() if name in key), CASES["script"])
    app = open_page()
    app.text_area(key="sentence").set_value(case)
    app.button(key="submit").click().run()
    assert not app.exception


def test_each_model_has_its_gradients_by_distance_and_its_gates(open_page: Open) -> None:
    data = gradients(open_page(sentence=SENTENCE))
    plain, attending = data["models"]
    assert [model["name"] for model in data["models"]] == [PLAIN, ATTENDED]
    assert plain["curves"][0] == {"values": [1, 0.5, 0.25, 0.125, 0.0625], "look": None}
    assert attending["curves"][0]["look"] == [0.125] * 5
    assert plain["pieces"][0] == load("en")("gradients.end")
    assert len(data["told"]) == 1 + len(attending["words"])
    assert f"×{format_factor(0.5**4)}" in data["told"][0]
    assert [table["side"] for table in plain["gates"]] == ["encoder", "decoder"]
    assert data["shown"] == PLAIN


def test_a_written_word_and_a_model_are_chosen_and_the_link_says_which(open_page: Open) -> None:
    app = open_page(sentence=SENTENCE, written="2", gates=ATTENDED)
    assert (gradients(app)["written"], gradients(app)["shown"]) == (2, ATTENDED)
    assert gradients(open_page(sentence=SENTENCE, written="99"))["written"] == 0
    app.text_area(key="sentence").set_value("the old house sleeps")
    app.button(key="submit").click().run()
    assert gradients(app)["written"] == 0
    assert "written" not in app.query_params


def test_gradients_come_last_and_one_that_fails_says_so(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {PLAIN: GradientsError("long", "", 120, 100), ATTENDED: GradientsError("unknown", "")}

    def refusing(model: SimpleNamespace, *_: object) -> Gradients:
        raise said[model.name]

    monkeypatch.setattr(gradients_asking, "measure_gradients", refusing)
    app = open_page(sentence=SENTENCE)
    assert all(french(app))
    t = load("en")
    assert [model["problem"] for model in gradients(app)["models"]] == [
        t("gradients.long", count=120, limit=100), t("gradients.unknown")]  # fmt: skip
    assert gradients(app)["told"] == []
    monkeypatch.setattr(gradients_asking, "measure_gradients", lambda *_: 1 / 0)
    other = open_page(sentence="the old house sleeps")
    assert [model["problem"] for model in gradients(other)["models"]] == [
        t("problem.inside", model=title) for title in ("RNNencdec-50", "RNNsearch-50")]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_of_one_word_says_that_it_is_short(open_page: Open, language: str) -> None:
    app = open_page(locale=f"{language}-XX", sentence="Go")
    assert gradients(app)["told"][0] == load(language)("gradients.short", least=gradients_text.MIN_STATES)


def test_what_a_run_that_is_broken_off_put_into_the_link_is_no_step_back(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run would take it for the browser's history, and take back what was chosen meanwhile."""
    app, broken = open_page(sentence=SENTENCE), list[bool]()

    def goes_on(_: object) -> None:
        if not broken:
            broken.append(True)
            st.session_state["written"] = 3
            st.rerun()

    monkeypatch.setattr(cost_curves, "render_costs", goes_on)
    monkeypatch.setattr(state, "_LATE", 0.0)
    app.session_state["written"] = 2
    app.run()
    assert broken
    assert gradients(app)["written"] == 3


def test_a_model_of_another_language_brings_its_own_family_and_stays_chosen(
    open_family: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has no choice of a model: the line that offers one is where it is chosen."""
    known = cards.known()
    reader = card("french-50", title="FrEn", languages=("fr", "en"))
    monkeypatch.setattr(cards, "known", lambda: (*known, reader))
    app = open_family(sentence="Le chat dort sur la chaise.")
    app.button(key="remedy").click().run()
    assert [one["name"] for one in family(app)["members"]] == ["french-50"]
    assert app.query_params["model"] == "french-50"
    assert "members" not in app.query_params
    app.switch_page("pages/translate.py").run()
    assert not app.exception
    assert control(app, "model").value == "french-50"
