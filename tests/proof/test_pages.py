"""The third network on every page: chosen, set beside, with each of its maps, changed, and in what leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.checkpoints import model_folders
from model.checkpoints.checkpoint import load_model
from model.text.normalise import normalise
from pages.ui.backend import cards
from pages.ui.i18n import messages
from pages.ui.url_state import params
from tests.pages.components import find_choice, list_data
from tests.proof.conftest import NAME

SAY = messages.load_messages("en")
TITLE = "TwoHeads-50"
SENTENCE = "The cat sleeps."


@pytest.fixture(autouse=True)
def found(trained: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The app finds the network's checkpoint as it finds any reader's."""
    st.cache_resource.clear()
    monkeypatch.setenv(model_folders.ENVIRONMENT_VARIABLE, str(trained))
    yield
    st.cache_resource.clear()


def opened(page: str, edits: str = "", **query: str) -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=60)
    app.context = {"locale": "en-GB"}
    for key, value in query.items():
        app.query_params[key] = value
    if page != "translate":
        app.run()
        app.switch_page(f"pages/{page}.py")
    if edits:
        app.query_params["edits"] = edits
    app.run()
    assert not app.exception
    return app


def said(app: AppTest) -> list[str]:
    return [node.proto.body for node in app.get("html") if node.proto.body.startswith('<p role="alert"')]


def drawn(app: AppTest) -> list[dict[str, Any]]:
    return list_data(app)


def test_its_title_is_that_of_its_card() -> None:
    assert cards.get_title(NAME) == TITLE
    assert NAME in cards.list_same_languages("rnnsearch-50")


@pytest.mark.parametrize("page", params.PAGES)
def test_every_page_stands_with_it_among_the_models(page: str) -> None:
    app = opened(page, model=NAME, beside=NAME, sentence=SENTENCE)
    assert not said(app)


@pytest.mark.parametrize("page", ["translate", "step_by_step", "compare", "laboratory"])
def test_it_is_drawn_under_its_title(page: str) -> None:
    app = opened(page, model=NAME, sentence=SENTENCE)
    assert any(TITLE in json.dumps(data) for data in drawn(app))
    assert find_choice(app, "model").value == NAME


@pytest.mark.parametrize("page", ["translate", "step_by_step", "compare", "laboratory"])
def test_each_map_can_be_chosen_and_the_link_says_which(page: str) -> None:
    app = opened(page, model=NAME, sentence=SENTENCE)
    first = drawn(app)
    app.segmented_control(key="map").set_value("cross-attention-h2").run()
    assert not app.exception
    assert app.query_params["map"] == "cross-attention-h2"
    assert drawn(app) != first
    find_choice(app, "model").set_value("rnnsearch-50").run()
    assert "map" not in app.query_params
    assert not [one for one in app.segmented_control if one.key == "map"]


@pytest.mark.parametrize("page", ["translate", "step_by_step", "compare", "laboratory"])
def test_changes_in_a_link_are_made_and_spoken_of(page: str) -> None:
    row = "1" + ",0" * (len(load_model(NAME).vocabulary.encode(normalise(SENTENCE))) - 1)
    edits = f"cross-attention-h2@1={row}"
    app = opened(page, model=NAME, sentence=SENTENCE, edits=edits)
    assert not said(app)
    assert app.query_params["edits"] == edits
    assert any(SAY("result.edited") in data.get("made", "") for data in drawn(app))
    assert not any(SAY("result.edited") in data.get("made", "") for data in drawn(opened(page, model=NAME)))


@pytest.mark.parametrize("page", ["translate", "step_by_step", "compare", "laboratory"])
def test_changes_that_do_not_fit_get_one_sentence_and_the_translation(page: str) -> None:
    app = opened(page, model=NAME, sentence=SENTENCE, edits="attention@1=1,0")
    (only,) = said(app)
    assert "no map" in only
    assert any(TITLE in json.dumps(data) for data in drawn(app))
    assert "edits" not in app.query_params


def test_a_head_is_set_to_its_mean_in_the_laboratory() -> None:
    app = opened("translate", model=NAME, sentence=SENTENCE, heads="on")
    (heads,) = [data for data in drawn(app) if "groups" in data]
    offered = {one["key"] for group in heads["groups"] for one in group["maps"] if one["prunable"]}
    assert offered == {"cross-attention-h1", "cross-attention-h2"}  # the encoder's own map cannot be changed
    app.session_state["translate-pruned"] = "cross-attention-h2"
    app.run().run()
    assert not app.exception
    (console,) = [data for data in drawn(app) if "changes" in data]
    assert [change["written"] for change in console["changes"]] == ["cross-attention-h2@*:uniform"]
    assert "cross-attention-h2@*:uniform" in app.query_params["edits"]
