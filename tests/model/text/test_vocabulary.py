"""Tests of vocabularies: training, encoding, decoding, and the words and spans of tokens."""

import io
import math
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sentencepiece
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from model.text import vocabulary as vocabulary_module
from model.text.normalise import NormalisedText, normalise
from model.text.vocabulary import EOS, PAD, UNK, Vocabulary, VocabularyError
from model.text.words import split_words
from model.trace import Side
from tests.canonical import normalise_all
from tests.hostile import CASES

SETTINGS = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXTS = st.one_of(
    st.text("le chats.,'-\"?1é\u0301\u05e9\u0644\u1112\u1161\u11ab회😀👨‍👩\u2581<>/s\ufe0f\ufffd(", max_size=40),
    st.text(max_size=40),
)
LANGUAGES = st.sampled_from(["en", "fr"])


def join_pieces(pieces: list[str]) -> str:
    """Return the text of pieces from their names alone."""
    data = b""
    for piece in pieces:
        is_byte = len(piece) == 6 and piece.startswith("<0x")
        data += bytes([int(piece[3:5], 16)]) if is_byte else piece.replace("\u2581", " ").encode()
    return data.decode()


def list_word_pieces(side: Side, word: int) -> list[str]:
    return [piece for piece, number in zip(side.pieces, side.word_of, strict=True) if number == word]


def check_side(side: Side, ids: list[int], text: str) -> None:
    """Check text, words and pieces of a side independently of the code under test."""
    assert side.text == text
    assert len(side.pieces) == len(side.word_of) == len(ids)
    assert (side.pieces[-1], side.word_of[-1]) == ("</s>", -1)
    word_of = list(side.word_of[:-1])
    assert word_of == sorted(word_of)
    assert sorted(set(word_of)) == list(range(len(side.words)))
    assert join_pieces(list(side.pieces[:-1])).removeprefix(" ") == text
    for number, word in enumerate(side.words):
        assert join_pieces(list_word_pieces(side, number)).strip(" ") == word
    assert "".join(side.words) == text.replace(" ", "")


def check_spans(vocabulary: Vocabulary, ids: list[int], text: str) -> None:
    """Check that the spans of tokens are in order and cover everything but spaces."""
    spans = vocabulary.find_spans(ids)
    assert all(span is None for span, index in zip(spans, ids, strict=True) if index in (PAD, EOS))
    filled = [span for span in spans if span]
    assert all(0 <= start < end <= len(text) for start, end in filled)
    assert filled == sorted(filled)
    covered = {position for start, end in filled for position in range(start, end)}
    assert {position for position, character in enumerate(text) if character != " "} <= covered


# ---- Encoding and decoding -----------------------------------------------------------------------------------------


def test_special_pieces(tiny_vocabulary: Vocabulary) -> None:
    assert (PAD, EOS, UNK) == (0, 1, 2)
    assert len(tiny_vocabulary) == 400
    assert tiny_vocabulary.id_to_piece(EOS) == "</s>"
    assert tiny_vocabulary.encode(normalise("")) == [EOS]
    assert tiny_vocabulary.decode([PAD, EOS, PAD]) == ""
    ids = tiny_vocabulary.encode(normalise("</s> <pad> <unk> <0x41>"))  # plain text
    assert [index for index in ids if index in (PAD, EOS, UNK)] == [EOS]
    assert tiny_vocabulary.decode(ids) == "</s> <pad> <unk> <0x41>"


def test_bytes_belong_to_the_word_of_their_character(tiny_vocabulary: Vocabulary) -> None:
    ids = tiny_vocabulary.encode(normalise("a 회색 \U0001f600"))
    side = tiny_vocabulary.build_side(ids, "en")
    assert side.words == ("a", "회색", "\U0001f600")
    is_byte = [piece.startswith("<0x") for piece in side.pieces]
    assert [word for word, byte in zip(side.word_of, is_byte, strict=True) if byte] == [1] * 6 + [2] * 4
    spans = tiny_vocabulary.find_spans(ids)
    assert [span for span, byte in zip(spans, is_byte, strict=True) if byte] == [
        *[(2, 3)] * 3, *[(3, 4)] * 3, *[(5, 6)] * 4]  # fmt: skip
    check_side(side, ids, "a 회색 \U0001f600")


