"""Count translations of the words and phrases of one sentence in a corpus, as in statistical machine translation.

Words: t(f|e) of IBM Model 1 (`model.analysis.lexicon.ibm_model1`). Phrases: sentence pairs are aligned by Model 1 in
both directions, the alignments are symmetrised by grow-diag, and consistent phrase pairs are counted: phi(f|e) =
count(e, f) / count(e) (Koehn, Och, Marcu 2003). Only a few words and counts are kept, no text. Needs no torch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.analysis.lexicon.ibm_model1 import compute_posteriors, normalise_counts
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
MAX_TRANSLATIONS = 5  # of a word or a phrase
MAX_PHRASE_WORDS = 4
MIN_COUNT = 3  # of a phrase translation; fewer may be chance
MIN_PROBABILITY = 0.005  # of a word translation
_MAX_PAIR_WORDS = 25  # on either side of a sentence pair

WordSequence = tuple[str, ...]
Links = set[tuple[int, int]]
"""Aligned words of a sentence pair: (source index, target index)."""


@dataclass(frozen=True)
class Translation:
    """A translation of a word or a phrase, its probability, and for a phrase its count."""

    text: str
    probability: float
    count: int = 0


@dataclass(frozen=True)
class PhraseEntry:
    """Words `first` to `last` of the sentence, counted from 0, and their translations, most probable first."""

    first: int
    last: int
    translations: tuple[Translation, ...]


@dataclass(frozen=True)
class PhraseTable:
    """The translations of each word of a sentence, and of the phrases that were counted."""

    sentence: str
    words: tuple[PhraseEntry, ...]
    phrases: tuple[PhraseEntry, ...]
    pairs: int
    corpora: tuple[str, ...]
    command: str

    def segment(self) -> tuple[PhraseEntry, ...]:
        """Segment the sentence into the fewest phrases, of these the most probable. A word may stand alone."""
        best: list[tuple[tuple[int, float], tuple[PhraseEntry, ...]]] = [((0, 0.0), ())]  # of the first k words
        for last, word in enumerate(sorted(self.words, key=lambda entry: entry.first)):
            phrases = [phrase for phrase in self.phrases if phrase.last == last]
            options = phrases if any(phrase.first == last for phrase in phrases) else [*phrases, word]
            best.append(min(
                (((count + 1, cost - float(np.log(option.translations[0].probability))), (*path, option))
                 for option in options for (count, cost), path in [best[option.first]]),
                key=lambda candidate: candidate[0]))
        return best[-1][1]

    @classmethod
    def from_json(cls, text: str | bytes) -> PhraseTable:
        """Parse a table. Raises CodecError."""
        table = read_record(cls, parse_json(text, "a table of phrases"), "table")
        if not table.words or not all(entry.translations for entry in (*table.words, *table.phrases)):
            raise CodecError("A table of phrases has words, each with a translation.")
        return table


@dataclass(frozen=True)
class WordProbabilities:
    """t(produced | given) of IBM Model 1 for all word pairs that occur in one sentence pair.

    `keys`: given * vocabulary_size + produced, ascending.
    """

    keys: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    vocabulary_size: int

    def get_probabilities(self, given_word: int, produced_words: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probability of each produced word; 0 for pairs that never occurred."""
        pair_keys = given_word * self.vocabulary_size + produced_words
        indices = np.minimum(np.searchsorted(self.keys, pair_keys), len(self.keys) - 1)
        return np.where(self.keys[indices] == pair_keys, self.probabilities[indices], 0.0)


def train_model1(
    pairs: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], vocabulary_size: int, iterations: int = ITERATIONS
) -> WordProbabilities:
    """Train Model 1 on pairs (given, produced) of word numbers. Word 0 of the given side is the empty word."""
    link_given_words = np.concatenate([np.tile(given, len(produced)) for given, produced in pairs])
    link_produced_words = np.concatenate([np.repeat(produced, len(given)) for given, produced in pairs])
    link_counts = np.concatenate([np.full(len(produced), len(given)) for given, produced in pairs])
    produced_tokens = np.repeat(np.arange(len(link_counts)), link_counts)
    keys, word_pairs = np.unique(link_given_words * vocabulary_size + link_produced_words, return_inverse=True)
    given_words = keys // vocabulary_size
    probabilities = np.ones(len(keys))
    for _ in range(iterations):
        posteriors = compute_posteriors(probabilities, word_pairs, produced_tokens)
        probabilities = normalise_counts(np.bincount(word_pairs, posteriors, minlength=len(keys)), given_words)
    return WordProbabilities(keys, probabilities, vocabulary_size)


def symmetrize(forward: Links, backward: Links) -> Links:
    """Merge two alignments by grow-diag.

    Starts from the links of both and adds links of either that are next to a link, as long as one of their words has
    none.
    """
    links, union = forward & backward, forward | backward
    has_grown = True
    while has_grown:
        has_grown = False
        sources, targets = ({link[side] for link in links} for side in (0, 1))
        for source, target in sorted(union - links):
            is_neighbour = any((source + a, target + b) in links for a in (-1, 0, 1) for b in (-1, 0, 1))
            if is_neighbour and (source not in sources or target not in targets):
                links = links | {(source, target)}
                sources.add(source)
                targets.add(target)
                has_grown = True
    return links


