"""Batches of pairs of similar length, in an order that depends only on the seed.

An epoch is a permutation of all pairs, each corpus as often as the recipe says. It is divided into pools; a pool is
sorted by length and cut into batches, which are shuffled. Seed and position suffice to continue anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from model.text.padding import pad_sequences
from model.text.prepared import CorpusError, EncodedCorpus
from model.text.vocabulary import EOS, PAD, UNK
from model.training.recipe import DataSettings

MAX_EPOCHS = 10**9

Ids = npt.NDArray[np.int64]
Segment = Callable[[Sequence[Sequence[int]], np.random.Generator], Sequence[Sequence[int]]]
"""Returns the same sentences of token ids in other pieces."""
UnknownIds = Literal["refused", "UNK", "kept"]
"""What becomes of ids beyond the vocabulary, which unknown words of a word vocabulary have (`EncodedCorpus`)."""


class DataError(ValueError):
    """Prepared data is missing or does not fit; the message names the command to run."""


@dataclass(frozen=True)
class Position:
    """A position in the data: the batches before this one have been used."""

    epoch: int = 0
    pool: int = 0
    batch: int = 0


@dataclass(frozen=True)
class Batch:
    """Padded token ids, (pairs, source) and (pairs, target), and the number of target tokens without padding.

    `next_position`: where the next batch starts.
    """

    source: Ids
    target: Ids
    target_tokens: int
    next_position: Position

    def select_rank_rows(self, rank: int, processes: int) -> tuple[Ids, Ids]:
        """Return the source and target rows of one process: every `processes`-th from `rank`, possibly none."""
        return _trim_padding(self.source[rank::processes]), _trim_padding(self.target[rank::processes])


class Batches:
    """The endless stream of batches over a folder made by `python -m model data`."""

    def __init__(self, folder: Path, data: DataSettings, longest_words: int, seed: int, *,
                 vocabulary: int | None = None, unknown_ids: UnknownIds = "refused",
                 segment: Segment | None = None) -> None:
        """Read the recipe's corpora without pairs of more than `longest_words` words on a side.

        `segment` cuts the sources of each batch into pieces anew.

        Raises DataError if a corpus is missing or damaged, has token ids from `vocabulary` up that are refused, or no
        pair is left.
        """
        self.data, self.seed, self.segment = data, seed, segment
        self.corpora: dict[str, EncodedCorpus] = {}
        _check_corpora_exist(folder, data)
        members: list[Ids] = []
        first = [0]  # the number of each corpus's first pair; pairs are numbered across all corpora
        for name, copies in data.copies.items():
            if not copies:
                continue
            corpus = self.corpora[name] = _read_corpus(folder, name, vocabulary, unknown_ids)
            words = np.maximum(corpus.source_words, corpus.target_words)
            tokens = np.maximum(np.diff(corpus.source_offsets), np.diff(corpus.target_offsets))
            rows = np.flatnonzero((words <= longest_words) & (tokens <= data.longest_pieces))
            members += [rows + first[-1]] * copies
            first.append(first[-1] + len(corpus))
        self.members = np.concatenate(members)
        if not len(self.members):
            raise DataError(
                f"no pair in {folder} has at most {longest_words} words and {data.longest_pieces} tokens a side"
            )
        self._first = np.array(first)
        self._corpus_list = list(self.corpora.values())
        self._source_lengths = np.concatenate([np.diff(corpus.source_offsets) for corpus in self._corpus_list])
        self._target_lengths = np.concatenate([np.diff(corpus.target_offsets) for corpus in self._corpus_list])
        self._epoch: tuple[int, Ids] | None = None  # the number and the order of the current epoch

    @property
    def corpus_sizes(self) -> dict[str, Any]:
        """The pairs, source tokens and target tokens of each corpus, which identify a data folder."""
        return {name: [len(corpus), len(corpus.source), len(corpus.target)] for name, corpus in self.corpora.items()}

    def check_position(self, position: Position) -> None:
        """Raise DataError if no run over this data can have this position."""
        pools = -(-len(self.members) // self.data.pool)
        max_batches = min(self.data.pool, len(self.members))
        if position.epoch > MAX_EPOCHS or position.pool > pools or position.batch > max_batches:
            raise DataError(f"there is no batch {position.batch:,} in the pool {position.pool:,} of the epoch "
                            f"{position.epoch:,}: an epoch of this data has {pools:,} pools")

    def iterate_from(self, position: Position) -> Iterator[Batch]:
        """Yield all batches from a position on, without end."""
        while True:
            batches = self._cut_pool(position)
            if batches is None:
                position = Position(position.epoch + 1)
                continue
            for number in range(position.batch, len(batches)):
                yield self._build_batch(batches[number], replace(position, batch=number + 1))
            position = Position(position.epoch, position.pool + 1)

    def _cut_pool(self, position: Position) -> list[Ids] | None:
        """Return the batches of one pool as pair numbers; None after the end of the epoch."""
        if self._epoch is None or self._epoch[0] != position.epoch:
            shuffled = np.random.default_rng([self.seed, position.epoch]).permutation(self.members)
            self._epoch = position.epoch, shuffled
        members = self._epoch[1][position.pool * self.data.pool : (position.pool + 1) * self.data.pool]
        if not len(members):
            return None
        source, target = self._source_lengths[members], self._target_lengths[members]
        longest = np.maximum(source, target)
        # Both sorts are stable.
        order = np.lexsort((source, target)) if self.data.sort_by == "target" else np.argsort(longest, kind="stable")
        members, longest = members[order], longest[order]
        batches, start = [], 0
        while start < len(members):
            end = start + self._count_fitting(longest[start : start + self.data.batch_pairs])
            batches.append(members[start:end])
            start = end
        if not self.data.shuffle:
            return batches
        shuffle = np.random.default_rng([self.seed, position.epoch, position.pool]).permutation(len(batches))
        return [batches[number] for number in shuffle]

    def _count_fitting(self, longest: Ids) -> int:
        """Return how many of these pairs, given the lengths of their longer sides, fit into a batch; at least 1."""
        if not self.data.batch_pieces:
            return len(longest)
        area = np.maximum.accumulate(longest) * np.arange(1, len(longest) + 1)
        return max(1, int((area <= self.data.batch_pieces).sum()))

    def _build_batch(self, members: Ids, next_position: Position) -> Batch:
        sources: list[Sequence[int]] = []
        targets = []
        for number, corpus_index in zip(members, np.searchsorted(self._first, members, side="right") - 1, strict=True):
            corpus, row = self._corpus_list[corpus_index], number - self._first[corpus_index]
            sources.append(corpus.source[corpus.source_offsets[row] : corpus.source_offsets[row + 1]])
            targets.append(corpus.target[corpus.target_offsets[row] : corpus.target_offsets[row + 1]])
        if self.segment:
            random = np.random.default_rng([self.seed, next_position.epoch, next_position.pool, next_position.batch])
            sources = list(self.segment(sources, random))
        return Batch(pad_sequences(sources), pad_sequences(targets), sum(len(target) for target in targets),
                     next_position)


def match_corpora_in_folder(data: DataSettings, folder: Path) -> DataSettings:
    """Return the settings; if the folder has none of their corpora, with all of the folder's corpora once instead."""
    corpora = _list_corpora(folder)
    if not corpora or any(copies and name in corpora for name, copies in data.copies.items()):
        return data
    return replace(data, copies=dict.fromkeys(corpora, 1))


