"""Alignment error rates of attention against links by annotators: shipped records as tables, sentences and CSV."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from model.analysis.evaluation.stored import RECORD_ERRORS, load_record, load_records
from model.analysis.paper.published import ALIGNERS
from model.trace import Trace
from pages.ui.backend.cards import find_card, get_title
from pages.ui.csv_table import build_csv
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.widgets import map_names, tables
from pages.ui.widgets.tables import Bar

TEXT_FORMS = ("surface", "written", "diagonal")
SHIFTS = ("-1", "0", "+1")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ErrorRate:
    """An alignment error rate with its band, precision and recall, each a share from 0 to 1."""

    aer: float
    low: float
    high: float
    precision: float
    recall: float


@dataclass(frozen=True)
class HeadErrorRates:
    """The best head, chosen on `chosen_on` pairs, its rate on `sentences` others, and the mean rate of all heads."""

    best: str
    aer: float
    chosen_on: int
    sentences: int
    mean: float


@dataclass(frozen=True)
class ShiftedRates:
    """Error rates with rows or columns shifted by -1, 0 and +1, and the best shift."""

    rates: dict[str, float]
    best: int

    @property
    def lowest_rate(self) -> float:
        return min(self.rates.values())

    def format_rates(self) -> dict[str, str]:
        """Return the rates in per cent for the placeholders of the texts."""
        names = zip(("before", "here", "after"), SHIFTS, strict=True)
        return {name: f"{100 * self.rates[shift]:.1f}" for name, shift in names}


@dataclass(frozen=True)
class AlignmentErrorRecord:
    """One model's error rates for each of TEXT_FORMS, with shifted rows or columns, and of its heads if several."""

    model: str
    fingerprint: str
    sentences: int
    command: str
    rates: dict[str, ErrorRate]
    rows: ShiftedRates
    columns: ShiftedRates
    heads: HeadErrorRates | None = None

    @property
    def attention_offset(self) -> int:
        """The shift of columns to the right that aligns attention with the generated word: 1 if the model attends one
        word too far to the left, -1 if to the right, else 0."""
        return self.columns.best if self.columns.lowest_rate <= self.rows.lowest_rate else 0


def read_records() -> tuple[AlignmentErrorRecord, ...]:
    """Return the shipped records, one per model; empty if one cannot be read."""
    try:
        records = [_read_record(record) for record in load_records("alignment-error").values()]
    except RECORD_ERRORS as error:
        _log.warning("the records of alignment error are left out: %s", error)
        return ()
    return tuple(sorted(records, key=lambda record: record.model, reverse=True))


def _read_record(record: dict[str, Any]) -> AlignmentErrorRecord:
    keys = ("aer", "aer_low", "aer_high", "precision", "recall")
    rates = {form: ErrorRate(*(float(record["scores"][form][key]) for key in keys)) for form in TEXT_FORMS}
    return AlignmentErrorRecord(
        model=str(record["model"]),
        fingerprint=str(record["fingerprint"]),
        sentences=int(record["data"]["sentences"]),
        command=str(record["command"]),
        rates=rates,
        rows=_read_shifts(record["shifts"]),
        columns=_read_shifts(record["columns"]),
        heads=_read_heads(record["maps"]) if "maps" in record else None,
    )


def _read_shifts(shifts: dict[str, Any]) -> ShiftedRates:
    return ShiftedRates({shift: float(shifts[shift]) for shift in SHIFTS}, int(shifts["best"]))


def get_attention_offset(trace: Trace) -> int:
    """Return `AlignmentErrorRecord.attention_offset` for the weights of a Trace; 0 if it was not measured."""
    card = find_card(trace.provenance.model)
    if card is None or card.main_map is None or trace.displayed_map_key != card.main_map.key:
        return 0
    return load_attention_offset(trace.provenance.model, trace.provenance.fingerprint)


@cache
def load_attention_offset(model: str, fingerprint: str) -> int:
    try:
        content = load_record(f"alignment-{model}.json")
        record = None if content is None else _read_record(content)
    except RECORD_ERRORS as error:
        _log.warning("the record of alignment error of %s is left out: %s", model, error)
        return 0
    return record.attention_offset if record and record.fingerprint == fingerprint else 0


def describe_attention_offset(trace: Trace, t: Messages) -> str:
    """Say that the model attends to a neighbour of the generated word, for a component; "" if it does not."""
    offset = get_attention_offset(trace)
    if not offset:
        return ""
    return t.format_for_component("result.left") if offset > 0 else t.format_for_component("result.right")


def _read_heads(maps: dict[str, Any]) -> HeadErrorRates | None:
    """Return the error rates of the heads; None if the best one was measured on no other sentences."""
    best = maps["best"]
    if best["sentences"] == 0:
        return None
    return HeadErrorRates(
        str(best["map"]), float(best["aer"]), int(best["chosen_on"]), int(best["sentences"]), float(maps["heads"])
    )


