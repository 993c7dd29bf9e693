"""Control files: which corpora are prepared and how, read from TOML and validated."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from model.serialization.toml import SettingsFileError, check_range, load_toml, quote_value, read_section
from model.text.cleaning import PairLimits
from model.text.everyday_sentences import ALL_LISTS
from model.text.languages import validate_code
from model.text.vocabulary import MAX_VOCABULARY, VocabularyKind

FOLDER = Path(__file__).parent / "controls"
FILE_DESCRIPTION = "control file"
CORPUS_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # also of a development file: part of a file name
BARE_SUFFIX = "-bare"
TEMPLATES = ("everyday", "places", "numbers", "calendar")
"""The template files of model/text/synthetic, from English into French."""
KOREAN_TEMPLATES = ("sentences-ko", "clauses-ko", "numbers-ko", "calendar-ko")
"""The lists of templates in model/text/synthetic/korean."""
SYNTHETIC_CORPORA = ("names", "rare-names", "capitals", "greetings", *TEMPLATES, *KOREAN_TEMPLATES)
"""The names of the synthetic corpora (`SyntheticSettings`)."""

HELD_OUT_COUNT = 1000
HELD_OUT_SHARE = 0.02


@dataclass(frozen=True)
class CorpusSettings:
    """How the pairs of train/NAME.SRC-TGT.tsv[.xz] are prepared."""

    minutes: bool = False
    """Minutes of a parliament: the marks before a speech are stripped."""
    phrases: bool = False
    """Headwords and phrases: half of them get a capital and a full stop, as sentences have."""
    back_translated: bool = False
    """A model wrote the sources: targets that a development or test file has are left out, however short."""
    bare: bool = False
    """Add a corpus NAME-bare: the same pairs without initial capital and full stop."""
    vocabulary_copies: int = 1
    """How often vocabulary training reads the pairs, and the bare ones; 0 leaves them out."""
    vocabulary_pairs: int = 0
    """Most pairs that vocabulary training reads, and most bare ones, sampled with the seed; 0 for all."""
    held_out: int = 0
    """Number of source sentences that are held out for development, with all their translations."""
    held_out_share: float = 1.0
    """Largest share of the source sentences that is held out."""
    held_out_as: str = ""
    """The development file of the held-out sentences, which corpora may share; by default that of the corpus name."""


@dataclass(frozen=True)
class VocabularySettings:
    """The vocabulary that both languages share."""

    size: int = 8000
    """Number of pieces."""
    kind: VocabularyKind = "unigram"
    """"unigram" for subwords and bytes, "word" for whole words and UNK."""
    alphabet: bool = True
    """Whether the alphabets of both languages are pieces, however rare a letter is."""
    joined_spaces: int = 0
    """Pieces that get a leading space after training, for languages with endings (model/text/space_pieces.py)."""

    def __post_init__(self) -> None:
        check_range(self, "vocabulary", 4, MAX_VOCABULARY, "size")
        check_range(self, "vocabulary", 0, self.size // 2, "joined_spaces")


@dataclass(frozen=True)
class DevelopmentSettings:
    """What a run is evaluated on during training."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Files by name, without .SRC-TGT.tsv: { newstest2013 = "dev/newstest2013" }."""
    scored: tuple[str, ...] = ()
    """Development files that dev BLEU is computed on, those of held-out sentences among them; by default all."""
    by_length: tuple[str, ...] = ()
    """Development files that BLEU by length is computed on; by default `scored`."""


@dataclass(frozen=True)
class SyntheticSettings:
    """Synthetic corpora (model/text/synthetic); by default none.

    `names`, `rare_names`, `capitals` and `TEMPLATES` are from English into French; between English and Korean there are
    `KOREAN_TEMPLATES` and greetings.
    """

    names: tuple[str, ...] = ()
    """Corpora whose sentences about Tom and Mary are repeated with other names, as a corpus "names"."""
    names_copies: int = 1
    """How often each of these pairs is repeated, with different names."""
    rare_names: int = 0
    """How many pairs of `names` and `templates` are repeated with rare surnames, as a corpus "rare-names"."""
    capitals: Mapping[str, int] = field(default_factory=dict)
    """How many pairs of each corpus are put in capitals, as a corpus "capitals"."""
    templates: Mapping[str, int] = field(default_factory=dict)
    """How many pairs are generated from each template file or list, as a corpus of its name."""
    greetings: bool = False
    """Whether there is a corpus "greetings", of greetings and single words."""

    @property
    def corpus_names(self) -> tuple[str, ...]:
        """The names of the corpora to be generated, in order."""
        setting_by_name = {"names": self.names, "rare-names": self.rare_names, "capitals": self.capitals,
                           "greetings": self.greetings}  # fmt: skip
        return *(name for name, setting in setting_by_name.items() if setting), *self.templates


