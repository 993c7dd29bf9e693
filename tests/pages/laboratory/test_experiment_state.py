"""Each experiment has its own overrides; those from elsewhere are announced and can be removed."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.decoding import Overrides
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import ablation, beam, console, experiment_state, forced_decoding, vector
from pages.ui.url_state import params

RULE, PREFIX = Overrides.from_text("attention@*:uniform"), Overrides.from_text("p5.9")
Session = dict[str, Any]
Change = dict[str, Any]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    """Session state with the console open and one rule set."""
    state: Session = {"experiment": "attention", "overrides": RULE, "sentence": "A cat.", "model": "m",
                     "experiment-open": "attention"}  # fmt: skip
    monkeypatch.setattr(st, "session_state", state)
    return state


def choose(session: Session, part: str) -> None:
    """Choose an experiment, as the control and the next run of the page do."""
    session["experiment"] = part
    experiment_state._on_experiment_change()
    session["experiment-open"] = part


@pytest.mark.verdict
def test_each_experiment_has_its_own_overrides(session: Session) -> None:
    choose(session, "forced_decoding")
    assert session["overrides"] == Overrides()
    session["overrides"] = PREFIX
    choose(session, "ablation")
    assert session["overrides"] == Overrides()
    choose(session, "attention")
    assert session["overrides"] == RULE
    choose(session, "forced_decoding")
    assert session["overrides"] == PREFIX


@pytest.mark.parametrize(("name", "value"), [("sentence", "A dog."), ("model", "n")])
def test_overrides_of_another_sentence_or_model_are_dropped(session: Session, name: str, value: str) -> None:
    choose(session, "forced_decoding")
    session[name] = value
    choose(session, "attention")
    assert session["overrides"] == Overrides()


def test_ablation_table_opens_the_console_and_back(session: Session) -> None:
    choose(session, "ablation")
    session[ablation.KEY] = {"open": "attention@*:max"}
    ablation._on_open()
    session["experiment-open"] = "attention"
    assert (session["experiment"], session["overrides"]) == ("attention", Overrides.from_text("attention@*:max"))
    assert experiment_state.get_referrer() == "ablation"
    session[console.KEY] = {"back": True}
    console._on_back()
    assert (session["experiment"], session["overrides"]) == ("ablation", Overrides())
    choose(session, "attention")
    assert experiment_state.get_referrer() == ""  # chosen by the reader: no button back


def test_events_of_a_closed_experiment_are_ignored(session: Session) -> None:
    session |= {
        console.KEY: {"edit": {"clear": True}, "back": True}, vector.KEY: {"point": 4}, "experiment": "sampling",
        forced_decoding.KEY: {"take": {"pieces": [7]}, "type": {"pieces": [], "text": "x"}},
        ablation.KEY: {"open": "attention@*:max"},
        beam.KEY: {"take": {"pieces": [7]}, "node": {"node": 3, "id": "x"}}, "beam-of": "x",
    }  # fmt: skip
    previous_session = dict(session)
    for callback in (console._on_edit, console._on_back, forced_decoding._on_take, forced_decoding._on_type,
                     beam._on_take, beam._on_node, ablation._on_open, vector._on_point):  # fmt: skip
        callback()
        assert session == previous_session


CHANGES: tuple[tuple[str, str, Change, Callable[[], None], str], ...] = (
    (console.KEY, "edit", {"add": "attention@*:max"}, console._on_edit, "overrides"),
    (forced_decoding.KEY, "take", {"pieces": [7]}, forced_decoding._on_take, "overrides"),
    (forced_decoding.KEY, "type", {"pieces": [7], "text": "chat"}, forced_decoding._on_type, "forced_decoding-typed"),
    (beam.KEY, "take", {"pieces": [7]}, beam._on_take, "overrides"),
)


@pytest.mark.parametrize(("key", "event", "change", "callback", "changed_key"), CHANGES)
def test_changes_to_the_previous_sentence_are_ignored(
    session: Session, key: str, event: str, change: Change, callback: Callable[[], None], changed_key: str
) -> None:
    """The component shows it until the next sentence is translated."""
    session["experiment"] = {console.KEY: "attention", forced_decoding.KEY: "forced_decoding", beam.KEY: "beam"}[key]
    model = params.get_chosen_model()
    session[key] = {event: {**change, "id": experiment_state.make_input_id("A dog.", model)}}
    previous_value = session.get(changed_key)
    callback()
    assert session.get(changed_key) == previous_value
    session[key] = {event: {**change, "id": experiment_state.make_input_id("A cat.", model)}}
    callback()
    assert session.get(changed_key) != previous_value


@pytest.mark.parametrize(("part", "edits", "key", "remaining_text", "language"), [
    ("forced_decoding", "p5 attention@*:uniform attention@3:max", "carried", "p5", "en"),
    ("sampling", "p5.9 attention@*:uniform", "carried", "", "ko"),
    ("ablation", "attention@*:uniform", "set_aside", "", "en"),
])  # fmt: skip
def test_carried_overrides_are_announced_and_removable(
    open_app: Callable[..., AppTest], part: str, edits: str, key: str, remaining_text: str, language: str
) -> None:
    t = load_messages(language)
    app = open_app("laboratory", lang=language, experiment=part, overrides=edits, sentence="")
    html = " ".join(node.proto.body for node in app.get("html"))
    overrides = Overrides.from_text(edits)
    rule_note = t("laboratory.carried_looks", count=len(overrides.rules))
    assert t(f"laboratory.{key}", what="§").split("§")[0] in html
    assert rule_note in html
    assert (t("laboratory.carried_begun", count=2) in html) == (part == "sampling")
    app.button(key="begin-clean").click().run()
    assert not app.exception
    assert app.session_state[params.OVERRIDES.name].to_text() == remaining_text
    assert not [button for button in app.button if button.key == "begin-clean"]
