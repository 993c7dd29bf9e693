"""BLEU against the length of the source: evaluations made into curves, and curves into a picture, numbers and words.

Models are told apart by line and marker, never by the colours of the concepts: those that attend solid in the page's
ink, those without attention dashed in grey; each kind has its marker (model/networks/registry.py), filled for the
models trained on its longest sentences and hollow for those on shorter ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import plotly.graph_objects as go

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import (
    BINS,
    Bin,
    Bins,
    GroupDifference,
    compute_length_curve,
    group_bleu_difference,
    make_equal_bins,
    make_even_bins,
)
from model.analysis.paper.claims import FLAT, LONG, SHORT
from model.networks.registry import DEFAULT_MARKER, KINDS, Marker
from pages.ui.backend import cards
from pages.ui.backend.cards import title_of
from pages.ui.backend.evaluations import search_of
from pages.ui.csv_table import csv_table
from pages.ui.escape import plotly
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.numbers import millions
from pages.ui.i18n.typography import decimal

MIN_SENTENCES = 20  # sentences; a bin with fewer says little
SHORTER = 10  # words by which a long sentence may be shorter where a set has too few
FEW_LINES = 4  # more of them have a legend of several rows, for each of which there is room:
HIGHER = 14  # pixels a line


@dataclass(frozen=True)
class LineStyle:
    """How a model's line is drawn: `ink` (the page's, or grey), dash and marker by Plotly's names, filled or hollow."""

    is_ink: bool
    dash: str
    marker: Marker
    is_hollow: bool = False

    @property
    def plotly_symbol(self) -> str:
        """What Plotly calls the marker."""
        return f"{self.marker}-open" if self.is_hollow else self.marker


class CurveLike(Protocol):
    """What is drawn of a model: its name, and a point for each bin, in order; empty bins have no score."""

    @property
    def model(self) -> str: ...

    @property
    def points(self) -> tuple[Bin, ...]: ...


@dataclass(frozen=True)
class LengthCurve:
    """One model on one test set with one search."""

    evaluation: Evaluation
    points: tuple[Bin, ...]

    @property
    def model(self) -> str:
        return self.evaluation.model


def make_bins(binning: str, evaluation: Evaluation) -> Bins:
    """The bins that one of links.BINNINGS makes of the lengths of an evaluation's sources."""
    if binning.startswith("equal-"):
        return make_equal_bins(evaluation.column("source_words"), int(binning.removeprefix("equal-")))
    return make_even_bins(int(binning))


def build_curve(evaluation: Evaluation, bins: Bins) -> LengthCurve:
    """The curve of an evaluation over `bins`; the paper's bins stand in the evaluation, others are computed here."""
    if bins == BINS:
        return LengthCurve(evaluation, evaluation.by_length)
    lengths = evaluation.column("source_words")
    return LengthCurve(evaluation, compute_length_curve(evaluation.statistics, lengths, bins=bins))


def get_line_style(model: str) -> LineStyle:
    """How a model's line is drawn, by the facts on its card; dotted where it has none."""
    card = cards.find(model)
    if card is None:
        return LineStyle(True, "dot", DEFAULT_MARKER)
    marker = KINDS[card.kind].marker if card.kind in KINDS else DEFAULT_MARKER
    alike = (one for one in cards.known() if (one.kind, one.languages) == (card.kind, card.languages))
    hollow = any(one.longest_words > card.longest_words for one in alike)
    return LineStyle(card.has_attention, "solid" if card.has_attention else "dash", marker, hollow)


def get_line_colour(ink: bool, dark: bool) -> str:
    """The page's ink or its grey (the theme's text and grey)."""
    return ("#e8eaf0" if ink else "#9aa3b5") if dark else ("#1d2433" if ink else "#6b7385")


def format_bin(point: Bin) -> str:
    """The lengths of a bin, with an en dash."""
    return point.label.replace("-", "–")


def find_max_bleu(curves: Sequence[CurveLike]) -> float:
    """The greatest upper bound, so that several pictures can share an axis; at least 1."""
    reached = (point.band[1] if point.band else point.bleu for one in curves for point in one.points)
    return max([1.0, *(value for value in reached if value is not None)])


