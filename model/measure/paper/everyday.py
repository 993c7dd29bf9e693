"""Forty everyday sentences: greetings, questions, numbers, names, cats; how many does a model get right?

`assets/everyday.json` holds them with all that is accepted as a translation, [a|b] standing for a or b. Of each it is
known whether it stands in the training text, so that what a model has learnt can be told from what it remembers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from model.codec import CodecError, dump, parse, plain, read
from model.search import Settings
from model.search.translate import Model, translate
from model.text.cleaning import key
from model.text.files import read_lines
from model.text.normalise import normalise

FILE = Path(__file__).resolve().parents[3] / "assets" / "everyday.json"
SCHEMA = 1
LONGEST_SIDE = 200  # characters; longer lines of a training text are none of these sentences
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


class EverydayError(CodecError):
    """A file of everyday sentences or a folder of training text that cannot be used; one sentence for the reader."""


@dataclass(frozen=True)
class Everyday:
    """An English sentence, all that is accepted as its French, and whether no training text holds it."""

    source: str
    unseen: bool
    accepted: tuple[str, ...]

    def __post_init__(self) -> None:
        if not all([expand(pattern) for pattern in self.accepted] or [False]):
            raise EverydayError(f"Each sentence has an accepted translation: got none of {self.source[:100]!r}.")

    def accepts(self, output: str) -> bool:
        """Whether this is a right translation; its final punctuation and the case of its first letter don't matter."""
        return comparable(output) in {comparable(text) for pattern in self.accepted for text in expand(pattern)}


@dataclass(frozen=True, kw_only=True)
class EverydayFile:
    """What `assets/everyday.json` holds; `training_text`: the SHA-256 of each file that was asked for the sentences."""

    schema: int
    about: str = ""
    training_text: dict[str, str] = field(default_factory=dict)
    sentences: tuple[Everyday, ...]

    def __post_init__(self) -> None:
        if self.schema != SCHEMA or not self.sentences:
            raise EverydayError(f"A file of schema {SCHEMA} with a sentence is needed: got {len(self.sentences)} "
                                f"of schema {self.schema}.")

    def to_json(self) -> str:
        """The file as JSON, a sentence a line."""
        head = plain(self)
        return _lines(head, "sentences", head.pop("sentences"))


@dataclass(frozen=True)
class Outcome:
    """What a model made of one sentence."""

    source: str
    output: str
    passed: bool
    unseen: bool


