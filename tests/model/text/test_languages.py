"""The table of languages: a plain rule for all that nobody described, and what the described ones ask for."""

import pytest

from model.text import languages
from model.text.clauses import clauses
from model.text.languages import of, pair_of


def test_a_language_that_nobody_described_has_the_plain_rules() -> None:
    plain = of("eo")
    assert (plain.code, plain.spaced, plain.function_words, plain.alphabet) == ("eo", True, frozenset(), "")
    assert not plain.elided.match("l'arbre")
    assert of("fr-CA") is of("fr")


def test_words_are_counted_where_there_are_no_spaces() -> None:
    assert of("ko").count("나는 학교에 갔다.") == 3
    assert of("zh").count("我有一只猫。") == 3


def test_the_clauses_of_other_languages_end_at_punctuation() -> None:
    korean = "나는 어제 학교에 일찍 갔고, 우리 형은 집에 오래 남았다."
    assert clauses(korean, "ko") == ("나는 어제 학교에 일찍 갔고,", "우리 형은 집에 오래 남았다.")
    english = "the cat sat on the chair because it was very tired"
    assert len(clauses(english, "en")) == 2
    assert clauses(english, "de") == ("the cat sat on the", "chair because it was very tired"), "cut by the stride"


def test_a_pair_is_two_codes() -> None:
    assert pair_of("en-ko") == ("en", "ko")
    assert pair_of("en-fr-CA") == ("en", "fr-CA")
    assert pair_of("pt-BR-en") == ("pt-BR", "en")
    assert pair_of("zh-Hant-TW-pt-BR") == ("zh-Hant-TW", "pt-BR")
    for text in ("en", "en_ko", "-", "english-korean", "en-US-", "-en", "en-" + "k" * 5000):
        with pytest.raises(ValueError, match="are no pair; give source and target, such as en-ko") as refused:
            pair_of(text)
        assert len(str(refused.value)) < 200


def test_european_letters_are_pieces_of_both_shipped_languages() -> None:
    assert of("en").alphabet == of("fr").alphabet == languages.EUROPEAN
    assert len(set(languages.EUROPEAN)) == len(languages.EUROPEAN)
