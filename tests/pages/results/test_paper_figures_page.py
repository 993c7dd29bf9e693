"""The page The paper: tables, drawings, commands, missing measurements."""

import base64
import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.analysis.paper import figures as samples
from model.analysis.paper.published import TABLE_1, TABLE_2
from model.trace import Trace
from pages.ui.backend import cards, evaluations
from pages.ui.charts.printing import Drawing
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages, load_messages
from pages.ui.results import alignment_error, beam_sizes, claims
from pages.ui.widgets import print_figures
from tests.cards import build_card
from tests.evaluations import falling_quality, make_evaluation, write_evaluations
from tests.pages.components import get_html
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.results import test_alignment_error, test_beam_sizes
from tests.traces import make_trace

OpenApp = Callable[..., AppTest]
FOUR = ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations of four models, of two with a beam too; Traces of every sentence."""
    st.cache_data.clear()
    st.cache_resource.clear()
    rules = {"rnnencdec-50": falling_quality, "rnnencdec-30": falling_quality}
    measured = [make_evaluation(name, rules.get(name, lambda length: 0.8), [15] * 40 + [35] * 40, data="newstest2014")
            for name in FOUR]  # fmt: skip
    measured += [make_evaluation(name, lengths=[15] * 40 + [35] * 40, data="newstest2014", beam=12)
                 for name in FOUR[:2]]  # fmt: skip
    load_index = evaluations.load_index
    folder = write_evaluations(tmp_path, *measured)
    monkeypatch.setattr(evaluations, "load_index", lambda: load_index(folder))
    monkeypatch.setattr(claims, "read_claims", lambda: {})
    made_up = {
        "beam-sizes": {"b.json": test_beam_sizes.build_record()},
        "alignment-error": {"a.json": test_alignment_error.build_record()},
    }
    for module in (beam_sizes, alignment_error):
        monkeypatch.setattr(module, "load_records", lambda kind: made_up[kind])
    aligned = tuple(make_diagonal_trace(sample.sentence) for sample in samples.FIGURE_SENTENCES)
    long = tuple(
        make_trace(sample.sentence, sample.reference if name == ATTENDED else "il y a des écoles", None, model=name)
        for name in (PLAIN, ATTENDED)
        for sample in samples.LONG_SENTENCES
    )
    files = {samples.ALIGNMENTS: aligned, samples.LONG_SENTENCES_FILE: long}
    monkeypatch.setattr(samples, "read_traces", lambda name: files[name])


@pytest.fixture
def whole_words(shipped: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of whole words beside them, evaluated on all sentences and on those without unknown words."""
    all_cards = (*cards.list_cards(), replace(build_card("words-50", title="Words"), has_unk=True))
    monkeypatch.setattr(cards, "list_cards", lambda: all_cards)
    evaluations = [make_evaluation("words-50", lengths=[15] * 40 + [35] * 40, data="newstest2014"),
                   make_evaluation("words-50", lambda length: 0.9, [15] * 20, data="newstest2014, known words")]
    for number, evaluation in enumerate(evaluations):
        (tmp_path / f"w{number}.json").write_text(evaluation.to_json(), encoding="utf-8")


def make_diagonal_trace(sentence: str) -> Trace:
    return make_trace(sentence, sentence, tuple(range(len(sentence.split()))))


@pytest.fixture
def open_page(open_app: OpenApp, shipped: None) -> OpenApp:
    return partial(open_app, "paper_figures")


def test_table_1_has_a_column_without_unknown_words_for_whole_words(whole_words: None, open_page: OpenApp) -> None:
    html = get_html(open_page())
    table = next(part for part in html.split("<table") if "Words</th>" in part or ">Words<" in part)
    headings = re.findall(r"<th[^>]*>([^<]*)</th>", table.split("</thead>")[0])
    assert headings[1:] == ["all", "no UNK"]
    row = next(part for part in table.split("<tr") if ">Words<" in part)
    numbers = [float(number) for number in re.findall(r">(\d+\.\d) \(", row)]
    assert numbers[1] > numbers[0]
    assert "newstest2014, known words" not in html