def build_figure(
    curves: Sequence[CurveLike], t: Messages, *, top: float, dark: bool = False, enlarge: float = 1.0, height: int = 420
) -> go.Figure:
    """The curves of one test set over the same bins, each with its band; counts and bands are said on hover.

    `top`: where the axis ends; `enlarge`: how much larger than usual its letters are.
    """
    points = curves[0].points if curves else ()
    size = round(13 * enlarge)
    drawn = build_axes(t, size, top, [f"{format_bin(point)}<br>{point.sentences:,}" for point in points])
    drawn["xaxis"]["range"] = [-0.4, len(points) - 0.6]
    layout = dict(
        height=round((height + HIGHER * max(0, len(curves) - FEW_LINES)) * min(enlarge, 1.1)),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        font={"size": size},
        hovermode="x unified",
        hoverlabel={"font": {"size": size}},
        legend={"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": size + 1}},
        **drawn,
    )
    # At once: a figure that is changed afterwards takes twice as long.
    return go.Figure([*(_band(one, dark) for one in curves), *(_line(one, t, dark) for one in curves)], layout)


def build_axes(t: Messages, size: int, top: float, lengths: Sequence[str]) -> dict[str, Any]:
    """The axes of a drawing of BLEU, up to `top`, by length: a tick for each of `lengths`, letters of `size`."""
    both = {"tickfont": {"size": size}, "zeroline": False, "automargin": True}
    across = {"text": plotly(t("curve.words")), "font": {"size": size}}
    up = {"text": plotly(t("curve.bleu")), "font": {"size": size}}
    ticks = {"tickmode": "array", "tickvals": list(range(len(lengths))), "ticktext": list(lengths)}
    return {
        "xaxis": {"title": across, "showgrid": False, **ticks, **both},
        "yaxis": {"title": up, "range": [0, top * 1.06], **both},
    }


def _band(one: CurveLike, dark: bool) -> go.Scatter:
    """The area between the bounds, broken where a bin has none."""
    shade = (232, 234, 240) if dark else (29, 36, 51)
    if not get_line_style(one.model).is_ink:
        shade = (154, 163, 181) if dark else (107, 115, 133)
    x: list[float | None] = []
    y: list[float | None] = []
    run: list[tuple[int, float, float]] = []
    for place, point in enumerate((*one.points, None)):
        if point is not None and point.band:
            run.append((place, *point.band))
        elif run:
            x += [*(at for at, _, _ in run), *(at for at, _, _ in reversed(run)), None]
            y += [*(low for _, low, _ in run), *(high for _, _, high in reversed(run)), None]
            run = []
    return go.Scatter(
        x=x,
        y=y,
        mode="none",
        fill="toself",
        fillcolor="rgba({},{},{},0.13)".format(*shade),
        hoverinfo="skip",
        legendgroup=plotly(one.model),
        showlegend=False,
    )


def _line(one: CurveLike, t: Messages, dark: bool) -> go.Scatter:
    drawn, name = get_line_style(one.model), plotly(title_of(one.model))
    ink = get_line_colour(drawn.is_ink, dark)
    return go.Scatter(
        x=list(range(len(one.points))),
        y=[point.bleu for point in one.points],
        mode="lines+markers",
        name=name,
        legendgroup=plotly(one.model),
        line={"color": ink, "dash": drawn.dash, "width": 2.2},
        marker={"symbol": drawn.plotly_symbol, "size": 9, "color": ink, "line": {"color": ink, "width": 1.8}},
        customdata=[plotly(_score(point, t)) for point in one.points],
        hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
    )


def _score(point: Bin, t: Messages) -> str:
    if point.bleu is None:
        return t("curve.nothing")
    if not point.band:
        return t("curve.alone", value=f"{point.bleu:.1f}")
    low, high = (f"{bound:.1f}" for bound in point.band)
    return t("curve.point", value=f"{point.bleu:.1f}", low=low, high=high, sentences=f"{point.sentences:,}")


def describe_curves(curves: Sequence[CurveLike], name: str, t: Messages) -> str:
    """The picture in words, for those who do not see it: every model's scores by length."""
    rows = [
        t(
            "curve.described",
            model=title_of(one.model),
            list=", ".join(f"{format_bin(point)}: {point.bleu:.1f}" for point in one.points if point.bleu is not None),
        )
        for one in curves
    ]
    return " ".join([t("curve.description", set=name), *rows])


