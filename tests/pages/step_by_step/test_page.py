"""The page Step by step: opening without a model, the step in the link, the standalone file."""

import json
import re
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.text.normalise import normalise
from pages.ui.backend import service, shipped_traces
from pages.ui.i18n.messages import load_messages
from pages.ui.step_by_step import payload
from tests.hostile import CASES
from tests.pages.components import get_component_data, list_alerts, open_page
from tests.traces import ENGLISH, make_trace

OpenApp = Callable[..., AppTest]


def get_player_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "step_by_step")


def get_sentence(app: AppTest) -> str:
    return str(get_player_data(app)["sentence"])


@pytest.fixture
def shipped(loaded_models: list[str]) -> Callable[..., AppTest]:
    """Open the page with the shipped translations; a request for a model fails the test."""
    st.cache_resource.clear()
    return partial(open_page, "step_by_step")


@pytest.mark.verdict
def test_shipped_trace_with_detail_needs_no_model(shipped: OpenApp) -> None:
    app = shipped()
    first = shipped_traces.load_examples()[0]
    assert get_sentence(app) == first.sentence
    data = get_player_data(app)
    phases = [equation["phase"] for equation in data["equations"]]
    assert phases == ["energies", "alpha", "context", "candidates", "update"]
    stage = data["stage"]
    assert (stage["readout"], stage["update_token"], stage["boxes"]) == ("before", "current", [])
    assert all(step["energies"] and step["context"] for step in data["steps"])
    assert "step" not in app.query_params


@pytest.mark.parametrize("step", ["0", "999"])
def test_missing_step_is_reported(shipped: OpenApp, step: str) -> None:
    app = shipped(step=step)
    assert get_player_data(app)["step"] == 1
    (alert,) = list_alerts(app)
    assert "step" in alert
    assert "step" not in app.query_params


def test_step_is_in_the_link_and_of_its_sentence_only(shipped: OpenApp) -> None:
    app = shipped(step="4")
    assert get_player_data(app)["step"] == 4
    assert app.query_params["step"] in ("4", ["4"])
    assert list_alerts(app) == []
    app.session_state["step"] = {"trace": get_player_data(app)["trace_id"], "step": 6}  # as an event does
    app.run()
    assert get_player_data(app)["step"] == 6
    assert app.query_params["step"] in ("6", ["6"])
    app.button(key="example-1").click().run()
    assert get_sentence(app) == shipped_traces.load_examples()[1].sentence
    assert get_player_data(app)["step"] == 1
    assert "step" not in app.query_params


def test_typed_sentence_is_translated_with_detail(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = []
    decode = service.translate_sentence

    def record(model: Any, text: str, settings: Any, *arguments: Any) -> service.Traces:
        recorded.append(settings)
        return decode(model, normalise(text), settings, *arguments)

    monkeypatch.setattr(service, "translate_sentence", record)
    app = open_app("step_by_step").run()
    app.text_area(key="sentence").set_value("the small dog runs")
    app.button(key="submit").click().run()
    assert get_sentence(app) == "the small dog runs"
    assert {settings.detail for settings in recorded} == {True}
    assert app.query_params["sentence"] in ("the small dog runs", ["the small dog runs"])


class Elements(HTMLParser):
    """Collects the elements of a page and the URLs that it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [str(value) for name, value in attrs if name in ("src", "href")]


def build_document(source: str, target: str) -> tuple[str, Elements, dict[str, Any]]:
    """Return the standalone file of a translation, its elements and the data in it."""
    t, trace = load_messages("en"), make_trace(source, target, (0,) * len(target.split()))
    data = payload.build_player_payload(trace, payload.get_step_equations("rnnsearch-50"), t)
    page = payload.build_player_document(data, t)
    elements = Elements()
    elements.feed(page)
    return page, elements, json.loads(json.dumps(data))


def test_html_file_is_standalone() -> None:
    sentence = f"{ENGLISH.removesuffix(' .')}."
    page, elements, _ = build_document(sentence, "le chat dort .")
    assert elements.fetched == []
    tags = [tag for tag in elements.tags if tag in ("script", "style", "main")]
    assert sorted(tags) == ["main", "script", "script", "script", "script", "style"]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "@import" not in page
    for name in ("--st-blue-color", "--st-gray-color", "--st-background-color"):
        assert page.count(f"{name}:") == 2, name  # light and dark
    assert f"<title>RNNsearch-50, step by step: {sentence}</title>" in page


@pytest.mark.verdict
@pytest.mark.parametrize("name", ["script", "closing tags", "entities"])
def test_hostile_text_in_the_file_stays_data(name: str) -> None:
    text = CASES[name].replace(" ", "_").replace("\n", "_")
    page, elements, data = build_document(text, text)
    assert elements.tags.count("script") == 4  # data, terms, import map, module
    assert not {"img", "svg", "b", "iframe"} & set(elements.tags)
    script = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert script is not None
    assert json.loads(script[1]) == data
