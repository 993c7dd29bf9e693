"""Check that the shipped measurements are of the shipped weights, complete and consistent."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from model.analysis.evaluation.stored import (
    EVALUATIONS_FOLDER,
    load_evaluations,
    load_fingerprints,
    load_records,
    name_evaluation_file,
)
from model.analysis.paper import campaign, claims
from model.analysis.paper.relatives import SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.analysis.paper.runs import RUNS_FOLDER, read_runs
from model.checkpoints import checkpoint
from model.serialization.codec import dump_entries

CARDS = {card.name: card for card in checkpoint.list_cards()}
PRINTS = {name: card.fingerprint for name, card in CARDS.items()}


@pytest.mark.verdict
def test_every_measurement_is_of_the_shipped_weights() -> None:
    result = load_fingerprints()
    assert result
    for file, made_by in result.items():
        for model, fingerprint in made_by.items():
            assert PRINTS.get(model) == fingerprint, f"{file} is of other weights: make it again"


def test_every_shipped_model_has_the_evaluations_its_card_states() -> None:
    result: dict[str, dict[str, float]] = {name: {} for name in CARDS}
    for entry in load_evaluations():
        result[entry.model][name_evaluation_file(entry.data.name, entry.model, int(entry.search["beam"]))] = round(
            entry.scores["bleu"], 2
        )
    for name, scores in result.items():
        assert f"newstest2014-{name}-greedy.json" in scores, f"{name} is shipped without an evaluation"
        assert {score["evaluation"]: score["bleu"] for score in CARDS[name].scores} == scores
        assert all((EVALUATIONS_FOLDER / file).is_file() for file in scores)


def test_the_shipped_claims_follow_from_the_shipped_measurements() -> None:
    (shipped,) = load_records("claims").values()
    expected_files = {file for card in CARDS.values() for file in campaign.list_files(card)}
    assert not expected_files - {path.name for path in EVALUATIONS_FOLDER.iterdir()}
    store = ResultStore(CARDS.values())
    record = json.loads(dump_entries(claims.build_record(claims.compute_claims(store), store)))
    computed, expected = ({name: value for name, value in entry.items() if name not in ("date", "command")}
                          for entry in (record, shipped))  # fmt: skip
    assert is_same_record(computed, expected)


def is_same_record(computed: Any, expected: Any) -> bool:
    """Return whether two records are equal, up to rounding: processors add numbers in different orders."""
    if isinstance(expected, dict):
        return (
            isinstance(computed, dict)
            and computed.keys() == expected.keys()
            and all(is_same_record(computed[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list):
        return (isinstance(computed, list) and len(computed) == len(expected)
                and all(map(is_same_record, computed, expected)))
    if isinstance(expected, float) and isinstance(computed, float):
        return math.isclose(computed, expected, rel_tol=1e-12, abs_tol=1e-12)
    return type(computed) is type(expected) and bool(computed == expected)


def test_measurements_of_short_runs_are_of_their_weights() -> None:
    runs = read_runs(EVALUATIONS_FOLDER)
    known = {run.name: run.fingerprint for run in runs}
    for file, made_by in load_fingerprints(EVALUATIONS_FOLDER / RUNS_FOLDER).items():
        assert made_by.items() <= known.items(), f"{file} is of a run that is not kept, or of other weights"
    for run in runs:
        evaluated = {
            (entry.data.name, entry.search["beam"])
            for entry in load_evaluations(EVALUATIONS_FOLDER / RUNS_FOLDER)
            if entry.model == run.name
        }
        assert evaluated == set(SHORT_SETS), f"python -m model compared FOLDER {run.name}"
