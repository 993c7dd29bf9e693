"""Tests of languages and their rules, word splitting and content words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.text.languages import get_language, parse_language_pair
from model.text.normalise import normalise
from model.text.words import is_content_word, split_words


def get_words(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("I don't know, Tom's well-being?!", "en", "I|don't|know|,|Tom's|well-being|?!"),
        ("in d'Estaing's time", "en", "in|d'Estaing's|time"),
        ("1,300.5 euros at 9:30, 10%.", "en", "1,300.5|euros|at|9:30|,|10|%."),
        ('"Yes" (he said)...', "en", '"|Yes|"|(|he|said|)...'),
        ("L'Alliance a-t-elle dit oui?", "fr", "L'|Alliance|a-t-elle|dit|oui|?"),
        ("qu'aujourd'hui quelqu'un", "fr", "qu'|aujourd'hui|quelqu'un"),
        ("Jusqu'à l'an 2000, puisqu'il s'agit d'eux", "fr", "Jusqu'|à|l'|an|2000|,|puisqu'|il|s'|agit|d'|eux"),
        ("c'qu'il", "fr", "c'|qu'|il"),
        ("l'\"Erika\" et l'(autre)", "fr", "l'|\"|Erika|\"|et|l'|(|autre|)"),
        ("la lettre 'l'.", "fr", "la|lettre|'|l|'."),
        ("l'", "fr", "l|'"),
        ("나는 l'학교에 갔다. 3 Katzen!", "pt-BR", "나는|l'학교에|갔다|.|3|Katzen|!"),
        ("我有3.5只cats。", "zh", "我|有|3.5|只|cats|。"),  # without spaces every letter is a word
        ("ก\u0e49า", "th", "ก\u0e49|า"),
        ("越南的Việt, 한국, ἀρχή和ラーメン", "zh", "越|南|的|Việt|,|한국|,|ἀρχή|和|ラ|ー|メ|ン"),
        ("I ❤️ 😀😀", "en", "I|❤️|😀😀"),
        ("", "en", ""),
        (" ", "fr", ""),
    ],
)
def test_text_is_split_into_words(text: str, language: str, expected: str) -> None:
    assert get_words(text, language) == (expected.split("|") if expected else [])


def check_spans(text: str, spans: list[tuple[int, int]]) -> None:
    """Check that ordered spans cover everything but spaces."""
    position = 0
    for start, end in spans:
        assert position <= start < end
        assert not text[position:start].strip(" ")
        assert " " not in text[start:end]
        position = end
    assert not text[position:].strip(" ")


@settings(max_examples=300)
@given(st.one_of(st.text("aé1 '-.,:\"(lqu\u0301😀", max_size=30), st.text(max_size=60)), st.sampled_from(["en", "fr"]))
def test_spans_cover_every_character_but_spaces(text: str, language: str) -> None:
    text = normalise(text)
    check_spans(text, split_words(text, language))


@pytest.mark.parametrize("code", ["", "EN", "x", "../en", "e" * 5000])
def test_invalid_language_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="is no language code; give one such as en, fr, ko or pt-BR") as caught:
        split_words("Die Katze", code)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The old cat doesn't sleep on it, 3 times.", "en", ["old", "cat", "doesn't", "sleep", "3", "times"]),
        ("We must not go.", "en", ["must", "not", "go"]),
        ("L'homme n'est pas à la maison, où a-t-il dormi ?", "fr", ["homme", "pas", "maison", "dormi"]),
        ("Die Katze!", "de", ["Die", "Katze"]),  # no list of function words
        ("그리고 고양이가", "ko", ["고양이가"]),
    ],
)
def test_content_words_are_not_function_words(text: str, language: str, expected: list[str]) -> None:
    assert [word for word in get_words(text, language) if is_content_word(word, language)] == expected


def test_unlisted_language_has_default_rules() -> None:
    rules = get_language("eo")
    assert (rules.code, rules.has_spaces, rules.function_words, rules.alphabet) == ("eo", True, frozenset(), "")
    assert not rules.elision.match("l'arbre")
    assert get_language("fr-CA") is get_language("fr")


def test_two_characters_count_as_a_word_without_spaces() -> None:
    assert get_language("ko").count_words("나는 학교에 갔다.") == 3
    assert get_language("zh").count_words("我有一只猫。") == 3


def test_language_pair_is_two_codes() -> None:
    assert parse_language_pair("en-ko") == ("en", "ko")
    assert parse_language_pair("zh-Hant-TW-pt-BR") == ("zh-Hant-TW", "pt-BR")
    for text in ("en", "en_ko", "-", "english-korean", "en-US-", "-en", "en-" + "k" * 5000):
        with pytest.raises(ValueError, match="are no pair; give source and target, such as en-ko") as caught:
            parse_language_pair(text)
        assert len(str(caught.value)) < 200
