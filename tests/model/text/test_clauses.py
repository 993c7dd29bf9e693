"""Tests of splitting a sentence into clauses."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from model.text.clauses import MAX_CLAUSES, build_prefixes, split_clauses
from model.text.normalise import normalise
from tests.hostile import CASES


@pytest.mark.parametrize(
    ("language", "clauses"),
    [
        ("en", "My sister bought a house last year,|but she does not live in it|because it is cold."),
        ("en", "She lives in that house|with two cats and a dog."),
        ("en", "The dog runs, and it barks."),
        ("en", "Mr. Smith and his old|dog walk home."),
        ("en", "We all went to see|Prof. Smith in his old office."),
        ("fr", "Nous avons vu|M. Dupont et son vieux chien."),
        ("en", "It costs 1,300.5 francs:|nobody can pay that."),
        ("en", 'He said "it is very cold,"|and then he went away.'),
        ("en", "w w w w|w w w w w|w w w w|w w w w w|w w w w w"),  # about five words each
        ("de", "the cat sat on the|chair because it was very tired"),  # no list of conjunctions
        ("ko", "나는 어제 학교에 일찍 갔고,|우리 형은 집에 오래 남았다."),
        ("ko", "비가 많이 왔지만|우리는 산에 올라가서|점심을 먹었다."),
        ("ko", "형은 책을 읽었고|나는 그림을 그렸고|동생은 잠을 잤다."),
        ("ko", "날씨가 추워서|창문을 닫았다.|그런데 아이들은 밖에서 놀고 있었다."),
        ("ko", "봄이 오면|꽃이 피는데도|바람이 차다."),
        ("ko", "동생은 부엌 가운데 서 있다."),  # these only end as verbs do
        ("ko", "하지만 나는 아직 배가 고프다."),
    ],
)
def test_sentence_is_split_into_clauses(language: str, clauses: str) -> None:
    assert split_clauses(clauses.replace("|", " "), language) == tuple(clauses.split("|"))


def test_prefixes_end_as_the_sentence_does() -> None:
    assert build_prefixes("Where is the house that you bought last year, if you bought one?", "en") == (
        "Where is the house?",
        "Where is the house that you bought last year?",
        "Where is the house that you bought last year, if you bought one?",
    )
    unfinished = "the cat is small, the dog is big"
    assert build_prefixes(unfinished, "en") == ("the cat is small", unfinished)
    assert build_prefixes("The cat is not there. The dog is at home.", "en")[0] == "The cat is not there."
    assert build_prefixes("", "en") == ()
    signs = "- - - - milk eggs bread butter"
    assert build_prefixes(signs, "en") == (signs,)  # none consists of signs alone


def check_clauses(text: str) -> None:
    """Check the number and length of clauses, and that they make up the text."""
    text = normalise(text)
    clauses = split_clauses(text, "en")
    assert " ".join(clauses) == text
    assert len(clauses) <= MAX_CLAUSES
    assert all(len(clause.split()) >= min(2, len(text.split())) for clause in clauses)
    prefixes = build_prefixes(text, "en")
    assert len(prefixes) == len(clauses)
    assert not text or prefixes[-1] == text


def test_hostile_text_is_split() -> None:
    for text in CASES.values():
        check_clauses(text)


WORDS = ("cat", "and", "that,", "of", "that", "(no)", "-", "dog.", "if", '"yes"', "Mr.")


@example(["-"] * 4 + ["cat"] * 4)
@given(st.lists(st.sampled_from(WORDS), max_size=200))
@settings(max_examples=100)
def test_any_words_are_split(words: list[str]) -> None:
    check_clauses(" ".join(words))
