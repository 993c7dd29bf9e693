"""Control files: which corpora are prepared and how, as frozen dataclasses read from TOML and checked at the door."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from model.serialization.toml import SettingsError, check_range, load_toml, quote_value, read_section
from model.text.cleaning import Limits
from model.text.everyday_sentences import LISTS
from model.text.languages import validate_code
from model.text.vocabulary import VocabularyKind

FOLDER = Path(__file__).parent / "controls"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # of a corpus or a development file: part of a file's name
FILE_DESCRIPTION = "control file"
BARE_SUFFIX = "-bare"
TEMPLATES = ("everyday", "places", "numbers", "calendar")
"""What there are templates for: files of model/text/synthetic."""
SYNTHETIC_CORPORA = ("names", "capitals", "greetings", *TEMPLATES)
"""What the corpora made by rule are called (`Made`)."""

HELD_OUT_COUNT = 1000
HELD_OUT_SHARE = 0.02


@dataclass(frozen=True)
class CorpusSettings:
    """How the pairs of train/NAME.SRC-TGT.tsv[.xz] are prepared."""

    minutes: bool = False
    """They are minutes of a parliament, whose marks before a speech are taken off."""
    phrases: bool = False
    """They are headwords and phrases: half of them are given a capital and a full stop, as sentences have."""
    bare: bool = False
    """A further corpus NAME-bare is made: the same pairs as typed in haste, without capital and full stop."""
    vocabulary_copies: int = 1
    """How often the vocabulary's training reads the pairs, and the bare ones; 0 leaves them out."""
    vocabulary_pairs: int = 0
    """At most so many of the pairs, drawn by the seed; 0 for all."""
    held_out: int = 0
    """Source sentences kept for development, with all their translations, as the development file NAME:"""
    held_out_share: float = 1.0
    """at most this share of them all."""
    held_out_as: str = ""
    """The development file that they are kept for, which several corpora may share; not named: that of the corpus."""


@dataclass(frozen=True)
class VocabularySettings:
    """The vocabulary that both languages share."""

    size: int = 8000
    """Pieces."""
    kind: VocabularyKind = "unigram"
    """"unigram" for subwords and bytes, "word" for whole words and UNK."""
    alphabet: bool = True
    """Whether the alphabets of both languages are pieces, however rare a letter is."""

    def __post_init__(self) -> None:
        check_range(self, "vocabulary", 4, 65536, "size")


@dataclass(frozen=True)
class DevelopmentSettings:
    """What a run is measured on while it trains."""

    files: Mapping[str, str] = field(default_factory=dict)
    """The name of each and its file, without .SRC-TGT.tsv: { newstest2013 = "dev/newstest2013" }."""
    scored: tuple[str, ...] = ()
    """Those that dev BLEU is made of, the names of corpora with held-out sentences among them; none named: all."""
    by_length: tuple[str, ...] = ()
    """Those that BLEU by length is made of; none named: those that are scored."""


@dataclass(frozen=True)
class SyntheticSettings:
    """Corpora made by rule, from English into French (model/text/synthetic): none but those that are asked for."""

    names: tuple[str, ...] = ()
    """The corpora whose Toms and Marys get other names in a corpus "names","""
    names_copies: int = 1
    """each pair so often, with other names every time."""
    capitals: Mapping[str, int] = field(default_factory=dict)
    """How many pairs of a corpus stand in a corpus "capitals", written in them."""
    templates: Mapping[str, int] = field(default_factory=dict)
    """How often sentences are drawn from the templates of each name (TEMPLATES), for a corpus of that name."""
    greetings: bool = False
    """Whether there is a corpus "greetings", of single words too."""

    @property
    def corpus_names(self) -> tuple[str, ...]:
        """The names of the corpora that are made."""
        made = {"names": self.names, "capitals": self.capitals, "greetings": self.greetings}
        return *(name for name, wanted in made.items() if wanted), *self.templates


