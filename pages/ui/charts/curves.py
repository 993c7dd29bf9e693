"""BLEU by source length: curves of evaluations, as a Plotly figure, as CSV and in sentences.

Line style and marker identify a model; the colours of source, target and attention are never used. Models with
attention have a solid line in ink, others a dashed grey one. The marker belongs to the kind of network
(model/networks/registry.py). It is hollow for models trained on shorter sentences than others of the kind.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import plotly.graph_objects as go
import streamlit as st
from plotly.colors import hex_to_rgb

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import (
    BINS,
    Bins,
    GroupDifference,
    LengthBin,
    compute_group_bleu_difference,
    compute_length_curve,
    make_bins_of_equal_size,
    make_bins_of_equal_width,
)
from model.analysis.paper.claims import FLAT, MAX_SHORT_WORDS, MIN_LONG_WORDS
from model.networks.registry import DEFAULT_MARKER, KINDS, Marker
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import parse_evaluation_search
from pages.ui.charts.print_style import DARK_COLOURS, GREY, INK
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_plotly
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal

MIN_SENTENCES = 20  # for a reliable bin
THRESHOLD_STEP = 10  # words by which the threshold of a long sentence is lowered if too few are that long
LINES_PER_LEGEND_ROW = 4  # each further line adds LEGEND_ROW_HEIGHT pixels
LEGEND_ROW_HEIGHT = 14
PLOTLY_CONFIG = {"displayModeBar": False}  # downloads have their own buttons


@dataclass(frozen=True)
class LineStyle:
    """How a model's line is drawn: in ink or grey, with Plotly's names of dash and marker.

    Hollow are models for shorter sentences and those of whole words, which are also dash-dotted.
    """

    is_ink: bool
    dash: str
    marker: Marker
    is_hollow: bool = False

    @property
    def plotly_symbol(self) -> str:
        """Plotly's name of the marker."""
        return f"{self.marker}-open" if self.is_hollow else self.marker


class CurveLike(Protocol):
    """A model's name and a point for each bin, in order; empty bins have no score."""

    @property
    def model(self) -> str: ...

    @property
    def points(self) -> tuple[LengthBin, ...]: ...


@dataclass(frozen=True)
class LengthCurve:
    """One model on one test set with one search."""

    evaluation: Evaluation
    points: tuple[LengthBin, ...]

    @property
    def model(self) -> str:
        return self.evaluation.model


def make_bins(binning: str, evaluation: Evaluation) -> Bins:
    """Return the bins of source length for one of `params.LENGTH_BINNINGS`."""
    if binning.startswith("equal-"):
        return make_bins_of_equal_size(evaluation.get_column("source_words"), int(binning.removeprefix("equal-")))
    return make_bins_of_equal_width(int(binning))


def build_curve(evaluation: Evaluation, bins: Bins) -> LengthCurve:
    """Return the curve of an evaluation over `bins`. The evaluation already holds the paper's bins."""
    if bins == BINS:
        return LengthCurve(evaluation, evaluation.by_length)
    lengths = evaluation.get_column("source_words")
    return LengthCurve(evaluation, compute_length_curve(evaluation.statistics, lengths, bins=bins))


EVALUATION_HASH: dict[str | type[Any], Callable[[Any], Any]] = {
    Evaluation: lambda evaluation: (
        evaluation.data, evaluation.model, evaluation.fingerprint, evaluation.search, evaluation.date
    )
}  # fmt: skip


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=EVALUATION_HASH)
def get_curve(evaluation: Evaluation, binning: str) -> LengthCurve:
    """Return the curve of an evaluation over one of `params.LENGTH_BINNINGS`. Cached: the bands take a second to
    compute."""
    return build_curve(evaluation, make_bins(binning, evaluation))


@st.cache_data(max_entries=200, show_spinner=False, hash_funcs=EVALUATION_HASH)
def get_change(evaluation: Evaluation, long: int) -> GroupDifference:
    """Return `compute_change`, cached."""
    return compute_change(evaluation, long)


