"""What Translate says and holds, in both languages, when all is well and when it is not."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.checkpoints.checkpoint import CheckpointError
from model.decoding import Settings
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import Normalised, normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.backend import service, shipped_traces
from pages.ui.heatmap import heatmap
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state.params import SEARCHES
from pages.ui.widgets import controls, fetch, present, status
from pages.ui.widgets.downloads import build_file_name
from tests.hostile import CASES
from tests.pages.components import control, data_of
from tests.pages.fakes import ATTENDED, OTHER, PLAIN, translate_backwards
from tests.pages.traces import ENGLISH, FRENCH, LOST, ORDER, trace

Open = Callable[..., AppTest]
DECODE = service.translate_sentence


def picture(app: AppTest) -> dict[str, Any]:
    """What was sent to the component."""
    assert not app.exception
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("heatmap")]
    return data_of(component)


def french(app: AppTest) -> str:
    return "".join(gap + word for gap, word in picture(app)["best"][0]["words"])


def beside(app: AppTest) -> str:
    return "".join(gap + word for gap, word in picture(app)["beside"]["words"])


def said(app: AppTest) -> str:
    """The words of the status line."""
    return " ".join(node.proto.body for node in app.get("html") if node.proto.body.startswith("<p role="))


def ask(app: AppTest, text: str) -> AppTest:
    app.text_area(key="sentence").set_value(text)
    return app.button(key="submit").click().run()


@pytest.mark.verdict
def test_it_opens_on_the_shipped_translation_without_a_model(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "PREFETCH_DELAY", 3600.0)
    monkeypatch.setattr(service, "load_model", lambda name: pytest.fail("a model was loaded"))
    app = open_app()
    assert french(app) == FRENCH
    assert beside(app) == LOST
    assert app.text_area(key="sentence").value == ENGLISH
    assert said(app) == ""
    assert dict(app.query_params) == {}


@pytest.mark.verdict
def test_a_typed_sentence_is_translated_by_both_models(open_app: Open) -> None:
    app = ask(open_app(), "the small dog runs")
    assert french(app) == "eht llams god snur"
    assert beside(app) == "eht god"
    assert picture(app)["source"]["labels"] == ["the", "small", "dog", "runs", "end"]
    assert app.query_params["sentence"] == "the small dog runs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages(open_app: Open, language: str) -> None:
    app, t = open_app(locale=f"{language}-XX"), load_messages(language)
    assert app.text_area(key="sentence").label == t("box.label", language=t("tongue.en"))
    assert app.button(key="submit").label == t("box.submit")
    labels = [row.label for row in app.segmented_control if row.key not in ("model", "beside")]
    options = [t(f"option.{name}") for name in ("search", "live", "unit", "scale", "gloss")]
    assert labels == [t("language.label"), *options]
    assert [control(app, key).label for key in ("model", "beside")] == [t("option.model"), t("option.beside")]
    assert picture(app)["words"]["idle"] == t("heatmap.idle")
    assert picture(app)["beside"]["notes"][0] == t.format_for_component("result.without")


def test_the_switch_changes_the_language_and_the_link_carries_it(open_app: Open) -> None:
    app = open_app()
    app.segmented_control(key="lang").set_value("ko").run()
    assert app.text_area(key="sentence").label == load_messages("ko")("box.label", language="영어")
    assert app.query_params["lang"] == "ko"
    app.segmented_control(key="lang").set_value("en").run()
    assert app.text_area(key="sentence").label == load_messages("en")("box.label", language="English")
    assert "lang" not in app.query_params


def test_the_language_changes_nothing_else(open_app: Open) -> None:
    app = ask(open_app(), "one two")
    app.segmented_control(key="unit").set_value("pieces").run()
    app.segmented_control(key="lang").set_value("ko").run()
    assert (picture(app)["unit"], picture(app)["language"]) == ("pieces", "ko")
    assert app.segmented_control(key="unit").value == "pieces"
    app.segmented_control(key="scale").set_value("root").run()
    assert (picture(app)["unit"], picture(app)["scale"]) == ("pieces", "root")
    assert french(app) == "eno owt"


def test_a_link_opens_what_it_says(open_app: Open) -> None:
    app = open_app(lang="ko", sentence="one two", unit="pieces", scale="root", search="beam")
    assert french(app) == "eno owt"
    assert (picture(app)["unit"], picture(app)["scale"], picture(app)["language"]) == ("pieces", "root", "ko")
    assert app.text_area(key="sentence").value == "one two"


def test_a_link_to_a_new_sentence_shows_the_opening_while_it_waits(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    show = heatmap.render_heatmap

    def record(best: service.Traces, *rest: Any, **named: Any) -> None:
        drawn.append(best[0].source.text)
        show(best, *rest, **named)

    monkeypatch.setattr(heatmap, "render_heatmap", record)
    app = open_app(sentence="one two")
    assert french(app) == "eno owt"
    assert drawn == [ENGLISH, "one two"]
    drawn.clear()
    open_app(sentence=OTHER)
    assert drawn == [OTHER]


def test_a_link_with_nonsense_opens_the_defaults(open_app: Open) -> None:
    app = open_app(lang="<script>", unit="cats", scale="", search="beam 7", more="x")
    assert french(app) == FRENCH
    assert (picture(app)["unit"], picture(app)["scale"], picture(app)["language"]) == ("words", "violet", "en")


def test_options_change_the_picture_and_keep_the_translation(open_app: Open) -> None:
    app = open_app()
    app.segmented_control(key="unit").set_value("pieces").run()
    assert picture(app)["best"][0]["labels"][-5:] == ["ille", "mai", "son", ".", "end"]
    app.segmented_control(key="scale").set_value("grey").run()
    assert picture(app)["scale"] == "grey"
    assert french(app) == FRENCH
    assert app.query_params["unit"] == "pieces"


def test_an_example_goes_into_the_box_and_is_shown_without_a_model(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "translate_sentence", lambda *_: pytest.fail("a shipped sentence was decoded"))
    app = open_app().button(key="example-1").click().run()
    assert app.text_area(key="sentence").value == OTHER
    assert french(app) == "j’ ai vu la mer ."


def test_a_wider_search_asks_the_model(open_app: Open) -> None:
    app = open_app()
    app.segmented_control(key="search").set_value("beam").run()
    assert french(app) == " ".join(word[::-1] for word in ENGLISH.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_box_keeps_the_picture_and_says_what_to_do(open_app: Open, language: str) -> None:
    app = ask(ask(open_app(locale=language), "one two"), "  ")
    assert load_messages(language)("problem.empty", language=load_messages(language).name_language("en")) in said(app)
    assert french(app) == "eno owt"


def test_too_long_a_text_is_refused_whole_and_kept_in_the_box(open_app: Open) -> None:
    app = ask(open_app(), "cat " * 600)
    assert "2,400 characters" in said(app)
    assert "at most 2,000" in said(app)
    assert french(app) == FRENCH
    assert app.text_area(key="sentence").value == "cat " * 600
    assert "sentence" not in app.query_params


def test_too_many_pieces(open_app: Open) -> None:
    app = ask(open_app(), "a " * 900)
    assert "900 pieces" in said(app)
    assert "at most 500" in said(app)


def test_without_the_second_model_the_first_is_shown(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    good = service.load_model

    def load_one(name: str) -> object:
        if name == PLAIN:
            raise CheckpointError("there is no model 'rnnencdec-50'")
        return good(name)

    monkeypatch.setattr(service, "load_model", load_one)
    app = ask(open_app(), "one two")
    assert french(app) == "eno owt"
    assert picture(app)["beside"] is None
    assert "rnnencdec-50" in said(app)


def test_a_wait_of_more_than_a_second_is_spoken_of(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, notices = threading.Event(), []

    def slow(*arguments: Any) -> object:
        gate.wait(10)
        return translate_backwards(*arguments)

    class Status:
        def show_waiting(self, text: str) -> None:
            notices.append(text)
            gate.set()

        def clear_waiting(self) -> None:
            notices.append("")

    monkeypatch.setattr(service, "translate_sentence", slow)
    models = service.Service()
    asked = [fetch.Request(ATTENDED, SEARCHES["greedy"])]
    began = time.monotonic()
    monkeypatch.setattr(service, "get_service", lambda: models)
    present.translate(normalise("one two"), asked, load_messages("en"), cast(status.Status, Status()))
    assert time.monotonic() - began >= present.WAIT_NOTICE_AFTER
    spoken = list(filter(None, notices))
    assert load_messages("en")("status.loading") in spoken[0] or load_messages("en")("status.working") in spoken[0]
    assert notices[-1] == ""


def test_a_typed_sentence_is_normalised_once(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the box through the shipped Traces, both models' requests, the kept translations and the picture."""
    app = open_app()
    given: list[str] = []

    def counted(text: str) -> Normalised:
        given.append(text)
        return normalise(text)

    for name, module in list(sys.modules.items()):
        if name.startswith(("model.", "pages.")) and getattr(module, "normalise", None) is normalise:
            monkeypatch.setattr(module, "normalise", counted)
    assert french(ask(app, "  the   grey\u00a0cat ")) == "eht yerg tac"
    assert given == ["  the   grey\u00a0cat "]
    app.run()
    assert len(given) == 2, "and once in every run after"


