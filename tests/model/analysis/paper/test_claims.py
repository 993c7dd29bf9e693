"""Check verdicts and values of the paper's claims on known measurements; test_shipped.py checks the shipped ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.metrics.learning_curve import interpolate_bleu, read_learning_curve
from model.analysis.paper.checks import MIN_HOURS, Check, Claim
from model.analysis.paper.claims import (
    MAX_SHORT_WORDS,
    MIN_LONG_WORDS,
    build_record,
    compute_bleu_losses,
    compute_claims,
)
from model.analysis.paper.report import DEV_TEXT
from model.analysis.paper.result_store import ResultStore
from model.checkpoints.checkpoint import SHIPPED, Card, read_card
from model.serialization.codec import dump_entries
from tests.cards import build_named_card
from tests.model.analysis.paper.measurement_files import write_record

PRINTS = {"rnnsearch-50": "a" * 12, "rnnencdec-50": "b" * 12}


def build_cards(prints: dict[str, str]) -> list[Card]:
    return [build_named_card(name, fingerprint) for name, fingerprint in prints.items()]


BANDS = {"yes": (1.0, 2.0), "no": (-2.0, -1.0), "open": (-1.0, 1.0), "missing": (None, None)}


@pytest.mark.verdict
@pytest.mark.parametrize(("outcomes", "verdict"), [
    (["yes", "yes"], "holds"), (["yes", "no"], "partly"), (["yes", "open"], "partly"), (["no", "no"], "not"),
    (["no", "open"], "not"), (["open", "open"], "open"), (["yes", "missing"], "unmeasured"),
])  # fmt: skip
def test_verdicts(outcomes: list[str], verdict: str) -> None:
    bands = [BANDS[outcome] for outcome in outcomes]
    above_checks = [Check("gain", ("one",), "made-up", 1, low, low, high, 0.0) for low, high in bands]
    below_checks = [
        Check("loss", ("one",), "made-up", 1, low, None if high is None else -high, None if low is None else -low,
              None, 0.0) for low, high in bands
    ]  # fmt: skip
    for checks in (above_checks, below_checks):
        assert [check.outcome for check in checks] == outcomes
        assert Claim(1, tuple(checks)).verdict == verdict
    assert Check("gain", ("one",), "made-up", 1, 0.2, 0.0, 0.5, 0.0).outcome == "open"  # the bound itself


@pytest.mark.parametrize(("outcome", "hours", "expected"), [
    ("yes", (0.6, 0.5), "open"), ("no", (MIN_HOURS, MIN_HOURS - 0.1), "open"), ("no", (MIN_HOURS, MIN_HOURS), "no"),
    ("missing", (0.6, 0.5), "missing"), ("no", (), "no"),
])  # fmt: skip
def test_too_few_hours_on_either_side_leave_a_check_open(
    outcome: str, hours: tuple[float, ...], expected: str
) -> None:
    low, high = BANDS[outcome]
    check = Check("gain", ("one", "two"), "made-up", 1, low, low, high, 0.0, hours=hours)
    assert check.outcome == expected
    assert Claim(9, (check,)).hours == dict(zip(check.models, hours, strict=False))


def test_order_of_two_shipped_models_turns_before_the_least_hours() -> None:
    """This is why MIN_HOURS is what it is; the shipped learning curves are the evidence."""
    short, long = (read_learning_curve(read_card(SHIPPED / name)) for name in ("rnnsearch-30", "rnnsearch-50"))

    def is_short_ahead(hours: float) -> bool:
        short_bleu, long_bleu = (interpolate_bleu(curve, hours, DEV_TEXT) for curve in (short, long))
        assert short_bleu is not None
        assert long_bleu is not None
        return short_bleu > long_bleu

    assert all(map(is_short_ahead, np.arange(0.5, 1.36, 0.05)))
    assert not any(map(is_short_ahead, np.arange(MIN_HOURS, short[-1].hours, 0.05)))


def build_bleu_counts(correct: int, length: int = 20) -> list[int]:
    """Return the BLEU statistics of a sentence with `correct` right n-grams of each order."""
    return [correct] * 4 + [length, length - 1, length - 2, length - 3, length, length]


@pytest.mark.verdict
def test_losses_of_known_counts() -> None:
    """All short sentences are equal and all long ones, so that all resamples are equal."""
    words = np.array([MAX_SHORT_WORDS, MAX_SHORT_WORDS - 5, MIN_LONG_WORDS, MIN_LONG_WORDS + 20, 30])
    falling = np.array([build_bleu_counts(correct) for correct in (16, 16, 8, 8, 1)])
    constant = np.array([build_bleu_counts(10)] * 5)
    value, resampled = compute_bleu_losses([falling, constant], words, resamples=50)
    assert value == pytest.approx([0.5, 0.0])  # half of the n-grams of every order: half the score
    assert resampled == pytest.approx(np.tile([0.5, 0.0], (50, 1)))
    with pytest.raises(ValueError, match="sentences of up to 20 and of over 50 words"):
        compute_bleu_losses([falling], np.full(5, 30))


ALIGNMENT_STATISTICS = {
    "steps": [10, 10], "steps_back": [1, 1], "steps_back_right": [1, 1],
    "gold_back": [1, 1], "gold_back_found": [0, 0],
    "unequal": [4, 4], "unequal_right": [3, 3], "unequal_diagonal": [2, 2], "articles": [2, 2],
    "articles_ahead": [600_000, 600_000], "others": [4, 4], "others_ahead": [400_000, 400_000],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the other records, of two equal sentences, so that every band is a point."""
    head = {"schema": 1, "model": "rnnsearch-50", "fingerprint": PRINTS["rnnsearch-50"]}
    write_record(tmp_path, "alignment-rnnsearch-50.json", head | {
        "kind": "alignment-error", "data": {"name": "hansards.en-fr"}, "statistics": ALIGNMENT_STATISTICS, "counts": {
            "surface": {"links": [5, 5], "sure": [5, 5], "links_sure": [4, 4], "links_possible": [5, 5]},
            "diagonal": {"links": [5, 5], "sure": [5, 5], "links_sure": [2, 2], "links_possible": [3, 3]}}})
    for name, last in (("rnnsearch-50", 5), ("rnnencdec-50", 2)):
        counts = {"first": [10] * 2, "first_found": [5] * 2, "middle": [10] * 2, "middle_found": [4] * 2,
                  "last": [10] * 2, "last_found": [last] * 2}
        write_record(tmp_path, f"endings-{name}.json", {
            "schema": 1, "kind": "endings", "model": name, "fingerprint": PRINTS[name], "counts": counts,
            "data": {"name": "made-up, over 30 words"}, "search": {"name": "greedy", "beam": 1}})
    return tmp_path


