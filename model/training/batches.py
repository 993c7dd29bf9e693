"""Batches of pairs of like length, in an order that depends on the seed and the position alone.

An epoch is a permutation of all pairs (each corpus as often as the recipe says). It is drawn a pool at a time; a pool is
sorted by length, cut into batches, and the batches shuffled. Whoever knows seed and position can go on exactly there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from model.text.vocabulary import PAD
from model.training.recipe import Data

Ids = npt.NDArray[np.int64]


class DataError(ValueError):
    """Prepared training data that is missing or does not fit; the message says what to run."""


@dataclass(frozen=True)
class Position:
    """Where training stands in its data: the batches before this one have been used."""

    epoch: int = 0
    pool: int = 0
    batch: int = 0


@dataclass(frozen=True)
class Batch:
    """Padded piece numbers, (pairs, source) and (pairs, target), and the number of target pieces without padding."""

    source: Ids
    target: Ids
    pieces: int
    position: Position  # of the batch that follows


@dataclass(frozen=True)
class _Corpus:
    source: npt.NDArray[np.uint16]
    target: npt.NDArray[np.uint16]
    source_offsets: npt.NDArray[np.int64]
    target_offsets: npt.NDArray[np.int64]


class Batches:
    """The endless stream of batches over a folder made by `python -m model data`."""

    def __init__(self, folder: Path, data: Data, longest_words: int, seed: int) -> None:
        """Reads the recipe's corpora, leaving out pairs over `longest_words` whitespace words on a side.

        Raises DataError where a corpus is missing or nothing is left.
        """
        self.data, self.seed = data, seed
        self.corpora: list[_Corpus] = []
        members: list[npt.NDArray[np.int64]] = []
        for name, copies in data.copies.items():
            if not copies:
                continue
            try:
                with np.load(folder / f"{name}.npz") as arrays:
                    corpus = _Corpus(*(arrays[key] for key in ("source", "target", "source_offsets", "target_offsets")))
                    words = np.maximum(arrays["source_words"], arrays["target_words"])
            except (OSError, KeyError, ValueError) as error:
                raise DataError(f"the corpus {name} cannot be read from {folder}; make it: python -m model data") from error
            pieces = np.maximum(np.diff(corpus.source_offsets), np.diff(corpus.target_offsets))
            rows = np.flatnonzero((words <= longest_words) & (pieces <= data.longest_pieces))
            members += [rows | (len(self.corpora) << 40)] * copies
            self.corpora.append(corpus)
        self.members = np.concatenate(members)
        if not len(self.members):
            raise DataError(f"no pair in {folder} has at most {longest_words} words and {data.longest_pieces} pieces a side")
        self._epoch: tuple[int, npt.NDArray[np.int64]] | None = None

    def stream(self, position: Position) -> Iterator[Batch]:
        """All batches from a position on, without end."""
        while True:
            batches = self._pool(position)
            if batches is None:
                position = Position(position.epoch + 1)
                continue
            for number in range(position.batch, len(batches)):
                yield self._batch(batches[number], replace(position, batch=number + 1))
            position = Position(position.epoch, position.pool + 1)

    def _pool(self, position: Position) -> list[npt.NDArray[np.int64]] | None:
        """The batches of one pool as members of the epoch; None past its end."""
        if self._epoch is None or self._epoch[0] != position.epoch:
            shuffled = np.random.default_rng([self.seed, position.epoch]).permutation(self.members)
            self._epoch = position.epoch, shuffled
        members = self._epoch[1][position.pool * self.data.pool : (position.pool + 1) * self.data.pool]
        if not len(members):
            return None
        lengths = np.array([self._lengths(member) for member in members])
        order = np.lexsort((lengths[:, 0], lengths[:, 1]))
        members, longest = members[order], lengths[order].max(1)
        batches, start = [], 0
        while start < len(members):
            end = start + 1
            widest = longest[start]
            while end < len(members) and end - start < self.data.batch_pairs:
                widest = max(widest, longest[end])
                if widest * (end - start + 1) > self.data.batch_pieces:
                    break
                end += 1
            batches.append(members[start:end])
            start = end
        shuffle = np.random.default_rng([self.seed, position.epoch, position.pool]).permutation(len(batches))
        return [batches[number] for number in shuffle]

    def _lengths(self, member: int) -> tuple[int, int]:
        corpus, row = self.corpora[member >> 40], member & ((1 << 40) - 1)
        return (int(corpus.source_offsets[row + 1] - corpus.source_offsets[row]),
                int(corpus.target_offsets[row + 1] - corpus.target_offsets[row]))

    def _batch(self, members: npt.NDArray[np.int64], after: Position) -> Batch:
        pairs = [(self.corpora[member >> 40], member & ((1 << 40) - 1)) for member in members]
        sources = [c.source[c.source_offsets[row] : c.source_offsets[row + 1]] for c, row in pairs]
        targets = [c.target[c.target_offsets[row] : c.target_offsets[row + 1]] for c, row in pairs]
        return Batch(pad(sources), pad(targets), sum(len(target) for target in targets), after)


def pad(sentences: list[npt.NDArray[np.uint16]] | list[list[int]]) -> Ids:
    """Sentences of piece numbers, padded on the right: (sentences, longest)."""
    padded = np.full((len(sentences), max(len(sentence) for sentence in sentences)), PAD, dtype=np.int64)
    for row, sentence in zip(padded, sentences, strict=True):
        row[: len(sentence)] = sentence
    return padded