@SETTINGS
@given(TEXTS, LANGUAGES)
@example("\ufe0fa", "en")
@example("l'\"a\"", "fr")
@example("\U0010ffff \ufffe", "en")
def test_any_text_is_restored(tiny_vocabulary: Vocabulary, text: str, language: str) -> None:
    text = normalise(text)
    ids = tiny_vocabulary.encode(text)
    assert tiny_vocabulary.decode(ids) == text
    side = tiny_vocabulary.build_side(ids, language)
    check_side(side, ids, text)
    check_spans(tiny_vocabulary, ids, text)
    assert side.words == tuple(text[start:end] for start, end in split_words(text, language))


def test_segmentations_are_sampled_by_their_probability(tiny_vocabulary: Vocabulary) -> None:
    text, alpha, draws = "le chat", 0.4, 4000
    ids, random = tiny_vocabulary.encode(normalise(text)), np.random.default_rng(1)
    sampled = tiny_vocabulary.sample_segmentations([ids] * draws, random, alpha=alpha)
    assert {tiny_vocabulary.decode(segmentation) for segmentation in sampled} == {text}
    counts = Counter(map(tuple, sampled))
    processor = sentencepiece.SentencePieceProcessor(model_proto=tiny_vocabulary.model_bytes)
    weights = {ids: math.exp(alpha * sum(map(processor.GetScore, ids[:-1]))) for ids in counts}
    assert len(counts) > 5
    for segmentation, count in counts.items():
        share = weights[segmentation] / sum(weights.values())
        assert abs(count / draws - share) < 5 * math.sqrt(share * (1 - share) / draws) + 1e-3
    assert tiny_vocabulary.sample_segmentations([ids], random, alpha=1000) == [ids]


def test_hostile_text_is_restored(tiny_vocabulary: Vocabulary) -> None:
    for text in map(normalise, CASES.values()):
        ids = tiny_vocabulary.encode(text)
        side = tiny_vocabulary.build_side(ids, "fr")
        assert side.text == text
        if len(text) < 2000:
            check_side(side, ids, text)


@SETTINGS
@given(st.data(), LANGUAGES)
def test_any_output_has_words(tiny_vocabulary: Vocabulary, data: st.DataObject, language: str) -> None:
    """Also invalid UTF-8, control characters, repeated spaces and special tokens anywhere."""
    ids = data.draw(st.lists(st.integers(0, len(tiny_vocabulary) - 1) | st.sampled_from([PAD, EOS, UNK, 3 + 0x0A])))
    text = tiny_vocabulary.decode(ids)
    assert text == " ".join(text.split())
    assert not any(unicodedata.category(character) in ("Cc", "Cf") for character in text)
    check_spans(tiny_vocabulary, ids, text)
    side = tiny_vocabulary.build_side(ids, language)
    assert side.text == text
    assert side.pieces == tuple(tiny_vocabulary.id_to_piece(index) for index in ids if index != PAD)
    assert "".join(side.words) == text.replace(" ", "")
    word_of = [word for piece, word in zip(side.pieces, side.word_of, strict=True) if piece != "</s>"]
    assert word_of == sorted(word_of)
    assert -1 not in word_of or not side.words


def test_invalid_bytes_become_replacement_characters(tiny_vocabulary: Vocabulary) -> None:
    byte = {value: 3 + value for value in range(256)}
    assert tiny_vocabulary.id_to_piece(byte[0xF0]) == "<0xF0>"
    assert tiny_vocabulary.decode([byte[0xF0], byte[0x9F], byte[0x61]]) == "\ufffd\ufffda"
    assert tiny_vocabulary.decode([byte[0x61], byte[0x0A], byte[0x0D], byte[0x62], byte[0x00]]) == "a b"
    assert tiny_vocabulary.decode([byte[0xED], byte[0xA0], byte[0x80]]) == "\ufffd" * 3  # a surrogate


