"""The seven claims of the paper (Bahdanau et al. 2015, section 5), each put to checks of ours on our models, and beside
them those of its relatives (`model.analysis.paper.relatives`).

What a check and a verdict are is said in `model.analysis.paper.checks`. The bounds are ours and named here; the paper
gives none. Everything is computed from the files in `assets/evaluations`; nothing is translated, and no torch is
needed.

"Loss" below: how much of a short sentence's BLEU is gone in long ones, as a share, 1 - BLEU(long) / BLEU(short).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from model.analysis.errors.endings import found_share
from model.analysis.metrics.estimates import Estimate, Sums, estimate_with_band
from model.analysis.metrics.length_curve import RESAMPLES, SEED, middle_interval, resample_sums
from model.analysis.paper import relatives
from model.analysis.paper.checks import (
    Check,
    Claim,
    DataAndBeam,
    Values,
    check_bleu_gain,
    estimate_paired_difference,
    get_data_and_beam,
    make_check,
    require_same_sentences,
)
from model.analysis.paper.result_store import MAX_HOURS_RATIO, ResultStore
from model.networks.registry import find_kind
from model.text.bleu import Counts, compute_bleu_per_row

SCHEMA = 1
LONGEST = (30, 50)  # words of the sentences that the paper trained its models on
SHORT, LONG = 20, 51  # whitespace words: sources of at most, and of at least so many
STEEP = 0.25  # a loss of more than a quarter is a steep fall
FLAT = 0.10  # one of less than a tenth is none to speak of
MONOTONE = 0.8  # the share of steps on that makes alignments largely monotonic
MAJORITY = 0.5  # more right than wrong

NEWS, FLORES, EUROPARL = ("newstest2014", 12), ("flores200-devtest", 12), ("europarl-2000q4", 1)
EUROPARL_BEAM, HANSARDS = ("europarl-2000q4, 500 a bin", 12), ("hansards.en-fr", 0)
ENDS = ("europarl-2000q4, 500 a bin, over 30 words", 1)

Question = tuple[Callable[[Sums], Values], float]

PAPER = {
    1: "RNNsearch beats RNNencdec at both lengths",
    2: "RNNsearch-30 beats RNNencdec-50",
    3: "RNNencdec's BLEU falls steeply with length",
    4: "RNNsearch-50's BLEU stays flat, even past 50 words",
    5: "Alignments are largely monotonic, and correct where they are not",
    6: "Soft alignment handles phrases of unequal length, and an article attends to the noun that follows",
    7: "RNNsearch-50 translates long sentences to their end, RNNencdec-50 does not",
}
CLAIMS = PAPER | relatives.CLAIMS
PAPERS = dict.fromkeys(PAPER, find_kind("rnnsearch").paper) | relatives.PAPERS
CHECKS = {
    "gain": "BLEU, the first model's minus the second's",
    "loss": f"share of BLEU lost from sources of up to {SHORT} words to those of over {LONG - 1}",
    "loss_more": "the same share, the first model's minus the second's",
    "aer_gain": "alignment error rate, the diagonal's minus the model's",
    "steps_on": "share of neighbouring links that do not step back",
    "steps_back_right": "share of backward steps with both links correct",
    "gold_back_found": "share of the annotators' backward steps that are found",
    "unequal_right": "share of words linked correctly in phrases of unequal length",
    "unequal_gain": "the same share, the model's minus the diagonal's",
    "article_gain": "attention of articles to the next word's source, minus that of other words",
    "end_loss": "reference words found: relative drop from the first third to the last",
    "end_loss_more": "the same drop, the first model's minus the second's",
    **relatives.CHECKS,
}
"""What each claim and each check says in words, for the command line; pages have their own, by the same keys."""

QUESTIONS: dict[int, dict[str, Question]] = {
    5: {
        "steps_on": (lambda sums: 1 - sums["steps_back"] / sums["steps"], MONOTONE),
        "steps_back_right": (lambda sums: sums["steps_back_right"] / sums["steps_back"], MAJORITY),
        "gold_back_found": (lambda sums: sums["gold_back_found"] / sums["gold_back"], MAJORITY),
    },
    6: {
        "unequal_right": (lambda sums: sums["unequal_right"] / sums["unequal"], MAJORITY),
        "unequal_gain": (lambda sums: (sums["unequal_right"] - sums["unequal_diagonal"]) / sums["unequal"], 0.0),
        "article_gain": (lambda sums: (sums["articles_ahead"] / sums["articles"]
                                       - sums["others_ahead"] / sums["others"]) / 1e6, 0.0),
    },
}  # fmt: skip
"""What is asked of the counts of `alignment_questions`, by claim, and what the band must lie above."""


def compute_claims(measured: ResultStore) -> tuple[Claim, ...]:
    """All claims with their checks, the paper's seven first, of what a folder holds."""
    sets = (NEWS, FLORES, EUROPARL)
    short, best = (measured.find_paper_model("rnnsearch", longest) for longest in LONGEST)
    plain = plain_short, plain_long = tuple(measured.find_paper_model("rnnencdec", longest) for longest in LONGEST)
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
        *relatives.compute_claims(measured),
    )  # fmt: skip


