"""Which characters each piece spells, for texts and for whatever a network may write."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.text.normalise import normalise
from model.text.vocabulary import EOS, PAD, Vocabulary, VocabularyError
from tests.hostile import CASES

ANY = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_each_piece_has_its_characters(tiny_vocabulary: Vocabulary) -> None:
    ids = tiny_vocabulary.encode(normalise("A cat 회!"))
    spans = tiny_vocabulary.find_spans(ids)
    text = tiny_vocabulary.decode(ids)
    byte_pieces = [index for index, piece in enumerate(ids) if tiny_vocabulary.id_to_piece(piece).startswith("<0x")]
    assert len(byte_pieces) == 3  # one Korean letter in UTF-8
    assert {spans[index] for index in byte_pieces} == {(6, 7)}
    assert spans[-1] is None  # </s>
    whole = [span for index, span in enumerate(spans) if span and index not in byte_pieces]
    assert "".join(text[start:end] for start, end in whole).replace(" ", "") == "Acat!"


@given(st.one_of(st.sampled_from(list(CASES.values())), st.text(max_size=40)))
@ANY
def test_every_character_but_spaces_is_spelt_in_order(tiny_vocabulary: Vocabulary, text: str) -> None:
    text = normalise(text[:2000])
    ids = tiny_vocabulary.encode(text)
    spans = [span for span in tiny_vocabulary.find_spans(ids) if span]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    covered = {position for start, end in spans for position in range(start, end)}
    assert {position for position, character in enumerate(text) if character != " "} <= covered


@given(st.lists(st.integers(0, 399), max_size=30))
@ANY
def test_one_entry_a_piece_whatever_is_written(tiny_vocabulary: Vocabulary, ids: list[int]) -> None:
    spans = tiny_vocabulary.find_spans(ids)
    assert len(spans) == len(ids)
    assert all(span is None for span, index in zip(spans, ids, strict=True) if index in (PAD, EOS))


def test_an_id_outside_is_refused(tiny_vocabulary: Vocabulary) -> None:
    with pytest.raises(VocabularyError):
        tiny_vocabulary.find_spans([400])
