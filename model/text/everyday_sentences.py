"""Lists of everyday sentences: greetings, questions, numbers, names, cats; and what is accepted as their translation.

`assets/everyday.json` has forty and `assets/everyday-60.json` sixty more, [a|b] standing for a or b. Of each it is
known whether it stands in the training text, so that what a model has learnt can be told from what it remembers; a
control file of corpora may keep them out of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from model.paths import ASSETS
from model.serialization.codec import CodecError, dump_json, parse_json, read_record, to_plain
from model.serialization.files import compute_checksum, replace_file
from model.text.cleaning import make_match_key
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import normalise
from model.text.pair_files import parse_file_languages, read_lines

DEFAULT_FILE = ASSETS / "everyday.json"
LISTS = {path.stem: path for path in (DEFAULT_FILE, ASSETS / "everyday-60.json")}
"""The lists that are shipped, by their names."""
SCHEMA = 1
LONGEST_SIDE = 200  # characters; longer lines of a training text are none of these sentences
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


class EverydayError(CodecError):
    """A file of everyday sentences or a folder of training text that cannot be used; one sentence for the reader."""


@dataclass(frozen=True)
class EverydaySentence:
    """An English sentence, all that is accepted as its French, and whether no training text holds it."""

    source: str
    unseen: bool
    accepted: tuple[str, ...]

    def __post_init__(self) -> None:
        if not all([expand_pattern(pattern) for pattern in self.accepted] or [False]):
            raise EverydayError(f"Each sentence has an accepted translation: got none of {self.source[:100]!r}.")

    def accepts(self, output: str) -> bool:
        """Whether this is a right translation; its final punctuation and the case of its first letter don't matter."""
        return normalise_for_comparison(output) in {
            normalise_for_comparison(text) for pattern in self.accepted for text in expand_pattern(pattern)
        }


@dataclass(frozen=True, kw_only=True)
class EverydayFile:
    """What such a file holds; `training_text`: the SHA-256 of each file that was asked for the sentences."""

    schema: int
    about: str = ""
    training_text: dict[str, str] = field(default_factory=dict)
    sentences: tuple[EverydaySentence, ...]

    def __post_init__(self) -> None:
        if self.schema != SCHEMA or not self.sentences:
            raise EverydayError(f"A file of schema {SCHEMA} with a sentence is needed: got {len(self.sentences)} "
                                f"of schema {self.schema}.")

    def to_json(self) -> str:
        """The file as JSON, a sentence a line."""
        head = to_plain(self)
        return dump_items_by_line(head, "sentences", head.pop("sentences"))


def read_everyday(path: Path = DEFAULT_FILE) -> tuple[EverydaySentence, ...]:
    """The sentences of a file; EverydayError where it is no such file."""
    return _read_file(path).sentences


def collect_excluded_keys(lists: Mapping[str, str]) -> frozenset[str]:
    """The `key` of every sentence that must not be learnt: of each list (one of LISTS) "all", or the "unseen" ones."""
    return frozenset(
        make_match_key(normalise(one.source))
        for name, which in lists.items()
        for one in read_everyday(LISTS[name])
        if which == "all" or one.unseen
    )


def expand_pattern(pattern: str) -> list[str]:
    """All texts a pattern stands for: "[Le|Un] chat" is "Le chat" and "Un chat"; choices don't nest."""
    parts = _CHOICE.split(pattern)  # plain text and choices in turn
    if any(bracket in part for part in parts for bracket in "[]"):
        raise EverydayError(f"In a pattern each [ has its ], and none stands inside another: got {pattern[:100]!r}.")
    options = [part.split("|") if number % 2 else [part] for number, part in enumerate(parts)]
    return ["".join(chosen) for chosen in product(*options)]


def normalise_for_comparison(text: str) -> str:
    """What two translations share that differ only in final punctuation and in the case of the first letter."""
    text = normalise(text).rstrip(" .!?")
    return text[:1].lower() + text[1:]


def find_seen_sentences(folder: Path, sentences: Sequence[str]) -> tuple[set[str], dict[str, str]]:
    """Which sentences are English sides of the training text, and the SHA-256 of each file that was read.

    Reads train/*.tsv and train/*.tsv.xz under the folder. Case, punctuation and spacing don't matter. Raises
    EverydayError where there is no such file.
    """
    wanted = {make_match_key(normalise(sentence)): sentence for sentence in sentences}
    files = sorted([*folder.glob("train/[!.]*.tsv"), *folder.glob("train/[!.]*.tsv.xz")])
    if not files:
        raise EverydayError(f"{folder} holds no training text: train/*.tsv or train/*.tsv.xz are missing.")
    found: set[str] = set()
    for file in files:
        turned = (parse_file_languages(file.name) or DEFAULT_PAIR)[1] == DEFAULT_PAIR[0]
        for line in read_lines(file):
            side = line.rstrip("\r\n").split("\t", 1)[-1 if turned else 0]
            if len(side) <= LONGEST_SIDE and (sentence := wanted.get(make_match_key(normalise(side)))) is not None:
                found.add(sentence)
    return found, {file.name: compute_checksum(file) for file in files}


def record_unseen(folder: Path, path: Path = DEFAULT_FILE) -> int:
    """Note in the file which sentences the training text of a folder does not hold; how many these are."""
    file = _read_file(path)
    found, training_text = find_seen_sentences(folder, [one.source for one in file.sentences])
    sentences = tuple(replace(one, unseen=one.source not in found) for one in file.sentences)
    replace_file(path, replace(file, training_text=training_text, sentences=sentences).to_json().encode())
    return len(sentences) - len(found)


def _read_file(path: Path) -> EverydayFile:
    """A file of everyday sentences, checked."""
    try:
        return read_record(EverydayFile, parse_json(path.read_bytes(), "a file of everyday sentences"), "file")
    except OSError as error:
        raise EverydayError(f"The everyday sentences {path} cannot be read: {error.strerror}.") from error
    except CodecError as error:
        raise EverydayError(f"{path} holds no everyday sentences of schema {SCHEMA}: {error}") from error


def dump_items_by_line(head: dict[str, Any], name: str, items: Sequence[dict[str, Any]]) -> str:
    """JSON with a line for each key of `head` and for each item of the list `name`."""
    written = [f" {dump_json(key)}: {dump_json(value)}" for key, value in head.items()]
    listed = ",\n".join(f"  {dump_json(item)}" for item in items)
    return "{\n" + ",\n".join(written) + f',\n {dump_json(name)}: [\n{listed}\n ]\n}}\n'
