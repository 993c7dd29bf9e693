"""BLEU by source length during training, from the diaries beside the checkpoints."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model.analysis.metrics.learning_curve import CurvePoint, TrainingUnit, interpolate_hours, read_learning_curve
from model.checkpoints.checkpoint import Card, CheckpointError
from model.serialization.codec import CodecError
from model.text.bleu import STATISTIC_COUNT, compute_bleu_per_row
from model.training.diary_record import DIARY, DiaryRecord, Moment
from pages.ui.backend.cards import find_card, get_title
from pages.ui.charts.curves import build_axes, build_layout, get_line_colour, get_line_style
from pages.ui.charts.learning_curves import format_amount, get_amount
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_plotly
from pages.ui.i18n.messages import Messages

MAX_SENTENCES_PER_BIN = 16  # whose translations the diary has scored
MAX_LINES = 6  # per figure

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TrainingMoment:
    """A moment of the training: target tokens seen, BLEU of each bin (None: no sentence), hours (None: unknown)."""

    target_tokens: int
    bleu: tuple[float | None, ...]
    hours: float | None = None


@dataclass(frozen=True)
class TrainingCurves:
    """A model's moments, in order; `bins` holds the fewest and most source words of each bin."""

    model: str
    fingerprint: str
    bins: tuple[tuple[int, int], ...]
    moments: tuple[TrainingMoment, ...]

    @property
    def bin_labels(self) -> list[str]:
        return [f"{first}–{last}" if first < last else str(first) for first, last in self.bins]

    def get_supported_unit(self, unit: TrainingUnit) -> TrainingUnit:
        """Return `unit`, or "pieces" if the hours of some moments are unknown."""
        return unit if all(moment.hours for moment in self.moments) else "pieces"

    def select_moments(self, unit: TrainingUnit = "pieces") -> tuple[TrainingMoment, ...]:
        """Return the last moment and those at about 1/2, 1/4, … of its amount of training, oldest first."""
        if not self.moments:
            return ()
        unit = self.get_supported_unit(unit)
        last = _get_amount(self.moments[-1], unit)
        targets = [last / 2**step for step in reversed(range(MAX_LINES))]
        nearest_moments = {
            min(self.moments, key=lambda moment: abs(np.log(_get_amount(moment, unit) / target)))
            for target in targets
        }
        return tuple(sorted(nearest_moments, key=lambda moment: moment.target_tokens))

    def describe_amount(self, moment: TrainingMoment, unit: TrainingUnit, t: Messages) -> str:
        """Format the amount of training at a moment."""
        unit = self.get_supported_unit(unit)
        return format_amount(_get_amount(moment, unit), unit, t)


def _get_amount(moment: TrainingMoment, unit: TrainingUnit) -> float:
    return get_amount(moment.target_tokens, moment.hours or 0.0, unit)


def load_training_curves(models: Sequence[str]) -> tuple[tuple[TrainingCurves, ...], tuple[tuple[str, str], ...]]:
    """Return the curves of those of `models` that have a diary, and (name, error) for each unreadable diary."""
    curves: list[TrainingCurves] = []
    errors: list[tuple[str, str]] = []
    for card in filter(None, map(find_card, models)):
        if not (card.folder / DIARY).exists():
            continue
        result = _read_or_explain(card, card.folder, card.fingerprint)
        if isinstance(result, TrainingCurves):
            curves.append(result)
        else:
            errors.append((card.name, result))
    return tuple(curves), tuple(errors)


@st.cache_resource(show_spinner=False, max_entries=64)
def _read_or_explain(_card: Card, folder: Path, fingerprint: str) -> TrainingCurves | str:
    """Return the curves of a card, or why its diary cannot be read; read once for each folder and its weights."""
    try:
        return read_training_curves(_card)
    except (OSError, CodecError) as error:
        reason = f"{DIARY} cannot be read: {error.strerror if isinstance(error, OSError) else error}"
        _log.warning("the diary of %s is left out: %s", _card.name, reason)
        return reason


