"""The status line: warnings about text that the models cannot read well, with their remedies."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from model.text.language_detection import LANGUAGE_SCRIPTS
from pages.ui.backend import cards
from pages.ui.i18n.messages import LANGUAGES, load_messages
from tests.cards import build_card
from tests.hostile import CASES
from tests.pages.components import get_component_data, submit_sentence

OpenApp = Callable[..., AppTest]
SENTENCES = "The dog runs.\n\nI saw it. It was late."


def get_warning(app: AppTest) -> str:
    """Return the HTML of the warning; "" without one."""
    assert not app.exception
    return "".join(node.proto.body for node in app.get("html") if 'class="input-warning"' in node.proto.body)


def list_remedies(app: AppTest) -> list[str]:
    return [button.label for button in app.button if (button.key or "").startswith("remedy")]


def apply_remedy(app: AppTest) -> str:
    """Click the remedy; return the sentence in the box then."""
    (remedy,) = (button for button in app.button if (button.key or "").startswith("remedy"))
    return str(remedy.click().run().text_area(key="sentence").value)


def get_drawn_sentence(app: AppTest) -> str:
    return "".join(gap + word for gap, word in get_component_data(app, "heatmap")["source"]["words"])


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_capitals_markup_and_unknown_characters_have_a_remedy(open_app: OpenApp, language: str) -> None:
    t = load_messages(language)
    app = open_app(locale=language)
    assert get_warning(app) == ""
    app = submit_sentence(app, "THE DOG RUNS. I SAW IT.")
    assert t("input_warning.capitals") in get_warning(app)
    assert list_remedies(app) == [t("input_warning.mend_capitals")]
    assert apply_remedy(app) == "The dog runs. I saw it."
    assert t("input_warning.sentences", count=2) in get_warning(app)
    assert apply_remedy(submit_sentence(app, "the <b>dog</b> runs")) == "the dog runs"
    assert (get_warning(app), list_remedies(app)) == ("", [])
    app = submit_sentence(app, "The dog 犬 runs 🐶.\nI ♥ it.")
    assert t("input_warning.signs", signs="犬 ♥") in get_warning(app)
    assert list_remedies(app) == [t("input_warning.mend_signs")]
    assert apply_remedy(app) == "The dog runs 🐶.\nI it."
    app = submit_sentence(app, "The α β γ δ ε ζ η θ letters.")
    assert t("input_warning.signs", signs=f"α β γ δ ε ζ{t('input_warning.more_signs', count=2)}") in get_warning(app)
    assert get_warning(submit_sentence(app, "The café costs 5 € – “much”!")) == ""
    app = submit_sentence(app, "12:30 ?!")
    assert t("input_warning.letters") in get_warning(app)
    assert list_remedies(app) == []


def test_for_text_in_another_language_a_pair_is_offered(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    t = load_messages("en")
    app = submit_sentence(open_app(), "Le chat dort sur la chaise.")
    assert t("input_warning.foreign", found="French", own="English", model="RNNsearch-50") in get_warning(app)
    assert list_remedies(app) == []
    all_cards = (*cards.list_cards(), build_card("french-50", title="FrEn", languages=("fr", "en")))
    monkeypatch.setattr(cards, "list_cards", lambda: all_cards)
    app = app.run()
    assert list_remedies(app) == [t("input_warning.mend_foreign", source="French", target="English")]
    apply_remedy(app)
    assert (app.session_state["pair"], app.session_state["model"]) == ("fr-en", "french-50")
    assert get_warning(app) == ""


def test_several_sentences_can_be_translated_separately(open_app: OpenApp) -> None:
    t = load_messages("en")
    app = submit_sentence(open_app(), SENTENCES)
    assert t("input_warning.sentences", count=3) in get_warning(app)
    assert get_drawn_sentence(app) == "The dog runs. I saw it. It was late."
    assert apply_remedy(app) == SENTENCES
    assert t("input_warning.apart", count=3) in get_warning(app)
    assert app.query_params["open-sentence"] == "1"
    assert get_drawn_sentence(app) == "The dog runs."
    buttons = [app.button(key=key) for key in ("apart-1", "apart-2", "apart-3")]
    assert [button.disabled for button in buttons] == [True, False, False]
    translations = "".join(node.proto.body for node in app.get("html") if node.proto.body.startswith("<p lang="))
    assert ["was" in translations, "saw" in translations] == [True, True]  # spelt backwards
    assert "god" not in translations  # the open sentence
    buttons[2].click().run()
    assert get_drawn_sentence(app) == "It was late."
    assert app.query_params["open-sentence"] == "3"
    assert get_drawn_sentence(open_app(sentence=SENTENCES, **{"open-sentence": "2"})) == "I saw it."
    apply_remedy(app)
    assert get_drawn_sentence(app) == "The dog runs. I saw it. It was late."
    assert "open-sentence" not in app.query_params
    app = submit_sentence(open_app(sentence=SENTENCES, **{"open-sentence": "2"}), "one two")
    assert "open-sentence" not in app.query_params


def test_on_other_pages_splitting_leads_to_translate(open_app: OpenApp) -> None:
    app = submit_sentence(open_app("compare"), SENTENCES)
    assert load_messages("en")("input_warning.sentences", count=3) in get_warning(app)
    assert apply_remedy(app) == SENTENCES
    assert get_drawn_sentence(app) == "The dog runs."


def test_changes_of_laboratory_can_be_undone_on_other_pages(open_app: OpenApp) -> None:
    app = open_app("compare", sentence="The dog runs.", overrides="p5")
    assert load_messages("en")("input_warning.edits", model="RNNsearch-50") in get_warning(app)
    assert apply_remedy(app) == "The dog runs."
    assert "overrides" not in app.query_params
    assert not get_warning(app)


def test_a_sentence_longer_than_those_of_the_training_is_mentioned(open_app: OpenApp) -> None:
    app = open_app("compare", sentence=f"The dog {'never ' * 47}runs.", model="rnnsearch-50")
    assert get_warning(app) == ""
    warning = get_warning(submit_sentence(app, f"The old dog {'never ' * 47}runs."))
    assert load_messages("en")("input_warning.long", count=51, model="RNNsearch-50", limit=50) in warning


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_detectable_language_has_a_name(language: str) -> None:
    names = {key.removeprefix("language_name.") for key in load_messages(language) if key.startswith("language_name.")}
    assert names == {*LANGUAGE_SCRIPTS, "mul"}


def test_hostile_text_is_never_markup(open_app: OpenApp) -> None:
    app = open_app()
    for name in ("script", "HTML", "SVG", "Markdown", "closing tags", "Korean"):
        app = submit_sentence(app, CASES[name])
        assert get_warning(app).count("<") == 2, name
        if list_remedies(app):
            apply_remedy(app)
            assert not app.exception, name
