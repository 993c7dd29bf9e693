"""Lists of everyday sentences (greetings, questions, numbers, names) with their accepted translations.

`assets/everyday.json` has forty, `assets/everyday-60.json` sixty more; `assets/everyday-ko-en.json` and
`assets/everyday-en-ko.json` have sixty each. [a|b] stands for a or b. Each sentence is marked as seen or unseen in the
training text, which tells generalisation from memory. A control file can exclude them from the training text.
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
from model.text.languages import DEFAULT_PAIR, LanguagePair
from model.text.normalise import normalise
from model.text.pair_files import parse_file_languages, read_lines

DEFAULT_FILE = ASSETS / "everyday.json"
LISTS = {path.stem: path for path in (DEFAULT_FILE, ASSETS / "everyday-60.json")}
"""The shipped lists from English into French by name."""
PAIR_LISTS: dict[LanguagePair, dict[str, Path]] = {DEFAULT_PAIR: LISTS} | {
    pair: {f"everyday-{pair[0]}-{pair[1]}": ASSETS / f"everyday-{pair[0]}-{pair[1]}.json"}
    for pair in (("ko", "en"), ("en", "ko"))
}
"""The shipped lists of each pair of languages."""
ALL_LISTS = {name: path for lists in PAIR_LISTS.values() for name, path in lists.items()}
SCHEMA = 1
MAX_SENTENCE_LENGTH = 200  # characters; longer lines of a training text are skipped
_HANGUL = re.compile("[가-힣]")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


class EverydayError(CodecError):
    """An invalid file of everyday sentences or folder of training text; the message is one sentence for the user."""


@dataclass(frozen=True)
class EverydaySentence:
    """A source sentence, patterns of its accepted translations, and whether the training text lacks it."""

    source: str
    unseen: bool
    accepted: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.accepted:
            raise EverydayError(f"Each sentence has an accepted translation: got none of {self.source[:100]!r}.")
        for pattern in self.accepted:
            expand_pattern(pattern)  # raises EverydayError for unpaired brackets

    def accepts(self, output: str) -> bool:
        """Return whether a translation is accepted; final punctuation and the case of the first letter don't count."""
        accepted = {normalise_for_comparison(text) for pattern in self.accepted for text in expand_pattern(pattern)}
        return normalise_for_comparison(output) in accepted


@dataclass(frozen=True, kw_only=True)
class EverydayFile:
    """The contents of a file; `training_text`: the SHA-256 of each file that was searched for the sentences."""

    schema: int
    about: str = ""
    training_text: dict[str, str] = field(default_factory=dict)
    sentences: tuple[EverydaySentence, ...]

    def __post_init__(self) -> None:
        if self.schema != SCHEMA or not self.sentences:
            raise EverydayError(f"A file of schema {SCHEMA} with a sentence is needed: got {len(self.sentences)} "
                                f"of schema {self.schema}.")

    def to_json(self) -> str:
        """Return the file as JSON with a line per sentence."""
        fields = to_plain(self)
        return dump_items_by_line(fields, "sentences", fields.pop("sentences"))


def read_everyday(path: Path = DEFAULT_FILE) -> tuple[EverydaySentence, ...]:
    """Read the sentences of a file. Raises EverydayError."""
    return _read_file(path).sentences


def collect_excluded_keys(lists: Mapping[str, str]) -> frozenset[str]:
    """Return the match keys of all sentences that are left out of training corpora.

    `lists`: "all" or "unseen" for each list, by its name in ALL_LISTS.
    """
    return frozenset(
        make_match_key(normalise(sentence.source))
        for name, part in lists.items()
        for sentence in read_everyday(ALL_LISTS[name])
        if part == "all" or sentence.unseen
    )


def expand_pattern(pattern: str) -> list[str]:
    """Return all texts of a pattern: "[Le|Un] chat" gives "Le chat" and "Un chat"; choices don't nest."""
    parts = _CHOICE.split(pattern)  # plain text and choices in turn
    if any(bracket in part for part in parts for bracket in "[]"):
        raise EverydayError(f"Brackets in a pattern must be paired and not nested: got {pattern[:100]!r}.")
    options = [part.split("|") if number % 2 else [part] for number, part in enumerate(parts)]
    return ["".join(choice) for choice in product(*options)]


def normalise_for_comparison(text: str) -> str:
    """Normalise a translation, ignoring final punctuation, the case of the first letter and the spaces of Korean."""
    text = normalise(text).rstrip(" .!?")
    if _HANGUL.search(text):
        text = text.replace(" ", "")
    return text[:1].lower() + text[1:]


def find_seen_sentences(
    folder: Path, sentences: Sequence[str], language: str = DEFAULT_PAIR[0]
) -> tuple[set[str], dict[str, str]]:
    """Return the sentences that the training text has on the side of their language, and the SHA-256 of each file read.

    Reads train/*.tsv and train/*.tsv.xz. Case, punctuation and spacing don't count. Raises EverydayError if there is no
    such file, and CorpusError for a file that cannot be read.
    """
    sentence_by_key = {make_match_key(normalise(sentence)): sentence for sentence in sentences}
    files = sorted([*folder.glob("train/[!.]*.tsv"), *folder.glob("train/[!.]*.tsv.xz")])
    if not files:
        raise EverydayError(f"{folder} holds no training text: train/*.tsv or train/*.tsv.xz are missing.")
    seen_sentences: set[str] = set()
    for file in files:
        is_reversed = (parse_file_languages(file.name) or DEFAULT_PAIR)[1] == language
        for line in read_lines(file):
            side = line.rstrip("\r\n").split("\t", 1)[-1 if is_reversed else 0]
            if len(side) <= MAX_SENTENCE_LENGTH:
                sentence = sentence_by_key.get(make_match_key(normalise(side)))
                if sentence is not None:
                    seen_sentences.add(sentence)
    return seen_sentences, {file.name: compute_checksum(file) for file in files}


def record_unseen(folder: Path, path: Path = DEFAULT_FILE, language: str = DEFAULT_PAIR[0]) -> int:
    """Mark in the file which sentences the training text of a folder lacks. Return their number."""
    file = _read_file(path)
    sources = [sentence.source for sentence in file.sentences]
    seen_sentences, training_text = find_seen_sentences(folder, sources, language)
    sentences = tuple(replace(sentence, unseen=sentence.source not in seen_sentences) for sentence in file.sentences)
    replace_file(path, replace(file, training_text=training_text, sentences=sentences).to_json().encode())
    return len(sentences) - len(seen_sentences)


def _read_file(path: Path) -> EverydayFile:
    try:
        return read_record(EverydayFile, parse_json(path.read_bytes(), "a file of everyday sentences"), "file")
    except OSError as error:
        raise EverydayError(f"The everyday sentences {path} cannot be read: {error.strerror}.") from error
    except CodecError as error:
        raise EverydayError(f"{path} holds no everyday sentences of schema {SCHEMA}: {error}") from error


def dump_items_by_line(fields: dict[str, Any], name: str, items: Sequence[dict[str, Any]]) -> str:
    """Return JSON with a line for each of `fields` and for each item of the list `name`."""
    field_lines = [f" {dump_json(key)}: {dump_json(value)}" for key, value in fields.items()]
    item_lines = ",\n".join(f"  {dump_json(item)}" for item in items)
    return "{\n" + ",\n".join(field_lines) + f',\n {dump_json(name)}: [\n{item_lines}\n ]\n}}\n'
