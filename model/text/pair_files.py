"""Files of sentence pairs: read, plain or packed, and found by their names, NAME.SRC-TGT.tsv[.xz].

Everything is read as `model.text.tables` reads it, but for training text in its usual form (a source, a tab, its
translation, UTF-8): of that there are millions of lines, which are cleaned line by line.
"""

from __future__ import annotations

import lzma
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from model.text.cleaning import Pair
from model.text.documents import Contents, DocumentError
from model.text.languages import DEFAULT_PAIR, LanguagePair
from model.text.layout import Layout
from model.text.prepared import CorpusError
from model.text.tables import Table, read_table

_NAME = re.compile(r"(.+)\.([a-z]{2,3}(?:-[A-Z][A-Za-z0-9]+)?)-([a-z]{2,3}(?:-[A-Z][A-Za-z0-9]+)?)\.tsv(?:\.xz)?")

_PROBE_BYTES = 2**20  # bytes


@dataclass(frozen=True)
class PairFile:
    """A file of pairs; `turned` says that its columns are target and source."""

    path: Path
    is_reversed: bool = False

    def read_lines(self) -> list[str]:
        """Return its lines: a source, a tab, its translation. Raises CorpusError."""
        return self.read_lines_and_note()[0]

    def read_lines_and_note(self) -> tuple[list[str], str]:
        """Return its lines (`lines`), and how they were read, "" for the usual form. Raises CorpusError.

        Whether they have that form is decided by the file's beginning. Of any other table the rows become lines, and
        blank lines stay, so that cleaning counts them.
        """
        if _is_plain_tsv(self.path):
            return list(read_lines(self.path)), ""
        table = read_pair_table(self.path)
        rows = (" ".join(source.split()) + "\t" + " ".join(target.split()) + "\n"
                for source, target in zip(table.frame["source"], table.frame["reference"], strict=True))
        return [*rows, *("\n" for _ in table.blank_lines)], "; ".join(table.remarks)

    def read_pairs(self) -> list[Pair]:
        """Its pairs, source first (`read_pairs`)."""
        pairs = read_pairs(self.path)
        return [(target, source) for source, target in pairs] if self.is_reversed else pairs

    def build_empty_error(self, rejected: Mapping[str, int]) -> CorpusError:
        """The error where cleaning leaves nothing of it, by what was refused for what."""
        why = ", ".join(f"{count:,} {reason}" for reason, count in rejected.items()) or "it is empty"
        return CorpusError(f"nothing of {self.path} can be learnt from ({why}); a line is a source, a tab and its "
                           "translation")


def read_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, plain or .xz, without the mark that one may begin with; only a line feed ends a
    line. Raises CorpusError."""
    path, number = Path(path), 0
    try:
        with _open_binary(path) as file:
            # Line by line: of a file that is decoded as it is read an error tells the byte of a part of it.
            for number, line in enumerate(file, 1):
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(f"line {number} of {path} is not UTF-8 (byte {error.start + 1}); save the text as UTF-8"
                          ) from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise _build_read_error(path, error) from error


def read_pairs(path: str | os.PathLike[str]) -> list[Pair]:
    """Return the normalised pairs of a file (`read_pair_table`).

    Raises CorpusError for a row with an empty target, too, which nothing can be measured against.
    """
    return extract_pairs(read_pair_table(path), path)


def extract_pairs(table: Table, path: str | os.PathLike[str]) -> list[Pair]:
    """Return the normalised pairs of a file's table. Raises CorpusError for an empty target."""
    pairs = list(zip(table.sources, table.references or (), strict=True))
    for line, (_, target) in zip(table.lines, pairs, strict=True):
        if not target:
            raise CorpusError(f"line {line} of {os.fspath(path)} has an empty translation; give one, or leave the "
                              "line out")
    return pairs


def read_pair_table(path: str | os.PathLike[str], languages: LanguagePair | None = None) -> Table:
    """Read a file of pairs, however it was saved; its first column holds the first language of its name, unless a
    header says otherwise. `languages`: those after which columns may be named where the name says none. Raises
    CorpusError.
    """
    return read_sentence_file(path, languages, contents="pair", allow_partial=True)


def read_sentence_file(
    path: str | os.PathLike[str],
    languages: LanguagePair | None = None,
    *,
    contents: Contents = "detect",
    allow_partial: bool = False,
) -> Table:
    """Read a file of sentences of any size, plain or .xz, by `read_table`. Raises CorpusError."""
    return parse_table(read_bytes(path), path, languages, contents=contents, allow_partial=allow_partial)


def parse_table(data: bytes, path: str | os.PathLike[str], languages: LanguagePair | None = None, *,
             contents: Contents = "detect", allow_partial: bool = False) -> Table:
    """Read the bytes of a file of sentences (`read_file`). Raises CorpusError, which names the file."""
    name = Path(path).name
    try:
        return read_table(
            data,
            name.removesuffix(".xz"),
            contents=contents,
            has_limits=False,
            allow_partial=allow_partial,
            languages=parse_file_languages(name) or languages or DEFAULT_PAIR,
        )
    except DocumentError as error:
        raise CorpusError(f"{path} {error.predicate.removesuffix('.')}") from error


def read_bytes(path: str | os.PathLike[str], max_bytes: int = -1) -> bytes:
    """Return what a file holds, plain or .xz, at most so many bytes of it. Raises CorpusError."""
    path = Path(path)
    try:
        with _open_binary(path) as file:
            return file.read(max_bytes)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise _build_read_error(path, error) from error


