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
from model.analysis.evaluation.stored import evaluation_file_name
from model.analysis.paper.checks import Claim
from model.analysis.paper.claims import CHECKS, CLAIMS, PAPER, PAPERS, build_record, compute_claims
from model.analysis.paper.relatives import COPIED, COVERAGE_DATA, SETS, SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, read_runs
from model.checkpoints.checkpoint import Card
from model.networks.registry import find_kind
from model.serialization.codec import dump_entries
from tests.cards import build_card
from tests.pages.evaluated import Rule, make_evaluation

LUONG = {"kind": "luong", "directions": 1, "score": "general", "window": "global", "feeding": True, "hidden": 8}
LSTM = {"kind": "seq2seq", "reverse": True, "hidden": 8}
ONE_THING: dict[int, tuple[dict[str, Any], str, Any, Any]] = {
    8: (LSTM, "reverse", True, False), 9: (LUONG, "feeding", True, False), 10: (LUONG, "window", "local-p", "global"),
    15: (LUONG, "directions", 2, 1),
}  # fmt: skip
"""Of the claims about one part of a network: the network, the part, what it is in the better one and in the other."""


class World:
    """A folder of made-up measurements."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cards = folder, list[Card]()
        (folder / RUNS_FOLDER).mkdir()

    @property
    def claims(self) -> dict[int, Claim]:
        return {claim.number: claim for claim in compute_claims(ResultStore(self.cards, self.folder))}

    def model(self, kind: str, hours: float, network: dict[str, Any] | None = None) -> str:
        """Add a shipped model and return its name."""
        made = build_card(f"{kind}-50", kind, fingerprint=self.print())
        self.cards.append(replace(made, network=network or made.network, training={"processor_hours": hours}))
        return made.name

    def run(self, name: str, network: dict[str, Any], hours: float) -> str:
        """Add a short run and return its name."""
        made = ShortRun(1, name, self.print(), network, 50, hours, 1000, "made up", "2026-01-02", "none")
        (self.folder / RUNS_FOLDER / made.file).write_text(made.to_json(), encoding="utf-8")
        return name

    def print(self) -> str:
        """Return a unique fingerprint."""
        return f"{len(self.cards) + len(list((self.folder / RUNS_FOLDER).iterdir())) + 1:012x}"

    def scores(self, name: str, rule: Rule, sets: Sequence[tuple[str, int]] = SHORT_SETS) -> None:
        """Add evaluations of a model or run with these scores."""
        fingerprints = ResultStore(self.cards, self.folder).fingerprints
        of_run = name in {one.name for one in read_runs(self.folder)}
        for data, beam in sets:
            made = make_evaluation(name, rule, data=data, beam=beam)
            made = replace(made, fingerprint=fingerprints[name])
            place = self.folder / RUNS_FOLDER if of_run else self.folder
            (place / evaluation_file_name(data, name, beam)).write_text(made.to_json(), encoding="utf-8")

    def record(self, kind: str, name: str, **more: Any) -> Path:
        """Add a record of another kind."""
        fingerprint = ResultStore(self.cards, self.folder).fingerprints[name]
        of_run = name in {one.name for one in read_runs(self.folder)}
        path = (self.folder / RUNS_FOLDER if of_run else self.folder) / f"{kind}-{name}.json"
        path.write_text(json.dumps({"schema": SCHEMA, "kind": kind, "model": name, "fingerprint": fingerprint,
                                    "search": {"name": "greedy", "beam": 1}, **more}))  # fmt: skip
        return path


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


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
@pytest.mark.parametrize("number", ONE_THING)
@pytest.mark.parametrize("verdict", RULES)
def test_claims_about_one_setting(world: World, number: int, verdict: str) -> None:
    network, key, one, other = ONE_THING[number]
    for name, value, rule in zip(("with", "without"), (one, other), RULES[verdict], strict=True):
        world.scores(world.run(name, network | {key: value}, 2.0), rule)
    claim = world.claims[number]
    assert claim.verdict == verdict
    assert [(check.models, check.data, check.beam) for check in claim.checks] == [
        (("with", "without"), data, beam) for data, beam in SHORT_SETS]  # fmt: skip
    assert {(check.hours, check.fair) for check in claim.checks} == {((2.0, 2.0), True)}
    others = {number for number, claim in world.claims.items() if claim.verdict != "unmeasured"} - {number}
    assert not others


@pytest.mark.parametrize("number", ONE_THING)
def test_a_claim_without_its_pair_is_missing(world: World, number: int) -> None:
    network, key, one, other = ONE_THING[number]
    title = find_kind(network["kind"]).title
    first, second = f"{title}-50 ({key} = {str(one).lower()})", f"{title}-50 ({key} = {str(other).lower()})"
    assert {check.models for check in world.claims[number].checks} == {(first, second)}
    world.scores(world.run("with", network | {key: one}, 2.0), good)
    world.scores(world.run("larger-too", network | {key: other, "hidden": 16}, 2.0), bad)
    assert {check.models for check in world.claims[number].checks} == {(first, second)}  # they differ in two things
    world.run("without", network | {key: other}, 2.0)
    claim = world.claims[number]
    assert claim.verdict == "unmeasured"  # a run of which nothing was measured
    assert {check.models for check in claim.checks} == {("with", "without")}


@pytest.mark.parametrize(("hours", "outcome"), [((2.0, 2.4), "yes"), ((2.4, 2.0), "yes"), ((2.0, 2.41), "missing"),
                                                ((2.41, 2.0), "missing"), ((0.0, 0.0), "missing")])
def test_hours_that_differ_by_more_than_a_fifth_are_refused(
    world: World, hours: tuple[float, float], outcome: str
) -> None:
    for name, feeding, spent, rule in zip(("fed", "unfed"), (True, False), hours, (good, bad), strict=True):
        world.scores(world.run(name, LUONG | {"feeding": feeding}, spent), rule)
    claim = world.claims[9]
    assert {check.outcome for check in claim.checks} == {outcome}
    assert {check.hours for check in claim.checks} == {hours if all(hours) else ()}
    assert {check.fair for check in claim.checks} == {outcome == "yes" or not all(hours)}
    assert claim.verdict == ("holds" if outcome == "yes" else "unmeasured")


def test_the_longest_pair_of_equal_hours_is_compared(world: World) -> None:
    """The shipped model had far more hours than any network without input feeding, and is not compared."""
    world.model("luong", 20.0, LUONG)
    world.run("fed-1", LUONG, 1.0)
    world.run("unfed-1", LUONG | {"feeding": False}, 1.0)
    assert {check.models for check in world.claims[9].checks} == {("fed-1", "unfed-1")}
    world.run("fed-3", LUONG, 3.0)
    world.run("unfed-3", LUONG | {"feeding": False}, 3.3)
    assert {check.models for check in world.claims[9].checks} == {("fed-3", "unfed-3")}


def test_without_equal_hours_the_nearest_pair_is_named(world: World) -> None:
    world.scores(world.model("luong", 20.0, LUONG), good)
    world.scores(world.run("unfed-1", LUONG | {"feeding": False}, 1.0), bad)
    world.scores(world.run("unfed-10", LUONG | {"feeding": False}, 10.0), bad)
    assert {(check.models, check.hours, check.fair, check.outcome) for check in world.claims[9].checks} == {
        (("luong-50", "unfed-10"), (20.0, 10.0), False, "missing")}  # fmt: skip


@pytest.mark.parametrize(("rules", "verdict"), [
    ({"dot": good, "general": steady, "concat": bad}, "holds"),
    ({"dot": bad, "general": steady, "concat": good}, "not"),
    ({"dot": steady, "general": good, "concat": bad}, "partly"),
])  # fmt: skip
def test_scores_are_compared_pairwise(world: World, rules: dict[str, Rule], verdict: str) -> None:
    for score, rule in rules.items():
        world.scores(world.run(score, LUONG | {"score": score}, 2.0), rule)
    claim = world.claims[11]
    assert claim.verdict == verdict
    assert [check.models for check in claim.checks[::2]] == [("dot", "general"), ("dot", "concat"),
                                                             ("general", "concat")]  # fmt: skip


SOURCE = [10, 12, 20, 15, 11, 9]
STEADY = {"words": [10] * 6, "repeated": [2] * 6, "source_words": SOURCE, "deviation": [400_000] * 6}
LESS = STEADY | {"repeated": [1] * 6, "deviation": [300_000] * 6}
MIXED = STEADY | {"repeated": [0, 4, 0, 4, 0, 4], "deviation": [100_000, 700_000, 100_000, 900_000, 100_000, 700_000]}


def looked(world: World, mine: dict[str, list[int]], others: dict[str, list[int]],
           hours: tuple[float, float] = (3.0, 2.6)) -> Claim:
    for kind, spent, counts in zip(("coverage", "rnnsearch"), hours, (mine, others), strict=True):
        world.record("looking", world.model(kind, spent), data={"name": COVERAGE_DATA[0]}, counts=counts)
    return world.claims[12]


@pytest.mark.verdict
@pytest.mark.parametrize(("mine", "others", "verdict"), [
    (LESS, STEADY, "holds"), (STEADY, LESS, "not"), (MIXED, STEADY, "open"), (STEADY, STEADY, "open"),
    (LESS | {"deviation": [500_000] * 6}, STEADY, "partly"),
])  # fmt: skip
def test_coverage_claim(
    world: World, mine: dict[str, list[int]], others: dict[str, list[int]], verdict: str
) -> None:
    claim = looked(world, mine, others)
    assert claim.verdict == verdict
    assert [check.models for check in claim.checks] == [("coverage-50", "rnnsearch-50")] * 2
    if mine is LESS:
        assert [check.value for check in claim.checks] == pytest.approx([0.1, 0.6 / sum(SOURCE)])


def test_coverage_is_missing_at_other_hours_and_without_a_file(world: World) -> None:
    assert looked(world, LESS, STEADY, (4.0, 2.6)).verdict == "unmeasured"
    assert {check.fair for check in world.claims[12].checks} == {False}
    (world.folder / "looking-coverage-50.json").unlink()
    assert {(check.outcome, check.fair) for check in world.claims[12].checks} == {("missing", True)}


@pytest.mark.verdict
def test_extensions_are_compared_with_the_base_network_of_nearest_hours(world: World) -> None:
    """The comparison is with a short training without coverage, not with the model that both started from."""
    world.run("rnnsearch-course", {"kind": "rnnsearch"}, 3.1)
    world.run("rnnsearch-anew", {"kind": "rnnsearch"}, 1.4)
    world.record("looking", "rnnsearch-course", data={"name": COVERAGE_DATA[0]}, counts=STEADY)
    claim = looked(world, LESS, LESS)
    assert [(check.models, check.hours) for check in claim.checks] == [
        (("coverage-50", "rnnsearch-course"), (3.0, 3.1))] * 2  # fmt: skip
    assert claim.verdict == "holds"


def test_coverage_of_other_sentences_is_not_compared(world: World) -> None:
    with pytest.raises(EvaluationError, match="coverage-50 and rnnsearch-50 is not of the same sentences"):
        looked(world, LESS, STEADY | {"source_words": SOURCE[::-1]})


ITEMS = [["Anna"], ["Oslo", "12"], ["3,500"], ["Nguyen"], ["14:35", "7"], ["Kim"]]
RIGHT, WRONG = [[True] * len(one) for one in ITEMS], [[False] * len(one) for one in ITEMS]
HALF = [[place % 2 == 0] * len(one) for place, one in enumerate(ITEMS)]
OTHER_HALF = [[place % 2 == 1] * len(one) for place, one in enumerate(ITEMS)]


def copied(world: World, mine: list[list[bool]], others: list[list[bool]], hours: tuple[float, float] = (3.0, 2.6),
           items: Sequence[Sequence[str]] = ITEMS) -> Claim:
    for kind, spent, result in zip(("copy", "rnnsearch"), hours, (mine, others), strict=True):
        asked = items if kind == "copy" else ITEMS
        outcomes = [{"items": list(one), "found": there} for one, there in zip(asked, result, strict=True)]
        world.record("copied", world.model(kind, spent), data={"name": COPIED[0]}, outcomes=outcomes)
    return world.claims[13]


@pytest.mark.parametrize(("mine", "others", "verdict"), [
    (RIGHT, WRONG, "holds"), (WRONG, RIGHT, "not"), (HALF, OTHER_HALF, "open"),
    ([[not any(map(str.isdigit, item)) for item in one] for one in ITEMS], WRONG, "partly"),
])  # fmt: skip
def test_copying_claim(
    world: World, mine: list[list[bool]], others: list[list[bool]], verdict: str
) -> None:
    claim = copied(world, mine, others)
    assert claim.verdict == verdict
    assert [check.key for check in claim.checks] == ["names_gain", "numbers_gain"]
    if verdict == "partly":  # of the names all, of the numbers none
        assert [(check.value, check.outcome) for check in claim.checks] == [(1.0, "yes"), (0.0, "open")]
    if verdict == "holds":
        assert [(check.value, check.low, check.high) for check in claim.checks] == [(1.0, 1.0, 1.0)] * 2


def test_copying_is_missing_at_other_hours_and_refused_of_other_items(world: World) -> None:
    assert copied(world, RIGHT, WRONG, (2.0, 2.6)).verdict == "unmeasured"
    assert {check.fair for check in world.claims[13].checks} == {False}
    path = world.folder / "copied-copy-50.json"
    path.write_text(path.read_text().replace("Nguyen", "Niamh"))
    with pytest.raises(EvaluationError, match="not of the same sentences"):
        assert world.claims


@pytest.mark.parametrize(("place", "value"), [("outcomes", []), ("outcomes", [3]), ("outcomes", [{"items": ["a"]}]),
                                              ("outcomes", [{"items": ["a"], "found": [1]}]),
                                              ("outcomes", [{"items": ["a"], "found": []}])])
def test_a_damaged_file_of_items_is_named(world: World, place: str, value: object) -> None:
    copied(world, RIGHT, WRONG)
    path = world.folder / "copied-copy-50.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {place: value}))
    with pytest.raises(EvaluationError, match=r"^copied-copy-50\.json: outcomes"):
        assert world.claims


@pytest.mark.parametrize(("result", "verdict", "hours", "fair"), [
    ("holds", "holds", (5.0, 10.0), True), ("not", "unmeasured", (5.0, 10.0), False),
    ("open", "unmeasured", (5.0, 10.0), False), ("not", "not", (9.0, 10.0), True), ("open", "open", (9.0, 10.0), True),
    ("holds", "holds", (12.0, 10.0), True), ("holds", "unmeasured", (12.1, 10.0), False),
])  # fmt: skip
def test_the_transformer_may_win_with_fewer_hours_only(
    world: World, result: str, verdict: str, hours: tuple[float, float], fair: bool
) -> None:
    for kind, spent, rule in zip(("transformer", "rnnsearch"), hours, RULES.get(result, (good, bad)), strict=True):
        world.scores(world.model(kind, spent), rule, SETS)
    claim = world.claims[14]
    assert claim.verdict == verdict
    assert {(check.hours, check.fair) for check in claim.checks} == {(hours, fair)}
    assert [(check.data, check.beam) for check in claim.checks] == list(SETS)


def test_the_transformer_is_compared_with_a_run_of_equal_hours(world: World) -> None:
    world.scores(world.model("rnnsearch", 10.0), good, SETS)
    world.scores(world.model("transformer", 5.0), bad, SHORT_SETS)
    world.scores(world.run("rnnsearch-anew", {"kind": "rnnsearch"}, 4.9), good)
    world.run("rnnsearch-older", {"kind": "rnnsearch"}, 4.0)
    claim = world.claims[14]
    assert claim.verdict == "not"
    assert [(check.models, check.data, check.beam) for check in claim.checks] == [
        (("transformer-50", "rnnsearch-anew"), data, beam) for data, beam in SHORT_SETS]  # fmt: skip
    assert {check.hours for check in claim.checks} == {(5.0, 4.9)}


def test_every_claim_has_a_paper_and_the_seven_keep_their_numbers(world: World) -> None:
    assert list(PAPER) == [1, 2, 3, 4, 5, 6, 7]
    assert list(world.claims) == list(CLAIMS) == list(PAPERS) == [*PAPER, 8, 9, 10, 11, 12, 13, 14, 15]
    assert PAPERS[8] == "Sutskever, Vinyals and Le 2014"
    assert PAPERS[7] == PAPERS[15] == "Bahdanau, Cho and Bengio 2015"
    assert {check.key for claim in world.claims.values() for check in claim.checks} == set(CHECKS)
    assert {claim.verdict for claim in world.claims.values()} == {"unmeasured"}


def test_the_record_separates_runs_and_states_hours_where_compared(world: World) -> None:
    world.scores(world.run("fed", LUONG, 2.0), good)
    world.scores(world.run("unfed", LUONG | {"feeding": False}, 2.1), bad)
    measured = ResultStore(world.cards, world.folder)
    record = json.loads(dump_entries(build_record(compute_claims(measured), measured)))
    assert (record["models"], record["runs"]) == ({}, {one.name: one.fingerprint for one in measured.runs})
    ninth = next(claim for claim in record["claims"] if claim["number"] == 9)
    assert [(check["hours"], check["fair"]) for check in ninth["checks"]] == [([2.0, 2.1], True)] * 2
    assert all("hours" not in check for claim in record["claims"] if claim["number"] < 8 for check in claim["checks"])


def test_evaluations_of_other_weights_of_a_run_are_missing(world: World) -> None:
    world.scores(world.run("fed", LUONG, 2.0), good)
    world.scores(world.run("unfed", LUONG | {"feeding": False}, 2.1), bad)
    path = world.folder / RUNS_FOLDER / "run-fed.json"
    path.write_text(path.read_text().replace("000000000001", "ffffffffffff"))
    assert world.claims[9].verdict == "unmeasured"


def test_a_run_named_like_a_model_is_refused(world: World) -> None:
    world.run(world.model("luong", 2.0, LUONG), LUONG, 2.0)
    with pytest.raises(EvaluationError, match="called as a model is: luong-50"):
        assert world.claims