def test_without_anything_shipped_the_page_still_opens(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_traces, "load_examples", lambda: ())
    app = open_app()
    assert not app.exception
    assert load_messages("en")("problem.empty", language="English") in said(app)
    assert french(ask(app, "one two")) == "eno owt"


def test_downloads_are_the_picture_its_numbers_and_its_record(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, Any] = {}

    def record(label: str, data: Callable[[], str | bytes], *, file_name: str, **_: Any) -> None:
        files[file_name] = data()

    monkeypatch.setattr(st, "download_button", record)
    assert not open_app(unit="pieces").exception
    name = build_file_name(trace(), "pieces")
    assert list(files) == [*(f"{name}.{kind}" for kind in ("svg", "pdf", "png", "csv")),
                           f"{build_file_name(trace(), 'translation')}.json"]  # fmt: skip
    assert ElementTree.fromstring(files[f"{name}.svg"]).tag.endswith("svg")
    assert files[f"{name}.pdf"].startswith(b"%PDF")
    assert files[f"{name}.png"].startswith(b"\x89PNG")
    assert files[f"{name}.csv"].splitlines()[0] == "\ufeff," + ",".join(trace().source.pieces)
    assert Trace.from_json(files[f"{build_file_name(trace(), 'translation')}.json"]) == trace()


