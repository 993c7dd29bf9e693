"""The payload of Compare: prefixes, aligned columns, marked words, attention and changes."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.decoding import Settings
from model.trace import Trace
from pages.ui.backend import evaluations
from pages.ui.backend.cards import find_card
from pages.ui.backend.evaluations import load_index
from pages.ui.compare import payload
from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.typography import format_millions
from tests.evaluations import make_evaluation
from tests.traces import ENGLISH, FRENCH, LOST, make_trace

EN = load_messages("en")
LONG = "the small cat sleeps here , and the old dog runs ."  # two clauses, and the comma ends the first
FIRST = "the small cat sleeps here ."


FIRST_TRACE = make_trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
ORDER = (0, 2, 3, 4, 5, 6, 7, 9, 10, 11)
WHOLE_TRACE = make_trace(LONG, "un chat dort là , et le chien court .", ORDER)


def build_payload(*pairs: tuple[Trace, Trace | None], clause: int = 0) -> dict[str, Any]:
    return dict(payload.build_compare_payload(pairs, clause, Settings(), EN))


@pytest.fixture(autouse=True)
def no_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluations, "load_index", lambda: evaluations.EvaluationIndex(()))


def test_whole_sentence_is_one_stage() -> None:
    data = build_payload((make_trace(), make_trace(target=LOST, order=None, model="rnnencdec-50")))
    assert (data["has_prefixes"], data["shown_clause_count"], data["text"]) == (False, 0, ENGLISH)
    assert [model["name"] for model in data["models"]] == ["RNNsearch-50", "RNNencdec-50"]
    assert [(model["is_dashed"], model["is_hollow"], model["marker"]) for model in data["models"]] == [
        (False, False, "circle"), (True, False, "square"),
    ]  # fmt: skip
    (prefix,) = data["prefixes"]
    assert (prefix["word_count"], prefix["previous_end"], prefix["end"]) == (14, 0, 14)
    first_side, second_side = prefix["sides"]
    unaligned = [FRENCH.split()[first_word] for first_word, second_word in prefix["columns"] if second_word is None]
    assert unaligned == ["gris", "chaud", "vieille"]
    assert [ENGLISH.split()[word] for word in second_side["omissions"]] == ["grey", "warm", "old"]
    assert set(first_side["marks"]) == set(second_side["marks"]) == {""}  # a gap is no substitution
    assert (first_side["attended_word_count"], first_side["source_word_count"]) == (13, 13)
    assert second_side["attended_word_count"] is None
    assert second_side["attended"] is None
    assert max(first_side["attended"][3], key=lambda pair: pair[1])[0] == 2  # gris attends to grey
    assert any(round(weight, 3) != weight for pairs in first_side["attended"] for _, weight in pairs)
    assert first_side["is_new"] == second_side["is_new"] == first_side["removed_words"] == []
    assert (data["is_same_model"], build_payload((make_trace(), make_trace()))["is_same_model"]) == (False, True)


def test_prefixes_have_their_words_and_changes() -> None:
    data = build_payload((FIRST_TRACE, None), (WHOLE_TRACE, None), clause=2)
    assert (data["clause_count"], data["shown_clause_count"], data["has_prefixes"]) == (2, 2, True)
    counts = [(prefix["previous_end"], prefix["end"], prefix["word_count"]) for prefix in data["prefixes"]]
    assert counts == [(0, 6, 6), (6, 12, 12)]
    first_side, second_side = (prefix["sides"][0] for prefix in data["prefixes"])
    assert first_side["is_new"] == first_side["removed_words"] == []
    assert second_side["removed_words"] == ["petit", "ici"]  # another "le" is left
    assert second_side["is_new"] == [True, False, False, True, True, True, True, True, True, False]
    assert first_side["attended"][0][0][0] == 0
    reordered_trace = make_trace(LONG, "ici un chat dort , et le chien court .", ORDER)
    data = build_payload((FIRST_TRACE, None), (reordered_trace, None), clause=2)
    assert data["prefixes"][1]["sides"][0]["removed_words"] == ["petit"]


def test_prefixes_without_overrides_are_flagged() -> None:
    overridden_trace = replace(WHOLE_TRACE, provenance=replace(WHOLE_TRACE.provenance, overrides="attention@7:only=2"))
    assert build_payload((FIRST_TRACE, None), (overridden_trace, None), clause=2)["ignores_overrides"]
    assert not build_payload((FIRST_TRACE, None), (WHOLE_TRACE, None), clause=2)["ignores_overrides"]
    assert not build_payload((overridden_trace, None))["ignores_overrides"]  # there is no prefix


def test_prefix_words_map_to_the_whole_sentence() -> None:
    assert payload.map_positions(("a", "b", "."), ("a", "b", ",", "c", ".")) == [0, 1, 4]
    assert payload.map_positions(("a", "b"), ("a", "b")) == [0, 1]


def test_additions_and_repetitions_are_marked() -> None:
    attended = make_trace("the cat sleeps .", "le chat dort .", (0, 1, 2, 3))
    plain = make_trace("the cat sleeps .", "le chat dort chat gros .", None, model="rnnencdec-30")
    (prefix,) = build_payload((attended, plain))["prefixes"]
    assert prefix["sides"][1]["marks"] == ["", "", "", "repetition", "addition", ""]
    assert build_payload((attended, plain))["models"][1]["is_hollow"] is True


def test_substituted_words_are_marked_in_both() -> None:
    attended = make_trace("the cat sleeps .", "le chat dort .", (0, 1, 2, 3))
    plain = make_trace("the cat sleeps .", "le matou dort .", None, model="rnnencdec-50")
    (prefix,) = build_payload((attended, plain))["prefixes"]
    assert prefix["sides"][0]["marks"] == ["", "substitution", "", ""]
    assert prefix["sides"][1]["marks"] == ["", "addition", "", ""]  # an addition takes precedence over a substitution


def test_last_followed_word_is_known_with_a_lexicon_only() -> None:
    plain = make_trace(target="le petit chat la politique commune une condition importante du progrès .", order=None)
    (prefix,) = build_payload((make_trace(), plain))["prefixes"]
    assert [side_data["last_followed"] for side_data in prefix["sides"]] == [None, 2]
    assert prefix["sides"][1]["marks"][4:6] == ["addition", "addition"]
    korean = replace(plain, languages=("ko", "fr"))
    data = build_payload((korean, None))
    assert (build_payload((plain, None))["has_lexicon"], data["has_lexicon"]) == (True, False)
    side = data["prefixes"][0]["sides"][0]
    assert (side["omissions"], side["last_followed"]) == ([], None)


def test_training_and_bleu_after_equal_training_are_shown() -> None:
    cards = [card for name in ("rnnsearch-50", "rnnencdec-50") if (card := find_card(name))]
    trace = make_trace()
    first, second = (
        replace(trace, provenance=replace(trace.provenance, model=card.name, fingerprint=card.fingerprint))
        for card in cards
    )
    data = build_payload((first, second))
    for description, card in zip(data["training_notes"], cards, strict=True):
        assert description.startswith(f"{card.title}: {format_millions(card.target_tokens, EN)} ")
        assert description.endswith(f" in {card.hours:.1f} hours")
    assert data["equal_training"].startswith("After ")
    assert "newstest2013" in data["equal_training"]
    scores = [float(score) for score in re.findall(r"RNN\w+-50 (\d+\.\d)", data["equal_training"])]
    assert len(scores) == 2
    assert scores[0] > scores[1] > 0
    other_weights = build_payload((first, make_trace()))
    assert (other_weights["training_notes"], other_weights["equal_training"]) == (data["training_notes"][:1], "")
    assert build_payload((first, None))["equal_training"] == build_payload((first, first))["equal_training"] == ""


def test_words_without_spaces_are_counted_as_in_test_sets() -> None:
    japanese = make_trace("猫 は 眠る 。", "le chat dort .", (0, 1, 2, 3))
    japanese = replace(japanese, languages=("ja", "fr"), source=replace(japanese.source, text="猫は眠る。"))
    assert build_payload((japanese, None))["prefixes"][0]["word_count"] == 3


def test_a_tag_of_style_is_no_word_of_the_sentence() -> None:
    trace = make_trace("<polite> He is kind.", "Il est gentil .", (0, 1, 2, 3))
    prefix = build_payload((trace, None))["prefixes"][0]
    assert prefix["word_count"] == 3
    side = prefix["sides"][0]
    assert (side["attended_word_count"], side["source_word_count"]) == (3, 3)


def test_curves_are_of_the_same_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine, stranger = make_trace(), make_trace(model="rnnencdec-50", order=None)
    measured = make_evaluation("rnnsearch-50")
    other_evaluation = replace(make_evaluation("rnnencdec-50"), fingerprint="f" * 12)
    (tmp_path / "a.json").write_text(measured.to_json(), encoding="utf-8")
    (tmp_path / "b.json").write_text(other_evaluation.to_json(), encoding="utf-8")
    index = load_index(tmp_path)
    monkeypatch.setattr(evaluations, "load_index", lambda: index)
    for settings in (Settings(), Settings(beam=5)):  # falls back to greedy
        (curve_set,) = payload.build_curve_payload([mine, stranger], settings, EN)["sets"]
        first_line, second_line = curve_set["lines"]
        assert first_line is not None
        assert second_line is None
        scored = [point for point in measured.by_length if point.bleu is not None]
        assert [point["bleu"] for point in first_line] == [point.bleu for point in scored]
        assert [(point["first"], point["last"]) for point in first_line] == [(bin.first, bin.last) for bin in scored]
        assert first_line[0]["words"] == 5.5
        assert curve_set["name"].endswith(", greedy") == (settings.beam > 1)  # named if not as requested
    assert payload.build_curve_payload([stranger], Settings(), EN)["sets"] == []
