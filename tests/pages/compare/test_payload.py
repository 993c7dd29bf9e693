"""What is sent to the comparison: the stages of a sentence, their columns, marks and looks, and what changed."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.decoding import Settings
from model.trace import Trace
from pages.ui.backend import cards, evaluations
from pages.ui.backend.cards import find_card
from pages.ui.compare import payload, small_curve
from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.numbers import format_millions
from tests.cards import named
from tests.pages.evaluated import evaluation
from tests.pages.traces import ENGLISH, FRENCH, LOST, side, trace

EN = load_messages("en")
LONG = "the small cat sleeps here , and the old dog runs ."  # two clauses, and the comma ends the first
FIRST = "the small cat sleeps here ."


def sent(*pairs: tuple[Trace, Trace | None], clause: int = 0) -> dict[str, Any]:
    return dict(payload.build_compare_payload(pairs, clause, Settings(), EN))


@pytest.fixture(autouse=True)
def empty_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_curve, "load_index", lambda: evaluations.Index(()))


def test_the_whole_sentence_is_one_stage() -> None:
    data = sent((trace(), trace(target=LOST, order=None, model="rnnencdec-50")))
    assert (data["grown"], data["clause"], data["text"]) == (False, 0, ENGLISH)
    assert [model["name"] for model in data["models"]] == ["RNNsearch-50", "RNNencdec-50"]
    assert [(model["attends"], model["dashed"], model["hollow"], model["marker"]) for model in data["models"]] == [
        (True, False, False, "circle"), (False, True, False, "square"),
    ]  # fmt: skip
    (stage,) = data["stages"]
    assert (stage["count"], stage["old"], stage["fed"]) == (14, 0, 14)
    one, other = stage["sides"]
    assert [FRENCH.split()[left] for left, right in stage["columns"] if right is None] == ["gris", "chaud", "vieille"]
    assert [ENGLISH.split()[word] for word in other["lost"]] == ["grey", "warm", "old"]
    assert set(one["marks"]) == set(other["marks"]) == {""}  # over gaps stands no other word
    assert (one["covered"], one["of"], other["covered"]) == (14, 14, None)
    assert other["looks"] is None
    assert max(one["looks"][3], key=lambda look: look[1])[0] == 2  # gris looked at grey
    assert one["new"] == other["new"] == one["gone"] == []


def test_growing_stages_know_their_words_and_what_changed() -> None:
    first = trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
    whole = trace(LONG, "un chat dort là , et le chien court .", (0, 2, 3, 4, 5, 6, 7, 9, 10, 11))
    data = sent((first, None), (whole, None), clause=2)
    assert (data["clauses"], data["clause"], data["grown"]) == (2, 2, True)
    assert [(stage["old"], stage["fed"], stage["count"]) for stage in data["stages"]] == [(0, 6, 6), (6, 12, 12)]
    before, after = (stage["sides"][0] for stage in data["stages"])
    assert before["new"] == before["gone"] == []
    assert after["gone"] == ["petit", "ici"]  # there is another "le"
    assert after["new"] == [True, False, False, True, True, True, True, True, True, False]
    assert before["looks"][0][0][0] == 0


def test_beginnings_without_the_changes_of_the_whole_say_so() -> None:
    first = trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
    whole = trace(LONG, "un chat dort là , et le chien court .", (0, 2, 3, 4, 5, 6, 7, 9, 10, 11))
    changed = replace(whole, made_by=replace(whole.made_by, edits="attention@7:only=2"))
    assert sent((first, None), (changed, None), clause=2)["bare"]
    assert not sent((first, None), (whole, None), clause=2)["bare"]
    assert not sent((changed, None))["bare"]  # nothing is grown


def test_a_word_that_only_moved_is_not_gone() -> None:
    first = trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
    whole = trace(LONG, "ici un chat dort , et le chien court .", (0, 2, 3, 4, 5, 6, 7, 9, 10, 11))
    data = sent((first, None), (whole, None), clause=2)
    assert data["stages"][1]["sides"][0]["gone"] == ["petit"]


def test_the_words_of_a_beginning_are_those_of_the_whole_and_its_full_stop_the_last() -> None:
    assert payload.map_positions(("a", "b", "."), ("a", "b", ",", "c", ".")) == [0, 1, 4]
    assert payload.map_positions(("a", "b"), ("a", "b")) == [0, 1]


def test_a_clause_ends_with_its_punctuation() -> None:
    assert payload.count_prefix_words(side(LONG), "en") == [6, 12]
    assert payload.count_prefix_words(side("a cat ."), "en") == [3]


def test_marks_are_in_the_order_of_what_matters() -> None:
    attended = trace("the cat sleeps .", "le chat dort .", (0, 1, 2, 3))
    plain = trace("the cat sleeps .", "le chat dort chat gros .", None, model="rnnencdec-30")
    (stage,) = sent((attended, plain))["stages"]
    assert stage["sides"][1]["marks"] == ["", "", "", "repeated", "invented", ""]
    assert sent((attended, plain))["models"][1]["hollow"] is True


def test_two_models_that_attend_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    own = (named("rnnsearch-50"), named("luong-50"), named("transformer-50"))
    monkeypatch.setattr(cards, "list_cards", lambda: own)
    for one, other, markers in (
        ("rnnsearch-50", "luong-50", ["circle", "triangle-up"]),
        ("luong-50", "transformer-50", ["triangle-up", "diamond"]),
    ):
        models = sent((trace(model=one), trace(model=other)))["models"]
        assert [model["marker"] for model in models] == markers


def test_words_in_the_place_of_each_other_are_marked_in_both() -> None:
    attended = trace("the cat sleeps .", "le chat dort .", (0, 1, 2, 3))
    plain = trace("the cat sleeps .", "le matou dort .", None, model="rnnencdec-50")
    (stage,) = sent((attended, plain))["stages"]
    assert stage["sides"][0]["marks"] == ["", "other", "", ""]
    assert stage["sides"][1]["marks"] == ["", "invented", "", ""]  # a wrong word is worse than another one


def test_a_lost_thread_is_marked_where_it_is_lost_and_other_languages_are_told_nothing_of() -> None:
    plain = trace(target="le petit chat la politique commune une condition importante du progrès .", order=None)
    (stage,) = sent((trace(), plain))["stages"]
    assert [one["followed"] for one in stage["sides"]] == [None, 2]
    assert stage["sides"][1]["marks"][4:6] == ["invented", "invented"]
    korean = replace(plain, languages=("ko", "fr"))
    data = sent((korean, None))
    assert (sent((plain, None))["told"], data["told"]) == (True, False)
    assert (data["stages"][0]["sides"][0]["lost"], data["stages"][0]["sides"][0]["followed"]) == ([], None)


def test_how_far_each_model_was_trained_stands_beside_it_for_the_weights_that_made_it() -> None:
    cards = {name: find_card(name) for name in ("rnnsearch-50", "rnnencdec-50")}
    mine = [replace(trace(), made_by=replace(trace().made_by, model=card.name, fingerprint=card.fingerprint))
            for card in cards.values() if card]  # fmt: skip
    one, other = sent((mine[0], mine[1]))["trained"]
    for told, card in ((one, cards["rnnsearch-50"]), (other, cards["rnnencdec-50"])):
        assert card is not None
        assert told.startswith(f"{card.title} on {format_millions(card.target_tokens, load_messages('en'))} ")
        assert told.endswith(f" in {card.hours:.1f} hours")
    assert sent((mine[0], trace()))["trained"] == [one]  # other weights of that name


def test_what_equal_hours_made_of_two_models_stands_beside_unequal_ones() -> None:
    cards = [find_card(name) for name in ("rnnsearch-50", "rnnencdec-50")]
    one, other = (replace(trace(), made_by=replace(trace().made_by, model=card.name, fingerprint=card.fingerprint))
                  for card in cards if card)  # fmt: skip
    told = sent((one, other))["equal"]
    assert told.startswith("After ")
    assert "newstest2013" in told
    scores = [float(score) for score in re.findall(r"RNN\w+-50 (\d+\.\d)", told)]
    assert len(scores) == 2
    assert scores[0] > scores[1] > 0
    assert sent((one, None))["equal"] == sent((one, one))["equal"] == ""
    assert sent((one, trace()))["equal"] == ""  # other weights of that name


def test_what_has_no_spaces_is_counted_as_the_test_sets_are() -> None:
    japanese = trace("猫 は 眠る 。", "le chat dort .", (0, 1, 2, 3))
    japanese = replace(japanese, languages=("ja", "fr"), source=replace(japanese.source, text="猫は眠る。"))
    assert sent((japanese, None))["stages"][0]["count"] == 3


def test_one_model_alone() -> None:
    data = sent((trace(), None))
    assert len(data["models"]) == len(data["stages"][0]["sides"]) == 1
    assert data["stages"][0]["columns"] == [(word, None) for word in range(14)]


def test_curves_are_those_of_the_same_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine, stranger = trace(), trace(model="rnnencdec-50", order=None)
    measured = evaluation("rnnsearch-50")
    others = replace(evaluation("rnnencdec-50"), fingerprint="f" * 12)
    (tmp_path / "a.json").write_text(measured.to_json(), encoding="utf-8")
    (tmp_path / "b.json").write_text(others.to_json(), encoding="utf-8")
    monkeypatch.setattr(small_curve, "load_index", lambda: evaluations.load_index(tmp_path))
    for settings in (Settings(), Settings(beam=5)):  # greedy where there is no evaluation with a beam
        (found,) = small_curve.build_curve_payload([mine, stranger], settings, EN)["sets"]
        line, none = found["lines"]
        assert line is not None
        assert none is None
        scored = [point for point in measured.by_length if point.bleu is not None]
        assert [point["bleu"] for point in line] == [point.bleu for point in scored]
        assert [(point["first"], point["last"]) for point in line] == [(one.first, one.last) for one in scored]
        assert line[0]["words"] == 5.5
        assert found["name"].endswith(", greedy") == (settings.beam > 1), "it is said where it is not what was asked"
    assert small_curve.build_curve_payload([stranger], Settings(), EN)["sets"] == []


def test_the_same_model_twice_is_told() -> None:
    assert sent((trace(), trace()))["same"] is True
    assert sent((trace(), trace(target=LOST, order=None, model="rnnencdec-50")))["same"] is False


def test_weights_travel_finely_enough_to_be_rounded_once() -> None:
    looks = sent((trace(), None))["stages"][0]["sides"][0]["looks"]
    values = [value for row in looks for _, value in row]
    assert any(round(value, 3) != value for value in values)
