"""All attention maps of a translation over words: labels, weights, cropping, pruning."""

import io
import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from model.importers import read_attention
from model.trace import COVERAGE_MAP, Trace, WeightMap
from pages.ui.heatmap import heads
from pages.ui.i18n.messages import load_messages

T = load_messages("en")
SOURCE = ["▁The", "▁c", "at", "</s>"]
TARGET = ["▁Le", "▁ch", "at", "▁dort", "</s>"]


@pytest.fixture
def trace() -> Trace:
    draw = np.random.default_rng(5)
    cross, encoder = draw.random((2, 2, 5, 4)), draw.random((2, 2, 4, 4))
    decoder = np.tril(draw.random((2, 2, 5, 5)))
    arrays = {name: values / values.sum(-1, keepdims=True)
              for name, values in (("cross", cross), ("encoder", encoder), ("decoder", decoder))}  # fmt: skip
    file = io.BytesIO()
    np.savez(file, source=np.array(SOURCE), target=np.array(TARGET), **arrays)
    (sentence,) = read_attention(file.getvalue(), "maps.npz").sentences
    return sentence.trace


def test_groups_have_labels_of_their_sides(trace: Trace) -> None:
    data = heads.build_heads_payload(trace, T)
    assert [(group["name"], group["source"], group["target"]) for group in data["groups"]] == [
        ("cross-attention", ["The", "cat", "end"], ["Le", "chat", "dort", "end"]),
        ("encoder self-attention", ["The", "cat", "end"], ["The", "cat", "end"]),
        ("decoder self-attention", ["start", "Le", "chat", "dort"], ["Le", "chat", "dort", "end"]),
    ]
    assert [group["sides"] for group in data["groups"]] == [
        ("source", "target"), ("source", "source"), ("target", "target")]  # fmt: skip
    assert data["selected"] == trace.displayed_map_key
    are_selectable = [head_map["is_selectable"] for group in data["groups"] for head_map in group["maps"]]
    assert are_selectable == [True] * 6 + [False] * 8


@pytest.mark.parametrize(("number", "rows", "columns"), [
    (0, [0, 1, 3, 4], [0, 1, 3]), (1, [0, 1, 3], [0, 1, 3]), (2, [0, 1, 3, 4], [0, 1, 2, 4]),
], ids=["cross", "encoder", "decoder"])  # fmt: skip
def test_each_map_has_its_own_weights_over_words(
    trace: Trace, number: int, rows: list[int], columns: list[int]
) -> None:
    """A word of several pieces has the mean of their rows and the sum of their columns. `rows`, `columns`: the first
    piece of each word."""
    for head_map in heads.build_heads_payload(trace, T)["groups"][number]["maps"]:
        weights = trace.get_map(head_map["key"]).values
        num_pieces = np.diff([*rows, len(weights)])[:, None]
        expected = np.add.reduceat(np.add.reduceat(weights, columns, axis=1), rows, axis=0) / num_pieces
        np.testing.assert_allclose(np.array(head_map["values"]) / heads.FIXED_POINT_ONE, expected, atol=1e-3)


def test_decoder_self_attention_is_causal_from_the_start_token(trace: Trace) -> None:
    (group,) = [group for group in heads.build_heads_payload(trace, T)["groups"] if group["name"].startswith("decoder")]
    first = np.array(group["maps"][0]["values"])
    assert first[0].tolist() == [heads.FIXED_POINT_ONE, 0, 0, 0]
    # "Le" is generated at step 1 from the start token; "dort" at step 4 from the pieces of "Le chat".
    assert first[2][3] == 0
    assert first[2][1] > 0
    expected = trace.get_map("decoder-self-attention-l1-h1").values[3]
    np.testing.assert_allclose(
        first[2] / heads.FIXED_POINT_ONE, [expected[0], expected[1], expected[2] + expected[3], 0], atol=0.001
    )


def test_long_sentence_is_cropped(trace: Trace) -> None:
    length = heads.MAX_LABELS + 5
    tokens = {"source": ["a"] * length, "target": ["b"] * length}
    data = json.dumps(tokens | {"attention": (np.ones((length, length)) / length).tolist()}).encode()
    (long,) = read_attention(data, "long.json").sentences
    (group,) = heads.build_heads_payload(long.trace, T)["groups"]
    assert np.array(group["maps"][0]["values"]).shape == (heads.MAX_LABELS, heads.MAX_LABELS)
    assert len(group["source"]) == len(group["target"]) == heads.MAX_LABELS


def test_only_decoder_heads_can_be_pruned(trace: Trace) -> None:
    for pruning in (True, False):
        groups = heads.build_heads_payload(trace, T, pruning)["groups"]
        maps = [head_map for group in groups for head_map in group["maps"]]
        prunable_keys = [head_map["key"] for head_map in maps if head_map["is_prunable"]]
        expected = [f"{name}-l{layer}-h{head}" for name in ("cross-attention", "decoder-self-attention")
                  for layer in (1, 2) for head in (1, 2)]  # fmt: skip
        assert sorted(prunable_keys) == (sorted(expected) if pruning else [])


def test_only_offered_maps_are_chosen_or_pruned(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    callbacks: dict[str, Callable[[], None]] = {}
    monkeypatch.setattr(heads, "_mount", lambda **arguments: callbacks.update(arguments))
    selected_keys: list[str] = []
    heads.render_heads(trace, T, selected_keys.append, selected_keys.append)
    for event in ("chosen", "prune"):
        for key in ("nothing", None, "encoder-self-attention-l1-h1", "cross-attention-l2-h1"):
            monkeypatch.setattr(st, "session_state", {heads._KEY: {event: key}})
            callbacks[f"on_{event}_change"]()
    assert selected_keys == ["cross-attention-l2-h1"] * 2


def test_coverage_map_is_labelled(trace: Trace) -> None:
    """Coverage exceeds 1: its scale ends at the largest value, and the large heatmap cannot show it."""
    weights = np.tile(np.array([0, 0.75, 0, 0.25], np.float32), (len(TARGET), 1))
    account = np.arange(len(TARGET), dtype=np.float32)[:, None] * weights
    maps = (WeightMap("attention", weights), WeightMap(COVERAGE_MAP, account, rows_sum_to_one=False))
    trace = replace(trace, maps=maps, displayed_map_key="attention")
    data = heads.build_heads_payload(trace, T, enlarged_map="coverage")
    assert data["enlarged"] == "coverage"
    shares, coverage = data["groups"]
    assert (shares["is_coverage"], shares["max_weight"], shares["maps"][0]["is_selectable"]) == (False, 1.0, True)
    assert (coverage["is_coverage"], coverage["max_weight"], coverage["maps"][0]["is_selectable"]) == (True, 3.0, False)
    assert coverage["description"] != shares["description"]