@dataclass(frozen=True)
class ControlFile:
    """The contents of a control file; its corpora are prepared in order."""

    corpora: Mapping[str, CorpusSettings]
    vocabulary: VocabularySettings = field(default_factory=VocabularySettings)
    development: DevelopmentSettings = field(default_factory=DevelopmentSettings)
    limits: PairLimits = field(default_factory=PairLimits)
    languages: tuple[str, ...] = ()
    """Source and target; by default those of the file names."""
    avoid: tuple[str, ...] = ("test/*",)
    """Patterns of test files; their sentences longer than a phrase are left out of the corpora."""
    keep_out: Mapping[str, str] = field(default_factory=dict)
    """Lists of everyday sentences, of which "all" or the "unseen" ones are left out of the corpora."""
    synthetic: SyntheticSettings = field(default_factory=SyntheticSettings)
    style_tags: bool = False
    """Whether a source into Korean gets a tag for the style of its target (model/text/politeness.py)."""
    seed: int = 1

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ControlFile:
        """Read the contents of a TOML file. Raises SettingsFileError."""
        return read_section(cls, FILE_DESCRIPTION, values, FILE_DESCRIPTION)

    def __post_init__(self) -> None:
        if not self.corpora:
            raise _build_error("corpora is empty; it must have a section for each, such as [corpora.europarl]")
        if self.languages and (len(self.languages) != 2 or self.languages[0] == self.languages[1]):
            raise _build_error(f"languages is {quote_value(list(self.languages))}; it must be source and target, such "
                               'as ["en", "fr"]')
        for language in self.languages:
            try:
                validate_code(language)
            except ValueError as error:
                raise _build_error(str(error)) from error
        for name in (*self.corpora, *self.development.files):
            if not CORPUS_NAME.fullmatch(name):
                raise _build_error(f"the name {quote_value(name)} cannot be part of a file's; it must have letters, "
                                   "digits, . - and _ only")
        for name, corpus in self.corpora.items():
            self._check_corpus(name, corpus)
        self._check_paths()
        self._check_synthetic()
        if not any(corpus.vocabulary_copies for corpus in self.corpora.values()):
            raise _build_error("vocabulary_copies is 0 for every corpus; it must be 1 or more for one")
        if not 0 <= self.seed < 2**32:
            raise _build_error(f"seed is {quote_value(self.seed)}; it must be from 0 to {2**32 - 1:,}")
        development_names = self.development_names
        for key in ("scored", "by_length"):
            for name in getattr(self.development, key):
                if name not in development_names:
                    raise _build_error(f"development.{key} names {quote_value(name)}; it must be one of "
                                       f"{', '.join(development_names) or 'none: there is no development file'}")

    @property
    def development_names(self) -> tuple[str, ...]:
        """All development files, those of held-out sentences among them."""
        held_out = dict.fromkeys(corpus.held_out_as or name for name, corpus in self.corpora.items() if corpus.held_out)
        return *self.development.files, *held_out

    def _check_corpus(self, name: str, corpus: CorpusSettings) -> None:
        title = f"corpora.{name}"
        check_range(corpus, title, 0, 1000, "vocabulary_copies")
        check_range(corpus, title, 0, 10**9, "vocabulary_pairs", "held_out")
        check_range(corpus, title, 0, 1, "held_out_share")
        if corpus.bare and f"{name}{BARE_SUFFIX}" in self.corpora:
            raise _build_error(f"{title}.bare adds a corpus {name}{BARE_SUFFIX}, which already exists")
        held_out_name = corpus.held_out_as or name
        if corpus.held_out and held_out_name in self.development.files:
            raise _build_error(f"{held_out_name} names a development file and held-out sentences; rename one")
        if not CORPUS_NAME.fullmatch(held_out_name):
            raise _build_error(f"{title}.held_out_as is {quote_value(held_out_name)}; it must have letters, digits, . "
                               "- and _ only")

    def _check_paths(self) -> None:
        """Raise SettingsFileError unless all paths are relative to the folder of corpora."""
        paths = [("avoid", pattern) for pattern in self.avoid]
        paths += [(f"development.files.{name}", file) for name, file in self.development.files.items()]
        for key, path in paths:
            if not isinstance(path, str) or PurePath(path).anchor or "**" in path or ".." in PurePath(path).parts:
                raise _build_error(f"{key} has {quote_value(path)}; it must be a path from the folder of corpora on, "
                                   "such as dev/newstest2013 or test/*")

    def _check_synthetic(self) -> None:
        """Raise SettingsFileError for an unknown everyday list or a synthetic corpus that cannot be generated."""
        for name, part in self.keep_out.items():
            if name not in ALL_LISTS or part not in ("all", "unseen"):
                raise _build_error(f"keep_out has {quote_value(name)} = {quote_value(part)}; it must be one of "
                                   f'{", ".join(ALL_LISTS)} = "all" or "unseen"')
        real_names = [*self.corpora, *(f"{name}{BARE_SUFFIX}" for name, corpus in self.corpora.items() if corpus.bare)]
        for name in self.synthetic.corpus_names:
            if name in real_names:
                raise _build_error(f"synthetic adds a corpus {name}, which already exists")
        for name in (*self.synthetic.names, *self.synthetic.capitals):
            if name not in self.corpora:
                raise _build_error(f"synthetic names {quote_value(name)}; it must be one of {', '.join(self.corpora)}")
        for name in self.synthetic.templates:
            if name not in (*TEMPLATES, *KOREAN_TEMPLATES):
                raise _build_error(f"synthetic.templates names {quote_value(name)}; it must be one of "
                                   f"{', '.join((*TEMPLATES, *KOREAN_TEMPLATES))}")
        for key in ("capitals", "templates"):
            for name, count in getattr(self.synthetic, key).items():
                if not isinstance(count, int) or isinstance(count, bool) or not 0 < count <= 10**7:
                    raise _build_error(f"synthetic.{key}.{name} is {quote_value(count)}; it must be a whole number "
                                       "from 1 to 10,000,000")
        check_range(self.synthetic, "synthetic", 1, 100, "names_copies")
        check_range(self.synthetic, "synthetic", 0, 10**7, "rare_names")


