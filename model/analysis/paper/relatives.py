"""What the papers before and after the one of the seven claims claim themselves, as far as it can be tested here.

Every comparison is at equal hours of training: a check counts as missing where one of the two had over a fifth more of
them (`model.analysis.paper.result_store`). Vaswani et al. claim better translations for less training, and so the
Transformer may have had fewer hours than RNNsearch where it wins, and not more; the hours stand beside the number.

Claims 8 to 11 and 15 compare networks that differ in one thing alone, claims 12 to 14 RNNsearch with another: whatever
pair of models and short runs (`model.analysis.paper.runs`) is there. Claim 11 is Luong et al.'s section 5.3; claim 15
is argued by Bahdanau et al. and not measured there, and tested here on Luong's network, which can read either way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.analysis.errors.copied import is_number
from model.analysis.errors.coverage import mean_deviation, repetition_share
from model.analysis.metrics.estimates import estimate_with_band
from model.analysis.paper.checks import (
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

LONGEST = 50  # words of the sentences that all of them were trained on
SETS: tuple[DataAndBeam, ...] = (("newstest2014", 12), ("flores200-devtest", 12), ("europarl-2000q4", 1))
SHORT_SETS: tuple[DataAndBeam, ...] = (("newstest2014", 1), ("flores200-devtest", 1))
"""What short runs are measured on, and models where they are compared with such."""

COVERAGE_DATA: DataAndBeam = ("flores200-devtest", 1)
COPIED: DataAndBeam = ("copied", 1)
BASE_KIND = "rnnsearch"
"""What coverage, copying and the Transformer are compared with: the model or the short run of it whose hours come
nearest to theirs. A short course from the same weights on the same text tells what coverage or copying alone has done;
RNNsearch anew for the Transformer's hours tells what its network alone has done."""

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
"""What each claim and each check says in words, for the command line; pages have their own, by the same keys."""

COVERAGE_MEASURES = {"repeats_less": repetition_share, "looks_evenly": mean_deviation}
"""What is asked of the counts of `model.analysis.errors.coverage`, by the check's key."""

PAPERS: dict[int, str] = {number: find_kind(kind).paper for number, kind in _KINDS.items()}
"""The paper that each claim is of."""


def compute_claims(measured: ResultStore) -> tuple[Claim, ...]:
    """These claims with their checks, of what a folder holds."""
    coverage, copying, transformer = (
        measured.find_paper_model(kind, LONGEST) for kind in ("coverage", "copy", "transformer")
    )
    unlike = {name: measured.find_nearest_hours(name, BASE_KIND, LONGEST) for name in (coverage, copying, transformer)}
    short = unlike[transformer] in {one.name for one in measured.runs}
    return (
        Claim(8, _differing(measured, "seq2seq", "reverse", True, False)),
        Claim(9, _differing(measured, "luong", "feeding", True, False)),
        Claim(10, _differing(measured, "luong", "window", "local-p", "global")),
        Claim(11, tuple(check for pair in (("dot", "general"), ("dot", "concat"), ("general", "concat"))
                        for check in _differing(measured, "luong", "score", *pair))),
        Claim(12, tuple(_looked_less(measured, key, coverage, unlike[coverage]) for key in COVERAGE_MEASURES)),
        Claim(13, tuple(_copied_gain(measured, copying, unlike[copying], numbers) for numbers in (False, True))),
        Claim(14, tuple(_at_hours(measured, check_bleu_gain(measured, transformer, unlike[transformer], data), no_more=True)
                        for data in (SHORT_SETS if short else SETS))),
        Claim(15, _differing(measured, "luong", "directions", 2, 1)),
    )  # fmt: skip


def _differing(measured: ResultStore, kind: str, key: str, one: Any, other: Any) -> tuple[Check, ...]:
    """What a setting of the network gains in BLEU over another one, of two that differ in nothing else."""
    pair = measured.find_pair(kind, LONGEST, key, one, other)
    return tuple(_at_hours(measured, check_bleu_gain(measured, *pair, data)) for data in SHORT_SETS)


def _looked_less(measured: ResultStore, key: str, one: str, other: str) -> Check:
    """What the looks of one model have less of than those of the other: repeated words, or deviation."""
    mine, others = measured.record("looking", one), measured.record("looking", other)
    if mine is None or others is None:
        return make_check(key, (one, other), COVERAGE_DATA, None, above=0.0)
    require_same_sentences(_looked(mine) == _looked(others), one, other)
    found = estimate_paired_difference(others["counts"], mine["counts"], COVERAGE_MEASURES[key])
    return _at_hours(measured, make_check(key, (one, other), get_data_and_beam(mine), found, above=0.0))


def _looked(record: dict[str, Any]) -> tuple[Any, ...]:
    """What two measurements of looking must share to be of the same sentences."""
    return record["data"], record["search"]["beam"], record["counts"]["source_words"]


def _copied_gain(measured: ResultStore, one: str, other: str, numbers: bool) -> Check:
    """Of the names or of the numbers the share that comes out; the items of a sentence are drawn together."""
    key = "numbers_gain" if numbers else "names_gain"
    mine, others = measured.record("copied", one), measured.record("copied", other)
    if mine is None or others is None:
        return make_check(key, (one, other), COPIED, None, above=0.0)
    items = [[sentence["items"] for sentence in record["outcomes"]] for record in (mine, others)]
    require_same_sentences(items[0] == items[1] and mine["search"]["beam"] == others["search"]["beam"], one, other)
    asked = [[is_number(item) == numbers for item in sentence] for sentence in items[0]]
    if not any(map(any, asked)):
        return make_check(key, (one, other), get_data_and_beam(mine), None, above=0.0)
    columns = {"items": list(map(sum, asked))} | {
        name: [sum(there for there, of in zip(sentence["found"], wanted, strict=True) if of)
               for sentence, wanted in zip(record["outcomes"], asked, strict=True)]
        for name, record in (("mine", mine), ("others", others))}
    found = estimate_with_band(columns, lambda sums: (sums["mine"] - sums["others"]) / sums["items"])
    return _at_hours(measured, make_check(key, (one, other), get_data_and_beam(mine), found, above=0.0))


def _at_hours(measured: ResultStore, check: Check, *, no_more: bool = False) -> Check:
    """The check with the hours of its two models beside it: nothing but missing where they are not equal, and where a
    card does not say them. With `no_more` the first one may have had fewer: who wins so has won, who loses so has only
    had fewer hours."""
    hours = measured.hours(*check.models)
    if not hours:
        return replace(check, value=None, low=None, high=None)
    if has_equal_hours(*hours) or (no_more and hours[0] < hours[1] and check.outcome == "yes"):
        return replace(check, hours=hours)
    return replace(check, value=None, low=None, high=None, hours=hours, fair=False)
