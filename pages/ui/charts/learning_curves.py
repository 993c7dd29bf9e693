"""BLEU on development text while the models learnt, by target pieces or by hours, from their cards: one picture."""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import plotly.graph_objects as go

from model.analysis.metrics.learning_curve import Amount, CurvePoint, common_texts, read_learning_curve
from model.checkpoints.checkpoint import CheckpointError
from pages.ui.backend.cards import get_title, list_cards
from pages.ui.charts.curves import get_line_colour, get_line_style
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_plotly
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.numbers import format_millions

PREFERRED_TEXT = (
    "newstest2013"  # where models have several texts in common: news is far from what most of them learn from
)
MAX_MARKERS = 12  # on a line, and one at its end
SIZE = 8  # of a marker, in pixels
TICKS = 7  # of the axis, at most

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LearningCurve:
    """A model's moments on one development text: amounts (millions of target pieces, or hours) and BLEU."""

    model: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LearningCurves:
    """What the cards of the shipped models tell: (model, moments), and (model, why) for each that tells nonsense."""

    curves: tuple[tuple[str, str, tuple[CurvePoint, ...]], ...]
    damaged: tuple[tuple[str, str], ...]

    def choose_text(self, models: Sequence[str]) -> str:
        """The development text that most of these models were measured on at every moment; "" where there is none."""
        counts = Counter(text for name, _, curve in self.curves if name in models for text in common_texts(curve))
        return max(sorted(counts), key=lambda text: (counts[text], text == PREFERRED_TEXT), default="")

    def select(self, models: Sequence[str], text: str, by: Amount) -> tuple[LearningCurve, ...]:
        """The curves of those of these models that were measured on a text at every moment."""
        found = {name: curve for name, _, curve in self.curves if text in common_texts(curve)}
        return tuple(
            LearningCurve(name, tuple((get_amount(one.pieces, one.hours, by), one.bleu[text]) for one in found[name]))
            for name in models
            if name in found
        )


def get_amount(pieces: int, hours: float, by: Amount) -> float:
    """How much training that was, in millions of pieces or in hours."""
    return pieces / 1e6 if by == "pieces" else hours


def load_learning_curves() -> LearningCurves:
    """The learning curves of all models there are."""
    found, damaged = [], []
    for card in list_cards():
        try:
            found.append((card.name, card.fingerprint, read_learning_curve(card)))
        except CheckpointError as error:
            _log.warning("the learning curve of %s is left out: %s", card.name, error)
            damaged.append((card.name, str(error)))
    return LearningCurves(tuple(found), tuple(damaged))


def format_amount(value: float, by: Amount, t: Messages) -> str:
    """An amount in words: "69 million pieces", "5.9 hours"."""
    if by == "pieces":
        return t("growth.seen", amount=format_millions(round(value * 1e6), t))
    return t("growth.took", hours=f"{value:.{1 if value >= 1 else 2}f}")


def describe_common_amount(of: Sequence[LearningCurve], by: Amount, t: Messages) -> str:
    """What each had reached after as much as all of them have had; "" for a single one."""
    return t("learning.reached", **compare_at_common_amount(of, by, t)) if len(of) > 1 else ""


def compare_at_common_amount(of: Sequence[LearningCurve], by: Amount, t: Messages) -> dict[str, str]:
    """The `amount` that all of them have had, in words, and a `list` of what each had reached by then."""
    common = min(one.points[-1][0] for one in of)
    listed = ", ".join(f"{get_title(one.model)} {_before(one, common):.1f}" for one in of)
    return {"amount": format_amount(common, by, t), "list": listed}


def _before(one: LearningCurve, common: float) -> float:
    """The BLEU of the last moment up to an amount, else of the first one."""
    return next((bleu for at, bleu in reversed(one.points) if at <= common), one.points[0][1])


def choose_ticks(of: Sequence[LearningCurve]) -> list[float]:
    """Round amounts from 0 on, a step apart, until no curve goes further."""
    most = max([1e-6, *(at for one in of for at, _ in one.points)])
    power = 10 ** math.floor(math.log10(most))
    step = next(step for step in (power / 10, power / 5, power / 2, power, 2 * power, 5 * power) if most / step < TICKS)
    return [round(place * step, 9) for place in range(math.ceil(most / step) + 1)]


