"""Tests of corpus cleaning."""

from collections import Counter

import pytest

from model.text.cleaning import (
    PairLimits,
    clean_lines,
    count_inner_words,
    find_rejection_reason,
    format_as_sentence,
    make_bare,
    make_match_key,
    strip_speaker_marks,
)
from model.text.normalise import normalise
from tests.canonical import normalise_pairs

LIMITS = PairLimits()


@pytest.mark.parametrize(("source", "target", "reason"), [
    ("The cat sleeps.", "", "empty"),
    ("a " * 79 + "a", "b " * 79 + "b", None), ("a " * 80 + "a", "b " * 79 + "b", "too many words"),
    ("a", "c d e f g h", None), ("a b", "c d e f g h i", "lengths too unlike"),
    ("c d e f g h i j k l", "a b d", "lengths too unlike"),
    ("वे मेरे बच्चे हैं।", "မင်္ဂလာပါခင်ဗျား", None),  # the vowels are marks
    ("Paris, Rome and Oslo", "Paris, Rome and Oslo", None),
    ("Paris, Rome, Oslo and Bern", "Paris, Rome, Oslo and Bern", "same on both sides"),
])  # fmt: skip
def test_rejection_reasons(source: str, target: str, reason: str | None) -> None:
    assert find_rejection_reason(source, target, LIMITS) == reason


@pytest.mark.parametrize(("line", "expected"), [
    (". (ES) Mr President, I agree.", "Mr President, I agree."), ("(Applause)", "(Applause)"),
    (", on behalf of the group. - We agree.", "on behalf of the group. - We agree."),
    ("... and so on", "... and so on"),
])  # fmt: skip
def test_speaker_marks_are_stripped(line: str, expected: str) -> None:
    assert strip_speaker_marks(normalise(line)) == expected


def test_rejected_lines_are_counted() -> None:
    lines = [
        "The  cat\u00a0!\tLe chat\u00a0!\r\n",
        "- We agree.\t- D\u2019accord.\n",
        "only one field\n",
        "one\ttwo\tthree\n",
        "\tnothing\n",
        "1 2 3\t1 2 3\n",
    ]
    pairs, rejected = clean_lines(lines, LIMITS, is_minutes=False)
    assert pairs == [("The cat!", "Le chat!"), ("- We agree.", "- D'accord.")]
    assert rejected == Counter({"not two fields": 2, "empty": 1, "mostly not letters": 1})
    assert clean_lines(lines, LIMITS, is_minutes=True)[0] == [("The cat!", "Le chat!"), ("We agree.", "D'accord.")]


def test_bare_sentences_keep_capitals_of_names() -> None:
    pairs = [
        ("Today the cat and Anna sleep, but I do not.", "Aujourd'hui le chat et Anna dorment, mais pas moi."),
        ("Then the dog saw Anna and the cat.", "Puis c'est le chien qui vit Anna et le chat."),
        ('He said: "The end. The door!"', 'Il dit: "Le bout. Le mur!"'),
    ]
    inner_counts = count_inner_words(normalise_pairs(pairs))
    assert [inner_counts[0][word] for word in ("the", "Anna", "I")] == [3, 2, 1]
    assert inner_counts[0]["The"] == 0  # after a stop or a quotation mark
    assert make_bare(normalise("The cat sleeps."), "en", inner_counts[0]) == "the cat sleeps"
    assert make_bare(normalise("Anna sleeps!"), "en", inner_counts[0]) == "Anna sleeps!"
    assert make_bare(normalise("I sleep?"), "en", inner_counts[0]) == "I sleep?"
    assert make_bare(normalise("Zyzzyva sleeps..."), "en", inner_counts[0]) == "Zyzzyva sleeps..."  # unknown word
    assert make_bare(normalise("C'est le chat."), "fr", inner_counts[1]) == "c'est le chat"
    assert make_bare(normalise("Anna dort."), "fr", inner_counts[1]) == "Anna dort"
    assert make_bare(normalise(""), "en", inner_counts[0]) == ""


def test_phrases_become_sentences_without_losing_a_letter() -> None:
    pair = (normalise("ﬁne art"), normalise("ΐα"))  # capitals of two letters, and of a letter and two accents
    assert format_as_sentence(pair, ("en", "el")) == normalise_pairs([("Fine art.", "Ϊ́α.")])[0]
    assert format_as_sentence((normalise("yes"), normalise("oui!")), ("en", "fr")) == ("Yes", "Oui!")


def test_match_key_ignores_case_punctuation_and_spacing() -> None:
    assert make_match_key("The cat's here!") == make_match_key('"the cats here"') == "thecatshere"
    assert make_match_key("The cat is here") != make_match_key("The cat was here")
    assert make_match_key("वे मेरे।") != make_match_key("वो मारो।")
