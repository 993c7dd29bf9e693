"""A corpus as compact arrays of piece ids: what a training run reads."""

from __future__ import annotations

import contextlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from model.serialization.files import name_file_in_errors, rename_path
from model.text import languages
from model.text.cleaning import LanguagePair, Pair
from model.text.languages import DEFAULT_PAIR
from model.text.vocabulary import Vocabulary

_TOGETHER = 50_000  # pairs that are lists of numbers at one time


class CorpusError(ValueError):
    """Corpus files that are missing or not what they should be."""


@dataclass(frozen=True)
class EncodedCorpus:
    """A corpus as piece ids: sentence i of the source is source[source_offsets[i]:source_offsets[i + 1]], EOS last.

    `source`, `target`: (pieces,) uint16. `source_offsets`, `target_offsets`: (pairs + 1,) int64. `source_words`,
    `target_words`: (pairs,) uint16, words of each sentence, as its language counts them.
    """

    source: npt.NDArray[np.uint16]
    target: npt.NDArray[np.uint16]
    source_offsets: npt.NDArray[np.int64]
    target_offsets: npt.NDArray[np.int64]
    source_words: npt.NDArray[np.uint16]
    target_words: npt.NDArray[np.uint16]

    def __post_init__(self) -> None:
        for name in ("source", "target"):
            ids, offsets, words = (getattr(self, name + part) for part in ("", "_offsets", "_words"))
            if len(words) != len(self) or len(offsets) != len(self) + 1:
                raise CorpusError(f"{len(self)} pairs need as many {name} lengths, but there are {len(words)}")
            if offsets[0] != 0 or offsets[-1] != len(ids) or (np.diff(offsets) < 1).any():
                raise CorpusError(f"the {name} offsets do not divide the {len(ids)} ids into sentences")

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.source_offsets) - 1

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> EncodedCorpus:
        """Read a prepared corpus; raises CorpusError where it is missing or is something else."""
        try:
            with np.load(path) as arrays:
                return cls(**{name: arrays[name] for name in cls.__dataclass_fields__})
        except OSError as error:
            raise CorpusError(f"the corpus {os.fspath(path)} cannot be read; prepare it first") from error
        except (KeyError, ValueError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
            raise CorpusError(f"{os.fspath(path)} is not a prepared corpus; prepare it again") from error

    def save(self, path: Path) -> None:
        """Write the arrays, uncompressed; a reader finds the whole file or none."""
        with written(path) as partial_path, partial_path.open("wb") as file:
            np.savez(file, **vars(self))


def encode_pairs(vocabulary: Vocabulary, pairs: list[Pair], max_length: int, threads: int = 1,
                 language_pair: LanguagePair = DEFAULT_PAIR) -> tuple[EncodedCorpus, int]:
    """Return the pairs as arrays of ids, without those over `limit` pieces a side, and how many those were."""
    parts = [_encoded(vocabulary, pairs[first : first + _TOGETHER], max_length, threads, language_pair)
             for first in range(0, max(1, len(pairs)), _TOGETHER)]
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name in ("source", "target"):
        for key in (name, f"{name}_words"):
            arrays[key] = np.concatenate([part[key] for part in parts])
        lengths = np.concatenate([part[f"{name}_lengths"] for part in parts])
        arrays[f"{name}_offsets"] = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return EncodedCorpus(**arrays), len(pairs) - len(arrays["source_words"])


def _encoded(vocabulary: Vocabulary, pairs: list[Pair], limit: int, threads: int, spoken: LanguagePair
             ) -> dict[str, npt.NDArray[Any]]:
    """The pieces, lengths and words of each side of some pairs; as lists all pairs of a large corpus would take
    gigabytes."""
    sides = [vocabulary.encode_lines([pair[side] for pair in pairs], threads) for side in (0, 1)]
    kept = [i for i, (s, t) in enumerate(zip(*sides, strict=True)) if len(s) <= limit and len(t) <= limit]
    arrays: dict[str, npt.NDArray[Any]] = {}
    for side, (name, language) in enumerate(zip(("source", "target"), spoken, strict=True)):
        chosen = [sides[side][i] for i in kept]
        arrays[f"{name}_lengths"] = np.array([len(ids) for ids in chosen], np.int64)
        arrays[name] = np.fromiter(chain.from_iterable(chosen), np.uint16, int(arrays[f"{name}_lengths"].sum()))
        arrays[f"{name}_words"] = np.array(
            [languages.get_language(language).count_words(pairs[i][side]) for i in kept], np.uint16
        )
    return arrays


@contextlib.contextmanager
def written(path: Path) -> Iterator[Path]:
    """A path to write to that takes the name of `path` once all is written."""
    partial_path = path.with_name(path.name + ".part")
    try:
        with name_file_in_errors(path):
            yield partial_path
            rename_path(partial_path, path)
    finally:
        partial_path.unlink(missing_ok=True)
