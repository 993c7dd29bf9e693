"""The beam tree: its payload, CSV and drawing, and events from the browser."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.decoding import Settings
from model.decoding.translate import translate_n_best
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.charts.print_style import AMBER
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import beam
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.url_state import params
from tests.model.analysis.scripted import build_random_model
from tests.pages.components import get_component_data
from tests.pages.fakes import add_tree
from tests.traces import make_trace as make_plain_trace

T = load_messages("en")


def build_tree_trace(width: int) -> Trace:
    """Return a translation of one word by a beam of this width, with its tree."""
    return add_tree(make_plain_trace("yes", "oui", (0,), beam=width))


@pytest.fixture(scope="module")
def traces(tiny_vocabulary: Vocabulary) -> tuple[Trace, ...]:
    settings = Settings(beam=3, n_best=3, tree=True, max_ratio=1.0)
    return tuple(translate_n_best(build_random_model(tiny_vocabulary), normalise("The grey cat sleeps."), settings))


@pytest.mark.verdict
def test_hypotheses_have_path_and_alpha(traces: tuple[Trace, ...]) -> None:
    tree = traces[0].tree
    assert tree is not None
    data = beam.build_beam_payload(traces, tree, -1, (), 3, T)
    nodes = {node["number"]: node for node in data["nodes"]}
    assert all(node["parent"] in nodes or node["parent"] == -1 for node in data["nodes"])
    assert {node["rank"] for node in data["nodes"] if node["fate"] != "pruned"} <= {0, 1, 2}
    for hypothesis, trace in zip(data["hypotheses"], traces, strict=True):
        assert [nodes[number]["id"] for number in hypothesis["path"]] == [step.id for step in trace.steps]
        chances = [nodes[number]["p"] for number in hypothesis["path"]]
        assert chances == pytest.approx([math.exp(step.log_probability) for step in trace.steps], abs=1e-4)
        assert len(hypothesis["alpha"] or []) == len(hypothesis["target"])
        assert nodes[hypothesis["path"][-1]]["fate"] == ("finished" if trace.is_finished else "kept")


def test_selected_node_is_always_drawn(traces: tuple[Trace, ...]) -> None:
    tree = traces[0].tree
    assert tree is not None
    last = [node for node in range(len(tree)) if tree.steps[node] == 2][-1]
    candidates = traces[0].steps[0].candidates
    data = beam.build_beam_payload(traces, tree, last, candidates, 1, T)
    assert last in {node["number"] for node in data["nodes"]}
    assert data["selected"] == last
    continuations = data["continuations"]
    assert [continuation["id"] for continuation in continuations] == [candidate.id for candidate in candidates]
    assert not any(one["is_selectable"] for one in continuations if one["text"] == T("beam.end"))


def test_csv_has_every_node(traces: tuple[Trace, ...]) -> None:
    tree = traces[0].tree
    assert tree is not None
    rows = list(csv.reader(io.StringIO(beam.build_tree_csv(tree))))
    assert len(rows) == len(tree) + 1
    assert {row[-1] for row in rows[1:]} <= {"kept", "finished", "pruned"}


def test_drawing_compares_original_and_forced_translation() -> None:
    original = make_plain_trace("the house sleeps .", "la maison dort .", (0, 1, 2, 3))
    forced_trace = make_plain_trace("the house sleeps .", "la cabane dort .", (0, 1, 2, 3))
    svg = render(beam.draw_comparison(original, forced_trace, T), "svg", lambda letters: [str(letters)]).decode()
    texts = re.findall(r'<text style="([^"]*)"[^>]*>([^<]*)<', svg)
    assert [text for _, text in texts if text in ("maison", "cabane")] == ["maison", "cabane"]
    assert {text for style, text in texts if AMBER in style} == {"maison", "cabane"}


def test_node_of_another_tree_is_not_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, object] = {
        beam.KEY: {"node": {"search_id": "one", "node": 4}},
        "beam-of": "other",
        params.BEAM_NODE.name: 0,
    }
    monkeypatch.setattr(st, "session_state", session)
    beam._on_node()
    assert session[params.BEAM_NODE.name] == 0
    session["beam-of"] = "one"
    beam._on_node()
    assert session[params.BEAM_NODE.name] == 5


def test_earlier_tree_keeps_its_width(open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """After a refused request the page shows the tree of an earlier search."""
    monkeypatch.setattr(ExperimentContext, "translate", lambda *_: ((build_tree_trace(3),),))
    assert get_component_data(open_app("laboratory", experiment="beam", width="8"), "beam")["width"] == 3
