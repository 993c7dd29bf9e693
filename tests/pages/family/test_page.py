"""The page All models: a column per model, oldest architecture first, and the timeline."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.decoding import Settings
from model.networks import registry
from model.text.normalise import normalise
from model.trace import WeightMap
from pages.ui.backend import cards, service, shipped_traces
from pages.ui.family import columns
from pages.ui.i18n.messages import load_messages
from pages.ui.url_state import params
from pages.ui.widgets.family_results import FamilyResults
from tests.pages.components import find_choice, get_component_data
from tests.pages.fakes import ATTENDED
from tests.traces import ENGLISH, FRENCH, LOST, make_trace

OpenApp = Callable[..., AppTest]
SENTENCE = "the small dog runs"


@pytest.fixture
def open_family(open_app: OpenApp) -> OpenApp:
    return lambda **query: open_app("family", **query).run()  # AppTest draws the box in a second run


@pytest.fixture
def open_page(open_family: OpenApp, monkeypatch: pytest.MonkeyPatch) -> OpenApp:
    """Open the page with the models of the first paper only."""
    paper_cards = tuple(card for card in cards.list_cards() if card.kind in ("rnnsearch", "rnnencdec"))
    monkeypatch.setattr(cards, "list_cards", lambda: paper_cards)
    return open_family


def get_columns_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "family")


def get_translations(app: AppTest) -> list[str]:
    answers = [member["translation"] for member in get_columns_data(app)["members"]]
    return ["".join(gap + word for gap, word in answer["words"]) if answer else "" for answer in answers]


@pytest.mark.verdict
def test_every_shipped_kind_has_a_column(open_family: OpenApp) -> None:
    app = open_family(sentence=SENTENCE)
    members = get_columns_data(app)["members"]
    assert [card.kind for card in map(cards.find_card, [member["name"] for member in members]) if card] == [
        kind.name for kind in registry.list_kinds_by_year() if kind.name in {card.kind for card in cards.list_cards()}
    ]
    assert [member["year"] for member in members] == sorted(member["year"] for member in members)
    assert all(get_translations(app))


def test_page_has_its_own_first_sentence(open_page: OpenApp) -> None:
    app = open_page()
    sentence = shipped_traces.get_family_sentence("en-fr")
    assert app.text_area(key="sentence").value == get_columns_data(app)["text"] == sentence
    assert "sentence" not in app.query_params
    assert get_translations(app)[1].startswith("ehT god")
    app.switch_page("pages/translate.py").run().run()
    assert app.text_area(key="sentence").value == ENGLISH


def test_column_of_a_shipped_sentence_needs_no_model(open_page: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "load_model", lambda name: 1 / 0)
    app = open_page(sentence=ENGLISH)
    assert get_translations(app) == [LOST, FRENCH]
    data = get_columns_data(app)
    plain, attending = data["members"]
    assert data["has_lexicon"]
    assert [ENGLISH.split()[place] for place in plain["translation"]["omissions"]] == ["grey", "warm", "old"]
    assert plain["translation"]["attended"] is None
    assert attending["translation"]["omissions"] == []
    assert len(attending["translation"]["attended"]) == len(attending["translation"]["words"])
    assert all(len(member["training"]["bars"]) == 2 for member in data["members"])


def test_rnnsearch_of_equal_hours_is_chosen_in_the_column_and_by_link(open_family: OpenApp) -> None:
    app = open_family(sentence=SENTENCE, members="transformer-50,rnnsearch-50", **{"equal-hours": "1"})
    data = get_columns_data(app)
    assert data["shows_equal_hours"]
    assert [member["training"]["has_fewer_hours"] for member in data["members"]] == [False, True]
    assert data["members"][1]["training"]["equal_hours"]["title"] == "RNNsearch-50"
    assert data["unequal_note"]


def test_models_are_chosen_and_in_the_link(open_page: OpenApp) -> None:
    app = open_page(sentence=SENTENCE)
    app.segmented_control(key="members").set_value([ATTENDED, "rnnsearch-30"]).run()
    assert [member["name"] for member in get_columns_data(app)["members"]] == [ATTENDED, "rnnsearch-30"]
    assert app.query_params["members"] == f"{ATTENDED},rnnsearch-30"
    linked = open_page(sentence=SENTENCE, members="rnnsearch-30,rnnencdec-30")
    assert [member["name"] for member in get_columns_data(linked)["members"]] == ["rnnencdec-30", "rnnsearch-30"]
    assert all(get_translations(linked))
    linked.segmented_control(key="members").set_value([]).run()
    assert get_columns_data(linked)["members"] == []


def test_opened_column_shows_the_sentence_as_typed_without_overrides(open_page: OpenApp) -> None:
    typed_text = "so\u2014so " * 285
    assert len(typed_text) <= params.MAX_CHARACTERS < len(normalise(typed_text))
    app = open_page(sentence=typed_text, members="rnnsearch-30", overrides="attention@*:uniform")
    app.session_state["open-sentence"] = 1  # one sentence of several
    app.session_state["open-sentence-page"] = "translate"
    app.session_state["family-columns-open"] = "rnnsearch-30"
    app.run()
    assert not app.exception
    assert app.text_area(key="sentence").value == typed_text
    assert find_choice(app, "model").value == "rnnsearch-30"
    assert not app.session_state["overrides"]
    assert not app.session_state["open-sentence"]
    assert not {"overrides", "open-sentence"} & set(app.query_params)


def test_timeline_has_all_years_and_published_scores(open_page: OpenApp) -> None:
    app = open_page(sentence=SENTENCE)
    (line,) = [node.proto.body for node in app.get("html") if "class='line'" in node.proto.body]
    years = [int(part.split("<")[0]) for part in line.split("<b class='year'>")[1:]]
    assert years == sorted(years)
    assert (years[0], years[-1]) == (2003, 2017)
    for score in ("33.3", "17.82", "30.59", "28.45", "19.0", "38.1", "27.3"):
        assert score in line


def test_coverage_is_no_map_to_choose_from() -> None:
    """A column names its map only if the model has several that can be displayed."""
    plain = make_trace(model="coverage-50")
    coverage = WeightMap("coverage", plain.get_map().values, rows_sum_to_one=False)
    results = FamilyResults(normalise(ENGLISH), Settings(), "en")
    results.traces["coverage-50"] = replace(plain, maps=(*plain.maps, coverage))
    (member,) = columns.build_columns_payload(results, ["coverage-50"], load_messages("en"))["members"]
    assert member["translation"]
    assert member["translation"]["map_name"] == ""
