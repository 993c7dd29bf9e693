"""The stage of every kind of network and the numbers of its steps, in the payload of the player."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest

from model.networks.equations.rnnsearch import StepEquations
from model.networks.equations.stage import Shape
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.i18n.messages import load_messages
from pages.ui.step_by_step.payload import build_player_payload
from tests.pages.stages import NETWORKS, translate_with_equations

Translate = Callable[[str], tuple[Trace, StepEquations]]
GRU = ("rnnsearch", "rnnencdec", "coverage", "copy")
"""Those on the stage of the paper's networks, to which copying adds a box."""
DRAWN_NETWORKS = [name for name in NETWORKS if name not in GRU]


@pytest.fixture(scope="module")
def translate(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Translate:
    """Translate by a network of tests/pages/stages.py, once."""
    return cache(lambda name: translate_with_equations(name, tiny_vocabulary, tmp_path_factory.mktemp(name)))


def build_payload(translation: tuple[Trace, StepEquations]) -> dict[str, Any]:
    return json.loads(json.dumps(build_player_payload(*translation, load_messages("en")), allow_nan=False))


@pytest.mark.verdict
@pytest.mark.parametrize("name", NETWORKS)
def test_every_kind_has_a_valid_stage(translate: Translate, name: str) -> None:
    """Boxes and arrows belong to phases of the step, boxes lie on the stage, arrows join boxes, parts have texts."""
    data = build_payload(translate(name))
    stage = data["stage"]
    phases = set(stage["phase_order"]) or {equation["phase"] for equation in data["equations"]} | {"choice"}
    boxes = {box["name"]: box for box in stage["boxes"]}
    assert len(boxes) == len(stage["boxes"]) > 0 or name in GRU[:3]
    assert {box["shape"] for box in boxes.values()} <= set(get_args(Shape))
    assert {box["phase"] for box in boxes.values()} | {arrow["phase"] for arrow in stage["arrows"]} <= {*phases, ""}
    gru = {"context", "before", "after", "gru", "readout", "previous", "fed"} if stage["readout"] else set()
    assert {arrow[end] for arrow in stage["arrows"] for end in ("start", "end")} <= {*boxes, *gru, "out"}
    assert stage["attending_box"] in {*boxes, *gru} or not data["has_attention"]
    for box in boxes.values():
        assert 0 < box["x"] < 0.6
        assert 0 < box["x_narrow"] < 1
        assert 0 < box["y"] < stage["height"]
    pointed = {token["part"] for equation in data["equations"] for line in equation["lines"] for token in line
               if isinstance(token, dict) and token["part"]}  # fmt: skip
    message_parts = {key.removeprefix("part_") for key in data["messages"] if key.startswith("part_")}
    explained = {*stage["part_texts"], *message_parts}
    assert {*pointed, *(box["part"] for box in boxes.values())} <= explained


@pytest.mark.parametrize("name", DRAWN_NETWORKS)
def test_boxes_do_not_overlap(translate: Translate, name: str) -> None:
    boxes = build_payload(translate(name))["stage"]["boxes"]
    for box, other_box in combinations([box for box in boxes if box["shape"] in ("circle", "box", "sum")], 2):
        for x, width in (("x", 900), ("x_narrow", 350)):
            distances = abs(box[x] - other_box[x]) * width, abs(box["y"] - other_box["y"])
            assert max(distances) >= 38, (box["name"], other_box["name"], x)


def test_annotation_is_a_state_without_attention(translate: Translate) -> None:
    names = ("rnnsearch", "rnnencdec", "seq2seq")
    attending, plain, layered = (build_payload(translate(name))["stage"]["part_texts"].get("h") for name in names)
    assert attending is None  # the usual text
    assert plain == layered
    assert plain == load_messages("en")("step_by_step.part_h_read")


def test_reversed_source_has_one_connection(translate: Translate) -> None:
    data = build_payload(translate("seq2seq"))
    assert data["stage"]["encoder"] == {"layers": 2, "is_reversed": True, "final_box": "before"}
    assert data["stage"]["phase_order"] == ["pipe", "update", "candidates", "choice"]
    assert not data["has_attention"]
    trace = translate("seq2seq")[0]
    assert trace.detail is not None
    for i, step in enumerate(data["steps"]):
        assert step["after"]["norm"] == pytest.approx(trace.detail["state norm"][i], abs=1e-5)
        assert step["gates"]["forget"] == pytest.approx(trace.detail["forget mean"][i], abs=1e-5)
        assert (step["before"] is None) == (i == 0)
    forwards = build_payload(translate("forwards"))["stage"]
    assert (forwards["encoder"]["layers"], forwards["encoder"]["is_reversed"]) == (3, False)  # of five, three are drawn
    assert "s" in {box["text"] for box in forwards["boxes"]}
    assert "5,{step}" in {box["index"] for box in forwards["boxes"]}


def test_luong_attends_after_the_state_with_input_feeding(translate: Translate) -> None:
    data = build_payload(translate("luong"))
    assert [equation["phase"] for equation in data["equations"]][:2] == ["update", "energies"]
    arrows = [(arrow["start"], arrow["end"]) for arrow in data["stage"]["arrows"]]
    assert ("attentional", "next") in arrows
    assert data["stage"]["attending_box"] == "after"
    unfed = [(arrow["start"], arrow["end"]) for arrow in build_payload(translate("local-m"))["stage"]["arrows"]]
    assert ("attentional", "next") not in unfed
    assert {step["window"] is None for step in data["steps"]} == {True}


@pytest.mark.parametrize("name", ["local-p", "local-m"])
def test_no_weight_outside_the_window(translate: Translate, name: str) -> None:
    data = build_payload(translate(name))
    for number, step in enumerate(data["steps"], 1):
        center, half_width = step["window"]["center"], step["window"]["half_width"]
        assert half_width == 2
        if name == "local-m":
            assert center == min(number, len(data["source"]))
        for place, weight in enumerate(step["alpha"], 1):
            assert (weight > 0) == (abs(place - center) <= half_width)


@pytest.mark.parametrize(("name", "copies"), [("coverage", False), ("copy", True)])
def test_coverage_grows_by_attention(translate: Translate, name: str, copies: bool) -> None:
    data = build_payload(translate(name))
    assert data["stage"]["has_coverage"]
    assert data["steps"][0]["coverage_before"] == [0.0] * len(data["source"])
    for step, next_step in zip(data["steps"], data["steps"][1:], strict=False):
        assert step["coverage_after"] == next_step["coverage_before"]
        if name == "coverage":  # plain coverage is a sum
            expected = np.array(step["coverage_before"]) + step["alpha"]
            np.testing.assert_allclose(step["coverage_after"], expected, atol=5e-6)
    assert data["steps"][-1]["coverage_after"] is None  # no step follows
    assert {step["p_gen"] is not None for step in data["steps"]} == {copies}
    assert [box["shape"] for box in data["stage"]["boxes"]] == (["switch"] if copies else [])
    if copies:
        assert data["steps"][0]["p_gen"] == pytest.approx(1 / (1 + np.exp(-5)), abs=1e-3)


def test_candidates_have_copy_probabilities(translate: Translate) -> None:
    """p_copy is (1 - p_gen) times the attention to the piece's source positions, at most p."""
    trace, step_equations = translate("copy")
    copied = 0
    for i, step in enumerate(build_payload((trace, step_equations))["steps"]):
        weights, copy_share = trace.get_map().values[i], 1 - trace.detail["p_gen mean"][i]  # type: ignore[index]
        for player_candidate, candidate in zip(step["candidates"], trace.steps[i].candidates, strict=False):
            places = [place for place, piece in enumerate(trace.source.pieces) if piece == candidate.piece]
            assert player_candidate["copy_probability"] == pytest.approx(copy_share * sum(weights[places]), abs=2e-5)
            assert player_candidate["copy_probability"] <= player_candidate["p"] + 2e-5
            copied += bool(places)
    assert copied
    plain = build_payload(translate("coverage"))
    assert {candidate["copy_probability"] for step in plain["steps"] for candidate in step["candidates"]} == {0.0}


@pytest.mark.parametrize(
    ("name", "rows"),
    [("rnnsearch", ["forward", "backward"]), ("rnnencdec", ["forward"]), ("seq2seq", ["reversed"] * 2),
     ("forwards", ["forward"] * 3), ("two directions", ["forward", "backward"]),
     ("two directions, reversed", ["reversed", "end_first"]), ("transformer", ["all"] * 2)],
)  # fmt: skip
def test_the_encoder_is_read_as_the_network_reads(translate: Translate, name: str, rows: list[str]) -> None:
    encoder = build_payload(translate(name))["encoder"]
    assert encoder["rows"] == rows
    assert encoder["lines"]
    assert encoder["explanation"].startswith("Before step 1")
    assert ("one in each direction" in encoder["explanation"]) == (len(set(rows)) == 2)


def test_scores_of_one_head_give_its_weights_and_a_mean_has_its_own_equation(translate: Translate) -> None:
    trace, step_equations = translate("transformer")
    mean_payload, head_payload = (
        build_payload((replace(trace, displayed_map_key=map_key), step_equations))
        for map_key in ("cross-attention-l2", "cross-attention-l2-h1")
    )
    for step in head_payload["steps"]:
        exponentials = np.exp(np.array(step["energies"], np.float64))
        np.testing.assert_allclose(exponentials / exponentials.sum(), step["alpha"], atol=1e-5)
        assert np.mean(step["energies"]) == pytest.approx(0, abs=1e-5)
    assert {step["energies"] is None for step in mean_payload["steps"]} == {True}
    letters = [
        [token["letter"] for equation in data["equations"] for line in equation["lines"] for token in line
         if isinstance(token, dict) and token["part"] == "alpha"]
        for data in (mean_payload, head_payload)
    ]  # fmt: skip
    assert set(letters[0]) == {"ᾱ"}
    assert set(letters[1]) == {"α"}
    assert mean_payload["messages"]["weights"].endswith("mean of all heads")


def test_self_attention_is_of_the_heads_shown(translate: Translate) -> None:
    trace, step_equations = translate("transformer")
    assert trace.displayed_map_key == "cross-attention-l2"
    head_weights = [trace.get_map(f"decoder-self-attention-l2-h{head}").values for head in (1, 2)]
    for i, step in enumerate(build_payload((trace, step_equations))["steps"]):
        mean_weights = (head_weights[0][i, : i + 1] + head_weights[1][i, : i + 1]) / 2
        np.testing.assert_allclose(step["self_attention"], mean_weights, atol=1e-6)
        assert sum(step["self_attention"]) == pytest.approx(1, abs=1e-4)
    single_head = build_payload((replace(trace, displayed_map_key="cross-attention-l3-h2"), step_equations))
    weights = trace.get_map("decoder-self-attention-l3-h2").values
    np.testing.assert_allclose(single_head["steps"][3]["self_attention"], weights[3, :4], atol=1e-6)
    assert single_head["stage"]["frame"]["label"] == "layer 3 of 3 · head 2 of 2"
    assert {step["self_attention"] is None for step in build_payload(translate("luong"))["steps"]} == {True}
