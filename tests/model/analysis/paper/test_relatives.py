"""Check the claims of related papers on made-up measurements: each holds, fails, is open, and is missing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.analysis.errors.copied import SCHEMA
from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import name_evaluation_file
from model.analysis.paper.checks import Claim
from model.analysis.paper.claims import CHECKS, CLAIMS, PAPER, PAPERS, build_record, compute_claims
from model.analysis.paper.relatives import COPIED, COVERAGE_DATA, SETS, SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, read_runs
from model.checkpoints.checkpoint import Card
from model.serialization.codec import dump_entries
from tests.cards import build_card
from tests.pages.evaluated import Rule, make_evaluation

LUONG = {"kind": "luong", "directions": 1, "score": "general", "window": "global", "feeding": True, "hidden": 8}
LSTM = {"kind": "seq2seq", "reverse": True, "hidden": 8}
SETTINGS: dict[int, tuple[dict[str, Any], str, Any, Any]] = {
    8: (LSTM, "reverse", True, False), 9: (LUONG, "feeding", True, False), 10: (LUONG, "window", "local-p", "global"),
    15: (LUONG, "directions", 2, 1),
}  # fmt: skip
"""By claim: the network, the setting, its value in the better network and in the other."""


class Measurements:
    """A folder of made-up measurements."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cards = folder, list[Card]()
        (folder / RUNS_FOLDER).mkdir()

    @property
    def claims(self) -> dict[int, Claim]:
        return {claim.number: claim for claim in compute_claims(ResultStore(self.cards, self.folder))}

    def add_model(self, kind: str, hours: float, network: dict[str, Any] | None = None) -> str:
        """Add a shipped model and return its name."""
        card = build_card(f"{kind}-50", kind, fingerprint=self._new_fingerprint())
        self.cards.append(replace(card, network=network or card.network, training={"processor_hours": hours}))
        return card.name

    def add_run(self, name: str, network: dict[str, Any], hours: float) -> str:
        """Add a short run and return its name."""
        run = ShortRun(1, name, self._new_fingerprint(), network, 50, hours, 1000, "made up", "2026-01-02", "none")
        (self.folder / RUNS_FOLDER / run.file).write_text(run.to_json(), encoding="utf-8")
        return name

    def _new_fingerprint(self) -> str:
        return f"{len(self.cards) + len(list((self.folder / RUNS_FOLDER).iterdir())) + 1:012x}"

    def _locate(self, name: str) -> tuple[str, Path]:
        """Return the fingerprint of a model or run, and the folder of its files."""
        is_run = name in {run.name for run in read_runs(self.folder)}
        fingerprint = ResultStore(self.cards, self.folder).fingerprints[name]
        return fingerprint, self.folder / RUNS_FOLDER if is_run else self.folder

    def add_scores(self, name: str, rule: Rule, sets: Sequence[tuple[str, int]] = SHORT_SETS) -> None:
        """Add evaluations of a model or run with these scores."""
        fingerprint, folder = self._locate(name)
        for data, beam in sets:
            evaluation = replace(make_evaluation(name, rule, data=data, beam=beam), fingerprint=fingerprint)
            (folder / name_evaluation_file(data, name, beam)).write_text(evaluation.to_json(), encoding="utf-8")

    def add_record(self, kind: str, name: str, **more: Any) -> None:
        """Add a record of another kind."""
        fingerprint, folder = self._locate(name)
        (folder / f"{kind}-{name}.json").write_text(json.dumps({
            "schema": SCHEMA, "kind": kind, "model": name, "fingerprint": fingerprint,
            "search": {"name": "greedy", "beam": 1}, **more}))  # fmt: skip


@pytest.fixture
def measurements(tmp_path: Path) -> Measurements:
    return Measurements(tmp_path)


def good(length: int) -> float:
    return 0.9


def bad(length: int) -> float:
    return 0.6


def uneven(length: int) -> float:
    """Return scores about as good as `steady`, better on some sentences and worse on others."""
    return 0.9 if length % 2 else 0.6


def steady(length: int) -> float:
    return 0.75


RULES = {"holds": (good, bad), "not": (bad, good), "open": (uneven, steady)}


@pytest.mark.verdict
@pytest.mark.parametrize(("number", "verdict"), [(8, "holds"), (9, "not"), (10, "open"), (15, "holds")])
def test_claims_about_one_setting(measurements: Measurements, number: int, verdict: str) -> None:
    network, key, better, other = SETTINGS[number]
    for name, value, rule in zip(("with", "without"), (better, other), RULES[verdict], strict=True):
        measurements.add_scores(measurements.add_run(name, network | {key: value}, 2.0), rule)
    claims = measurements.claims
    assert {number: claim.verdict for number, claim in claims.items() if claim.verdict != "unmeasured"} == {
        number: verdict}  # fmt: skip
    assert [(check.models, check.data, check.beam) for check in claims[number].checks] == [
        (("with", "without"), data, beam) for data, beam in SHORT_SETS]  # fmt: skip
    assert {(check.hours, check.fair) for check in claims[number].checks} == {((2.0, 2.0), True)}