@dataclass(frozen=True)
class EverydayReport:
    """What a model made of all of them, with which search; the SHA-256 of their file, when, and by which command."""

    model: str
    fingerprint: str
    search: dict[str, int | float | str | bool]
    outcomes: tuple[Outcome, ...]
    sha256: str
    date: str
    command: str

    @property
    def passed(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def unseen(self) -> int:
        """How many of the sentences are in no training text."""
        return sum(outcome.unseen for outcome in self.outcomes)

    @property
    def unseen_passed(self) -> int:
        return sum(outcome.passed and outcome.unseen for outcome in self.outcomes)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    def to_json(self) -> str:
        """The report as JSON, a sentence a line, so that two reports can be compared line by line."""
        head = {"schema": SCHEMA, "model": self.model, "fingerprint": self.fingerprint, "search": self.search,
                "data": {"name": FILE.stem, "sha256": self.sha256}, "date": self.date, "command": self.command,
                "passed": self.passed, "sentences": len(self.outcomes),
                "unseen_passed": self.unseen_passed, "unseen": self.unseen}
        return _lines(head, "outcomes", plain(self.outcomes))


def read_everyday(path: Path = FILE) -> tuple[Everyday, ...]:
    """The sentences of a file; EverydayError where it is no such file."""
    return _file(path).sentences


def checksum(path: Path = FILE) -> str:
    """The SHA-256 of a file of everyday sentences."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_everyday(
    model: Model, settings: Settings | None = None, path: Path = FILE, *, command: str = ""
) -> EverydayReport:
    """Translate all sentences (greedily unless said otherwise) and compare them with what is accepted."""
    settings = replace(settings or Settings(), n_best=1, candidates=0, detail=False, tree=False)
    sentences = read_everyday(path)
    texts = [normalise(sentence.source) for sentence in sentences]
    traces = translate(model, texts, settings, batch_size=len(sentences))
    outcomes = []
    for sentence, found in zip(sentences, traces, strict=True):
        output = found[0].target.text
        outcomes.append(Outcome(sentence.source, output, sentence.accepts(output), sentence.unseen))
    search = {"name": settings.name, **settings.deciding, **({"seed": settings.seed} if settings.sample else {})}
    return EverydayReport(model.name, model.fingerprint, search, tuple(outcomes), checksum(path),
                          datetime.now(UTC).isoformat(timespec="seconds"), command)


def expand(pattern: str) -> list[str]:
    """All texts a pattern stands for: "[Le|Un] chat" is "Le chat" and "Un chat"; choices don't nest."""
    parts = _CHOICE.split(pattern)  # plain text and choices in turn
    if any(bracket in part for part in parts for bracket in "[]"):
        raise EverydayError(f"In a pattern each [ has its ], and none stands inside another: got {pattern[:100]!r}.")
    options = [part.split("|") if number % 2 else [part] for number, part in enumerate(parts)]
    return ["".join(chosen) for chosen in product(*options)]


def comparable(text: str) -> str:
    """What two translations share that differ only in final punctuation and in the case of the first letter."""
    text = normalise(text).rstrip(" .!?")
    return text[:1].lower() + text[1:]


def seen_in(folder: Path, sentences: Sequence[str]) -> tuple[set[str], dict[str, str]]:
    """Which sentences are English sides of the training text, and the SHA-256 of each file that was read.

    Reads train/*.tsv and train/*.tsv.xz under the folder. Case, punctuation and spacing don't matter. Raises
    EverydayError where there is no such file.
    """
    wanted = {key(normalise(sentence)): sentence for sentence in sentences}
    files = sorted([*folder.glob("train/*.tsv"), *folder.glob("train/*.tsv.xz")])
    if not files:
        raise EverydayError(f"{folder} holds no training text: train/*.tsv or train/*.tsv.xz are missing.")
    found: set[str] = set()
    for file in files:
        for line in read_lines(file):
            side = line.split("\t", 1)[0]
            if len(side) <= LONGEST_SIDE and (sentence := wanted.get(key(normalise(side)))) is not None:
                found.add(sentence)
    return found, {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def record_unseen(folder: Path, path: Path = FILE) -> int:
    """Note in the file which sentences the training text of a folder does not hold; how many these are."""
    file = _file(path)
    found, training_text = seen_in(folder, [one.source for one in file.sentences])
    sentences = tuple(replace(one, unseen=one.source not in found) for one in file.sentences)
    path.write_text(replace(file, training_text=training_text, sentences=sentences).to_json(), encoding="utf-8")
    return len(sentences) - len(found)


def _file(path: Path) -> EverydayFile:
    """A file of everyday sentences, checked."""
    try:
        return read(EverydayFile, parse(path.read_bytes(), "a file of everyday sentences"), "file")
    except OSError as error:
        raise EverydayError(f"The everyday sentences {path} cannot be read: {error.strerror}.") from error
    except CodecError as error:
        raise EverydayError(f"{path} holds no everyday sentences of schema {SCHEMA}: {error}") from error


def _lines(head: dict[str, Any], name: str, items: Sequence[dict[str, Any]]) -> str:
    """JSON with a line for each key of `head` and for each item of the list `name`."""
    written = [f" {dump(key)}: {dump(value)}" for key, value in head.items()]
    listed = ",\n".join(f"  {dump(item)}" for item in items)
    return "{\n" + ",\n".join(written) + f',\n {dump(name)}: [\n{listed}\n ]\n}}\n'
