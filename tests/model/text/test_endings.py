"""Tests of Korean endings as tokens of their own, and of pieces with a leading space."""

from __future__ import annotations

import unicodedata

import pytest
from sentencepiece import sentencepiece_model_pb2

from model.text.control_file import KOREAN_TEMPLATES
from model.text.endings import EndingFinder, is_ending_sequence
from model.text.languages import get_language
from model.text.normalise import normalise
from model.text.space_pieces import attach_spaces
from model.text.synthetic.korean.sentences import generate_pairs
from model.text.vocabulary import Vocabulary
from model.text.words import split_words


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    pairs = [pair for name in KOREAN_TEMPLATES for pair in generate_pairs(name.removesuffix("-ko"), 3000, seed=1)]
    nouns, endings = ("학교", "학교에서", "학생", "커피", "고양이", "톰"), ("에서", "에게", "는", "를", "도", "이다")
    return pairs + [(noun, noun + ending) for noun in nouns for ending in endings] * 20


@pytest.fixture(scope="module")
def vocabulary(pairs: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    korean = [target for _, target in pairs]
    finder = EndingFinder(get_language("ko"), korean)
    lines = [*map(finder.mark, korean), *(source for source, _ in pairs)]
    path = tmp_path_factory.mktemp("vocabulary") / "vocabulary.model"
    return Vocabulary.train(lines, 1900, path, symbols=["<polite>"], joined_spaces=200)


def split(vocabulary: Vocabulary, text: str) -> str:
    side = vocabulary.build_side(vocabulary.encode(normalise(text)), "ko")
    return "|".join(side.pieces[:-1]).replace("▁", " ").strip()


@pytest.mark.parametrize(("word", "parts"), [
    ("학생이다", "학생 이다"), ("학생입니다", "학생 입니다"), ("학교에서는", "학교 에서 는"), ("톰에게", "톰 에게"),
    ("갔습니다", "갔 습니다"), ("고양이", "고양이"), ("고양이를", "고양이 를"), ("공부합니다", "공부 합니다"),
    ("학생", "학생"), ("바다", "바다"), ("월요일에", "월요일 에"),
])  # fmt: skip
def test_endings_are_found(pairs: list[tuple[str, str]], word: str, parts: str) -> None:
    finder = EndingFinder(get_language("ko"), [target for _, target in pairs])
    assert finder.divide(word) == parts.split()
    assert finder.mark(f"{word}. {word}?") == "{0}. {0}?".format(parts.replace(" ", "\t"))


def test_a_language_without_endings_is_not_divided() -> None:
    assert EndingFinder(get_language("en"), ["students learn"]).mark("students learn") == "students learn"


def test_sequence_of_endings_may_be_long() -> None:
    endings = get_language("ko").endings
    assert is_ending_sequence("다고" * 100, endings)
    assert not is_ending_sequence("다고" * 100 + "뷁", endings)


def test_endings_are_tokens_in_either_unicode_form(vocabulary: Vocabulary) -> None:
    text = "나는 학생이다. 저는 학교에서 커피를"
    assert split(vocabulary, text) == "나|는| 학생|이다|.| 저|는| 학교|에서| 커피|를"
    assert split(vocabulary, unicodedata.normalize("NFD", text)) == split(vocabulary, text)
    side = vocabulary.build_side(vocabulary.encode(normalise("학생이다.")), "ko")
    assert (side.words, side.word_of) == (("학생이다", "."), (0, 0, 1, -1))  # the word (어절) has two tokens
    assert split_words("학생이다.", "ko") == [(0, 4), (4, 5)]


def test_a_space_is_seldom_a_token(vocabulary: Vocabulary, pairs: list[tuple[str, str]]) -> None:
    lines = [normalise(target) for _, target in pairs]
    pieces = [vocabulary.id_to_piece(index) for ids in vocabulary.encode_lines(lines) for index in ids]
    assert pieces.count("▁") < 0.02 * len(pieces)
    assert len(vocabulary) == 1900
    assert all(vocabulary.decode(vocabulary.encode(line)) == line for line in lines[:300])


def test_a_tag_is_one_token_and_one_word(vocabulary: Vocabulary) -> None:
    side = vocabulary.build_side(vocabulary.encode(normalise("<polite> I am a student.")), "en")
    assert side.pieces[:3] == ("▁<polite>", "▁I", "▁am")
    assert side.words[0] == "<polite>"
    assert side.text == "<polite> I am a student."


def test_no_piece_is_added_twice(vocabulary: Vocabulary) -> None:
    proto = sentencepiece_model_pb2.ModelProto.FromString(vocabulary.model_bytes)  # type: ignore[attr-defined]
    proto.pieces.add(piece="▁x", score=-99.0)  # so improbable that "▁" and "x" are better
    extended = Vocabulary(attach_spaces(proto.SerializeToString(), ["xyz", "x"], 5))
    pieces = [extended.id_to_piece(index) for index in range(len(extended))]
    assert pieces.count("▁x") == 1
