"""A user's own network on every page: chosen, compared, with each of its maps, and with overrides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from model.checkpoints import model_folders
from model.checkpoints.checkpoint import load_model
from model.text.normalise import normalise
from pages.ui.i18n import messages
from pages.ui.url_state import params
from tests.pages.components import find_choice, get_component_data, list_alerts, list_data, open_page
from tests.proof.conftest import NAME

MESSAGES = messages.load_messages("en")
TITLE = "TwoHeads-50"
SENTENCE = "The cat sleeps."
TRANSLATING = ("translate", "step_by_step", "compare", "laboratory")


@pytest.fixture(autouse=True)
def use_trained_model(trained: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the app find the checkpoint as it finds any user's."""
    st.cache_resource.clear()
    monkeypatch.setenv(model_folders.ENVIRONMENT_VARIABLE, str(trained))
    yield
    st.cache_resource.clear()


@pytest.mark.parametrize("page", params.PAGES)
def test_every_page_opens_with_it_and_with_overrides_in_the_link(page: str) -> None:
    row = "1" + ",0" * (len(load_model(NAME).vocabulary.encode(normalise(SENTENCE))) - 1)
    edits = f"cross-attention-h2@1={row}"
    app = open_page(page, model=NAME, sentence=SENTENCE, overrides=edits, **{"other-model": NAME})
    assert not list_alerts(app)
    if page in TRANSLATING:
        assert app.query_params["overrides"] == edits
        assert any(MESSAGES("result.edited") in data.get("provenance", "") for data in list_data(app))
        assert any(TITLE in json.dumps(data) for data in list_data(app))


def test_each_map_can_be_chosen_and_another_model_has_none() -> None:
    app = open_page("translate", model=NAME, sentence=SENTENCE)
    data = list_data(app)
    app.segmented_control(key="map").set_value("cross-attention-h2").run()
    assert app.query_params["map"] == "cross-attention-h2"
    assert list_data(app) != data
    find_choice(app, "model").set_value("rnnsearch-50").run()
    assert not app.exception
    assert "map" not in app.query_params
    assert not [control for control in app.segmented_control if control.key == "map"]


def test_its_own_equations_are_played() -> None:
    data = get_component_data(open_page("step_by_step", model=NAME, sentence=SENTENCE), "step_by_step")
    equations = json.dumps(data["equations"], ensure_ascii=False)
    assert "√d" in equations
    assert "tanh(" not in equations


def test_overrides_of_an_unknown_map_give_one_sentence_and_the_translation() -> None:
    app = open_page("compare", model=NAME, sentence=SENTENCE, overrides="attention@1=1,0")
    (alert,) = list_alerts(app)
    assert "no map" in alert
    data = list_data(app)
    assert any(TITLE in json.dumps(entry) for entry in data)
    assert not any(MESSAGES("result.edited") in entry.get("provenance", "") for entry in data)
    assert "overrides" not in app.query_params


def test_head_chosen_on_translate_attends_uniformly_in_the_laboratory() -> None:
    app = open_page("translate", model=NAME, sentence=SENTENCE, heads="on")
    (heads,) = [data for data in list_data(app) if "groups" in data]
    prunable = {entry["key"] for group in heads["groups"] for entry in group["maps"] if entry["is_prunable"]}
    assert prunable == {"cross-attention-h1", "cross-attention-h2"}  # the encoder's map cannot be overridden
    app.session_state["translate-pruned"] = "cross-attention-h2"
    app.run().run()
    assert not app.exception
    (console,) = [data for data in list_data(app) if "overrides" in data]
    assert [change["override"] for change in console["overrides"]] == ["cross-attention-h2@*:uniform"]
    assert "cross-attention-h2@*:uniform" in app.query_params["overrides"]
