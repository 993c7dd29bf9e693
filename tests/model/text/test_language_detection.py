"""Tests of language detection. Precision comes first, because a false warning annoys the user."""

import tomllib
from pathlib import Path

import pytest

from model.text import languages
from model.text.language_detection import LANGUAGE_SCRIPTS, detect_foreign_language
from model.text.normalise import normalise
from tests.hostile import CASES

SENTENCES: dict[str, list[str]] = {
    language: text.splitlines()
    for language, text in tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8")).items()
}


@pytest.mark.verdict
def test_two_hundred_english_sentences_are_english() -> None:
    assert len(SENTENCES["en"]) >= 200
    languages_by_text = {text: detect_foreign_language(normalise(text), "en") for text in SENTENCES["en"]}
    assert {text: language for text, language in languages_by_text.items() if language} == {}


@pytest.mark.parametrize("language", [language for language in SENTENCES if language != "en"])
def test_other_languages_are_detected(language: str) -> None:
    for text in SENTENCES[language]:
        assert detect_foreign_language(normalise(text), "en") == language, text


@pytest.mark.parametrize(("text", "expected", "detected"), [
    ("고양이가 의자에서 잡니다.", "ko", None), ("The cat sleeps on the chair.", "ko", "en"),
    ("나는 Tom을 만났다.", "ko-KR", None), ("Transformer 모델의 self-attention을 공부한다.", "ko", None),
    ("大韓民國은 民主共和國이다.", "ko", None), ("I eat 김치 and rice.", "ko", "en"),
    ("Le chat dort sur la chaise.", "fr", None),
    ("The cat sleeps on the chair.", "fr", "en"), ("猫が寝ている。", "ja", None), ("東京大学", "ja", None),
    ("qwx", "ko", languages.ANY_LANGUAGE), ("The cat sleeps.", "sw", None),  # unknown expected language
    ("ﾾￂﾤﾷￂﾱ", "ko", None), ("Ｈｅｌｌｏ ｍｙ ｆｒｉｅｎｄ", "en", None), ("日本ﾃﾞ", "en", "ja"),  # full and half width
    ("Jag är från Sverige och bor på landet.", "de", "sv"), ("Le petit garçon est allé à l'école.", "de", "fr"),
])  # fmt: skip
def test_text_is_compared_with_the_expected_language(text: str, expected: str, detected: str | None) -> None:
    assert detect_foreign_language(text, expected) == detected


def test_abbreviations_and_single_words_belong_to_any_language() -> None:
    for text in ("EU NATO", "1e999 -0 0x1F", "e", "OK", "?!", "", "Zidane", "de", "D'Angelo plays basketball.",
                 "L'Oréal sells cosmetics.", "T'Challa fights bravely.", "C'mon, dance!"):  # fmt: skip
        assert detect_foreign_language(normalise(text), "en") is None, text


def test_german_umlauts_are_no_evidence_of_another_language() -> None:
    for text in ("Plötzlich öffnete Peter drei Türen.", "Frühere Verträge blieben gültig."):
        assert detect_foreign_language(text, "de") is None, text


def test_hostile_text_gets_a_known_language() -> None:
    for text in CASES.values():
        language = detect_foreign_language(normalise(text[:20_000]), "en")
        assert language in (None, languages.ANY_LANGUAGE, *LANGUAGE_SCRIPTS)