def _is_plain_tsv(path: Path) -> bool:
    """Return whether a file begins as training text usually does: UTF-8, a tab in each line, no header, and quotation
    marks that are the sentences' own."""
    beginning = read_bytes(path, _PROBE_BYTES)
    if b"\0" in beginning:  # UTF-16
        return False
    if len(beginning) == _PROBE_BYTES:
        beginning = beginning[: beginning.rfind(b"\n") + 1] or beginning
    try:
        table = read_table(beginning, path.name.removesuffix(".xz"), has_limits=False, allow_partial=True,
                           languages=parse_file_languages(path.name) or DEFAULT_PAIR)
    except DocumentError as error:
        return error.kind in ("ragged", "encoding", "empty")  # cleaning counts such lines, or names them
    plain = table.layout == Layout("\t", False) and table.header is None and "reference" in table.frame
    return plain and all(note.kind == "blank" for note in table.notes)


def _open_binary(path: Path) -> IO[bytes]:
    return lzma.open(path, "rb") if path.suffix == ".xz" else path.open("rb")


def _build_read_error(path: Path, error: Exception) -> CorpusError:
    if isinstance(error, FileNotFoundError):
        return CorpusError(f"the file {path} is missing")
    return CorpusError(f"the file {path} cannot be read: {error}")


def parse_file_languages(file: str) -> LanguagePair | None:
    """Source and target as a file's name says them, NAME.SRC-TGT.tsv or .tsv.xz; None where it does not."""
    found = _NAME.fullmatch(file)
    return (found[2], found[3]) if found else None


def find_language_pair(folder: Path, names: Iterable[str] = ()) -> LanguagePair:
    """The languages of the training files under a folder, of those of these names if any are given.

    Raises CorpusError unless they are all of one pair.
    """
    wanted = set(names)
    found = {part[1:] for part in _list_pair_names(folder / "train") if not wanted or part[0] in wanted}
    if not found:
        raise CorpusError(f"{folder} holds no corpus: put its pairs, a source, a tab, its translation a line, into "
                          "train/NAME.SRC-TGT.tsv, such as train/mine.en-ko.tsv")
    if len(found) > 1:
        several = ", ".join(sorted("-".join(pair) for pair in found))
        raise CorpusError(f"{folder}/train has corpora of several pairs of languages ({several}); say which with "
                          "--languages SRC-TGT or in the control file")
    source, target = next(iter(found))
    return source, target


def find_pair_files(folder: Path, part: str, languages: LanguagePair) -> dict[str, PairFile]:
    """The files of a pair of languages, in either direction, in a part of the folder ("train"), by their names, which
    rise. Raises CorpusError where a name has several."""
    found: dict[str, PairFile] = {}
    for name, *pair in sorted(_list_pair_names(folder / part)):
        if tuple(pair) in (languages, languages[::-1]):
            found[name] = find_pair_file(folder, f"{part}/{name}", languages)
    return found


def find_pair_file(folder: Path, name: str, languages: LanguagePair) -> PairFile:
    """The file "train/NAME" of a pair of languages, packed or not, in either direction. Raises CorpusError unless there
    is just one."""
    source, target = languages
    candidates = [PairFile(folder / f"{name}.{pair}.tsv{packed}", turned)
                  for pair, turned in ((f"{source}-{target}", False), (f"{target}-{source}", True))
                  for packed in ("", ".xz")]
    there = [one for one in candidates if one.path.is_file()]
    if len(there) > 1:
        raise CorpusError(f"{folder} has both {there[0].path.name} and {there[1].path.name}; remove one of them")
    if not there:
        raise CorpusError(f"{folder} lacks {name}.{source}-{target}.tsv (or .tsv.xz)")
    return there[0]


def find_required_files(folder: Path, names: Mapping[str, str], languages: LanguagePair) -> dict[str, PairFile]:
    """For each key the file of its name, as `file_of`; all that are missing are named by one CorpusError."""
    found: dict[str, PairFile] = {}
    missing: list[str] = []
    for key, name in names.items():
        if any(_glob_pair_files(folder, name, pair) for pair in (languages, languages[::-1])):
            found[key] = find_pair_file(folder, name, languages)
        else:
            missing.append(f"{name}.{'-'.join(languages)}.tsv")
    if missing:
        raise CorpusError(f"{folder} lacks {', '.join(missing)} (or .tsv.xz); put them there, or give a control file "
                          "that does without")
    return found


def match_pair_files(folder: Path, patterns: Iterable[str], languages: LanguagePair) -> list[PairFile]:
    """The files of a pair of languages, in either direction, that patterns such as "test/*" match, by their paths."""
    found: dict[Path, PairFile] = {}
    for pattern in patterns:
        for turned, pair in enumerate((languages, languages[::-1])):
            for path in _glob_pair_files(folder, pattern, pair):
                found[path] = PairFile(path, bool(turned))
    return [found[path] for path in sorted(found)]


def _glob_pair_files(folder: Path, pattern: str, pair: tuple[str, ...]) -> list[Path]:
    found = (path for packed in ("", ".xz") for path in folder.glob(f"{pattern}.{'-'.join(pair)}.tsv{packed}"))
    return [path for path in found if not path.name.startswith(".")]  # macOS puts ._NAME beside files of other disks


def _list_pair_names(folder: Path) -> set[tuple[str, str, str]]:
    """Name, source and target of every file of pairs in a folder."""
    found = (_NAME.fullmatch(path.name) for path in folder.glob("[!.]*.tsv*"))
    return {(match[1], match[2], match[3]) for match in found if match}
