"""What the encoder says of the words of sentences, and where a sentence's words lie among those of the shipped ones.

Of a network that attends, a word's vector is the mean of the annotations h_j of its pieces; of one that does not, the
encoder's state when it has read as far as this word, which is after its first piece where the source is read from its
end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from model.analysis.probing.senses import LANGUAGE, SenseExample, load_examples
from model.analysis.probing.similarity import (
    PrincipalPlane,
    SenseSeparation,
    VectorError,
    cosine_similarities,
    measure_separation,
)
from model.decoding.detail import Annotating
from model.decoding.stop_callback import Stopped, go_on
from model.decoding.translate import Model, prepare
from model.text.function_words import is_word
from model.text.normalise import Normalised
from model.trace import Side
from model.trace.trace import build_word_membership

if TYPE_CHECKING:
    from torch import Tensor

Array = NDArray[np.float64]

NEIGHBOURS = 10
BATCH_SIZE = 32  # sentences that are read together


@dataclass(frozen=True)
class WordPosition:
    """A word in one of the shipped sentences: which sentence, and which word of it, both from 0."""

    sentence: int
    word: int


@dataclass(frozen=True, eq=False)
class WordBank:
    """What one model says of all words of the shipped sentences, B in all; signs are none.

    `sides`: the sentences as the model reads them; `vectors` (B, units); `plane`: that in which they vary most;
    `separated`: for each word of several meanings how far these lie apart."""

    examples: tuple[SenseExample, ...]
    sides: tuple[Side, ...]
    positions: tuple[WordPosition, ...]
    vectors: Array
    plane: PrincipalPlane
    separations: tuple[SenseSeparation, ...]


@dataclass(frozen=True, eq=False)
class NearestWords:
    """A sentence's words among those of a bank. `points` (words, 2): where they lie in its plane; `nearest`: for each
    the numbers in the bank of its NEAREST, the nearest first, and their cosines."""

    side: Side
    points: Array
    neighbours: tuple[tuple[tuple[int, float], ...], ...]


def encode_words(model: Model, texts: Sequence[Normalised], stopped: Stopped | None = None) -> list[tuple[Side, Array]]:
    """Each text as the model reads it, and a vector for each of its words, (words, units).

    Raises VectorError for a network that says nothing of single pieces, SentenceError for a text that cannot be
    translated, SearchStopped once `stopped` says so."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    from model.decoding.batch_decoder import device_of
    from model.networks.lstm import LSTMNetwork
    from model.text.vocabulary import PAD

    network: object = model.network
    if not isinstance(network, Annotating):
        raise VectorError(f"{model.name} does not show what it makes of single words, so that they cannot be set among "
                          "others: choose another model.")
    mean = any(one.is_source_attention for one in model.network.maps)
    from_the_end = isinstance(network, LSTMNetwork) and network.config.reverse
    device = device_of(model.network)
    found: list[tuple[Side, Array]] = []
    for first in range(0, len(texts), BATCH_SIZE):
        go_on(stopped)
        sentences = [prepare(model, text) for text in texts[first : first + BATCH_SIZE]]
        rows: list[Tensor] = [torch.tensor(one.ids) for one in sentences]
        with torch.inference_mode():
            _, values = network.annotate(pad_sequence(rows, batch_first=True, padding_value=PAD).to(device))
        for one, value in zip(sentences, values.double().cpu().numpy(), strict=True):
            found.append((one.side, _of_words(one.side, value[: len(one.ids)], mean, from_the_end)))
    return found


def _of_words(side: Side, values: Array, mean: bool, from_the_end: bool) -> Array:
    """One vector a word of those of its pieces (S, units): their mean, or that of the piece that is read last."""
    if mean:
        belongs = build_word_membership(side.word_of, len(side.words))[: len(side.words)]
        made: Array = belongs @ values / belongs.sum(axis=1, keepdims=True)
        return made
    read = [(place, word) for place, word in enumerate(side.word_of) if word >= 0]
    last = {word: place for place, word in (reversed(read) if from_the_end else read)}
    return values[[last[word] for word in range(len(side.words))]]


def build_word_bank(
    model: Model, stopped: Stopped | None = None, examples: Sequence[SenseExample] | None = None
) -> WordBank:
    """The vectors of the words of the shipped sentences, or of others; raises as `annotated`, and VectorError for a
    model that reads another language."""
    if model.languages[0] != LANGUAGE:
        raise VectorError(f"{model.name} does not read English, in which the sentences are written among which words "
                          "are looked at: choose another model.")
    chosen = examples() if examples is None else tuple(examples)
    found = encode_words(model, [one.text for one in chosen], stopped)
    places = tuple(WordPosition(number, word) for number, (side, _) in enumerate(found)
                   for word, text in enumerate(side.words) if is_word(text))  # fmt: skip
    vectors = np.stack([found[place.sentence][1][place.word] for place in places])
    sides = tuple(side for side, _ in found)
    return WordBank(chosen, sides, places, vectors, PrincipalPlane.fit(vectors), _separated(chosen, found))


def _separated(chosen: Sequence[SenseExample], found: Sequence[tuple[Side, Array]]) -> tuple[SenseSeparation, ...]:
    told = []
    for word in dict.fromkeys(one.word for one in chosen):
        here = [(one.sense, values[place]) for one, (side, values) in zip(chosen, found, strict=True)
                if one.word == word and (place := find_marked_word(one, side)) is not None]  # fmt: skip
        if len(here) > 1:
            told.append(measure_separation(word, np.stack([value for _, value in here]), [sense for sense, _ in here]))
    return tuple(told)


def find_marked_word(example: SenseExample, side: Side) -> int | None:
    """Which word of the sentence is the one of several meanings; None where the model reads it as part of another."""
    return next((place for place, word in enumerate(side.words) if word.casefold() == example.word), None)


def locate_words(model: Model, bank: WordBank, text: Normalised, stopped: Stopped | None = None) -> NearestWords:
    """Where the words of a sentence lie among those of a bank; raises as `annotated`."""
    ((side, values),) = encode_words(model, [text], stopped)
    return NearestWords(side, bank.plane.project(values), find_nearest(bank, values))


def find_nearest(
    bank: WordBank, vectors: Array, exclude_self: bool = False
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """For each of some vectors (k, units) its NEAREST in the bank; `itself`: they are those of the bank, none of which
    is near itself."""
    near = cosine_similarities(vectors, bank.vectors)
    if exclude_self:
        np.fill_diagonal(near, -np.inf)
    count = min(NEIGHBOURS, near.shape[1] - exclude_self)
    order = np.argsort(-near, axis=1, kind="stable")[:, :count]
    return tuple(tuple((int(other), float(row[other])) for other in others)
                 for row, others in zip(near, order, strict=True))
