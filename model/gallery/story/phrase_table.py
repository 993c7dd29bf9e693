"""Words and phrases of one sentence with their translations, counted in translated text, as before neural networks.

Words: IBM Model 1 (Brown et al. 1993), t(f|e) by expectation maximisation. Phrases: the words of every pair are aligned
by Model 1 in both directions, the two alignments are symmetrised by grow-diag, and what is consistent with the links is
counted: phi(f|e) = count(e, f) / count(e) (Koehn, Och, Marcu 2003). What is kept are a few words and how often they
were counted, none of the text. Needs no torch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.paths import ASSETS
from model.serialization.codec import CodecError, dump_json, parse_json, read_record, to_plain
from model.serialization.files import replace_file
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import normalise
from model.text.pair_files import CorpusError, find_pair_file
from model.text.words import split_words

FILE = ASSETS / "story" / "phrases.json"
SENTENCE = "The black cat sleeps on the old chair in the kitchen."
CORPORA = ("tatoeba", "tatoeba-new", "multi30k")
ITERATIONS = 6  # of expectation maximisation
MAX_TRANSLATIONS = 5  # translations of a word or a phrase
MAX_PHRASE_WORDS = 4  # words of a phrase
MIN_COUNT = 3  # times a translation was counted; less is chance
_MOST_WORDS = 25  # of a pair that is learnt from

WordSequence = tuple[str, ...]
Links = set[tuple[int, int]]
"""Aligned words of a pair: (source, target), from 0."""


@dataclass(frozen=True)
class Translation:
    """One translation of a word or a phrase: its probability, and for a phrase how often it was counted."""

    text: str
    probability: float
    count: int = 0


@dataclass(frozen=True)
class PhraseEntry:
    """A stretch of the sentence, `first` to `last` (its words from 0), and its translations, the likeliest first."""

    first: int
    last: int
    translations: tuple[Translation, ...]


@dataclass(frozen=True)
class PhraseTable:
    """The words of a sentence each with its translations, and its phrases as far as any were counted."""

    sentence: str
    words: tuple[PhraseEntry, ...]
    phrases: tuple[PhraseEntry, ...]
    pairs: int
    corpora: tuple[str, ...]
    command: str

    def segment(self) -> tuple[PhraseEntry, ...]:
        """The sentence in the fewest phrases, of equally few the ones that are likeliest together; a word that is in no
        phrase stands by itself."""
        singles = {entry.first: entry for entry in self.words}
        ends = sorted(singles)
        best: dict[int, tuple[tuple[float, float], tuple[PhraseEntry, ...]]] = {0: ((0.0, 0.0), ())}
        for end in range(1, len(ends) + 1):
            options = [one for one in self.phrases if one.last == end - 1] or [singles[end - 1]]
            best[end] = min(
                (
                    ((cost[0] + 1, cost[1] - float(np.log(one.translations[0].probability))), (*path, one))
                    for one in options
                    for cost, path in [best[one.first]]
                ),
                key=lambda found: found[0],
            )
        return best[len(ends)][1]

    @classmethod
    def from_json(cls, text: str | bytes) -> PhraseTable:
        """The table in a JSON text. Raises CodecError."""
        table = read_record(cls, parse_json(text, "a table of phrases"), "table")
        if not table.words or not all(entry.translations for entry in (*table.words, *table.phrases)):
            raise CodecError("A table of phrases has words, each with a translation.")
        return table


@dataclass(frozen=True)
class TranslationModel:
    """Model 1 in one direction: the pairs of words that stand in one pair of sentences (as numbers, rising) and the
    probability of the second one given the first."""

    keys: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    width: int

    def get_probabilities(self, given: int, words: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probability of each of `words` given one; 0 for what never stood beside it."""
        wanted = given * self.width + words
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[places] == wanted, self.probabilities[places], 0.0)


def train_model1(pairs: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], width: int, rounds: int = ITERATIONS) -> TranslationModel:
    """Model 1 of pairs (given, produced) of numbered words; a word of the given side numbered 0 is the empty one.
    `width`: above every number."""
    given = np.concatenate([np.tile(one, len(other)) for one, other in pairs])
    produced = np.concatenate([np.repeat(other, len(one)) for one, other in pairs])
    tokens = np.repeat(np.arange(sum(len(other) for _, other in pairs)),
                       np.concatenate([np.full(len(other), len(one)) for one, other in pairs]))  # fmt: skip
    keys, places = np.unique(given * width + produced, return_inverse=True)
    owners = keys // width
    share = np.ones(len(keys))
    for _ in range(rounds):
        weights = share[places]
        weights /= np.bincount(tokens, weights)[tokens]
        counts = np.bincount(places, weights, minlength=len(keys))
        share = counts / np.bincount(owners, counts)[owners]
    return TranslationModel(keys, share, width)


def symmetrize(forward: Links, backward: Links) -> Links:
    """The links of both directions, and step by step what one of them adds beside these for a word that has none."""
    links, union = forward & backward, forward | backward
    grown = True
    while grown:
        grown = False
        sources, targets = ({link[side] for link in links} for side in (0, 1))
        for link in sorted(union - links):
            beside = any((link[0] + a, link[1] + b) in links for a in (-1, 0, 1) for b in (-1, 0, 1))
            if beside and (link[0] not in sources or link[1] not in targets):
                links = links | {link}
                sources.add(link[0])
                targets.add(link[1])
                grown = True
    return links


