"""Prepared training data: a corpus as compact arrays of token ids, and the metadata of a folder of corpora."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from model.serialization.codec import CodecError, parse_json
from model.serialization.files import replace_file
from model.text.cleaning import Pair
from model.text.languages import DEFAULT_PAIR, LanguagePair, get_language, validate_code
from model.text.vocabulary import Vocabulary

META_FILE = "meta.json"
PAIRS_PER_CHUNK = 50_000  # lists of numbers for all pairs of a large corpus would take gigabytes


class CorpusError(ValueError):
    """Corpus files that are missing or not what they should be."""


@dataclass(frozen=True)
class EncodedCorpus:
    """A corpus as token ids: sentence i of the source is source[source_offsets[i]:source_offsets[i + 1]], EOS last.

    Unknown words of a word vocabulary have the ids of the source's extended vocabulary (`Vocabulary.encode`).

    `source`, `target`: (tokens,) uint16. `source_offsets`, `target_offsets`: (pairs + 1,) int64. `source_words`,
    `target_words`: (pairs,) uint16, the number of words of each sentence.
    """

    source: npt.NDArray[np.uint16]
    target: npt.NDArray[np.uint16]
    source_offsets: npt.NDArray[np.int64]
    target_offsets: npt.NDArray[np.int64]
    source_words: npt.NDArray[np.uint16]
    target_words: npt.NDArray[np.uint16]

    def __post_init__(self) -> None:
        for name in ("source", "target"):
            ids, offsets, words = (getattr(self, name + suffix) for suffix in ("", "_offsets", "_words"))
            if len(words) != len(self) or len(offsets) != len(self) + 1:
                raise CorpusError(f"{len(self)} pairs need as many {name} sentences and word counts, but there are "
                                  f"{len(offsets) - 1} and {len(words)}")
            if offsets[0] != 0 or offsets[-1] != len(ids) or (np.diff(offsets) < 1).any():
                raise CorpusError(f"the {name} offsets do not divide the {len(ids)} ids into sentences")

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.source_offsets) - 1

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> EncodedCorpus:
        """Read a prepared corpus. Raises CorpusError if it is missing or something else."""
        try:
            with np.load(path) as arrays:
                return cls(**{name: arrays[name] for name in cls.__dataclass_fields__})
        except OSError as error:
            raise CorpusError(f"the corpus {os.fspath(path)} cannot be read; prepare it first") from error
        except (KeyError, ValueError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
            raise CorpusError(f"{os.fspath(path)} is not a prepared corpus; prepare it again") from error

    def save(self, path: Path) -> None:
        """Write the arrays uncompressed, atomically."""
        replace_file(path, lambda file: np.savez(file, **vars(self)))


def encode_pairs(vocabulary: Vocabulary, pairs: list[Pair], max_length: int, threads: int = 1,
                 language_pair: LanguagePair = DEFAULT_PAIR) -> tuple[EncodedCorpus, int]:  # fmt: skip
    """Encode pairs, leaving out those with over `max_length` tokens on a side. Return also how many were left out."""
    chunks = [_encode_chunk(vocabulary, pairs[start : start + PAIRS_PER_CHUNK], max_length, threads, language_pair)
              for start in range(0, max(1, len(pairs)), PAIRS_PER_CHUNK)]  # fmt: skip
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name in ("source", "target"):
        for key in (name, f"{name}_words"):
            arrays[key] = np.concatenate([chunk[key] for chunk in chunks])
        lengths = np.concatenate([chunk[f"{name}_lengths"] for chunk in chunks])
        arrays[f"{name}_offsets"] = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return EncodedCorpus(**arrays), len(pairs) - len(arrays["source_words"])


def _encode_chunk(vocabulary: Vocabulary, pairs: list[Pair], max_length: int, threads: int, language_pair: LanguagePair
                  ) -> dict[str, npt.NDArray[Any]]:  # fmt: skip
    """Return the token ids, token counts and word counts of each side."""
    if vocabulary.kind == "word":
        unknown = [vocabulary.find_unknown_words(source) for source, _ in pairs]
        sides = [[vocabulary.encode(pair[side], words) for pair, words in zip(pairs, unknown, strict=True)]
                 for side in (0, 1)]  # fmt: skip
    else:
        sides = [vocabulary.encode_lines([pair[side] for pair in pairs], threads) for side in (0, 1)]
    indices = [i for i, ids in enumerate(zip(*sides, strict=True)) if max(map(len, ids)) <= max_length]
    arrays: dict[str, npt.NDArray[Any]] = {}
    for side, (name, code) in enumerate(zip(("source", "target"), language_pair, strict=True)):
        encoded, language = [sides[side][i] for i in indices], get_language(code)
        arrays[f"{name}_lengths"] = np.array([len(ids) for ids in encoded], np.int64)
        arrays[name] = np.fromiter(chain.from_iterable(encoded), np.uint16, int(arrays[f"{name}_lengths"].sum()))
        arrays[f"{name}_words"] = np.array([language.count_words(pairs[i][side]) for i in indices], np.uint16)
    return arrays


def read_meta(folder: Path) -> dict[str, Any]:
    """Read the metadata of a prepared folder; {} for older folders without any. Raises CorpusError."""
    path = folder / META_FILE
    try:
        return parse_json(path.read_bytes(), "metadata of prepared data")
    except FileNotFoundError:
        return {}
    except (OSError, CodecError) as error:
        raise CorpusError(f"{path} cannot be read; prepare the data again: python -m model data FOLDER") from error


def read_language_pair(folder: Path) -> LanguagePair:
    """Return the languages of a prepared folder, `DEFAULT_PAIR` if it names none. Raises CorpusError."""
    languages = read_meta(folder).get("languages", DEFAULT_PAIR)
    try:
        source, target = languages
        return validate_code(source), validate_code(target)
    except (TypeError, ValueError) as error:
        raise CorpusError(f"{folder / META_FILE} names no pair of languages; prepare the data again: python -m model "
                          "data FOLDER") from error