def format_tick(tick: float) -> str:
    return f"{tick:g}"


@lru_cache(maxsize=32)
def build_figure(
    of: tuple[LearningCurve, ...], by: Amount, t: Messages, *, dark: bool = False, enlarge: float = 1.0
) -> go.Figure:
    """A line a model."""
    size, places = round(13 * enlarge), choose_ticks(of)
    axis = {"tickfont": {"size": size}, "zeroline": False, "automargin": True}
    highest = max([1.0, *(bleu for one in of for _, bleu in one.points)])
    layout = dict(
        height=round(320 * min(enlarge, 1.2)),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        font={"size": size},
        hovermode="closest",
        hoverdistance=-1,  # the nearest moment, however far it is
        hoverlabel={"font": {"size": size}},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": size + 1}},
        xaxis={**axis, "showgrid": False, "range": [0, places[-1]], "tickvals": places,
               "ticktext": list(map(format_tick, places)),
               "title": {"text": escape_plotly(t(f"learning.{by}_across")), "font": {"size": size}}},
        yaxis={**axis, "range": [0, highest * 1.06],
               "title": {"text": escape_plotly(t("curve.bleu")), "font": {"size": size}}},
    )  # fmt: skip
    return go.Figure([*(_line(one, by, t, dark) for one in of), *(_end(one, dark) for one in of)], layout)


def _end(one: LearningCurve, dark: bool) -> go.Scatter:
    """The marker of the last moment, which Plotly leaves out where it leaves out markers."""
    drawn = get_line_style(one.model)
    x, y = one.points[-1]
    return go.Scatter(x=[x], y=[y], mode="markers", hoverinfo="skip", showlegend=False,
                      legendgroup=escape_plotly(one.model), marker={"symbol": drawn.plotly_symbol, "size": SIZE,
                              "color": get_line_colour(drawn.is_ink, dark)})  # fmt: skip


def _line(one: LearningCurve, by: Amount, t: Messages, dark: bool) -> go.Scatter:
    drawn, name = get_line_style(one.model), escape_plotly(get_title(one.model))
    ink = get_line_colour(drawn.is_ink, dark)
    return go.Scatter(
        x=[at for at, _ in one.points],
        y=[bleu for _, bleu in one.points],
        mode="lines+markers",
        name=name,
        line={"color": ink, "dash": drawn.dash, "width": 2},
        marker={"symbol": drawn.plotly_symbol, "size": SIZE, "color": ink, "maxdisplayed": MAX_MARKERS},
        legendgroup=escape_plotly(one.model),
        customdata=[escape_plotly(format_amount(at, by, t)) for at, _ in one.points],
        hovertemplate=f"{name}, %{{customdata}}: %{{y:.1f}}<extra></extra>",
    )


def choose_marked_points(one: LearningCurve) -> list[int]:
    """The places of the moments that have a marker: every so many-th, and the last one."""
    last = len(one.points) - 1
    return sorted({*range(0, last, math.ceil(len(one.points) / MAX_MARKERS)), last})


def describe_curves(of: Sequence[LearningCurve], text: str, by: Amount, t: Messages) -> str:
    """The picture in words: every model's last score, and what all had reached after as much training."""
    rows = [t("learning.described", model=get_title(one.model), amount=format_amount(one.points[-1][0], by, t),
                bleu=f"{one.points[-1][1]:.1f}") for one in of]  # fmt: skip
    return " ".join(filter(None, [t("learning.description", set=text), *rows, describe_common_amount(of, by, t)]))


def to_csv(found: LearningCurves, models: Sequence[str]) -> str:
    """Every moment of these models, a line a development text."""
    return build_csv(
        ("model", "weights", "target pieces", "hours", "development text", "BLEU"),
        (
            (name, fingerprint, one.pieces, round(one.hours, 4), text, bleu)
            for name, fingerprint, curve in found.curves
            if name in models
            for one in curve
            for text, bleu in one.bleu.items()
        ),
    )
