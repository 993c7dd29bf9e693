"""BLEU by beam size, from the shipped records: a drawing, sentences and CSV."""

import logging
from dataclasses import dataclass
from typing import Any

from model.analysis.evaluation.stored import RECORD_ERRORS, load_records
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import describe_test_set, slugify
from pages.ui.charts import print_curves
from pages.ui.charts.curves import LineStyle
from pages.ui.charts.print_curves import Series
from pages.ui.charts.printing import Drawing
from pages.ui.csv_table import build_csv
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal

_LINE_STYLES = {"length": LineStyle(True, "solid", "circle"), "none": LineStyle(True, "dash", "circle", is_hollow=True)}

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BeamPoint:
    """BLEU with its band, and the length ratio of output to reference, for one beam size."""

    size: int
    bleu: float
    low: float
    high: float
    ratio: float


@dataclass(frozen=True)
class WidestBeamChange:
    """The difference in BLEU between the widest beam and the best beam size `best`, with its band."""

    best: int
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class BeamSizeRecord:
    """One model: by ranking of hypotheses, the points by beam size and the change at the widest beam."""

    model: str
    fingerprint: str
    data: str
    sentences: int
    signature: str
    date: str
    command: str
    points: dict[str, tuple[BeamPoint, ...]]
    widest_beam_changes: dict[str, WidestBeamChange]


def read_records() -> tuple[BeamSizeRecord, ...]:
    """Return the shipped records, one per model; empty if one cannot be read."""
    try:
        return tuple(_read_record(record) for record in load_records("beam-sizes").values())
    except RECORD_ERRORS as error:
        _log.warning("the records of beam sizes are left out: %s", error)
        return ()


def _read_record(record: dict[str, Any]) -> BeamSizeRecord:
    points: dict[str, list[BeamPoint]] = {}
    for point in record["points"]:
        numbers = (float(point[name]) for name in ("bleu", "low", "high", "ratio"))
        points.setdefault(str(point["ranking"]), []).append(BeamPoint(int(point["beam"]), *numbers))
    changes = {
        str(ranking): WidestBeamChange(
            int(change["best"]), *(float(change[name]) for name in ("difference", "low", "high"))
        )
        for ranking, change in record["wide"].items()
    }
    if set(points) != set(_LINE_STYLES) or set(changes) != set(points):
        raise ValueError(f"the rankings are {', '.join(points)}")
    return BeamSizeRecord(
        model=str(record["model"]),
        fingerprint=str(record["fingerprint"]),
        data=str(record["data"]["name"]),
        sentences=int(record["data"]["sentences"]),
        signature=str(record["signatures"]["bleu"]),
        date=str(record["date"]),
        command=str(record["command"]),
        points={ranking: tuple(by_size) for ranking, by_size in points.items()},
        widest_beam_changes=changes,
    )


def build_drawing(record: BeamSizeRecord, t: Messages) -> Drawing:
    """Return BLEU by beam size, a line per ranking."""
    lines = [
        Series(
            t(f"beams.{ranking}"), _LINE_STYLES[ranking], tuple((point.bleu, point.low, point.high) for point in points)
        )
        for ranking, points in record.points.items()
    ]
    all_points = [point for points in record.points.values() for point in points]
    floor = max(0.0, min(point.low for point in all_points) - 0.5)
    ticks = [(str(point.size), t("length.greedy") if point.size == 1 else "") for point in record.points["length"]]
    title = t("beams.title", model=get_title(record.model), set=describe_test_set(record.data, t, (record.data,)))
    description = " ".join([title, *(describe_ranking(record, ranking, t) for ranking in record.points)])
    name = f"beam-sizes-{slugify(record.model)}"
    return print_curves.build_line_drawing(name, lines, ticks, (t("beams.size"), t("curve.bleu")), description, floor)


def format_finding(record: BeamSizeRecord, t: Messages) -> str:
    """Say whether a wide beam hurts with any ranking, as HTML."""
    verdicts = {_judge(record, ranking) for ranking in record.points}
    verdict = next(verdict for verdict in ("hurts", "open", "best") if verdict in verdicts)
    widest = max(point.size for points in record.points.values() for point in points)
    return t.format_html(f"beams.finding_{verdict}", widest=widest, model=get_title(record.model))


def _judge(record: BeamSizeRecord, ranking: str) -> str:
    """Return the verdict on the widest beam with a ranking; "open" if the band contains 0."""
    change, widest = record.widest_beam_changes[ranking], max(point.size for point in record.points[ranking])
    return "best" if change.best == widest else "hurts" if change.high < 0 else "open"


def describe_ranking(record: BeamSizeRecord, ranking: str, t: Messages) -> str:
    """Say whether the widest beam hurts with this ranking, with its numbers."""
    points = {point.size: point for point in record.points[ranking]}
    change = record.widest_beam_changes[ranking]
    widest = points[max(points)]
    numbers = {
        name: format_decimal(value, 1, has_plus=True)
        for name, value in (("difference", change.difference), ("low", change.low), ("high", change.high))
    }
    return t(f"beams.{_judge(record, ranking)}", ranking=t(f"beams.{ranking}"), best=change.best, widest=widest.size,
               bleu=f"{points[change.best].bleu:.1f}", wide=f"{widest.bleu:.1f}", ratio=f"{widest.ratio:.2f}",
               **numbers)  # fmt: skip


def describe_measurement(record: BeamSizeRecord, t: Messages) -> str:
    """Name the test set, signature, weights and date."""
    return t.format_html(
        "beams.measured",
        set=describe_test_set(record.data, t, (record.data,)),
        sentences=f"{record.sentences:,}",
        signature=record.signature,
        weights=f"{get_title(record.model)} {record.fingerprint}",
        date=record.date[:10],
    )


def to_csv(record: BeamSizeRecord) -> str:
    """Return every point as CSV."""
    columns = ("test set", "sentences", "model", "weights", "ranked by", "beam", "BLEU", "low", "high", "length ratio")
    head = (record.data, record.sentences, record.model, record.fingerprint)
    return build_csv(
        (*columns, "signature"),
        (
            (*head, ranking, point.size, point.bleu, point.low, point.high, point.ratio, record.signature)
            for ranking, points in record.points.items()
            for point in points
        ),
    )
