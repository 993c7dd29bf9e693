"""The nearest words of a sentence's words among the shipped example sentences, by word vectors from the encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.probing.senses import LANGUAGE, SenseExample, load_examples
from model.analysis.probing.similarity import (
    PrincipalPlane,
    SenseSeparation,
    VectorError,
    compute_cosine_similarities,
    measure_separation,
)
from model.decoding.stop_callback import StopCallback
from model.decoding.translate import TranslationModel
from model.text.normalise import NormalisedText
from model.text.words import is_word
from model.trace import Side

Array = NDArray[np.float64]

NEIGHBOURS = 10


@dataclass(frozen=True)
class WordPosition:
    """A word of the example sentences: the index of the sentence, and of the word in it."""

    sentence: int
    word: int


@dataclass(frozen=True, eq=False)
class WordBank:
    """One model's vectors of all words in the example sentences, without punctuation.

    Attributes:
        examples: the sentences.
        sides: the sentences as the model tokenises them.
        positions: where each word of the bank stands.
        vectors: (words in the bank, units).
        plane: the principal plane of the vectors.
        separations: for each ambiguous word how well its meanings separate.
    """

    examples: tuple[SenseExample, ...]
    sides: tuple[Side, ...]
    positions: tuple[WordPosition, ...]
    vectors: Array
    plane: PrincipalPlane
    separations: tuple[SenseSeparation, ...]


@dataclass(frozen=True, eq=False)
class NearestWords:
    """The words of a sentence among those of a bank.

    Attributes:
        side: the sentence as the model tokenises it.
        points: the words projected to the bank's plane, (words, 2).
        neighbours: for each word the indices in the bank of its nearest words and their cosines, nearest first.
    """

    side: Side
    points: Array
    neighbours: tuple[tuple[tuple[int, float], ...], ...]


def _encode_words(
    model: TranslationModel, texts: Sequence[NormalisedText], should_stop: StopCallback | None
) -> list[tuple[Side, Array]]:
    from model.analysis.probing.word_vectors import encode_words  # loads torch; pages import this module

    return encode_words(model, texts, should_stop)


def build_word_bank(
    model: TranslationModel, should_stop: StopCallback | None = None, examples: Sequence[SenseExample] | None = None
) -> WordBank:
    """Encode the words of `examples`, by default of the shipped sentences.

    Raises the errors of `word_vectors.encode_words`, and VectorError for a model whose source language is not English.
    """
    if model.languages[0] != LANGUAGE:
        raise VectorError(f"{model.name} does not read English, the language of the example sentences: choose another "
                          "model.")
    examples = load_examples() if examples is None else tuple(examples)
    encoded = _encode_words(model, [example.text for example in examples], should_stop)
    positions = tuple(WordPosition(sentence, word) for sentence, (side, _) in enumerate(encoded)
                      for word, text in enumerate(side.words) if is_word(text))  # fmt: skip
    vectors = np.stack([encoded[position.sentence][1][position.word] for position in positions])
    sides = tuple(side for side, _ in encoded)
    return WordBank(tuple(examples), sides, positions, vectors, PrincipalPlane.fit(vectors),
                    _measure_separations(examples, encoded))


def _measure_separations(
    examples: Sequence[SenseExample], encoded: Sequence[tuple[Side, Array]]
) -> tuple[SenseSeparation, ...]:
    separations = []
    for word in dict.fromkeys(example.word for example in examples):
        occurrences = [(example.sense, vectors[index])
                       for example, (side, vectors) in zip(examples, encoded, strict=True)
                       if example.word == word
                       and (index := find_ambiguous_word(example, side)) is not None]  # fmt: skip
        if len(occurrences) > 1:
            senses, word_vectors = zip(*occurrences, strict=True)
            separations.append(measure_separation(word, np.stack(word_vectors), senses))
    return tuple(separations)


def find_ambiguous_word(example: SenseExample, side: Side) -> int | None:
    """Return the index of the ambiguous word, None where the model's words join it with another one."""
    return next((index for index, word in enumerate(side.words) if word.casefold() == example.word), None)


def locate_words(
    model: TranslationModel, bank: WordBank, text: NormalisedText, should_stop: StopCallback | None = None
) -> NearestWords:
    """Find the words of a sentence among those of a bank. Raises the errors of `word_vectors.encode_words`."""
    ((side, vectors),) = _encode_words(model, [text], should_stop)
    return NearestWords(side, bank.plane.project(vectors), find_nearest(bank, vectors))


def find_nearest(
    bank: WordBank, vectors: Array, exclude_self: bool = False
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Return, for each vector (k, units), the NEIGHBOURS nearest words of the bank and their cosines.

    With `exclude_self` the vectors must be those of the bank, and a word is not its own neighbour.
    """
    cosines = compute_cosine_similarities(vectors, bank.vectors)
    if exclude_self:
        np.fill_diagonal(cosines, -np.inf)
    count = min(NEIGHBOURS, cosines.shape[1] - exclude_self)
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :count]
    return tuple(tuple((int(index), float(row[index])) for index in indices)
                 for row, indices in zip(cosines, order, strict=True))