def get_line_style(model: str) -> LineStyle:
    """Return the line style that follows from a model's card; dotted without a card."""
    card = cards.find_card(model)
    if card is None:
        return LineStyle(True, "dot", DEFAULT_MARKER)
    marker = KINDS[card.kind].marker if card.kind in KINDS else DEFAULT_MARKER
    same_kind = (other for other in cards.list_cards() if (other.kind, other.languages) == (card.kind, card.languages))
    is_hollow = card.has_unk or any(other.longest_words > card.longest_words for other in same_kind)
    dash = "dashdot" if card.has_unk else "solid" if card.has_attention else "dash"
    return LineStyle(card.has_attention, dash, marker, is_hollow)


def get_line_colour(is_ink: bool, is_dark: bool) -> str:
    """Return the theme's ink or grey."""
    colour = INK if is_ink else GREY
    return DARK_COLOURS[colour] if is_dark else colour


def format_bin(point: LengthBin) -> str:
    """Format the lengths of a bin with an en dash."""
    return point.label.replace("-", "–")


def find_max_bleu(curves: Sequence[CurveLike]) -> float:
    """Return the greatest upper bound, at least 1, so that several figures can share an axis."""
    bounds = (point.band[1] if point.band else point.bleu for curve in curves for point in curve.points)
    return max([1.0, *(bound for bound in bounds if bound is not None)])


def build_figure(
    curves: Sequence[CurveLike], t: Messages, *, top: float, is_dark: bool = False, font_scale: float = 1.0,
    height: int = 420,
) -> go.Figure:
    """Return the curves of one test set over the same bins, each with its band; hovering shows bands and counts.

    Args:
        top: upper end of the BLEU axis.
        font_scale: factor of the font size.
    """
    points = curves[0].points if curves else ()
    size = round(13 * font_scale)
    axes = build_axes(t, size, top, [f"{format_bin(point)}<br>{point.sentences:,}" for point in points])
    axes["xaxis"]["range"] = [-0.4, len(points) - 0.6]
    pixels = round((height + LEGEND_ROW_HEIGHT * max(0, len(curves) - LINES_PER_LEGEND_ROW)) * min(font_scale, 1.1))
    layout = build_layout(size, pixels, hovermode="x unified", legend=build_top_legend(size), **axes)
    # In one call: adding traces to a figure takes twice as long.
    traces = [*(_build_band(curve, is_dark) for curve in curves), *(_build_line(curve, t, is_dark) for curve in curves)]
    return go.Figure(traces, layout)


def build_layout(size: int, height: int, title: str = "", **options: Any) -> dict[str, Any]:
    """Return a Plotly layout in font size `size` with narrow margins, and space for the `title` if there is one."""
    if title:
        options["title"] = {"text": escape_plotly(title), "font": {"size": size + 2}, "x": 0, "y": 0.99,
                            "yanchor": "top"}  # fmt: skip
    return {"height": height, "margin": {"l": 8, "r": 8, "t": 34 if title else 8, "b": 8}, "font": {"size": size},
            "hoverlabel": {"font": {"size": size}}, "showlegend": True, **options}  # fmt: skip


def build_top_legend(size: int) -> dict[str, Any]:
    """Return a horizontal legend above the chart."""
    return {"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": size + 1}}


def build_axis(title: str, size: int, **options: Any) -> dict[str, Any]:
    """Return a Plotly axis in font size `size`."""
    return {"title": {"text": escape_plotly(title), "font": {"size": size}}, "tickfont": {"size": size},
            "zeroline": False, "automargin": True, **options}  # fmt: skip


