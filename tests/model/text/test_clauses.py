"""Where sentences are cut, by hand, and what must hold of every text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.text.clauses import MAX_CLAUSES, MIN_CLAUSE_WORDS, build_prefixes, split_clauses
from model.text.normalise import normalise
from tests.hostile import CASES


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "My sister bought a house last year, but she does not live in it because it is cold.",
            ["My sister bought a house last year,", "but she does not live in it", "because it is cold."],
        ),
        (
            "I think that the house which you bought is too small.",
            ["I think that the house", "which you bought is too small."],
        ),
        ("She lives in that house with two cats and a dog.", ["She lives in that house", "with two cats and a dog."]),
        ("We would like to thank all who came to us.", ["We would like to thank all", "who came to us."]),
        ("The dog runs, and it barks.", ["The dog runs, and it barks."]),
        ("Mr. Smith and his old dog walk home.", ["Mr. Smith and his old", "dog walk home."]),
        ("It costs 1,300.5 francs: nobody can pay that.", ["It costs 1,300.5 francs:", "nobody can pay that."]),
        ('He said "it is very cold," and then he went away.', ['He said "it is very cold,"', "and then he went away."]),
        ("I am a student.", ["I am a student."]),
        ("", []),
        ("  ", []),
    ],
)  # fmt: skip
def test_cuts(sentence: str, parts: list[str]) -> None:
    assert list(split_clauses(sentence, "en")) == parts


def test_a_sentence_without_clauses_grows_by_about_five_words() -> None:
    words = [f"word{number}" for number in range(23)]
    assert [len(part.split()) for part in split_clauses(" ".join(words), "en")] == [4, 5, 4, 5, 5]


def test_it_is_not_cut_after_a_small_word() -> None:
    assert split_clauses("The black cat sleeps on the old chair.", "en") == (
        "The black cat sleeps",
        "on the old chair.",
    )


def test_many_clauses_are_put_together() -> None:
    parts = split_clauses("the cat, " * 200, "en")
    assert 2 <= len(parts) <= MAX_CLAUSES
    assert all(len(part.split()) >= MIN_CLAUSE_WORDS for part in parts)


def test_every_beginning_ends_as_the_sentence_does() -> None:
    assert build_prefixes("Where is the house that you bought last year, if you bought one?", "en") == (
        "Where is the house?",
        "Where is the house that you bought last year?",
        "Where is the house that you bought last year, if you bought one?",
    )
    two = "the cat is small, the dog is big"
    assert build_prefixes(two, "en") == ("the cat is small", two)
    assert build_prefixes("The cat is not there. The dog is at home.", "en")[0] == "The cat is not there."
    assert build_prefixes("", "en") == ()


def holds(text: str) -> None:
    text = normalise(text)
    whole = " ".join(text.split())
    parts = split_clauses(text, "en")
    assert " ".join(parts) == whole
    assert len(parts) <= MAX_CLAUSES
    assert all(len(part.split()) >= min(MIN_CLAUSE_WORDS - 2, len(whole.split())) for part in parts)
    grown = build_prefixes(text, "en")
    assert len(grown) == len(parts)
    assert not whole or grown[-1] == whole


@pytest.mark.parametrize("name", CASES)
def test_hostile_text(name: str) -> None:
    holds(CASES[name])


SOME = ("cat", "and", "that,", "of", "that", "(no)", "-", "dog.", "if", '"yes"', "Mr.")


@given(st.lists(st.sampled_from(SOME), max_size=40))
@settings(max_examples=100)
def test_nothing_is_lost(words: list[str]) -> None:
    holds(" ".join(words))
