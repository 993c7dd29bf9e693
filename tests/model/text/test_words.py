"""The words a reader sees: known-right answers, and what must hold of any text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.text.normalise import normalise
from model.text.words import split_words
from tests.hostile import CASES


def words(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The grey cat sleeps.", "en", "The|grey|cat|sleeps|."),
        ("I don't know, Tom's well-being?!", "en", "I|don't|know|,|Tom's|well-being|?!"),
        ("the students' books", "en", "the|students|'|books"),
        ("in d'Estaing's time", "en", "in|d'Estaing's|time"),
        ("1,300.5 euros at 9:30, 10%.", "en", "1,300.5|euros|at|9:30|,|10|%."),
        ("p.5 and a:1", "en", "p|.|5|and|a|:|1"),
        ("from 5. to -6", "en", "from|5|.|to|-|6"),
        ("G8, 19th, R&D, CO2", "en", "G8|,|19th|,|R|&|D|,|CO2"),
        ('"Yes" (he said)...', "en", '"|Yes|"|(|he|said|)...'),
        ("a--b a- -b", "en", "a|--|b|a|-|-|b"),
        ("L'Alliance a-t-elle dit oui?", "fr", "L'|Alliance|a-t-elle|dit|oui|?"),
        ("qu'aujourd'hui quelqu'un", "fr", "qu'|aujourd'hui|quelqu'un"),
        ("Jusqu'à l'an 2000, puisqu'il s'agit d'eux", "fr", "Jusqu'|à|l'|an|2000|,|puisqu'|il|s'|agit|d'|eux"),
        ("c'est-à-dire qu'il n'y en a pas", "fr", "c'est-à-dire|qu'|il|n'|y|en|a|pas"),
        ("presqu'île et main-d'œuvre", "fr", "presqu'île|et|main-d'œuvre"),
        ("c'qu'il", "fr", "c'|qu'|il"),
        ("l'\"Erika\" et l'(autre)", "fr", "l'|\"|Erika|\"|et|l'|(|autre|)"),
        ("la lettre 'l'.", "fr", "la|lettre|'|l|'."),
        ("l'", "fr", "l|'"),
        ("il dit: non", "fr", "il|dit|:|non"),
        ("회색 고양이가 잔다.", "en", "회색|고양이가|잔다|."),
        ("I ❤️ 😀😀", "en", "I|❤️|😀😀"),
        ("a\u20dd b", "en", "a\u20dd|b"),
        ("", "en", ""),
        (" ", "fr", ""),
    ],
)
def test_known_right_answers(text: str, language: str, expected: str) -> None:
    assert words(text, language) == (expected.split("|") if expected else [])


def check_spans(text: str, spans: list[tuple[int, int]]) -> None:
    position = 0
    for start, end in spans:
        assert position <= start < end
        assert not text[position:start].strip(" "), "a sign stands in no word"
        assert " " not in text[start:end]
        position = end
    assert not text[position:].strip(" ")


@settings(max_examples=300)
@given(st.one_of(st.text("aé1 '-.,:\"(lqu\u0301😀", max_size=30), st.text(max_size=60)), st.sampled_from(["en", "fr"]))
def test_every_sign_stands_in_exactly_one_word(text: str, language: str) -> None:
    text = normalise(text)
    check_spans(text, split_words(text, language))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_hostile_input_is_split_in_no_time(name: str, language: str) -> None:
    text = normalise(CASES[name])
    start = time.thread_time()
    spans = split_words(text, language)
    assert time.thread_time() - start < 1
    check_spans(text, spans)


@pytest.mark.parametrize("language", ["ko", "de", "pt-BR"])
def test_a_language_that_nobody_described_is_split_plainly(language: str) -> None:
    assert words("나는 l'학교에 갔다. 3 Katzen!", language) == ["나는", "l'학교에", "갔다", ".", "3", "Katzen", "!"]
    assert words("de l'arbre", "fr-CA") == ["de", "l'", "arbre"]


def test_without_spaces_every_letter_is_a_word() -> None:
    assert words("我有3.5只cats。", "zh") == ["我", "有", "3.5", "只", "cats", "。"]
    assert words("ก\u0e49า", "th") == ["ก\u0e49", "า"]


@pytest.mark.parametrize("code", ["", "EN", "english!", "x", "en_GB", "../en", "e" * 5000])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="is no language code; give one such as en, fr, ko or pt-BR") as refused:
        split_words("Die Katze", code)
    assert len(str(refused.value)) < 150
