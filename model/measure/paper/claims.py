"""The seven claims of the paper (Bahdanau et al. 2015, section 5), each put to checks of ours on our models.

A check is a number, the middle 95 % of its resampled values (its band), and a bound such as "more than 0" or "less
than a tenth". It passes if the whole band is on the right side of the bound, fails if the whole band is on the wrong
side, and is open if the bound lies inside the band. A claim with a check that lacks a model or a file is not measured.
Of the others, a claim holds if all its checks pass and holds partly if some do; if none passes it is open where all its
checks are open, and does not hold otherwise.
The bounds are ours and named here; the paper gives none. Everything is computed from the files in `assets/evaluations`;
nothing is translated, and no torch is needed.

"Loss" below: how much of a short sentence's BLEU is gone in long ones, as a share, 1 - BLEU(long) / BLEU(short).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from model.checkpoint import Card
from model.measure.contrast.endings import share
from model.measure.evaluation.evaluation import Evaluation, EvaluationError, compare
from model.measure.evaluation.stored import FOLDER, records, stored
from model.measure.paper.records import TABLES, check_record
from model.measure.scores.bleu import Counts, bleu_of_each
from model.measure.scores.estimates import Estimate, Sums, estimate
from model.measure.scores.length_curve import RESAMPLES, SEED, middle, resampled
from model.registry import find

SCHEMA = 1
LONGEST = (30, 50)  # words of the sentences that the paper trained its models on
SHORT, LONG = 20, 51  # whitespace words: sources of at most, and of at least so many
STEEP = 0.25  # a loss of more than a quarter is a steep fall
FLAT = 0.10  # one of less than a tenth is none to speak of
MONOTONE = 0.8  # the share of steps on that makes alignments largely monotonic
RIGHT = 0.5  # more right than wrong

Data = tuple[str, int]
"""The name of the data, and the beam: 1 is greedy search, 0 teacher forcing."""

NEWS, FLORES, EUROPARL = ("newstest2014", 12), ("flores200-devtest", 12), ("europarl-2000q4", 1)
EUROPARL_BEAM, HANDS = ("europarl-2000q4, 500 a bin", 12), ("hansards.en-fr", 0)
ENDS = ("europarl-2000q4, 500 a bin, over 30 words", 1)

Outcome = Literal["yes", "no", "open", "missing"]
Verdict = Literal["holds", "partly", "not", "open", "unmeasured"]
Values = NDArray[np.float64]
Question = tuple[Callable[[Sums], Values], float]

CLAIMS = {
    1: "RNNsearch beats RNNencdec at both lengths",
    2: "RNNsearch-30 beats RNNencdec-50",
    3: "RNNencdec falls steeply with length",
    4: "RNNsearch-50 does not fall, even past 50 words",
    5: "Alignments are largely monotonic, and right where they are not",
    6: "Soft alignment handles phrases of unequal length, and an article looks at the noun to come",
    7: "Long sentences keep their end with RNNsearch-50 and lose it with RNNencdec-50",
}
CHECKS = {
    "gain": "BLEU more than the other's",
    "loss": f"share of BLEU lost from up to {SHORT} words to over {LONG - 1}",
    "loss_more": "share of BLEU lost, more than the other's",
    "aer_gain": "alignment error rate below the diagonal's by",
    "steps_on": "share of neighbouring links that do not turn back",
    "steps_back_right": "share of those that turn back where both links are right",
    "gold_back_found": "share of the places where people's links turn back that are found",
    "unequal_right": "share of words right in phrases of unequal length",
    "unequal_gain": "the same, more than the diagonal's",
    "article_gain": "weight an article gives to the next word's source, more than other words",
    "end_loss": "share of words found that is lost from the first third to the last",
    "end_loss_more": "the same, more than the other's",
}
"""What each claim and each check says in words, for the command line; pages have their own, by the same keys."""

QUESTIONS: dict[int, dict[str, Question]] = {
    5: {
        "steps_on": (lambda sums: 1 - sums["steps_back"] / sums["steps"], MONOTONE),
        "steps_back_right": (lambda sums: sums["steps_back_right"] / sums["steps_back"], RIGHT),
        "gold_back_found": (lambda sums: sums["gold_back_found"] / sums["gold_back"], RIGHT),
    },
    6: {
        "unequal_right": (lambda sums: sums["unequal_right"] / sums["unequal"], RIGHT),
        "unequal_gain": (lambda sums: (sums["unequal_right"] - sums["unequal_diagonal"]) / sums["unequal"], 0.0),
        "article_gain": (lambda sums: (sums["articles_ahead"] / sums["articles"]
                                       - sums["others_ahead"] / sums["others"]) / 1e6, 0.0),
    },
}  # fmt: skip
"""What is asked of the counts of `alignment_questions`, by claim, and what the band must lie above."""


@dataclass(frozen=True)
class Check:
    """One number: `key` says what of (CHECKS), on which data with which beam (0: teacher forced), of which models.

    The band from `low` to `high` must lie `above` or `below` the bound, whichever is given. All three numbers are None
    where a file is missing.
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

    @property
    def outcome(self) -> Outcome:
        """Whether the whole band keeps to the bound, none of it does, or a part."""
        if self.low is None or self.high is None:
            return "missing"
        if self.above is not None:
            return "yes" if self.low > self.above else "no" if self.high < self.above else "open"
        bound = math.inf if self.below is None else self.below
        return "yes" if self.high < bound else "no" if self.low > bound else "open"