@dataclass(frozen=True)
class ControlFile:
    """A whole control file. The corpora are prepared in its order; `avoid` are patterns of files of which nothing
    longer than a phrase may be learnt: test sets."""

    corpora: Mapping[str, CorpusSettings]
    vocabulary: VocabularySettings = field(default_factory=VocabularySettings)
    development: DevelopmentSettings = field(default_factory=DevelopmentSettings)
    limits: Limits = field(default_factory=Limits)
    languages: tuple[str, ...] = ()  # none: those that the names of the files give
    avoid: tuple[str, ...] = ("test/*",)
    keep_out: Mapping[str, str] = field(default_factory=dict)
    """Of which lists of everyday sentences (model/text/everyday_sentences.py) "all" are kept out, or those that are "unseen"."""
    made: SyntheticSettings = field(default_factory=SyntheticSettings)
    seed: int = 1

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ControlFile:
        """Read what a TOML file gives; raises SettingsError."""
        return read_section(cls, FILE_DESCRIPTION, values, FILE_DESCRIPTION)

    def __post_init__(self) -> None:
        if not self.corpora:
            raise SettingsError(f"{FILE_DESCRIPTION}: corpora is empty; it must have a section for each, such as "
                                "[corpora.europarl]")
        if self.languages and len(self.languages) != 2:
            raise SettingsError(
                f"{FILE_DESCRIPTION}: languages is {quote_value(list(self.languages))}; it must be source and target, "
                'such as ["en", "fr"]'
            )
        for language in self.languages:
            try:
                validate_code(language)
            except ValueError as error:
                raise SettingsError(f"{FILE_DESCRIPTION}: {error}") from error
        for name in (*self.corpora, *self.development.files):
            if not NAME.fullmatch(name):
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: the name {quote_value(name)} cannot be part of a file's; it must have letters, "
                    "digits, . - and _ only"
                )
        for name, corpus in self.corpora.items():
            title = f"corpora.{name}"
            check_range(corpus, title, 0, 1000, "vocabulary_copies")
            check_range(corpus, title, 0, 10**9, "vocabulary_pairs", "held_out")
            check_range(corpus, title, 0, 1, "held_out_share")
            if f"{name}-bare" in self.corpora and corpus.bare:
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: {title}.bare makes a corpus {name}-bare, which stands there already"
                )
            kept_for = corpus.held_out_as or name
            if corpus.held_out and kept_for in self.development.files:
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: {kept_for} names a development file and held-out sentences; rename one"
                )
            if not NAME.fullmatch(kept_for):
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: {title}.held_out_as is {quote_value(kept_for)}; it must have letters, digits, "
                    ". - and _ only"
                )
        self._check_paths()
        self._check_synthetic()
        if not any(corpus.vocabulary_copies for corpus in self.corpora.values()):
            raise SettingsError(
                f"{FILE_DESCRIPTION}: vocabulary_copies is 0 for every corpus; it must be 1 or more for one"
            )
        if not 0 <= self.seed < 2**32:
            raise SettingsError(
                f"{FILE_DESCRIPTION}: seed is {quote_value(self.seed)}; it must be from 0 to {2**32 - 1:,}"
            )
        known = self.development_names
        for key in ("scored", "by_length"):
            for name in getattr(self.development, key):
                if name not in known:
                    raise SettingsError(
                        f"{FILE_DESCRIPTION}: development.{key} names {quote_value(name)}; it must be one of "
                        f"{', '.join(known) or 'none: there is no development file'}"
                    )

    @property
    def development_names(self) -> tuple[str, ...]:
        """All development files, those of held-out sentences among them."""
        held_out = dict.fromkeys(corpus.held_out_as or name for name, corpus in self.corpora.items() if corpus.held_out)
        return *self.development.files, *held_out

    def _check_paths(self) -> None:
        """Raise SettingsError unless all files that are named are looked for in the folder of corpora."""
        named = [("avoid", pattern) for pattern in self.avoid]
        named += [(f"development.files.{name}", file) for name, file in self.development.files.items()]
        for key, path in named:
            if not isinstance(path, str) or PurePath(path).anchor or "**" in path:
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: {key} has {quote_value(path)}; it must be a path from the folder of corpora "
                    "on, such as dev/newstest2013 or test/*"
                )

    def _check_synthetic(self) -> None:
        """Raise SettingsError where what is kept out or made is not to be had."""
        for name, which in self.keep_out.items():
            if name not in LISTS or which not in ("all", "unseen"):
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: keep_out has {quote_value(name)} = {quote_value(which)}; it must be one of "
                    f'{", ".join(LISTS)} = "all" or "unseen"'
                )
        read_here = [*self.corpora, *(f"{name}{BARE_SUFFIX}" for name, corpus in self.corpora.items() if corpus.bare)]
        for name in self.made.corpus_names:
            if name in read_here:
                raise SettingsError(f"{FILE_DESCRIPTION}: made makes a corpus {name}, which stands there already")
        for name in (*self.made.names, *self.made.capitals):
            if name not in self.corpora:
                raise SettingsError(
                    f"{FILE_DESCRIPTION}: made names {quote_value(name)}; it must be one of {', '.join(self.corpora)}"
                )
        for name in self.made.templates:
            if name not in TEMPLATES:
                raise SettingsError(f"{FILE_DESCRIPTION}: made.templates names {quote_value(name)}; it must be one of "
                                    f"{', '.join(TEMPLATES)}")
        for key in ("capitals", "templates"):
            for name, count in getattr(self.made, key).items():
                if not isinstance(count, int) or isinstance(count, bool) or not 0 < count <= 10**7:
                    raise SettingsError(
                        f"{FILE_DESCRIPTION}: made.{key}.{name} is {quote_value(count)}; it must be a whole number from "
                        "1 to 10,000,000"
                    )
        check_range(self.made, "made", 1, 100, "names_copies")


def load_control(name_or_path: str | os.PathLike[str]) -> ControlFile:
    """A control file of this package by name, or a TOML file by path; raises SettingsError."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{os.fspath(name_or_path)}.toml"
    known = ", ".join(sorted(control.stem for control in FOLDER.glob("*.toml")))
    unknown = (
        f"there is no {FILE_DESCRIPTION} {quote_value(os.fspath(name_or_path))}; choose {known}, or give a .toml file"
    )
    return ControlFile.from_dict(load_toml(path, FILE_DESCRIPTION, unknown))


def build_default_control(corpora: list[str], development: Mapping[str, str]) -> ControlFile:
    """What is done without a control file: every corpus as it is, each once, and every development file; without
    development files, HELD_OUT sentences of each corpus are kept for it, or HELD_OUT_SHARE where that is less."""
    corpus = CorpusSettings() if development else CorpusSettings(held_out=HELD_OUT_COUNT, held_out_share=HELD_OUT_SHARE)
    return ControlFile(dict.fromkeys(corpora, corpus), development=DevelopmentSettings(dict(development)))
