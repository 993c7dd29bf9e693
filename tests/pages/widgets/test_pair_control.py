"""The choice of a pair of languages: on the screen, in links, and by what the reader types."""

from collections.abc import Callable
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from model.text.languages import DEFAULT_PAIR
from pages.ui.backend import cards, shipped_traces
from pages.ui.i18n.messages import load_messages
from pages.ui.url_state import params
from tests.cards import build_card
from tests.pages.components import find_choice, get_component_data, list_alerts, submit_sentence

OpenApp = Callable[..., AppTest]
KOREAN = "나는 학생이다."
OTHER_CARDS = (
    build_card("into-english", title="Into English", languages=("ko", "en"), pieces=10**12),
    build_card("into-english-plain", "rnnencdec", title="Into English, plain", languages=("ko", "en")),
    build_card("into-korean", title="Into Korean", languages=("en", "ko")),
)


@pytest.fixture
def open_french(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> OpenApp:
    """Return `open_page` for an app with models from English into French alone."""
    french = tuple(card for card in cards.list_cards() if card.languages == DEFAULT_PAIR)
    monkeypatch.setattr(cards, "list_cards", lambda: french)
    return open_app


@pytest.fixture
def open_pairs(open_french: OpenApp, monkeypatch: pytest.MonkeyPatch) -> OpenApp:
    """Return `open_page` for an app with models of three pairs."""
    every_card = (*cards.list_cards(), *OTHER_CARDS)
    monkeypatch.setattr(cards, "list_cards", lambda: every_card)
    return open_french


def list_pair_options(app: AppTest) -> list[str]:
    return [unescape(option) for choice in app.segmented_control if choice.key == "pair" for option in choice.options]


def test_the_choice_is_drawn_for_several_pairs_only(open_french: OpenApp) -> None:
    app = open_french()
    assert list_pair_options(app) == []
    assert "pair" not in app.query_params


def test_a_chosen_pair_has_its_models_and_examples_and_the_link_knows_it(open_pairs: OpenApp) -> None:
    app = open_pairs(more="1")
    assert list_pair_options(app) == ["EN→FR", "KO→EN", "EN→KO"]
    assert "pair" not in app.query_params
    assert not any("Into" in option for option in find_choice(app, "model").options)
    find_choice(app, "pair").set_value("ko-en").run()
    assert not app.exception
    assert app.query_params["pair"] == "ko-en"
    assert [app.session_state[name] for name in ("model", "other-model")] == ["into-english", "into-english-plain"]
    assert find_choice(app, "model").options == ["Into English", "Into English, plain"]
    assert app.text_area(key="sentence").value == shipped_traces.list_sentences("ko-en")[0]
    find_choice(app, "pair").set_value("en-fr").run()
    assert not {"pair", *(param.name for param in params.MODEL_PARAMS)} & set(app.query_params)
    assert app.text_area(key="sentence").value == shipped_traces.list_sentences("en-fr")[0]


def test_the_models_of_a_pair_are_still_chosen_on_return(open_pairs: OpenApp) -> None:
    app = open_pairs(more="1", pair="ko-en")
    find_choice(app, "model").set_value("Into English, plain").run()
    assert app.session_state["model"] == "into-english-plain"
    find_choice(app, "pair").set_value("en-fr").run()
    find_choice(app, "pair").set_value("ko-en").run()
    assert not app.exception
    assert app.session_state["model"] == app.query_params["model"] == "into-english-plain"


@pytest.mark.parametrize("page", ["compare", "step_by_step", "laboratory", "family", "concepts", "your_text"])
def test_a_link_opens_every_page_in_its_pair(open_pairs: OpenApp, page: str) -> None:
    app = open_pairs(page, pair="ko-en", idea="retrieval")
    assert not app.exception
    assert app.session_state["pair"] == "ko-en"
    assert app.query_params["pair"] == "ko-en"
    param_name = {"family": "members", "your_text": "text-models"}.get(page, "model")
    if page != "concepts":  # one model per idea
        values = app.session_state[param_name]
        assert set([values] if isinstance(values, str) else values) <= {card.name for card in OTHER_CARDS[:2]}


def test_a_link_with_a_model_alone_has_the_pair_of_the_model(open_pairs: OpenApp) -> None:
    app = open_pairs(model="into-korean")
    assert (app.session_state["pair"], app.session_state["model"]) == ("en-ko", "into-korean")
    assert app.query_params["pair"] == "en-ko"


def test_a_pair_without_models_is_not_accepted(open_french: OpenApp) -> None:
    app = open_french(pair="ko-en")
    (alert,) = list_alerts(app)
    assert "ko-en" in alert
    assert app.session_state["pair"] == "en-fr"
    assert "pair" not in app.query_params


def test_typed_text_in_the_language_of_another_pair_offers_it(open_pairs: OpenApp) -> None:
    t = load_messages("en")
    app = submit_sentence(open_pairs(), KOREAN)
    remedy = app.button(key="remedy")
    assert remedy.label == t("input_warning.mend_foreign", source="Korean", target="English")
    remedy.click().run()
    assert not app.exception
    assert app.query_params["pair"] == "ko-en"
    assert app.text_area(key="sentence").value == KOREAN
    remedy = submit_sentence(app, "The teacher went home.").button(key="remedy")
    assert remedy.label == t("input_warning.mend_foreign", source="English", target="Korean")
    assert remedy.click().run().session_state["model"] == "into-korean"


def test_the_style_of_korean_is_a_token_before_the_sentence(
    open_pairs: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_pairs()
    assert not any(choice.key == "style" for choice in app.segmented_control)  # no model has tags
    monkeypatch.setattr(cards, "has_style_tags", lambda name: name == "into-korean")
    app = open_pairs(pair="en-ko", sentence="I am a student.", style="polite")
    assert get_component_data(app, "heatmap")["source"]["labels"][0] == "<polite>"
    assert find_choice(app, "style").value == "polite"
    find_choice(app, "style").set_value("formal").run()
    data = get_component_data(app, "heatmap")
    assert data["source"]["labels"][0] == "<formal>"
    assert any("<formal>" in note for note in data["n_best"][0]["notes"])
    assert (app.query_params["style"], app.query_params["sentence"]) == ("formal", "I am a student.")
    app = submit_sentence(app, "<polite> I AM A STUDENT HERE.")
    assert app.button(key="remedy").click().run().text_area(key="sentence").value == "<polite> I am a student here."
    assert not any(button.key == "remedy" for button in app.button)
    find_choice(app, "pair").set_value("en-fr").run()
    assert not any(choice.key == "style" for choice in app.segmented_control)


def test_a_link_to_another_page_may_name_a_model_of_another_pair(open_pairs: OpenApp) -> None:
    app = open_pairs(pair="ko-en")
    app.query_params.clear()
    app.query_params["model"] = "rnnencdec-50"
    app.switch_page("pages/step_by_step.py").run()
    assert not app.exception
    assert (app.session_state["pair"], app.session_state["model"]) == ("en-fr", "rnnencdec-50")


def test_the_link_counts_first_when_translate_is_opened(open_pairs: OpenApp) -> None:
    app = open_pairs("compare", pair="ko-en")
    find_choice(app, "pair").set_value("en-fr").run()
    app.query_params.clear()
    app.query_params["model"] = "into-english"
    app.query_params["sentence"] = KOREAN
    app.switch_page("pages/translate.py").run()
    assert not app.exception
    assert (app.session_state["pair"], app.session_state["model"]) == ("ko-en", "into-english")
    assert not any(button.key == "remedy" for button in app.button)


def test_examples_in_the_box_of_your_text_follow_the_pair_of_another_page(open_pairs: OpenApp) -> None:
    app = open_pairs("your_text")
    assert app.text_area(key="pasted").value == params.build_example_text("en-fr")
    app.switch_page("pages/concepts.py").run()
    find_choice(app, "pair").set_value("ko-en").run()
    app.switch_page("pages/your_text.py").run()
    assert app.text_area(key="pasted").value == params.build_example_text("ko-en")
    app.query_params["pair"] = "en-ko"
    app.switch_page("pages/concepts.py").run()
    assert not get_component_data(app, "frame")["has_unsaved_work"]


def test_a_pair_replaces_the_texts_that_a_page_opened_with(open_pairs: OpenApp) -> None:
    app = open_pairs("family").run()
    find_choice(app, "pair").set_value("ko-en").run()
    assert app.text_area(key="sentence").value == shipped_traces.get_family_sentence("ko-en")
    app = open_pairs("your_text")
    find_choice(app, "pair").set_value("ko-en").run()
    assert app.text_area(key="pasted").value == "\n".join(shipped_traces.list_sentences("ko-en"))
    app.text_area(key="pasted").set_value(KOREAN).run()
    find_choice(app, "pair").set_value("en-fr").run()
    assert app.text_area(key="pasted").value == KOREAN


def test_a_link_to_another_page_counts_where_that_page_alone_has_the_choice(open_app: OpenApp) -> None:
    app = open_app("family", members="rnnsearch-30,rnnencdec-30")
    app.switch_page("pages/story.py").run()
    app.query_params["members"] = "rnnsearch-50,rnnencdec-50"
    app.switch_page("pages/family.py").run()
    assert not app.exception
    assert app.query_params["members"] == "rnnencdec-50,rnnsearch-50"
