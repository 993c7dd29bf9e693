"""The concept of vanishing gradients: the plain tanh RNN, and the gradients of the real models in the link."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.attribution.gradient_record import Gradients, GradientsError
from pages.ui.backend import cards
from pages.ui.concepts.gradients_text import format_factor
from pages.ui.i18n.messages import load_messages
from pages.ui.widgets import family_results
from tests.pages.components import get_component_data
from tests.pages.fakes import ATTENDED, PLAIN

OpenApp = Callable[..., AppTest]
SENTENCE = "the small dog runs"


@pytest.fixture
def open_idea(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> OpenApp:
    """Open the concept with the models of the first paper only."""
    paper_cards = tuple(card for card in cards.list_cards() if card.kind in ("rnnsearch", "rnnencdec"))
    monkeypatch.setattr(cards, "list_cards", lambda: paper_cards)
    return lambda **query: open_app("concepts", idea="gradients", **query).run()


def get_gradients_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "gradients")


def test_plain_network_has_eigenvalues_of_one_size_and_an_input_for_each_token(open_idea: OpenApp) -> None:
    data = get_component_data(open_idea(sentence="the dog and the cat"), "tanh_rnn")
    matrix = np.array(data["matrix"])
    np.testing.assert_allclose(np.abs(np.linalg.eigvals(matrix)), 1, atol=1e-9)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(len(matrix)), atol=1e-9)
    assert data["tokens"] == ["the", "dog", "and", "the", "cat", load_messages("en")("gradients.end")]
    assert data["inputs"][0] == data["inputs"][3] != data["inputs"][1]
    assert set(data["inputs"][-1]) == {0}


def test_links_to_gradients_on_the_page_of_all_models_open_the_concept(open_app: OpenApp) -> None:
    app = open_app("family", sentence=SENTENCE, gates=ATTENDED, **{"gradient-word": "2"})
    assert app.query_params["idea"] in ("gradients", ["gradients"])
    data = get_gradients_data(app.run())
    assert (data["selected_word"], data["gate_model"]) == (2, ATTENDED)


def test_gradients_are_of_the_word_and_model_in_the_link(open_idea: OpenApp) -> None:
    app = open_idea(sentence=SENTENCE, gates=ATTENDED, **{"gradient-word": "2"})
    data = get_gradients_data(app)
    plain, attending = data["models"]
    assert (data["selected_word"], data["gate_model"]) == (2, ATTENDED)
    assert [model["name"] for model in data["models"]] == [PLAIN, ATTENDED]
    assert plain["curves"][0] == {"values": [1, 0.5, 0.25, 0.125, 0.0625], "direct": None}
    assert attending["curves"][0]["direct"] == [0.125] * 5
    assert f"×{format_factor(0.5**4)}" in data["descriptions"][0]
    assert [table["side"] for table in plain["gates"]] == ["encoder", "decoder"]
    app.text_area(key="sentence").set_value("the old house sleeps")
    app.button(key="submit").click().run()
    assert get_gradients_data(app)["selected_word"] == 0
    assert "gradient-word" not in app.query_params
    defaults = get_gradients_data(open_idea(sentence=SENTENCE, **{"gradient-word": "99"}))
    assert (defaults["selected_word"], defaults["gate_model"]) == (0, PLAIN)


def test_failed_gradients_are_reported(open_idea: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(model: SimpleNamespace, *_: object) -> Gradients:
        raise GradientsError("long", "", 120, 100) if model.name == PLAIN else ZeroDivisionError

    monkeypatch.setattr(family_results, "measure_gradients", fail)
    app = open_idea(sentence=SENTENCE)
    t, data = load_messages("en"), get_gradients_data(app)
    problems = [t("gradients.long", count=120, limit=100), t("problem.inside", model="RNNsearch-50")]
    assert [model["problem"] for model in data["models"]] == problems
    assert data["descriptions"] == []
