"""The table of languages: a plain rule for all that nobody described, and what the described ones ask for."""

import pytest

from model.text import languages
from model.text.clauses import split_clauses
from model.text.languages import get_language, parse_language_pair


def test_a_language_that_nobody_described_has_the_plain_rules() -> None:
    plain = get_language("eo")
    assert (plain.code, plain.has_spaces, plain.function_words, plain.alphabet) == ("eo", True, frozenset(), "")
    assert not plain.elision.match("l'arbre")
    assert get_language("fr-CA") is get_language("fr")


def test_words_are_counted_where_there_are_no_spaces() -> None:
    assert get_language("ko").count_words("나는 학교에 갔다.") == 3
    assert get_language("zh").count_words("我有一只猫。") == 3


def test_the_clauses_of_other_languages_end_at_punctuation() -> None:
    korean = "나는 어제 학교에 일찍 갔고, 우리 형은 집에 오래 남았다."
    assert split_clauses(korean, "ko") == ("나는 어제 학교에 일찍 갔고,", "우리 형은 집에 오래 남았다.")
    english = "the cat sat on the chair because it was very tired"
    assert len(split_clauses(english, "en")) == 2
    assert split_clauses(english, "de") == ("the cat sat on the", "chair because it was very tired"), (
        "cut by the stride"
    )


def test_a_pair_is_two_codes() -> None:
    assert parse_language_pair("en-ko") == ("en", "ko")
    assert parse_language_pair("en-fr-CA") == ("en", "fr-CA")
    assert parse_language_pair("pt-BR-en") == ("pt-BR", "en")
    assert parse_language_pair("zh-Hant-TW-pt-BR") == ("zh-Hant-TW", "pt-BR")
    for text in ("en", "en_ko", "-", "english-korean", "en-US-", "-en", "en-" + "k" * 5000):
        with pytest.raises(ValueError, match="are no pair; give source and target, such as en-ko") as refused:
            parse_language_pair(text)
        assert len(str(refused.value)) < 200


def test_european_letters_are_pieces_of_both_shipped_languages() -> None:
    assert get_language("en").alphabet == get_language("fr").alphabet == languages.EUROPEAN_ALPHABET
    assert len(set(languages.EUROPEAN_ALPHABET)) == len(languages.EUROPEAN_ALPHABET)
