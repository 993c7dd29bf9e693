"""The page *Laboratory*: its opening, its link, refused requests, and experiments from files."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.decoding import NO_OVERRIDES, OverrideError, Overrides, Settings
from model.decoding.experiment import ExperimentError, SavedExperiment
from model.text.normalise import NormalisedText
from model.text.tables import read_table
from pages.ui.backend import cards, jobs, service, shipped_traces
from pages.ui.backend.jobs import Job
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import ablation, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.results.ablation_survey import AblationSurvey
from pages.ui.url_state import experiments
from tests.hostile import CASES
from tests.pages.components import get_component_data, get_html, open_page, submit_sentence
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.laboratory.test_ablation import build_ablation
from tests.traces import ENGLISH, make_trace

OpenApp = Callable[..., AppTest]
T = load_messages("en")


@pytest.fixture
def open_shipped(loaded_models: list[str]) -> OpenApp:
    """Open the page with the shipped translations; a request for a model fails the test."""
    st.cache_resource.clear()
    return partial(open_page, "laboratory")


@pytest.fixture
def measured_models(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace measurements by None; return the list of the models that they are requested of."""
    names: list[str] = []
    monkeypatch.setattr(ExperimentContext, "measure", lambda context, *_: names.append(context.model_name))
    return names


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def has_component(app: AppTest, name: str) -> bool:
    return any(node.proto.component_name.endswith(name) for node in app.get("bidi_component"))


@pytest.mark.verdict
def test_page_opens_on_a_shipped_translation_without_a_model(open_shipped: OpenApp) -> None:
    data = get_component_data(open_shipped(), "console")
    translation = shipped_traces.load_examples()[0].traces[ATTENDED]
    text = "".join("".join(word) for word in data["original"]["words"]).replace("’", "'").strip()
    assert text == translation.target.text
    assert data["overridden"] is None
    assert data["map_key"] == "attention"
    assert len(data["original"]["alpha"]) == len(translation.steps)


def test_model_without_attention_is_replaced_by_one_click(open_shipped: OpenApp) -> None:
    app = open_shipped(model=PLAIN)
    assert "RNNencdec-50" in get_html(app)
    assert not has_component(app, "console")
    app.button(key="use-attending").click().run()
    assert app.query_params.get("model") in (None, [ATTENDED], ATTENDED)
    assert get_component_data(app, "console")["name"] == "RNNsearch-50"


@pytest.mark.parametrize(("number", "name"), list(enumerate(experiments.NAMES)))
def test_every_experiment_has_a_name_and_an_introduction(
    open_shipped: OpenApp, monkeypatch: pytest.MonkeyPatch, measured_models: list[str], number: int, name: str
) -> None:
    if name == "beam":  # needs a search that is not shipped
        monkeypatch.setattr(ExperimentContext, "translate", lambda *_: None)
    language = LANGUAGES[number % len(LANGUAGES)]
    app, t = open_shipped(experiment=name, lang=language, model=ATTENDED), load_messages(language)
    assert not app.exception
    assert t(f"experiment.{name}")
    assert t.format_html(f"lead.{name}") in get_html(app)
    assert (name == "beam") == ("search" not in {node.key for node in app.get("button_group")})


def decode_with(error: OverrideError | None) -> Callable[..., service.Traces]:
    """Return a decoder whose translation changes with overrides, or that refuses these with an error."""

    def decode(model: SimpleNamespace, text: str, settings: Settings, should_stop: object,
               overrides: Overrides = NO_OVERRIDES, *_: object) -> service.Traces:  # fmt: skip
        if overrides and error:
            raise error
        options: dict[str, Any] = {"target": "Le chien dort .", "order": (0, 1, 2, 3)} if overrides else {}
        translation = make_trace(**options, model=model.name)
        return (replace(translation, provenance=replace(translation.provenance, overrides=overrides.to_text())),)

    return decode


