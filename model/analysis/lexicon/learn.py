"""Learn a lexicon from sentence pairs with IBM Model 1 in both directions.

Each word translates some word of the other sentence, or none (Brown et al. 1993). Expectation maximisation estimates
t(f | e) and t(e | f). Two things make the estimates sharper:

- the posterior of a link is the product of its posteriors in the two directions (Liang et al. 2006, "Alignment by
  agreement");
- a link near the diagonal has a higher prior, exp(-λ |i/I - j/J|) (Dyer et al. 2013), unless the verb comes last in
  one of the two languages alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.analysis.lexicon.ibm_model1 import compute_posteriors, normalise_counts
from model.analysis.lexicon.lexicon import PROBABILITY_SCALE, SAME_SPELLING, SCHEMA, Lexicon
from model.progress import ProgressCallback
from model.serialization.timestamps import format_current_time
from model.text.cleaning import Pair, PairLimits, clean_lines
from model.text.control_file import ControlFile
from model.text.endings import EndingFinder
from model.text.languages import LanguagePair, get_language
from model.text.pair_files import find_language_pair, find_required_files
from model.text.prepared import CorpusError
from model.text.words import split_words

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class LexiconSettings:
    """Settings of learning. The fields are JSON keys.

    Attributes:
        max_pairs: the most pairs of a corpus, evenly spaced.
        max_words: the most words of a sentence.
        iterations: of expectation maximisation.
        diagonal_strength: λ of the prior.
        null_probability: the probability that a word translates none.
        min_links: the least expected number of links of a listed word pair.
        min_forward_probability: the least t(target | source) of a listed pair, unless `min_backward_probability` is
            reached.
        min_backward_probability: the least t(source | target), unless `min_forward_probability` is reached.
    """

    max_pairs: int = 120_000
    max_words: int = 30
    iterations: int = 6
    diagonal_strength: float = 4.0
    null_probability: float = 0.08
    min_links: float = 3.0
    min_forward_probability: float = 0.03
    min_backward_probability: float = 0.1


def learn_lexicon(
    folder: Path, control: ControlFile, settings: LexiconSettings, command: str, progress: ProgressCallback
) -> Lexicon:
    """Learn a lexicon from the corpora under a folder that a control file names.

    Corpora of headwords and phrases are left out, because a dictionary is its authors' work. Raises CorpusError.
    """
    names = {name: f"train/{name}" for name, corpus in control.corpora.items() if not corpus.phrases}
    if not names:
        raise CorpusError("the control file names corpora of phrases alone, which no lexicon is learnt from; name "
                          "one of sentences")
    languages = (control.languages[0], control.languages[1]) if control.languages else find_language_pair(folder, names)
    pairs: list[Pair] = []
    data: dict[str, int] = {}
    for name, file in find_required_files(folder, names, languages).items():
        progress(f"reading {name}", 0, 1)
        lines, _ = file.read_lines_and_note()
        sample = lines[:: -(-len(lines) // settings.max_pairs) or 1]
        corpus_pairs, refusals = clean_lines(
            sample, PairLimits(words=settings.max_words), control.corpora[name].minutes, languages, file.is_reversed
        )
        if not corpus_pairs:
            raise file.build_empty_error(refusals)
        data[name] = len(corpus_pairs)
        pairs += corpus_pairs
        progress(f"reading {name}", 1, 1)
    if len({get_language(code).is_verb_final for code in languages}) > 1:
        settings = replace(settings, diagonal_strength=0.0)
    entries = format_entries(count_word_pairs(pairs, languages, settings, progress), settings)
    if not entries:
        raise CorpusError(f"{len(pairs):,} pairs of sentences are too little text for a lexicon: no two words stand "
                          f"together {settings.min_links:g} times")
    source, target = (code.partition("-")[0] for code in languages)  # `load_lexicon` ignores regions
    return Lexicon(SCHEMA, (source, target), command, format_current_time(), data, dict(asdict(settings)), entries)


@dataclass(frozen=True)
class WordPairCounts:
    """The expected number of links of each word pair.

    Attributes:
        vocabularies: the words of the two languages.
        word_counts: occurrences of each word of the two vocabularies.
        source: the source word of each pair, (pairs,).
        target: the target word of each pair, (pairs,).
        counts: the expected links of each pair, (pairs,).
    """

    vocabularies: tuple[list[str], list[str]]
    word_counts: tuple[Ints, Ints]
    source: Ints
    target: Ints
    counts: NDArray[np.float64]


@dataclass(frozen=True)
class _Links:
    """All links of all sentences, (links,): the word pair, the two tokens, and the diagonal prior."""

    word_pair: Ints
    source_token: Ints
    target_token: Ints
    prior: Floats


def count_word_pairs(
    pairs: Sequence[Pair], languages: LanguagePair, settings: LexiconSettings, progress: ProgressCallback
) -> WordPairCounts:
    """Estimate how often the words of sentence pairs translate each other."""
    sources, targets = (_index_words([pair[side] for pair in pairs], languages[side], progress) for side in (0, 1))
    links, keys = _build_links(sources.sentences, targets.sentences, len(targets.words), settings.diagonal_strength)
    source, target = (keys // len(targets.words)).astype(np.int32), (keys % len(targets.words)).astype(np.int32)
    source_tokens, target_tokens = np.concatenate(sources.sentences), np.concatenate(targets.sentences)
    source_counts = np.bincount(source_tokens, minlength=len(sources.words)).astype(np.int32)
    target_counts = np.bincount(target_tokens, minlength=len(targets.words)).astype(np.int32)
    # A word that translates none is drawn by its frequency.
    source_null, target_null = (
        (settings.null_probability * counts[tokens] / len(tokens)).astype(np.float32)
        for counts, tokens in ((source_counts, source_tokens), (target_counts, target_tokens))
    )
    forward = np.full(len(keys), 1 / len(targets.words), dtype=np.float32)
    backward = np.full(len(keys), 1 / len(sources.words), dtype=np.float32)
    counts: NDArray[np.float64] = np.zeros(len(keys))
    for iteration in range(settings.iterations):
        progress("expectation maximisation", iteration, settings.iterations)
        posteriors = compute_posteriors(forward, links.word_pair, links.target_token, links.prior, target_null)
        posteriors *= compute_posteriors(backward, links.word_pair, links.source_token, links.prior, source_null)
        counts = np.bincount(links.word_pair, posteriors, minlength=len(keys)).astype(np.float64)
        forward = normalise_counts(counts, source).astype(np.float32)
        backward = normalise_counts(counts, target).astype(np.float32)
    progress("expectation maximisation", settings.iterations, settings.iterations)
    return WordPairCounts((sources.words, targets.words), (source_counts, target_counts), source, target, counts)


@dataclass(frozen=True)
class _IndexedText:
    """The words of a language, and each sentence as indices of words."""

    words: list[str]
    sentences: list[Ints]


def _index_words(texts: Sequence[str], language: str, progress: ProgressCallback) -> _IndexedText:
    indices: dict[str, int] = {}
    sentences: list[Ints] = []
    divide = EndingFinder(get_language(language), texts).divide
    for number, text in enumerate(texts):
        if number % 10_000 == 0:
            progress(f"reading {language}", number, len(texts))
        words = [divide(text[start:end].casefold())[0] for start, end in split_words(text, language)]
        sentences.append(np.array([indices.setdefault(word, len(indices)) for word in words], dtype=np.int32))
    progress(f"reading {language}", len(texts), len(texts))
    return _IndexedText(list(indices), sentences)


def _build_links(
    sources: list[Ints], targets: list[Ints], width: int, diagonal: float
) -> tuple[_Links, NDArray[np.int64]]:
    """Return all links, and the key of each word pair: source word times `width` plus target word."""
    keys: list[NDArray[np.int64]] = []
    source_tokens: list[Ints] = []
    target_tokens: list[Ints] = []
    priors: list[Floats] = []
    source_start = target_start = 0
    for source, target in zip(sources, targets, strict=True):
        rows, columns = len(source), len(target)
        keys.append((source.astype(np.int64)[:, None] * width + target).ravel())
        source_tokens.append(np.repeat(np.arange(source_start, source_start + rows, dtype=np.int32), columns))
        target_tokens.append(np.tile(np.arange(target_start, target_start + columns, dtype=np.int32), rows))
        distance = np.abs((np.arange(rows) + 0.5)[:, None] / rows - (np.arange(columns) + 0.5) / columns)
        weights = np.exp(-diagonal * distance)
        priors.append((weights / weights.sum()).astype(np.float32).ravel() * columns)
        source_start, target_start = source_start + rows, target_start + columns
    unique_keys, word_pair = np.unique(np.concatenate(keys), return_inverse=True)
    return _Links(word_pair.astype(np.int32), np.concatenate(source_tokens), np.concatenate(target_tokens),
                  np.concatenate(priors)), unique_keys


def format_entries(pairs: WordPairCounts, settings: LexiconSettings) -> str:
    """Return the listed word pairs in the format of `Lexicon.entries`."""
    source, target, counts = pairs.source, pairs.target, pairs.counts
    forward = np.minimum(counts / pairs.word_counts[0][source], 1.0)
    backward = np.minimum(counts / pairs.word_counts[1][target], 1.0)
    has_letters = tuple(np.array([any(map(str.isalpha, word)) for word in words]) for words in pairs.vocabularies)
    is_listed = (counts >= settings.min_links) & (
        (forward >= settings.min_forward_probability) | (backward >= settings.min_backward_probability)
    )
    translations: dict[str, list[tuple[float, str, float]]] = {}
    for index in np.flatnonzero(is_listed & has_letters[0][source] & has_letters[1][target]):
        word, translation = pairs.vocabularies[0][source[index]], pairs.vocabularies[1][target[index]]
        translations.setdefault(word, []).append((-forward[index], translation, backward[index]))
    return "\n".join(_format_line(word, sorted(translations[word])) for word in sorted(translations))


def _format_line(word: str, pairs: list[tuple[float, str, float]]) -> str:
    known_probability = min(-sum(forward for forward, _, _ in pairs), 1.0)
    translations = (
        f"{SAME_SPELLING if translation == word else translation} {round(PROBABILITY_SCALE * backward)}"
        for _, translation, backward in pairs
    )
    return f"{word} {round(PROBABILITY_SCALE * known_probability)} {' '.join(translations)}"
