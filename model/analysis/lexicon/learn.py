"""A lexicon learnt from pairs of sentences: IBM's model 1 in both directions, made to agree.

Each word of a sentence is taken to translate some word of the other sentence, or none (Brown et al. 1993, model 1).
Expectation maximisation estimates how probable each word's translations are, t(f | e) and t(e | f). Two things make the
estimates sharper: a link's posterior is the product of its posteriors in the two directions (Liang et al. 2006,
"Alignment by agreement"), and a link is the more probable the nearer it lies to the diagonal, exp(-λ |i/I - j/J|) (Dyer
et al. 2013). What is kept are the pairs of words that stand for each other often enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.analysis.lexicon.ibm_model1 import compute_posteriors, normalize_counts
from model.analysis.lexicon.lexicon import PROBABILITY_SCALE, SAME_SPELLING, SCHEMA, Lexicon
from model.progress import ProgressCallback
from model.text.cleaning import Limits, Pair, clean_lines
from model.text.control_file import ControlFile
from model.text.languages import LanguagePair
from model.text.pair_files import find_language_pair, find_required_files
from model.text.prepared import CorpusError
from model.text.words import split_words

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Learning:
    """How a lexicon is learnt: of at `most` so many pairs of each corpus, evenly spaced, with up to `words` words a
    side; passes over the data, λ of the diagonal, the probability that a word translates none; and what is kept: pairs
    of words linked `fewest` times or more, where the one stands for the other with probability `forward`, or the other
    for the one with `backward`, or more."""

    most: int = 120_000
    words: int = 30
    passes: int = 6
    diagonal: float = 4.0
    nothing: float = 0.08
    fewest: float = 3.0
    forward: float = 0.03
    backward: float = 0.1


def make(folder: Path, control: ControlFile, learning: Learning, command: str, progress: ProgressCallback) -> Lexicon:
    """The lexicon of the corpora under a folder that a control file names, but for those of headwords and phrases: a
    dictionary is somebody's work. Raises CorpusError."""
    names = {name: f"train/{name}" for name, corpus in control.corpora.items() if not corpus.phrases}
    if not names:
        raise CorpusError("the control file names corpora of phrases alone, which no lexicon is learnt from; name "
                          "one of sentences")
    spoken = (control.languages[0], control.languages[1]) if control.languages else find_language_pair(folder, names)
    pairs: list[Pair] = []
    data: dict[str, int] = {}
    for name, file in find_required_files(folder, names, spoken).items():
        progress(f"reading {name}", 0, 1)
        lines, _ = file.read_lines_and_note()
        chosen = lines[:: -(-len(lines) // learning.most) or 1]
        kept, refused = clean_lines(
            chosen, Limits(words=learning.words), control.corpora[name].minutes, spoken, file.is_reversed
        )
        if not kept:
            raise file.build_empty_error(refused)
        data[name] = len(kept)
        pairs += kept
        progress(f"reading {name}", 1, 1)
    found = learn(pairs, spoken, learning, progress)
    date = datetime.now(UTC).replace(microsecond=0).isoformat()
    made = entries(found, learning)
    if not made:
        raise CorpusError(f"{len(pairs):,} pairs of sentences are too little text for a lexicon: no two words stand "
                          f"together {learning.fewest:g} times")
    source, target = (code.partition("-")[0] for code in spoken)  # `lexicon.load` asks for no region
    return Lexicon(SCHEMA, (source, target), command, date, data, dict(asdict(learning)), made)


@dataclass(frozen=True)
class WordPairs:
    """How often each pair of words was linked, in expectation: `counts` (pairs), of `source` and `target` (pairs),
    which number the words of `vocabularies`; `seen`: how often each word of either vocabulary stands in the text."""

    vocabularies: tuple[list[str], list[str]]
    seen: tuple[Ints, Ints]
    source: Ints
    target: Ints
    counts: NDArray[np.float64]


@dataclass(frozen=True)
class _Links:
    """All links of all sentences (links): the pair of words, the two tokens, and how near the diagonal."""

    pair: Ints
    source_token: Ints
    target_token: Ints
    near: Floats


def learn(pairs: Sequence[Pair], spoken: LanguagePair, learning: Learning, progress: ProgressCallback) -> WordPairs:
    """How often the words of these pairs of sentences stand for each other."""
    sides = tuple(_numbered([pair[side] for pair in pairs], spoken[side], progress) for side in (0, 1))
    links, keys = _links(sides[0].sentences, sides[1].sentences, len(sides[1].words), learning.diagonal)
    source, target = (keys // len(sides[1].words)).astype(np.int32), (keys % len(sides[1].words)).astype(np.int32)
    tokens = tuple(np.concatenate(side.sentences) for side in sides)
    seen = tuple(np.bincount(one, minlength=len(side.words)).astype(np.int32)
                 for one, side in zip(tokens, sides, strict=True))
    # What no word of the other sentence accounts for is drawn by its frequency.
    empty = tuple((learning.nothing * count[one] / len(one)).astype(np.float32)
                  for count, one in zip(seen, tokens, strict=True))
    given_source = np.full(len(keys), 1 / len(sides[1].words), dtype=np.float32)
    given_target = np.full(len(keys), 1 / len(sides[0].words), dtype=np.float32)
    counts: NDArray[np.float64] = np.zeros(len(keys))
    for number in range(learning.passes):
        progress("expectation maximisation", number, learning.passes)
        posterior = compute_posteriors(given_source, links.pair, links.target_token, links.near, empty[1])
        posterior *= compute_posteriors(given_target, links.pair, links.source_token, links.near, empty[0])
        counts = np.bincount(links.pair, posterior, minlength=len(keys)).astype(np.float64)
        given_source = normalize_counts(counts, source).astype(np.float32)
        given_target = normalize_counts(counts, target).astype(np.float32)
    progress("expectation maximisation", learning.passes, learning.passes)
    return WordPairs((sides[0].words, sides[1].words), (seen[0], seen[1]), source, target, counts)


@dataclass(frozen=True)
class _Numbered:
    """The words of a language, and every sentence as numbers of words."""

    words: list[str]
    sentences: list[Ints]


def _numbered(texts: Sequence[str], language: str, progress: ProgressCallback) -> _Numbered:
    numbers: dict[str, int] = {}
    sentences: list[Ints] = []
    for place, text in enumerate(texts):
        if place % 10_000 == 0:
            progress(f"reading {language}", place, len(texts))
        words = [text[start:end].casefold() for start, end in split_words(text, language)]
        sentences.append(np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32))
    progress(f"reading {language}", len(texts), len(texts))
    return _Numbered(list(numbers), sentences)


def _links(sources: list[Ints], targets: list[Ints], width: int, diagonal: float) -> tuple[_Links, NDArray[np.int64]]:
    """All links of all sentences, and the pairs of words among them: source word times `width` plus target word."""
    pair: list[NDArray[np.int64]] = []
    of_source: list[Ints] = []
    of_target: list[Ints] = []
    near: list[Floats] = []
    begun = [0, 0]
    for source, target in zip(sources, targets, strict=True):
        rows, columns = len(source), len(target)
        pair.append((source.astype(np.int64)[:, None] * width + target).ravel())
        of_source.append(np.repeat(np.arange(begun[0], begun[0] + rows, dtype=np.int32), columns))
        of_target.append(np.tile(np.arange(begun[1], begun[1] + columns, dtype=np.int32), rows))
        apart = np.abs((np.arange(rows) + 0.5)[:, None] / rows - (np.arange(columns) + 0.5) / columns)
        weight = np.exp(-diagonal * apart)
        near.append((weight / weight.sum()).astype(np.float32).ravel() * columns)
        begun = [begun[0] + rows, begun[1] + columns]
    keys, number = np.unique(np.concatenate(pair), return_inverse=True)
    return _Links(number.astype(np.int32), np.concatenate(of_source), np.concatenate(of_target),
                  np.concatenate(near)), keys


def entries(found: WordPairs, learning: Learning) -> str:
    """The pairs of words that are kept, as a `Lexicon` writes them."""
    source, target, counts = found.source, found.target, found.counts
    forward = np.minimum(counts / found.seen[0][source], 1.0)
    backward = np.minimum(counts / found.seen[1][target], 1.0)
    spelt = tuple(np.array([any(map(str.isalpha, word)) for word in words]) for words in found.vocabularies)
    kept = (counts >= learning.fewest) & ((forward >= learning.forward) | (backward >= learning.backward))
    lines: dict[str, list[tuple[float, str, float]]] = {}
    for pair in np.flatnonzero(kept & spelt[0][source] & spelt[1][target]):
        word, other = found.vocabularies[0][source[pair]], found.vocabularies[1][target[pair]]
        lines.setdefault(word, []).append((-forward[pair], other, backward[pair]))
    return "\n".join(_line(word, sorted(lines[word])) for word in sorted(lines))


def _line(word: str, pairs: list[tuple[float, str, float]]) -> str:
    known = min(-sum(forward for forward, _, _ in pairs), 1.0)
    translations = (
        f"{SAME_SPELLING if other == word else other} {round(PROBABILITY_SCALE * backward)}"
        for _, other, backward in pairs
    )
    return f"{word} {round(PROBABILITY_SCALE * known)} {' '.join(translations)}"
