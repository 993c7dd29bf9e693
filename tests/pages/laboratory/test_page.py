"""What the laboratory says and holds: it opens on a shipped sentence, follows its link, and says what it cannot do."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.decoding import NO_OVERRIDES, OverrideError, Overrides, Settings
from model.decoding.experiment import Experiment, ExperimentError
from pages.ui.backend import service, shipped_traces
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import beam, context, exports
from pages.ui.url_state import experiments
from tests.hostile import CASES
from tests.pages.components import data_of
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.traces import ENGLISH, trace

Open = Callable[..., AppTest]
SAY = load_messages("en")


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Open:
    """The page on what is really shipped; no model may be loaded."""
    st.cache_resource.clear()
    monkeypatch.setattr(service, "PREFETCH_DELAY", 3600.0)
    monkeypatch.setattr(service, "load_model", lambda name: pytest.fail("a model was loaded"))

    def run(**query: str) -> AppTest:
        known = AppTest.from_file("../../../app.py", default_timeout=20).run()
        app = AppTest.from_file("../../../app.py", default_timeout=20)
        app._registered_pages = known._registered_pages  # a browser that follows a link has no other page before it
        for key, value in query.items():
            app.query_params[key] = value
        return app.switch_page("pages/laboratory.py").run()

    return run


def console(app: AppTest) -> dict[str, Any]:
    """What was sent to the component."""
    assert not app.exception
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("console")]
    data: dict[str, Any] = data_of(component)
    return data


def said(app: AppTest) -> str:
    return " ".join(node.proto.body for node in app.get("html"))


@pytest.mark.verdict
def test_it_opens_on_a_shipped_sentence_and_without_a_model(shipped: Open) -> None:
    data = console(shipped())
    made = shipped_traces.load_examples()[0].traces[ATTENDED]
    assert "".join("".join(word) for word in data["before"]["words"]).replace("’", "'").strip() == made.target.text
    assert data["after"] is None
    assert data["map"] == "attention"
    assert len(data["before"]["alpha"]) == len(made.steps)


def test_a_model_without_attention_is_spoken_of_and_another_offered(shipped: Open) -> None:
    app = shipped(model=PLAIN)
    assert "RNNencdec-50" in said(app)
    assert not [node for node in app.get("bidi_component") if node.proto.component_name.endswith("console")]
    app.button(key="use-attending").click().run()
    assert app.query_params.get("model") in (None, [ATTENDED], ATTENDED)
    assert console(app)["name"] == "RNNsearch-50"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", experiments.NAMES)
def test_every_experiment_says_first_what_it_is_for(
    shipped: Open, monkeypatch: pytest.MonkeyPatch, part: str, language: str
) -> None:
    monkeypatch.setattr(
        context.ExperimentContext, "measure", lambda *_, **__: None
    )  # said before anything is worked out
    app = shipped(part=part, lang=language, model=ATTENDED, search="greedy")
    assert not app.exception
    assert load_messages(language).marked(f"lead.{part}") in said(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_attention_no_map_of_it_is_spoken_of(
    shipped: Open, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda *_, **__: None)
    app, t = shipped(part="asking", lang=language, model=PLAIN), load_messages(language)
    assert t.marked("lead.asking_plain") in said(app)
    assert "α" not in t("lead.asking_plain") + t("asking.idle_plain") + t("asking.map_plain", method="")


@pytest.mark.parametrize("part", experiments.NAMES)
def test_the_search_is_chosen_where_it_says_how_the_sentence_is_translated(
    shipped: Open, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda *_, **__: None)
    monkeypatch.setattr(beam, "get_translations", lambda *_: None)
    app = shipped(part=part, model=ATTENDED)
    assert (part == "beam") == ("search" not in {node.key for node in app.get("button_group")})


def test_what_is_seen_of_another_experiment_is_known_until_this_one_is_drawn(
    shipped: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda *_, **__: None)
    app = shipped(model=ATTENDED)
    assert "<p data-fresh" not in said(app)
    app.session_state["part"] = "words"
    assert "<p data-fresh" in said(app.run())
    assert "<p data-fresh" not in said(app.run())


def test_what_is_asked_for_is_carried_by_the_link(open_app: Open) -> None:
    app = open_app()
    app.switch_page("pages/laboratory.py").run()
    app.session_state["edits"] = Overrides.from_text("attention@*:uniform")
    app.run()
    assert not app.exception
    assert app.query_params["edits"] in ("attention@*:uniform", ["attention@*:uniform"])


@pytest.mark.parametrize("edits", [CASES["script"], "attention@1=nan,1", "attention@*:odd", "x" * 5000])
def test_a_hostile_link_gets_one_sentence_and_the_page_stands(shipped: Open, edits: str) -> None:
    app = shipped(edits=edits)
    assert console(app)["after"] is None
    assert "edits" in said(app)
    assert "<script>" not in said(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_experiment_has_its_name(language: str) -> None:
    assert experiments.NAMES[0] == "attention"
    assert len(set(experiments.NAMES)) == len(experiments.NAMES)
    for name in experiments.NAMES:
        assert load_messages(language)(f"part.{name}")


def experiment(**more: object) -> Experiment:
    made = shipped_traces.load_examples()[0].traces[ATTENDED].made_by
    asked = {"sentence": "The cat sleeps.", "model": ATTENDED, "fingerprint": made.fingerprint, "beam": 5}
    return Experiment(**(asked | {"edits": "attention@*:max"} | more))  # type: ignore[arg-type]


def test_an_experiment_from_a_file_is_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    exports.open_saved_experiment(experiment())
    assert session == {"sentence": "The cat sleeps.", "model": ATTENDED, "search": "beam", "part": "attention",
                       "edits": Overrides.from_text("attention@*:max")}  # fmt: skip


@pytest.mark.parametrize(("more", "opens"), [
    ({"edits": "p5.9"}, {"part": "words", "search": "beam"}),
    ({"edits": "p5.9 attention@*:max", "beam": 1}, {"part": "attention", "search": "greedy"}),
    ({"edits": "p5.9", "beam": 7}, {"part": "beam", "width": "7"}),
])  # fmt: skip
def test_an_experiment_opens_where_it_can_be_seen(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, object], opens: dict[str, str]
) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    exports.open_saved_experiment(experiment(**more))
    edits = Overrides.from_text(str(more["edits"]))
    assert session == {"sentence": "The cat sleeps.", "model": ATTENDED, "edits": edits} | opens


@pytest.mark.parametrize(("more", "says"), [({"model": "nobody"}, "no model of the name"), ({"beam": 13}, "beam of 13"),
                                            ({"fingerprint": "0" * 12}, "cannot be replayed exactly")])
def test_an_experiment_that_cannot_be_done_here_is_refused(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, object], says: str
) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    with pytest.raises(ExperimentError, match=says):
        exports.open_saved_experiment(experiment(**more))
    assert session == {}


@pytest.mark.parametrize("fits", [True, False])
def test_what_one_experiment_showed_is_not_taken_for_another_s(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, fits: bool
) -> None:
    """Words sets the model's own first and what was changed after it, the console the other way round."""

    def forced(model: SimpleNamespace, text: str, settings: Settings, stopped: object, edits: Overrides = NO_OVERRIDES,
               *_: object) -> service.Traces:  # fmt: skip
        if edits and not fits:
            raise OverrideError("The row changed at step 1 has 2 weights, but the sentence has 9 pieces.")
        changed: dict[str, Any] = {"target": "Le chien dort .", "order": (0, 1, 2, 3)} if edits else {}
        made = trace(**changed, model=model.name)
        return (replace(made, made_by=replace(made.made_by, edits=edits.to_text())),)

    monkeypatch.setattr(service, "translate_sentence", forced)
    monkeypatch.setattr(shipped_traces, "load_examples", tuple)
    app = open_app(sentence=ENGLISH)
    app.query_params["part"], app.query_params["edits"] = "words", "attention@1=0.5,0.5"
    app.switch_page("pages/laboratory.py").run().run()
    assert not app.exception
    app.text_area(key="sentence").set_value("")
    app.button(key="submit").click().run()
    app.segmented_control(key="part").set_value("attention").run()
    assert not app.exception
    assert SAY("problem.empty", language=SAY.tongue("en")) in said(app)
    assert not [node for node in app.get("bidi_component") if node.proto.component_name.endswith("console")]


