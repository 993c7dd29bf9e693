"""Checks of a claim: measured numbers with bands and bounds, and the verdict that follows.

A check is a number with the middle 95 % of its resamples (its band), and a bound such as "above 0". It passes if the
whole band is on the right side of the bound, fails if it is on the wrong side, and is open otherwise. A claim is not
measured if a check lacks a model or file. Else it holds if all checks pass, and partly if some do; if none passes, it
is open if all are open, and does not hold otherwise.

A check of models with different training has their hours. It counts as missing if these differ too much, and as open
if a model had fewer than MIN_HOURS: then no run could decide it, whatever its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from model.analysis.evaluation.evaluation import EvaluationError, compare_bleu
from model.analysis.metrics.estimates import Estimate, Sums, estimate_with_band
from model.analysis.paper.result_store import ResultStore

DataAndBeam = tuple[str, int]
"""The name of the data, and the beam: 1 for greedy search, 0 for forced decoding."""

BEAM = 12
"""The beam of the tables and claims beside greedy search."""
PER_BIN = 500
"""Sentences of each length bin of Europarl that are translated with BEAM."""

Outcome = Literal["yes", "no", "open", "missing"]
Verdict = Literal["holds", "partly", "not", "open", "unmeasured"]
VERDICTS: dict[str, str] = {"holds": "holds", "partly": "holds in part", "not": "does not hold",
                            "open": "inconclusive at this scale", "unmeasured": "not measured in full"}  # fmt: skip
"""The verdicts in words, for the command line and the READMEs."""

MIN_HOURS = 2.0
"""Fewest hours of training that can decide a comparison. From half an hour to 1.35 hours RNNsearch-30 is ahead of
RNNsearch-50 on newstest2013, and later behind it: so early, the order of two models is no finding."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Check:
    """One number of a claim. The fields are JSON keys.

    The three numbers are None if a file is missing or has nothing to divide by, and if the hours are not similar.

    Attributes:
        key: what is measured (`model.analysis.paper.claims.CHECKS`).
        models: the names of the models.
        data: the name of the data.
        beam: the beam, 0 for forced decoding.
        value: the number.
        low: the lower end of its band.
        high: the upper end.
        above: the bound that the band must be above, or None.
        below: the bound that it must be below, or None.
        hours: the hours of training of each model, if they matter.
        has_similar_hours: whether these are close enough.
    """

    key: str
    models: tuple[str, ...]
    data: str
    beam: int
    value: float | None
    low: float | None
    high: float | None
    above: float | None = None
    below: float | None = None
    hours: tuple[float, ...] = ()
    has_similar_hours: bool = True

    @property
    def is_undertrained(self) -> bool:
        """Whether a model had too few hours of training for a decision."""
        return bool(self.hours) and min(self.hours) < MIN_HOURS

    @property
    def outcome(self) -> Outcome:
        """Whether the whole band satisfies the bound, none of it does, or part of it."""
        if self.low is None or self.high is None:
            return "missing"
        if self.is_undertrained:
            return "open"
        if self.above is not None:
            return "yes" if self.low > self.above else "no" if self.high < self.above else "open"
        bound = math.inf if self.below is None else self.below
        return "yes" if self.high < bound else "no" if self.low > bound else "open"

    def to_plain(self) -> dict[str, Any]:
        """Return the check for a record of claims; without hours if they do not matter."""
        fields = asdict(self)
        if not self.hours:
            del fields["hours"], fields["has_similar_hours"]
        return {**fields, "outcome": self.outcome}


@dataclass(frozen=True)
class Claim:
    """A claim by its number (`model.analysis.paper.claims.CLAIMS`), and its checks."""

    number: int
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        outcomes = {check.outcome for check in self.checks}
        if "missing" in outcomes:
            return "unmeasured"
        if "yes" in outcomes:
            return "holds" if outcomes == {"yes"} else "partly"
        return "not" if "no" in outcomes else "open"

    @property
    def hours(self) -> dict[str, float]:
        """The hours of training of each model, if they matter."""
        return {name: spent for check in self.checks for name, spent in zip(check.models, check.hours, strict=False)}


def make_check(
    key: str,
    models: tuple[str, ...],
    data: DataAndBeam,
    estimate: Estimate | None,
    above: float | None = None,
    below: float | None = None,
) -> Check:
    """Build a check of an estimate; its numbers are None without an estimate or for non-finite numbers."""
    if estimate is None or not all(map(math.isfinite, (estimate.value, estimate.low, estimate.high))):
        return Check(key, models, *data, None, None, None, above, below)
    return Check(key, models, *data, estimate.value, estimate.low, estimate.high, above, below)


def check_bleu_gain(store: ResultStore, first: str, second: str, data: DataAndBeam) -> Check:
    """Check how much more BLEU the first model has than the second."""
    first_evaluation, second_evaluation = store.get_evaluation(data, first), store.get_evaluation(data, second)
    estimate = None
    if first_evaluation and second_evaluation:
        difference = compare_bleu(first_evaluation, second_evaluation)
        estimate = Estimate(difference.difference, difference.low, difference.high)
    return make_check("gain", (first, second), data, estimate, above=0.0)


def estimate_paired_difference(
    first: Mapping[str, Sequence[int]], second: Mapping[str, Sequence[int]], measure: Callable[[Sums], Values]
) -> Estimate:
    """Estimate a measure of the first model's columns minus the second's, on the same resamples."""
    columns = {f"{index}_{name}": numbers for index, counts in enumerate((first, second))
               for name, numbers in counts.items()}

    def select(sums: Sums, index: int) -> Sums:
        return {name: sums[f"{index}_{name}"] for name in first}

    return estimate_with_band(columns, lambda sums: measure(select(sums, 0)) - measure(select(sums, 1)))


def require_same_sentences(is_same: bool, first: str, second: str) -> None:
    """Raise EvaluationError unless measurements of two models are of the same sentences."""
    if not is_same:
        raise EvaluationError(f"The measurements of {first} and {second} are of different sentences: measure both "
                              "again.")


def get_data_and_beam(record: Mapping[str, Any]) -> DataAndBeam:
    """Return the data of a record, and the beam of its search."""
    return record["data"]["name"], record["search"]["beam"]