def test_a_claim_without_its_pair_is_missing(measurements: Measurements) -> None:
    missing = ("Luong-50 (feeding = true)", "Luong-50 (feeding = false)")
    assert {check.models for check in measurements.claims[9].checks} == {missing}
    measurements.add_scores(measurements.add_run("with", LUONG, 2.0), good)
    larger = LUONG | {"feeding": False, "hidden": 16}  # differs in two settings
    measurements.add_scores(measurements.add_run("larger", larger, 2.0), bad)
    assert {check.models for check in measurements.claims[9].checks} == {missing}
    measurements.add_run("without", LUONG | {"feeding": False}, 2.0)  # a run without evaluations
    claim = measurements.claims[9]
    assert claim.verdict == "unmeasured"
    assert {check.models for check in claim.checks} == {("with", "without")}


@pytest.mark.parametrize(("hours", "outcome"), [((2.0, 2.4), "yes"), ((2.41, 2.0), "missing"), ((0.0, 0.0), "missing")])
def test_hours_that_differ_by_more_than_a_fifth_are_refused(
    measurements: Measurements, hours: tuple[float, float], outcome: str
) -> None:
    for name, feeding, spent, rule in zip(("fed", "unfed"), (True, False), hours, (good, bad), strict=True):
        measurements.add_scores(measurements.add_run(name, LUONG | {"feeding": feeding}, spent), rule)
    claim = measurements.claims[9]
    assert {(check.outcome, check.hours, check.fair) for check in claim.checks} == {
        (outcome, hours if all(hours) else (), outcome == "yes" or not all(hours))}  # fmt: skip
    assert claim.verdict == ("holds" if outcome == "yes" else "unmeasured")


def test_the_longest_pair_of_equal_hours_is_compared(measurements: Measurements) -> None:
    """The shipped model had far more hours than any network without input feeding, and is not compared."""
    measurements.add_model("luong", 20.0, LUONG)
    measurements.add_run("fed-1", LUONG, 1.0)
    measurements.add_run("unfed-1", LUONG | {"feeding": False}, 1.0)
    assert {check.models for check in measurements.claims[9].checks} == {("fed-1", "unfed-1")}
    measurements.add_run("fed-3", LUONG, 3.0)
    measurements.add_run("unfed-3", LUONG | {"feeding": False}, 3.3)
    assert {check.models for check in measurements.claims[9].checks} == {("fed-3", "unfed-3")}


def test_without_equal_hours_the_nearest_pair_is_named(measurements: Measurements) -> None:
    measurements.add_scores(measurements.add_model("luong", 20.0, LUONG), good)
    measurements.add_scores(measurements.add_run("unfed-1", LUONG | {"feeding": False}, 1.0), bad)
    measurements.add_scores(measurements.add_run("unfed-10", LUONG | {"feeding": False}, 10.0), bad)
    checks = measurements.claims[9].checks
    assert {(check.models, check.hours, check.fair, check.outcome) for check in checks} == {
        (("luong-50", "unfed-10"), (20.0, 10.0), False, "missing")}  # fmt: skip


def test_attention_scores_are_compared_pairwise(measurements: Measurements) -> None:
    for score, rule in {"dot": steady, "general": good, "concat": bad}.items():
        measurements.add_scores(measurements.add_run(score, LUONG | {"score": score}, 2.0), rule)
    claim = measurements.claims[11]
    assert [(check.models, check.outcome) for check in claim.checks[::2]] == [
        (("dot", "general"), "no"), (("dot", "concat"), "yes"), (("general", "concat"), "yes")]  # fmt: skip
    assert claim.verdict == "partly"


SOURCE_WORDS = [10, 12, 20, 15, 11, 9]
STEADY = {"words": [10] * 6, "repeated": [2] * 6, "source_words": SOURCE_WORDS, "deviation": [400_000] * 6}
LESS = STEADY | {"repeated": [1] * 6, "deviation": [300_000] * 6}
MIXED = STEADY | {"repeated": [0, 4, 0, 4, 0, 4], "deviation": [100_000, 700_000, 100_000, 900_000, 100_000, 700_000]}