def format_finding(records: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """Compare the best model's rate with the diagonal's, as HTML."""
    best = min(records, key=lambda record: record.rates["surface"].aer)
    return t.format_html(
        "alignment_error.finding",
        model=get_title(best.model),
        aer=f"{100 * best.rates['surface'].aer:.1f}",
        diagonal=f"{100 * best.rates['diagonal'].aer:.1f}",
    )


def build_own_table(records: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """Return our error rates as HTML with bars, a row per model, the diagonal baseline last."""
    rates = [(get_title(record.model), record.rates["surface"]) for record in records]
    bars = [Bar(rate.aer, (rate.low, rate.high)) for _, rate in rates]
    diagonal = records[0].rates["diagonal"]
    return tables.render_table(
        [t("alignment_error.aligner"), t("alignment_error.aer")],
        [[name, _format_rate(rate)[0]] for name, rate in (*rates, (t("alignment_error.diagonal"), diagonal))],
        t("alignment_error.ours"),
        [*bars, Bar(diagonal.aer, (diagonal.low, diagonal.high), is_ink=False)],
    )


def build_full_table(records: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """Return our rates as HTML with precision and recall, a row per model and form of the text."""
    head = [t(f"alignment_error.{name}") for name in ("aligner", "aer", "precision", "recall")]
    rows = [
        [t(f"alignment_error.{form}", model=get_title(record.model)), *_format_rate(record.rates[form])]
        for record in records
        for form in TEXT_FORMS[:2]
    ]
    rows.append([t("alignment_error.diagonal"), *_format_rate(records[0].rates["diagonal"])])
    return tables.render_table(head, rows)


def _format_rate(rate: ErrorRate) -> list[str]:
    return [f"{100 * rate.aer:.1f} ({100 * rate.low:.1f}–{100 * rate.high:.1f})", f"{100 * rate.precision:.1f}",
            f"{100 * rate.recall:.1f}"]  # fmt: skip


def build_published_table(t: Messages) -> str:
    """Return the published rates of aligners on the same pairs as HTML with bars."""
    rows = [
        [aligner.name, *("–" if value is None else f"{value:.1f}" for value in (aligner.aer, aligner.symmetrised))]
        for aligner in ALIGNERS
    ]
    head = [t("alignment_error.aligner"), t("alignment_error.aer"), t("alignment_error.both")]
    bars = [Bar((aligner.aer or 0) / 100) for aligner in ALIGNERS]
    return tables.render_table(head, rows, t("alignment_error.published"), bars)


def describe_aligners(t: Messages) -> str:
    """Name precision, recall, training data and source of the published aligners."""
    return " ".join(
        t("alignment_error.published_aligner", name=aligner.name, trained=t(f"aligner.{aligner.key}"),
          source=aligner.source,
          precision="–" if aligner.precision is None else f"{aligner.precision:.1f}",
          recall="–" if aligner.recall is None else f"{aligner.recall:.1f}")
        for aligner in ALIGNERS
    )  # fmt: skip


def describe_shifts(records: Sequence[AlignmentErrorRecord], is_shifted: bool, t: Messages) -> str:
    """Say for each model whether a row of α belongs to its word, or whether the model attends to a neighbour.

    `is_shifted`: only for models whose rate is lower with a shift, or only for the others.
    """
    return " ".join(_describe_shift(record, t) for record in records if _is_shifted(record) == is_shifted)


def _is_shifted(record: AlignmentErrorRecord) -> bool:
    return bool(record.attention_offset or record.rows.best)


def _describe_shift(record: AlignmentErrorRecord, t: Messages) -> str:
    model = get_title(record.model)
    if record.attention_offset:
        side = t("alignment_error.left") if record.attention_offset > 0 else t("alignment_error.right")
        return t("alignment_error.beside", model=model, side=side, **record.columns.format_rates())
    return t(
        "alignment_error.fits" if record.rows.best == 0 else "alignment_error.misfits",
        model=model,
        best=format_decimal(record.rows.best, 0, has_plus=True),
        **record.rows.format_rates(),
    )


def describe_heads(records: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """Describe the error rates of the heads of each model that has several."""
    return " ".join(
        t("alignment_error.heads", model=get_title(record.model), map=_name_best_head(record, t),
          chosen=f"{record.heads.chosen_on:,}", aer=f"{100 * record.heads.aer:.1f}",
          others=f"{record.heads.sentences:,}", mean=f"{100 * record.heads.mean:.1f}")
        for record in records if record.heads
    )  # fmt: skip


def _name_best_head(record: AlignmentErrorRecord, t: Messages) -> str:
    """Return the name of the best head; its key if the model is not there."""
    assert record.heads
    card = find_card(record.model)
    descriptions = card.maps if card else ()
    best = next((description for description in descriptions if description.key == record.heads.best), None)
    return map_names.name_map(best, descriptions, t, is_short=False) if best else record.heads.best


def to_csv(records: Sequence[AlignmentErrorRecord]) -> str:
    """Return our rates in per cent as CSV."""

    def rows() -> Iterator[tuple[str | int, ...]]:
        for record in records:
            head = (record.model, record.fingerprint)
            for form, rate in record.rates.items():
                numbers = (rate.aer, rate.low, rate.high, rate.precision, rate.recall)
                yield *head, form, 0, 0, *(f"{100 * number:.2f}" for number in numbers)
            for shift in ("-1", "+1"):
                by_rows, by_columns = (f"{100 * side.rates[shift]:.2f}" for side in (record.rows, record.columns))
                yield *head, "surface", int(shift), 0, by_rows, "", "", "", ""
                yield *head, "surface", 0, int(shift), by_columns, "", "", "", ""

    columns = ("model", "weights", "text", "rows moved by", "columns moved by", "AER", "low", "high", "precision",
               "recall")  # fmt: skip
    return build_csv(columns, rows())
