"""Check learning curves over several trainings, and that invalid cards are named."""

from typing import Any

import pytest

from model.analysis.metrics.learning_curve import (
    find_common_texts,
    interpolate_bleu,
    interpolate_hours,
    read_learning_curve,
)
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Card, CheckpointError, list_cards
from model.text.languages import DEFAULT_PAIR


def build_entry(pieces: Any, hours: Any, **bleu: Any) -> dict[str, Any]:
    return {"pieces": pieces, "hours": hours, "bleu": bleu}


def build_card(**training: Any) -> Card:
    return Card("m", {}, 1, dict.fromkeys((checkpoint.WEIGHTS, checkpoint.VOCABULARY), "0" * 64), training=training)


def test_tokens_and_hours_add_up_over_trainings() -> None:
    first_training = {
        "curve": [build_entry(100, 0.5, all=1, news=2), build_entry(200, 1.0, all=3, news=4)],
        "target_pieces": 230, "hours_in_updates": 1.25,
    }  # fmt: skip
    second_training = {
        "curve": [build_entry(50, 0.5, all=5, news=6, more=7) | {"processor_hours": 0.25}], "target_pieces": 50,
        "hours_in_updates": 0.5, "processor_hours": 0.25, "from": {"training": first_training},
    }  # fmt: skip
    result = read_learning_curve(build_card(**second_training))
    assert [(point.pieces, point.hours) for point in result] == [(100, 0.5), (200, 1.0), (280, 1.5)]
    assert find_common_texts(result) == {"news"}
    assert [point.bleu["news"] for point in result] == [2, 4, 6]
    assert [interpolate_hours(result, pieces) for pieces in (0, 50, 100, 150, 240)] == [0, 0.25, 0.5, 0.75, 1.25]
    assert interpolate_hours([], 5) is None
    scores = [interpolate_bleu(result, hours, "news") for hours in (0, 0.25, 0.75, 1.25, 1.5, 1.6)]
    assert scores == [0, 1, 3, 5, 6, None]
    assert interpolate_bleu(result, 1.0, "more") is interpolate_bleu([], 0, "news") is None
    assert find_common_texts([]) == frozenset()
    assert read_learning_curve(build_card()) == ()


@pytest.mark.parametrize("damage", [
    5, [{}], [build_entry("1", 1, all=1)], [build_entry(-1, 1, all=1)], [build_entry(1, float("nan"), all=1)],
    [build_entry(1, 1, all=101)],
])  # fmt: skip
def test_an_invalid_card_is_named(damage: Any) -> None:
    with pytest.raises(CheckpointError, match=r"^the training curve on the card of m is malformed: "):
        read_learning_curve(build_card(curve=damage))


def test_shipped_curves_end_at_the_totals_of_their_cards() -> None:
    for shipped in list_cards():
        curve = read_learning_curve(shipped)
        assert [point.pieces for point in curve] == sorted(point.pieces for point in curve), shipped.name
        assert curve[-1].pieces <= shipped.target_tokens
        assert curve[-1].hours == pytest.approx(shipped.hours, abs=0.02), shipped.name
        text = "newstest2013" if shipped.languages == DEFAULT_PAIR else "everyday"
        assert text in find_common_texts(curve), shipped.name
