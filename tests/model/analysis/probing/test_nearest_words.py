"""Compare word vectors with the encoder run by hand, and neighbours with brute force; check the shipped sentences."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from model.analysis.probing.nearest_words import (
    NEIGHBOURS,
    build_word_bank,
    find_ambiguous_word,
    find_nearest,
    locate_words,
)
from model.analysis.probing.senses import SenseExample, load_examples
from model.analysis.probing.similarity import SenseSeparation, VectorError
from model.analysis.probing.word_vectors import encode_words
from model.decoding import SearchStopped
from model.decoding.translate import prepare_source
from model.text.normalise import normalise

TEXT = normalise("The old dog runs in the garden.")
EXAMPLES = tuple(SenseExample(word, sense, normalise(text)) for word, sense, text in (
    ("dog", "one", "The dog runs."), ("dog", "two", "A dog sleeps in the garden, and the cat sleeps."),
    ("cat", "one", "The cat sleeps."), ("cat", "one", "I see the old cat."),
))  # fmt: skip


@pytest.mark.verdict
def test_a_word_vector_is_the_mean_encoder_output_or_the_state_after_the_word(model: SimpleNamespace) -> None:
    texts = [TEXT, EXAMPLES[1].text, EXAMPLES[0].text]
    for text, (side, values) in zip(texts, encode_words(model, texts), strict=True):
        sentence = prepare_source(model, text)
        with torch.no_grad():
            _, h = model.network.annotate(torch.tensor([sentence.ids]))
        assert side == sentence.side
        assert len(values) == len(side.words)
        for word, value in enumerate(values):
            tokens = [token for token, owner in enumerate(side.word_of) if owner == word]
            last = min(tokens) if getattr(model.network.config, "reverse", False) else max(tokens)
            expected = h[0, tokens].mean(0) if model.network.maps else h[0, last]
            np.testing.assert_allclose(value, expected.numpy(), atol=1e-12)


def test_neighbours_have_the_largest_cosines_and_exclude_the_word_itself(model: SimpleNamespace) -> None:
    bank = build_word_bank(model, examples=EXAMPLES)
    words = [bank.sides[place.sentence].words[place.word] for place in bank.positions]
    assert words[:3] == ["The", "dog", "runs"]
    assert "." not in words
    result = locate_words(model, bank, TEXT)
    ((_, values),) = encode_words(model, [TEXT])
    for value, neighbours in zip(values, result.neighbours, strict=True):
        by_hand = [float(value @ vector / np.linalg.norm(value) / np.linalg.norm(vector)) for vector in bank.vectors]
        assert [cosine for _, cosine in neighbours] == pytest.approx(sorted(by_hand, reverse=True)[:NEIGHBOURS])
        assert [by_hand[index] for index, _ in neighbours] == pytest.approx([cosine for _, cosine in neighbours])
    np.testing.assert_allclose(result.points, bank.plane.project(values))
    for index, neighbours in enumerate(find_nearest(bank, bank.vectors, exclude_self=True)):
        assert index not in [other for other, _ in neighbours]
        assert len(neighbours) == NEIGHBOURS
    assert bank.separations == (SenseSeparation("dog", 0, 2, 0), SenseSeparation("cat", 2, 2, 2))


@pytest.mark.parametrize("model", ["rnnsearch"], indirect=True)
def test_models_and_sentences_without_vectors_are_refused(model: SimpleNamespace) -> None:
    with pytest.raises(VectorError, match="does not read English"):
        build_word_bank(SimpleNamespace(**{**vars(model), "languages": ("fr", "en")}))
    opaque = SimpleNamespace(**{**vars(model), "network": SimpleNamespace(maps=())})
    with pytest.raises(VectorError, match="choose another model"):
        build_word_bank(opaque)
    with pytest.raises(SearchStopped):
        encode_words(model, [TEXT], lambda: True)


@pytest.mark.parametrize("model", ["rnnsearch"], indirect=True)
def test_the_shipped_sentences_have_each_meaning_several_times(model: SimpleNamespace) -> None:
    result = load_examples()
    assert len({example.text for example in result}) == len(result)
    meanings = Counter((example.word, example.sense) for example in result)
    assert min(meanings.values()) >= 3
    assert min(Counter(word for word, _ in meanings).values()) >= 2
    for example in result:
        side = prepare_source(model, example.text).side
        assert example.text.casefold().replace(".", "").replace(",", "").split().count(example.word) == 1
        assert (index := find_ambiguous_word(example, side)) is not None
        assert side.words[index].casefold() == example.word