def build_axes(t: Messages, size: int, top: float, lengths: Sequence[str]) -> dict[str, Any]:
    """Return the axes of BLEU (up to `top`) by length: a tick for each of `lengths`, in font size `size`."""
    return {
        "xaxis": build_axis(t("curve.words"), size, showgrid=False, tickmode="array",
                            tickvals=list(range(len(lengths))), ticktext=list(lengths)),
        "yaxis": build_axis(t("curve.bleu"), size, range=[0, top * 1.06]),
    }  # fmt: skip


def _build_band(curve: CurveLike, is_dark: bool) -> go.Scatter:
    """Return the area between the bounds, with a gap at bins without a band."""
    rgb = hex_to_rgb(get_line_colour(get_line_style(curve.model).is_ink, is_dark))
    x: list[float | None] = []
    y: list[float | None] = []
    run: list[tuple[int, float, float]] = []
    for index, point in enumerate((*curve.points, None)):
        if point is not None and point.band:
            run.append((index, *point.band))
        elif run:
            x += [*(index for index, _, _ in run), *(index for index, _, _ in reversed(run)), None]
            y += [*(low for _, low, _ in run), *(high for _, _, high in reversed(run)), None]
            run = []
    return go.Scatter(
        x=x,
        y=y,
        mode="none",
        fill="toself",
        fillcolor="rgba({},{},{},0.13)".format(*rgb),
        hoverinfo="skip",
        legendgroup=escape_plotly(curve.model),
        showlegend=False,
    )


def _build_line(curve: CurveLike, t: Messages, is_dark: bool) -> go.Scatter:
    style, name = get_line_style(curve.model), escape_plotly(get_title(curve.model))
    colour = get_line_colour(style.is_ink, is_dark)
    return go.Scatter(
        x=list(range(len(curve.points))),
        y=[point.bleu for point in curve.points],
        mode="lines+markers",
        name=name,
        legendgroup=escape_plotly(curve.model),
        line={"color": colour, "dash": style.dash, "width": 2.2},
        marker={"symbol": style.plotly_symbol, "size": 9, "color": colour, "line": {"color": colour, "width": 1.8}},
        customdata=[escape_plotly(_format_point(point, t)) for point in curve.points],
        hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
    )


def _format_point(point: LengthBin, t: Messages) -> str:
    if point.bleu is None:
        return t("curve.nothing")
    if not point.band:
        return t("curve.alone", value=f"{point.bleu:.1f}")
    low, high = (f"{bound:.1f}" for bound in point.band)
    return t("curve.point", value=f"{point.bleu:.1f}", low=low, high=high, sentences=f"{point.sentences:,}")


def describe_curves(curves: Sequence[CurveLike], name: str, t: Messages) -> str:
    """Describe the figure for screen readers: every model's scores by length."""
    sentences = [
        t(
            "curve.described",
            model=get_title(curve.model),
            list=", ".join(
                f"{format_bin(point)}: {point.bleu:.1f}" for point in curve.points if point.bleu is not None
            ),
        )
        for curve in curves
    ]
    return " ".join([t("curve.description", set=name), *sentences])


def choose_long_threshold(evaluation: Evaluation) -> int | None:
    """Return the fewest words of a long sentence: MIN_LONG_WORDS, or less if fewer than MIN_SENTENCES are that long.

    None if the set has too few long or too few short sentences (up to MAX_SHORT_WORDS words).
    """
    words = evaluation.get_column("source_words")
    if (words <= MAX_SHORT_WORDS).sum() < MIN_SENTENCES:
        return None
    thresholds = range(MIN_LONG_WORDS, MAX_SHORT_WORDS, -THRESHOLD_STEP)
    return next((threshold for threshold in thresholds if (words >= threshold).sum() >= MIN_SENTENCES), None)


def compute_change(evaluation: Evaluation, long: int) -> GroupDifference:
    """Return how BLEU changes from sentences of up to MAX_SHORT_WORDS words to those of at least `long`."""
    words, statistics = evaluation.get_column("source_words"), evaluation.statistics
    return compute_group_bleu_difference(statistics[words <= MAX_SHORT_WORDS], statistics[words >= long])


