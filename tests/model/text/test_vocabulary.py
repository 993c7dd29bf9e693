"""Pieces and words: nothing lost, order kept, every piece with its word, on any text and on any output."""

import io
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from model.text.normalise import normalise
from model.text.vocabulary import EOS, PAD, UNK, Vocabulary, VocabularyError
from model.text.words import split_words
from model.trace import Side
from tests.canonical import normalise_all
from tests.hostile import CASES

ANY = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXTS = st.one_of(
    st.text("le chats.,'-\"?1é\u0301\u05e9\u0644\u1112\u1161\u11ab회😀👨‍👩\u2581<>/s\ufe0f\ufffd(", max_size=40),
    st.text(max_size=40),
)
LANGUAGES = st.sampled_from(["en", "fr"])


def spelt(pieces: list[str]) -> str:
    """What pieces spell, worked out from their names alone."""
    surface = b""
    for piece in pieces:
        is_byte = len(piece) == 6 and piece.startswith("<0x")
        surface += bytes([int(piece[3:5], 16)]) if is_byte else piece.replace("\u2581", " ").encode()
    return surface.decode()


def check_side(side: Side, ids: list[int], text: str) -> None:
    """Everything that must hold between a text and its words and pieces, told without the code under test."""
    assert side.text == text
    assert len(side.pieces) == len(side.word_of) == len(ids)
    assert [word for word in side.word_of if word == -1] == [-1]
    assert (side.pieces[-1], side.word_of[-1]) == ("</s>", -1)
    owners = side.word_of[:-1]
    assert list(owners) == sorted(owners)
    assert sorted(set(owners)) == list(range(len(side.words)))
    assert spelt(list(side.pieces[:-1])).removeprefix(" ") == text, "a piece is lost or out of order"
    for number, word in enumerate(side.words):
        own = [piece for piece, owner in zip(side.pieces, side.word_of, strict=True) if owner == number]
        assert spelt(own).strip(" ") == word, "a word is not what its pieces spell"
    assert "".join(side.words) == text.replace(" ", "")


def test_special_pieces(tiny_vocabulary: Vocabulary) -> None:
    assert (PAD, EOS, UNK) == (0, 1, 2)
    assert len(tiny_vocabulary) == 400
    assert tiny_vocabulary.id_to_piece(EOS) == "</s>"
    assert tiny_vocabulary.encode(normalise("")) == [EOS]
    assert tiny_vocabulary.decode([PAD, EOS, PAD]) == ""


def test_a_sentence_of_the_training_text(tiny_vocabulary: Vocabulary) -> None:
    ids = tiny_vocabulary.encode(normalise("Le chat n'est pas l'oiseau."))
    assert ids.index(EOS) == len(ids) - 1
    assert UNK not in ids
    side = tiny_vocabulary.build_side(ids, "fr")
    assert side.words == ("Le", "chat", "n'", "est", "pas", "l'", "oiseau", ".")
    check_side(side, ids, "Le chat n'est pas l'oiseau.")
    english = tiny_vocabulary.build_side(tiny_vocabulary.encode(normalise("It isn't o'clock.")), "en")
    assert english.words == ("It", "isn't", "o'clock", ".")


def test_text_that_looks_like_special_pieces_is_text(tiny_vocabulary: Vocabulary) -> None:
    ids = tiny_vocabulary.encode(normalise("</s> <pad> <unk> <0x41>"))
    assert [index for index in ids if index in (PAD, EOS, UNK)] == [EOS]
    assert tiny_vocabulary.decode(ids) == "</s> <pad> <unk> <0x41>"


def test_the_bytes_of_a_character_belong_to_its_word(tiny_vocabulary: Vocabulary) -> None:
    ids = tiny_vocabulary.encode(normalise("a 회색 \U0001f600"))
    side = tiny_vocabulary.build_side(ids, "en")
    assert side.words == ("a", "회색", "\U0001f600")
    owners = [owner for piece, owner in zip(side.pieces, side.word_of, strict=True) if piece.startswith("<0x")]
    assert owners == [1] * 6 + [2] * 4
    check_side(side, ids, "a 회색 \U0001f600")


@ANY
@given(TEXTS, LANGUAGES)
@example("\ufe0fa", "en")
@example("l'\"a\"", "fr")
@example("\U0010ffff \ufffe", "en")
def test_any_text_there_and_back(tiny_vocabulary: Vocabulary, text: str, language: str) -> None:
    text = normalise(text)
    ids = tiny_vocabulary.encode(text)
    assert tiny_vocabulary.decode(ids) == text
    side = tiny_vocabulary.build_side(ids, language)
    check_side(side, ids, text)
    assert side.words == tuple(text[start:end] for start, end in split_words(text, language))


@pytest.mark.parametrize("name", CASES)
def test_hostile_input_there_and_back_in_no_time(tiny_vocabulary: Vocabulary, name: str) -> None:
    text = normalise(CASES[name])
    start = time.thread_time()
    ids = tiny_vocabulary.encode(text)
    side = tiny_vocabulary.build_side(ids, "fr")
    assert time.thread_time() - start < 2
    if len(text) < 2000:
        check_side(side, ids, text)
    else:
        assert side.text == text