@pytest.mark.parametrize("is_valid", [True, False])
def test_traces_of_one_experiment_are_not_taken_for_those_of_another(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, is_valid: bool
) -> None:
    """Forced decoding puts the original translation first, the console the changed one."""
    error = OverrideError("The row changed at step 1 has 2 weights, but the sentence has 9 pieces.")
    monkeypatch.setattr(service, "translate_sentence", decode_with(None if is_valid else error))
    monkeypatch.setattr(shipped_traces, "load_examples", tuple)
    app = open_app("laboratory", sentence=ENGLISH, experiment="forced_decoding", overrides="attention@1=0.5,0.5")
    submit_sentence(app, "")
    app.segmented_control(key="experiment").set_value("attention").run()
    assert not app.exception
    assert T("problem.empty", language=T.name_language("en")) in get_html(app)
    assert not has_component(app, "console")


def test_forced_prefix_that_does_not_fit_is_dropped_from_the_link(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = OverrideError("The vocabulary has 8,000 pieces: there is no piece 99999.")
    monkeypatch.setattr(service, "translate_sentence", decode_with(error))
    app = open_app("laboratory", sentence=ENGLISH, experiment="forced_decoding", overrides="p99999")
    assert "there is no piece 99999" in get_html(app)
    data = get_component_data(app, "forced_decoding")
    assert (len(data["rows"]), data["has_forced_prefix"]) == (1, False)
    assert "overrides" not in app.query_params
    app.session_state["overrides"] = Overrides(prefix=(5,))
    submit_sentence(submit_sentence(app, ""), "x" * 2001)
    assert app.query_params["overrides"] in ("p5", ["p5"])  # a refused sentence keeps it


@pytest.mark.parametrize("name", ["forced_decoding", "saliency", "ablation", "vector"])
def test_earlier_translation_is_measured_with_its_own_model(
    open_app: OpenApp, measured_models: list[str], name: str
) -> None:
    """After the box is emptied and another model chosen the earlier translation is still shown."""
    app = open_app("laboratory", experiment=name)
    if name == "forced_decoding":
        app.text_input(key="own-translation").set_value("Le chat.").run()
    assert not app.exception
    measured_models.clear()
    submit_sentence(app, "")
    app.selectbox(key="model").set_value("rnnsearch-30").run()
    assert not app.exception
    assert set(measured_models) == {ATTENDED}


@pytest.mark.parametrize(("source_language", "style", "texts"), [
    ("en", "", ["Hello."]), ("en", "formal", ["<formal> Hello."]), ("ko", "", []),
])  # fmt: skip
def test_own_text_is_measured_as_it_was_translated_if_the_model_reads_its_language(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, source_language: str, style: str, texts: list[str]
) -> None:
    monkeypatch.setattr(ExperimentContext, "measure", lambda *_: build_ablation())
    monkeypatch.setattr(cards, "has_style_tags", lambda name: True)
    monkeypatch.setattr(AblationSurvey, "keep_alive", lambda survey: None)
    measured_texts: list[str] = []

    def build_survey(model_name: str, texts: Sequence[NormalisedText], *rest: Any) -> AblationSurvey:
        measured_texts.extend(texts)
        return AblationSurvey(model_name, texts, *rest)

    monkeypatch.setattr(ablation, "AblationSurvey", build_survey)
    model = next(card.name for card in cards.list_displayed_cards() if card.source_language == source_language)
    job = Job("key", read_table("Hello.\n"), [model], Settings(), style=style)
    monkeypatch.setattr(jobs, "get_job_store", lambda: SimpleNamespace(find=lambda key: job))
    app = open_app("laboratory", experiment="ablation")
    app.session_state["text"] = "key"
    app.run()
    for button in [button for button in app.button if button.key == "ablation-own"]:
        button.click().run()
    assert not app.exception
    assert measured_texts == texts


def test_own_translation_is_kept_with_its_sentence(open_app: OpenApp, measured_models: list[str]) -> None:
    """Another sentence clears it, unless a link brings both; a refused sentence leaves it."""
    app = open_app("laboratory", experiment="forced_decoding", sentence="The cat.", **{"own-translation": "Le chat."})
    assert app.text_input(key="own-translation").value == "Le chat."
    assert submit_sentence(app, "").text_input(key="own-translation").value == "Le chat."
    assert submit_sentence(app, "The dog.").text_input(key="own-translation").value == ""
    assert "own-translation" not in app.query_params
    app.session_state["sentence"] = "The cat."  # as the browser's history does
    app.session_state["own-translation"] = "Le chat."
    assert app.run().text_input(key="own-translation").value == "Le chat."


def create_experiment(**values: object) -> SavedExperiment:
    card = cards.find_card(str(values.get("model", ATTENDED)))
    fingerprint = card.fingerprint if card else "0" * 12
    defaults = {"sentence": "The cat sleeps.", "model": ATTENDED, "fingerprint": fingerprint, "beam": 5}
    return SavedExperiment(**(defaults | values))  # type: ignore[arg-type]


@pytest.mark.parametrize(("values", "controls"), [
    ({"overrides": "attention@*:max"}, {"experiment": "attention", "search": "beam"}),
    ({"overrides": "p5.9"}, {"experiment": "forced_decoding", "search": "beam"}),
    ({"overrides": "p5.9 attention@*:max", "beam": 1}, {"experiment": "attention", "search": "greedy"}),
    ({"overrides": "p5.9", "beam": 7}, {"experiment": "beam", "width": "7"}),
    ({"overrides": "p5.9", "unk": "replace"}, {"experiment": "forced_decoding", "search": "beam", "unk": "replace"}),
    ({"overrides": ""}, {"experiment": "attention", "search": "beam"}),
    ({"overrides": "", "model": PLAIN}, {"experiment": "forced_decoding", "search": "beam", "model": PLAIN}),
])  # fmt: skip
def test_saved_experiment_opens_where_it_is_visible(
    session: dict[str, Any], values: dict[str, object], controls: dict[str, str]
) -> None:
    exports.open_saved_experiment(create_experiment(**values))
    overrides = Overrides.from_text(str(values["overrides"]))
    assert session == {"sentence": "The cat sleeps.", "pair": "en-fr", "model": ATTENDED, "overrides": overrides,
                       "unk": "show"} | controls


def test_saved_experiment_of_another_pair_keeps_the_choices_for_this_one(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen_pairs: list[str] = []
    monkeypatch.setattr(exports, "choose_pair", chosen_pairs.append)
    exports.open_saved_experiment(create_experiment())
    exports.open_saved_experiment(create_experiment(model="rnnsearch-ko-en"))
    assert chosen_pairs == ["ko-en"]
    assert (session["pair"], session["model"]) == ("ko-en", "rnnsearch-ko-en")


def test_saved_experiment_into_korean_opens_with_its_style(session: dict[str, Any]) -> None:
    exports.open_saved_experiment(create_experiment(sentence="<polite> The cat sleeps.", overrides="p5.9"))
    assert (session["sentence"], session["style"]) == ("The cat sleeps.", "polite")
    exports.open_saved_experiment(create_experiment(sentence="<casual> The cat sleeps.", overrides="p5.9"))
    assert session["sentence"] == "<casual> The cat sleeps."  # a style that the page does not offer


@pytest.mark.parametrize(("values", "message"), [
    ({"model": "nobody"}, "no model of the name"), ({"beam": 13}, "beam of 13"),
    ({"fingerprint": "0" * 12}, "cannot be replayed exactly"), ({"unk": "avoid"}, "unk avoid"),
    ({"unk": "replace", "beam": 7}, "unk replace"),
])  # fmt: skip
def test_saved_experiment_that_cannot_run_here_is_refused(
    session: dict[str, Any], values: dict[str, object], message: str
) -> None:
    with pytest.raises(ExperimentError, match=message):
        exports.open_saved_experiment(create_experiment(**values))
    assert session == {}


@pytest.mark.parametrize("case", ["empty", "HTML", "null bytes", "JSON with a prototype"])
def test_hostile_file_is_refused_in_one_sentence_once(fakes: None, session: dict[str, Any], case: str) -> None:
    data = CASES[case].encode("utf-8", "replace")
    session[exports.UPLOAD_KEY] = SimpleNamespace(getvalue=lambda: data)
    exports.on_upload()
    assert set(session) == {exports.UPLOAD_KEY, exports.PROBLEM_KEY}  # nothing else is set
    problem = exports.pop_problem(T)
    assert problem
    assert "\n" not in problem
    assert exports.pop_problem(T) == ""
    exports.on_upload()
    korean = load_messages("ko")
    assert exports.pop_problem(korean) == korean("laboratory.refused", reason=korean("laboratory.unfit_file"))
