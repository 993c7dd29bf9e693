"""Tests of the English-Korean templates: conjugation, particles, numbers, and styles that their endings show."""

from __future__ import annotations

import random
import re

import pytest

from model.text.control_file import KOREAN_TEMPLATES
from model.text.politeness import find_style
from model.text.synthetic.korean import numbers
from model.text.synthetic.korean.conjugation import CONJUGATED_STYLES, Style, attach, conjugate_copula
from model.text.synthetic.korean.sentences import (
    build_greetings,
    choose_words,
    generate_pairs,
    inflect,
    load_korean_lexicon,
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
    assert [parse_verb(verb).conjugate(style) for style in CONJUGATED_STYLES] == forms.split()


def test_questions_past_and_adjectives() -> None:
    cold = parse_verb("춥다/ㅂ", is_adjective=True)
    assert [cold.conjugate(style, is_past=True) for style in CONJUGATED_STYLES] == ["추웠다", "추웠어요", "추웠습니다"]
    assert [cold.conjugate(style, is_question=True) for style in CONJUGATED_STYLES] == ["춥니", "추워요", "춥습니까"]
    assert cold.conjugate("plain") == "춥다"
    assert parse_verb("살다").conjugate("plain", is_question=True) == "사니"
    assert parse_verb("아니다").past_stem == "아니었"
    assert [parse_verb(verb).add_tail("ㄹ") for verb in ("가다", "먹다", "살다", "듣다/ㄷ", "돕다/ㅂ")] == [
        "갈", "먹을", "살", "들을", "도울"]  # fmt: skip


@pytest.mark.parametrize(("verb", "forms"), [
    ("먹다", "먹고 먹으면 먹으려고 먹으니까 먹는 먹은 먹었 먹는다고 먹으세요"),
    ("만들다", "만들고 만들면 만들려고 만드니까 만드는 만든 만들었 만든다고 만드세요"),
    ("돕다/ㅂ", "돕고 도우면 도우려고 도우니까 돕는 도운 도왔 돕는다고 도우세요"),
    ("듣다/ㄷ", "듣고 들으면 들으려고 들으니까 듣는 들은 들었 듣는다고 들으세요"),
    ("부르다/르", "부르고 부르면 부르려고 부르니까 부르는 부른 불렀 부른다고 부르세요"),
])  # fmt: skip
def test_verbs_with_endings_that_join_clauses(verb: str, forms: str) -> None:
    endings = ("고", "면", "려고", "니까", "는", "ㄴ", "았", "다고", "세요")
    assert [parse_verb(verb).join(ending) for ending in endings] == forms.split()


def test_adjectives_before_a_noun() -> None:
    assert [parse_verb(verb, True).join("는") for verb in ("작다", "맵다/ㅂ", "길다", "재미있다")] == [
        "작은", "매운", "긴", "재미있는"]  # fmt: skip


def test_negation_stands_before_the_verb() -> None:
    negated = {"저녁을 먹다": "저녁을 안 먹다", "운동하다": "운동 안 하다", "빨래를 하다": "빨래를 안 하다",
               "개를 산책시키다": "개를 산책 안 시키다"}  # fmt: skip
    assert {verb: parse_verb(verb).negate("안").dictionary_form for verb in negated} == negated


def test_honorific_verbs() -> None:
    honorifics = {"저녁을 먹다": "저녁을 드시다", "읽다": "읽으시다", "살다": "사시다", "자다": "주무시다"}
    assert {verb: parse_verb(verb).make_honorific().dictionary_form for verb in honorifics} == honorifics


def test_english_verbs_are_inflected() -> None:
    verbs = load_korean_lexicon().inflections
    assert (verbs["break"].past, verbs["break"].past_participle, verbs["quit"].present_participle) == (
        "broke", "broken", "quitting")  # fmt: skip
    study, bake = inflect("study"), inflect("bake")
    assert (study.third, study.past, bake.past, bake.present_participle) == ("studies", "studied", "baked", "baking")


@pytest.mark.parametrize(("source", "expected"), [
    ("{who} <action:want>.", ("He wants to wash his hands.", "그는 손을 씻고 싶어 해요.")),
    ("{who} <action:wantnot>.", ("He does not want to wash his hands.", "그는 손을 씻고 싶어 하지 않아요.")),
    ("Could you <action:base>?", ("Could you wash your hands?", "손을 씻어 주시겠어요?")),
    ("The doctor told me not to <action:base>.", ("The doctor told me not to wash my hands.",
                                                  "의사는 저에게 손을 씻지 말라고 했어요.")),
    ("<reason>, so let's <action:base>.", ("It is dark, so let's wash our hands.", "어두우니까 손을 씻어요.")),
    ("I <action:past> because <reason:past>.", ("I washed my hands because it was dark.", "어두워서 손을 씻었어요.")),
    ("{name} is <figure:er> than {name2}.", ("Tom is taller than Mary.", "톰은 메리보다 더 키가 커요.")),
])  # fmt: skip
def test_clauses(source: str, expected: tuple[str, str]) -> None:
    words = {"who": "he", "action": "wash my~ hands", "reason": "it is dark", "name": "Tom", "name2": "Mary",
             "figure": "tall"}  # fmt: skip
    lexicon = load_korean_lexicon().words
    filling = {slot: next(word for word in lexicon[slot.rstrip("2")] if word.english == english)
               for slot, english in words.items() if slot in source}  # fmt: skip
    template = next(row for row in read_templates()["clauses"] if row[0] == source)
    korean = [render_korean(target, filling, "polite") for target in template[1:]]
    assert render_english(source, filling) == expected[0]
    assert expected[1] in korean, korean


def test_a_verb_may_have_the_name_of_a_kind_of_words() -> None:
    source, *_ = next(row for row in read_templates()["sentences"] if row[0] == "{who} <drink> {drink} {habit}.")
    sentences = [render_english(source, choose_words(source, random.Random(seed))) for seed in range(20)]
    assert all(re.search(r" drinks? \w", sentence) for sentence in sentences), sentences


@pytest.mark.parametrize(("verb", "expected"), [("듣다/ㄷ", "들읍시다"), ("돕다/ㅂ", "도웁시다"), ("열다", "엽시다"),
                                                ("가다", "갑시다"), ("먹다", "먹읍시다")])  # fmt: skip
def test_formal_suggestions(verb: str, expected: str) -> None:
    assert render_korean(f"<{verb}:let>.", {}, "formal") == f"{expected}."


def test_particles_and_copula_agree_with_the_last_sound() -> None:
    assert [attach(word, "은") for word in ("학생", "나", "KTX", "LG", "3", "5")] == [
        "학생은", "나는", "KTX는", "LG는", "3은", "5는"]  # fmt: skip
    assert [attach(word, "으로") for word in ("서울", "부산", "제주")] == ["서울로", "부산으로", "제주로"]
    assert [conjugate_copula("학생", style) for style in CONJUGATED_STYLES] == ["학생이다", "학생이에요", "학생입니다"]
    assert conjugate_copula("친구", "formal", is_past=True) == "친구였습니다"


def test_numbers_and_times() -> None:
    assert [numbers.spell_sino(value) for value in (10, 105, 15_000, 25_300_000)] == [
        "십", "백오", "만 오천", "이천오백삼십만"]  # fmt: skip
    assert [numbers.spell_native(value, before_counter=True) for value in (1, 20, 23, 99)] == [
        "한", "스무", "스물세", "아흔아홉"]  # fmt: skip
    assert {("half past three", "세 시 반"), ("ten to one", "열두 시 오십 분"), ("3:20 p.m.", "오후 3시 20분")} <= set(
        numbers.list_times()
    )
    times = {time for time, _ in numbers.list_times()}
    assert {"six in the morning", "five in the afternoon", "seven in the evening"} <= times
    assert not {"one in the morning", "twelve in the afternoon", "twelve in the evening"} & times
    assert ("the third of May", "5월 3일") in list(numbers.list_dates())
    with pytest.raises(ValueError, match="must be from 1 to 99"):
        numbers.spell_native(100)


@pytest.mark.parametrize("kind", [name.removesuffix("-ko") for name in KOREAN_TEMPLATES])
def test_every_template_shows_each_style(kind: str) -> None:
    rng = random.Random(1)
    for source, *targets in read_templates()[kind]:
        filling = choose_words(source, rng)
        assert re.fullmatch(r"[A-Z0-9][^{}<>~_]+[.?]", render_english(source, filling)), source
        for target in targets:
            for style in CONJUGATED_STYLES:
                korean = render_korean(target, filling, style)
                assert re.fullmatch(r"[^{}<>~_]+[.?]", korean), korean
                # 가니?, 가자 and 줘 are plain to the templates and casual to find_style.
                assert find_style(korean) in (("plain", "casual") if style == "plain" else (style,)), korean


def test_some_fillings_come_in_all_styles() -> None:
    pairs = list(generate_pairs("sentences", 300, seed=1))
    assert pairs == list(generate_pairs("sentences", 300, seed=1))
    assert len(pairs) == 300
    styles: dict[str, set[str | None]] = {}
    for source, target in pairs:
        styles.setdefault(source, set()).add(find_style(target))
    assert any({"polite", "formal", "plain"} <= sentence_styles for sentence_styles in styles.values())


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
    assert not [english for english, _ in greetings if re.search(r"\bi\b", english)]