def compare_coverage(measurements: Measurements, first: dict[str, list[int]], second: dict[str, list[int]],
                     hours: tuple[float, float] = (3.0, 2.6)) -> Claim:
    for kind, spent, counts in zip(("coverage", "rnnsearch"), hours, (first, second), strict=True):
        name = measurements.add_model(kind, spent)
        measurements.add_record("looking", name, data={"name": COVERAGE_DATA[0]}, counts=counts)
    return measurements.claims[12]


@pytest.mark.verdict
@pytest.mark.parametrize(("first", "second", "verdict"), [
    (LESS, STEADY, "holds"), (STEADY, LESS, "not"), (MIXED, STEADY, "open"),
    (LESS | {"deviation": [500_000] * 6}, STEADY, "partly"),
])  # fmt: skip
def test_coverage_claim(
    measurements: Measurements, first: dict[str, list[int]], second: dict[str, list[int]], verdict: str
) -> None:
    claim = compare_coverage(measurements, first, second)
    assert claim.verdict == verdict
    assert [check.models for check in claim.checks] == [("coverage-50", "rnnsearch-50")] * 2
    if first is LESS:
        assert [check.value for check in claim.checks] == pytest.approx([0.1, 0.6 / sum(SOURCE_WORDS)])


def test_coverage_is_missing_at_other_hours_and_without_a_file(measurements: Measurements) -> None:
    assert compare_coverage(measurements, LESS, STEADY, (4.0, 2.6)).verdict == "unmeasured"
    assert {check.fair for check in measurements.claims[12].checks} == {False}
    (measurements.folder / "looking-coverage-50.json").unlink()
    assert {(check.outcome, check.fair) for check in measurements.claims[12].checks} == {("missing", True)}


@pytest.mark.verdict
def test_extensions_are_compared_with_the_base_network_of_nearest_hours(measurements: Measurements) -> None:
    """The comparison is with a short training without coverage, not with the model that both started from."""
    measurements.add_run("rnnsearch-course", {"kind": "rnnsearch"}, 3.1)
    measurements.add_run("rnnsearch-anew", {"kind": "rnnsearch"}, 1.4)
    measurements.add_record("looking", "rnnsearch-course", data={"name": COVERAGE_DATA[0]}, counts=STEADY)
    claim = compare_coverage(measurements, LESS, LESS)
    assert [(check.models, check.hours) for check in claim.checks] == [
        (("coverage-50", "rnnsearch-course"), (3.0, 3.1))] * 2  # fmt: skip
    assert claim.verdict == "holds"


def test_coverage_of_other_sentences_is_not_compared(measurements: Measurements) -> None:
    with pytest.raises(EvaluationError, match="coverage-50 and rnnsearch-50 is not of the same sentences"):
        compare_coverage(measurements, LESS, STEADY | {"source_words": SOURCE_WORDS[::-1]})


ITEMS = [["Anna"], ["Oslo", "12"], ["3,500"], ["Nguyen"], ["14:35", "7"], ["Kim"]]
ALL, NONE = [[True] * len(items) for items in ITEMS], [[False] * len(items) for items in ITEMS]
EVEN, ODD = ([[index % 2 == rest] * len(items) for index, items in enumerate(ITEMS)] for rest in (0, 1))
NAMES = [[not any(map(str.isdigit, item)) for item in items] for items in ITEMS]


def compare_copying(measurements: Measurements, first: list[list[bool]], second: list[list[bool]],
                    hours: tuple[float, float] = (3.0, 2.6)) -> Claim:
    for kind, spent, flags in zip(("copy", "rnnsearch"), hours, (first, second), strict=True):
        outcomes = [{"items": items, "found": is_found} for items, is_found in zip(ITEMS, flags, strict=True)]
        name = measurements.add_model(kind, spent)
        measurements.add_record("copied", name, data={"name": COPIED[0]}, outcomes=outcomes)
    return measurements.claims[13]


@pytest.mark.parametrize(("first", "second", "verdict", "values"), [
    (ALL, NONE, "holds", [1.0, 1.0]), (NONE, ALL, "not", [-1.0, -1.0]), (EVEN, ODD, "open", [0.0, 0.0]),
    (NAMES, NONE, "partly", [1.0, 0.0]),
])  # fmt: skip
def test_copying_claim(
    measurements: Measurements, first: list[list[bool]], second: list[list[bool]], verdict: str, values: list[float]
) -> None:
    claim = compare_copying(measurements, first, second)
    assert claim.verdict == verdict
    assert [check.key for check in claim.checks] == ["names_gain", "numbers_gain"]
    if verdict != "open":
        assert [(check.value, check.low, check.high) for check in claim.checks] == [(value,) * 3 for value in values]