@dataclass(frozen=True)
class Claim:
    """A claim of the paper by its number (CLAIMS), and its checks."""

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


class Measured:
    """What a folder of measurements holds of these models' weights, asked for by data and model.

    Files of other weights count as missing. EvaluationError names a file that is none.
    """

    def __init__(self, cards: Iterable[Card], folder: str | os.PathLike[str] = FOLDER) -> None:
        self.cards = tuple(cards)
        self.fingerprints = {card.name: card.fingerprint for card in self.cards}
        self._evaluations = {(one.data.name, one.model, one.search.get("beam")): one for one in stored(folder)
                             if self.fingerprints.get(one.model) == one.fingerprint}
        found = {file: record for kind in TABLES for file, record in records(kind, folder).items()}
        for file, record in found.items():
            check_record(file, record)
        self._records = {(record["kind"], record["model"]): record for record in found.values()
                         if self.fingerprints.get(record["model"]) == record["fingerprint"]}

    def ours(self, kind: str, longest: int) -> str:
        """The name of the model that stands for the paper's of that kind, trained on sentences of up to so many words;
        the paper's own name, of which nothing was measured, where there is none."""
        found = (card.name for card in self.cards if (card.kind, card.longest_words) == (kind, longest))
        return next(found, f"{find(kind).title}-{longest}")

    def evaluation(self, data: tuple[str, int], model: str) -> Evaluation | None:
        """The evaluation of a model on the data of that name with that beam, None where there is none."""
        return self._evaluations.get((data[0], model, data[1]))

    def record(self, kind: str, model: str) -> dict[str, Any] | None:
        """A model's file of another kind, None where there is none."""
        return self._records.get((kind, model))


def compute(measured: Measured) -> tuple[Claim, ...]:
    """The seven claims with their checks, of what a folder holds."""
    sets = (NEWS, FLORES, EUROPARL)
    short, best = (measured.ours("rnnsearch", longest) for longest in LONGEST)
    plain = plain_short, plain_long = tuple(measured.ours("rnnencdec", longest) for longest in LONGEST)
    pairs = [(short, plain_short), (best, plain_long)]
    return (
        Claim(1, tuple(_gain(measured, *pair, data) for pair in pairs for data in sets)),
        Claim(2, tuple(_gain(measured, short, plain_long, data) for data in sets)),
        Claim(3, (*(_loss(measured, name, EUROPARL, above=STEEP) for name in plain),
                  *(_loss_more(measured, name, best, EUROPARL) for name in plain))),
        Claim(4, tuple(_loss(measured, best, data, below=FLAT) for data in (EUROPARL, EUROPARL_BEAM))),
        Claim(5, (_aer_gain(measured, best), *(_asked(measured, best, key) for key in QUESTIONS[5]))),
        Claim(6, tuple(_asked(measured, best, key) for key in QUESTIONS[6])),
        Claim(7, (_end_loss(measured, best, below=FLAT), _end_loss(measured, plain_long, above=STEEP),
                  _end_loss_more(measured, plain_long, best))),
    )  # fmt: skip


def record_of(claims: Sequence[Claim], measured: Measured, command: str = "") -> dict[str, Any]:
    """What `assets/evaluations/claims.json` holds: for each claim verdict and checks, and whose weights they are of."""
    named = {name for claim in claims for check in claim.checks if check.value is not None for name in check.models}
    return {
        "schema": SCHEMA, "kind": "claims", "models": {name: measured.fingerprints[name] for name in sorted(named)},
        "bounds": {"short": SHORT, "long": LONG, "steep": STEEP, "flat": FLAT, "monotone": MONOTONE, "right": RIGHT},
        "uncertainty": f"bootstrap over sentences, {RESAMPLES} resamples, the middle 95 %; differences paired",
        "claims": [{"number": claim.number, "verdict": claim.verdict,
                    "checks": [{**asdict(check), "outcome": check.outcome} for check in claim.checks]}
                   for claim in claims],
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command,
    }  # fmt: skip


