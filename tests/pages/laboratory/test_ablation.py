"""The ablation table: its rows, the measurement over a set, the reader's own text, and the exported files."""

import csv
import io
from types import SimpleNamespace
from typing import Any

import pytest

from model.analysis.ablation.ablation import RULES, WORD_KINDS, Ablation, RuleAblation, build_rule_overrides
from model.analysis.ablation.effect import Effect
from model.analysis.ablation.word_changes import END, WordPair
from model.decoding import Settings
from model.text.normalise import normalise
from model.trace import MapDescription
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import ablation
from pages.ui.results.ablation_survey import AblationSurvey
from tests.traces import LOST, ORDER, make_trace

T = load_messages("en")
GRIS_LOST = WordPair(3, None, True)


def build_ablation(first_change: WordPair | None = GRIS_LOST) -> Ablation:
    """Return a sentence that loses three words under every rule."""
    original, changed_trace = make_trace(), make_trace(target=LOST, order=ORDER[:11])
    count = len(original.steps)
    effect = Effect((-0.1,) * count, (-0.2,) * count, (0.1,) * count, (True,) * count)
    rules = build_rule_overrides([MapDescription("attention")])
    return Ablation(
        original,
        tuple(
            RuleAblation(name, overrides, changed_trace, effect, 14, 11, first_change, 14, 0.1 * count)
            for name, overrides in rules.items()
        ),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_row_and_a_line_in_the_drawing(language: str) -> None:
    t = load_messages(language)
    data = ablation.build_ablation_payload(build_ablation(), t)
    names = {row["description"] for row in data["rows"]}
    assert len(names) == len(RULES)
    for row in data["rows"]:
        assert (row["unchanged_count"], row["predicted_count"]) == (11, 14)
        assert (row["first_difference"], row["is_end"]) == ("− gris", False)
        assert not any(is_changed for _, _, is_changed in row["text"])  # words are lost, none is replaced
        assert row["override"].startswith("attention@*:")
    drawing = ablation.draw_ablation(data, make_trace(), t)
    svg = render(drawing, "svg", lambda letters: [str(letters)]).decode()
    assert all(name in svg for name in names)
    assert svg.count(">gris<") == 1  # in the original translation
    assert make_trace().source.text in drawing.title


@pytest.mark.parametrize(("first_change", "text", "is_end"), [
    (None, "", False), (WordPair(0, 2, True), "le → chat", False), (WordPair(None, 2, True), "+ chat", False),
    (WordPair(END, None, True), T("ablation.endless"), True), (WordPair(None, END, True), T("ablation.ended"), True),
])  # fmt: skip
def test_first_difference_is_described(first_change: WordPair | None, text: str, is_end: bool) -> None:
    rows = ablation.build_ablation_payload(build_ablation(first_change), T)["rows"]
    assert {(row["first_difference"], row["is_end"]) for row in rows} == {(text, is_end)}


def test_measured_set_is_shown_for_the_same_weights_only(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {name: {kind: [100, 40, 1000] for kind in WORD_KINDS[:3]} | {WORD_KINDS[3]: [0, 0, 0]} for name in RULES}
    record = {"data": {"name": "newstest2014, 500 evenly spaced", "sentences": 500}, "forced": counts}
    monkeypatch.setattr(ablation, "find_card", lambda name: SimpleNamespace(fingerprint="0123456789ab"))
    monkeypatch.setattr(ablation, "load_records", lambda kind: {"a.json": record | {"fingerprint": "f" * 12}})
    assert ablation.build_ablation_payload(build_ablation(), T)["set"] is None
    monkeypatch.setattr(ablation, "load_records", lambda kind: {"a.json": record | {"fingerprint": "0123456789ab"}})
    measured_set = ablation.build_ablation_payload(build_ablation(), T)["set"]
    assert measured_set is not None
    assert "500 sentences of newstest2014" in measured_set["title"]
    assert measured_set["kinds"] == ["content words (100)", "function words (100)", "punctuation (100)", "numbers (0)"]
    assert [row["shares"] for row in measured_set["rows"]] == [[0.4, 0.4, 0.4, None]] * len(RULES)
    damaged_counts: list[Any] = [None, {}, {"max": []}, {"max": {WORD_KINDS[0]: [1]}}]
    for forced in damaged_counts:
        damaged_record = record | {"fingerprint": "0123456789ab", "forced": forced}
        monkeypatch.setattr(ablation, "load_records", lambda kind, damaged=damaged_record: {"a.json": damaged})
        assert ablation.build_ablation_payload(build_ablation(), T)["set"] is None


def test_csv_has_a_row_for_every_rule() -> None:
    rows = list(csv.reader(io.StringIO(ablation.build_ablation_csv(build_ablation(), T))))
    assert len(rows) == 1 + len(RULES)
    nats = f"{0.1 * len(make_trace().steps):.6g}"
    assert rows[1] == [T("console.rule_max"), "14", "11", "14", nats, "gris", "", LOST]


@pytest.mark.parametrize("language", LANGUAGES)
def test_survey_payload_has_the_set_alone(language: str) -> None:
    texts = [normalise(f"Sentence {number} ends here.") for number in range(2)]
    survey = AblationSurvey("rnnsearch-50", texts, Settings(candidates=0), "me", SimpleNamespace())
    survey.counts.add(build_ablation())
    survey.num_skipped = 1
    data: Any = ablation.build_survey_payload(survey, load_messages(language))
    assert data["rows"] == []
    assert load_messages(language)("ablation.own_left_out", count="1") in data["set"]["title"]
    assert [len(row["shares"]) for row in data["set"]["rows"]] == [len(WORD_KINDS)] * len(RULES)
    assert ablation.build_survey_csv(survey).count("\n") == 1 + len(RULES) * len(WORD_KINDS)