def test_damaged_counts_of_known_words_leave_their_cells_empty(
    whole_words: None, open_page: OpenApp, tmp_path: Path
) -> None:
    """The index reads headers only."""
    header, counts, _ = (tmp_path / "w1.json").read_text("utf-8").partition('"counts":')
    (tmp_path / "w1.json").write_text(f'{header}{counts} "none"}}', encoding="utf-8")
    html = get_html(open_page())
    table = next(part for part in html.split("<table") if ">Words<" in part)
    assert "no UNK" not in table.partition("</table>")[0]


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The CSV tables of the figures by file name."""
    drawings: dict[str, str] = {}
    draw_figure = print_figures.draw_figure

    def record(drawing: Drawing, numbers: str, table: Callable[[], str], t: Messages) -> None:
        drawings[drawing.name] = table()
        draw_figure(drawing, numbers, table, t)

    monkeypatch.setattr(print_figures, "draw_figure", record)
    return drawings


def get_drawings(app: AppTest) -> dict[str, str]:
    """Return the drawings on the page as SVG by file name."""
    bodies = [node.proto.body for node in app.get("html") if "class='printed'" in node.proto.body]
    drawings = [base64.b64decode(re.findall("base64,([^']+)", body)[0]).decode() for body in bodies]
    assert all("alt=''" not in body for body in bodies)
    labels = [str(button.proto.id) for button in app.get("download_button")]
    names = [match[1] for label in labels if (match := re.search(r"-((?:figure|beam-sizes)-.+)-svg$", label))]
    return dict(zip(names, drawings, strict=True))


@pytest.mark.verdict
def test_published_and_own_numbers_are_in_separate_tables(open_page: OpenApp) -> None:
    tables = [node.proto.body for node in open_page().get("html") if "<table>" in node.proto.body]
    published = [table for table in tables if TABLE_1[0].system in table and "24.19" in table]
    ours = [table for table in tables if "made-up|signature" in table]
    assert len(published) == len(ours) == 1
    assert published != ours
    for row in TABLE_1:
        assert f"{row.bleu:.2f}" in published[0]
        assert f">{row.bleu:.2f}<" not in ours[0]
    bars = [float(width) for width in re.findall(r"<i [^>]*width:([\d.]+)%", published[0])]
    assert [width / max(bars) for width in bars] == pytest.approx([row.bleu / 33.3 for row in TABLE_1], abs=2e-3)
    assert re.findall("<i class='(\\w+)'", published[0]) == ["grey", "ink"] * 2 + ["ink", "grey"]
    assert ours[0].count("<tr>") == 1 + 6  # head, four greedy ones, two with a beam
    (second,) = [table for table in tables if TABLE_2[0].gpu in table]
    for training in TABLE_2:
        for number in (f"{1e5 * training.updates:,.0f}", training.hours, f"{training.train_nll:.1f}"):
            assert f">{number}<" in second


def test_figure_2_has_the_kinds_of_the_paper(open_page: OpenApp, tables: dict[str, str]) -> None:
    app = open_page()
    name = "figure-2-newstest2014"
    for model in ("RNNsearch-50", "RNNsearch-30", "RNNencdec-50", "RNNencdec-30"):
        assert f">{model}</text>" in get_drawings(app)[name]
    rows = list(csv.DictReader(io.StringIO(tables[name])))
    assert {row["model"] for row in rows} == set(FOUR)
    assert {row["search"] for row in rows} == {"greedy"}  # the search common to all
    assert "newstest2014: from short sentences to those over 30 words, BLEU falls for " in get_html(app)


def test_position_where_a_translation_stops_following_is_marked(open_page: OpenApp) -> None:
    bodies = [node.proto.body for node in open_page().get("html") if "class='long'" in node.proto.body]
    assert len(bodies) == len(samples.LONG_SENTENCES)
    for body in bodies:
        assert body.count("goes off track here") == 1
        plain, attended = body.split("RNNsearch-50</b>")
        assert "goes off track here" in plain
        assert "on track to the end" in attended
        assert "class='after'" not in attended


def test_commands_and_methods_are_folded(open_page: OpenApp) -> None:
    app = open_page()
    folded = [node.proto.body for fold in app.expander for node in fold.get("html")]
    commands = [node.proto.body for node in app.get("html") if "small source-note" in node.proto.body]
    assert len(commands) == 6
    assert set(commands) <= set(folded)
    assert "each row belongs to the word written in that step" in get_html(app)
    assert "a wide beam hurts. Best is 2" in get_html(app)
    assert "beam-sizes-rnnsearch-50" in get_drawings(app)
    for command in ("alignment-error FOLDER --model rnnsearch-50 --save", "evaluate FOLDER --all", "figures</code>"):
        assert f"python -m model {command}" in get_html(app)
    # Commands that differ in the model only are merged.
    assert "<code>none</code> (rnnsearch-50, rnnsearch-30, rnnencdec-50, rnnencdec-30)" in get_html(app)


def test_page_without_measurements_names_the_commands(
    open_app: OpenApp, shipped: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> tuple[Trace, ...]:
        raise FileNotFoundError(2, "No such file or directory", name)

    monkeypatch.setattr(samples, "read_traces", missing)
    monkeypatch.setattr(evaluations, "load_index", lambda: evaluations.EvaluationIndex(()))
    for module in (beam_sizes, alignment_error):
        monkeypatch.setattr(module, "load_records", lambda kind: {})
    app = open_app("paper_figures")
    assert escape_html(load_messages("en")("figures.unmeasured")) in get_html(app)
    assert get_html(app).count("python -m model figures") == 3  # in two sections, and at the end
    assert not get_drawings(app)
