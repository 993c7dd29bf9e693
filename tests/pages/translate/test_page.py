"""The page Translate: opening, options, n best, downloads, waits and failures."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.decoding import Settings
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.backend import cards, service, shipped_traces
from pages.ui.heatmap import heatmap
from pages.ui.i18n.messages import load_messages
from pages.ui.url_state.params import SEARCHES
from pages.ui.widgets import controls
from pages.ui.widgets.downloads import build_file_name
from tests.hostile import CASES
from tests.networks import build_network
from tests.pages.components import find_choice, get_component_data, get_status_text, submit_sentence
from tests.pages.fakes import ATTENDED, OTHER_SENTENCE, PLAIN
from tests.traces import ENGLISH, FRENCH, LOST, ORDER, make_trace

OpenApp = Callable[..., AppTest]
DECODE = service.translate_sentence


def get_heatmap_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "heatmap")


def get_translation(app: AppTest) -> str:
    return "".join(gap + word for gap, word in get_heatmap_data(app)["n_best"][0]["words"])


def get_other_translation(app: AppTest) -> str:
    return "".join(gap + word for gap, word in get_heatmap_data(app)["other_translation"]["words"])


@pytest.mark.verdict
def test_page_opens_on_a_shipped_translation_without_a_model(open_app: OpenApp, loaded_models: list[str]) -> None:
    app = open_app()
    assert get_translation(app) == FRENCH
    assert get_other_translation(app) == LOST
    assert app.text_area(key="sentence").value == ENGLISH
    assert get_status_text(app) == ""
    assert dict(app.query_params) == {}


@pytest.mark.verdict
def test_typed_sentence_is_translated_by_both_models(open_app: OpenApp) -> None:
    app = submit_sentence(open_app(), "the small dog runs")
    assert get_translation(app) == "eht llams god snur"
    assert get_other_translation(app) == "eht god"
    assert get_heatmap_data(app)["source"]["labels"] == ["the", "small", "dog", "runs", "end"]
    assert app.query_params["sentence"] == "the small dog runs"


def test_link_to_a_new_sentence_shows_a_placeholder_first(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    render_heatmap = heatmap.render_heatmap

    def record(best: service.Traces, *arguments: Any, **options: Any) -> None:
        rendered.append(best[0].source.text)
        render_heatmap(best, *arguments, **options)

    monkeypatch.setattr(heatmap, "render_heatmap", record)
    app = open_app(sentence="one two")
    assert get_translation(app) == "eno owt"
    assert rendered == [ENGLISH, "one two"]
    rendered.clear()
    open_app(sentence=OTHER_SENTENCE)
    assert rendered == [OTHER_SENTENCE]


def test_more_opens_the_options_and_stays_as_the_reader_leaves_it(open_app: OpenApp) -> None:
    app = open_app()
    assert "unit" not in [choice.key for choice in app.segmented_control]
    app.button(key="more-button").click().run()
    app.segmented_control(key="unit").set_value("pieces").run()
    app.switch_page("pages/story.py").run()
    app.switch_page("pages/translate.py").run()
    assert app.segmented_control(key="unit").value == "pieces"
    assert (app.query_params["more"], app.query_params["unit"]) == ("1", "pieces")
    app.button(key="more-button").click().run()
    assert "more" not in app.query_params
    assert "unit" not in [choice.key for choice in app.segmented_control]
    assert get_heatmap_data(app)["unit"] == "pieces"
    assert find_choice(open_app(unit="pieces"), "unit").value == "pieces"


def test_options_change_the_heatmap_only(open_app: OpenApp) -> None:
    app = open_app(more="1")
    assert get_heatmap_data(app)["n_best"][0]["most_attended"] is None
    app.segmented_control(key="unit").set_value("pieces").run()
    assert get_heatmap_data(app)["n_best"][0]["labels"][-5:] == ["ille", "mai", "son", ".", "end"]
    app.segmented_control(key="scale").set_value("grey").run()
    app.segmented_control(key="gloss").set_value("on").run()
    assert get_heatmap_data(app)["n_best"][0]["most_attended"] == list(ORDER)
    assert get_heatmap_data(app)["scale"] == "grey"
    assert get_translation(app) == FRENCH
    link = {"unit": "pieces", "scale": "grey", "gloss": "on", "more": "1"}
    assert dict(app.query_params) == {**link, "weights": "0123456789ab"}


def test_the_same_model_is_shown_once(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    note = load_messages("en")("result.same")
    data = get_heatmap_data(open_app(**{"other-model": ATTENDED}))
    assert data["other_translation"] is None
    assert note in data["n_best"][0]["notes"]
    attending_cards = [card for card in cards.list_displayed_cards() if card.name == ATTENDED]
    monkeypatch.setattr(cards, "list_cards", lambda: attending_cards)
    monkeypatch.setattr(cards, "list_displayed_cards", lambda: attending_cards)
    app = open_app(more="1")
    assert get_heatmap_data(app)["other_translation"] is None
    assert note not in get_heatmap_data(app)["n_best"][0]["notes"]
    assert "other-model" not in [choice.key for choice in app.selectbox]


def test_an_emptied_box_is_not_in_the_link(open_app: OpenApp) -> None:
    assert "sentence" not in submit_sentence(open_app(), "").query_params
    assert open_app(sentence=" ").text_area(key="sentence").value == ENGLISH


def test_page_opens_without_shipped_translations(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_traces, "load_examples", lambda: ())
    app = open_app()
    assert not app.exception
    assert load_messages("en")("problem.empty", language="English") in get_status_text(app)
    assert get_translation(submit_sentence(app, "one two")) == "eno owt"


def test_downloads_have_heatmap_weights_and_trace(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, Any] = {}

    def record(label: str, data: Callable[[], str | bytes], *, file_name: str, **_: Any) -> None:
        files[file_name] = data()

    monkeypatch.setattr(st, "download_button", record)
    assert not open_app(unit="pieces").exception
    name = build_file_name(make_trace(), "pieces")
    assert list(files) == [*(f"{name}.{kind}" for kind in ("svg", "pdf", "png", "csv")),
                           f"{build_file_name(make_trace(), 'translation')}.json"]  # fmt: skip
    assert ElementTree.fromstring(files[f"{name}.svg"]).tag.endswith("svg")
    assert files[f"{name}.pdf"].startswith(b"%PDF")
    assert files[f"{name}.png"].startswith(b"\x89PNG")
    assert files[f"{name}.csv"].splitlines()[0] == "\ufeff," + ",".join(make_trace().source.pieces)
    assert Trace.from_json(files[f"{build_file_name(make_trace(), 'translation')}.json"]) == make_trace()


def test_model_without_attention_offers_only_the_trace(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[str] = []
    monkeypatch.setattr(st, "download_button", lambda label, data, *, file_name, **_: files.append(file_name))
    app = open_app(model=PLAIN, **{"other-model": ATTENDED})
    assert files == [f"{build_file_name(make_trace(model=PLAIN), 'translation')}.json"]
    assert get_heatmap_data(app)["n_best"][0]["alpha"] is None
    assert (get_translation(app), get_other_translation(app)) == (LOST, FRENCH)
    assert get_heatmap_data(app)["name"] == "RNNencdec-50"


def translate_n_best(
    model: SimpleNamespace, text: str, settings: Settings, should_stop: object, *_: object
) -> service.Traces:
    """Return as many translations as are requested, each one word longer."""
    order = None if model.name == PLAIN else (0, *range(settings.n_best))
    targets = [f"mot {'encore ' * k}" for k in range(settings.n_best)]
    return tuple(make_trace(text, target, order and order[: k + 1], model=model.name, beam=5)
                 for k, target in enumerate(targets))  # fmt: skip


def test_link_opens_one_of_the_n_best_of_a_beam(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "translate_sentence", translate_n_best)
    files: dict[str, Callable[[], str]] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, *, file_name, **_: files.update({file_name: data}))
    app = open_app(search="beam", rank="3")
    data = get_heatmap_data(app)
    assert data["rank"] == 2
    assert [len(reading["words"]) for reading in data["n_best"]] == [1, 2, 3, 4, 5]
    assert all(reading["alpha"] for reading in data["n_best"])
    assert get_other_translation(app) == "mot"
    saved = files[f"{build_file_name(make_trace(), 'translation')}.json"]()
    assert Trace.from_json(saved).target.text == "mot encore encore "
    assert app.query_params["rank"] == "3"
    assert get_heatmap_data(submit_sentence(app, "one two"))["rank"] == 0
    assert "rank" not in app.query_params


def test_hostile_text_is_translated_or_refused(
    open_app: OpenApp, tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text goes through real normalisation, vocabulary and search, with untrained networks."""

    def untrained(name: str) -> SimpleNamespace:
        kind: str = "rnnsearch" if name == ATTENDED else "rnnencdec"
        network = build_network(RNNsearchConfig(kind, len(tiny_vocabulary), 6, 6, 6, 4)).eval()
        return SimpleNamespace(name=name, fingerprint=name[::-1], vocabulary=tiny_vocabulary, network=network,
                               languages=("en", "fr"))

    monkeypatch.setattr(service, "load_model", untrained)
    monkeypatch.setattr(service, "translate_sentence", DECODE)
    monkeypatch.setitem(SEARCHES, "greedy", Settings(max_ratio=0.2))
    app = open_app()
    translated = 0
    for name, text in CASES.items():
        previous_translation = get_translation(app)
        typed_text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # what a browser sends
        data = get_heatmap_data(submit_sentence(app, typed_text))
        assert app.text_area(key="sentence").value == typed_text, name
        if get_status_text(app):
            assert get_translation(app) == previous_translation, name
            assert get_status_text(app).count("<") == 4, name  # the problem, and the sentence still shown
        else:
            assert len(data["n_best"][0]["alpha"]) == len(data["n_best"][0]["labels"]), name
            words = "".join(gap + word for gap, word in data["source"]["words"])
            copied = normalise(text).removeprefix(words)  # symbols after the last word have no column
            assert words + copied == normalise(text), name
            assert not any(map(str.isalnum, copied)), name
            translated += 1
    assert translated > 0.7 * len(CASES)