def _list_corpora(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("[!.]*.npz"))


def _check_corpora_exist(folder: Path, data: DataSettings) -> None:
    """Raise DataError if the folder has some corpora, but not all that the recipe names."""
    corpora = _list_corpora(folder)
    missing = [name for name, copies in data.copies.items() if copies and name not in corpora]
    if missing and corpora:
        raise DataError(f"the recipe asks for {', '.join(missing)}, and {folder} holds only {', '.join(corpora)}; "
                        "prepare what is missing (python -m model data), or train by your own recipe that extends this "
                        "one and says under [data] how often each corpus occurs in an epoch: copies = { NAME = 1 }")


def _trim_padding(ids: Ids) -> Ids:
    """Return a copy of the rows without the columns that are padding in all of them."""
    return np.ascontiguousarray(ids[:, : int((ids != PAD).sum(1).max(initial=0))])


def _read_corpus(folder: Path, name: str, vocabulary: int | None, unknown_ids: UnknownIds) -> EncodedCorpus:
    """Read a corpus and check that sentences end in EOS and ids are in the vocabulary. Raises DataError."""
    try:
        corpus = EncodedCorpus.load(folder / f"{name}.npz")
    except CorpusError as error:
        raise DataError(f"{error} (the corpus {name} of {folder}); make it: python -m model data") from error
    for ids, offsets in ((corpus.source, corpus.source_offsets), (corpus.target, corpus.target_offsets)):
        if not len(ids):
            continue
        if unknown_ids == "UNK" and vocabulary is not None:
            ids[ids >= vocabulary] = UNK
        if unknown_ids == "refused" and vocabulary is not None and int(ids.max()) >= vocabulary:
            raise DataError(f"the corpus {name} of {folder} has the token {int(ids.max())}, but its vocabulary ends at "
                            f"{vocabulary - 1}; make both anew: python -m model data")
        if int(ids.min()) == PAD or (ids[offsets[1:] - 1] != EOS).any():
            raise DataError(f"the corpus {name} of {folder} has sentences that do not end in EOS or hold padding; make "
                            "it anew: python -m model data")
    return corpus
