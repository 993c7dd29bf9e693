"""What a claim is put to: checks, each a number with its band and its bound, and the verdict that follows from them.

A check is a number, the middle 95 % of its resampled values (its band), and a bound such as "more than 0" or "less
than a tenth". It passes if the whole band is on the right side of the bound, fails if the whole band is on the wrong
side, and is open if the bound lies inside the band. A claim with a check that lacks a model or a file is not measured.
Of the others, a claim holds if all its checks pass and holds partly if some do; if none passes it is open where all its
checks are open, and does not hold otherwise.

Where models are compared whose training may have been longer or shorter, the check has their hours. It counts as
missing where these are too far apart to be compared.
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
"""The name of the data, and the beam: 1 is greedy search, 0 teacher forcing."""

Outcome = Literal["yes", "no", "open", "missing"]
Verdict = Literal["holds", "partly", "not", "open", "unmeasured"]
VERDICTS: dict[str, str] = {"holds": "holds", "partly": "holds in part", "not": "does not hold", "open": "inconclusive",
                            "unmeasured": "not measured in full"}  # fmt: skip
"""What each verdict is called on the command line and in the READMEs."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Check:
    """One number: `key` says what of (`model.analysis.paper.claims.CHECKS`), on which data with which beam (0: teacher
    forced), of which models.

    The band from `low` to `high` must lie `above` or `below` the bound, whichever is given. All three numbers are None
    where a file is missing or has nothing to divide by, and where the models' `hours` of training, if it was asked for
    them, are not `fair`.
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
    fair: bool = True

    @property
    def outcome(self) -> Outcome:
        """Whether the whole band keeps to the bound, none of it does, or a part."""
        if self.low is None or self.high is None:
            return "missing"
        if self.above is not None:
            return "yes" if self.low > self.above else "no" if self.high < self.above else "open"
        bound = math.inf if self.below is None else self.below
        return "yes" if self.high < bound else "no" if self.low > bound else "open"

    def to_plain(self) -> dict[str, Any]:
        """What a record of claims has of it; of hours nothing where it was not asked for them."""
        fields = asdict(self)
        if not self.hours:
            del fields["hours"], fields["fair"]
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


def make_check(key: str, models: tuple[str, ...], data: DataAndBeam, found: Estimate | None, above: float | None = None,
         below: float | None = None) -> Check:
    """A check of what was measured; None where it was not, as where so little was measured that there is nothing to
    divide by."""
    if found is None or not all(map(math.isfinite, (found.value, found.low, found.high))):
        return Check(key, models, *data, None, None, None, above, below)
    return Check(key, models, *data, found.value, found.low, found.high, above, below)


def check_bleu_gain(measured: ResultStore, one: str, other: str, data: DataAndBeam) -> Check:
    """How much more BLEU one has than the other."""
    mine, others = measured.evaluation(data, one), measured.evaluation(data, other)
    found = None
    if mine and others:
        more = compare_bleu(mine, others)
        found = Estimate(more.difference, more.low, more.high)
    return make_check("gain", (one, other), data, found, above=0.0)


def estimate_paired_difference(
    mine: Mapping[str, Sequence[int]], others: Mapping[str, Sequence[int]], measure: Callable[[Sums], Values]
) -> Estimate:
    """How much more of a measure the columns of one model give than those of another, on the same drawn sentences."""
    columns = {f"{place}_{name}": numbers for place, counts in enumerate((mine, others))
               for name, numbers in counts.items()}

    def part(sums: Sums, place: int) -> Sums:
        return {name: sums[f"{place}_{name}"] for name in mine}

    return estimate_with_band(columns, lambda sums: measure(part(sums, 0)) - measure(part(sums, 1)))


def require_same_sentences(alike: bool, one: str, other: str) -> None:
    """Raise EvaluationError unless what was measured of two models is of the same sentences."""
    if not alike:
        raise EvaluationError(f"What was measured of {one} and {other} is not of the same sentences; make it again.")


def get_data_and_beam(record: Mapping[str, Any]) -> DataAndBeam:
    """The data of a record, and the beam of its search."""
    return record["data"]["name"], record["search"]["beam"]
