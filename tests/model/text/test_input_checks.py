"""Tests of input warnings and their remedies."""

import pytest

from model.text.input_checks import (
    InputWarning,
    check_input,
    is_all_capitals,
    split_sentences,
    strip_markup,
    to_sentence_case,
)
from tests.hostile import CASES

PARAGRAPHS = "The bread is warm.\n\nWe open the window. A bird sings!\n\nThen it rains."


@pytest.mark.verdict
def test_warnings_and_remedies() -> None:
    assert check_input("The old house is near the river.", "en") is None
    assert check_input(" \n ", "en") is None
    assert check_input("12:30 ?!", "en") == InputWarning("letters")
    assert check_input("Le chat dort.", "en") == InputWarning("foreign", language="fr")
    assert check_input("I saw <b>the</b> cat &amp; dog.", "en") == InputWarning("markup", "I saw the cat & dog.")
    assert check_input("<br><hr>", "en") == InputWarning("markup")
    assert check_input("HELLO WORLD, I AM HERE.", "en") == InputWarning("capitals", "Hello world, I am here.")
    assert check_input("DIE SCHWARZE KATZE SCHLÄFT.", "de") == InputWarning("capitals")  # nouns keep their capitals
    assert check_input(PARAGRAPHS, "en", longest_words=10) == InputWarning("sentences", count=4)
    assert check_input("The old house is near the river.", "en", longest_words=6) == InputWarning("long", count=7)
    assert check_input("The old house is near the river.", "en", longest_words=7) is None


@pytest.mark.parametrize(("language", "sentences"), [
    ("en", "Dr. Smith met Mrs. Jones at 3.15 p.m. in St. Louis."),
    ("en", "J. R. R. Tolkien wrote it."),
    ("en", "He asked: “Why?” and left."),
    ("en", 'He said "Stop."|She did not.'),
    ("en", "Room 5 is free.|6 is not."),
    ("en", "Yes! ... ?!|No."),
    ("en", "... And he left.|We stayed."),
    ("en", "*** - - Hello.|Goodbye."),
    ("en", "I asked him.|He said no.|She left at no. 5."),
    ("en", "We met Prof. Smith in Oct. 1990.|He was old."),
    ("fr", "Nous avons vu MM. Dupont et Durand."),
    ("fr", "Elle mesure 5 mm.|Elle vit ici."),
    ("de", "Am 3. Oktober 1990 trat die DDR der Bundesrepublik bei."),  # an ordinal number
    ("de", "Ich traf am 5. Mai Herrn Dr. Müller und Fr. Schmidt."),
    ("de", "Das war 1990.|Dann kam er.|Er blieb."),
])  # fmt: skip
def test_text_is_split_into_sentences(language: str, sentences: str) -> None:
    assert split_sentences(sentences.replace("|", " "), language) == tuple(sentences.split("|"))


def test_line_breaks_japanese_and_empty_text_are_split() -> None:
    assert split_sentences("***\n- -\nHello. Goodbye.", "en") == ("*** - - Hello.", "Goodbye.")
    assert split_sentences("猫が寝ている。犬もいる。", "ja") == ("猫が寝ている。", "犬もいる。")
    assert split_sentences("", "en") == ()
    assert split_sentences("Hello.\n\u3164", "en") == ("Hello. \u3164",)  # a blank letter is no sentence


def test_sentences_have_all_words_of_the_text() -> None:
    for name, text in CASES.items():
        text = text[:20_000]
        expected = text.split() if any(map(str.isalnum, text)) else []
        assert " ".join(split_sentences(text, "en")).split() == expected, name


def test_text_in_capitals_becomes_sentence_case() -> None:
    assert is_all_capitals("THE CAT SLEEPS.")
    assert not is_all_capitals("NATO")
    assert not is_all_capitals("EU NATO")
    assert not is_all_capitals("The NATO summit")
    assert to_sentence_case("I SAW IT. DID YOU?\nYES, I DID.", "en") == "I saw it. Did you?\nYes, I did."
    assert to_sentence_case("ICH SAH ES.", "de") == "Ich sah es."
    assert to_sentence_case("ﬁND THE CAT.", "en") == "Find the cat."  # no letter is lost
    assert to_sentence_case("ALL AGREE, I.E. THE BOARD. (YES!)", "en") == "All agree, i.e. the board. (Yes!)"


def test_only_markup_is_stripped() -> None:
    for text in ("3 < 5 and 6 > 4 is true.", "AT&T works.", "1 * 2 * 3 is six.", "Use __init__ here.", "a_b and c_d",
                 "I don`t think it`s good.", "If a<b and c>d then go."):
        assert strip_markup(text) == text, text
    for text in ("<input disabled>", "<br>", "<br/>", "<svg/onload=alert(1)>", "<a href='x y' id=b>", '<p id = "c">',
                 "<td nowrap>", "<div data-open>", '<script nomodule src="x">', '<a href="x"title="y">'):
        assert strip_markup(f"a {text} b") == "a b", text
    assert strip_markup("~~a " * 5000) == "~~a " * 5000  # in linear time
    assert strip_markup("# Title\n**bold** `code`, and [a link](http://x)") == "Title\nbold code, and a link"


def test_remedy_of_hostile_text_solves_its_problem() -> None:
    for name, text in CASES.items():
        warning = check_input(text[:5000], "en")
        if warning and warning.remedy:
            remedy_warning = check_input(warning.remedy, "en")
            assert remedy_warning is None or remedy_warning.kind != warning.kind, name
