"""The stage of every kind of network and the numbers of its steps, in the payload of the player."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.networks.equations.rnnsearch import StepEquations
from model.networks.equations.stage import SHAPES
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.step_by_step.payload import build_player_payload
from tests.pages.stages import NETWORKS, translate_with_equations

Made = Callable[[str], tuple[Trace, StepEquations]]
GRU = ("rnnsearch", "rnnencdec", "coverage", "copy")
"""Those on the stage of the paper's networks, to which copying adds a box."""
DRAWN = [name for name in NETWORKS if name not in GRU]


@pytest.fixture(scope="module")
def made(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Made:
    cache: dict[str, tuple[Trace, StepEquations]] = {}

    def of(name: str) -> tuple[Trace, StepEquations]:
        if name not in cache:
            cache[name] = translate_with_equations(name, tiny_vocabulary, tmp_path_factory.mktemp(name))
        return cache[name]

    return of


def build_payload(of: tuple[Trace, StepEquations], language: str = "en") -> dict[str, Any]:
    return json.loads(json.dumps(build_player_payload(*of, load_messages(language)), allow_nan=False))


@pytest.mark.verdict
@pytest.mark.parametrize("name", NETWORKS)
def test_every_kind_has_a_valid_stage(made: Made, name: str) -> None:
    """Boxes and arrows belong to phases of the step, boxes lie on the stage, arrows join boxes, parts have texts."""
    data = build_payload(made(name))
    stage = data["stage"]
    phases = set(stage["order"]) or {one["phase"] for one in data["equations"]} | {"choice"}
    boxes = {one["name"]: one for one in stage["boxes"]}
    assert len(boxes) == len(stage["boxes"]) > 0 or name in GRU[:3]
    assert {one["shape"] for one in boxes.values()} <= set(SHAPES)
    assert {one["phase"] for one in boxes.values()} | {one["phase"] for one in stage["arrows"]} <= {*phases, ""}
    gru = {"context", "before", "after", "gru", "readout", "previous", "fed"} if stage["readout"] else set()
    assert {one[end] for one in stage["arrows"] for end in ("start", "end")} <= {*boxes, *gru, "out"}
    assert stage["asks"] in {*boxes, *gru} or not data["attends"]
    for box in boxes.values():
        assert 0 < box["x"] < 0.6
        assert 0 < box["narrow"] < 1
        assert 0 < box["y"] < stage["height"]
    pointed = {token["part"] for one in data["equations"] for line in one["lines"] for token in line
               if isinstance(token, dict) and token["part"]}  # fmt: skip
    explained = {*stage["explains"], *(key.removeprefix("part_") for key in data["words"] if key.startswith("part_"))}
    assert {*pointed, *(one["part"] for one in boxes.values())} <= explained


@pytest.mark.parametrize("name", DRAWN)
def test_boxes_do_not_overlap(made: Made, name: str) -> None:
    shapes = [one for one in build_payload(made(name))["stage"]["boxes"] if one["shape"] in ("circle", "box", "sum")]
    for place, one in enumerate(shapes):
        for other in shapes[place + 1 :]:
            for x, width in (("x", 900), ("narrow", 350)):
                distances = abs(one[x] - other[x]) * width, abs(one["y"] - other["y"])
                assert max(distances) >= 38, (one["name"], other["name"], x)


@pytest.mark.parametrize("language", LANGUAGES)
def test_stage_texts_are_translated(made: Made, language: str) -> None:
    stage = build_payload(made("transformer"), language)["stage"]
    words = load_messages(language)
    assert {one["text"] for one in stage["boxes"] if one["name"] == "own"} == {words("step_by_step.stage_own")}
    assert stage["frame"]["said"].startswith(words("step_by_step.stage_layer", layer=2, layers=3))
    assert stage["frame"]["behind"] == 2


def test_annotation_is_a_state_without_attention(made: Made) -> None:
    explanations = {
        name: build_payload(made(name))["stage"]["explains"].get("h") for name in ("rnnsearch", "rnnencdec", "seq2seq")
    }
    assert explanations["rnnsearch"] is None  # the usual text
    assert explanations["rnnencdec"] == explanations["seq2seq"]
    assert "Only the last one goes on" in explanations["rnnencdec"]


def test_reversed_source_has_one_connection(made: Made) -> None:
    data = build_payload(made("seq2seq"))
    assert data["stage"]["reading"] == {"layers": 2, "backwards": True, "pipe": "before"}
    assert data["stage"]["order"] == ["pipe", "update", "candidates", "choice"]
    assert not data["attends"]
    trace = made("seq2seq")[0]
    assert trace.detail is not None
    for i, step in enumerate(data["steps"]):
        assert step["after"]["norm"] == pytest.approx(trace.detail["state norm"][i], abs=1e-5)
        assert step["gates"]["forget"] == pytest.approx(trace.detail["forget mean"][i], abs=1e-5)
        assert (step["before"] is None) == (i == 0)
    forwards = build_payload(made("forwards"))["stage"]
    assert (forwards["reading"]["layers"], forwards["reading"]["backwards"]) == (3, False)  # of five, three are drawn
    assert "s" in {one["text"] for one in forwards["boxes"]}
    assert "5,{step}" in {one["index"] for one in forwards["boxes"]}


def test_luong_attends_after_the_state_with_input_feeding(made: Made) -> None:
    data = build_payload(made("luong"))
    assert [one["phase"] for one in data["equations"]][:2] == ["update", "energies"]
    arrows = [(one["start"], one["end"]) for one in data["stage"]["arrows"]]
    assert ("attentional", "next") in arrows
    assert data["stage"]["asks"] == "after"
    unfed = [(one["start"], one["end"]) for one in build_payload(made("local-m"))["stage"]["arrows"]]
    assert ("attentional", "next") not in unfed
    assert {step["window"] is None for step in data["steps"]} == {True}


@pytest.mark.parametrize("name", ["local-p", "local-m"])
def test_no_weight_outside_the_window(made: Made, name: str) -> None:
    data = build_payload(made(name))
    for number, step in enumerate(data["steps"], 1):
        middle, reach = step["window"]["middle"], step["window"]["reach"]
        assert reach == 2
        if name == "local-m":
            assert middle == min(number, len(data["source"]))
        for place, weight in enumerate(step["alpha"], 1):
            assert (weight > 0) == (abs(place - middle) <= reach)


@pytest.mark.parametrize(("name", "copies"), [("coverage", False), ("copy", True)])
def test_coverage_grows_by_attention(made: Made, name: str, copies: bool) -> None:
    data = build_payload(made(name))
    assert data["stage"]["covers"]
    assert data["steps"][0]["covered"] == [0.0] * len(data["source"])
    for step, following in zip(data["steps"], data["steps"][1:], strict=False):
        assert step["covered_after"] == following["covered"]
        if name == "coverage":  # plain coverage is a sum
            grown = np.array(step["covered"]) + step["alpha"]
            np.testing.assert_allclose(step["covered_after"], grown, atol=5e-6)
    assert data["steps"][-1]["covered_after"] is None  # no step follows
    assert {step["p_gen"] is not None for step in data["steps"]} == {copies}
    assert [one["shape"] for one in data["stage"]["boxes"]] == (["switch"] if copies else [])
    if copies:
        assert data["steps"][0]["p_gen"] == pytest.approx(1 / (1 + np.exp(-5)), abs=1e-3)


def test_candidates_have_copy_probabilities(made: Made) -> None:
    """p_copy is (1 - p_gen) times the attention to the piece's source positions, at most p."""
    trace, step_equations = made("copy")
    copied = 0
    for i, step in enumerate(build_payload((trace, step_equations))["steps"]):
        looks, copy_share = trace.get_map().values[i], 1 - trace.detail["p_gen mean"][i]  # type: ignore[index]
        for one, candidate in zip(step["candidates"], trace.steps[i].candidates, strict=False):
            places = [place for place, piece in enumerate(trace.source.pieces) if piece == candidate.piece]
            assert one["copied"] == pytest.approx(copy_share * sum(looks[places]), abs=2e-5)
            assert one["copied"] <= one["p"] + 2e-5
            copied += bool(places)
    assert copied
    plain = build_payload(made("coverage"))
    assert {one["copied"] for step in plain["steps"] for one in step["candidates"]} == {0.0}


def test_self_attention_is_of_the_heads_shown(made: Made) -> None:
    trace, step_equations = made("transformer")
    assert trace.shown == "cross-attention-l2"
    both = [trace.get_map(f"decoder-self-attention-l2-h{head}").values for head in (1, 2)]
    for i, step in enumerate(build_payload((trace, step_equations))["steps"]):
        np.testing.assert_allclose(step["back"], (both[0][i, : i + 1] + both[1][i, : i + 1]) / 2, atol=1e-6)
        assert sum(step["back"]) == pytest.approx(1, abs=1e-4)
    single_head = build_payload((replace(trace, shown="cross-attention-l3-h2"), step_equations))
    weights = trace.get_map("decoder-self-attention-l3-h2").values
    np.testing.assert_allclose(single_head["steps"][3]["back"], weights[3, :4], atol=1e-6)
    assert single_head["stage"]["frame"]["said"] == "layer 3 of 3 · head 2 of 2"
    assert {step["back"] is None for step in build_payload(made("luong"))["steps"]} == {True}
