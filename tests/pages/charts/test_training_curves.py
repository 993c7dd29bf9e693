"""Training curves from diaries: scores from BLEU counts, selected moments, damaged diaries."""

import csv
import io
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Card, list_cards
from model.text.bleu import compute_bleu
from model.training.development import BINS
from pages.ui.charts import training_curves
from pages.ui.charts.training_curves import TrainingCurves, TrainingMoment, read_training_curves
from pages.ui.i18n.messages import load_messages

SUMS = [[8, 6, 4, 2, 10, 9, 8, 7, 10, 10], [5, 2, 1, 0, 12, 11, 10, 9, 12, 14], [0] * 10]


def write_card(folder: Path, content: Any) -> Card:
    (folder / "diary.json").write_text(content if isinstance(content, str) else json.dumps(content))
    digits = dict.fromkeys((checkpoint.WEIGHTS, checkpoint.VOCABULARY), "0" * 64)
    return Card("rnnsearch-50", {}, 1, digits, folder=folder)


def build_diary(pieces: int = 1000, sums: Any = SUMS) -> dict[str, Any]:
    moment = {"target_pieces": pieces, "loss": 3.5, "translations": [], "alpha": [], "bleu_counts": sums}
    return {"schema": 1, "probes": [], "bins": [[1, 10], [11, 20], [21, 30]], "moments": [moment]}


def make_curves(*pieces: int) -> TrainingCurves:
    moments = tuple(TrainingMoment(number, (float(place), 2.0 * place, None)) for place, number in enumerate(pieces))
    return TrainingCurves("rnnencdec-30", "0" * 12, ((1, 10), (11, 20), (21, 30)), moments)


def test_scores_follow_from_bleu_counts(tmp_path: Path) -> None:
    (moment,) = read_training_curves(write_card(tmp_path, build_diary())).moments
    assert moment.target_tokens == 1000
    assert moment.bleu[:2] == pytest.approx((compute_bleu(SUMS[0]), compute_bleu(SUMS[1])))
    assert moment.bleu[2] is None


def test_shipped_diaries_end_with_their_last_scores() -> None:
    shipped_curves, damaged = training_curves.load_training_curves([shipped.name for shipped in list_cards()])
    assert not damaged
    assert [training.model for training in shipped_curves] == [shipped.name for shipped in list_cards()]
    for training, shipped in zip(shipped_curves, list_cards(), strict=True):
        content = json.loads((shipped.folder / "diary.json").read_text())
        assert [list(pair) for pair in training.bins] == [list(pair) for pair in BINS]
        scores = {bin_number: compute_bleu(sums) for bin_number, sums in
                  enumerate(content["moments"][-1]["bleu_counts"]) if sums[-1]}  # fmt: skip
        last = {bin_number: bleu for bin_number, bleu in enumerate(training.moments[-1].bleu) if bleu is not None}
        assert last == pytest.approx(scores)
        first, last_all = training.moments[0].bleu[0], training.moments[-1].bleu[0]
        assert first is not None
        assert last_all is not None
        assert last_all > first
        assert len(training.select_moments()) == training_curves.MAX_LINES


def test_a_model_without_a_diary_is_left_out_and_a_damaged_one_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = {}
    for name, content in (("whole", build_diary()), ("damaged", "["), ("without", "")):
        (tmp_path / name).mkdir()
        cards[name] = replace(write_card(tmp_path / name, content), name=name)
    (tmp_path / "without" / "diary.json").unlink()
    monkeypatch.setattr(training_curves, "find_card", cards.get)
    curves, errors = training_curves.load_training_curves([*cards, "unknown"])
    assert [training.model for training in curves] == ["whole"]
    assert [name for name, _ in errors] == ["damaged"]
    assert training_curves.load_training_curves(["whole"]) == (curves, ())


def test_selected_moments_double_the_training() -> None:
    training = make_curves(*(round(100 * 1.2**step) for step in range(40)))
    amounts = [moment.target_tokens for moment in training.select_moments()]
    assert amounts[-1] == training.moments[-1].target_tokens
    assert all(1.6 < later / earlier < 2.5 for earlier, later in pairwise(amounts))
    assert [moment.target_tokens for moment in make_curves(5, 7).select_moments()] == [5, 7]  # never the same twice
    assert make_curves().select_moments() == ()


@pytest.mark.parametrize("content", [
    "", "[" * 100_000, build_diary() | {"bins": [[1]]}, build_diary(-5), build_diary(10, [[1] * 9] * 3),
    build_diary(10, [["x"] * 10] * 3), build_diary(10, [[10**30] * 10] * 3), build_diary() | {"schema": 2},
])  # fmt: skip
def test_damaged_or_missing_diary_is_explained_in_one_sentence(tmp_path: Path, content: Any) -> None:
    card = write_card(tmp_path, content)
    assert re.fullmatch(r"diary.json cannot be read: .*\.", str(training_curves._read_or_explain(card, tmp_path, "")))
    (tmp_path / "diary.json").unlink()
    reason = str(training_curves._read_or_explain(card, tmp_path, "missing"))
    assert reason.startswith("diary.json cannot be read: No such file")


def test_figure_has_a_line_per_moment() -> None:
    training, t = make_curves(1_000_000, 2_000_000, 20_500_000), load_messages("en")
    drawing = training_curves.build_figure(training, "pieces", t, top=4.0)
    lines = drawing.to_dict()["data"]
    amounts = [t("training_curves.seen", amount=amount) for amount in ("1.0 million", "2.0 million", "20 million")]
    assert [line["name"] for line in lines] == amounts
    assert [list(line["y"]) for line in lines] == [list(moment.bleu) for moment in training.moments]
    strengths = [line["opacity"] for line in lines]
    assert strengths == sorted(strengths)
    assert strengths[-1] <= 1
    assert {line["line"]["dash"] for line in lines} == {"dash"}
    assert training_curves.find_max_bleu([training], "pieces") == 4.0
    description = training_curves.describe_curves(training, "pieces", t)
    assert "1–10: 0.0, 11–20: 0.0" in description
    assert "1–10: 2.0, 11–20: 4.0" in description


def test_hours_select_other_moments() -> None:
    hours = (0.1, 0.2, 0.4, 3.0, 3.1, 3.2)
    moments = tuple(TrainingMoment(1_000_000 * 2**step, (1.0,), spent) for step, spent in enumerate(hours))
    training, t = TrainingCurves("rnnencdec-30", "0" * 12, ((1, 10),), moments), load_messages("en")
    assert [moment.hours for moment in training.select_moments("hours")] == [0.1, 0.2, 0.4, 3.0, 3.2]
    assert training.describe_amount(moments[0], "hours", t) == "0.10 hours"
    assert training.describe_amount(moments[-1], "hours", t) == "3.2 hours"
    assert training.describe_amount(moments[-1], "pieces", t) == "32 million tokens"
    unknown = make_curves(1_000_000, 2_000_000)  # no hours on the card
    assert unknown.select_moments("hours") == unknown.moments
    assert unknown.describe_amount(unknown.moments[0], "hours", t) == "1.0 million tokens"


def test_csv_has_every_moment() -> None:
    training = make_curves(1000, 2000)
    rows = list(csv.DictReader(io.StringIO(training_curves.to_csv([training, training]))))
    assert len(rows) == 12
    assert [row["BLEU"] for row in rows[:6]] == ["0.0", "0.0", "", "1.0", "2.0", ""]
    assert rows[5] == {"model": "rnnencdec-30", "weights": "0" * 12, "target pieces": "2000", "hours": "",
                       "first word": "21", "last word": "30", "BLEU": ""}  # fmt: skip