def round_change(change: GroupDifference) -> float:
    """Return the difference of the two rounded levels, so that the numbers shown add up."""
    return round(round(change.second_bleu, 1) - round(change.first_bleu, 1), 1)


def summarise_changes(changes: Sequence[tuple[str, GroupDifference]], long: int, name: str, t: Messages) -> str:
    """Say in one sentence for which models BLEU stays level, falls or rises from short to long sentences.

    It stays level if the whole band is within FLAT of the level of short sentences, as in the paper's claims. A wider
    band that contains 0 is undecided.
    """
    models: dict[str, list[str]] = {"holds": [], "falls": [], "rises": [], "open": []}
    for model, change in changes:
        models[_classify(change)].append(get_title(model))
    parts = [t(f"finding.{verdict}", models=_join_names(names, t)) for verdict, names in models.items() if names]
    *others, last = parts
    findings = t("finding.then", list=", ".join(others), last=last) if others else last
    return t("finding.sentence", set=name, over=long - 1, list=findings)


def describe_changes(evaluations: Sequence[Evaluation], name: str, t: Messages) -> tuple[str, str]:
    """Return `summarise_changes` and `describe_confidence` for a test set; both "" if it has too few sentences."""
    long = choose_long_threshold(evaluations[0])
    if long is None:
        return "", ""
    changes = [(evaluation.model, get_change(evaluation, long)) for evaluation in evaluations]
    return summarise_changes(changes, long, name, t), describe_confidence(changes, t)


def _classify(change: GroupDifference) -> str:
    flat = FLAT * change.first_bleu
    if -flat <= change.low and change.high <= flat:
        return "holds"
    return "falls" if change.high < 0 else "rises" if change.low > 0 else "open"


def _join_names(names: Sequence[str], t: Messages) -> str:
    *others, last = names
    return t("finding.also", list=", ".join(others), last=last) if others else last


def describe_confidence(changes: Sequence[tuple[str, GroupDifference]], t: Messages) -> str:
    """List both levels of every change, and the change with its band."""
    bands = [
        t(
            "finding.band",
            model=get_title(model),
            before=f"{change.first_bleu:.1f}",
            after=f"{change.second_bleu:.1f}",
            value=format_decimal(round_change(change), 1, has_plus=True),
            low=format_decimal(change.low, 1, has_plus=True),
            high=format_decimal(change.high, 1, has_plus=True),
        )
        for model, change in changes
    ]
    return t("finding.how", list="; ".join(bands), short=MAX_SHORT_WORDS, over=MIN_LONG_WORDS - 1, few=MIN_SENTENCES)


def describe_training_hours(evaluations: Sequence[Evaluation], t: Messages) -> str:
    """Say how long each model was trained, as far as its card tells."""
    descriptions = [
        t("verdict.model", model=card.title, hours=format_decimal(card.hours, 1))
        for card in (cards.find_trained_card(evaluation.model, evaluation.fingerprint) for evaluation in evaluations)
        if card is not None
    ]
    return t("finding.trained", list=", ".join(descriptions)) if descriptions else ""


def to_csv(curves: Sequence[LengthCurve]) -> str:
    """Return every point as CSV, with its test set, search, model and signature."""

    def rows() -> Iterator[tuple[str | float | None, ...]]:
        for curve in curves:
            evaluation = curve.evaluation
            search = parse_evaluation_search(evaluation)
            head = (evaluation.data.name, search.key, evaluation.model, evaluation.fingerprint)
            for point in curve.points:
                numbers = (point.first, point.last, point.sentences, point.bleu, *(point.band or (None, None)))
                yield *head, *numbers, evaluation.signatures.get("bleu", "")

    columns = ("test set", "search", "model", "weights", "first word", "last word", "sentences", "BLEU", "low", "high")
    return build_csv((*columns, "signature"), rows())