@ANY
@given(st.data(), LANGUAGES)
def test_any_output_has_words(tiny_vocabulary: Vocabulary, data: st.DataObject, language: str) -> None:
    """Any ids at all: broken UTF-8, control characters, spaces in a row, specials in the middle."""
    ids = data.draw(st.lists(st.integers(0, len(tiny_vocabulary) - 1) | st.sampled_from([PAD, EOS, UNK, 3 + 0x0A])))
    text = tiny_vocabulary.decode(ids)
    assert text == " ".join(text.split())
    assert not any(unicodedata.category(character) in ("Cc", "Cf") for character in text)
    side = tiny_vocabulary.build_side(ids, language)
    assert side.text == text
    assert side.pieces == tuple(tiny_vocabulary.id_to_piece(index) for index in ids if index != PAD)
    assert "".join(side.words) == text.replace(" ", "")
    shown = [owner for piece, owner in zip(side.pieces, side.word_of, strict=True) if piece != "</s>"]
    assert shown == sorted(shown)
    assert -1 not in shown or not side.words


def test_broken_bytes_become_replacement_characters(tiny_vocabulary: Vocabulary) -> None:
    byte = {value: 3 + value for value in range(256)}
    assert tiny_vocabulary.id_to_piece(byte[0xF0]) == "<0xF0>"
    assert tiny_vocabulary.decode([byte[0xF0], byte[0x9F], byte[0x61]]) == "\ufffd\ufffda"
    assert tiny_vocabulary.decode([byte[0x61], byte[0x0A], byte[0x0D], byte[0x62], byte[0x00]]) == "a b"
    assert tiny_vocabulary.decode([byte[0xED], byte[0xA0], byte[0x80]]) == "\ufffd" * 3  # a surrogate, spelt


def test_a_piece_of_spaces_alone_goes_with_the_next_word_or_the_last(tiny_vocabulary: Vocabulary) -> None:
    space, letter = tiny_vocabulary.encode(normalise("\U0001f600"))[0], tiny_vocabulary.encode(normalise("a"))[0]
    assert tiny_vocabulary.id_to_piece(space) == "\u2581"
    side = tiny_vocabulary.build_side([letter, space, space, letter, space, EOS], "en")
    assert (side.text, side.word_of) == ("a a", (0, 1, 1, 1, 1, -1))
    assert tiny_vocabulary.build_side([space, EOS], "en") == Side("", (), ("\u2581", "</s>"), (-1, -1))


def test_no_piece_reaches_over_the_end_of_a_word(tiny_vocabulary: Vocabulary) -> None:
    for index in range(3, len(tiny_vocabulary)):
        piece = tiny_vocabulary.id_to_piece(index)
        text = piece.replace("\u2581", " ").strip()
        if text and not piece.startswith("<0x"):
            assert len(split_words(text, "fr")) == len(split_words(text, "en")) == 1, piece
            assert len(text) == 1 or all(map(str.isalnum, text)) or not any(map(str.isalnum, text)), piece
            assert len(text) == 1 or "'" not in text, piece


def test_an_apostrophe_joins_no_other_sign(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side.replace("'", "'\"") for pair in sentences for side in pair]
    assert sum("'\"" in line for line in lines) > 15, "enough for a piece, were it allowed"
    vocabulary = Vocabulary.train(lines, 400, tmp_path / "v.model")
    pieces = [vocabulary.id_to_piece(index) for index in range(len(vocabulary))]
    assert "'" in pieces
    assert not any("'" in piece.strip("\u2581'") or piece.count("'") > 1 for piece in pieces)
    assert vocabulary.build_side(vocabulary.encode(normalise("l'\"arbre\"")), "fr").words == ("l'", '"', "arbre", '"')


def foreign(**options: object) -> bytes:
    """A SentencePiece model made by other hands."""
    model = io.BytesIO()
    settings: dict[str, Any] = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1, "byte_fallback": True}
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(["le petit chat.", "un chat dort"] * 5), model_writer=model, vocab_size=290,
        normalization_rule_name="identity", hard_vocab_limit=False, minloglevel=2, **(settings | options),
    )  # fmt: skip
    return model.getvalue()


def test_words_that_share_a_piece_are_shown_as_one() -> None:
    vocabulary = Vocabulary(foreign(user_defined_symbols=["\u2581petit\u2581ch", "t.", ",\u2581un,"]))
    ids = vocabulary.encode(normalise("le petit chat. le chat, un, deux"))
    side = vocabulary.build_side(ids, "fr")
    assert side.words == ("le", "petit chat.", "le", "chat", ", un,", "deux")
    assert vocabulary.decode(ids) == side.text == "le petit chat. le chat, un, deux"
    for number, word in enumerate(side.words):
        own = [piece for piece, owner in zip(side.pieces, side.word_of, strict=True) if owner == number]
        assert spelt(own).strip(" ") == word


