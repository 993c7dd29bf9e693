"""Claims 8 to 15, of related papers, as far as they can be tested here.

Comparisons are at equal hours of training: a check counts as missing if one model had over a fifth more
(`model.analysis.paper.result_store`), and as open if one had too few (`model.analysis.paper.checks`). Vaswani et al.
claim better translations with less training, so the Transformer may have had fewer hours than RNNsearch if it wins.

Claim 13 is about unknown words: it is measured on models of whole words where there are any.

Claims 8 to 11 and 15 compare networks that differ in one setting, claims 12 to 14 RNNsearch with another network, among
the models and short runs (`model.analysis.paper.runs`) that exist. Claim 11 is from Luong et al., section 5.3. Claim 15
is argued but not measured by Bahdanau et al.; it is tested on Luong's network, which can read in both directions.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from model.analysis.errors.copying import is_number
from model.analysis.errors.coverage import compute_mean_deviation, compute_repetition_share
from model.analysis.metrics.estimates import estimate_with_band
from model.analysis.paper.checks import (
    BEAM,
    Check,
    Claim,
    DataAndBeam,
    check_bleu_gain,
    estimate_paired_difference,
    get_data_and_beam,
    make_check,
    require_same_sentences,
)
from model.analysis.paper.result_store import ResultStore, has_equal_hours
from model.networks.registry import find_kind

LONGEST = 50  # longest training sentences, in words
SETS: tuple[DataAndBeam, ...] = (("newstest2014", BEAM), ("flores200-devtest", BEAM), ("europarl-2000q4", 1))
SHORT_SETS: tuple[DataAndBeam, ...] = (("newstest2014", 1), ("flores200-devtest", 1))
"""The data and beams of short runs, and of models that are compared with short runs."""

COVERAGE_DATA: DataAndBeam = ("flores200-devtest", 1)
COPYING_DATA: DataAndBeam = ("copying", 1)
BASE_KIND = "rnnsearch"
"""The kind of network that coverage, copying and the Transformer are compared with.

