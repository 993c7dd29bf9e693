"""Check alignments on scripted attention, over words and over a file's tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.analysis.alignment.alignment import (
    TOKEN_FORMS,
    Alignment,
    AlignmentError,
    align,
    build_token_membership,
    map_characters_to_tokens,
    pool_to_tokens,
    render_pair,
)
from model.analysis.alignment.hand_aligned import parse_pair
from model.decoding.forced_decoding import build_forced_trace
from model.decoding.translate import SentenceError
from model.text.normalise import normalise
from model.text.symbols import split_symbols
from model.text.vocabulary import UNK, Vocabulary
from tests.hostile import CASES
from tests.model.analysis.alignment.test_alignment_error import build_attending_model
from tests.model.analysis.scripted import build_random_model, build_scripted_model

PAIR = ("The grey cat sleeps.", "Le chat gris dort.")
ODD = "a é'’`\"«»?!: \u0301\u200b\u2014\u3000\x1c회."


def test_each_target_word_is_linked_to_its_largest_weight(tiny_vocabulary: Vocabulary) -> None:
    pair = parse_pair("The grey cat sleeps . ||| Le chat gris dort .", "1-1")
    model = build_attending_model(tiny_vocabulary, pair, [0, 2, 1, 3, -1])
    result = next(align(model, [PAIR]))
    assert result.source == ("The", "grey", "cat", "sleeps", ".")
    assert result.target == ("Le", "chat", "gris", "dort", ".")
    assert result.links == ((0, 0), (2, 1), (1, 2), (3, 3))  # the full stop attends to the end: no link
    assert result.format_pharaoh() == "0-0 2-1 1-2 3-3"
    word_of = tiny_vocabulary.build_side(tiny_vocabulary.encode(normalise(PAIR[0])), "en").word_of
    assert result.weights[1].tolist() == pytest.approx(
        [0.1 / len(word_of) * word_of.count(word) + (0.9 if word == 2 else 0) for word in (0, 1, 2, 3, 4, -1)],
        abs=1e-6)


def test_alignments_come_lazily_and_in_order(tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]]) -> None:
    model = build_random_model(tiny_vocabulary)
    pairs = [*sentences[:4], ("", "Rien."), ("Nothing.", " "), *sentences[4:7]]
    unread = iter(pairs)
    alignments = align(model, unread, batch_size=2)
    result = [next(alignments)]
    assert next(unread) == pairs[2]  # the first batch alone is read
    result += align(model, pairs[1:], batch_size=2)
    for alignment, (source, target) in zip(result, pairs, strict=True):
        if not source.strip() or not target.strip():
            assert (alignment.links, alignment.format_pharaoh(), alignment.to_json()) == ((), "", "null")
        else:
            single_trace = build_forced_trace(model, normalise(source), normalise(target))
            expected = single_trace.compute_word_map_with_end("attention")
            np.testing.assert_allclose(alignment.weights, expected, atol=1e-6)


def test_a_model_without_attention_and_a_too_long_pair_are_refused(tiny_vocabulary: Vocabulary) -> None:
    with pytest.raises(AlignmentError, match="scripted has no attention, so that it aligns nothing: choose"):
        align(build_random_model(tiny_vocabulary, "rnnencdec"), iter([PAIR]))
    alignments = align(build_scripted_model(tiny_vocabulary, {}), [PAIR, ("a " * 600, "a")])
    assert next(alignments).target[0] == "Le"
    with pytest.raises(SentenceError, match="Sentence 2 has"):
        next(alignments)


def test_a_model_token_over_several_tokens_is_shared() -> None:
    """Three model tokens a side, the last "</s>"; the first touches two file tokens, the third file token has none."""
    weights = np.array([[0.6, 0.3, 0.1], [0.2, 0.4, 0.4], [0.0, 0.0, 1.0]])
    touched = np.array([[1.0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]])
    result = pool_to_tokens(weights, touched, touched)
    assert result == pytest.approx(np.array([
        [0.3, 0.3 + 0.3, 0.0, 0.1],
        [(0.3 + 0.1) / 2, (0.6 + 0.5) / 2, 0.0, (0.1 + 0.4) / 2],
        [0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]))
    assert Alignment(("a", "b", "c"), ("d", "e", "f"), result, None, True).format_pharaoh() == "1-0 1-1"


@pytest.mark.parametrize(("line", "expected"), [
    ("« Oui » !", "011123"),
    ("vingt \u2014 deux", "00000 1 2222"),
    ("a \u200b b", "0 2"),
    ("e \u200b\u0301 t", "0 1 2"),
])  # fmt: skip
def test_characters_map_to_their_tokens(line: str, expected: str) -> None:
    numbers = map_characters_to_tokens(line.split(), normalise(line))
    assert numbers == [-1 if sign == " " else int(sign) for sign in expected]


@given(st.one_of(st.sampled_from(list(CASES.values())), st.text(ODD, max_size=30)))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_line_maps_to_its_tokens_in_order(tiny_vocabulary: Vocabulary, line: str) -> None:
    line = line[:300]
    text = normalise(line)
    if not text:
        return
    tokens = line.split()
    numbers = map_characters_to_tokens(tokens, text)
    assert [number == -1 for number in numbers] == [character == " " for character in text]
    token_numbers = [number for number in numbers if number >= 0]
    assert token_numbers == sorted(token_numbers)
    assert all(number < len(tokens) for number in token_numbers)
    for token_form in TOKEN_FORMS:
        for side in render_pair(tokens, tokens, token_form):
            touched = build_token_membership(side, len(tokens), tiny_vocabulary)
            bare, symbols = split_symbols(normalise(side.text), tiny_vocabulary)
            assert touched.shape == (len(tokens) + 1, len(tiny_vocabulary.encode(bare)))
            assert (touched.sum(axis=0) >= 1).all()
            assert touched[-1].tolist() == [0.0] * (touched.shape[1] - 1) + [1.0]
            assert symbols or set(np.flatnonzero(touched[:-1].any(axis=1))) >= set(token_numbers)


def test_unknown_words_of_a_word_vocabulary_are_tokens(sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side for pair in sentences for side in pair]
    vocabulary = Vocabulary.train(lines, 100, tmp_path / "vocabulary.model", kind="word")
    assert vocabulary.encode(normalise("Le zébu xyz dort.")).count(UNK) == 3
    side = render_pair([], ["Le", "zébu", "xyz", "dort", "."], "written")[1]
    assert build_token_membership(side, 5, vocabulary).tolist() == np.eye(6).tolist()
    known_membership = build_token_membership(render_pair([], ["Le", "chat"], "written")[1], 2, vocabulary)
    assert known_membership.tolist() == np.eye(3).tolist()
