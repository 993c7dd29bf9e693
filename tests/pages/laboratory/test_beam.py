"""The opened beam: what is sent of the tree, and what taking another piece asks for."""

from __future__ import annotations

import csv
import io
import math
import re

import pytest
import streamlit as st

from model.decoding import OverrideRule, Overrides, Settings
from model.decoding.translate import translate_n_best
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.charts.print_maps import AMBER
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import beam
from pages.ui.url_state import params
from tests.model.analysis.attribution.test_saliency import a_model
from tests.pages.traces import trace as told

SAY = load_messages("en")


@pytest.fixture(scope="module")
def traces(tiny_vocabulary: Vocabulary) -> tuple[Trace, ...]:
    settings = Settings(beam=3, n_best=3, tree=True, max_ratio=1.0)
    return tuple(translate_n_best(a_model(tiny_vocabulary), normalise("The grey cat sleeps."), settings))


@pytest.mark.verdict
def test_every_hypothesis_has_its_path_its_alpha_and_its_place(traces: tuple[Trace, ...]) -> None:
    tree = traces[0].tree
    assert tree is not None
    data = beam.build_beam_payload(traces, tree, -1, (), 3, SAY)
    drawn = {node["number"]: node for node in data["nodes"]}
    assert all(node["parent"] in drawn or node["parent"] == -1 for node in data["nodes"])
    assert {node["rank"] for node in data["nodes"] if node["fate"] != "pruned"} <= {0, 1, 2}
    for one, trace in zip(data["hypotheses"], traces, strict=True):
        assert [drawn[number]["id"] for number in one["path"]] == [step.id for step in trace.steps]
        chances = [drawn[number]["p"] for number in one["path"]]
        assert chances == pytest.approx([math.exp(step.log_probability) for step in trace.steps], abs=1e-4)
        assert len(one["alpha"] or []) == len(one["target"])
        assert drawn[one["path"][-1]]["fate"] == ("finished" if trace.finished else "kept")


def test_the_node_that_is_looked_at_is_drawn_wherever_it_stands(traces: tuple[Trace, ...]) -> None:
    tree = traces[0].tree
    assert tree is not None
    last = [node for node in range(len(tree)) if tree.steps[node] == 2][-1]
    found = traces[0].steps[0].candidates
    data = beam.build_beam_payload(traces, tree, last, found, 1, SAY)
    assert last in {node["number"] for node in data["nodes"]}
    assert data["at"] == last
    assert [one["id"] for one in data["next"]] == [one.id for one in found]
    assert not any(one["free"] for one in data["next"] if one["text"] == SAY("beam.end"))


def test_the_tree_leaves_whole(traces: tuple[Trace, ...]) -> None:
    tree = traces[0].tree
    assert tree is not None
    rows = list(csv.reader(io.StringIO(beam.tree_to_csv(tree))))
    assert len(rows) == len(tree) + 1
    assert {row[-1] for row in rows[1:]} <= {"kept", "finished", "pruned"}


def test_a_changed_beginning_is_a_picture_beside_the_one_of_its_own() -> None:
    own = told("the house sleeps .", "la maison dort .", (0, 1, 2, 3))
    begun = told("the house sleeps .", "la cabane dort .", (0, 1, 2, 3))
    svg = render(beam.draw_comparison(own, begun, SAY), "svg", lambda letters: [str(letters)]).decode()
    texts = re.findall(r'<text style="([^"]*)"[^>]*>([^<]*)<', svg)
    assert [text for _, text in texts if text in ("maison", "cabane")] == ["maison", "cabane"]
    assert {text for style, text in texts if AMBER in style} == {"maison", "cabane"}


def test_what_is_taken_becomes_the_beginning_and_leaves_other_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Overrides(rules=(OverrideRule("attention", "uniform"),))
    kept = {params.OVERRIDES.name: rules, params.BEAM_NODE.name: 7, beam.KEY: {"take": {"pieces": [5, 9]}}}
    monkeypatch.setattr(st, "session_state", kept)
    beam._on_take()
    assert kept[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
    assert kept[params.BEAM_NODE.name] == 0
    kept[beam.KEY] = {"take": {"pieces": ["5", -1]}}
    beam._on_take()
    assert kept[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
    kept[beam.KEY] = {"take": {"pieces": []}}
    beam._on_take()
    assert kept[params.OVERRIDES.name] == rules


def test_a_node_of_another_tree_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, object] = {
        beam.KEY: {"node": {"of": "one", "node": 4}},
        "beam-of": "other",
        params.BEAM_NODE.name: 0,
    }
    monkeypatch.setattr(st, "session_state", kept)
    beam._on_node()
    assert kept[params.BEAM_NODE.name] == 0
    kept["beam-of"] = "one"
    beam._on_node()
    assert kept[params.BEAM_NODE.name] == 5