def test_without_attention_there_is_the_record_only(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[str] = []
    monkeypatch.setattr(st, "download_button", lambda label, data, *, file_name, **_: files.append(file_name))
    app = open_app(model=PLAIN, beside=ATTENDED)
    assert files == [f"{build_file_name(trace(model=PLAIN), 'translation')}.json"]
    assert picture(app)["best"][0]["alpha"] is None
    assert (french(app), beside(app)) == (LOST, FRENCH)
    assert picture(app)["name"] == "RNNencdec-50"


def test_the_models_are_chosen_among_those_there_are(open_app: Open) -> None:
    app = open_app()
    control(app, "model").set_value(PLAIN).run()
    assert (french(app), beside(app)) == (LOST, LOST)
    control(app, "beside").set_value(ATTENDED).run()
    assert (french(app), beside(app)) == (LOST, FRENCH)
    assert (app.query_params["model"], app.query_params["beside"]) == (PLAIN, ATTENDED)


def test_the_gloss_is_shown_when_it_is_wanted_and_linked(open_app: Open) -> None:
    app = open_app()
    assert picture(app)["best"][0]["gloss"] is None
    app.segmented_control(key="gloss").set_value("on").run()
    assert picture(app)["best"][0]["gloss"] == list(ORDER)
    assert app.query_params["gloss"] == "on"
    assert picture(open_app(gloss="on"))["gloss"] is True


def several(model: SimpleNamespace, text: str, settings: Settings, stopped: object, *_: object) -> service.Traces:
    """As many translations as are asked for, each one word longer."""
    order = None if model.name == PLAIN else (0, *range(settings.n_best))
    targets = [f"mot {'encore ' * k}" for k in range(settings.n_best)]
    return tuple(trace(text, target, order and order[: k + 1], model=model.name, beam=5)
                 for k, target in enumerate(targets))  # fmt: skip


def test_a_beam_gives_the_n_best_of_the_first_model(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "translate_sentence", several)
    app = open_app()
    app.segmented_control(key="search").set_value("beam").run()
    data = picture(app)
    assert [len(reading["words"]) for reading in data["best"]] == [1, 2, 3, 4, 5]
    assert all(reading["alpha"] for reading in data["best"])
    assert beside(app) == "mot"
    assert "best" not in app.query_params


def test_a_link_opens_the_one_of_the_n_best_it_names(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "translate_sentence", several)
    files: dict[str, Callable[[], str]] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, *, file_name, **_: files.update({file_name: data}))
    app = open_app(search="beam", best="3")
    assert picture(app)["chosen"] == 2
    assert (
        Trace.from_json(files[f"{build_file_name(trace(), 'translation')}.json"]()).target.text == "mot encore encore "
    )
    assert app.query_params["best"] == "3"
    assert picture(ask(app, "one two"))["chosen"] == 0
    assert "best" not in app.query_params


