"""Recipes: all training settings, read from TOML into frozen dataclasses that check their values."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from model.networks import registry
from model.serialization.toml import SettingsFileError, check_range, load_toml, quote_value, read_section
from model.text.control_file import CORPUS_NAME
from model.text.vocabulary import MAX_VOCABULARY

FOLDER = Path(__file__).parent / "recipes"
MAX_SIZE = 65536
MODEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")  # a folder name

# The keys that not every optimiser has
_OPTIMISER_KEYS = {
    "adam": ("warm_up", "hold", "betas"), "adadelta": ("rho",), "muon": ("warm_up", "hold", "betas", "momentum"),
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """The kind of network to train, the longest sentences in words per side, and the model's names.

    `name` is its folder, `title` what readers see. Raises SettingsFileError.
    """

    kind: str
    longest_words: int
    name: str = ""
    title: str = ""

    def __post_init__(self) -> None:
        try:
            kind = registry.find_kind(self.kind)
        except registry.NetworkKindError as error:
            raise SettingsFileError(str(error)) from error
        check_range(self, "model", 1, 10_000, "longest_words")
        object.__setattr__(self, "name", self.name or f"{self.kind}-{self.longest_words}")
        object.__setattr__(self, "title", self.title or f"{kind.title}-{self.longest_words}")
        if not MODEL_NAME.fullmatch(self.name):
            raise SettingsFileError(
                f"the name {quote_value(self.name)} cannot name a folder; use up to 100 letters, digits, . - _"
            )
        if len(self.title) > 100 or not self.title.isprintable():
            raise SettingsFileError(
                f"the title {quote_value(self.title)} cannot be shown; use up to 100 printable characters"
            )


@dataclass(frozen=True)
class VocabularyRequirement:
    """The kind and size (PAD, EOS and UNK included) that the vocabulary of the prepared data must have."""

    kind: Literal["unigram", "word"] = "unigram"
    size: int = 8000

    def __post_init__(self) -> None:
        check_range(self, "vocabulary", 4, MAX_VOCABULARY, "size")


@dataclass(frozen=True)
class DataSettings:
    """The content of an epoch and its batches.

    `copies`: how often each corpus occurs in an epoch. `sampling`: alpha of subword regularisation for sources
    (`Vocabulary.sample_segmentations`), smaller for more variety; 0 for the best segmentation always.
    """

    copies: Mapping[str, int]
    longest_pieces: int
    pool: int
    batch_pieces: int  # 0: no limit, every batch has batch_pairs pairs
    batch_pairs: int
    sort_by: Literal["target", "longer"] = "target"
    shuffle: bool = True
    sampling: float = 0.0

    def __post_init__(self) -> None:
        check_range(self, "data", 0, 1, "sampling")
        check_range(self, "data", 1, 65536, "longest_pieces")
        check_range(self, "data", 1, 100_000_000, "pool", "batch_pairs")
        check_range(self, "data", 0, 100_000_000, "batch_pieces")
        for corpus, copies in self.copies.items():
            if not isinstance(corpus, str) or not CORPUS_NAME.fullmatch(corpus):
                raise SettingsFileError(f"data.copies names the corpus {quote_value(corpus)}; a name has letters, "
                                        "digits, . - and _")
            if not isinstance(copies, int) or isinstance(copies, bool) or not 0 <= copies <= 1000:
                raise SettingsFileError(f"data.copies.{corpus} is {quote_value(copies)}; it must be a whole number "
                                        "from 0 to 1000")
        if not any(self.copies.values()):
            raise SettingsFileError("data.copies names no corpus that is used; give at least one a copy")


@dataclass(frozen=True)
class OptimiserSettings:
    """The optimiser, its learning rate over time, gradient clipping and the reduction of the loss."""

    name: Literal["adam", "adadelta", "muon"]
    rate: float
    epsilon: float
    clip: float
    reduction: Literal["mean", "sum"]
    warm_up: int | None = None
    hold: int | None = None
    betas: tuple[float, float] | None = None
    rho: float | None = None
    momentum: float | None = None

    def __post_init__(self) -> None:
        needed = _OPTIMISER_KEYS[self.name]
        for key in sorted({key for keys in _OPTIMISER_KEYS.values() for key in keys}):
            value = getattr(self, key)
            if key in needed and value is None:
                raise SettingsFileError(f"optimiser.{key} is missing; {self.name} needs {', '.join(needed)}")
            if key not in needed and value is not None:
                owners = " and ".join(name for name, keys in _OPTIMISER_KEYS.items() if key in keys)
                raise SettingsFileError(f"optimiser.{key} is {quote_value(value)}; it belongs to {owners}, not to "
                                        f"{self.name}")
        check_range(self, "optimiser", 0, 1000, "rate", is_low_excluded=True)
        check_range(self, "optimiser", 0, 1, "epsilon", is_low_excluded=True)
        check_range(self, "optimiser", 0, 1_000_000, "clip", is_low_excluded=True)
        if self.betas is not None:
            check_range(self, "optimiser", 1, 1_000_000_000, "warm_up", "hold")
            if not all(0 <= beta < 1 for beta in self.betas):
                raise SettingsFileError(f"optimiser.betas is {list(self.betas)}; it must be two numbers from 0 to "
                                        "below 1")
        _check_fractions(self, "optimiser", "rho", "momentum")

    def compute_learning_rate(self, update: int) -> float:
        """Return the learning rate of an update (from 1): warm-up, plateau, 1 / sqrt; Adadelta's is constant."""
        if self.warm_up is None or self.hold is None:
            return self.rate
        return self.rate * min(1.0, update / self.warm_up, (self.hold / update) ** 0.5)