def test_forced_pieces_that_do_not_fit_are_given_up_at_once(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else they would stand in the link, and go later for the fault of another sentence."""

    def unfit(model: SimpleNamespace, text: str, settings: Settings, stopped: object, edits: Overrides = NO_OVERRIDES,
              *_: object) -> service.Traces:  # fmt: skip
        if edits:
            raise OverrideError("The vocabulary has 8,000 pieces: there is no piece 99999.")
        return (trace(model=model.name),)

    monkeypatch.setattr(service, "translate_sentence", unfit)
    app = open_app(sentence=ENGLISH)
    app.query_params["part"], app.query_params["edits"] = "words", "p99999"
    app.switch_page("pages/laboratory.py").run()
    assert "there is no piece 99999" in said(app)
    (rows,) = [data_of(node) for node in app.get("bidi_component") if node.proto.component_name.endswith("words")]
    assert (len(rows["rows"]), rows["forced"]) == (1, False)
    assert "edits" not in app.query_params
    app.session_state["edits"] = Overrides(prefix=(5,))
    app.text_area(key="sentence").set_value("")
    app.button(key="submit").click().run()
    app.text_area(key="sentence").set_value("x" * 2001)
    app.button(key="submit").click().run()
    assert app.query_params["edits"] in ("p5", ["p5"])


@pytest.mark.parametrize("part", ["words", "sampling", "asking"])
def test_what_stays_of_another_model_is_measured_with_that_model(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """The box is emptied and another model chosen: the translation of before stays, and is nobody else's."""
    asked: list[str] = []
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda this, *_: asked.append(this.model))
    app = open_app()
    app.switch_page("pages/laboratory.py").run()
    app.session_state["part"] = part
    app.run()
    if part == "words":
        app.text_input(key="own").set_value("Le chat.").run()
    assert not app.exception
    asked.clear()
    app.text_area(key="sentence").set_value("")
    app.button(key="submit").click().run()
    app.selectbox(key="model").set_value("rnnsearch-30").run()
    assert not app.exception
    assert set(asked) == {ATTENDED}


