"""BLEU by source length: points, bands, line styles, summaries, table and CSV."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import BINS, GroupDifference
from model.networks import registry
from model.text.bleu import compute_bleu
from model.trace import MapDescription
from pages.ui.backend import cards
from pages.ui.charts import curves
from pages.ui.charts.curves import (
    LineStyle,
    build_curve,
    build_figure,
    choose_long_threshold,
    compute_change,
    find_max_bleu,
    get_line_colour,
    make_bins,
    summarise_changes,
    to_csv,
)
from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.url_state.params import LENGTH_BINNINGS
from pages.ui.widgets import tables
from tests.cards import build_card
from tests.evaluations import falling_quality, make_evaluation
from tests.hostile import CASES


@pytest.mark.verdict
@pytest.mark.parametrize("binning", LENGTH_BINNINGS)
def test_points_are_corpus_bleu_of_their_bins(binning: str) -> None:
    evaluation = make_evaluation(rule=falling_quality)
    curve = build_curve(evaluation, make_bins(binning, evaluation))
    words = evaluation.get_column("source_words")
    assert sum(point.sentences for point in curve.points) == len(words)
    for point in curve.points:
        members = (words >= point.first) & (words <= (point.last or 10**9))
        assert point.sentences == members.sum()
        assert point.bleu == compute_bleu(evaluation.statistics[members].sum(axis=0))
        assert point.low is not None
        assert point.high is not None
        assert point.low <= point.bleu <= point.high
    assert len(curve.points) == {"10": 7, "5": 13}.get(binning, int(binning.rpartition("-")[2]))


def test_figure_has_points_bands_and_counts() -> None:
    t = load_messages("en")
    pair = [
        build_curve(make_evaluation("rnnsearch-50"), BINS),
        build_curve(make_evaluation("rnnencdec-30", falling_quality), BINS),
    ]
    figure = build_figure(pair, t, top=find_max_bleu(pair))
    band, _, *lines = figure.to_dict()["data"]
    assert [line["name"] for line in lines] == ["RNNsearch-50", "RNNencdec-30"]
    for curve, line in zip(pair, lines, strict=True):
        assert list(line["y"]) == [point.bleu for point in curve.points]
        point = curve.points[0]
        assert line["customdata"][0] == f"{point.bleu:.1f} ({point.low:.1f} to {point.high:.1f}), 30 sentences"
    points = pair[0].points
    assert list(band["y"]) == [*(point.low for point in points), *(point.high for point in reversed(points)), None]
    assert list(figure.layout.xaxis.ticktext) == [f"{curves.format_bin(point)}<br>30" for point in points]
    assert figure.layout.yaxis.range[1] > find_max_bleu(pair)


def test_empty_bins_and_single_sentences_leave_gaps() -> None:
    t = load_messages("en")
    curve = build_curve(make_evaluation(lengths=[5] * 9 + [15] + [35] * 9), BINS)
    band, line = build_figure([curve], t, top=50.0).to_dict()["data"]
    assert [value is None for value in line["y"]] == [False, False, True, False, True, True, True]
    assert list(band["x"]) == [0, 0, None, 3, 3, None]
    assert line["customdata"][1].endswith("1 sentence: no band")
    assert "21–30" not in curves.describe_curves([curve], "made-up", t)


def test_line_style_follows_from_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = MapDescription("head", head=1)
    own_cards = (build_card("x", longest=40), build_card("y", longest=60), build_card("z", "rnnencdec", 60),
           build_card("u", "other", maps=(mine,)), replace(build_card("w", longest=60), has_unk=True))
    monkeypatch.setattr(cards, "list_cards", lambda: own_cards)
    styles = {card.name: curves.get_line_style(card.name) for card in own_cards}
    assert styles == {
        "x": LineStyle(True, "solid", "circle", is_hollow=True),
        "y": LineStyle(True, "solid", "circle"),
        "z": LineStyle(False, "dash", "square"),
        "u": LineStyle(True, "solid", "hexagon"),
        "w": LineStyle(True, "dashdot", "circle", is_hollow=True),
    }
    assert curves.get_line_style("rnnsearch-50") == LineStyle(True, "dot", "hexagon")  # no card here


def test_every_kind_has_a_different_marker() -> None:
    markers = [kind.marker for kind in registry.KINDS.values() if kind.network.startswith("model.")]
    assert len(set(markers)) == len(markers)
    assert registry.DEFAULT_MARKER not in markers


@pytest.mark.parametrize("is_dark", [False, True])
def test_lines_have_contrast_and_no_concept_colours(is_dark: bool) -> None:
    page = "#12161f" if is_dark else "#ffffff"
    for ink in (True, False):
        colour = get_line_colour(ink, is_dark)
        light, deep = sorted((_luminance(colour), _luminance(page)), reverse=True)
        assert (light + 0.05) / (deep + 0.05) > 4.5  # WCAG's bound for text
        assert colour not in {"#3b6fb6", "#c9821b", "#6d4bc3", "#7fb0f0", "#f0b65a", "#ab8df5"}


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def test_change_from_short_to_long_sentences() -> None:
    good, bad = make_evaluation(), make_evaluation("rnnencdec-50", falling_quality)
    threshold = choose_long_threshold(good)
    assert threshold == 51  # as in the paper's claims
    level, drop = compute_change(good, threshold), compute_change(bad, threshold)
    words = bad.get_column("source_words")
    short_counts, long_counts = (bad.statistics[is_selected].sum(axis=0) for is_selected in (words <= 20, words >= 51))
    assert (drop.first_bleu, drop.second_bleu) == (compute_bleu(short_counts), compute_bleu(long_counts))
    assert drop.high < 0 < -drop.difference
    assert abs(level.difference) < abs(drop.difference) / 4


@pytest.mark.parametrize(
    ("change", "verdict", "numbers"),
    [
        (GroupDifference(20.0, 21.5, 0.1, 2.9), "rises", "from 20.0 to 21.5: +1.5"),
        (GroupDifference(24.86, 18.94, -6.4, -5.3), "falls", "from 24.9 to 18.9: −6.0"),  # difference of rounded scores
        (GroupDifference(20.0, 20.3, -0.6, 1.2), "holds", "from 20.0 to 20.3: +0.3"),
        (GroupDifference(20.0, 19.1, -1.6, -0.2), "holds", "from 20.0 to 19.1: −0.9"),  # less than a tenth
        (GroupDifference(1.8, 1.3, -1.2, 0.2), "open", "from 1.8 to 1.3: −0.5"),
    ],
)
def test_summary_follows_from_the_bands(change: GroupDifference, verdict: str, numbers: str) -> None:
    t, changes = load_messages("en"), [("rnnsearch-50", change)]
    sentence = summarise_changes(changes, 51, "Europarl", t)
    described = t(f"finding.{verdict}", models="RNNsearch-50")
    assert sentence == t("finding.sentence", set="Europarl", over=50, list=described)
    low, high = format_decimal(change.low, 1, has_plus=True), format_decimal(change.high, 1, has_plus=True)
    assert f"RNNsearch-50 {numbers} ({low} to {high})" in curves.describe_confidence(changes, t)


def test_long_threshold_needs_short_and_long_sentences() -> None:
    assert choose_long_threshold(make_evaluation(lengths=[15] * 30 + [35] * 30 + [45] * 19)) == 31
    assert choose_long_threshold(make_evaluation(lengths=[15] * 30 + [21] * 20)) == 21
    assert choose_long_threshold(make_evaluation(lengths=[15] * 30)) is None
    assert choose_long_threshold(make_evaluation(lengths=[15] * 3 + [55] * 30)) is None
    assert choose_long_threshold(make_evaluation(lengths=[15] * 30 + [90] * 20)) == 51


def test_summary_groups_models_with_the_same_verdict() -> None:
    drop, level = GroupDifference(20.0, 10.0, -12.0, -8.0), GroupDifference(20.0, 20.1, -0.4, 0.5)
    changes = [("rnnencdec-50", drop), ("rnnsearch-50", level), ("rnnsearch-30", drop), ("rnnencdec-30", drop)]
    sentence = summarise_changes(changes, 51, "Europarl", load_messages("en"))
    assert re.findall(r"RNN\w+-\d+", sentence) == ["RNNsearch-50", "RNNencdec-50", "RNNsearch-30", "RNNencdec-30"]
    assert not re.search(r"\d\.\d", sentence)  # the numbers are below the summary


def test_csv_and_table_have_every_point() -> None:
    t, evaluation = load_messages("en"), make_evaluation()
    pair = [
        build_curve(evaluation, BINS),
        build_curve(make_evaluation("rnnencdec-50", falling_quality, [5] * 9 + [35] * 3, date="2026-02-03"), BINS),
    ]
    rows = list(csv.DictReader(io.StringIO(to_csv(pair))))
    assert len(rows) == 14
    assert [float(row["BLEU"]) for row in rows[:7]] == [point.bleu for point in evaluation.by_length]
    assert [(row["sentences"], row["signature"]) for row in rows[:7]] == [("30", "made-up|signature")] * 7
    assert [row["last word"] for row in rows[5:7]] == ["60", ""]
    assert (rows[8]["BLEU"], rows[8]["low"], rows[8]["sentences"]) == ("", "", "0")
    table = tables.render_curve_table(pair, t)
    assert table.count("<tr>") == 8
    for point in pair[0].points:
        assert f"<th scope='row'>{curves.format_bin(point)}</th><td>{point.sentences}" in table
        assert f"{point.bleu:.1f} ({point.low:.1f}" in table
    for text in ("made-up|signature", "RNNencdec-50 0123456789ab", "2026-01-02, 2026-02-03"):
        assert text in table
    assert "fewer than 20 sentences (1–10, 31–40 words)" in tables.render_curve_table(pair[1:], t)
    assert "fewer than" not in tables.render_curve_table(pair[:1], t)


@pytest.mark.verdict
@pytest.mark.parametrize("case", ["HTML", "attribute", "Plotly", "LaTeX"])
def test_hostile_names_stay_text(case: str) -> None:
    hostile: Evaluation = replace(make_evaluation(), model=CASES[case], signatures={"bleu": CASES[case]})
    curve = build_curve(hostile, BINS)
    drawing = build_figure([curve], load_messages("en"), top=find_max_bleu([curve]))
    trace = drawing.to_dict()["data"][1]
    for text in (trace["name"], trace["hovertemplate"].replace("%{customdata}", "").replace("<extra></extra>", "")):
        assert "<" not in text
        assert "%{" not in text
        assert "$" not in text
    for tag in ("<b>", "<script", "<img", "</style", 'onmouseover="'):
        assert tag not in tables.render_curve_table([curve], load_messages("en"))
