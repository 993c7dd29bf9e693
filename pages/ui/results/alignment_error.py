"""How far attention agrees with links made by people: the shipped alignment error rates as tables, words and CSV."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import load_record, load_records
from model.analysis.paper.published import ALIGNERS
from model.trace import Trace
from pages.ui.backend.cards import find_card, get_title
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.widgets import map_names, tables

TEXT_FORMS = ("surface", "written", "diagonal")
SHIFTS = ("-1", "0", "+1")

RECORD_ERRORS = (EvaluationError, KeyError, TypeError, ValueError)
"""What reading a record raises that is not what it should be."""

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
    """Of a model with several maps: the key of the best one on `chosen_on` pairs, its rate on the `sentences` others,
    and the mean of the rates of all heads."""

    best: str
    aer: float
    chosen_on: int
    sentences: int
    mean: float


@dataclass(frozen=True)
class ShiftedRates:
    """The rates with rows or columns moved by -1, 0 and +1, and which of these fits best."""

    rates: dict[str, float]
    best: int

    @property
    def lowest(self) -> float:
        return min(self.rates.values())

    def format_rates(self) -> dict[str, str]:
        """The rates in per cent, by their places in the texts."""
        places = zip(("before", "here", "after"), SHIFTS, strict=True)
        return {place: f"{100 * self.rates[move]:.1f}" for place, move in places}


@dataclass(frozen=True)
class AlignmentErrorRecord:
    """A model's record: its rates by the way it was given the text (WAYS), and with its rows or its columns moved by
    one; of a model with several maps how its heads fare, None for one with a single map."""

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
        """How far its columns are to be moved to the right so that it looks at what it writes: 1 where it looks one
        place to the left, -1 to the right, 0 where it looks at it."""
        return self.columns.best if self.columns.lowest <= self.rows.lowest else 0


def read_records() -> tuple[AlignmentErrorRecord, ...]:
    """The shipped records, a model each, the one for longer sentences first; none where they cannot be read."""
    try:
        found = [_agreement(one) for one in load_records("alignment-error").values()]
    except RECORD_ERRORS as error:
        _log.warning("the records of alignment error are left out: %s", error)
        return ()
    return tuple(sorted(found, key=lambda one: one.model, reverse=True))


def _agreement(record: dict[str, Any]) -> AlignmentErrorRecord:
    keys = ("aer", "aer_low", "aer_high", "precision", "recall")
    rates = {way: ErrorRate(*(float(record["scores"][way][key]) for key in keys)) for way in TEXT_FORMS}
    return AlignmentErrorRecord(
        model=str(record["model"]),
        fingerprint=str(record["fingerprint"]),
        sentences=int(record["data"]["sentences"]),
        command=str(record["command"]),
        rates=rates,
        rows=_moved(record["shifts"]),
        columns=_moved(record["columns"]),
        heads=_heads(record["maps"]) if "maps" in record else None,
    )


def _moved(found: dict[str, Any]) -> ShiftedRates:
    return ShiftedRates({move: float(found[move]) for move in SHIFTS}, int(found["best"]))


def get_attention_offset(trace: Trace) -> int:
    """How far the columns of what a trace shows are to be moved to the right so that its model looks at what it writes
    (`Agreement.beside`), as far as that was measured of its weights: 0 where it was not."""
    card = find_card(trace.made_by.model)
    if card is None or card.main_map is None or trace.shown != card.main_map.key:
        return 0
    return _beside(trace.made_by.model, trace.made_by.fingerprint)


@cache
def _beside(model: str, fingerprint: str) -> int:
    try:
        found = load_record(f"alignment-{model}.json")
        one = None if found is None else _agreement(found)
    except RECORD_ERRORS as error:
        _log.warning("the record of alignment error of %s is left out: %s", model, error)
        return 0
    return one.attention_offset if one and one.fingerprint == fingerprint else 0


def describe_attention_offset(trace: Trace, t: Messages) -> str:
    """That a trace's model looks beside what it writes, for a browser component; "" where it does not."""
    moved = get_attention_offset(trace)
    if not moved:
        return ""
    return t.sent("result.left") if moved > 0 else t.sent("result.right")


def _heads(found: dict[str, Any]) -> HeadErrorRates:
    best = found["best"]
    return HeadErrorRates(
        str(best["map"]), float(best["aer"]), int(best["chosen_on"]), int(best["sentences"]), float(found["heads"])
    )


