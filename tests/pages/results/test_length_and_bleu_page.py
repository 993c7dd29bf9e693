"""The page Length and BLEU: figures, choices and link, missing or damaged files."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.analysis.metrics.learning_curve import CurvePoint
from pages.ui.backend import cards, evaluations
from pages.ui.charts import learning_curves, training_curves
from pages.ui.charts.learning_curves import LearningCurves
from pages.ui.charts.training_curves import TrainingCurves, TrainingMoment
from pages.ui.i18n.messages import load_messages
from pages.ui.results import joined
from tests.cards import build_card
from tests.evaluations import falling_quality, make_evaluation, write_evaluations
from tests.pages.components import get_html

OpenApp = Callable[..., AppTest]
FOUR = ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Evaluations of four models on one set, of two on a second and with a beam; diaries and learning curves."""
    st.cache_data.clear()
    folder = tmp_path / "evaluations"
    folder.mkdir()
    rules = {"rnnencdec-50": falling_quality, "rnnencdec-30": falling_quality}
    measured = [make_evaluation(name, rules.get(name, lambda length: 0.8)) for name in FOUR]
    measured += [make_evaluation(name, lengths=[12] * 40 + [25] * 40, data="other") for name in FOUR[:2]]
    measured += [make_evaluation(name, beam=12) for name in FOUR[:2]]
    write_evaluations(folder, *measured)
    load_index = evaluations.load_index
    monkeypatch.setattr(evaluations, "load_index", lambda: load_index(folder))
    moments = tuple(TrainingMoment(1000 * 2**step, (1.0 * step, 2.0 * step)) for step in range(8))
    growths = tuple(TrainingCurves(name, "0" * 12, ((1, 10), (11, 20)), moments) for name in FOUR)
    monkeypatch.setattr(training_curves, "load_training_curves", lambda _: (growths, ()))
    learnt = tuple(CurvePoint(step * 10**6, step / (2 + place), {"news": step})
                   for place in (0, 1) for step in (1, 2, 3))  # fmt: skip
    learners = tuple((name, "0" * 12, learnt[:3] if "search" in name else learnt[3:]) for name in FOUR)
    monkeypatch.setattr(learning_curves, "load_learning_curves", lambda: LearningCurves(learners, ()))
    return folder


@pytest.fixture
def open_page(open_app: OpenApp, shipped: Path) -> OpenApp:
    return partial(open_app, "length_and_bleu")


def get_figures(app: AppTest) -> list[dict[str, Any]]:
    assert not app.exception
    return [json.loads(node.proto.spec) for node in app.get("plotly_chart")]


def get_line_names(picture: dict[str, Any]) -> list[str]:
    return [trace["name"] for trace in picture["data"] if "name" in trace]


@pytest.mark.verdict
def test_page_opens_on_all_models_and_the_longest_set(open_page: OpenApp) -> None:
    app = open_page()
    main, learnt = get_figures(app)
    assert get_line_names(learnt) == get_line_names(main)
    assert get_line_names(main) == ["RNNsearch-50", "RNNsearch-30", "RNNencdec-50", "RNNencdec-30"]
    assert app.get("plotly_chart")[0].proto.spec.count("made-up") == 0  # the set's name is outside the figure
    start = "<h2>made-up: from short sentences to those over 50 words, BLEU falls for RNNencdec-50"
    assert start in get_html(app)
    assert "is inconclusive for RNNsearch-50" in get_html(app)  # too few sentences
    assert "curves" not in app.query_params
    alt = app.get("plotly_chart")[0].proto.alt
    assert "RNNencdec-30: 1–10: " in alt


