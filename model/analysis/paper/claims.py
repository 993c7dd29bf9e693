"""The seven claims of the paper (Bahdanau et al. 2015, section 5) with our checks, and those of related papers.

`model.analysis.paper.checks` defines checks and verdicts, `model.analysis.paper.related_claims` the other claims. The
bounds are ours; the paper gives none. All is computed from `assets/evaluations`, without translating and without torch.

*Loss*: the share of BLEU that long sentences lose, 1 - BLEU(long) / BLEU(short).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from model.analysis.alignment.hand_aligned import COUNTS, compute_rates
from model.analysis.errors.endings import MIN_WORDS, make_found_share
from model.analysis.metrics.estimates import Estimate, Sums, estimate_with_band
from model.analysis.metrics.length_curve import RESAMPLES, SEED, compute_middle_interval, resample_sums
from model.analysis.paper import related_claims
from model.analysis.paper.checks import (
    BEAM,
    MIN_HOURS,
    PER_BIN,
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
from model.analysis.paper.result_store import MAX_EXTRA_HOURS_SHARE, ResultStore
from model.networks.registry import find_kind
from model.serialization.timestamps import format_current_time
from model.text.bleu import Counts, compute_bleu_per_row

SCHEMA = 1
LONGEST = (30, 50)  # longest training sentences of the paper's models, in words
MAX_SHORT_WORDS, MIN_LONG_WORDS = 20, 51  # sources of at most, and of at least this many whitespace words
STEEP = 0.25  # a loss above this is steep
FLAT = 0.10  # a loss below this is flat
MONOTONE = 0.8  # share of forward steps of a largely monotonic alignment
MAJORITY = 0.5

EUROPARL = ("europarl-2000q4", 1)
EUROPARL_BEAM, HANSARDS = (f"{EUROPARL[0]}, {PER_BIN} a bin", BEAM), ("hansards.en-fr", 0)
ENDINGS_DATA = (f"{EUROPARL_BEAM[0]}, over {MIN_WORDS} words", 1)

Statistic = tuple[Callable[[Sums], Values], float]

PAPER_CLAIMS = {
    1: "RNNsearch beats RNNencdec at both lengths",
    2: "RNNsearch-30 beats RNNencdec-50",
    3: "RNNencdec's BLEU falls steeply with length",
    4: "RNNsearch-50's BLEU stays flat, even past 50 words",
    5: "Alignments are largely monotonic, and correct where they are not",
    6: "Soft alignment handles phrases of unequal length, and an article attends to the noun that follows",
    7: "RNNsearch-50 translates long sentences to their end, RNNencdec-50 does not",
}
CLAIMS = PAPER_CLAIMS | related_claims.CLAIMS
PAPERS = dict.fromkeys(PAPER_CLAIMS, find_kind("rnnsearch").paper) | related_claims.PAPERS
CHECKS = {
    "gain": "BLEU, the first model's minus the second's",
    "loss": f"share of BLEU lost from sources of up to {MAX_SHORT_WORDS} words to those of over {MIN_LONG_WORDS - 1}",
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
    **related_claims.CHECKS,
}
"""The claims and checks in words, for the command line; pages have their own under the same keys."""

STATISTICS: dict[int, dict[str, Statistic]] = {
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
"""By claim, the measures of `alignment_statistics` and the bound that their band must be above."""


def compute_claims(store: ResultStore) -> tuple[Claim, ...]:
    """Compute all claims with their checks from the results of a folder, the paper's seven first."""
    search_short, search_long = (store.find_shipped_model("rnnsearch", longest) for longest in LONGEST)
    encdec = encdec_short, encdec_long = tuple(store.find_shipped_model("rnnencdec", longest) for longest in LONGEST)
    pairs = [(search_short, encdec_short), (search_long, encdec_long)]
    return (
        Claim(1, tuple(_check_gain(store, *pair, data) for pair in pairs for data in related_claims.SETS)),
        Claim(2, tuple(_check_gain(store, search_short, encdec_long, data) for data in related_claims.SETS)),
        Claim(3, (*(_check_loss(store, name, EUROPARL, above=STEEP) for name in encdec),
                  *(_check_loss_difference(store, name, search_long, EUROPARL) for name in encdec))),
        Claim(4, tuple(_check_loss(store, search_long, data, below=FLAT) for data in (EUROPARL, EUROPARL_BEAM))),
        Claim(5, (_check_aer_gain(store, search_long),
                  *(_check_alignment_statistic(store, search_long, *item) for item in STATISTICS[5].items()))),
        Claim(6, tuple(_check_alignment_statistic(store, search_long, *item) for item in STATISTICS[6].items())),
        Claim(7, (_check_end_loss(store, search_long, below=FLAT), _check_end_loss(store, encdec_long, above=STEEP),
                  _check_end_loss_difference(store, encdec_long, search_long))),
        *related_claims.compute_claims(store),
    )  # fmt: skip


def build_record(claims: Sequence[Claim], store: ResultStore, command: str = "") -> dict[str, Any]:
    """Return the content of `assets/evaluations/claims.json`: verdicts, checks, and fingerprints of models and short
    runs.
    """
    names = {name for claim in claims for check in claim.checks if check.value is not None for name in check.models}
    runs = names & {run.name for run in store.runs}
    return {
        "schema": SCHEMA, "kind": "claims",
        "models": {name: store.fingerprints[name] for name in sorted(names - runs)},
        "runs": {name: store.fingerprints[name] for name in sorted(runs)},
        "bounds": {"short": MAX_SHORT_WORDS, "long": MIN_LONG_WORDS, "steep": STEEP, "flat": FLAT,
                   "monotone": MONOTONE, "right": MAJORITY, "hours": MAX_EXTRA_HOURS_SHARE, "least_hours": MIN_HOURS},
        "uncertainty": f"bootstrap over sentences, {RESAMPLES} resamples, the middle 95 %; differences paired",
        "claims": [{"number": claim.number, "verdict": claim.verdict,
                    "checks": [check.to_plain() for check in claim.checks]} for claim in claims],
        "date": format_current_time(), "command": command,
    }  # fmt: skip