def choose_long_threshold(evaluation: Evaluation) -> int | None:
    """How many words a long sentence has at least: LONG, as for the paper's claims, or as many tens fewer as leave FEW
    such sentences to measure a fall to. None where there are not FEW of them, or of short ones (up to SHORT words)."""
    words = evaluation.column("source_words")
    if (words <= SHORT).sum() < MIN_SENTENCES:
        return None
    return next((least for least in range(LONG, SHORT, -SHORTER) if (words >= least).sum() >= MIN_SENTENCES), None)


def compute_change(evaluation: Evaluation, long: int) -> GroupDifference:
    """How BLEU changes from the sentences of up to SHORT words to those of at least `long`."""
    words, statistics = evaluation.column("source_words"), evaluation.statistics
    return group_bleu_difference(statistics[words <= SHORT], statistics[words >= long])


def round_change(found: GroupDifference) -> float:
    """A change to a tenth, between the two levels as they are shown, so that a reader's sum comes out."""
    return round(round(found.after, 1) - round(found.before, 1), 1)


def summarise_changes(falls: Sequence[tuple[str, GroupDifference]], long: int, name: str, t: Messages) -> str:
    """What the curves show, in one sentence: whose BLEU keeps its level, and whose falls or rises, from short sentences
    to those of at least `long` words. None is a change whose whole band is within FLAT of the level before, as for the
    paper's claims; where a wider one holds 0, nothing can be told."""
    models: dict[str, list[str]] = {"holds": [], "falls": [], "rises": [], "open": []}
    for model, found in falls:
        models[_fared(found)].append(title_of(model))
    parts = [t(f"finding.{surely}", models=_listed(those, t)) for surely, those in models.items() if those]
    *others, last = parts
    told = t("finding.then", list=", ".join(others), last=last) if others else last
    return t("finding.sentence", set=name, over=long - 1, list=told)


def _fared(found: GroupDifference) -> str:
    flat = FLAT * found.before
    if -flat <= found.low and found.high <= flat:
        return "holds"
    return "falls" if found.high < 0 else "rises" if found.low > 0 else "open"


def _listed(names: Sequence[str], t: Messages) -> str:
    *others, last = names
    return t("finding.also", list=", ".join(others), last=last) if others else last


def describe_confidence(falls: Sequence[tuple[str, GroupDifference]], t: Messages) -> str:
    """A finding in numbers, and how sure it is: both levels of every change, and the change with its band."""
    bands = [
        t(
            "finding.band",
            model=title_of(model),
            before=f"{found.before:.1f}",
            after=f"{found.after:.1f}",
            value=decimal(round_change(found), 1, plus=True),
            low=decimal(found.low, 1, plus=True),
            high=decimal(found.high, 1, plus=True),
        )
        for model, found in falls
    ]
    return t("finding.how", list="; ".join(bands), short=SHORT, over=LONG - 1, few=MIN_SENTENCES)


def describe_training(of: Sequence[Evaluation], t: Messages) -> str:
    """How far each evaluated model had been trained, as far as its card tells; "" where none does."""
    told = [
        t("compare.trained", model=card.title, pieces=millions(card.target_tokens, t), hours=decimal(card.hours, 1))
        for card in (cards.trained(one.model, one.fingerprint) for one in of)
        if card is not None
    ]
    return t("finding.trained", list="; ".join(told)) if told else ""


def to_csv(curves: Sequence[LengthCurve]) -> str:
    """Every point of every curve, a line each, with what it was measured on and by what. Safe in a spreadsheet."""

    def rows() -> Iterator[tuple[str | float | None, ...]]:
        for one in curves:
            made = one.evaluation
            head = (made.data.name, search_of(made).key, made.model, made.fingerprint)
            for point in one.points:
                numbers = (point.first, point.last, point.sentences, point.bleu, *(point.band or (None, None)))
                yield *head, *numbers, made.signatures.get("bleu", "")

    columns = ("test set", "search", "model", "weights", "first word", "last word", "sentences", "BLEU", "low", "high")
    return csv_table((*columns, "signature"), rows())
