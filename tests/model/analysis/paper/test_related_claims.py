"""Check which models and hours the claims of related papers compare, on made-up measurements.

The shipped claims (test_shipped.py) check their values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.analysis.errors.copying import SCHEMA
from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import name_evaluation_file
from model.analysis.paper.checks import Claim
from model.analysis.paper.claims import build_record, compute_claims
from model.analysis.paper.related_claims import COPYING_DATA, COVERAGE_DATA, SETS, SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun
from model.checkpoints.checkpoint import Card
from model.serialization.codec import dump_entries
from tests.cards import build_card
from tests.evaluations import Rule, make_evaluation

LUONG = {"kind": "luong", "directions": 1, "score": "general", "window": "global", "feeding": True, "hidden": 8}
class Measurements:
    """A folder of made-up measurements."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cards = folder, list[Card]()
        self.files: dict[str, tuple[str, Path]] = {}  # by model: its fingerprint, and the folder of its files
        (folder / RUNS_FOLDER).mkdir()

    @property
    def claims(self) -> dict[int, Claim]:
        return {claim.number: claim for claim in compute_claims(ResultStore(self.cards, self.folder))}

    def add_model(
        self, kind: str, hours: float, network: dict[str, Any] | None = None, has_unk: bool = False
    ) -> str:
        """Add a shipped model and return its name."""
        card = build_card(f"{kind}-words-50" if has_unk else f"{kind}-50", kind,
                          fingerprint=f"{len(self.files) + 1:012x}")  # fmt: skip
        self.cards.append(replace(card, network=network or card.network, training={"processor_hours": hours},
                                  has_unk=has_unk))
        self.files[card.name] = card.fingerprint, self.folder
        return card.name

    def add_run(self, name: str, network: dict[str, Any], hours: float) -> str:
        """Add a short run and return its name."""
        self.files[name] = f"{len(self.files) + 1:012x}", self.folder / RUNS_FOLDER
        run = ShortRun(1, name, self.files[name][0], network, 50, hours, 1000, "made up", "2026-01-02", "none")
        (self.folder / RUNS_FOLDER / run.file).write_text(run.to_json(), encoding="utf-8")
        return name

    def add_scores(self, name: str, rule: Rule, sets: Sequence[tuple[str, int]] = SHORT_SETS) -> None:
        """Add evaluations of a model or run with these scores."""
        fingerprint, folder = self.files[name]
        for data, beam in sets:
            evaluation = replace(make_evaluation(name, rule, data=data, beam=beam), fingerprint=fingerprint)
            (folder / name_evaluation_file(data, name, beam)).write_text(evaluation.to_json(), encoding="utf-8")

    def add_record(self, kind: str, name: str, **fields: Any) -> None:
        """Add a record of another kind."""
        fingerprint, folder = self.files[name]
        (folder / f"{kind}-{name}.json").write_text(json.dumps({
            "schema": SCHEMA, "kind": kind, "model": name, "fingerprint": fingerprint,
            "search": {"name": "greedy", "beam": 1}, **fields}))  # fmt: skip


@pytest.fixture
def measurements(tmp_path: Path) -> Measurements:
    return Measurements(tmp_path)


def good(length: int) -> float:
    return 0.9


def bad(length: int) -> float:
    return 0.6


@pytest.mark.parametrize(("hours", "outcome"), [((2.0, 2.4), "yes"), ((2.41, 2.0), "missing"), ((0.0, 0.0), "missing")])
def test_hours_that_differ_by_more_than_a_fifth_are_refused(
    measurements: Measurements, hours: tuple[float, float], outcome: str
) -> None:
    for name, feeding, spent, rule in zip(("fed", "unfed"), (True, False), hours, (good, bad), strict=True):
        measurements.add_scores(measurements.add_run(name, LUONG | {"feeding": feeding}, spent), rule)
    assert {(check.outcome, check.hours, check.has_similar_hours) for check in measurements.claims[9].checks} == {
        (outcome, hours if all(hours) else (), outcome == "yes" or not all(hours))}  # fmt: skip


def test_the_longest_pair_of_equal_hours_is_compared(measurements: Measurements) -> None:
    """Without equal hours the nearest pair is named, but not compared."""
    assert measurements.claims[9].checks[0].models == ("Luong-50 (feeding = true)", "Luong-50 (feeding = false)")
    measurements.add_scores(measurements.add_model("luong", 20.0, LUONG), good)
    measurements.add_run("larger", LUONG | {"feeding": False, "hidden": 16}, 20.0)  # differs in two settings
    measurements.add_run("unfed-1", LUONG | {"feeding": False}, 1.0)
    measurements.add_scores(measurements.add_run("unfed-10", LUONG | {"feeding": False}, 10.0), bad)
    assert {(check.models, check.has_similar_hours, check.outcome) for check in measurements.claims[9].checks} == {
        (("luong-50", "unfed-10"), False, "missing")}  # fmt: skip
    measurements.add_run("fed-1", LUONG, 1.0)
    assert {check.models for check in measurements.claims[9].checks} == {("fed-1", "unfed-1")}
    measurements.add_run("fed-3", LUONG, 3.0)
    measurements.add_run("unfed-3", LUONG | {"feeding": False}, 3.3)
    assert {check.models for check in measurements.claims[9].checks} == {("fed-3", "unfed-3")}


