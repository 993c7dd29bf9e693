"""Recipes: how a model is trained, as frozen dataclasses read from TOML and checked once at the door."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_type_hints

from model.networks import registry
from model.serialization.toml import SettingsError, check_range, load_toml, quote_value, read_section

FOLDER = Path(__file__).parent / "recipes"
CORPUS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # a corpus's name is part of a file's
LARGEST = 65536  # size of anything in a network
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")  # a model's, of a folder's

__all__ = [
    "DataSettings", "OptimiserSettings", "VocabularySettings", "Plan", "Recipe", "RecipeError", "TrainingSettings", "load_recipe", "recipe_names",
]  # fmt: skip

RecipeError = SettingsError  # a recipe or a model name that cannot be used

# Keys that not every optimiser has.
_OWN = {"adam": ("warm_up", "hold", "betas"), "adadelta": ("rho",), "muon": ("warm_up", "hold", "betas", "momentum")}


@dataclass(frozen=True)
class Plan:
    """What is to be trained: a kind of network, on sentences of at most so many words a side, and what the
    model is to be called: `name`, its folder, and `title`, what readers see. Raises RecipeError."""

    kind: str
    longest_words: int
    name: str = ""
    title: str = ""

    def __post_init__(self) -> None:
        try:
            known = registry.find_kind(self.kind)
        except registry.NetworkKindError as error:
            raise RecipeError(str(error)) from error
        check_range(self, "model", 1, 10_000, "longest_words")
        object.__setattr__(self, "name", self.name or f"{self.kind}-{self.longest_words}")
        object.__setattr__(self, "title", self.title or f"{known.title}-{self.longest_words}")
        if not NAME.fullmatch(self.name):
            raise RecipeError(
                f"the name {quote_value(self.name)} cannot name a folder; use up to 100 letters, digits, . - _"
            )
        if len(self.title) > 100 or not self.title.isprintable():
            raise RecipeError(
                f"the title {quote_value(self.title)} cannot be shown; use up to 100 printable characters"
            )


@dataclass(frozen=True)
class VocabularySettings:
    """The vocabulary that the prepared data must have: its kind and its size, PAD, EOS and UNK included."""

    kind: Literal["unigram", "word"] = "unigram"
    size: int = 8000

    def __post_init__(self) -> None:
        check_range(self, "vocabulary", 4, 65536, "size")


@dataclass(frozen=True)
class DataSettings:
    """What an epoch holds and how it is cut into batches."""

    copies: Mapping[str, int]
    longest_pieces: int
    pool: int
    batch_pieces: int  # 0: no limit, every batch holds batch_pairs pairs
    batch_pairs: int
    sort_by: Literal["target", "longer"] = "target"
    shuffle: bool = True

    def __post_init__(self) -> None:
        check_range(self, "data", 1, 65536, "longest_pieces")
        check_range(self, "data", 1, 100_000_000, "pool", "batch_pairs")
        check_range(self, "data", 0, 100_000_000, "batch_pieces")
        for corpus, copies in self.copies.items():
            if not isinstance(corpus, str) or not CORPUS.fullmatch(corpus):
                raise RecipeError(
                    f"data.copies names the corpus {quote_value(corpus)}; a name has letters, digits, - and _"
                )
            if not isinstance(copies, int) or isinstance(copies, bool) or not 0 <= copies <= 1000:
                raise RecipeError(
                    f"data.copies.{corpus} is {quote_value(copies)}; it must be a whole number from 0 to 1000"
                )
        if not any(self.copies.values()):
            raise RecipeError("data.copies names no corpus that is used; give at least one a copy")


@dataclass(frozen=True)
class OptimiserSettings:
    """The optimiser, its rate over time, the clipping of the gradient and the reduction of the loss."""

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
        needed = _OWN[self.name]
        for key in sorted({key for keys in _OWN.values() for key in keys}):
            given = getattr(self, key)
            if key in needed and given is None:
                raise RecipeError(f"optimiser.{key} is missing; {self.name} needs {', '.join(needed)}")
            if key not in needed and given is not None:
                owners = " and ".join(name for name, keys in _OWN.items() if key in keys)
                raise RecipeError(
                    f"optimiser.{key} is {quote_value(given)}; it belongs to {owners}, not to {self.name}"
                )
        check_range(self, "optimiser", 0, 1000, "rate", above=True)
        check_range(self, "optimiser", 0, 1, "epsilon", above=True)
        check_range(self, "optimiser", 0, 1_000_000, "clip", above=True)
        if self.betas is not None:
            check_range(self, "optimiser", 1, 1_000_000_000, "warm_up", "hold")
            if not all(0 <= beta < 1 for beta in self.betas):
                raise RecipeError(f"optimiser.betas is {list(self.betas)}; it must be two numbers from 0 to below 1")
        if self.rho is not None and not 0 <= self.rho < 1:
            raise RecipeError(f"optimiser.rho is {self.rho}; it must be from 0 to below 1")
        if self.momentum is not None and not 0 <= self.momentum < 1:
            raise RecipeError(f"optimiser.momentum is {self.momentum}; it must be from 0 to below 1")

    def rate_at(self, update: int) -> float:
        """The learning rate of an update (from 1): warm-up, plateau, 1 / sqrt(updates); Adadelta's never changes."""
        if self.warm_up is None or self.hold is None:
            return self.rate
        return self.rate * min(1.0, update / self.warm_up, (self.hold / update) ** 0.5)


