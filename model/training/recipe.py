"""Recipes: how a model is trained, as frozen dataclasses read from TOML and checked once at the door."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, cast, get_args

from model.reading import SettingsError, load_toml, read, shown, within
from model.rnnsearch import Configuration, Kind, Wiring

FOLDER = Path(__file__).parent / "recipes"
CORPUS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # a corpus's name is part of a file's

__all__ = [
    "Data", "Optimiser", "Pieces", "Recipe", "RecipeError", "Sizes", "TrainingSettings", "load_recipe", "parse_name",
]  # fmt: skip

RecipeError = SettingsError  # a recipe or a model name that cannot be used

_OWN = {"adam": ("warm_up", "hold", "betas"), "adadelta": ("rho",)}  # keys that one optimiser alone has


@dataclass(frozen=True)
class Sizes:
    """Sizes of the network; see model.rnnsearch.Configuration."""

    embedding: int
    hidden: int
    alignment: int
    readout: int
    wiring: Wiring
    dropout: float

    def __post_init__(self) -> None:
        within(self, "network", 1, 65536, "embedding", "hidden", "alignment", "readout")
        within(self, "network", 0, 0.99, "dropout")


@dataclass(frozen=True)
class Pieces:
    """The vocabulary that the prepared data must have: its kind and its size, PAD, EOS and UNK included."""

    kind: Literal["unigram", "word"] = "unigram"
    size: int = 8000

    def __post_init__(self) -> None:
        within(self, "vocabulary", 4, 65536, "size")


@dataclass(frozen=True)
class Data:
    """What an epoch holds and how it is cut into batches."""

    copies: Mapping[str, int]
    longest_pieces: int
    pool: int
    batch_pieces: int  # 0: no limit, every batch holds batch_pairs pairs
    batch_pairs: int
    sort_by: Literal["target", "longer"] = "target"
    shuffle: bool = True

    def __post_init__(self) -> None:
        within(self, "data", 1, 65536, "longest_pieces")
        within(self, "data", 1, 100_000_000, "pool", "batch_pairs")
        within(self, "data", 0, 100_000_000, "batch_pieces")
        for corpus, copies in self.copies.items():
            if not isinstance(corpus, str) or not CORPUS.fullmatch(corpus):
                raise RecipeError(f"data.copies names the corpus {shown(corpus)}; a name has letters, digits, - and _")
            if not isinstance(copies, int) or isinstance(copies, bool) or not 0 <= copies <= 1000:
                raise RecipeError(f"data.copies.{corpus} is {shown(copies)}; it must be a whole number from 0 to 1000")
        if not any(self.copies.values()):
            raise RecipeError("data.copies names no corpus that is used; give at least one a copy")


@dataclass(frozen=True)
class Optimiser:
    """The optimiser, its rate over time, the clipping of the gradient and the reduction of the loss."""

    name: Literal["adam", "adadelta"]
    rate: float
    epsilon: float
    clip: float
    reduction: Literal["mean", "sum"]
    warm_up: int | None = None
    hold: int | None = None
    betas: tuple[float, float] | None = None
    rho: float | None = None

    def __post_init__(self) -> None:
        for optimiser, keys in _OWN.items():
            for key in keys:
                given = getattr(self, key)
                if optimiser == self.name and given is None:
                    raise RecipeError(f"optimiser.{key} is missing; {self.name} needs {', '.join(keys)}")
                if optimiser != self.name and given is not None:
                    owner = f"it belongs to {optimiser}, not to {self.name}"
                    raise RecipeError(f"optimiser.{key} is {shown(given)}; {owner}")
        within(self, "optimiser", 0, 1000, "rate", above=True)
        within(self, "optimiser", 0, 1, "epsilon", above=True)
        within(self, "optimiser", 0, 1_000_000, "clip", above=True)
        if self.betas is not None:
            within(self, "optimiser", 1, 1_000_000_000, "warm_up", "hold")
            if not all(0 <= beta < 1 for beta in self.betas):
                raise RecipeError(f"optimiser.betas is {list(self.betas)}; it must be two numbers from 0 to below 1")
        if self.rho is not None and not 0 <= self.rho < 1:
            raise RecipeError(f"optimiser.rho is {self.rho}; it must be from 0 to below 1")

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

    def __post_init__(self) -> None:
        within(self, "training", 0, 2**32 - 1, "seed")
        within(self, "training", 1, 1_000_000_000, "average_every")
        within(self, "training", 1, 10**15, "evaluate_pieces")
        within(self, "training", 0, 1_000_000, "save_minutes", above=True)
        if not 0 <= self.average_decay < 1:
            raise RecipeError(f"training.average_decay is {self.average_decay}; it must be from 0 to below 1")


@dataclass(frozen=True)
class Recipe:
    """A whole recipe. `name` is its file's."""

    name: str
    network: Sizes
    data: Data
    optimiser: Optimiser
    training: TrainingSettings
    vocabulary: Pieces = field(default_factory=Pieces)  # runs begun before recipes had this section have the default

    def to_dict(self) -> dict[str, Any]:
        """The recipe as a card or a saved state keeps it."""
        optimiser = {key: value for key, value in asdict(self.optimiser).items() if value is not None}
        return {**asdict(self), "data": {**asdict(self.data), "copies": dict(self.data.copies)}, "optimiser": optimiser}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` or a TOML file gives; raises RecipeError."""
        sections = {"network": Sizes, "vocabulary": Pieces, "data": Data, "optimiser": Optimiser,
                    "training": TrainingSettings}  # fmt: skip
        for name in given:
            if name not in sections and name != "name":
                raise RecipeError(f"recipe: the section {shown(name)} is not known; allowed: {', '.join(sections)}")
        for name in sections:
            if name not in given and name != "vocabulary":
                raise RecipeError(f"recipe: the section {name} is missing; needed: {', '.join(sections)}")
        present = {name: kind for name, kind in sections.items() if name in given}
        parts: dict[str, Any] = {name: read(kind, name, given[name]) for name, kind in present.items()}
        return cls(name=str(given.get("name", "")), **parts)

    def configuration(self, kind: Kind, vocabulary: int) -> Configuration:
        """The network of this recipe for a vocabulary of that many pieces."""
        try:
            return Configuration(kind, vocabulary, **asdict(self.network))
        except ValueError as error:
            raise RecipeError(f"recipe {self.name}, section network: {error}") from error


def load_recipe(name_or_path: str | os.PathLike[str]) -> Recipe:
    """A recipe of this package by name, or a TOML file by path; raises RecipeError."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{os.fspath(name_or_path)}.toml"
    known = ", ".join(sorted(recipe.stem for recipe in FOLDER.glob("*.toml")))
    unknown = f"there is no recipe {shown(os.fspath(name_or_path))}; choose {known}, or give a .toml file"
    given = load_toml(path, "recipe", unknown)
    if "name" in given:
        raise RecipeError(f"recipe: the key name is {shown(given['name'])}; leave it out, a recipe has its file's name")
    return Recipe.from_dict({**given, "name": path.stem})


def parse_name(name: str) -> tuple[Kind, int]:
    """`rnnsearch-50` -> ("rnnsearch", 50): the network and its longest training sentences, in whitespace words."""
    found = re.fullmatch(rf"({'|'.join(get_args(Kind))})-([1-9][0-9]{{0,2}})", name)
    if not found:
        raise RecipeError(
            f"the name {shown(name)} says neither network nor length; give one like rnnsearch-50 or rnnencdec-30"
        )
    return cast(Kind, found[1]), int(found[2])