Of its models and short runs, the one with the closest hours is used.
"""

_KINDS = {8: "seq2seq", 9: "luong", 10: "luong", 11: "luong", 12: "coverage", 13: "copy", 14: "transformer",
          15: "rnnsearch"}  # fmt: skip
CLAIMS = {
    8: "Reversing the source helps Seq2Seq, the deep LSTM",
    9: "Input feeding helps: each step's attentional vector is fed to the next step",
    10: "Attention to a window at a predicted position (local-p) beats attention to the whole sentence (global)",
    11: "With global attention the score “dot” beats “general”, and both beat “concat”",
    12: "Coverage repeats fewer words and spreads attention more evenly",
    13: "Copying preserves names and numbers",
    14: "The Transformer beats RNNsearch with no more hours of training",
    15: "A bidirectional encoder helps, as section 3.2 argues",
}
CHECKS = {
    "repeats_less": "share of repeated words, the second model's minus the first's",
    "looks_evenly": "coverage deviation of a source word in nats, the second model's minus the first's",
    "names_gain": "share of names copied, the first model's minus the second's",
    "numbers_gain": "share of numbers copied, the first model's minus the second's",
}
"""The claims and checks in words, for the command line; pages have their own under the same keys."""

COVERAGE_MEASURES = {"repeats_less": compute_repetition_share, "looks_evenly": compute_mean_deviation}
"""Measures of the counts of `model.analysis.errors.coverage`, by the key of the check."""

PAPERS: dict[int, str] = {number: find_kind(kind).paper for number, kind in _KINDS.items()}
"""The paper of each claim."""


def compute_claims(store: ResultStore) -> tuple[Claim, ...]:
    """Compute the claims of related papers with their checks."""
    coverage, copying, transformer = (
        store.find_shipped_model(kind, LONGEST) for kind in ("coverage", "copy", "transformer")
    )
    bases = {name: store.find_nearest_hours(name, BASE_KIND, LONGEST) for name in (coverage, copying, transformer)}
    if any(card.kind == "copy" and card.has_unk for card in store.cards):  # subwords leave nothing unknown to copy
        copying = store.find_shipped_model("copy", LONGEST, has_unk=True)
        bases[copying] = store.find_nearest_hours(copying, BASE_KIND, LONGEST, has_unk=True)
    is_short_run = bases[transformer] in {run.name for run in store.runs}
    return (
        Claim(8, _check_setting(store, "seq2seq", "reverse", True, False)),
        Claim(9, _check_setting(store, "luong", "feeding", True, False)),
        Claim(10, _check_setting(store, "luong", "window", "local-p", "global")),
        Claim(11, tuple(check for pair in (("dot", "general"), ("dot", "concat"), ("general", "concat"))
                        for check in _check_setting(store, "luong", "score", *pair))),
        Claim(12, tuple(_check_coverage(store, key, coverage, bases[coverage]) for key in COVERAGE_MEASURES)),
        Claim(13, tuple(_check_copying(store, copying, bases[copying], is_numbers) for is_numbers in (False, True))),
        Claim(14, tuple(
            _require_equal_hours(
                store, check_bleu_gain(store, transformer, bases[transformer], data), allows_fewer_hours=True
            )
            for data in (SHORT_SETS if is_short_run else SETS)
        )),
        Claim(15, _check_setting(store, "luong", "directions", 2, 1)),
    )  # fmt: skip


def _check_setting(store: ResultStore, kind: str, key: str, first: Any, second: Any) -> tuple[Check, ...]:
    """Check the BLEU gain of one setting over another, on two networks that differ in nothing else."""
    pair = store.find_pair(kind, LONGEST, key, first, second)
    return tuple(_require_equal_hours(store, check_bleu_gain(store, *pair, data)) for data in SHORT_SETS)


def _check_coverage(store: ResultStore, key: str, first: str, second: str) -> Check:
    """Check how much less repetition or coverage deviation the first model has."""
    first_record, second_record = store.get_record("coverage", first), store.get_record("coverage", second)
    if first_record is None or second_record is None:
        return make_check(key, (first, second), COVERAGE_DATA, None, above=0.0)
    require_same_sentences(_identify_sentences(first_record) == _identify_sentences(second_record), first, second)
    estimate = estimate_paired_difference(second_record["counts"], first_record["counts"], COVERAGE_MEASURES[key])
    return _require_equal_hours(
        store, make_check(key, (first, second), get_data_and_beam(first_record), estimate, above=0.0)
    )


def _identify_sentences(record: dict[str, Any]) -> tuple[Any, ...]:
    """Return what two records must share to be of the same sentences."""
    return record["data"], record["search"]["beam"], record["counts"]["source_words"]


def _check_copying(store: ResultStore, first: str, second: str, is_numbers: bool) -> Check:
    """Check the gain in the share of copied names or numbers; the items of a sentence are resampled together."""
    key = "numbers_gain" if is_numbers else "names_gain"
    first_record, second_record = store.get_record("copying", first), store.get_record("copying", second)
    if first_record is None or second_record is None:
        return make_check(key, (first, second), COPYING_DATA, None, above=0.0)
    items = [[sentence["items"] for sentence in record["outcomes"]] for record in (first_record, second_record)]
    require_same_sentences(
        items[0] == items[1] and first_record["search"]["beam"] == second_record["search"]["beam"], first, second
    )
    selected = [[is_number(item) == is_numbers for item in sentence] for sentence in items[0]]
    if not any(map(any, selected)):
        return make_check(key, (first, second), get_data_and_beam(first_record), None, above=0.0)

    def count_copied(record: dict[str, Any]) -> list[int]:
        return [sum(map(operator.and_, sentence["found"], flags))
                for sentence, flags in zip(record["outcomes"], selected, strict=True)]  # fmt: skip

    columns = {"items": list(map(sum, selected)), "first": count_copied(first_record),
               "second": count_copied(second_record)}
    estimate = estimate_with_band(columns, lambda sums: (sums["first"] - sums["second"]) / sums["items"])
    return _require_equal_hours(
        store, make_check(key, (first, second), get_data_and_beam(first_record), estimate, above=0.0)
    )


def _require_equal_hours(store: ResultStore, check: Check, *, allows_fewer_hours: bool = False) -> Check:
    """Return the check with the hours of its two models; without numbers if these are unequal or unknown.

    With `allows_fewer_hours` the first model may have had fewer hours if it wins: then the gain is not due to training
    time.
    """
    hours = store.get_hours(*check.models)
    if not hours:
        return replace(check, value=None, low=None, high=None)
    if has_equal_hours(*hours) or (allows_fewer_hours and hours[0] < hours[1] and check.outcome == "yes"):
        return replace(check, hours=hours)
    return replace(check, value=None, low=None, high=None, hours=hours, has_similar_hours=False)
