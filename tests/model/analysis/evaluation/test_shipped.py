"""Check that the shipped measurements are of the shipped weights, complete and consistent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from model.analysis.evaluation.stored import (
    EVALUATIONS_FOLDER,
    load_evaluations,
    load_fingerprints,
    load_records,
    name_evaluation_file,
)
from model.analysis.paper import claims
from model.analysis.paper.measurement_plan import list_sentence_measurements
from model.analysis.paper.related_claims import SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.analysis.paper.runs import RUNS_FOLDER, read_runs
from model.checkpoints import checkpoint
from model.serialization.codec import dump_entries
from model.text.languages import DEFAULT_PAIR
from tests.model.analysis.paper.measurement_files import list_files

CARDS = {card.name: card for card in checkpoint.list_cards()}
PRINTS = {name: card.fingerprint for name, card in CARDS.items()}


@pytest.mark.verdict
def test_every_measurement_is_of_the_shipped_weights() -> None:
    result = load_fingerprints()
    assert result
    for file, model_fingerprints in result.items():
        for model, fingerprint in model_fingerprints.items():
            assert PRINTS.get(model) == fingerprint, f"{file} is of other weights: make it again"


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_measurements_on_sentences_in_assets_are_current(card: checkpoint.Card) -> None:
    """Not made with other weights, sentences or settings, or by an older schema."""
    for measurement in list_sentence_measurements(card):
        assert measurement.is_done(EVALUATIONS_FOLDER), f"{measurement.file} is of another time: make it again"


def test_every_shipped_model_has_the_evaluations_its_card_states() -> None:
    result: dict[str, dict[str, float]] = {name: {} for name in CARDS}
    for entry in load_evaluations():
        result[entry.model][name_evaluation_file(entry.data.name, entry.model, int(entry.search["beam"]))] = round(
            entry.scores["bleu"], 2
        )
    for name, scores in result.items():
        main = "newstest2014" if CARDS[name].languages == DEFAULT_PAIR else "tatoeba-en-ko"
        assert f"{main}-{name}-greedy.json" in scores, f"{name} is shipped without an evaluation"
        assert {score["evaluation"]: score["bleu"] for score in CARDS[name].scores} == scores
        assert all((EVALUATIONS_FOLDER / file).is_file() for file in scores)


def test_the_shipped_claims_follow_from_the_shipped_measurements() -> None:
    (shipped,) = load_records("claims").values()
    expected_files = {file for card in CARDS.values() for file in list_files(card)}
    assert not expected_files - {path.name for path in EVALUATIONS_FOLDER.iterdir()}
    store = ResultStore(CARDS.values())
    record = json.loads(dump_entries(claims.build_record(claims.compute_claims(store), store)))
    for name in (record.keys() | shipped.keys()) - {"date", "command"}:
        assert record[name] == allow_rounding(shipped[name]), name


def allow_rounding(value: Any) -> Any:
    """Return JSON that equals other JSON up to rounding: processors add numbers in different orders."""
    if isinstance(value, dict):
        return {key: allow_rounding(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(allow_rounding, value))
    return pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value


def test_measurements_of_short_runs_are_of_their_weights() -> None:
    runs = read_runs(EVALUATIONS_FOLDER)
    fingerprints = {run.name: run.fingerprint for run in runs}
    for file, model_fingerprints in load_fingerprints(EVALUATIONS_FOLDER / RUNS_FOLDER).items():
        is_subset = model_fingerprints.items() <= fingerprints.items()
        assert is_subset, f"{file} is of a run that is not kept, or of other weights"
    assert runs
    evaluations = load_evaluations(EVALUATIONS_FOLDER / RUNS_FOLDER)
    for run in runs:
        evaluated = {(entry.data.name, entry.search["beam"]) for entry in evaluations if entry.model == run.name}
        assert evaluated == set(SHORT_SETS), f"python -m model runs FOLDER {run.name}"
