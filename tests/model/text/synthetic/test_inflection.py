"""Tests of morphology and numbers of the synthetic corpora, against values by hand."""

from __future__ import annotations

from types import ModuleType

import pytest

from model.text.synthetic import english, french


@pytest.mark.parametrize(("value", "in_english", "in_french"), [
    (0, "zero", "zéro"), (17, "seventeen", "dix-sept"), (21, "twenty-one", "vingt et un"),
    (45, "forty-five", "quarante-cinq"), (71, "seventy-one", "soixante et onze"),
    (77, "seventy-seven", "soixante-dix-sept"),
    (80, "eighty", "quatre-vingts"), (81, "eighty-one", "quatre-vingt-un"),
    (99, "ninety-nine", "quatre-vingt-dix-neuf"), (101, "one hundred and one", "cent un"),
    (200, "two hundred", "deux cents"), (571, "five hundred and seventy-one", "cinq cent soixante et onze"),
    (1001, "one thousand and one", "mille un"), (1200, "one thousand two hundred", "mille deux cents"),
    (3080, "three thousand and eighty", "trois mille quatre-vingts"), (10_000, "ten thousand", "dix mille"),
])  # fmt: skip
def test_numbers_are_spelled_in_words(value: int, in_english: str, in_french: str) -> None:
    assert (english.spell_number(value), french.spell_number(value)) == (in_english, in_french)


def test_numbers_ending_in_one_agree_with_a_feminine_noun() -> None:
    assert [french.spell_number(value, "f") for value in (1, 11, 21, 71, 81, 101, 1021)] == [
        "une", "onze", "vingt et une", "soixante et onze", "quatre-vingt-une", "cent une", "mille vingt et une"]


@pytest.mark.parametrize("language", [english, french])
def test_numbers_in_words_are_unique_and_limited(language: ModuleType) -> None:
    assert len({language.spell_number(value) for value in range(10_001)}) == 10_001
    for value in (-1, 10_001):
        with pytest.raises(ValueError, match="must be from 0 to 10,000"):
            language.spell_number(value)


@pytest.mark.parametrize(("text", "expected"), [
    ("je aime le hôtel de le roi", "j'aime l'hôtel du roi"), ("de la eau", "de l'eau"), ("de le ail", "de l'ail"),
    ("je ne ai pas de amis", "je n'ai pas d'amis"), ("à les enfants et à le hamster", "aux enfants et au hamster"),
    ("le haricot, le onze mai, le yaourt", "le haricot, le onze mai, le yaourt"), ("si il vient", "s'il vient"),
    ("la école que il voit", "l'école qu'il voit"), ("De les amis", "Des amis"), ("de les", "de les"),
])  # fmt: skip
def test_elision_and_contraction(text: str, expected: str) -> None:
    assert french.elide_and_contract(text) == expected


def test_inflection() -> None:
    assert list(french.build_forms("heureux").values()) == ["heureux", "heureuse", "heureux", "heureuses"]
    assert list(french.build_forms("blanc", "blanche").values()) == ["blanc", "blanche", "blancs", "blanches"]
    assert list(french.build_forms("rouge").values()) == ["rouge", "rouge", "rouges", "rouges"]
    assert list(french.build_forms("italien").values()) == ["italien", "italienne", "italiens", "italiennes"]
    assert french.inflect_determiner("mon", "f", False, "amie") == "mon"
    assert french.inflect_determiner("ce", "m", False, "oiseau") == "cet"
    assert french.inflect_determiner("quel", "f", True, "") == "quelles"
    assert list(map(french.pluralise, ("cheval", "gâteau", "nez"))) == ["chevaux", "gâteaux", "nez"]
    assert list(map(english.pluralise, ("cat", "box", "baby", "boy"))) == ["cats", "boxes", "babies", "boys"]
    assert english.fix_articles("A umbrella, a uniform, a hour and a yellow egg") == \
        "An umbrella, a uniform, an hour and a yellow egg"
    assert english.fix_articles("a Ukrainian student, a uncle") == "a Ukrainian student, an uncle"