def _check_fractions(settings: Any, section: str, *keys: str) -> None:
    """Raise SettingsFileError unless these values are None or from 0 to below 1."""
    for key in keys:
        value = getattr(settings, key)
        if value is not None and not 0 <= value < 1:
            raise SettingsFileError(f"{section}.{key} is {value}; it must be from 0 to below 1")


@dataclass(frozen=True)
class TrainingSettings:
    """Seed, averaging of the weights, label smoothing, and the intervals of evaluating and saving."""

    seed: int
    average_every: int
    average_decay: float  # 0: no average
    evaluate_pieces: int
    save_minutes: float
    label_smoothing: float = 0.0

    def __post_init__(self) -> None:
        check_range(self, "training", 0, 2**32 - 1, "seed")
        check_range(self, "training", 1, 1_000_000_000, "average_every")
        check_range(self, "training", 1, 10**15, "evaluate_pieces")
        check_range(self, "training", 0, 1_000_000, "save_minutes", is_low_excluded=True)
        _check_fractions(self, "training", "average_decay", "label_smoothing")


@dataclass(frozen=True)
class Recipe:
    """A recipe. `name` is the name of its file.

    `network` has the settings of the network, checked by `build_network_config` when its kind is known.
    """

    name: str
    network: Mapping[str, Any]
    data: DataSettings
    optimiser: OptimiserSettings
    training: TrainingSettings
    vocabulary: VocabularyRequirement = field(default_factory=VocabularyRequirement)  # missing in the oldest runs

    def __post_init__(self) -> None:
        if self.data.sampling and self.vocabulary.kind == "word":
            raise SettingsFileError(f"data.sampling is {self.data.sampling}; whole words have no other segmentation: "
                                    "leave it out, or set vocabulary.kind to unigram")

    @property
    def kind(self) -> str:
        """The kind of network that the recipe names, or ""."""
        return str(self.network.get("kind", ""))

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values for a card or a saved state."""
        optimiser = {key: value for key, value in asdict(self.optimiser).items() if value is not None}
        return {**asdict(self), "data": {**asdict(self.data), "copies": dict(self.data.copies)}, "optimiser": optimiser}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Recipe:
        """Read the result of `to_dict` or a TOML file. Raises SettingsFileError."""
        sections = {
            "vocabulary": VocabularyRequirement,
            "data": DataSettings,
            "optimiser": OptimiserSettings,
            "training": TrainingSettings,
        }
        section_names = ["network", *sections]
        for name in content:
            if name not in section_names and name != "name":
                raise SettingsFileError(f"recipe: the section {quote_value(name)} is not known; allowed: "
                                        f"{', '.join(section_names)}")
        for name in section_names:
            if name not in content and name != "vocabulary":
                raise SettingsFileError(f"recipe: the section {name} is missing; needed: {', '.join(section_names)}")
        network = content["network"]
        if not isinstance(network, Mapping):
            raise SettingsFileError(f"recipe: network is {quote_value(network)}; it must be a section of keys, "
                                    "[network]")
        present = {name: kind for name, kind in sections.items() if name in content}
        parts: dict[str, Any] = {name: read_section(kind, name, content[name]) for name, kind in present.items()}
        return cls(name=str(content.get("name", "")), network=dict(network), **parts)

    def build_network_config(self, kind: str, vocabulary: int) -> Any:
        """Return the configuration of a kind of network with a vocabulary of this size.

        Raises SettingsFileError if the recipe lacks a setting or has an unknown one.
        """
        network_kind = registry.find_kind(kind)
        title, setting_names = network_kind.title, network_kind.setting_names
        if self.kind not in ("", kind):
            raise SettingsFileError(f"recipe, section network: kind is {quote_value(self.kind)}, but "
                                    f"{quote_value(kind)} is to be trained; leave out --kind, or choose another recipe")
        network = {key: value for key, value in self.network.items() if key != "kind"}
        for key in network:
            if key not in setting_names:
                raise SettingsFileError(f"recipe, section network: the key {quote_value(key)} is not known; {title} "
                                        f"has {', '.join(setting_names)}")
        hints = get_type_hints(network_kind.config_class)
        for key in setting_names:
            if key not in network and type(None) not in get_args(hints[key]):
                raise SettingsFileError(f"recipe, section network: {key} is missing; {title} needs "
                                        f"{', '.join(setting_names)}")
        for key, value in network.items():
            is_size = int in (hints[key], *get_args(hints[key])) and type(value) is int
            if is_size and not 1 <= value <= MAX_SIZE:
                raise SettingsFileError(f"network.{key} is {quote_value(value)}; it must be from 1 to {MAX_SIZE:,}")
        values = {**network, "kind": kind, "vocabulary": vocabulary}
        try:
            return read_section(network_kind.config_class, "network", values)
        except SettingsFileError:
            raise
        except ValueError as error:  # its message begins with the name of the field
            raise SettingsFileError(f"network.{error}") from error


def list_recipe_names() -> list[str]:
    """Return the names of the recipes of this package."""
    return sorted(recipe.stem for recipe in FOLDER.glob("*.toml"))


def load_recipe(name_or_path: str | os.PathLike[str]) -> Recipe:
    """Load a recipe of this package by name, or a TOML file by path. Raises SettingsFileError.

    With `extends = NAME` a file takes what it lacks from that recipe: `network` and `optimiser`, whose keys belong
    together, as whole sections, the other sections key by key.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{os.fspath(name_or_path)}.toml"
    names = list_recipe_names()
    name_list = ", ".join(names)
    # The list is long; a long name is cut, so that the message stays readable.
    missing_message = (f"there is no recipe {quote_value(os.fspath(name_or_path), 30)}; choose {name_list}, or give a "
                       ".toml file")  # fmt: skip
    content = load_toml(path, "recipe", missing_message)
    if "name" in content:
        raise SettingsFileError(
            f"recipe: the key name is {quote_value(content['name'])}; leave it out, a recipe has the name of its file"
        )
    if "extends" in content:
        base = content.pop("extends")
        if base not in names:
            raise SettingsFileError(f"recipe: extends is {quote_value(base)}; it must be one of {name_list}")
        content = _merge_sections(load_recipe(base).to_dict(), content)
    return Recipe.from_dict({**content, "name": path.stem})


def _merge_sections(base: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sections of a file that extends another recipe."""
    whole_sections = {name: value for name, value in content.items()
                      if name in ("network", "optimiser") or not isinstance(value, Mapping) or name not in base}
    merged_sections = {name: {**base[name], **value} for name, value in content.items() if name not in whole_sections}
    return {**base, **merged_sections, **whole_sections}