def test_space_token_belongs_to_the_next_word_or_the_last(tiny_vocabulary: Vocabulary) -> None:
    space, letter = tiny_vocabulary.encode(normalise("\U0001f600"))[0], tiny_vocabulary.encode(normalise("a"))[0]
    assert tiny_vocabulary.id_to_piece(space) == "\u2581"
    side = tiny_vocabulary.build_side([letter, space, space, letter, space, EOS], "en")
    assert (side.text, side.word_of) == ("a a", (0, 1, 1, 1, 1, -1))
    assert tiny_vocabulary.build_side([space, EOS], "en") == Side("", (), ("\u2581", "</s>"), (-1, -1))


# ---- Training ------------------------------------------------------------------------------------------------------


def train_foreign(**options: object) -> bytes:
    """Return a SentencePiece model that was not trained by `Vocabulary.train`."""
    model = io.BytesIO()
    defaults: dict[str, Any] = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1, "byte_fallback": True}
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(["le petit chat.", "un chat dort"] * 5), model_writer=model, vocab_size=290,
        normalization_rule_name="identity", hard_vocab_limit=False, minloglevel=2, **(defaults | options),
    )  # fmt: skip
    return model.getvalue()


def test_words_that_share_a_token_are_merged() -> None:
    vocabulary = Vocabulary(train_foreign(user_defined_symbols=["\u2581petit\u2581ch", "t.", ",\u2581un,"]))
    ids = vocabulary.encode(normalise("le petit chat. le chat, un, deux"))
    side = vocabulary.build_side(ids, "fr")
    assert side.words == ("le", "petit chat.", "le", "chat", ", un,", "deux")
    assert vocabulary.decode(ids) == side.text == "le petit chat. le chat, un, deux"


def test_no_trained_piece_crosses_a_word_boundary(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side.replace("'", "'\"") for pair in sentences for side in pair]
    assert sum("'\"" in line for line in lines) > 15  # frequent enough to become a piece
    vocabulary = Vocabulary.train(lines, 400, tmp_path / "v.model", alphabet="€ŁÐ")
    pieces = [vocabulary.id_to_piece(index) for index in range(3, len(vocabulary))]
    assert {"'", "€", "Ł", "Ð"} <= set(pieces)
    for piece in pieces:
        text = piece.replace("\u2581", " ").strip()
        if text and not piece.startswith("<0x"):
            assert len(split_words(text, "fr")) == len(split_words(text, "en")) == 1, piece
            assert len(text) == 1 or all(map(str.isalnum, text)) or not any(map(str.isalnum, text)), piece
            assert len(text) == 1 or "'" not in text, piece
    assert vocabulary.build_side(vocabulary.encode(normalise("l'\"arbre\"")), "fr").words == ("l'", '"', "arbre", '"')