def losses(
    systems: Sequence[Counts], source_words: Counts, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Values, Values]:
    """The loss of each system, (systems,), and in each resample, (resamples, systems), on the same drawn sentences.

    `systems`: the ten numbers of BLEU, (sentences, 10), of the same sentences. Short and long ones are drawn apart.
    Raises ValueError where there are none of either.
    """
    rows = [source_words <= SHORT, source_words >= LONG]
    if not all(row.any() for row in rows):
        raise ValueError(f"A loss needs sentences of up to {SHORT} and of over {LONG - 1} words.")
    joined = np.concatenate(systems, axis=1)
    width = systems[0].shape[1]

    def scores(sums: Counts) -> Values:
        return np.stack([bleu_of_each(sums[:, place * width : (place + 1) * width])
                         for place in range(len(systems))], axis=1)

    observed = [scores(joined[row].sum(axis=0, keepdims=True)) for row in rows]
    drawn = [scores(resampled(joined[row], resamples, seed + place)) for place, row in enumerate(rows)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - (observed[1] / observed[0])[0], 1 - drawn[1] / drawn[0]


def _gain(measured: Measured, one: str, other: str, data: Data) -> Check:
    mine, others = measured.evaluation(data, one), measured.evaluation(data, other)
    found = None
    if mine and others:
        gain = compare(mine, others).overall
        found = Estimate(gain.difference, gain.low, gain.high)
    return _check("gain", (one, other), data, found, above=0.0)


def _loss(measured: Measured, name: str, data: Data, above: float | None = None, below: float | None = None) -> Check:
    evaluation = measured.evaluation(data, name)
    found = None
    if evaluation:
        value, drawn = losses([evaluation.statistics], evaluation.column("source_words"))
        found = Estimate(float(value[0]), *middle(drawn[:, 0]))
    return _check("loss", (name,), data, found, above, below)


def _loss_more(measured: Measured, one: str, other: str, data: Data) -> Check:
    mine, others = measured.evaluation(data, one), measured.evaluation(data, other)
    found = None
    if mine and others:
        _same(mine.data == others.data, one, other)
        value, drawn = losses([mine.statistics, others.statistics], mine.column("source_words"))
        found = Estimate(float(value[0] - value[1]), *middle(drawn[:, 0] - drawn[:, 1]))
    return _check("loss_more", (one, other), data, found, above=0.0)


def _aer_gain(measured: Measured, name: str) -> Check:
    record = measured.record("alignment-error", name)
    if record is None:
        return _check("aer_gain", (name,), HANDS, None, above=0.0)
    columns = {f"{way}_{column}": numbers for way in ("surface", "diagonal")
               for column, numbers in record["counts"][way].items()}

    def right(sums: Sums, way: str) -> Values:
        return ((sums[f"{way}_links_sure"] + sums[f"{way}_links_possible"])
                / (sums[f"{way}_links"] + sums[f"{way}_sure"]))

    found = estimate(columns, lambda sums: right(sums, "surface") - right(sums, "diagonal"))
    return _check("aer_gain", (name,), (record["data"]["name"], 0), found, above=0.0)


def _asked(measured: Measured, name: str, key: str) -> Check:
    record = measured.record("alignment-error", name)
    measure, above = QUESTIONS[5].get(key) or QUESTIONS[6][key]
    if record is None:
        return _check(key, (name,), HANDS, None, above)
    return _check(key, (name,), (record["data"]["name"], 0), estimate(record["questions"], measure), above)


def _end_loss(measured: Measured, name: str, above: float | None = None, below: float | None = None) -> Check:
    record = measured.record("endings", name)
    if record is None:
        return _check("end_loss", (name,), ENDS, None, above, below)
    return _check("end_loss", (name,), _searched(record), estimate(record["counts"], _lost), above, below)


def _end_loss_more(measured: Measured, one: str, other: str) -> Check:
    mine, others = measured.record("endings", one), measured.record("endings", other)
    if mine is None or others is None:
        return _check("end_loss_more", (one, other), ENDS, None, above=0.0)
    _same(mine["data"] == others["data"] and len(mine["counts"]["first"]) == len(others["counts"]["first"]), one, other)
    columns = {f"{place}_{name}": numbers for place, record in enumerate((mine, others))
               for name, numbers in record["counts"].items()}

    def part(sums: Sums, place: int) -> Sums:
        return {name: sums[f"{place}_{name}"] for name in mine["counts"]}

    found = estimate(columns, lambda sums: _lost(part(sums, 0)) - _lost(part(sums, 1)))
    return _check("end_loss_more", (one, other), _searched(mine), found, above=0.0)


def _lost(sums: Sums) -> Values:
    result: Values = 1 - share("last")(sums) / share("first")(sums)
    return result


def _searched(record: Mapping[str, Any]) -> Data:
    return record["data"]["name"], record["search"]["beam"]


def _same(same: bool, one: str, other: str) -> None:
    if not same:
        raise EvaluationError(f"What was measured of {one} and {other} is not of the same sentences; make it again.")


def _check(key: str, models: tuple[str, ...], data: Data, found: Estimate | None, above: float | None = None,
           below: float | None = None) -> Check:
    if found is None:
        return Check(key, models, *data, None, None, None, above, below)
    return Check(key, models, *data, found.value, found.low, found.high, above, below)
