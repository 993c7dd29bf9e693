"""A word's vector against the encoder run by hand, neighbours against brute force, and the shipped sentences."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from model.analysis.probing.annotations import (
    NEIGHBOURS,
    build_word_bank,
    encode_words,
    find_marked_word,
    find_nearest,
    locate_words,
)
from model.analysis.probing.senses import SenseExample, load_examples
from model.analysis.probing.similarity import VectorError
from model.decoding import SearchStopped
from model.decoding.translate import SentenceError, prepare
from model.networks import registry, seq2seq
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from tests.hostile import CASES

TEXT = normalise("The old dog runs in the garden.")
FEW = tuple(SenseExample(word, sense, normalise(text)) for word, sense, text in (
    ("dog", "one", "The dog runs."), ("dog", "two", "A dog sleeps in the garden, and the cat sleeps."),
    ("cat", "one", "The cat sleeps."), ("cat", "one", "I see the old cat."),
))  # fmt: skip


def _network(name: str, vocabulary: int) -> torch.nn.Module:
    if name.startswith("seq2seq"):
        return registry.find_kind("seq2seq").build(
            seq2seq.Seq2SeqConfig("seq2seq", vocabulary, 6, 6, 2, name == "seq2seq")
        )
    return build_network(RNNsearchConfig(name, vocabulary, 6, 6, 6, 4))


@pytest.fixture(params=["rnnsearch", "rnnencdec", "seq2seq", "seq2seq, forwards"])
def model(request: pytest.FixtureRequest, tiny_vocabulary: Vocabulary) -> SimpleNamespace:
    torch.manual_seed(3)
    network = _network(request.param, len(tiny_vocabulary)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0, 0.9)
    return SimpleNamespace(name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network,
                           languages=("en", "fr"))


@pytest.mark.verdict
def test_a_word_has_the_mean_of_its_annotations_or_the_state_after_it(model: SimpleNamespace) -> None:
    texts = [TEXT, FEW[1].text, FEW[0].text]
    for text, (side, values) in zip(texts, encode_words(model, texts), strict=True):
        sentence = prepare(model, text)
        with torch.no_grad():
            _, h = model.network.annotate(torch.tensor([sentence.ids]))
        assert side == sentence.side
        assert len(values) == len(side.words)
        for word, value in enumerate(values):
            places = [place for place, of in enumerate(side.word_of) if of == word]
            last = min(places) if getattr(model.network.config, "reverse", False) else max(places)
            own = h[0, places].mean(0) if model.network.maps else h[0, last]
            np.testing.assert_allclose(value, own.numpy(), atol=1e-12)


def test_neighbours_are_the_greatest_cosines_and_nothing_is_near_itself(model: SimpleNamespace) -> None:
    among = build_word_bank(model, examples=FEW)
    assert [among.sides[place.sentence].words[place.word] for place in among.positions[:3]] == ["The", "dog", "runs"]
    assert all(any(letter.isalnum() for letter in among.sides[one.sentence].words[one.word]) for one in among.positions)
    found = locate_words(model, among, TEXT)
    ((_, values),) = encode_words(model, [TEXT])
    for value, listed in zip(values, found.neighbours, strict=True):
        by_hand = [float(value @ other / np.linalg.norm(value) / np.linalg.norm(other)) for other in among.vectors]
        assert [cosine for _, cosine in listed] == pytest.approx(sorted(by_hand, reverse=True)[:NEIGHBOURS])
        assert [by_hand[number] for number, _ in listed] == pytest.approx([cosine for _, cosine in listed])
    np.testing.assert_allclose(found.points, among.plane.project(values))
    for number, listed in enumerate(find_nearest(among, among.vectors, exclude_self=True)):
        assert number not in [other for other, _ in listed]
        assert len(listed) == NEIGHBOURS


def test_a_sentence_of_the_bank_lies_where_it_lies_there(model: SimpleNamespace) -> None:
    among = build_word_bank(model, examples=FEW)
    found = locate_words(model, among, FEW[0].text)
    assert [listed[0][0] for listed in found.neighbours[:3]] == [0, 1, 2]
    assert found.neighbours[0][0][1] == pytest.approx(1)


def test_meanings_are_counted_word_by_word(model: SimpleNamespace) -> None:
    told = {one.word: one for one in build_word_bank(model, examples=FEW).separations}
    assert (told["dog"].same_sense, told["dog"].count, told["dog"].expected_by_chance) == (0, 2, 0)
    assert (told["cat"].same_sense, told["cat"].count, told["cat"].expected_by_chance) == (2, 2, 2)


def test_what_cannot_be_looked_at_is_one_sentence(model: SimpleNamespace) -> None:
    with pytest.raises(VectorError, match="does not read English"):
        build_word_bank(SimpleNamespace(**{**vars(model), "languages": ("fr", "en")}))
    silent = SimpleNamespace(**{**vars(model), "network": SimpleNamespace(maps=())})
    with pytest.raises(VectorError, match="choose another model"):
        build_word_bank(silent)
    with pytest.raises(SentenceError):
        locate_words(model, build_word_bank(model, examples=FEW), normalise(" "))
    with pytest.raises(SearchStopped):
        encode_words(model, [TEXT], lambda: True)


def test_the_shipped_sentences_have_each_meaning_several_times(model: SimpleNamespace) -> None:
    found = load_examples()
    assert 60 <= len(found) <= 80
    assert len({one.text for one in found}) == len(found)
    meanings = Counter((one.word, one.sense) for one in found)
    assert {"bank", "spring", "light", "match", "right", "letter", "table"} <= {word for word, _ in meanings}
    assert min(meanings.values()) >= 3
    assert min(Counter(word for word, _ in meanings).values()) >= 2
    for one in found:
        side = prepare(model, one.text).side
        assert one.text.casefold().replace(".", "").replace(",", "").split().count(one.word) == 1
        assert (place := find_marked_word(one, side)) is not None
        assert side.words[place].casefold() == one.word


@pytest.mark.parametrize("text", CASES.values())
def test_whatever_is_typed_has_its_vectors_or_one_sentence(model: SimpleNamespace, text: str) -> None:
    clean = normalise(text[:400])
    try:
        found = locate_words(model, build_word_bank(model, examples=FEW), clean)
    except SentenceError:
        return
    assert len(found.points) == len(found.neighbours) == len(found.side.words)
    assert np.isfinite(found.points).all()
    assert all(np.isfinite(cosine) for some in found.neighbours for _, cosine in some)