def compute_bleu_losses(
    systems: Sequence[Counts], source_words: Counts, resamples: int = RESAMPLES
) -> tuple[Values, Values]:
    """Return the loss of each system, (systems,), and in each resample, (resamples, systems), on the same sentences.

    `systems` are BLEU statistics (sentences, 10). Short and long sentences are resampled separately. Raises ValueError
    if there are none of either.
    """
    masks = [source_words <= MAX_SHORT_WORDS, source_words >= MIN_LONG_WORDS]
    if not all(mask.any() for mask in masks):
        raise ValueError(f"A loss needs sentences of up to {MAX_SHORT_WORDS} and of over {MIN_LONG_WORDS - 1} words.")
    statistics = np.concatenate(systems, axis=1)
    width = systems[0].shape[1]

    def compute_scores(sums: Counts) -> Values:
        return np.stack([compute_bleu_per_row(sums[:, index * width : (index + 1) * width])
                         for index in range(len(systems))], axis=1)

    observed = [compute_scores(statistics[mask].sum(axis=0, keepdims=True)) for mask in masks]
    resampled = [compute_scores(resample_sums(statistics[mask], resamples, SEED + index))
                 for index, mask in enumerate(masks)]  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - (observed[1] / observed[0])[0], 1 - resampled[1] / resampled[0]


def _check_gain(store: ResultStore, first: str, second: str, data: DataAndBeam) -> Check:
    """Check the BLEU gain of a pair of the paper, with its hours, whatever they are."""
    return replace(check_bleu_gain(store, first, second, data), hours=store.get_hours(first, second))


def _check_loss(
    store: ResultStore, name: str, data: DataAndBeam, above: float | None = None, below: float | None = None
) -> Check:
    evaluation = store.get_evaluation(data, name)
    estimate = None
    if evaluation:
        value, resamples = compute_bleu_losses([evaluation.statistics], evaluation.get_column("source_words"))
        estimate = Estimate(float(value[0]), *compute_middle_interval(resamples[:, 0]))
    return make_check("loss", (name,), data, estimate, above, below)


def _check_loss_difference(store: ResultStore, first: str, second: str, data: DataAndBeam) -> Check:
    first_evaluation, second_evaluation = store.get_evaluation(data, first), store.get_evaluation(data, second)
    estimate = None
    if first_evaluation and second_evaluation:
        require_same_sentences(first_evaluation.data == second_evaluation.data, first, second)
        value, resamples = compute_bleu_losses(
            [first_evaluation.statistics, second_evaluation.statistics], first_evaluation.get_column("source_words")
        )
        estimate = Estimate(float(value[0] - value[1]), *compute_middle_interval(resamples[:, 0] - resamples[:, 1]))
    return make_check("loss_more", (first, second), data, estimate, above=0.0)


def _check_aer_gain(store: ResultStore, name: str) -> Check:
    record = store.get_record("alignment-error", name)
    if record is None:
        return make_check("aer_gain", (name,), HANSARDS, None, above=0.0)
    columns = {f"{form}_{column}": numbers for form in ("surface", "diagonal")
               for column, numbers in record["counts"][form].items()}

    def compute_error_rates(sums: Sums, form: str) -> Values:
        return compute_rates(np.stack([sums[f"{form}_{column}"] for column in COUNTS], axis=1))[0]

    estimate = estimate_with_band(
        columns, lambda sums: compute_error_rates(sums, "diagonal") - compute_error_rates(sums, "surface")
    )
    return make_check("aer_gain", (name,), (record["data"]["name"], 0), estimate, above=0.0)


def _check_alignment_statistic(store: ResultStore, name: str, key: str, statistic: Statistic) -> Check:
    record = store.get_record("alignment-error", name)
    measure, above = statistic
    if record is None:
        return make_check(key, (name,), HANSARDS, None, above)
    estimate = estimate_with_band(record["statistics"], measure)
    return make_check(key, (name,), (record["data"]["name"], 0), estimate, above)


def _check_end_loss(
    store: ResultStore, name: str, above: float | None = None, below: float | None = None
) -> Check:
    record = store.get_record("endings", name)
    if record is None:
        return make_check("end_loss", (name,), ENDINGS_DATA, None, above, below)
    estimate = estimate_with_band(record["counts"], _compute_end_loss)
    return make_check("end_loss", (name,), get_data_and_beam(record), estimate, above, below)


def _check_end_loss_difference(store: ResultStore, first: str, second: str) -> Check:
    first_record, second_record = store.get_record("endings", first), store.get_record("endings", second)
    if first_record is None or second_record is None:
        return make_check("end_loss_more", (first, second), ENDINGS_DATA, None, above=0.0)
    is_same = first_record["data"] == second_record["data"] and len(first_record["counts"]["first"]) == len(
        second_record["counts"]["first"]
    )
    require_same_sentences(is_same, first, second)
    estimate = estimate_paired_difference(first_record["counts"], second_record["counts"], _compute_end_loss)
    return make_check("end_loss_more", (first, second), get_data_and_beam(first_record), estimate, above=0.0)


def _compute_end_loss(sums: Sums) -> Values:
    result: Values = 1 - make_found_share("last")(sums) / make_found_share("first")(sums)
    return result