def test_story_is_offered_to_new_readers_only(open_app: OpenApp) -> None:
    line = load_messages("en")("newcomer.line")

    def offered(app: AppTest) -> bool:
        assert not app.exception
        return line in [node.proto.label for node in app.get("page_link")]

    app = open_app().run()  # AppTest needs a second run to draw the box
    assert offered(app)
    assert not offered(app.button(key="newcomer-close").click().run())
    assert not offered(app.run())
    assert not offered(open_app(sentence="the sea is calm .").run())
    new_app = open_app().run()
    assert offered(new_app)
    new_app.switch_page("pages/story.py").run()
    assert not offered(new_app.switch_page("pages/translate.py").run().run())


def test_new_sentence_is_requested_before_the_controls_are_drawn(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The requests of the previous run are repeated; if the controls have changed, the new ones count."""
    calls: list[str] = []

    def count_calls(place: Any, name: str, label: str) -> None:
        original = getattr(place, name)

        def record(*arguments: Any, **options: Any) -> Any:
            calls.append(label)
            return original(*arguments, **options)

        monkeypatch.setattr(place, name, record)

    count_calls(service.Service, "request", "question")
    count_calls(controls, "draw_sentence_box", "controls")
    app = open_app(more="1")
    assert calls[0] == "controls"
    calls.clear()
    assert get_translation(submit_sentence(app, "the small dog runs")) == "eht llams god snur"
    assert calls == ["question", "question", "controls"]
    app.segmented_control(key="search").set_value("beam").run()
    assert len(app.session_state["translate-previous-requests"]) == 2
    assert app.session_state["translate-previous-requests"][0].settings.beam == 5
    assert get_translation(submit_sentence(app, "the cat")) == "eht tac"