@pytest.mark.parametrize(("is_better", "verdict", "hours"), [
    (True, "holds", (5.0, 10.0)), (False, "unmeasured", (5.0, 10.0)), (True, "unmeasured", (12.1, 10.0)),
])  # fmt: skip
def test_the_transformer_may_win_with_fewer_hours_only(
    measurements: Measurements, is_better: bool, verdict: str, hours: tuple[float, float]
) -> None:
    rules = (good, bad) if is_better else (bad, good)
    for kind, spent, rule in zip(("transformer", "rnnsearch"), hours, rules, strict=True):
        measurements.add_scores(measurements.add_model(kind, spent), rule, SETS)
    claim = measurements.claims[14]
    assert claim.verdict == verdict
    assert {(check.hours, check.has_similar_hours) for check in claim.checks} == {(hours, verdict == "holds")}
    assert [(check.data, check.beam) for check in claim.checks] == list(SETS)


def test_coverage_and_copying_are_compared_on_the_same_sentences(measurements: Measurements) -> None:
    base = measurements.add_model("rnnsearch", 2.6)
    counts = {"words": [10], "repeated": [2], "source_words": [10], "deviation": [400_000]}
    for name in (measurements.add_model("coverage", 4.0), base):
        measurements.add_record("coverage", name, data={"name": COVERAGE_DATA[0]}, counts=counts)
    check_outcomes = {(check.has_similar_hours, check.outcome) for check in measurements.claims[12].checks}
    assert check_outcomes == {(False, "missing")}
    measurements.add_record("coverage", base, data={"name": COVERAGE_DATA[0]}, counts=counts | {"source_words": [9]})
    with pytest.raises(EvaluationError, match="coverage-50 and rnnsearch-50 are of different sentences"):
        assert measurements.claims
    measurements.add_record("coverage", base, data={"name": COVERAGE_DATA[0]}, counts=counts)
    copying = measurements.add_model("copy", 2.6)
    for name, item in ((base, "Anna"), (copying, "Anne")):
        measurements.add_record("copying", name, data={"name": COPYING_DATA[0]},
                                outcomes=[{"items": [item], "found": [True]}])
    with pytest.raises(EvaluationError, match="of different sentences"):
        assert measurements.claims
    for outcomes in ([], [{"items": ["a"], "found": [1]}], [{"items": ["a"], "found": []}]):
        measurements.add_record("copying", copying, data={"name": COPYING_DATA[0]}, outcomes=outcomes)
        with pytest.raises(EvaluationError, match=r"^copying-copy-50\.json: outcomes"):
            assert measurements.claims


def test_copying_is_judged_by_models_of_whole_words_if_there_are_any(measurements: Measurements) -> None:
    """Subwords leave nothing unknown to copy."""
    for name in (measurements.add_model("copy", 2.6), measurements.add_model("rnnsearch", 2.6)):
        measurements.add_record("copying", name, data={"name": COPYING_DATA[0]},
                                outcomes=[{"items": ["Anna"], "found": [True]}] * 9)
    assert {check.models for check in measurements.claims[13].checks} == {("copy-50", "rnnsearch-50")}
    assert measurements.claims[13].verdict != "holds"
    for kind, is_found in (("copy", True), ("rnnsearch", False)):
        name = measurements.add_model(kind, 2.6, has_unk=True)
        measurements.add_record("copying", name, data={"name": COPYING_DATA[0]},
                                outcomes=[{"items": ["Anna", "14:35"], "found": [is_found, is_found]}] * 9)
    claim = measurements.claims[13]
    assert {check.models for check in claim.checks} == {("copy-words-50", "rnnsearch-words-50")}
    assert [(check.value, check.outcome) for check in claim.checks] == [(1.0, "yes")] * 2
    assert claim.verdict == "holds"


def test_the_record_separates_runs_and_states_hours_where_compared(measurements: Measurements) -> None:
    measurements.add_scores(measurements.add_run("fed", LUONG, 2.0), good)
    measurements.add_scores(measurements.add_run("unfed", LUONG | {"feeding": False}, 2.1), bad)
    store = ResultStore(measurements.cards, measurements.folder)
    record = json.loads(dump_entries(build_record(compute_claims(store), store)))
    assert (record["models"], record["runs"]) == ({}, {run.name: run.fingerprint for run in store.runs})
    checks = {claim["number"]: claim["checks"] for claim in record["claims"]}
    assert [(check["hours"], check["has_similar_hours"]) for check in checks[9]] == [([2.0, 2.1], True)] * 2
    assert all("hours" not in check for number in range(1, 8) for check in checks[number])
    path = measurements.folder / RUNS_FOLDER / "run-fed.json"
    path.write_text(path.read_text().replace("000000000001", "ffffffffffff"))
    assert measurements.claims[9].verdict == "unmeasured"  # the evaluations are of other weights
    measurements.add_run(measurements.add_model("luong", 2.0), LUONG, 2.0)
    with pytest.raises(EvaluationError, match="name of a shipped model: luong-50"):
        assert measurements.claims