def test_a_translation_of_one_s_own_belongs_to_its_sentence(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another sentence empties the line, unless a link brought both; a sentence that is refused leaves it."""
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda *_: None)
    app = open_app(part="words", own="Le chat.", sentence="The cat.")
    app.switch_page("pages/laboratory.py").run()
    assert app.text_input(key="own").value == "Le chat."
    app.text_area(key="sentence").set_value("")
    app.button(key="submit").click().run()
    assert app.text_input(key="own").value == "Le chat."
    app.text_area(key="sentence").set_value("The dog.")
    app.button(key="submit").click().run()
    assert app.text_input(key="own").value == ""
    assert "own" not in app.query_params
    app.session_state["sentence"], app.session_state["own"] = "The cat.", "Le chat."  # the browser's history
    app.run()
    assert app.text_input(key="own").value == "Le chat."


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_file_is_refused_in_one_sentence_said_once(
    fakes: None, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    data = CASES[case].encode("utf-8", "replace")
    session: dict[str, Any] = {exports.UPLOAD_KEY: SimpleNamespace(getvalue=lambda: data)}
    monkeypatch.setattr(st, "session_state", session)
    exports._on_upload()
    assert set(session) == {exports.UPLOAD_KEY, exports.PROBLEM_KEY}  # nothing of it is taken up
    told = exports.pop_problem(SAY)
    assert told
    assert "\n" not in told
    assert exports.pop_problem(SAY) == ""


def test_a_file_of_other_weights_is_refused(fakes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Experiment("The cat sleeps.", ATTENDED, "0123456789ab", 1, "attention@*:uniform").to_json().encode()
    session: dict[str, Any] = {exports.UPLOAD_KEY: SimpleNamespace(getvalue=lambda: made)}
    monkeypatch.setattr(st, "session_state", session)
    exports._on_upload()
    assert "0123456789ab" in exports.pop_problem(SAY)
    assert "sentence" not in session