@pytest.fixture(scope="module")
def word_vocabulary(sentences: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    lines = normalise_all(side for pair in sentences for side in pair)
    path = tmp_path_factory.mktemp("words") / "words.model"
    return Vocabulary.train(lines, 300, path, kind="word", joined_spaces=20)


def test_word_vocabulary_has_whole_words(word_vocabulary: Vocabulary) -> None:
    assert (len(word_vocabulary), word_vocabulary.kind) == (300, "word")  # of which no word needs a joined space
    ids = word_vocabulary.encode(normalise("The cat isn't zyzzyva, l'arbre."))
    assert [word_vocabulary.id_to_piece(index) for index in ids] == [
        "\u2581The", "\u2581cat", "\u2581isn't", "<unk>", ",", "\u2581l'", "\u2581arbre", ".", "</s>",
    ]  # fmt: skip
    side = word_vocabulary.build_side(ids, "fr")
    assert side.text == "The cat isn't UNK, l'arbre."
    assert side.words == ("The", "cat", "isn't", "UNK", ",", "l'", "arbre", ".")
    assert word_vocabulary.encode(normalise("zyzzyva qwx the")).count(UNK) == 2  # each word alone
    # U+FFED, which marks unusual spaces inside the model, becomes UNK in a text.
    assert word_vocabulary.decode(word_vocabulary.encode(normalise("The cat \uffed."))) == "The cat UNK"


def test_unknown_words_extend_a_word_vocabulary(word_vocabulary: Vocabulary) -> None:
    text = normalise("Zyzzyva's cat and l'Oulu, zyzzyva and Oulu.")
    words = word_vocabulary.find_unknown_words(text)
    assert words == ("Zyzzyva", "Oulu", "zyzzyva")
    ids = word_vocabulary.encode(text, words)
    assert [index - 300 for index in ids if index >= 300] == [0, 1, 2, 1]
    assert word_vocabulary.decode(ids, words) == text
    side = word_vocabulary.build_side(ids, "en", words)
    assert (side.text, side.words[0], side.pieces[:2]) == (text, "Zyzzyva's", ("\u2581Zyzzyva", "'s"))
    assert word_vocabulary.encode(normalise("Oulu Turku"), words) == [301, UNK, EOS]
    plain_ids, source = word_vocabulary.encode_side(text, "en")
    assert plain_ids == [UNK if index >= 300 else index for index in ids]
    assert (source.text, source.words, source.pieces[0]) == (text, side.words, "<unk>")
    assert word_vocabulary.decode([300, 301, 300], ["\uffed", "\uffed!"]) == "\uffed \uffed! \uffed"  # the mark itself


@SETTINGS
@given(st.text(alphabet="aB1 '\".,-()%sl\u00e9?", max_size=30).map(normalise))
def test_words_are_restored_with_their_spaces(text: NormalisedText) -> None:
    """Whatever the spaces, where every word with its spacing mark is in the vocabulary."""
    marked_words = [word for word, _ in vocabulary_module._split_marked_words(text)]
    vocabulary = object.__new__(Vocabulary)
    vocabulary.kind, vocabulary._words = "word", ["", "", "UNK", *marked_words]
    vocabulary._pieces = vocabulary._words
    assert vocabulary.decode(range(3, 3 + len(marked_words))) == text


# ---- Errors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [-1, 400])
def test_unknown_id_is_refused(tiny_vocabulary: Vocabulary, index: int) -> None:
    with pytest.raises(VocabularyError, match=f"piece {index} is not in this vocabulary of 400 pieces"):
        tiny_vocabulary.find_spans([index])


def test_invalid_model_is_refused(tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    for model in (b"", b"garbage", b"\x00" * 64):
        with pytest.raises(VocabularyError, match="not a SentencePiece model"):
            Vocabulary(model)
    piece = "▁le".encode()
    assert piece in tiny_vocabulary.model_bytes
    with pytest.raises(VocabularyError, match="a piece is not valid UTF-8"):
        Vocabulary(tiny_vocabulary.model_bytes.replace(piece, b"\xff" + piece[1:]))
    with pytest.raises(VocabularyError, match=r"pad, eos, unk, bos = \(-1, 2, 0, 1\)"):
        Vocabulary(train_foreign(pad_id=-1, eos_id=2, unk_id=0, bos_id=1))
    with pytest.raises(VocabularyError, match=r"none\.model cannot be read \(No such file"):
        Vocabulary.load(tmp_path / "none.model")


@pytest.mark.parametrize(
    ("lines", "size", "kind", "message"),
    [
        (["a cat"], 3, "unigram", "a vocabulary of 3 pieces is too small"),
        (["a cat"], 400, "unigram", "no vocabulary of 400 pieces can be trained"),
        (["a cat"], 300, "word", "no vocabulary of 300 pieces can be trained"),
        (["a cat"], 300, "bpe", "kind 'bpe' is not known"),
    ],
)
def test_impossible_training_is_refused(lines: list[str], size: int, kind: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match=message):
        Vocabulary.train(lines, size, tmp_path / "v.model", kind)
    assert not list(tmp_path.iterdir())