def read_training_curves(card: Card) -> TrainingCurves:
    """Return the curves in the diary of a checkpoint. Raises OSError or CodecError."""
    diary = DiaryRecord.from_json((card.folder / DIARY).read_bytes())
    try:
        curve = read_learning_curve(card)
    except CheckpointError:  # reported beside the learning curves
        curve = ()
    return TrainingCurves(
        card.name, card.fingerprint, diary.bins, tuple(_score(moment, curve) for moment in diary.moments)
    )


def _score(moment: Moment, curve: Sequence[CurvePoint]) -> TrainingMoment:
    sums = np.array(moment.bleu_counts, dtype=np.int64).reshape(-1, STATISTIC_COUNT)
    scores = zip(compute_bleu_per_row(sums), sums[:, -1], strict=True)
    return TrainingMoment(
        moment.target_pieces,
        tuple(float(score) if reference else None for score, reference in scores),
        interpolate_hours(curve, moment.target_pieces),
    )


def find_max_bleu(models: Sequence[TrainingCurves], unit: TrainingUnit) -> float:
    """Return the greatest score of all figures, at least 1, so that they can share an axis."""
    scores = (score for curves in models for moment in curves.select_moments(unit) for score in moment.bleu)
    return max([1.0, *(score for score in scores if score is not None)])


@lru_cache(maxsize=64)  # drawing one takes longer than the rest of a run
def build_figure(
    curves: TrainingCurves, unit: TrainingUnit, t: Messages, *, top: float, is_dark: bool = False,
    font_scale: float = 1.0,
) -> go.Figure:
    """Return a figure with a line per amount of training, later lines darker."""
    moments, style, size = curves.select_moments(unit), get_line_style(curves.model), round(13 * font_scale)
    colour = get_line_colour(style.is_ink, is_dark)
    traces = []
    for number, moment in enumerate(moments, 1):
        opacity = 0.25 + 0.75 * number / len(moments)
        name = escape_plotly(curves.describe_amount(moment, unit, t))
        traces.append(
            go.Scatter(
                x=list(range(len(curves.bins))),
                y=list(moment.bleu),
                mode="lines+markers",
                name=name,
                opacity=opacity,
                line={"color": colour, "dash": style.dash, "width": 1.2 + 1.4 * number / len(moments)},
                marker={"symbol": style.plotly_symbol, "size": 6, "color": colour},
                hovertemplate=f"{name}: %{{y:.1f}}<extra></extra>",
            )
        )
    layout = build_layout(
        size,
        round(300 * min(font_scale, 1.3)),
        get_title(curves.model),
        hovermode="x unified",
        legend={"font": {"size": size - 1}, "traceorder": "reversed", "x": 1.0, "y": 1, "xanchor": "left"},
        **build_axes(t, size, top, curves.bin_labels),
    )
    return go.Figure(traces, layout)


def describe_curves(curves: TrainingCurves, unit: TrainingUnit, t: Messages) -> str:
    """Describe the figure for screen readers: the first and the last line."""
    moments = curves.select_moments(unit)
    sentences = []
    for moment in dict.fromkeys((*moments[:1], *moments[-1:])):
        bins = zip(curves.bin_labels, moment.bleu, strict=True)
        scores = ", ".join(f"{label}: {score:.1f}" for label, score in bins if score is not None)
        sentences.append(t("training_curves.described", amount=curves.describe_amount(moment, unit, t), list=scores))
    return " ".join([t("training_curves.description", model=get_title(curves.model)), *sentences])


def to_csv(models: Sequence[TrainingCurves]) -> str:
    """Return every moment of every diary as CSV, a row per bin."""
    return build_csv(
        ("model", "weights", "target pieces", "hours", "first word", "last word", "BLEU"),
        (
            (curves.model, curves.fingerprint, moment.target_tokens, hours and round(hours, 4), *words, score)
            for curves in models
            for moment in curves.moments
            for hours in (moment.hours,)
            for words, score in zip(curves.bins, moment.bleu, strict=True)
        ),
    )
