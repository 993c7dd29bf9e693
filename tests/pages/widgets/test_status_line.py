"""What the models can't read, said in one line with the remedy as a button; sentences each by itself."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from model.text.language_detection import DETECTABLE_LANGUAGES
from pages.ui.backend import cards
from pages.ui.i18n.messages import LANGUAGES, load_messages
from tests.cards import build_card
from tests.hostile import CASES
from tests.pages.components import get_data

Open = Callable[..., AppTest]
THREE = "The dog runs.\n\nI saw it. It was late."
PAGES = ("translate", "step_by_step", "compare", "laboratory")


def line(app: AppTest) -> str:
    """What the line says of the text in the box, as HTML; "" where it says nothing."""
    assert not app.exception
    return "".join(node.proto.body for node in app.get("html") if 'class="doubt"' in node.proto.body)


def ask(app: AppTest, text: str) -> AppTest:
    app.text_area(key="sentence").set_value(text)
    return app.button(key="submit").click().run()


def remedies(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.key == "remedy"]


def drawn(app: AppTest) -> str:
    """The sentence whose picture is drawn."""
    (found,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("heatmap")]
    return "".join(gap + word for gap, word in get_data(found)["source"]["words"])


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_capitals_and_markup_are_mended_by_a_button(open_app: Open, language: str) -> None:
    t = load_messages(language)
    app = open_app(locale=language)
    assert line(app) == ""
    app = ask(app, "THE DOG RUNS. I SAW IT.")
    assert t("doubt.capitals") in line(app)
    assert remedies(app) == [t("doubt.mend_capitals")]
    app.button(key="remedy").click().run()
    assert app.text_area(key="sentence").value == "The dog runs. I saw it."
    assert t("doubt.sentences", count=2) in line(app)
    app = ask(app, "the <b>dog</b> runs")
    app.button(key="remedy").click().run()
    assert app.text_area(key="sentence").value == "the dog runs"
    assert (line(app), remedies(app)) == ("", [])


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_signs_that_are_read_in_bytes_are_named_and_left_out_by_a_button(open_app: Open, language: str) -> None:
    t = load_messages(language)
    app = ask(open_app(locale=language), "The dog 犬 runs 🐶.\nI ♥ it.")
    assert t("doubt.signs", signs="犬 ♥") in line(app)
    assert remedies(app) == [t("doubt.mend_signs")]
    app.button(key="remedy").click().run()
    assert app.text_area(key="sentence").value == "The dog runs 🐶.\nI it."
    assert t("doubt.sentences", count=2) in line(app)
    app = ask(app, "The α β γ δ ε ζ η θ letters.")
    assert t("doubt.signs", signs=f"α β γ δ ε ζ{t('doubt.more_signs', count=2)}") in line(app)
    assert line(ask(app, "The café costs 5 € – “much”!")) == ""


def test_another_language_is_told_and_a_model_that_reads_it_offered(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = load_messages("en")
    app = ask(open_app(), "Le chat dort sur la chaise.")
    assert t("doubt.foreign", found="French", own="English", model="RNNsearch-50") in line(app)
    assert remedies(app) == []
    known = cards.list_cards()
    reader = build_card("french-50", title="FrEn", languages=("fr", "en"))
    monkeypatch.setattr(cards, "list_cards", lambda: (*known, reader))
    app = app.run()
    assert remedies(app) == [t("doubt.mend_foreign", model="FrEn")]
    app.button(key="remedy").click().run()
    assert app.session_state["model"] == "french-50"
    assert line(app) == ""


def test_what_has_no_letters_is_said_without_a_button(open_app: Open) -> None:
    app = ask(open_app(), "12:30 ?!")
    assert load_messages("en")("doubt.letters") in line(app)
    assert remedies(app) == []


def test_sentences_each_by_itself(open_app: Open) -> None:
    t = load_messages("en")
    app = ask(open_app(), THREE)
    assert t("doubt.sentences", count=3) in line(app)
    assert drawn(app) == "The dog runs. I saw it. It was late."
    app.button(key="remedy").click().run()
    assert t("doubt.apart", count=3) in line(app)
    assert app.query_params["apart"] == "1"
    assert app.text_area(key="sentence").value == THREE
    assert drawn(app) == "The dog runs."
    rows = {key: app.button(key=key) for key in ("apart-1", "apart-2", "apart-3")}
    assert [button.disabled for button in rows.values()] == [True, False, False]
    told = "".join(node.proto.body for node in app.get("html") if node.proto.body.startswith("<p lang="))
    assert "was" in told, "the second sentence, spelt backwards"
    assert "saw" in told, "and the third"
    assert "god" not in told, "the first one is opened"
    rows["apart-3"].click().run()
    assert drawn(app) == "It was late."
    assert app.query_params["apart"] == "3"
    assert drawn(open_app(sentence=THREE, apart="2")) == "I saw it."
    app.button(key="remedy").click().run()
    assert drawn(app) == "The dog runs. I saw it. It was late."
    assert "apart" not in app.query_params
    app = ask(open_app(sentence=THREE, apart="2"), "one two")
    assert "apart" not in app.query_params, "one sentence is not taken apart"


@pytest.mark.parametrize("page", PAGES[1:])
def test_on_other_pages_the_button_leads_to_the_sentences(open_app: Open, page: str) -> None:
    app = open_app()
    app.switch_page(f"pages/{page}.py").run()
    app = ask(app, THREE)
    assert load_messages("en")("doubt.sentences", count=3) in line(app)
    app.button(key="remedy").click().run()
    assert drawn(app) == "The dog runs."
    assert app.text_area(key="sentence").value == THREE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_that_can_be_told_has_a_name(language: str) -> None:
    t = load_messages(language)
    named = {key.removeprefix("tongue.") for key in t if key.startswith("tongue.")}
    assert named == {*DETECTABLE_LANGUAGES, "mul"}


def test_hostile_text_is_never_markup(open_app: Open) -> None:
    app = open_app()
    for name in ("script", "HTML", "SVG", "Markdown", "closing tags", "Korean"):
        app = ask(app, CASES[name])
        assert line(app).count("<") == 2, name
        for button in app.button:
            if button.key == "remedy":
                button.click().run()
                assert not app.exception, name