@dataclass(frozen=True)
class TrainingSettings:
    """Seed, averaging, and how often to look and to save."""

    seed: int
    average_every: int
    average_decay: float  # 0: no average, the weights themselves
    evaluate_pieces: int
    save_minutes: float
    label_smoothing: float = 0.0  # share of a label's weight that goes to all pieces alike

    def __post_init__(self) -> None:
        check_range(self, "training", 0, 2**32 - 1, "seed")
        check_range(self, "training", 1, 1_000_000_000, "average_every")
        check_range(self, "training", 1, 10**15, "evaluate_pieces")
        check_range(self, "training", 0, 1_000_000, "save_minutes", above=True)
        if not 0 <= self.average_decay < 1:
            raise RecipeError(f"training.average_decay is {self.average_decay}; it must be from 0 to below 1")
        if not 0 <= self.label_smoothing < 1:
            raise RecipeError(f"training.label_smoothing is {self.label_smoothing}; it must be from 0 to below 1")


@dataclass(frozen=True)
class Recipe:
    """A whole recipe. `name` is its file's; `network` holds the keys of the configuration of whatever kind of network
    is trained with it, which are checked once that is known (`configuration`), and may name that kind (`kind`)."""

    name: str
    network: Mapping[str, Any]
    data: DataSettings
    optimiser: OptimiserSettings
    training: TrainingSettings
    vocabulary: VocabularySettings = field(
        default_factory=VocabularySettings
    )  # runs begun before recipes had this section have the default

    @property
    def kind(self) -> str:
        """The kind of network that it is for; "" where it leaves that open."""
        return str(self.network.get("kind", ""))

    def to_dict(self) -> dict[str, Any]:
        """The recipe as a card or a saved state keeps it."""
        optimiser = {key: value for key, value in asdict(self.optimiser).items() if value is not None}
        return {**asdict(self), "data": {**asdict(self.data), "copies": dict(self.data.copies)}, "optimiser": optimiser}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` or a TOML file gives; raises RecipeError."""
        sections = {
            "vocabulary": VocabularySettings,
            "data": DataSettings,
            "optimiser": OptimiserSettings,
            "training": TrainingSettings,
        }
        known = ["network", *sections]
        for name in given:
            if name not in known and name != "name":
                raise RecipeError(f"recipe: the section {quote_value(name)} is not known; allowed: {', '.join(known)}")
        for name in known:
            if name not in given and name != "vocabulary":
                raise RecipeError(f"recipe: the section {name} is missing; needed: {', '.join(known)}")
        network = given["network"]
        if not isinstance(network, Mapping):
            raise RecipeError(f"recipe: network is {quote_value(network)}; it must be a section of keys, [network]")
        present = {name: kind for name, kind in sections.items() if name in given}
        parts: dict[str, Any] = {name: read_section(kind, name, given[name]) for name, kind in present.items()}
        return cls(name=str(given.get("name", "")), network=dict(network), **parts)

    def build_network_config(self, kind: str, vocabulary: int) -> Any:
        """The configuration of a kind of network for a vocabulary of that many pieces. Raises RecipeError: every key of
        it has to be given, and no other."""
        known = registry.find_kind(kind)
        if self.kind not in ("", kind):
            raise RecipeError(
                f"recipe, section network: kind is {quote_value(self.kind)}, but {quote_value(kind)} is to be "
                "trained; leave out --kind, or take another recipe"
            )
        network = {key: value for key, value in self.network.items() if key != "kind"}
        for key in network:
            if key not in known.setting_names:
                raise RecipeError(
                    f"recipe, section network: the key {quote_value(key)} is not known; {known.title} has "
                    f"{', '.join(known.setting_names)}"
                )
        for key in known.setting_names:
            if key not in network:
                raise RecipeError(f"recipe, section network: {key} is missing; {known.title} needs "
                                  f"{', '.join(known.setting_names)}")
        hints = get_type_hints(known.config_class)
        for key, value in network.items():
            whole = hints[key] is int and isinstance(value, int) and not isinstance(value, bool)
            if whole and not 1 <= value <= LARGEST:
                raise RecipeError(f"network.{key} is {quote_value(value)}; it must be from 1 to {LARGEST:,}")
        given = {**network, "kind": kind, "vocabulary": vocabulary}
        try:
            return read_section(known.config_class, "network", given)
        except RecipeError:
            raise
        except ValueError as error:  # it names the field that is off
            raise RecipeError(f"network.{error}") from error


def recipe_names() -> list[str]:
    """The recipes of this package."""
    return sorted(recipe.stem for recipe in FOLDER.glob("*.toml"))


def load_recipe(name_or_path: str | os.PathLike[str]) -> Recipe:
    """A recipe of this package by name, or a TOML file by path; raises RecipeError.

    A file may say `extends = NAME` at its top: what it does not say it then has from that recipe of this package, in
    `network` and `optimiser`, whose keys belong together, whole sections, else keys of sections.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{os.fspath(name_or_path)}.toml"
    names = recipe_names()
    known = ", ".join(names)
    unknown = f"there is no recipe {quote_value(os.fspath(name_or_path))}; choose {known}, or give a .toml file"
    given = load_toml(path, "recipe", unknown)
    if "name" in given:
        raise RecipeError(
            f"recipe: the key name is {quote_value(given['name'])}; leave it out, a recipe has its file's name"
        )
    if "extends" in given:
        base = given.pop("extends")
        if base not in names:
            raise RecipeError(f"recipe: extends is {quote_value(base)}; it must be one of {known}")
        given = _extended(load_recipe(base).to_dict(), given)
    return Recipe.from_dict({**given, "name": path.stem})


def _extended(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The sections of a file that extends another recipe."""
    whole = {name: value for name, value in given.items()
             if name in ("network", "optimiser") or not isinstance(value, Mapping) or name not in base}
    return {**base, **{name: {**base[name], **value} for name, value in given.items() if name not in whole}, **whole}
