"""What a model can't read well in a text, and the text as it can."""

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
def test_each_doubt_has_its_remedy() -> None:
    assert check_input("The old house is near the river.", "en") is None
    assert check_input("", "en") is None
    assert check_input(" \n ", "en") is None
    assert check_input("12:30 ?!", "en") == InputWarning("letters")
    assert check_input("Le chat dort.", "en") == InputWarning("foreign", language="fr")
    assert (
        check_input("J’arrive demain.", "en")
        == check_input("J'arrive demain.", "en")
        == InputWarning("foreign", language="fr")
    )
    assert check_input("I saw <b>the</b> cat &amp; dog.", "en") == InputWarning("markup", "I saw the cat & dog.")
    assert check_input("<br><hr>", "en") == InputWarning("markup")
    assert check_input("HELLO WORLD, I AM HERE.", "en") == InputWarning("capitals", "Hello world, I am here.")
    assert check_input(PARAGRAPHS, "en") == InputWarning("sentences", count=4)


def test_sentences_end_where_readers_end_them() -> None:
    assert split_sentences(PARAGRAPHS, "en") == (
        "The bread is warm.", "We open the window.", "A bird sings!", "Then it rains.",
    )  # fmt: skip
    one = (
        "Dr. Smith met Mrs. Jones at 3.15 p.m. in St. Louis.", "J. R. R. Tolkien wrote it.",
        "J.R.R. Tolkien wrote it.", "The U.N. Security Council met today.", "He is in the (U.S. Army).",
        "It costs 2.50 euros, i.e. little.",
        "He asked: “Why?” and left.", "Wait... what?",
    )  # fmt: skip
    for text in one:
        assert split_sentences(text, "en") == (text,), text
    assert split_sentences("So do I. Then we left.", "en") == ("So do I.", "Then we left.")
    assert split_sentences('He said "Stop." She did not.', "en") == ('He said "Stop."', "She did not.")
    assert split_sentences("Room 5 is free. 6 is not.", "en") == ("Room 5 is free.", "6 is not.")
    assert split_sentences("Yes! ... \n?!\nNo.", "en") == ("Yes! ... ?!", "No.")
    assert split_sentences("猫が寝ている。犬もいる。", "ja") == ("猫が寝ている。", "犬もいる。")
    assert split_sentences("", "en") == ()


def test_sentences_of_german_end_neither_at_its_abbreviations_nor_at_ordinal_numbers() -> None:
    one = (
        "Am 3. Oktober 1990 trat die DDR der Bundesrepublik bei.", "Das kostet ca. 3 Euro bzw. Nr. 10 ist billiger.",
        "Ich traf am 5. Mai Herrn Dr. Müller und Fr. Schmidt.",
    )  # fmt: skip
    for text in one:
        assert split_sentences(text, "de") == (text,), text
    assert split_sentences("Das war 1990. Dann kam er. Er blieb.", "de") == (
        "Das war 1990.",
        "Dann kam er.",
        "Er blieb.",
    )
    assert check_input("DIE SCHWARZE KATZE SCHLÄFT.", "de") == InputWarning("capitals"), (
        "which of its words are nouns is lost"
    )


def test_no_word_is_lost_between_sentences() -> None:
    for name, text in CASES.items():
        found = split_sentences(text[:20_000], "en")
        if found:
            assert " ".join(found).split() == text[:20_000].split(), name


def test_signs_before_the_first_sentence_are_its_own() -> None:
    assert split_sentences("... And he left. We stayed.", "en") == ("... And he left.", "We stayed.")
    assert split_sentences("***\n- -\nHello. Goodbye.", "en") == ("*** - - Hello.", "Goodbye.")


def test_capitals_throughout_and_the_same_in_small_letters() -> None:
    assert is_all_capitals("THE CAT SLEEPS.")
    assert not is_all_capitals("NATO")
    assert not is_all_capitals("EU NATO")
    assert not is_all_capitals("The NATO summit")
    assert to_sentence_case("I SAW IT. DID YOU?\nYES, I DID.", "en") == "I saw it. Did you?\nYes, I did."
    assert to_sentence_case("ICH SAH ES.", "de") == "Ich sah es."


def test_signs_that_are_no_markup_stay() -> None:
    for text in ("3 < 5 and 6 > 4 is true.", "AT&T works.", "1 * 2 * 3 is six.", "Use __init__ here.", "a_b and c_d"):
        assert strip_markup(text) == text, text
    assert strip_markup("# Title\n**bold** and [a link](http://x)") == "Title\nbold and a link"


@pytest.mark.parametrize("case", CASES)
def test_hostile_text_is_doubted_in_peace(case: str) -> None:
    found = check_input(CASES[case][:5000], "en")
    if found and found.remedy:
        again = check_input(found.remedy, "en")
        assert again is None or again.kind != found.kind or again.remedy != found.remedy