def test_word_vocabulary(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side for pair in sentences for side in pair]
    vocabulary = Vocabulary.train(lines, 300, tmp_path / "words.model", kind="word")
    assert (len(vocabulary), vocabulary.kind) == (300, "word")
    ids = vocabulary.encode(normalise("The cat isn't zyzzyva, l'arbre."))
    assert [vocabulary.id_to_piece(index) for index in ids] == [
        "\u2581The", "\u2581cat", "\u2581isn't", "<unk>", ",", "\u2581l'", "arbre", ".", "</s>",
    ]  # fmt: skip
    side = vocabulary.build_side(ids, "fr")
    assert side.text == "The cat isn't UNK, l'arbre."
    assert side.words == ("The", "cat", "isn't", "UNK", ",", "l'", "arbre", ".")
    # The mark that stands for "no space" inside the model cannot be typed.
    assert vocabulary.decode(vocabulary.encode(normalise("The cat \uffed."))) == "The cat UNK"
    known = 0
    for line in lines:
        ids = vocabulary.encode(normalise(line))
        if UNK not in ids:
            assert vocabulary.decode(ids) == line
            check_side(vocabulary.build_side(ids, "fr"), ids, line)
            known += 1
    assert known > 20


def test_written_and_read_again(tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    tiny_vocabulary.save(tmp_path / "new" / "v.model")
    again = Vocabulary.load(tmp_path / "new" / "v.model")
    assert again.encode(normalise("Le chat dort.")) == tiny_vocabulary.encode(normalise("Le chat dort."))
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["v.model"]


def test_lines_are_encoded_as_one_by_one(tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]]) -> None:
    lines = normalise_all([*(source for source, _ in sentences), ""])
    assert tiny_vocabulary.encode_lines(lines, threads=2) == [tiny_vocabulary.encode(line) for line in lines]


def test_training_is_repeatable(sentences: list[tuple[str, str]], tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    again = Vocabulary.train([side for pair in sentences for side in pair], 400, tmp_path / "v.model")
    assert again.model_bytes == tiny_vocabulary.model_bytes


def test_the_alphabet_is_in_the_vocabulary(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side for pair in sentences for side in pair]
    vocabulary = Vocabulary.train(lines, 400, tmp_path / "v.model", alphabet="€ŁÐ")
    assert [vocabulary.id_to_piece(index) for index in vocabulary.encode(normalise("€ŁÐ"))][-4:-1] == ["€", "Ł", "Ð"]


@pytest.mark.parametrize("index", [-1, 400, 10**9])
def test_ids_outside_the_vocabulary_are_refused(tiny_vocabulary: Vocabulary, index: int) -> None:
    for reader in (tiny_vocabulary.id_to_piece, lambda wrong: tiny_vocabulary.decode([wrong])):
        with pytest.raises(VocabularyError, match=f"piece {index} is not in this vocabulary of 400 pieces"):
            reader(index)


@pytest.mark.parametrize("model", [b"", b"garbage", b"\x00" * 64])
def test_files_that_are_no_vocabulary_are_refused(model: bytes, tmp_path: Path) -> None:
    path = tmp_path / "v.model"
    path.write_bytes(model)
    with pytest.raises(VocabularyError, match="not a SentencePiece model"):
        Vocabulary.load(path)


def test_a_vocabulary_with_a_damaged_piece_is_refused(tiny_vocabulary: Vocabulary) -> None:
    piece = "▁le".encode()
    assert piece in tiny_vocabulary.model_bytes
    with pytest.raises(VocabularyError, match="a piece of it is no text"):
        Vocabulary(tiny_vocabulary.model_bytes.replace(piece, b"\xff" + piece[1:]))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match=r"none\.model cannot be read \(No such file"):
        Vocabulary.load(tmp_path / "none.model")


def test_other_special_ids_are_refused() -> None:
    with pytest.raises(VocabularyError, match=r"pad, eos, unk, bos = \(-1, 2, 0, 1\)"):
        Vocabulary(foreign(pad_id=-1, eos_id=2, unk_id=0, bos_id=1))


@pytest.mark.parametrize(
    ("lines", "size", "kind", "message"),
    [
        (["a cat"], 3, "unigram", "a vocabulary of 3 pieces is too small"),
        (["a cat"], 400, "unigram", "no vocabulary of 400 pieces can be made"),
        (["a cat"], 100, "unigram", "no vocabulary of 100 pieces can be made"),
        ([], 300, "unigram", "no vocabulary of 300 pieces can be made"),
        (["a cat"], 300, "word", "no vocabulary of 300 pieces can be made"),
        (["a cat"], 300, "bpe", "kind 'bpe' is not known"),
    ],
)
def test_training_that_cannot_succeed_is_refused(
    lines: list[str], size: int, kind: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(VocabularyError, match=message):
        Vocabulary.train(lines, size, tmp_path / "v.model", kind)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
