"""Tests of the English-Korean templates: conjugation, particles, numbers, and styles that their endings show."""

from __future__ import annotations

import random
import re

import pytest

from model.text.politeness import find_style
from model.text.synthetic.korean import numbers
from model.text.synthetic.korean.conjugation import STYLES, Style, attach, conjugate_copula
from model.text.synthetic.korean.sentences import (
    KINDS,
    build_greetings,
    choose_words,
    generate_pairs,
    parse_verb,
    read_templates,
    render_english,
    render_korean,
)


@pytest.mark.parametrize(("verb", "forms"), [
    ("마시다", "마신다 마셔요 마십니다"), ("먹다", "먹는다 먹어요 먹습니다"),
    ("공부하다", "공부한다 공부해요 공부합니다"), ("살다", "산다 살아요 삽니다"),
    ("돕다/ㅂ", "돕는다 도와요 돕습니다"), ("듣다/ㄷ", "듣는다 들어요 듣습니다"),
    ("모르다/르", "모른다 몰라요 모릅니다"), ("낫다/ㅅ", "낫는다 나아요 낫습니다"), ("쓰다", "쓴다 써요 씁니다"),
    ("오다", "온다 와요 옵니다"), ("배우다", "배운다 배워요 배웁니다"), ("있다", "있다 있어요 있습니다"),
    ("아니다", "아니다 아니에요 아닙니다"), ("되다", "된다 돼요 됩니다"),
])  # fmt: skip
def test_verbs_have_three_styles(verb: str, forms: str) -> None:
    assert [parse_verb(verb).conjugate(style) for style in STYLES] == forms.split()


def test_questions_past_and_adjectives() -> None:
    cold = parse_verb("춥다/ㅂ", is_adjective=True)
    assert [cold.conjugate(style, past=True) for style in STYLES] == ["추웠다", "추웠어요", "추웠습니다"]
    assert [cold.conjugate(style, question=True) for style in STYLES] == ["춥니", "추워요", "춥습니까"]
    assert cold.conjugate("plain") == "춥다"
    assert parse_verb("살다").conjugate("plain", question=True) == "사니"
    assert parse_verb("아니다").past_stem == "아니었"
    assert [parse_verb(verb).add_tail("ㄹ") for verb in ("가다", "먹다", "살다", "듣다/ㄷ", "돕다/ㅂ")] == [
        "갈", "먹을", "살", "들을", "도울"]  # fmt: skip


def test_particles_and_copula_agree_with_the_last_sound() -> None:
    assert [attach(word, "은") for word in ("학생", "나", "KTX", "LG", "3", "5")] == [
        "학생은", "나는", "KTX는", "LG는", "3은", "5는"]  # fmt: skip
    assert [attach(word, "으로") for word in ("서울", "부산", "제주")] == ["서울로", "부산으로", "제주로"]
    assert [conjugate_copula("학생", style) for style in STYLES] == ["학생이다", "학생이에요", "학생입니다"]
    assert conjugate_copula("친구", "formal", past=True) == "친구였습니다"


def test_numbers_and_times() -> None:
    assert [numbers.spell_sino(value) for value in (10, 105, 15_000, 25_300_000)] == [
        "십", "백오", "만 오천", "이천오백삼십만"]  # fmt: skip
    assert [numbers.spell_native(value, before_counter=True) for value in (1, 20, 23, 99)] == [
        "한", "스무", "스물세", "아흔아홉"]  # fmt: skip
    assert {("half past three", "세 시 반"), ("ten to one", "열두 시 오십 분"), ("3:20 p.m.", "오후 3시 20분")} <= set(
        numbers.list_times()
    )
    assert ("the third of May", "5월 3일") in list(numbers.list_dates())
    with pytest.raises(ValueError, match="must be from 1 to 99"):
        numbers.spell_native(100)


@pytest.mark.parametrize("kind", KINDS)
def test_every_template_shows_each_style(kind: str) -> None:
    rng = random.Random(1)
    for source, *targets in read_templates()[kind]:
        filling = choose_words(source, rng)
        assert re.fullmatch(r"[A-Z0-9][^{}<>~_]+[.?]", render_english(source, filling)), source
        for target in targets:
            for style in STYLES:
                korean = render_korean(target, filling, style)
                assert re.fullmatch(r"[^{}<>~_]+[.?]", korean), korean
                assert find_style(korean) == style or style == "plain", korean  # 가니?, 가자 and 줘 are casual too


def test_a_filling_comes_in_all_styles() -> None:
    pairs = list(generate_pairs("sentences", 300, seed=1))
    assert pairs == list(generate_pairs("sentences", 300, seed=1))
    assert len(pairs) == 300
    styles: dict[str, set[str | None]] = {}
    for source, target in pairs:
        styles.setdefault(source, set()).add(find_style(target))
    assert any({"polite", "formal", "plain"} <= found for found in styles.values())


@pytest.mark.parametrize(("style", "expected"), [
    ("plain", "나는 어제 서울에서 부산까지 KTX를 타고 갔다."),
    ("polite", "저는 어제 서울에서 부산까지 KTX를 타고 갔어요."),
    ("formal", "저는 어제 서울에서 부산까지 KTX를 타고 갔습니다."),
])  # fmt: skip
def test_the_sentence_of_the_notes(style: Style, expected: str) -> None:
    source, target = next(row for row in read_templates()["sentences"] if row[0].startswith("{who} <take:past> {tra"))
    rng = random.Random(1)
    words = {"who": "I", "transport": "the KTX", "city": "Seoul", "city2": "Busan", "past": "yesterday"}
    filling = choose_words(source, rng)
    for slot, english in words.items():
        while filling[slot].english != english:
            filling = filling | {slot: choose_words(source, rng)[slot]}
    assert render_english(source, filling) == "I took the KTX from Seoul to Busan yesterday."
    assert render_korean(target, filling, style) == expected


def test_greetings_have_variants() -> None:
    greetings = build_greetings()
    assert len(greetings) == len(set(greetings))
    assert {("Thank you.", "감사합니다."), ("thank you", "고마워"), ("I'm hungry", "배고파요")} <= set(greetings)