def extract_phrase(links: Links, first: int, last: int) -> tuple[int, int] | None:
    """Return the first and last target word of a phrase pair, or None if it is not consistent.

    Target words between them may be linked only to source words `first` to `last`, and both of these need a link.
    """
    linked_targets = [target for source, target in links if first <= source <= last]
    if not linked_targets:
        return None
    low, high = min(linked_targets), max(linked_targets)
    is_consistent = all(first <= source <= last for source, target in links if low <= target <= high)
    has_linked_ends = {first, last} <= {source for source, _ in links}
    return (low, high) if is_consistent and has_linked_ends else None


def count_phrases(
    pairs: Sequence[tuple[WordSequence, WordSequence]], sentence: WordSequence
) -> tuple[tuple[PhraseEntry, ...], tuple[PhraseEntry, ...]]:
    """Return the translations of a sentence's words and phrases in sentence pairs; all words in lower case."""
    vocabulary = sorted({word for pair in pairs for side in pair for word in side})
    numbers = {word: number for number, word in enumerate(vocabulary, 1)}
    vocabulary_size = len(numbers) + 1
    encoded = [tuple(np.array([numbers[word] for word in side], np.int64) for side in pair) for pair in pairs]
    empty = np.zeros(1, np.int64)
    forward = train_model1([(np.append(empty, source), target) for source, target in encoded], vocabulary_size)
    backward = train_model1([(np.append(empty, target), source) for source, target in encoded], vocabulary_size)
    words = []
    for position, word in enumerate(sentence):
        probabilities = forward.get_probabilities(numbers[word], np.arange(1, vocabulary_size)) \
            if word in numbers else np.zeros(len(vocabulary))
        best = np.argsort(-probabilities, kind="stable")[:MAX_TRANSLATIONS]
        translations = tuple(Translation(vocabulary[index], round(float(probabilities[index]), 4)) for index in best
                             if probabilities[index] >= MIN_PROBABILITY)
        words.append(PhraseEntry(position, position, translations or (Translation(word, 1.0),)))
    spans = [(first, last) for first in range(len(sentence))
             for last in range(first, min(first + MAX_PHRASE_WORDS, len(sentence)))]
    counts: dict[WordSequence, Counter[WordSequence]] = {sentence[first : last + 1]: Counter() for first, last in spans}
    first_words = {phrase[0] for phrase in counts}
    for (source, target), (source_numbers, target_numbers) in zip(pairs, encoded, strict=True):
        if first_words.isdisjoint(source):  # faster than to look for each phrase
            continue
        matches = [(first, first + len(phrase) - 1, phrase) for first in range(len(source)) for phrase in counts
                   if source[first : first + len(phrase)] == phrase]
        if not matches:
            continue
        links = symmetrize({(source_index, target_index) for target_index, source_index
                            in _align(forward, source_numbers, target_numbers)},
                           set(_align(backward, target_numbers, source_numbers)))
        for first, last, phrase in matches:
            if (target_span := extract_phrase(links, first, last)) is not None:
                counts[phrase][target[target_span[0] : target_span[1] + 1]] += 1
    phrases = []
    for first, last in spans:
        phrase_counts = counts[sentence[first : last + 1]]
        total = sum(phrase_counts.values())
        translations = tuple(Translation(_join_words(phrase), round(count / total, 4), count)
                             for phrase, count in phrase_counts.most_common(MAX_TRANSLATIONS) if count >= MIN_COUNT)
        if translations:
            phrases.append(PhraseEntry(first, last, translations))
    return tuple(words), tuple(phrases)


def _align(
    model: WordProbabilities, given_words: NDArray[np.int64], produced_words: NDArray[np.int64]
) -> list[tuple[int, int]]:
    """Return (produced index, given index) of the most probable alignment, without words aligned to none."""
    probabilities = np.stack([model.get_probabilities(int(word), produced_words) for word in (0, *given_words)])
    return [(index, int(best) - 1) for index, best in enumerate(probabilities.argmax(axis=0)) if best > 0]


def _join_words(words: WordSequence) -> str:
    text = ""
    for word in words:
        text += word if not text or text.endswith("'") else f" {word}"
    return text


def split_lower_words(text: str, language: str) -> WordSequence:
    """Return the words of a text in lower case, without punctuation."""
    text = normalise(text)
    words = (text[start:end].lower() for start, end in split_words(text, language))
    return tuple(word for word in words if any(character.isalnum() for character in word))


def write_table(folder: Path, file: Path = FILE, sentence: str = SENTENCE) -> PhraseTable:
    """Count the sentence's words and phrases in the corpora of a folder; write the table. Raises CorpusError."""
    pairs = [
        (source, target)
        for name in CORPORA
        for source, target in (
            (split_lower_words(source_text, DEFAULT_PAIR[0]), split_lower_words(target_text, DEFAULT_PAIR[1]))
            for source_text, target_text in find_pair_file(folder, f"train/{name}", DEFAULT_PAIR).read_pairs()
        )
        if 0 < len(source) <= _MAX_PAIR_WORDS and 0 < len(target) <= _MAX_PAIR_WORDS
    ]
    if not pairs:
        raise CorpusError(f"{folder} holds no pair of at most {_MAX_PAIR_WORDS} words a side in train/ "
                          f"({', '.join(CORPORA)}), so that nothing can be counted")
    words, phrases = count_phrases(pairs, split_lower_words(sentence, DEFAULT_PAIR[0]))
    table = PhraseTable(sentence, words, phrases, len(pairs), CORPORA, "python -m model phrases FOLDER")
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, (dump_json(to_plain(table), indent=1) + "\n").encode())
    return table