def test_division_by_zero_is_not_measured(folder: Path) -> None:
    """With few sentences there may be no backward link, or no word found in the first third."""
    for file, key, zeros in (("alignment-rnnsearch-50.json", "statistics", ("steps_back", "steps_back_right")),
                             ("endings-rnnencdec-50.json", "counts", ("first_found",))):
        record = json.loads((folder / file).read_bytes())
        record[key] |= {name: [0, 0] for name in zeros}
        write_record(folder, file, record)
    measured = ResultStore(build_cards(PRINTS), folder)
    claims = compute_claims(measured)
    outcomes = {check.key: check.outcome for claim in claims[4:7] for check in claim.checks}
    assert [outcomes[key] for key in ("steps_back_right", "steps_on", "end_loss")] == ["missing", "yes", "missing"]
    assert '"value":null' in dump_entries(build_record(claims, measured))  # NaN is not valid JSON


def get_values(claim: Claim) -> dict[str, float | None]:
    return {check.key: check.value for check in claim.checks}


def test_alignment_and_ending_checks_of_known_counts(folder: Path) -> None:
    claims = {claim.number: claim for claim in compute_claims(ResultStore(build_cards(PRINTS), folder))}
    assert get_values(claims[5]) == pytest.approx(
        {"aer_gain": 0.9 - 0.5, "steps_on": 0.9, "steps_back_right": 1.0, "gold_back_found": 0.0})
    assert claims[5].verdict == "partly"
    assert get_values(claims[6]) == pytest.approx(
        {"unequal_right": 0.75, "unequal_gain": 0.25, "article_gain": 0.3 - 0.1})
    assert claims[6].verdict == "holds"
    assert [check.value for check in claims[7].checks] == pytest.approx([0.0, 0.6, 0.6])
    assert claims[7].verdict == "holds"
    assert {claims[number].verdict for number in claims if number not in (5, 6, 7)} == {"unmeasured"}
    other_claims = compute_claims(ResultStore(build_cards(PRINTS | {"rnnsearch-50": "c" * 12}), folder))
    assert {claim.verdict for claim in other_claims} == {"unmeasured"}  # the files are of other weights


@pytest.mark.parametrize(
    ("file", "place", "value", "expected"),
    [
        ("alignment-rnnsearch-50.json", ("data",), [], "data.name must be a text"),
        ("alignment-rnnsearch-50.json", ("counts", "surface", "sure"), [5, 5, 5], "not of equal length"),
        ("endings-rnnencdec-50.json", ("search",), "greedy", "search.beam must be a whole number"),
        ("endings-rnnencdec-50.json", ("counts", "last"), [10, -1], "counts.last must be a list of whole numbers"),
    ],
)
def test_an_incomplete_record_is_named(
    folder: Path, file: str, place: tuple[str, ...], value: object, expected: str
) -> None:
    content = json.loads((folder / file).read_text())
    parent = content
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = value
    write_record(folder, file, content)
    with pytest.raises(EvaluationError, match=f"^{file}: .*{expected}"):
        ResultStore(build_cards(PRINTS), folder)


def test_endings_of_other_sentences_are_not_compared(folder: Path) -> None:
    path = folder / "endings-rnnencdec-50.json"
    path.write_text(path.read_text().replace("made-up", "other"))
    with pytest.raises(EvaluationError, match="of different sentences"):
        compute_claims(ResultStore(build_cards(PRINTS), folder))
