"""BLEU by length while a model was being trained: the diaries beside the checkpoints, and their curves as a picture."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import plotly.graph_objects as go

from model.analysis.metrics.learning_curve import Amount, CurvePoint, interpolate_hours, read_learning_curve
from model.checkpoints.checkpoint import Card, CheckpointError
from model.serialization.codec import CodecError
from model.text.bleu import STATISTIC_COUNT, compute_bleu_per_row
from model.training.diary_record import DIARY, DiaryRecord
from model.training.diary_record import Moment as Noted
from pages.ui.backend.cards import get_title, list_cards
from pages.ui.charts.curves import build_axes, get_line_colour, get_line_style
from pages.ui.charts.learning_curves import format_amount, get_amount
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_plotly
from pages.ui.i18n.messages import Messages

MAX_SENTENCES_PER_BIN = 16  # sentences at most, whose translations the diary has scored
MAX_LINES = 6  # lines of a picture

_log = logging.getLogger(__name__)


class DiaryError(ValueError):
    """A diary whose curves cannot be read; the message is one sentence."""


@dataclass(frozen=True)
class Moment:
    """How far the training had come, in target pieces and in hours (None where the card does not tell), and the BLEU of
    each bin then (None: no sentence)."""

    pieces: int
    bleu: tuple[float | None, ...]
    hours: float | None = None


@dataclass(frozen=True)
class TrainingCurves:
    """A model's moments, in order; `bins`: first and last number of source words of each bin."""

    model: str
    fingerprint: str
    bins: tuple[tuple[int, int], ...]
    moments: tuple[Moment, ...]

    def supported_amount(self, by: Amount) -> Amount:
        """By what its moments can be told: by pieces where hours are not known of all."""
        return by if all(moment.hours for moment in self.moments) else "pieces"

    def select_moments(self, by: Amount = "pieces", most: int = MAX_LINES) -> tuple[Moment, ...]:
        """The last moment, and those with about a half, a quarter, … of its training, by pieces or by hours; oldest
        first."""
        if not self.moments:
            return ()
        wanted = [_amount(self.moments[-1], self.supported_amount(by)) / 2**step for step in reversed(range(most))]
        nearest = {
            min(self.moments, key=lambda moment: abs(np.log(_amount(moment, self.supported_amount(by)) / aim)))
            for aim in wanted
        }
        return tuple(sorted(nearest, key=lambda moment: moment.pieces))

    def describe_amount(self, moment: Moment, by: Amount, t: Messages) -> str:
        """How much training a moment had had, in words."""
        by = self.supported_amount(by)
        return format_amount(_amount(moment, by), by, t)


def _amount(moment: Moment, by: Amount) -> float:
    return get_amount(moment.pieces, moment.hours or 0.0, by)


def load_training_curves() -> tuple[tuple[TrainingCurves, ...], tuple[tuple[str, str], ...]]:
    """The diaries of the shipped models, and (model, why) for each that cannot be read."""
    found: list[TrainingCurves] = []
    damaged: list[tuple[str, str]] = []
    for card in list_cards():
        try:
            found.append(read_training_curves(card))
        except DiaryError as error:
            _log.warning("the diary of %s is left out: %s", card.name, error)
            damaged.append((card.name, str(error)))
    return tuple(found), tuple(damaged)


def read_training_curves(card: Card) -> TrainingCurves:
    """The curves in the diary of a checkpoint. Raises GrowthError."""
    try:
        diary = DiaryRecord.from_json((card.folder / DIARY).read_bytes())
    except OSError as error:
        raise DiaryError(f"{DIARY} cannot be read: {error.strerror}") from error
    except CodecError as error:
        raise DiaryError(f"{DIARY} cannot be read: {error}") from error
    try:
        curve = read_learning_curve(card)
    except CheckpointError:  # named beside the learning curves, which come from the same cards
        curve = ()
    return TrainingCurves(card.name, card.fingerprint, diary.bins, tuple(_moment(one, curve) for one in diary.moments))