def test_hostile_text_is_translated_or_refused_in_a_sentence(
    open_app: Open, tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the real text room and search, with networks that have learnt nothing."""

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
        before = french(app)
        typed = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # what a browser sends
        data = picture(ask(app, typed))
        assert app.text_area(key="sentence").value == typed, name
        if said(app):
            assert french(app) == before, name
            assert said(app).count("<") == 4, name  # the problem, and that the picture is of before
        else:
            assert len(data["best"][0]["alpha"]) == len(data["best"][0]["labels"]), name
            drawn = "".join(gap + word for gap, word in data["source"]["words"])
            copied = normalise(text).removeprefix(drawn)  # symbols after the last word are in no column
            assert drawn + copied == normalise(text), name
            assert not any(map(str.isalnum, copied)), name
            translated += 1
    assert translated > 0.7 * len(CASES)


@pytest.mark.verdict
@pytest.mark.parametrize("text", [CASES["HTML"], CASES["Markdown"], CASES["LaTeX"]])
def test_hostile_link(open_app: Open, text: str) -> None:
    app = open_app(sentence=text, **dict.fromkeys(("lang", "unit", "gloss", "best", "model", "beside"), text))
    assert not app.exception
    assert app.text_area(key="sentence").value == text


@pytest.mark.verdict
def test_the_page_is_drawn_without_torch() -> None:
    script = """
import sys
from streamlit.testing.v1 import AppTest
from pages.ui.backend import service
from tests.pages.components import data_of
service.WARM_AFTER = 3600.0
app = AppTest.from_file("app.py", default_timeout=30).run()
assert not app.exception and app.get("bidi_component")
sys.exit("torch" in sys.modules)
"""
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_story_is_offered_at_first_sight_and_no_longer(open_app: Open) -> None:
    line = load_messages("en")("newcomer.line")

    def offered(app: AppTest) -> bool:
        assert not app.exception
        return line in [node.proto.label for node in app.get("page_link")]

    app = open_app().run()  # AppTest brings the box one run late
    assert offered(app)
    assert not offered(app.button(key="newcomer-close").click().run())
    assert not offered(app.run())
    assert not offered(open_app(sentence="the sea is calm .").run())
    again = open_app().run()
    assert offered(again)
    again.switch_page("pages/story.py").run()
    assert not offered(again.switch_page("pages/translate.py").run().run())


def test_a_new_sentence_is_asked_for_before_the_controls_are_drawn(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the requests of the run before; where those have changed, what is shown is what was asked for now."""
    done: list[str] = []

    def note(place: Any, name: str, what: str) -> None:
        kept = getattr(place, name)

        def noted(*given: Any, **more: Any) -> Any:
            done.append(what)
            return kept(*given, **more)

        monkeypatch.setattr(place, name, noted)

    note(service.Service, "request", "question")
    note(controls, "draw_sentence_box", "controls")
    app = open_app()
    assert done[0] == "controls"
    done.clear()
    assert french(ask(app, "the small dog runs")) == "eht llams god snur"
    assert done == ["question", "question", "controls"]
    app.segmented_control(key="search").set_value("beam").run()
    assert len(app.session_state["translate-asked"]) == 2
    assert app.session_state["translate-asked"][0].settings.beam == 5
    assert french(ask(app, "the cat")) == "eht tac"


def test_a_sentence_that_readers_of_another_language_begin_with_can_be_typed(open_app: Open) -> None:
    (sentence, *_) = shipped_traces.list_foreign_sentences("en")
    app = open_app()
    ask(app, sentence)
    assert app.text_area(key="sentence").value == sentence
