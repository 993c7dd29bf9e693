"""Learning curves: BLEU on a development text by target pieces or hours of training, from the models' cards."""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import plotly.graph_objects as go

from model.analysis.metrics.learning_curve import CurvePoint, TrainingUnit, find_common_texts, read_learning_curve
from model.checkpoints.checkpoint import CheckpointError, list_machines
from pages.ui.backend.cards import get_title, list_cards
from pages.ui.charts.curves import build_axis, build_layout, build_top_legend, get_line_colour, get_line_style
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_plotly
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_millions

PREFERRED_TEXT = "newstest2013"  # if the models have several texts in common: unlike their training data
MAX_MARKERS = 12  # per line, and one at its end
MARKER_SIZE = 8  # pixels
MAX_TICKS = 7

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LearningCurve:
    """One model on one development text: amounts of training (millions of target pieces, or hours) and BLEU."""

    model: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LearningCurves:
    """The curves of all models, (name, fingerprint, points), and (name, error) for each unreadable card."""

    curves: tuple[tuple[str, str, tuple[CurvePoint, ...]], ...]
    errors: tuple[tuple[str, str], ...]

    def choose_text(self, models: Sequence[str]) -> str:
        """Return the development text that most of these models were always measured on; "" if there is none."""
        counts = Counter(text for name, _, curve in self.curves if name in models for text in find_common_texts(curve))
        return max(sorted(counts), key=lambda text: (counts[text], text == PREFERRED_TEXT), default="")

    def select(self, models: Sequence[str], text: str, unit: TrainingUnit) -> tuple[LearningCurve, ...]:
        """Return the curves of those of these models that were always measured on `text`."""
        points = {name: curve for name, _, curve in self.curves if text in find_common_texts(curve)}
        return tuple(
            LearningCurve(
                name, tuple((get_amount(point.pieces, point.hours, unit), point.bleu[text]) for point in points[name])
            )
            for name in models
            if name in points
        )


def choose_training_unit(models: Sequence[str]) -> TrainingUnit:
    """Return what these models' training is compared by: hours if they had the same machines, else tokens."""
    machines = {frozenset(list_machines(card.training)) for card in list_cards() if card.name in models}
    return "hours" if len(machines) < 2 else "pieces"


def get_amount(pieces: int, hours: float, unit: TrainingUnit) -> float:
    """Return the amount of training in millions of pieces or in hours."""
    return pieces / 1e6 if unit == "pieces" else hours


def load_learning_curves() -> LearningCurves:
    """Return the learning curves of all models."""
    curves, errors = [], []
    for card in list_cards():
        try:
            curves.append((card.name, card.fingerprint, read_learning_curve(card)))
        except CheckpointError as error:
            _log.warning("the learning curve of %s is left out: %s", card.name, error)
            errors.append((card.name, str(error)))
    return LearningCurves(tuple(curves), tuple(errors))


def format_amount(value: float, unit: TrainingUnit, t: Messages) -> str:
    """Format an amount: "69 million pieces", "5.9 hours"."""
    if unit == "pieces":
        return t("training_curves.seen", amount=format_millions(round(value * 1e6), t))
    return t("training_curves.took", hours=f"{value:.{1 if value >= 1 else 2}f}")


def describe_common_amount(curves: Sequence[LearningCurve], unit: TrainingUnit, t: Messages) -> str:
    """Say what each model had reached after the same amount of training; "" for a single model."""
    return t("learning.reached", **compare_at_common_amount(curves, unit, t)) if len(curves) > 1 else ""


def compare_at_common_amount(curves: Sequence[LearningCurve], unit: TrainingUnit, t: Messages) -> dict[str, str]:
    """Return the largest common `amount` of training, and a `list` of the BLEU of each model by then."""
    common_amount = min(curve.points[-1][0] for curve in curves)
    scores = ", ".join(f"{get_title(curve.model)} {_get_bleu_at(curve, common_amount):.1f}" for curve in curves)
    return {"amount": format_amount(common_amount, unit, t), "list": scores}


def _get_bleu_at(curve: LearningCurve, amount: float) -> float:
    """Return BLEU at the last point up to an amount, or at the first point."""
    return next((bleu for point_amount, bleu in reversed(curve.points) if point_amount <= amount), curve.points[0][1])