def _moment(noted: Noted, curve: Sequence[CurvePoint]) -> Moment:
    sums = np.array(noted.bleu_counts, dtype=np.int64).reshape(-1, STATISTIC_COUNT)
    scores = zip(compute_bleu_per_row(sums), sums[:, -1], strict=True)
    return Moment(
        noted.target_pieces,
        tuple(float(score) if reference else None for score, reference in scores),
        interpolate_hours(curve, noted.target_pieces),
    )


def find_max_bleu(of: Sequence[TrainingCurves], by: Amount) -> float:
    """The greatest score of any moment drawn, so that several pictures can share an axis; at least 1."""
    scores = (score for growth in of for moment in growth.select_moments(by) for score in moment.bleu)
    return max([1.0, *(score for score in scores if score is not None)])


@lru_cache(maxsize=64)  # drawing one takes longer than the rest of a run
def build_figure(
    growth: TrainingCurves, by: Amount, t: Messages, *, top: float, dark: bool = False, enlarge: float = 1.0
) -> go.Figure:
    """One line for each amount of training, the later the stronger; its name says how much that was."""
    moments, drawn, size = growth.select_moments(by), get_line_style(growth.model), round(13 * enlarge)
    ink = get_line_colour(drawn.is_ink, dark)
    drawing = go.Figure()
    for number, moment in enumerate(moments, 1):
        strength = 0.25 + 0.75 * number / len(moments)
        seen = escape_plotly(growth.describe_amount(moment, by, t))
        drawing.add_trace(
            go.Scatter(
                x=list(range(len(growth.bins))),
                y=list(moment.bleu),
                mode="lines+markers",
                name=seen,
                opacity=strength,
                line={"color": ink, "dash": drawn.dash, "width": 1.2 + 1.4 * number / len(moments)},
                marker={"symbol": drawn.plotly_symbol, "size": 6, "color": ink},
                hovertemplate=f"{seen}: %{{y:.1f}}<extra></extra>",
            )
        )
    drawing.update_layout(
        height=round(300 * min(enlarge, 1.3)),
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        font={"size": size},
        title={
            "text": escape_plotly(get_title(growth.model)),
            "font": {"size": size + 2},
            "x": 0,
            "y": 0.99,
            "yanchor": "top",
        },
        hovermode="x unified",
        showlegend=True,
        legend={"font": {"size": size - 1}, "traceorder": "reversed", "x": 1.0, "y": 1, "xanchor": "left"},
        **build_axes(t, size, top, [f"{first}–{last}" for first, last in growth.bins]),
    )
    return drawing


def describe_curves(growth: TrainingCurves, by: Amount, t: Messages) -> str:
    """The picture in words: the scores by length at the first and the last amount of training drawn."""
    moments = growth.select_moments(by)
    rows = [
        t(
            "growth.described",
            amount=growth.describe_amount(moment, by, t),
            list=", ".join(
                f"{first}–{last}: {score:.1f}"
                for (first, last), score in zip(growth.bins, moment.bleu, strict=True)
                if score is not None
            ),
        )
        for moment in dict.fromkeys((*moments[:1], *moments[-1:]))
    ]
    return " ".join([t("growth.description", model=get_title(growth.model)), *rows])


def to_csv(of: Sequence[TrainingCurves]) -> str:
    """Every moment of every diary, a line a bin."""
    return build_csv(
        ("model", "weights", "target pieces", "hours", "first word", "last word", "BLEU"),
        (
            (growth.model, growth.fingerprint, moment.pieces, _rounded(moment.hours), first, last, score)
            for growth in of
            for moment in growth.moments
            for (first, last), score in zip(growth.bins, moment.bleu, strict=True)
        ),
    )


def _rounded(hours: float | None) -> float | None:
    return None if hours is None else round(hours, 4)
