"""Does a wide beam hurt? BLEU by the size of the beam, from the shipped record, as a picture, numbers and words."""

import logging
from dataclasses import dataclass
from typing import Any

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import load_records
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import describe_test_set, slugify
from pages.ui.charts import print_curves
from pages.ui.charts.curves import LineStyle
from pages.ui.charts.print_curves import Series
from pages.ui.charts.printing import Drawing
from pages.ui.csv_table import build_csv
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal

_LOOKS = {"length": LineStyle(True, "solid", "circle"), "none": LineStyle(True, "dash", "circle", is_hollow=True)}

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BeamPoint:
    """BLEU with a beam of `size`, its band, and the words of the outputs to those of the references."""

    size: int
    bleu: float
    low: float
    high: float
    ratio: float


@dataclass(frozen=True)
class WidestBeamChange:
    """What the widest beam changes against the best one (`best`), with the band of the difference."""

    best: int
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class BeamSizeRecord:
    """A model's record: by what hypotheses are ranked by, the points from narrow to wide and what wide beams do."""

    model: str
    fingerprint: str
    data: str
    sentences: int
    signature: str
    date: str
    command: str
    points: dict[str, tuple[BeamPoint, ...]]
    wide: dict[str, WidestBeamChange]


def read_records() -> tuple[BeamSizeRecord, ...]:
    """The shipped records, a model each; none where they cannot be read."""
    try:
        return tuple(_beams(record) for record in load_records("beam-sizes").values())
    except (EvaluationError, KeyError, TypeError, ValueError) as error:
        _log.warning("the records of beam sizes are left out: %s", error)
        return ()


def _beams(record: dict[str, Any]) -> BeamSizeRecord:
    points: dict[str, list[BeamPoint]] = {}
    for one in record["points"]:
        numbers = (float(one[name]) for name in ("bleu", "low", "high", "ratio"))
        points.setdefault(str(one["ranking"]), []).append(BeamPoint(int(one["beam"]), *numbers))
    wide = {
        str(ranking): WidestBeamChange(int(one["best"]), *(float(one[name]) for name in ("difference", "low", "high")))
        for ranking, one in record["wide"].items()
    }
    if set(points) != set(_LOOKS) or set(wide) != set(points):
        raise ValueError(f"the rankings are {', '.join(points)}")
    return BeamSizeRecord(
        model=str(record["model"]),
        fingerprint=str(record["fingerprint"]),
        data=str(record["data"]["name"]),
        sentences=int(record["data"]["sentences"]),
        signature=str(record["signatures"]["bleu"]),
        date=str(record["date"]),
        command=str(record["command"]),
        points={ranking: tuple(of) for ranking, of in points.items()},
        wide=wide,
    )


def build_drawing(of: BeamSizeRecord, t: Messages) -> Drawing:
    """BLEU by the size of the beam, a line for each ranking."""
    lines = [
        Series(t(f"beams.{ranking}"), _LOOKS[ranking], tuple((point.bleu, point.low, point.high) for point in points))
        for ranking, points in of.points.items()
    ]
    every = [point for points in of.points.values() for point in points]
    floor = max(0.0, min(point.low for point in every) - 0.5)
    ticks = [(str(point.size), t("length.greedy") if point.size == 1 else "") for point in of.points["length"]]
    title = t("beams.title", model=get_title(of.model), set=describe_test_set(of.data, t, (of.data,)))
    told = " ".join([title, *(describe_ranking(of, ranking, t) for ranking in of.points)])
    name = f"beam-sizes-{slugify(of.model)}"
    return print_curves.build_line_drawing(name, lines, ticks, (t("beams.size"), t("curve.bleu")), told, floor)


def describe_ranking(of: BeamSizeRecord, ranking: str, t: Messages) -> str:
    """Whether the widest beam hurts with this ranking, in a sentence. A band that holds 0 tells nothing."""
    points, wide = {point.size: point for point in of.points[ranking]}, of.wide[ranking]
    widest = points[max(points)]
    surely = "best" if wide.best == widest.size else "hurts" if wide.high < 0 else "open"
    numbers = {
        name: format_decimal(value, 1, plus=True)
        for name, value in (("difference", wide.difference), ("low", wide.low), ("high", wide.high))
    }
    return t(f"beams.{surely}", ranking=t(f"beams.{ranking}"), best=wide.best, widest=widest.size,
               bleu=f"{points[wide.best].bleu:.1f}", wide=f"{widest.bleu:.1f}", ratio=f"{widest.ratio:.2f}",
               **numbers)  # fmt: skip


def describe_measurement(of: BeamSizeRecord, t: Messages) -> str:
    """What was measured, with which signature and which weights."""
    return t.marked("beams.measured", set=describe_test_set(of.data, t, (of.data,)), sentences=f"{of.sentences:,}",
               signature=of.signature, weights=f"{get_title(of.model)} {of.fingerprint}",
               date=of.date[:10])  # fmt: skip


def to_csv(of: BeamSizeRecord) -> str:
    """Every point, a line each. Safe in a spreadsheet."""
    columns = ("test set", "sentences", "model", "weights", "ranked by", "beam", "BLEU", "low", "high", "length ratio")
    head = (of.data, of.sentences, of.model, of.fingerprint)
    return build_csv(
        (*columns, "signature"),
        (
            (*head, ranking, one.size, one.bleu, one.low, one.high, one.ratio, of.signature)
            for ranking, points in of.points.items()
            for one in points
        ),
    )
