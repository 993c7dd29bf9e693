"""What a column of All models says about training: bars, BLEU with its search, grey, and RNNsearch of equal hours."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.analysis.evaluation.stored import EVALUATIONS_FOLDER
from model.analysis.metrics.learning_curve import find_common_texts, read_learning_curve
from model.analysis.paper.runs import RUNS_FOLDER
from model.checkpoints.checkpoint import Card
from model.decoding import Settings
from pages.ui.backend import cards
from pages.ui.charts.learning_curves import PREFERRED_TEXT
from pages.ui.family import training
from pages.ui.i18n.messages import load_messages

T = load_messages("en")
GREEDY = Settings()


def find_card(name: str) -> Card:
    card = cards.find_card(name)
    assert card is not None
    return card


def with_hours(*hours: float) -> list[Card]:
    shipped = find_card("transformer-50")
    return [replace(shipped, name=str(number), training={"processor_hours": spent, "target_pieces": int(1e6 * spent)})
            for number, spent in enumerate(hours)]  # fmt: skip


@pytest.mark.parametrize(("hours", "grey", "ranges"), [
    ((10.0, 12.0), [], None), ((10.0, 12.1), [0], ("10.0", "12.1")), ((0.0, 5.0), [0], None), ((0.0, 0.0), [], None),
    ((1.0, 10.0, 2.0, 9.0), [0, 2], ("1.0–2.0", "9.0–10.0")),
])  # fmt: skip
def test_models_with_fewer_hours_are_grey(
    hours: tuple[float, ...], grey: list[int], ranges: tuple[str, str] | None
) -> None:
    members = with_hours(*hours)
    assert [number for number, card in enumerate(members) if training.has_fewer_hours(card, members)] == grey
    note = T("family.unequal", grey=ranges[0], others=ranges[1]) if ranges else ""
    assert training.describe_unequal_training(members, T) == note


def test_bars_have_one_scale() -> None:
    members = with_hours(4.0, 1.0, 0.0)
    bars = [training.build_training(card, members, GREEDY, T)["bars"] for card in members]
    assert [[bar["share"] for bar in two] for two in bars] == [[1.0, 1.0], [0.25, 0.25], []]
    assert bars[0][0]["text"] == "4.0 hours"


@pytest.mark.parametrize(("beam", "file", "search"), [
    (1, "greedy", "greedy"), (2, "greedy", "greedy"), (5, "beam12", "beam 12"),
])  # fmt: skip
def test_score_is_of_the_most_similar_search(beam: int, file: str, search: str) -> None:
    card = find_card("luong-50")
    record = json.loads((EVALUATIONS_FOLDER / f"newstest2014-luong-50-{file}.json").read_bytes())
    card_training = training.build_training(card, [card], Settings(beam=beam), T)
    assert card_training["score"].startswith(f"{record['scores']['bleu']:.1f} ")
    assert card_training["score_note"] == f"newstest2014, {search}"
    retrained_card = replace(card, sha256=card.sha256 | {"weights.safetensors": "0" * 64})
    retrained = training.build_training(retrained_card, [card], GREEDY, T)
    assert (retrained["score"], retrained["score_note"]) == ("", T("family.unmeasured", set="newstest2014"))


def read_curve(record: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Return the hours and BLEU of all trainings on a card, an independent reading."""
    first_part = read_curve(record["from"]["training"]) if record.get("from") else ([0.0], [0.0])
    clock = "processor_hours" if "processor_hours" in record else "hours"
    start = sum_hours(record["from"]["training"]) if record.get("from") else 0.0
    hours = [start + entry.get(clock, entry["hours"]) for entry in record.get("curve", [])]
    return first_part[0] + hours, first_part[1] + [entry["bleu"][PREFERRED_TEXT] for entry in record.get("curve", [])]


def sum_hours(record: dict[str, Any]) -> float:
    own_hours: float = record.get("processor_hours", record.get("hours_in_updates", 0.0))
    return own_hours + (sum_hours(record["from"]["training"]) if record.get("from") else 0.0)


@pytest.mark.parametrize(("name", "run"), [
    ("seq2seq-50", "rnnsearch-course"), ("luong-50", "rnnsearch-midway"), ("transformer-50", "rnnsearch-midway"),
])  # fmt: skip
def test_rnnsearch_of_equal_hours_is_read_from_its_curve_and_a_short_run(name: str, run: str) -> None:
    card, base = find_card(name), find_card("rnnsearch-50")
    equal = training.build_training(card, [card, base], GREEDY, T)["equal_hours"]
    assert equal is not None
    hours, first, second = (np.array(column) for column in zip(*equal["points"], strict=True))
    assert (hours[0], hours[-1]) == (0.0, pytest.approx(read_curve(card.training)[0][-1], abs=1e-3))
    for scores, trained_card in ((first, base), (second, card)):
        assert scores == pytest.approx(np.interp(hours, *read_curve(trained_card.training)), abs=0.02)
    record = json.loads((EVALUATIONS_FOLDER / RUNS_FOLDER / f"newstest2014-{run}-greedy.json").read_bytes())
    own_record = json.loads((EVALUATIONS_FOLDER / f"newstest2014-{name}-greedy.json").read_bytes())
    assert f"{record['scores']['bleu']:.1f}" in equal["run"]
    assert f"{own_record['scores']['bleu']:.1f}." in equal["run"]


def test_without_a_short_run_of_equal_hours_only_the_curves_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_read_runs", tuple)
    card, base = find_card("transformer-50"), find_card("rnnsearch-50")
    equal = training.build_training(card, [card, base], GREEDY, T)["equal_hours"]
    assert equal is not None
    assert equal["points"]
    assert equal["run"] == ""


def test_only_undertrained_relatives_have_an_equal_rnnsearch() -> None:
    long, short, relative, words = map(find_card, ("rnnsearch-50", "rnnsearch-30", "transformer-50", "copy-words-50"))
    equal_or_longer = (long, [long, relative]), (short, [long, short]), (relative, [relative]), (words, [long, words])
    for member, members in equal_or_longer:
        assert training.build_training(member, members, GREEDY, T)["equal_hours"] is None
    only_last_course = replace(words, training={**words.training, "from": None})
    equal = training.build_training(only_last_course, [long, only_last_course], GREEDY, T)["equal_hours"]
    assert equal is not None
    assert equal["title"] == "RNNsearch-50-words"  # not the one of subwords


def test_models_of_other_languages_have_their_own_development_text_and_no_short_run() -> None:
    into_korean = replace(find_card("rnnencdec-en-ko"), training={"processor_hours": 2.9, "target_pieces": 1})
    assert training.find_equal_run(into_korean) is None
    equal = training._build_equal_hours(find_card("rnnencdec-ko-en"), GREEDY, T)
    assert equal is not None
    assert equal["set"] in find_common_texts(read_learning_curve(find_card("rnnencdec-ko-en")))
    assert equal["points"]
