"""Batches of pairs of like length, in an order that depends on the seed and the position alone.

An epoch is a permutation of all pairs (each corpus as often as the recipe says). It is drawn a pool at a time; a pool
is sorted by length, cut into batches, and the batches shuffled. Whoever knows seed and position can go on there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from model.text.prepared import CorpusError, EncodedCorpus
from model.text.vocabulary import EOS, PAD
from model.training.recipe import DataSettings

EPOCHS = 10**9  # more than any run comes to

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
    target_tokens: int
    position: Position  # of the batch that follows

    def select_rank_rows(self, rank: int, processes: int) -> tuple[Ids, Ids]:
        """One process's rows, source and target: every `processes`-th from `rank`; none of a batch too small."""
        return _trimmed(self.source[rank::processes]), _trimmed(self.target[rank::processes])


class Batches:
    """The endless stream of batches over a folder made by `python -m model data`."""

    def __init__(self, folder: Path, data: DataSettings, longest_words: int, seed: int, *,
                 vocabulary: int | None = None) -> None:
        """Reads the recipe's corpora, leaving out pairs over `longest_words` words on a side.

        Raises DataError where a corpus is missing or damaged, holds pieces from `vocabulary` up, or nothing is left.
        """
        self.data, self.seed = data, seed
        self.corpora: dict[str, EncodedCorpus] = {}
        _check_there(folder, data)
        members: list[Ids] = []
        first = [0]  # the number of each corpus's first pair, all corpora counted through
        for name, copies in data.copies.items():
            if not copies:
                continue
            corpus = self.corpora[name] = _read(folder, name, vocabulary)
            words = np.maximum(corpus.source_words, corpus.target_words)
            pieces = np.maximum(np.diff(corpus.source_offsets), np.diff(corpus.target_offsets))
            rows = np.flatnonzero((words <= longest_words) & (pieces <= data.longest_pieces))
            members += [rows + first[-1]] * copies
            first.append(first[-1] + len(corpus))
        self.members = np.concatenate(members)
        if not len(self.members):
            raise DataError(
                f"no pair in {folder} has at most {longest_words} words and {data.longest_pieces} pieces a side"
            )
        self._first = np.array(first)
        self._in_order = list(self.corpora.values())
        self._source_lengths = np.concatenate([np.diff(corpus.source_offsets) for corpus in self._in_order])
        self._target_lengths = np.concatenate([np.diff(corpus.target_offsets) for corpus in self._in_order])
        self._epoch: tuple[int, Ids] | None = None

    @property
    def corpus_sizes(self) -> dict[str, Any]:
        """What tells one data folder from another: of each corpus, pairs and the pieces of either side."""
        return {name: [len(corpus), len(corpus.source), len(corpus.target)] for name, corpus in self.corpora.items()}

    def check_position(self, position: Position) -> None:
        """Raise DataError for a position that no run over this data comes to."""
        pools = -(-len(self.members) // self.data.pool)
        if position.epoch > EPOCHS or position.pool > pools or position.batch > min(self.data.pool, len(self.members)):
            raise DataError(f"there is no batch {position.batch:,} in the pool {position.pool:,} of the epoch "
                            f"{position.epoch:,}: an epoch of this data has {pools:,} pools")

    def iterate_from(self, position: Position) -> Iterator[Batch]:
        """All batches from a position on, without end."""
        while True:
            batches = self._pool(position)
            if batches is None:
                position = Position(position.epoch + 1)
                continue
            for number in range(position.batch, len(batches)):
                yield self._batch(batches[number], replace(position, batch=number + 1))
            position = Position(position.epoch, position.pool + 1)

    def _pool(self, position: Position) -> list[Ids] | None:
        """The batches of one pool as numbers of pairs; None past the epoch's end."""
        if self._epoch is None or self._epoch[0] != position.epoch:
            shuffled = np.random.default_rng([self.seed, position.epoch]).permutation(self.members)
            self._epoch = position.epoch, shuffled
        members = self._epoch[1][position.pool * self.data.pool : (position.pool + 1) * self.data.pool]
        if not len(members):
            return None
        source, target = self._source_lengths[members], self._target_lengths[members]
        longest = np.maximum(source, target)
        # Of equal keys the one drawn first stays first.
        order = np.lexsort((source, target)) if self.data.sort_by == "target" else np.argsort(longest, kind="stable")
        members, longest = members[order], longest[order]
        batches, start = [], 0
        while start < len(members):
            end = start + self._fitting(longest[start : start + self.data.batch_pairs])
            batches.append(members[start:end])
            start = end
        if not self.data.shuffle:
            return batches
        shuffle = np.random.default_rng([self.seed, position.epoch, position.pool]).permutation(len(batches))
        return [batches[number] for number in shuffle]

    def _fitting(self, longest: Ids) -> int:
        """How many of these pairs, from the first on, make a batch; their longer sides are given."""
        if not self.data.batch_pieces:
            return len(longest)
        area = np.maximum.accumulate(longest) * np.arange(1, len(longest) + 1)
        return max(1, int((area <= self.data.batch_pieces).sum()))

    def _batch(self, members: Ids, after: Position) -> Batch:
        sources, targets = [], []
        for number, which in zip(members, np.searchsorted(self._first, members, side="right") - 1, strict=True):
            corpus, row = self._in_order[which], number - self._first[which]
            sources.append(corpus.source[corpus.source_offsets[row] : corpus.source_offsets[row + 1]])
            targets.append(corpus.target[corpus.target_offsets[row] : corpus.target_offsets[row + 1]])
        return Batch(pad_sequences(sources), pad_sequences(targets), sum(len(target) for target in targets), after)


def match_corpora_in_folder(data: DataSettings, folder: Path) -> DataSettings:
    """A recipe's data as it is; of a folder that holds none of its corpora, all that are there, each once."""
    there = sorted(path.stem for path in folder.glob("[!.]*.npz"))
    if not there or any(copies and name in there for name, copies in data.copies.items()):
        return data
    return replace(data, copies=dict.fromkeys(there, 1))


def _check_there(folder: Path, data: DataSettings) -> None:
    """Raise DataError where the folder has some corpora, but not all that the recipe names."""
    there = sorted(path.stem for path in folder.glob("[!.]*.npz"))
    missing = [name for name, copies in data.copies.items() if copies and name not in there]
    if missing and there:
        raise DataError(f"the recipe asks for {', '.join(missing)}, and {folder} holds {', '.join(there)} alone; "
                        "prepare what is missing (python -m model data), or train by a recipe of your own that extends "
                        "this one and says under [data] how often each of yours stands in an epoch: "
                        "copies = { NAME = 1 }")


def pad_sequences(sentences: Sequence[Sequence[int] | npt.NDArray[np.uint16]]) -> Ids:
    """Sentences of piece numbers, padded on the right: (sentences, longest)."""
    padded = np.full((len(sentences), max(len(sentence) for sentence in sentences)), PAD, dtype=np.int64)
    for row, sentence in zip(padded, sentences, strict=True):
        row[: len(sentence)] = sentence
    return padded


def _trimmed(ids: Ids) -> Ids:
    """The rows without the columns that are padding in all of them, and apart from the batch they came from."""
    return np.ascontiguousarray(ids[:, : int((ids != PAD).sum(1).max(initial=0))])


def _read(folder: Path, name: str, vocabulary: int | None) -> EncodedCorpus:
    """A corpus whose sentences all end in EOS and hold pieces of the vocabulary alone; raises DataError."""
    try:
        corpus = EncodedCorpus.load(folder / f"{name}.npz")
    except CorpusError as error:
        raise DataError(f"{error} (the corpus {name} of {folder}); make it: python -m model data") from error
    for ids, offsets in ((corpus.source, corpus.source_offsets), (corpus.target, corpus.target_offsets)):
        if not len(ids):
            continue
        if vocabulary is not None and int(ids.max()) >= vocabulary:
            raise DataError(f"the corpus {name} of {folder} has the piece {int(ids.max())}, but its vocabulary ends at "
                            f"{vocabulary - 1}; make both anew: python -m model data")
        if int(ids.min()) == PAD or (ids[offsets[1:] - 1] != EOS).any():
            raise DataError(f"the corpus {name} of {folder} has sentences that do not end in EOS or hold padding; make "
                            "it anew: python -m model data")
    return corpus
