"""Files of sentence pairs, NAME.SRC-TGT.tsv[.xz]: finding and reading them.

Files are read by `model.text.tables`, except training text in its usual form (UTF-8 lines "source<TAB>target"): its
millions of lines are cleaned one by one.
"""

from __future__ import annotations

import glob
import lzma
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from model.text.cleaning import Pair
from model.text.documents import Contents, DocumentError
from model.text.languages import DEFAULT_PAIR, LanguagePair, parse_language_pair
from model.text.layout import Layout
from model.text.prepared import CorpusError
from model.text.tables import Table, read_table

_NAME = re.compile(r"(.+)\.([^.]+)\.tsv(?:\.xz)?")

_PROBE_BYTES = 2**20


@dataclass(frozen=True)
class PairFile:
    """A file of pairs; `is_reversed`: its columns are target and source."""

    path: Path
    is_reversed: bool = False

    def read_lines_and_note(self) -> tuple[list[str], str]:
        """Return the lines "source<TAB>target", and how they were read, "" for the usual form. Raises CorpusError.

        The beginning of the file decides about its form. The rows of any other table become lines; blank lines stay, so
        that cleaning counts them.
        """
        if _is_plain_tsv(self.path):
            return list(read_lines(self.path)), ""
        table = read_pair_table(self.path)
        rows = (" ".join(source.split()) + "\t" + " ".join(target.split()) + "\n"
                for source, target in zip(table.frame["source"], table.frame["reference"], strict=True))
        return [*rows, *("\n" for _ in table.blank_line_numbers)], "; ".join(table.remarks)

    def read_pairs(self) -> list[Pair]:
        """Return the normalised pairs, source first. Raises CorpusError."""
        pairs = read_pairs(self.path)
        return [(target, source) for source, target in pairs] if self.is_reversed else pairs

    def build_empty_error(self, rejected: Mapping[str, int]) -> CorpusError:
        """Build the error for a file without usable pairs, from counts of rejected lines by reason."""
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in rejected.items()) or "it is empty"
        return CorpusError(f"{self.path} has no usable pair ({reasons}); a line must be a source, a tab and its "
                           "translation")


def read_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, plain or .xz, without byte order mark. Only a line feed ends a line.

    Raises CorpusError.
    """
    path, number = Path(path), 0
    try:
        with open_file(path) as file:
            # Each line is decoded by itself, so that an error names the line and the byte in it.
            for number, line in enumerate(file, 1):
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(f"line {number} of {path} is not UTF-8 (byte {error.start + 1}); save the text as UTF-8"
                          ) from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise build_read_error(path, error) from error


def read_pairs(path: str | os.PathLike[str]) -> list[Pair]:
    """Return the normalised pairs of a file (`read_pair_table`). Raises CorpusError, also for an empty target."""
    return extract_pairs(read_pair_table(path), path)


def extract_pairs(table: Table, path: str | os.PathLike[str]) -> list[Pair]:
    """Return the normalised pairs of a file's table. Raises CorpusError for an empty target."""
    pairs = list(zip(table.sources, table.references or (), strict=True))
    for line, (_, target) in zip(table.line_numbers, pairs, strict=True):
        if not target:
            raise CorpusError(f"line {line} of {os.fspath(path)} has an empty translation; give one, or leave the "
                              "line out")
    return pairs


def read_pair_table(path: str | os.PathLike[str], language_pair: LanguagePair | None = None) -> Table:
    """Read a file of pairs, saved in any form. Raises CorpusError.

    The first column has the first language of the file name, unless a header says otherwise. `language_pair`: the
    languages of column names if the file name has none.
    """
    return read_sentence_file(path, language_pair, contents="pair", allow_partial=True)


def read_sentence_file(
    path: str | os.PathLike[str],
    language_pair: LanguagePair | None = None,
    *,
    contents: Contents = "detect",
    allow_partial: bool = False,
) -> Table:
    """Read a file of sentences of any size, plain or .xz, with `read_table`. Raises CorpusError."""
    return parse_table(read_bytes(path), path, language_pair, contents=contents, allow_partial=allow_partial)


def parse_table(
    data: bytes,
    path: str | os.PathLike[str],
    language_pair: LanguagePair | None = None,
    *,
    contents: Contents = "detect",
    allow_partial: bool = False,
) -> Table:
    """Read the bytes of a file of sentences (`read_sentence_file`). Raises CorpusError, which names the file."""
    name = Path(path).name
    try:
        return read_table(
            data,
            name.removesuffix(".xz"),
            contents=contents,
            has_limits=False,
            allow_partial=allow_partial,
            languages=parse_file_languages(name) or language_pair or DEFAULT_PAIR,
        )
    except DocumentError as error:
        raise CorpusError(f"{path} {error.predicate.removesuffix('.')}") from error


def read_bytes(path: str | os.PathLike[str], max_bytes: int = -1) -> bytes:
    """Return the first `max_bytes` bytes of a file, plain or .xz; -1 for all. Raises CorpusError."""
    path = Path(path)
    try:
        with open_file(path) as file:
            return file.read(max_bytes)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise build_read_error(path, error) from error