def test_copying_is_missing_at_other_hours_and_refused_of_other_items(measurements: Measurements) -> None:
    assert compare_copying(measurements, ALL, NONE, (2.0, 2.6)).verdict == "unmeasured"
    assert {check.fair for check in measurements.claims[13].checks} == {False}
    path = measurements.folder / "copied-copy-50.json"
    text = path.read_text()
    path.write_text(text.replace("Nguyen", "Niamh"))
    with pytest.raises(EvaluationError, match="not of the same sentences"):
        assert measurements.claims
    for outcomes in ([], [{"items": ["a"], "found": [1]}], [{"items": ["a"], "found": []}]):
        path.write_text(json.dumps(json.loads(text) | {"outcomes": outcomes}))
        with pytest.raises(EvaluationError, match=r"^copied-copy-50\.json: outcomes"):
            assert measurements.claims


@pytest.mark.parametrize(("rules", "verdict", "hours", "fair"), [
    ("holds", "holds", (5.0, 10.0), True), ("not", "unmeasured", (5.0, 10.0), False),
    ("open", "open", (9.0, 10.0), True), ("holds", "unmeasured", (12.1, 10.0), False),
])  # fmt: skip
def test_the_transformer_may_win_with_fewer_hours_only(
    measurements: Measurements, rules: str, verdict: str, hours: tuple[float, float], fair: bool
) -> None:
    for kind, spent, rule in zip(("transformer", "rnnsearch"), hours, RULES[rules], strict=True):
        measurements.add_scores(measurements.add_model(kind, spent), rule, SETS)
    claim = measurements.claims[14]
    assert claim.verdict == verdict
    assert {(check.hours, check.fair) for check in claim.checks} == {(hours, fair)}
    assert [(check.data, check.beam) for check in claim.checks] == list(SETS)


def test_the_transformer_is_compared_with_a_run_of_equal_hours(measurements: Measurements) -> None:
    measurements.add_scores(measurements.add_model("rnnsearch", 10.0), good, SETS)
    measurements.add_scores(measurements.add_model("transformer", 5.0), bad, SHORT_SETS)
    measurements.add_scores(measurements.add_run("rnnsearch-anew", {"kind": "rnnsearch"}, 4.9), good)
    measurements.add_run("rnnsearch-older", {"kind": "rnnsearch"}, 4.0)
    claim = measurements.claims[14]
    assert claim.verdict == "not"
    assert [(check.models, check.hours, check.data, check.beam) for check in claim.checks] == [
        (("transformer-50", "rnnsearch-anew"), (5.0, 4.9), data, beam) for data, beam in SHORT_SETS]  # fmt: skip


def test_every_claim_has_a_number_and_a_paper(measurements: Measurements) -> None:
    claims = measurements.claims
    assert list(claims) == list(CLAIMS) == list(PAPERS) == list(range(1, 16))
    assert list(PAPER) == list(range(1, 8))
    assert PAPERS[8] == "Sutskever, Vinyals and Le 2014"
    assert PAPERS[7] == PAPERS[15] == "Bahdanau, Cho and Bengio 2015"
    assert {check.key for claim in claims.values() for check in claim.checks} == set(CHECKS)
    assert {claim.verdict for claim in claims.values()} == {"unmeasured"}


def test_the_record_separates_runs_and_states_hours_where_compared(measurements: Measurements) -> None:
    measurements.add_scores(measurements.add_run("fed", LUONG, 2.0), good)
    measurements.add_scores(measurements.add_run("unfed", LUONG | {"feeding": False}, 2.1), bad)
    store = ResultStore(measurements.cards, measurements.folder)
    record = json.loads(dump_entries(build_record(compute_claims(store), store)))
    assert (record["models"], record["runs"]) == ({}, {run.name: run.fingerprint for run in store.runs})
    checks = {claim["number"]: claim["checks"] for claim in record["claims"]}
    assert [(check["hours"], check["fair"]) for check in checks[9]] == [([2.0, 2.1], True)] * 2
    assert all("hours" not in check for number in range(1, 8) for check in checks[number])
    path = measurements.folder / RUNS_FOLDER / "run-fed.json"
    path.write_text(path.read_text().replace("000000000001", "ffffffffffff"))
    assert measurements.claims[9].verdict == "unmeasured"  # the evaluations are of other weights


def test_a_run_named_like_a_model_is_refused(measurements: Measurements) -> None:
    measurements.add_run(measurements.add_model("luong", 2.0, LUONG), LUONG, 2.0)
    with pytest.raises(EvaluationError, match="called as a model is: luong-50"):
        assert measurements.claims