def load_control(name_or_path: str | os.PathLike[str]) -> ControlFile:
    """Load a control file of this package by name, or a TOML file by path. Raises SettingsFileError.

    With `extends = NAME` a file takes the keys and sections that it lacks from that control file. A section of its own
    replaces the whole section there, except that its corpora are added.
    """
    return ControlFile.from_dict(_load_content(name_or_path))


def _load_content(name_or_path: str | os.PathLike[str]) -> dict[str, Any]:
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{os.fspath(name_or_path)}.toml"
    names = sorted(control.stem for control in FOLDER.glob("*.toml"))
    name_list = ", ".join(names)
    missing_message = (f"there is no {FILE_DESCRIPTION} {quote_value(str(name_or_path))}; choose {name_list}, or give "
                       "a .toml file")  # fmt: skip
    content = load_toml(path, FILE_DESCRIPTION, missing_message)
    if "extends" in content:
        base_name = content.pop("extends")
        if base_name not in names or (FOLDER / f"{base_name}.toml").resolve() == path.resolve():
            raise _build_error(f"extends is {quote_value(base_name)}; it must be another of {name_list}")
        base, corpora = _load_content(base_name), content.get("corpora", {})
        if isinstance(corpora, dict):
            content["corpora"] = base["corpora"] | corpora
        content = base | content
    return content


def build_default_control(corpora: list[str], development: Mapping[str, str]) -> ControlFile:
    """Build the settings used without a control file: every corpus once, and every development file.

    Without development files HELD_OUT_COUNT sentences of each corpus are held out, or HELD_OUT_SHARE if that is less.
    """
    held_out = CorpusSettings(held_out=HELD_OUT_COUNT, held_out_share=HELD_OUT_SHARE)
    corpus = CorpusSettings() if development else held_out
    return ControlFile(dict.fromkeys(corpora, corpus), development=DevelopmentSettings(dict(development)))


def _build_error(text: str) -> SettingsFileError:
    return SettingsFileError(f"{FILE_DESCRIPTION}: {text}")
