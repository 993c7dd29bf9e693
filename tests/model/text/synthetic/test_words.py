"""Morphology, numbers, dates and times of the synthetic corpora, against values written by hand."""

from __future__ import annotations

import pytest

from model.text.synthetic import english, french
from model.text.synthetic.dates import list_dates, list_times


@pytest.mark.parametrize(("value", "in_english", "in_french"), [
    (0, "zero", "zéro"), (1, "one", "un"), (17, "seventeen", "dix-sept"), (21, "twenty-one", "vingt et un"),
    (22, "twenty-two", "vingt-deux"), (45, "forty-five", "quarante-cinq"), (60, "sixty", "soixante"),
    (69, "sixty-nine", "soixante-neuf"), (70, "seventy", "soixante-dix"), (71, "seventy-one", "soixante et onze"),
    (77, "seventy-seven", "soixante-dix-sept"), (80, "eighty", "quatre-vingts"), (81, "eighty-one", "quatre-vingt-un"),
    (91, "ninety-one", "quatre-vingt-onze"), (99, "ninety-nine", "quatre-vingt-dix-neuf"),
    (100, "one hundred", "cent"), (101, "one hundred and one", "cent un"), (200, "two hundred", "deux cents"),
    (571, "five hundred and seventy-one", "cinq cent soixante et onze"), (1001, "one thousand and one", "mille un"),
    (1200, "one thousand two hundred", "mille deux cents"), (2000, "two thousand", "deux mille"),
    (3080, "three thousand and eighty", "trois mille quatre-vingts"), (10_000, "ten thousand", "dix mille"),
])  # fmt: skip
def test_numbers_in_words(value: int, in_english: str, in_french: str) -> None:
    assert (english.spell_number(value), french.spell_number(value)) == (in_english, in_french)


def test_numbers_ending_in_one_agree_with_a_feminine_noun() -> None:
    assert [french.spell_number(value, "f") for value in (1, 11, 21, 71, 81, 101, 1021)] == [
        "une", "onze", "vingt et une", "soixante et onze", "quatre-vingt-une", "cent une", "mille vingt et une"]


def test_numbers_in_words_are_unique_and_limited() -> None:
    assert len({english.spell_number(value) for value in range(10_001)}) == 10_001
    assert len({french.spell_number(value) for value in range(10_001)}) == 10_001
    for language in (english, french):
        for value in (-1, 10_001):
            with pytest.raises(ValueError, match=r"must be from 0 to 10,000"):
                language.spell_number(value)


@pytest.mark.parametrize(("value", "words"), [(1, "first"), (2, "second"), (3, "third"), (9, "ninth"), (12, "twelfth"),
                                              (20, "twentieth"), (21, "twenty-first"), (30, "thirtieth")])
def test_ordinals(value: int, words: str) -> None:
    assert english.spell_ordinal(value) == words


def test_dates() -> None:
    found = dict(list_dates())
    assert found["the third of May"] == "le trois mai"
    assert found["the first of May"] == "le premier mai"
    assert found["May 3"] == found["3 May"] == "le 3 mai"
    assert found["August 1"] == "le 1er août"
    assert found["the thirty-first of December"] == "le trente et un décembre"
    assert len(found) == 3 * 366


def test_times() -> None:
    found = dict(list_times())
    assert found["half past nine"] == "neuf heures et demie"
    assert found["a quarter to three"] == "trois heures moins le quart"
    assert found["a quarter past one"] == "une heure et quart"
    assert found["twenty to eight"] == "huit heures moins vingt"
    assert found["one o'clock"] == "une heure"
    assert found["9:30"] == "9 h 30"
    assert (found["7 p.m."], found["7 a.m."], found["12 a.m."], found["12 p.m."]) == ("19 h", "7 h", "0 h", "12 h")
    assert found["7:05 p.m."] == "19 h 05"
    assert (found["noon"], found["midnight"]) == ("midi", "minuit")


@pytest.mark.parametrize(("text", "expected"), [
    ("je aime le hôtel de le roi", "j'aime l'hôtel du roi"), ("de la eau", "de l'eau"), ("de le ail", "de l'ail"),
    ("je ne ai pas de amis", "je n'ai pas d'amis"), ("à les enfants et à le hamster", "aux enfants et au hamster"),
    ("le haricot, le onze mai, le yaourt", "le haricot, le onze mai, le yaourt"), ("si il vient", "s'il vient"),
    ("la école que il voit", "l'école qu'il voit"), ("De les amis", "Des amis"), ("de les", "de les"),
])  # fmt: skip
def test_elision_and_contraction(text: str, expected: str) -> None:
    assert french.elide_and_contract(text) == expected


def test_determiners_agree_and_depend_on_the_next_vowel() -> None:
    assert french.inflect_determiner("mon", "f", False, "amie") == "mon"
    assert french.inflect_determiner("mon", "f", False, "petite amie") == "ma"
    assert french.inflect_determiner("ce", "m", False, "oiseau") == "cet"
    assert french.inflect_determiner("ce", "m", False, "hibou") == "ce"
    assert french.inflect_determiner("un", "f", True, "pommes") == "des"
    assert french.inflect_determiner("quel", "f", True, "") == "quelles"


def test_adjectives() -> None:
    assert list(french.build_forms("vert").values()) == ["vert", "verte", "verts", "vertes"]
    assert list(french.build_forms("heureux").values()) == ["heureux", "heureuse", "heureux", "heureuses"]
    assert list(french.build_forms("blanc", "blanche").values()) == ["blanc", "blanche", "blancs", "blanches"]
    assert list(french.build_forms("rouge").values()) == ["rouge", "rouge", "rouges", "rouges"]
    assert list(french.build_forms("italien").values()) == ["italien", "italienne", "italiens", "italiennes"]
    assert list(map(french.pluralise, ("cheval", "gâteau", "nez"))) == ["chevaux", "gâteaux", "nez"]


def test_english_articles_and_plurals() -> None:
    assert english.fix_articles("A umbrella, a uniform, a hour and a yellow egg") == \
        "An umbrella, a uniform, an hour and a yellow egg"
    assert [english.pluralise(noun) for noun in ("cat", "box", "baby", "boy", "peach")] == [
        "cats", "boxes", "babies", "boys", "peaches"]