def _is_plain_tsv(path: Path) -> bool:
    """Return whether a file begins as usual training text: UTF-8, a tab in each line, no header, no quoted cells."""
    first_bytes = read_bytes(path, _PROBE_BYTES)
    if b"\0" in first_bytes:  # UTF-16
        return False
    if len(first_bytes) == _PROBE_BYTES:
        first_bytes = first_bytes[: first_bytes.rfind(b"\n") + 1] or first_bytes
    try:
        table = read_table(first_bytes, path.name.removesuffix(".xz"), has_limits=False, allow_partial=True,
                           languages=parse_file_languages(path.name) or DEFAULT_PAIR)
    except DocumentError as error:
        return error.kind in ("ragged", "encoding", "empty")  # cleaning counts such lines, or names them
    is_plain = table.layout == Layout("\t", False) and table.header is None and "reference" in table.frame
    return is_plain and all(note.kind == "blank" for note in table.notes)


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacking .xz."""
    return lzma.open(path, "rb") if path.suffix == ".xz" else path.open("rb")


def build_read_error(path: Path, error: Exception) -> CorpusError:
    """Build the error for a file that is missing, unreadable or damaged."""
    if isinstance(error, FileNotFoundError):
        return CorpusError(f"the file {path} is missing")
    return CorpusError(f"the file {path} cannot be read: {error}")


def parse_file_languages(file_name: str) -> LanguagePair | None:
    """Return source and target of a file name NAME.SRC-TGT.tsv[.xz]; None for any other name."""
    parts = parse_file_name(file_name)
    return None if parts is None else parts[1:]


def parse_file_name(file_name: str) -> tuple[str, str, str] | None:
    """Return name, source and target of a file name NAME.SRC-TGT.tsv[.xz]; None for any other name."""
    match = _NAME.fullmatch(file_name)
    if match is None:
        return None
    try:
        return match[1], *parse_language_pair(match[2])
    except ValueError:
        return None


def find_language_pair(folder: Path, names: Iterable[str] = ()) -> LanguagePair:
    """Return the languages of the training files under a folder, or of those with given names.

    Raises CorpusError unless they all have the same pair.
    """
    names = set(names)
    pairs = {(source, target) for name, source, target in _list_pair_files(folder / "train")
             if not names or name in names}  # fmt: skip
    if not pairs:
        raise CorpusError(f"{folder} holds no corpus: put its pairs, a source, a tab, its translation a line, into "
                          "train/NAME.SRC-TGT.tsv, such as train/mine.en-ko.tsv")
    if len(pairs) > 1:
        pair_list = ", ".join(sorted("-".join(pair) for pair in pairs))
        raise CorpusError(f"{folder}/train has corpora of several pairs of languages ({pair_list}); choose one with "
                          "--languages SRC-TGT or in the control file")
    return pairs.pop()


def find_pair_files(folder: Path, part: str, language_pair: LanguagePair) -> dict[str, PairFile]:
    """Return the files of a pair of languages in part of a folder ("train"), by name, in order of names.

    Files of either direction count. Raises CorpusError if a name has several files.
    """
    return {name: find_pair_file(folder, f"{part}/{name}", language_pair)
            for name, *pair in sorted(_list_pair_files(folder / part))
            if tuple(pair) in (language_pair, language_pair[::-1])}  # fmt: skip


def find_pair_file(folder: Path, name: str, language_pair: LanguagePair) -> PairFile:
    """Return the one file "train/NAME" of a pair of languages, in either direction. Raises CorpusError."""
    files = match_pair_files(folder, [glob.escape(name)], language_pair)
    if len(files) > 1:
        first, second = sorted(file.path.name for file in files[:2])
        raise CorpusError(f"{folder} has both {first} and {second}; remove one of them")
    if not files:
        raise CorpusError(f"{folder} lacks {name}.{'-'.join(language_pair)}.tsv (or .tsv.xz)")
    return files[0]


def find_required_files(folder: Path, names: Mapping[str, str], language_pair: LanguagePair) -> dict[str, PairFile]:
    """Return the file of each name (`find_pair_file`), by key. One CorpusError names all that are missing."""
    missing = [f"{name}.{'-'.join(language_pair)}.tsv" for name in names.values()
               if not match_pair_files(folder, [glob.escape(name)], language_pair)]  # fmt: skip
    if missing:
        raise CorpusError(f"{folder} lacks {', '.join(missing)} (or .tsv.xz); put them there, or give a control file "
                          "that does without")
    return {key: find_pair_file(folder, name, language_pair) for key, name in names.items()}


def match_pair_files(folder: Path, patterns: Iterable[str], language_pair: LanguagePair) -> list[PairFile]:
    """Return the files of a pair of languages, in either direction, that match patterns such as "test/*", by path."""
    files: dict[Path, PairFile] = {}
    for pattern in patterns:
        for is_reversed, pair in ((False, language_pair), (True, language_pair[::-1])):
            for suffix in ("", ".xz"):
                for path in folder.glob(f"{pattern}.{'-'.join(pair)}.tsv{suffix}"):
                    if not path.name.startswith("."):  # macOS puts ._NAME beside files of other disks
                        files[path] = PairFile(path, is_reversed)
    return [files[path] for path in sorted(files)]


def _list_pair_files(folder: Path) -> set[tuple[str, str, str]]:
    """Return name, source and target of every file of pairs in a folder."""
    return {parts for path in folder.glob("[!.]*.tsv*") if (parts := parse_file_name(path.name))}
