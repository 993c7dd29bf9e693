"""The payload of the player: numbers of each step, wirings, pieces, candidates, equations."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.checkpoints import checkpoint
from model.networks import registry
from model.networks.equations import rnnsearch as equations
from model.networks.equations.rnnsearch import Equation, StepEquations, Symbol
from model.networks.equations.transformer import build_transformer_equations
from model.networks.registry import NetworkKind
from model.trace import ANNOTATIONS, ENERGIES, Candidate, Provenance, Side, Step, Trace, WeightMap
from pages.ui.backend import shipped_traces
from pages.ui.i18n.messages import load_messages
from pages.ui.step_by_step.payload import build_player_payload, get_step_equations, hash_trace
from tests.pages.marks import strip_term_marks
from tests.traces import LOST, make_trace

SOURCE = Side("the cats", ("the", "cats"), ("▁the", "▁ca", "ts", "</s>"), (0, 1, 1, -1))
TARGET = Side("l'ami", ("l'", "ami"), ("▁l", "'", "ami", "</s>"), (0, 0, 1, -1))
LOG = (-0.1, -0.2, -0.4, -0.8)
ALPHA = np.array([[0.7, 0.1, 0.15, 0.05], [0.1, 0.2, 0.3, 0.4], [0.0, 0.6, 0.3, 0.1], [0.1, 0.1, 0.1, 0.7]])
VECTORS = np.arange(48.0).reshape(4, 12)  # row i holds 12 i .. 12 i + 11


def make_small_trace() -> Trace:
    """Return a Trace of known numbers: 4 steps over 4 source pieces."""
    other_candidates = (Candidate(90, "▁le", -1.0), Candidate(91, "is", -2.0), Candidate(1, "</s>", -9.0))
    steps = tuple(
        Step(10 + i, piece, LOG[i], (Candidate(10 + i, piece, LOG[i]), *other_candidates))
        for i, piece in enumerate(TARGET.pieces)
    )
    detail = {ENERGIES: np.log(ALPHA + 1e-3) - 5}
    for place, name in enumerate(("state", "context", "update", "reset")):
        detail[name] = VECTORS
        detail[f"{name} mean"] = np.array([0.1, 0.2, 0.3, 0.4]) + place / 10
        detail[f"{name} norm"] = np.array([1.0, 2.0, 3.0, 4.0]) + 10 * place
    source_detail = {ANNOTATIONS: VECTORS, f"{ANNOTATIONS} norm": np.array([7.0, 8.0, 9.0, 10.0])}
    return Trace(
        SOURCE, TARGET, steps, (WeightMap("attention", ALPHA),), sum(LOG), sum(LOG), True,
        Provenance("rnnsearch-50", "0123456789ab", "greedy", {}), detail, source_detail=source_detail,
    )  # fmt: skip


def make_equations(wiring: str) -> StepEquations:
    return equations.build_rnnsearch_equations({"wiring": wiring})


def build_payload(
    trace: Trace | None = None, step_equations: StepEquations | None = None, step: int = 1
) -> dict[str, Any]:
    """Return the payload as the browser gets it."""
    data = build_player_payload(
        trace or make_small_trace(), step_equations or make_equations("groundhog"), load_messages("en"), step
    )
    return json.loads(json.dumps(data, allow_nan=False))


def test_payload_has_the_numbers_of_the_trace() -> None:
    trace_of_step, data = make_small_trace(), build_payload()
    assert trace_of_step.detail is not None
    for i, step in enumerate(data["steps"]):
        np.testing.assert_allclose(step["alpha"], ALPHA[i], atol=5e-5)
        np.testing.assert_allclose(step["energies"], trace_of_step.detail[ENERGIES][i], atol=5e-4)
        assert step["p"] == pytest.approx(math.exp(LOG[i]), abs=5e-5)
        assert step["log_probability"] == pytest.approx(LOG[i], abs=5e-4)
        assert step["total_log_probability"] == pytest.approx(sum(LOG[: i + 1]), abs=5e-4)
        assert step["context"]["norm"] == 11 + i
    assert [step["top"] for step in data["steps"]] == [[0, 2, 1], [3, 2, 1], [1, 2, 3], [3, 0, 1]]
    assert data["has_attention"]
    assert (data["model"], strip_term_marks(data["provenance"])) == ("RNNsearch-50", "fingerprint 0123456789ab")


@pytest.mark.parametrize(
    ("wiring", "before", "after", "update"),
    [
        # attend, generate, update: step i is read out from the state before it; the Trace has its update at i + 1
        ("groundhog", [1, 2, 3, 4], [2, 3, 4, None], [0.4, 0.5, 0.6, None]),
        # attend, update, generate: step i is read out from the new state
        ("equation4", [None, 1, 2, 3], [1, 2, 3, 4], [0.3, 0.4, 0.5, 0.6]),
        # step i is read out from the old state; the Trace has its update at i
        ("appendix", [1, 2, 3, 4], [2, 3, 4, None], [0.3, 0.4, 0.5, 0.6]),
    ],
)
def test_states_and_gates_follow_the_wiring(
    wiring: str, before: list[float | None], after: list[float | None], update: list[float | None]
) -> None:
    steps = build_payload(step_equations=make_equations(wiring))["steps"]
    assert [step["before"] and step["before"]["norm"] for step in steps] == before
    assert [step["after"] and step["after"]["norm"] for step in steps] == after
    assert [step["gates"]["update"] for step in steps] == update
    reset = [None if gate is None else round(gate + 0.1, 3) for gate in update]
    assert [step["gates"]["reset"] for step in steps] == reset


def test_context_blocks_have_the_scale_of_annotations() -> None:
    data = build_payload()
    assert data["annotations"]["blocks"][0][0] == 0
    assert data["annotations"]["blocks"][3][11] == 1
    assert data["steps"][1]["context"]["blocks"] == data["annotations"]["blocks"][1]
    assert data["steps"][0]["before"]["blocks"][0] == 0


def test_pieces_have_words_and_target_is_typeset() -> None:
    data = build_payload()
    assert [(piece["text"], piece["word"], piece["continues_word"]) for piece in data["source"]] == [
        ("the", 0, False), ("ca", 1, False), ("ts", 1, True), ("end", -1, False),
    ]  # fmt: skip
    assert "".join(piece["gap"] + piece["text"] for piece in data["target"]) == "l’ami end"
    assert [piece["continues_word"] for piece in data["target"]] == [False, True, False, False]


def test_continuing_candidate_has_the_start_of_its_word() -> None:
    steps = build_payload()["steps"]
    assert [candidate["text"] for candidate in steps[2]["candidates"]] == ["ami", "le", "is", "end"]
    assert [candidate["prefix"] for candidate in steps[2]["candidates"]] == ["l'", "", "l'", ""]
    assert [candidate["prefix"] for candidate in steps[0]["candidates"]] == ["", "", "", ""]  # no word has begun
    assert [candidate["is_chosen"] for candidate in steps[2]["candidates"]] == [True, False, False, False]
    assert steps[2]["candidates"][1]["p"] == pytest.approx(math.exp(-1), abs=5e-5)


def test_improbable_chosen_piece_is_added() -> None:
    trace = make_small_trace()
    first_step = replace(trace.steps[0], candidates=trace.steps[0].candidates[1:])
    candidates = build_payload(replace(trace, steps=(first_step, *trace.steps[1:])))["steps"][0]["candidates"]
    last_two = [(candidate["text"], candidate["is_chosen"]) for candidate in candidates[-2:]]
    assert last_two == [("end", False), ("l", True)]


def test_missing_attention_and_detail_are_none() -> None:
    (step, *_) = build_payload(make_trace())["steps"]
    assert (step["energies"], step["before"], step["after"], step["context"], step["gates"]["update"]) == (None,) * 5
    data = build_payload(make_trace(target=LOST, order=None, model="rnnencdec-50"))
    assert (data["has_attention"], data["annotations"]) == (False, None)
    assert {(step["alpha"], *step["top"]) for step in data["steps"]} == {(None,)}


def test_identifier_ignores_the_map_shown() -> None:
    assert build_payload(step=3)["step"] == 3
    assert hash_trace(make_small_trace()) == hash_trace(make_small_trace()) == build_payload()["trace_id"]
    assert hash_trace(make_small_trace()) != hash_trace(replace(make_small_trace(), score=-9.0))
    maps = (*make_small_trace().maps, WeightMap("attention", ALPHA, layer=1, head=1))
    first_map, second_map = (
        replace(make_small_trace(), maps=maps, displayed_map_key=key) for key in (None, "attention-l1-h1")
    )
    assert hash_trace(first_map) == hash_trace(second_map)  # comparing heads keeps the step


def test_equations_are_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = {card.kind: card for card in checkpoint.list_cards()}
    recurrent = shipped["rnnsearch"]
    changed_wiring = replace(recurrent, name="changed", network=recurrent.network | {"wiring": "equation4"})
    unknown = replace(recurrent, name="unknown", network={"kind": "unheard"})
    monkeypatch.setitem(registry.KINDS, "silent", NetworkKind("silent", "Silent", "", ""))
    silent = replace(recurrent, name="silent", network={"kind": "silent"})
    cards = (shipped["transformer"], changed_wiring, unknown, silent)
    monkeypatch.setattr("pages.ui.backend.cards.list_cards", lambda: cards)
    transformer = build_transformer_equations(shipped["transformer"].network)
    assert get_step_equations(shipped["transformer"].name) == transformer
    assert get_step_equations("changed").stage == equations.WIRINGS["equation4"]
    assert {get_step_equations(name) for name in ("unknown", "silent", "no such model")} == {StepEquations()}


def test_equations_are_sent_by_symbol() -> None:
    line = (Symbol("s", "{before}", "before"), " + ", Symbol("E", part="previous", token="previous"))
    step_equations = StepEquations((Equation("asking", (line,), ("p",)),))
    data = build_payload(step_equations=step_equations)
    assert data["stage"] is None
    assert data["equations"] == [{
        "phase": "asking",
        "lines": [[
            {"letter": "s", "index": "{before}", "part": "before", "token": None}, " + ",
            {"letter": "E", "index": "", "part": "previous", "token": "previous"},
        ]],
        "numbers": ["p"],
    }]  # fmt: skip
    # Without a stage only the readout's state is known.
    assert [step["before"]["norm"] for step in data["steps"]] == [1, 2, 3, 4]
    assert {(step["after"], *step["gates"].values()) for step in data["steps"]} == {(None,) * 6}


def test_shipped_traces_are_complete_and_consistent() -> None:
    for example in shipped_traces.load_examples():
        for name, trace in example.traces.items():
            data = build_payload(trace, get_step_equations(name))
            assert len(json.dumps(data)) < 400_000
            for i, step in enumerate(data["steps"]):
                assert step["context"]["norm"] > 0
                assert step["before"]["norm"] > 0  # the first state comes from the encoder
                assert (step["after"] is None) == (i == len(data["steps"]) - 1)
                assert len(step["candidates"]) >= 10
                if data["has_attention"]:  # the weights are the softmax of the energies
                    powers = np.exp(np.array(step["energies"]) - max(step["energies"]))
                    np.testing.assert_allclose(step["alpha"], powers / powers.sum(), atol=2e-3)
                else:
                    assert step["context"] == data["steps"][0]["context"]