def extract_phrase(links: Links, first: int, last: int) -> tuple[int, int] | None:
    """The target words, first and last, that source words `first` to `last` are linked to, where these are linked to
    no others; None where there are none such."""
    inside = [target for source, target in links if first <= source <= last]
    if not inside:
        return None
    low, high = min(inside), max(inside)
    consistent = all(first <= source <= last for source, target in links if low <= target <= high)
    ends = {first, last} <= {source for source, _ in links}
    return (low, high) if consistent and ends else None


def count_phrases(pairs: Sequence[tuple[WordSequence, WordSequence]], sentence: WordSequence) -> tuple[tuple[PhraseEntry, ...], tuple[PhraseEntry, ...]]:
    """The words of a sentence and its phrases with their translations in pairs of sentences, all in lower case."""
    numbers = {word: number for number, word in enumerate(sorted({w for pair in pairs for s in pair for w in s}), 1)}
    names, width = ["", *numbers], len(numbers) + 1
    coded = [tuple(np.array([numbers[w] for w in side], np.int64) for side in pair) for pair in pairs]
    empty = np.zeros(1, np.int64)
    forward = train_model1([(np.append(empty, one), other) for one, other in coded], width)
    backward = train_model1([(np.append(empty, other), one) for one, other in coded], width)
    every = np.arange(1, width)
    words = []
    for place, word in enumerate(sentence):
        shares = forward.get_probabilities(numbers[word], every) if word in numbers else np.zeros(len(every))
        best = np.argsort(-shares, kind="stable")[:MAX_TRANSLATIONS]
        found = tuple(Translation(names[every[k]], round(float(shares[k]), 4)) for k in best if shares[k] >= 0.005)
        words.append(PhraseEntry(place, place, found or (Translation(word, 1.0),)))
    spans = {sentence[first : last + 1]: (first, last) for first in range(len(sentence))
             for last in range(first, min(first + MAX_PHRASE_WORDS, len(sentence)))}  # fmt: skip
    counts: dict[WordSequence, Counter[WordSequence]] = {span: Counter() for span in spans}
    starts = {span[0] for span in spans}
    for (source, target), (one, other) in zip(pairs, coded, strict=True):
        if len(starts.intersection(source)) == 0:
            continue
        matches = [(first, first + len(span) - 1, span) for first in range(len(source)) for span in spans
                   if source[first : first + len(span)] == span]  # fmt: skip
        if not matches:
            continue
        links = symmetrize({(j, i) for i, j in _best(forward, one, other)}, set(_best(backward, other, one)))
        for first, last, span in matches:
            if (ends := extract_phrase(links, first, last)) is not None:
                counts[span][target[ends[0] : ends[1] + 1]] += 1
    phrases = []
    for first in range(len(sentence)):
        for last in range(first, min(first + MAX_PHRASE_WORDS, len(sentence))):
            of = counts[sentence[first : last + 1]]
            total = sum(of.values())
            best_ones = [one for one in of.most_common(MAX_TRANSLATIONS) if one[1] >= MIN_COUNT]
            if best_ones:
                told = (Translation(_joined(text), round(number / total, 4), number) for text, number in best_ones)
                phrases.append(PhraseEntry(first, last, tuple(told)))
    return tuple(words), tuple(phrases)


def _best(lexicon: TranslationModel, given: NDArray[np.int64], produced: NDArray[np.int64]) -> list[tuple[int, int]]:
    """For each word that is produced the given one that accounts for it best, (produced, given); the empty one is
    none."""
    table = np.stack([lexicon.get_probabilities(int(word), produced) for word in (0, *given)])
    return [(place, int(found) - 1) for place, found in enumerate(table.argmax(axis=0)) if found > 0]


def _joined(words: WordSequence) -> str:
    text = ""
    for word in words:
        text += word if not text or text.endswith("'") else f" {word}"
    return text


def split_lower_words(text: str, language: str) -> WordSequence:
    """The words of a text in lower case, its punctuation left out."""
    text = normalise(text)
    found = (text[start:end].lower() for start, end in split_words(text, language))
    return tuple(word for word in found if any(letter.isalnum() for letter in word))


def write_table(folder: Path, file: Path = FILE, sentence: str = SENTENCE) -> PhraseTable:
    """Count the words and phrases of the sentence in the corpora of a folder, and write the table. Raises
    CorpusError."""
    pairs = [
        (source, target)
        for name in CORPORA
        for source, target in (
            (split_lower_words(one, DEFAULT_PAIR[0]), split_lower_words(other, DEFAULT_PAIR[1]))
            for one, other in find_pair_file(folder, f"train/{name}", DEFAULT_PAIR).read_pairs()
        )
        if 0 < len(source) <= _MOST_WORDS and 0 < len(target) <= _MOST_WORDS
    ]
    if not pairs:
        raise CorpusError(f"{folder} holds no pair of at most {_MOST_WORDS} words a side in train/ "
                          f"({', '.join(CORPORA)}), so that nothing can be counted")
    words, phrases = count_phrases(pairs, split_lower_words(sentence, DEFAULT_PAIR[0]))
    table = PhraseTable(sentence, words, phrases, len(pairs), CORPORA, "python -m model phrases FOLDER")
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, (dump_json(to_plain(table), indent=1) + "\n").encode())
    return table
