"""Each experiment has its own changes, and what it was given from elsewhere is said and taken back with one press."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.decoding import Overrides
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import ablation, beam, console, experiment_state, forced_decoding, vector
from pages.ui.url_state import params

RULE, BEGUN = Overrides.from_text("attention@*:uniform"), Overrides.from_text("p5.9")
Session = dict[str, Any]
Change = dict[str, Any]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    """The console is open, a rule holds."""
    kept: Session = {"part": "attention", "edits": RULE, "sentence": "A cat.", "model": "m",
                     "experiment-open": "attention"}  # fmt: skip
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def choose(session: Session, part: str) -> None:
    """What the control does when the reader chooses, and what drawing the page notes."""
    session["part"] = part
    experiment_state._on_experiment_change()
    session["experiment-open"] = part


@pytest.mark.verdict
def test_an_experiment_begins_clean_and_finds_its_own_changes_again(session: Session) -> None:
    choose(session, "words")
    assert session["edits"] == Overrides()
    session["edits"] = BEGUN
    choose(session, "need")
    assert session["edits"] == Overrides()
    choose(session, "attention")
    assert session["edits"] == RULE
    choose(session, "words")
    assert session["edits"] == BEGUN


@pytest.mark.parametrize(("name", "value"), [("sentence", "A dog."), ("model", "n")])
def test_changes_of_another_question_are_not_found_again(session: Session, name: str, value: str) -> None:
    choose(session, "words")
    session[name] = value
    choose(session, "attention")
    assert session["edits"] == Overrides()


def test_the_table_of_rules_leads_to_the_console_and_back(session: Session) -> None:
    choose(session, "need")
    session[ablation.KEY] = {"open": "attention@*:max"}
    ablation._on_open()
    session["experiment-open"] = "attention"
    assert (session["part"], session["edits"]) == ("attention", Overrides.from_text("attention@*:max"))
    assert experiment_state.get_referrer() == "need"
    session[console.KEY] = {"back": True}
    console._on_back()
    assert (session["part"], session["edits"]) == ("need", Overrides())
    choose(session, "attention")
    assert experiment_state.get_referrer() == ""  # chosen by the reader: no way back is offered


def test_what_is_still_seen_of_another_experiment_changes_nothing(session: Session) -> None:
    session |= {
        console.KEY: {"edit": {"none": True}, "back": True}, vector.KEY: {"point": 4}, "part": "sampling",
        forced_decoding.KEY: {"take": {"pieces": [7]}, "type": {"pieces": [], "text": "x"}},
        ablation.KEY: {"open": "attention@*:max"},
        beam.KEY: {"take": {"pieces": [7]}, "node": {"node": 3, "of": "x"}}, "beam-of": "x",
    }  # fmt: skip
    before = dict(session)
    for callback in (
        console._on_edit,
        console._on_back,
        forced_decoding._on_take,
        forced_decoding._on_type,
        beam._on_take,
        beam._on_node,
        ablation._on_open,
        vector._on_point,
    ):
        callback()
        assert session == before


CHANGES: tuple[tuple[str, str, Change, Callable[[], None], str], ...] = (
    (console.KEY, "edit", {"more": "attention@*:max"}, console._on_edit, "edits"),
    (forced_decoding.KEY, "take", {"pieces": [7]}, forced_decoding._on_take, "edits"),
    (forced_decoding.KEY, "type", {"pieces": [7], "text": "chat"}, forced_decoding._on_type, "words-typed"),
    (beam.KEY, "take", {"pieces": [7]}, beam._on_take, "edits"),
)


@pytest.mark.parametrize(("key", "event", "change", "callback", "changed"), CHANGES)
def test_a_change_of_the_sentence_before_is_of_no_use_to_this_one(
    session: Session, key: str, event: str, change: Change, callback: Callable[[], None], changed: str
) -> None:
    """It stays on the page until the next one is answered."""
    session["part"] = {console.KEY: "attention", forced_decoding.KEY: "words", beam.KEY: "beam"}[key]
    model = params.get_chosen_model()
    session[key] = {event: {**change, "of": experiment_state.make_question_id("A dog.", model)}}
    before = session.get(changed)
    callback()
    assert session.get(changed) == before
    session[key] = {event: {**change, "of": experiment_state.make_question_id("A cat.", model)}}
    callback()
    assert session.get(changed) != before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("part", "edits", "key", "rest"), [
    ("words", "p5 attention@*:uniform attention@3:max", "carried", "p5"), ("beam", "attention@2:max", "carried", ""),
    ("sampling", "p5.9 attention@*:uniform", "carried", ""), ("need", "attention@*:uniform", "set_aside", ""),
])  # fmt: skip
def test_what_was_brought_along_is_said_and_taken_back(
    open_app: Callable[..., AppTest], part: str, edits: str, key: str, rest: str, language: str
) -> None:
    t = load_messages(language)
    app = open_app(lang=language, part=part, edits=edits, sentence="")
    app.switch_page("pages/laboratory.py").run()
    told = " ".join(node.proto.body for node in app.get("html"))
    given = Overrides.from_text(edits)
    looks = t("laboratory.carried_looks", count=len(given.rules))
    assert t(f"laboratory.{key}", what="§").split("§")[0] in told
    assert looks in told
    assert (t("laboratory.carried_begun", count=2) in told) == (part == "sampling")
    app.button(key="begin-clean").click().run()
    assert not app.exception
    assert app.session_state[params.OVERRIDES.name].to_text() == rest
    assert not [button for button in app.button if button.key == "begin-clean"]


@pytest.mark.parametrize("edits", ["p5", ""])
def test_what_an_experiment_shows_by_itself_is_not_said_twice(open_app: Callable[..., AppTest], edits: str) -> None:
    app = open_app(part="words", edits=edits, sentence="")
    app.switch_page("pages/laboratory.py").run()
    assert not [button for button in app.button if button.key == "begin-clean"]
