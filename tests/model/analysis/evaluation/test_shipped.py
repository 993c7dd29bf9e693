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
    for one in load_evaluations():
        result[one.model][name_evaluation_file(one.data.name, one.model, int(one.search["beam"]))] = round(
            one.scores["bleu"], 2
        )
    for name, scores in result.items():
        assert f"newstest2014-{name}-greedy.json" in scores, f"{name} is shipped without an evaluation"
        assert {score["evaluation"]: score["bleu"] for score in CARDS[name].scores} == scores
        assert all((EVALUATIONS_FOLDER / file).is_file() for file in scores)


def test_the_shipped_claims_follow_from_the_shipped_measurements() -> None:
    (shipped,) = load_records("claims").values()
    wanted = {file for card in CARDS.values() for file in campaign.list_files(card)}
    assert not wanted - {path.name for path in EVALUATIONS_FOLDER.iterdir()}
    measured = ResultStore(CARDS.values())
    record = json.loads(dump_entries(claims.build_record(claims.compute_claims(measured), measured)))
    made, kept = ({name: value for name, value in one.items() if name not in ("date", "command")}
                  for one in (record, shipped))  # fmt: skip
    assert is_same_record(made, kept)


def is_same_record(made: Any, kept: Any) -> bool:
    """Return whether two records are equal, up to rounding: processors add numbers in different orders."""
    if isinstance(kept, dict):
        return (
            isinstance(made, dict)
            and made.keys() == kept.keys()
            and all(is_same_record(made[key], kept[key]) for key in kept)
        )
    if isinstance(kept, list):
        return isinstance(made, list) and len(made) == len(kept) and all(map(is_same_record, made, kept))
    if isinstance(kept, float) and isinstance(made, float):
        return math.isclose(made, kept, rel_tol=1e-12, abs_tol=1e-12)
    return type(made) is type(kept) and bool(made == kept)


def test_measurements_of_short_runs_are_of_their_weights() -> None:
    runs = read_runs(EVALUATIONS_FOLDER)
    known = {run.name: run.fingerprint for run in runs}
    for file, made_by in load_fingerprints(EVALUATIONS_FOLDER / RUNS_FOLDER).items():
        assert made_by.items() <= known.items(), f"{file} is of a run that is not kept, or of other weights"
    for run in runs:
        evaluated = {
            (one.data.name, one.search["beam"])
            for one in load_evaluations(EVALUATIONS_FOLDER / RUNS_FOLDER)
            if one.model == run.name
        }
        assert evaluated == set(SHORT_SETS), f"python -m model compared FOLDER {run.name}"