def choose_ticks(curves: Sequence[LearningCurve]) -> list[float]:
    """Return round, evenly spaced amounts from 0 to the end of the longest curve."""
    max_amount = max([1e-6, *(amount for curve in curves for amount, _ in curve.points)])
    power = 10 ** math.floor(math.log10(max_amount))
    steps = (power / 10, power / 5, power / 2, power, 2 * power, 5 * power)
    step = next(step for step in steps if max_amount / step < MAX_TICKS)
    return [round(index * step, 9) for index in range(math.ceil(max_amount / step) + 1)]


def format_tick(tick: float) -> str:
    return f"{tick:g}"


@lru_cache(maxsize=32)
def build_figure(
    curves: tuple[LearningCurve, ...], unit: TrainingUnit, t: Messages, *, is_dark: bool = False,
    font_scale: float = 1.0,
) -> go.Figure:
    """Return a figure with a line per model."""
    size, ticks = round(13 * font_scale), choose_ticks(curves)
    highest = max([1.0, *(bleu for curve in curves for _, bleu in curve.points)])
    layout = build_layout(
        size,
        round(320 * min(font_scale, 1.2)),
        hovermode="closest",
        hoverdistance=-1,  # the nearest point at any distance
        legend=build_top_legend(size),
        xaxis=build_axis(t(f"learning.{unit}_across"), size, showgrid=False, range=[0, ticks[-1]], tickvals=ticks,
                         ticktext=list(map(format_tick, ticks))),
        yaxis=build_axis(t("curve.bleu"), size, range=[0, highest * 1.06]),
    )  # fmt: skip
    lines = [_build_line(curve, unit, t, is_dark) for curve in curves]
    return go.Figure([*lines, *(_build_end_marker(curve, is_dark) for curve in curves)], layout)


def _build_end_marker(curve: LearningCurve, is_dark: bool) -> go.Scatter:
    """Return the marker of the last point, which Plotly drops when it thins out markers."""
    style = get_line_style(curve.model)
    x, y = curve.points[-1]
    return go.Scatter(
        x=[x],
        y=[y],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        legendgroup=escape_plotly(curve.model),
        marker={"symbol": style.plotly_symbol, "size": MARKER_SIZE, "color": get_line_colour(style.is_ink, is_dark)},
    )


def _build_line(curve: LearningCurve, unit: TrainingUnit, t: Messages, is_dark: bool) -> go.Scatter:
    style, name = get_line_style(curve.model), escape_plotly(get_title(curve.model))
    colour = get_line_colour(style.is_ink, is_dark)
    return go.Scatter(
        x=[amount for amount, _ in curve.points],
        y=[bleu for _, bleu in curve.points],
        mode="lines+markers",
        name=name,
        line={"color": colour, "dash": style.dash, "width": 2},
        marker={"symbol": style.plotly_symbol, "size": MARKER_SIZE, "color": colour, "maxdisplayed": MAX_MARKERS},
        legendgroup=escape_plotly(curve.model),
        customdata=[escape_plotly(format_amount(amount, unit, t)) for amount, _ in curve.points],
        hovertemplate=f"{name}, %{{customdata}}: %{{y:.1f}}<extra></extra>",
    )


def choose_marked_points(curve: LearningCurve) -> list[int]:
    """Return the indices of points with a marker: evenly spaced ones and the last."""
    last = len(curve.points) - 1
    return sorted({*range(0, last, math.ceil(len(curve.points) / MAX_MARKERS)), last})


def describe_curves(curves: Sequence[LearningCurve], text: str, unit: TrainingUnit, t: Messages) -> str:
    """Describe the figure for screen readers: last scores, and scores after the same amount of training."""
    sentences = [t("learning.described", model=get_title(curve.model), bleu=f"{curve.points[-1][1]:.1f}",
                   amount=format_amount(curve.points[-1][0], unit, t)) for curve in curves]  # fmt: skip
    return " ".join(
        filter(None, [t("learning.description", set=text), *sentences, describe_common_amount(curves, unit, t)])
    )


def to_csv(learning: LearningCurves, models: Sequence[str]) -> str:
    """Return every point of these models as CSV, a row per development text."""
    return build_csv(
        ("model", "weights", "target pieces", "hours", "development text", "BLEU"),
        (
            (name, fingerprint, point.pieces, round(point.hours, 4), text, bleu)
            for name, fingerprint, curve in learning.curves
            if name in models
            for point in curve
            for text, bleu in point.bleu.items()
        ),
    )