def build_record(claims: Sequence[Claim], measured: ResultStore, command: str = "") -> dict[str, Any]:
    """What `assets/evaluations/claims.json` holds: for each claim verdict and checks, and whose weights they are of:
    those of models, and those of short runs, which are not shipped."""
    named = {name for claim in claims for check in claim.checks if check.value is not None for name in check.models}
    runs = named & {one.name for one in measured.runs}
    return {
        "schema": SCHEMA, "kind": "claims",
        "models": {name: measured.fingerprints[name] for name in sorted(named - runs)},
        "runs": {name: measured.fingerprints[name] for name in sorted(runs)},
        "bounds": {"short": SHORT, "long": LONG, "steep": STEEP, "flat": FLAT, "monotone": MONOTONE, "right": MAJORITY,
                   "hours": MAX_HOURS_RATIO},
        "uncertainty": f"bootstrap over sentences, {RESAMPLES} resamples, the middle 95 %; differences paired",
        "claims": [{"number": claim.number, "verdict": claim.verdict,
                    "checks": [check.to_plain() for check in claim.checks]} for claim in claims],
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command,
    }  # fmt: skip


def bleu_losses(
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
        return np.stack([compute_bleu_per_row(sums[:, place * width : (place + 1) * width])
                         for place in range(len(systems))], axis=1)

    observed = [scores(joined[row].sum(axis=0, keepdims=True)) for row in rows]
    drawn = [scores(resample_sums(joined[row], resamples, seed + place)) for place, row in enumerate(rows)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - (observed[1] / observed[0])[0], 1 - drawn[1] / drawn[0]


def _gain(measured: ResultStore, one: str, other: str, data: DataAndBeam) -> Check:
    """The gain with the hours of the two models beside it: the pair is the paper's, whatever its hours."""
    return replace(check_bleu_gain(measured, one, other, data), hours=measured.hours(one, other))


def _loss(
    measured: ResultStore, name: str, data: DataAndBeam, above: float | None = None, below: float | None = None
) -> Check:
    evaluation = measured.evaluation(data, name)
    found = None
    if evaluation:
        value, drawn = bleu_losses([evaluation.statistics], evaluation.column("source_words"))
        found = Estimate(float(value[0]), *middle_interval(drawn[:, 0]))
    return make_check("loss", (name,), data, found, above, below)


def _loss_more(measured: ResultStore, one: str, other: str, data: DataAndBeam) -> Check:
    mine, others = measured.evaluation(data, one), measured.evaluation(data, other)
    found = None
    if mine and others:
        require_same_sentences(mine.data == others.data, one, other)
        value, drawn = bleu_losses([mine.statistics, others.statistics], mine.column("source_words"))
        found = Estimate(float(value[0] - value[1]), *middle_interval(drawn[:, 0] - drawn[:, 1]))
    return make_check("loss_more", (one, other), data, found, above=0.0)


def _aer_gain(measured: ResultStore, name: str) -> Check:
    record = measured.record("alignment-error", name)
    if record is None:
        return make_check("aer_gain", (name,), HANSARDS, None, above=0.0)
    columns = {f"{way}_{column}": numbers for way in ("surface", "diagonal")
               for column, numbers in record["counts"][way].items()}

    def right(sums: Sums, way: str) -> Values:
        return ((sums[f"{way}_links_sure"] + sums[f"{way}_links_possible"])
                / (sums[f"{way}_links"] + sums[f"{way}_sure"]))

    found = estimate_with_band(columns, lambda sums: right(sums, "surface") - right(sums, "diagonal"))
    return make_check("aer_gain", (name,), (record["data"]["name"], 0), found, above=0.0)


def _asked(measured: ResultStore, name: str, key: str) -> Check:
    record = measured.record("alignment-error", name)
    measure, above = QUESTIONS[5].get(key) or QUESTIONS[6][key]
    if record is None:
        return make_check(key, (name,), HANSARDS, None, above)
    return make_check(
        key, (name,), (record["data"]["name"], 0), estimate_with_band(record["questions"], measure), above
    )


def _end_loss(measured: ResultStore, name: str, above: float | None = None, below: float | None = None) -> Check:
    record = measured.record("endings", name)
    if record is None:
        return make_check("end_loss", (name,), ENDS, None, above, below)
    return make_check(
        "end_loss", (name,), get_data_and_beam(record), estimate_with_band(record["counts"], _lost), above, below
    )


def _end_loss_more(measured: ResultStore, one: str, other: str) -> Check:
    mine, others = measured.record("endings", one), measured.record("endings", other)
    if mine is None or others is None:
        return make_check("end_loss_more", (one, other), ENDS, None, above=0.0)
    require_same_sentences(
        mine["data"] == others["data"] and len(mine["counts"]["first"]) == len(others["counts"]["first"]), one, other
    )
    found = estimate_paired_difference(mine["counts"], others["counts"], _lost)
    return make_check("end_loss_more", (one, other), get_data_and_beam(mine), found, above=0.0)


def _lost(sums: Sums) -> Values:
    result: Values = 1 - found_share("last")(sums) / found_share("first")(sums)
    return result
