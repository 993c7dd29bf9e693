"""Learning curves by pieces and by hours, on the text that most models share."""

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from model.analysis.metrics.learning_curve import TRAINING_UNITS, CurvePoint, TrainingUnit
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Card
from pages.ui.charts import learning_curves, print_curves
from pages.ui.charts.learning_curves import LearningCurve, LearningCurves
from pages.ui.i18n.messages import load_messages
from tests.cards import build_card
from tests.pages.charts.test_printing import render_svg, texts

SLOW = tuple(CurvePoint(step * 1_000_000, step * 0.5, {"all": 0.0, "news": step, "more": 9}) for step in (1, 2, 3))
FAST = tuple(CurvePoint(step * 1_000_000, step * 0.1, {"all": 0.0, "news": step / 2}) for step in (1, 3, 9))
LEARNT = LearningCurves((("rnnsearch-50", "f" * 12, SLOW), ("rnnencdec-50", "e" * 12, FAST)), ())
MODELS = ("rnnsearch-50", "rnnencdec-50")


def test_text_is_the_one_most_models_share() -> None:
    assert LEARNT.choose_text(MODELS) == "news"
    assert LEARNT.choose_text(["rnnsearch-50"]) == "more"  # the first by name
    assert LEARNT.choose_text([]) == LEARNT.choose_text(["nobody"]) == ""
    learning = LearningCurves(
        (("m", "0" * 12, (CurvePoint(1, 1, {"a": 1, learning_curves.PREFERRED_TEXT: 1, "z": 1}),)),), ()
    )
    assert learning.choose_text(["m"]) == learning_curves.PREFERRED_TEXT
    assert [curve.model for curve in LEARNT.select(MODELS, "more", "hours")] == ["rnnsearch-50"]


def test_common_amount_differs_by_hours_and_pieces() -> None:
    t = load_messages("en")
    by_pieces, by_hours = (
        learning_curves.describe_common_amount(LEARNT.select(MODELS, "news", unit), unit, t) for unit in TRAINING_UNITS
    )
    amounts = t("training_curves.seen", amount="3.0 million"), t("training_curves.took", hours="0.90")
    scores = "RNNsearch-50 3.0, RNNencdec-50 1.5", "RNNsearch-50 1.0, RNNencdec-50 4.5"
    assert [by_pieces, by_hours] == [t("learning.reached", amount=amount, list=score_list)
                                     for amount, score_list in zip(amounts, scores, strict=True)]  # fmt: skip
    assert learning_curves.describe_common_amount(LEARNT.select(MODELS[:1], "news", "hours"), "hours", t) == ""


def test_hours_are_compared_only_between_models_of_the_same_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    trainings: dict[str, dict[str, Any]] = {
        "a": {"machine": "fast", "from": {"training": {"machine": "slow"}}},
        "b": {"machine": "slow", "from": {"training": {"machine": "fast"}}},
        "c": {"machine": "fast"},
    }
    cards = tuple(replace(build_card(name), training=training) for name, training in trainings.items())
    monkeypatch.setattr(learning_curves, "list_cards", lambda: cards)
    assert [learning_curves.choose_training_unit(models) for models in ("ab", "ac", "c", "")] == [
        "hours", "pieces", "hours", "hours",
    ]  # fmt: skip


@pytest.mark.parametrize("unit", TRAINING_UNITS)
def test_figure_and_drawing_have_the_same_lines(unit: TrainingUnit) -> None:
    curves, t = LEARNT.select(MODELS, "news", unit), load_messages("en")
    lines = [line for line in learning_curves.build_figure(curves, unit, t).to_dict()["data"] if "name" in line]
    assert [line["name"] for line in lines] == ["RNNsearch-50", "RNNencdec-50"]
    drawn_points = [tuple(zip(line["x"], line["y"], strict=True)) for line in lines]
    assert drawn_points == [curve.points for curve in curves]
    assert curves[1].points[-1] == pytest.approx((9 if unit == "pieces" else 0.9, 4.5))
    description = learning_curves.describe_curves(curves, "news", unit, t)
    assert learning_curves.describe_common_amount(curves, unit, t) in description
    svg = render_svg(print_curves.build_learning_drawing(curves, "news", unit, t))
    assert {"RNNsearch-50", "RNNencdec-50", t(f"learning.{unit}_across")} <= set(texts(svg))
    assert {learning_curves.format_tick(tick) for tick in learning_curves.choose_ticks(curves)} <= set(texts(svg))


@pytest.mark.parametrize(
    ("max_amount", "last"), [(0.9, 1.0), (9, 10), (68.1, 70), (120, 120), (1e-9, 1e-6), (3.3, 3.5)]
)
def test_ticks_are_round_and_reach_the_end(max_amount: float, last: float) -> None:
    ticks = learning_curves.choose_ticks([LearningCurve("m", ((0.0, 0.0), (max_amount, 1.0)))])
    assert ticks[0] == 0
    assert 3 <= len(ticks) <= learning_curves.MAX_TICKS + 1
    assert ticks[-1] == pytest.approx(last)
    assert ticks == pytest.approx([place * ticks[1] for place in range(len(ticks))])


def test_last_point_has_a_marker() -> None:
    for moments in (1, 2, 12, 13, 90):
        curve = LearningCurve("m", tuple((float(index), 1.0) for index in range(moments)))
        places = learning_curves.choose_marked_points(curve)
        assert places[-1] == moments - 1
        assert len(places) == len(set(places)) <= learning_curves.MAX_MARKERS + 1
        assert len(places) >= min(moments, learning_curves.MAX_MARKERS) / 2


def test_csv_has_every_point() -> None:
    rows = list(csv.DictReader(io.StringIO(learning_curves.to_csv(LEARNT, ["rnnencdec-50"]))))
    assert len(rows) == 6
    assert rows[-1] == {"model": "rnnencdec-50", "weights": "e" * 12, "target pieces": "9000000", "hours": "0.9",
                        "development text": "news", "BLEU": "4.5"}  # fmt: skip


def test_damaged_card_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    digits = dict.fromkeys((checkpoint.WEIGHTS, checkpoint.VOCABULARY), "0" * 64)
    fine = {"curve": [{"pieces": 5, "hours": 1, "bleu": {"news": 3}}], "target_pieces": 5}
    cards_to_read = [Card("good", {}, 1, digits, training=fine), Card("bad", {}, 1, digits, training={"curve": 5})]
    monkeypatch.setattr(learning_curves, "list_cards", lambda: cards_to_read)
    learning = learning_curves.load_learning_curves()
    assert [name for name, _, _ in learning.curves] == ["good"]
    ((name, reason),) = learning.errors
    assert (name, reason[:40]) == ("bad", "the training curve on the card of bad is")
