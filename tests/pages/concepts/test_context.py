"""What is measured and drawn after a refused sentence: a previous translation, perhaps by another model."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.concepts import context, next_token
from pages.ui.concepts.context import IdeaContext
from pages.ui.i18n.messages import load_messages
from tests.pages.components import list_data
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.laboratory.test_beam import build_tree_trace
from tests.traces import make_trace

OpenApp = Callable[..., AppTest]
T = load_messages("en")


@pytest.mark.parametrize(("models", "names"), [((ATTENDED, PLAIN), [ATTENDED, PLAIN]), ((PLAIN, ATTENDED), None)])
def test_previous_translations_are_those_of_the_same_models(
    monkeypatch: pytest.MonkeyPatch, models: tuple[str, ...], names: list[str] | None
) -> None:
    previous = tuple((make_trace(model=name),) for name in models)
    monkeypatch.setattr(context, "get_translations", lambda *_: previous)
    anything: Any = None
    traces = IdeaContext(anything, T, anything).translate([ATTENDED, PLAIN])
    assert (None if traces is None else [trace.provenance.model for trace in traces]) == names


@pytest.mark.parametrize(("model", "measured", "widths"), [(ATTENDED, [ATTENDED], [3]), (PLAIN, [], [])])
def test_choosing_measures_its_own_model_and_names_the_width_of_the_tree(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, model: str, measured: list[str], widths: list[int]
) -> None:
    names: list[str] = []
    monkeypatch.setattr(IdeaContext, "measure", lambda _, name, *__: names.append(name))
    monkeypatch.setattr(next_token, "get_translations", lambda *_: ((make_trace(model=model),), (build_tree_trace(3),)))
    app = open_app("concepts", idea="choosing", width="8")
    assert names == measured
    assert [data["width"] for data in list_data(app) if "width" in data] == widths