def test_training_by_pieces_or_hours(open_page: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_messages("en")("learning.machines") in get_html(open_page(**{"training-unit": "hours"}))
    monkeypatch.setattr(learning_curves, "list_machines", lambda training: ["one machine"])
    app = open_page()
    assert "After 3.0 million tokens, the latest point that all of them reached, BLEU was: RNNsearch-50 3.0" \
        in get_html(app)  # fmt: skip
    assert get_figures(app)[1]["layout"]["xaxis"]["title"]["text"] == load_messages("en")("learning.pieces_across")
    app.segmented_control(key="training-unit").set_value("hours").run()
    assert "After 1.0 hours, the latest point that all of them reached, BLEU was: RNNsearch-50 2.0, RNNsearch-30 2.0, "\
           "RNNencdec-50 3.0" in get_html(app)  # fmt: skip
    assert "108 to 113" in get_html(app)
    assert app.query_params["training-unit"] == "hours"
    assert get_figures(app)[1]["layout"]["xaxis"]["title"]["text"] == load_messages("en")("learning.hours_across")
    linked = open_page(**{"training-unit": "hours"})
    assert linked.segmented_control(key="training-unit").value == "hours"


def test_training_is_shown_below_the_summary(
    open_page: OpenApp, shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Training: " not in get_html(open_page())  # other weights than the shipped ones
    fingerprint = make_evaluation().fingerprint
    own_cards = [build_card(name, name[:-3], int(name[-2:]), fingerprint=fingerprint, pieces=1) for name in FOUR]
    own_cards[-1].training["processor_hours"] = 1.6
    monkeypatch.setattr(cards, "find_card", {own_card.name: own_card for own_card in own_cards}.get)
    html = get_html(open_page())
    assert "Training: rnnsearch-50 0.0 h, " in html
    assert "rnnencdec-30 1.6 h. More training raises" in html


def test_choices_change_figures_and_link(open_page: OpenApp) -> None:
    app = open_page()
    app.segmented_control(key="curves").set_value(["rnnencdec-30", "rnnsearch-50"]).run()
    assert get_line_names(get_figures(app)[0]) == ["RNNsearch-50", "RNNencdec-30"]
    app.segmented_control(key="sets").set_value(["made-up", "other"]).run()
    assert len(get_figures(app)) == 3
    app.session_state["folds"] = {"training-curves": True}
    app.run()
    assert len(get_figures(app)) == 5
    assert get_figures(app)[0]["layout"]["yaxis"]["range"] == get_figures(app)[1]["layout"]["yaxis"]["range"]
    app.segmented_control(key="bins").set_value("5").run()
    assert len(get_figures(app)[0]["layout"]["xaxis"]["ticktext"]) == 13
    link = {"curves": "rnnsearch-50,rnnencdec-30", "sets": "made-up,other", "bins": "5"}
    assert dict(app.query_params) == link | {"weights": "0123456789ab"}


def test_link_sets_all_choices(open_page: OpenApp) -> None:
    link = {"curves": "rnnencdec-50,rnnsearch-30", "sets": "other", "bins": "equal-5", "evaluated-search": "greedy"}
    app = open_page(lang="ko", **link)
    assert get_line_names(get_figures(app)[0]) == ["RNNsearch-30"]
    assert "RNNencdec-50" in get_html(app).split("class='table")[0]  # a note says that it was not evaluated on this set
    assert app.segmented_control(key="bins").value == "equal-5"
    assert app.segmented_control(key="sets").label == load_messages("ko")("length.sets")


def test_choice_of_a_search_and_of_nothing(open_page: OpenApp) -> None:
    app = open_page()
    app.segmented_control(key="evaluated-search").set_value("beam12").run()
    assert get_line_names(get_figures(app)[0]) == ["RNNsearch-50", "RNNsearch-30"]
    assert "RNNencdec-50, RNNencdec-30" in get_html(app)
    assert app.query_params["evaluated-search"] == "beam12"
    app.segmented_control(key="curves").set_value([]).run()
    assert load_messages("en")("length.choose") in get_html(app)


def test_finding_is_that_of_the_first_set_with_a_figure(open_page: OpenApp, shipped: Path) -> None:
    evaluation = make_evaluation("rnnencdec-50", falling_quality, [15] * 40 + [35] * 40, data="other", beam=12)
    (shipped / "extra.json").write_text(evaluation.to_json(), encoding="utf-8")
    app = open_page(sets="made-up,other", curves="rnnencdec-50", **{"evaluated-search": "beam12"})
    assert get_line_names(get_figures(app)[0]) == ["RNNencdec-50"]
    assert "<h2>other: from short sentences to those over 30 words" in get_html(app)


def test_damaged_and_missing_files_are_reported(
    open_page: OpenApp, shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shipped / "x<b>.json").write_text("{")
    curve = ("rnnsearch-50", "0" * 12, (CurvePoint(5, 1, {"own": 2}),))
    learning = LearningCurves((curve,), (("rnnencdec-30", "it is damaged"),))
    monkeypatch.setattr(learning_curves, "load_learning_curves", lambda: learning)
    app = open_page()
    assert "x&lt;b&gt;.json was skipped" in get_html(app)
    without_text = "RNNsearch-30, RNNencdec-50, RNNencdec-30"
    assert load_messages("en")("learning.missing", models=without_text, set="own") in get_html(app)
    assert "The learning curve of RNNencdec-30 was skipped: it is damaged." in get_html(app)
    monkeypatch.setattr(learning_curves, "load_learning_curves", lambda: LearningCurves((), ()))
    assert len(get_figures(open_page())) == 1


def test_page_without_evaluations_names_the_command(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluations, "load_index", lambda: evaluations.EvaluationIndex(()))
    app = open_app("length_and_bleu")
    assert "python -m model evaluate" in get_html(app)


def test_joined_texts_of_the_shown_weights_are_listed(
    open_page: OpenApp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A record of other weights and a damaged one are left out."""
    point = {"words": 200, "joined": {"bleu": 9.1}, "single": {"bleu": 32.8}, "share_of_words": 0.55}
    records = {"joined-rnnsearch-50.json": {"fingerprint": "1" * 12, "points": [point]},
               "joined-rnnsearch-30.json": {"fingerprint": "2" * 12, "points": [point]},
               "joined-rnnencdec-50.json": {"fingerprint": "1" * 12, "points": [{"words": 200}]}}  # fmt: skip
    monkeypatch.setattr(joined, "load_record", records.get)
    monkeypatch.setattr(joined, "get_fingerprint", lambda name: "1" * 12)
    table = get_html(open_page()).rpartition("<table>")[2]
    assert "one by one" in table
    assert table.count("<tr>") == 2  # head and one row
    monkeypatch.setattr(joined, "get_fingerprint", lambda name: None)
    assert joined.format_joined_table(["neither-model-nor-record"], load_messages("en")) == ""
    assert "neither-model-nor-record" not in caplog.text
    assert all(cell in table for cell in ("<td>200</td>", "<td>9.1</td>", "<td>32.8</td>", "<td>55 %</td>"))