def build_own_table(found: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """Our rates, a row for each model and way of giving it the text, the diagonal last, as HTML."""
    head = [t("agreement.aligner"), t("agreement.aer"), t("agreement.precision"), t("agreement.recall")]
    rows = [
        [t(f"agreement.{way}", model=get_title(one.model)), *_shown(one.rates[way])]
        for one in found
        for way in TEXT_FORMS[:2]
    ]
    rows.append([t("agreement.diagonal"), *_shown(found[0].rates["diagonal"])])
    return tables.render_table(head, rows, t("agreement.ours"))


def _shown(rate: ErrorRate) -> list[str]:
    return [f"{100 * rate.aer:.1f} ({100 * rate.low:.1f}–{100 * rate.high:.1f})", f"{100 * rate.precision:.1f}",
            f"{100 * rate.recall:.1f}"]  # fmt: skip


def build_published_table(t: Messages) -> str:
    """What others published of aligners on the same pairs, and what those were trained on, as HTML."""
    head = [t("agreement.aligner"), t("agreement.aer"), t("agreement.precision"), t("agreement.recall"),
            t("agreement.both")]  # fmt: skip
    rows = [
        [one.name, *("–" if value is None else f"{value:.1f}"
                     for value in (one.aer, one.precision, one.recall, one.symmetrised))]
        for one in ALIGNERS
    ]  # fmt: skip
    trained = " ".join(f"{one.name}: {t(f'aligner.{one.key}')} ({one.source})." for one in ALIGNERS)
    return tables.render_table(head, rows, t("agreement.published")) + f"<p class='small'>{escape_html(trained)}</p>"


def describe_shifts(found: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """Which word a row belongs to, and whether the model looks at that word or beside it: the rates with the rows moved
    by one either way, or the columns where that fits better, a sentence a model."""
    return " ".join(_shifted(one, t) for one in found)


def _shifted(one: AlignmentErrorRecord, t: Messages) -> str:
    model = get_title(one.model)
    if one.attention_offset:
        side = t("agreement.left") if one.attention_offset > 0 else t("agreement.right")
        return t("agreement.beside", model=model, side=side, **one.columns.format_rates())
    return t(
        "agreement.fits" if one.rows.best == 0 else "agreement.misfits",
        model=model,
        best=format_decimal(one.rows.best, 0, plus=True),
        **one.rows.format_rates(),
    )


def describe_heads(found: Sequence[AlignmentErrorRecord], t: Messages) -> str:
    """How the heads of models with several fare, a sentence a model; "" where there are none."""
    return " ".join(
        t("agreement.heads", model=get_title(one.model), map=_called(one, t), chosen=f"{one.heads.chosen_on:,}",
            aer=f"{100 * one.heads.aer:.1f}", others=f"{one.heads.sentences:,}", mean=f"{100 * one.heads.mean:.1f}")
        for one in found if one.heads
    )  # fmt: skip


def _called(one: AlignmentErrorRecord, t: Messages) -> str:
    """What the best map is called; its key where the model is no longer there."""
    assert one.heads
    card = find_card(one.model)
    among = card.maps if card else ()
    best = next((each for each in among if each.key == one.heads.best), None)
    return map_names.name_map(best, among, t, short=False) if best else one.heads.best


def to_csv(found: Sequence[AlignmentErrorRecord]) -> str:
    """Our rates, a line each, in per cent. Safe in a spreadsheet."""

    def rows() -> Iterator[tuple[str | int, ...]]:
        for one in found:
            for way, rate in one.rates.items():
                numbers = (rate.aer, rate.low, rate.high, rate.precision, rate.recall)
                yield one.model, one.fingerprint, way, 0, 0, *(f"{100 * number:.2f}" for number in numbers)
            for move in ("-1", "+1"):
                of_rows, of_columns = (f"{100 * moved.rates[move]:.2f}" for moved in (one.rows, one.columns))
                yield one.model, one.fingerprint, "surface", int(move), 0, of_rows, "", "", "", ""
                yield one.model, one.fingerprint, "surface", 0, int(move), of_columns, "", "", "", ""

    columns = (
        "model",
        "weights",
        "text",
        "rows moved by",
        "columns moved by",
        "AER",
        "low",
        "high",
        "precision",
        "recall",
    )
    return build_csv(columns, rows())
