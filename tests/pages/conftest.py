"""The app in AppTest, with fake models and invented shipped Traces."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from model.text.normalise import normalise
from pages.ui.backend import cards, service, shipped_traces
from pages.ui.widgets import family_results
from tests.pages.components import open_page
from tests.pages.fakes import OTHER_SENTENCE, PLAIN, fake_gradients, translate_backwards
from tests.traces import ENGLISH, LOST, make_trace

SCRIPTS = ScriptCache()


@pytest.fixture(autouse=True)
def cache_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the app and its pages once, as a server does; AppTest alone compiles them for every run."""
    for module in (app_test, local_script_runner):
        monkeypatch.setattr(module, "ScriptCache", lambda: SCRIPTS)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the shipped Traces by those of two sentences, and the models by fakes, in a server for this test."""
    st.cache_resource.clear()
    pairs = {
        ENGLISH: (make_trace(), make_trace(target=LOST, order=None, model=PLAIN)),
        OTHER_SENTENCE: (
            make_trace(OTHER_SENTENCE, "j' ai vu la mer .", (0, 1, 1, 2, 3, 4)),
            make_trace(OTHER_SENTENCE, "la mer .", None, model=PLAIN),
        ),
    }
    shipped = tuple(
        shipped_traces.Example(normalise(text), {trace.provenance.model: trace for trace in pair})
        for text, pair in pairs.items()
    )
    monkeypatch.setattr(shipped_traces, "load_examples", lambda: shipped)
    monkeypatch.setattr(shipped_traces, "load_family_examples", tuple)
    monkeypatch.setattr(cards, "get_fingerprint", lambda name: None)  # accepts any Trace
    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=name[::-1]))
    monkeypatch.setattr(service, "translate_sentence", translate_backwards)
    monkeypatch.setattr(family_results, "measure_gradients", fake_gradients)
    monkeypatch.setattr(service, "PREFETCH_DELAY", 0.0)
    yield
    st.cache_resource.clear()


@pytest.fixture
def loaded_models(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let no model be loaded; the test fails at its end if one was requested.

    An error in the queue's thread would only be an alert on the page. Only models that are loaded in advance may be
    missing in this list, since a timer requests them later.
    """
    names: list[str] = []

    def refuse(name: str) -> None:
        names.append(name)
        raise MemoryError

    monkeypatch.setattr(service, "PREFETCH_DELAY", 3600.0)
    monkeypatch.setattr(service, "load_model", refuse)
    yield names
    assert names == []


@pytest.fixture
def open_app(fakes: None) -> Callable[..., AppTest]:
    """Return `open_page`, for an app with the fakes."""
    return open_page
