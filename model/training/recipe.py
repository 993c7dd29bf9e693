"""Recipes: how a model is trained, as frozen dataclasses read from TOML and checked once at the door."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_type_hints

from model.rnnsearch import Configuration, Kind, Wiring

FOLDER = Path(__file__).parent / "recipes"


class RecipeError(ValueError):
    """A recipe or a model name that cannot be used; the message names the key, what was given and what is allowed."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the network; see model.rnnsearch.Configuration, which checks them."""

    embedding: int
    hidden: int
    alignment: int
    readout: int
    wiring: Wiring
    dropout: float


@dataclass(frozen=True)
class Data:
    """What an epoch holds and how it is cut into batches."""

    copies: Mapping[str, int]
    longest_pieces: int
    pool: int
    batch_pieces: int
    batch_pairs: int

    def __post_init__(self) -> None:
        _positive(self, "data", "longest_pieces", "pool", "batch_pieces", "batch_pairs")
        for corpus, copies in self.copies.items():
            if not isinstance(copies, int) or copies < 0:
                raise RecipeError(f"data.copies.{corpus} is {copies!r}; it must be a whole number from 0 up")
        if not any(self.copies.values()):
            raise RecipeError("data.copies names no corpus that is used; give at least one a copy")


@dataclass(frozen=True)
class Optimiser:
    """The optimiser, its rate over time, the clipping of the gradient and the reduction of the loss."""

    name: Literal["adam"]
    rate: float
    warm_up: int
    hold: int
    betas: tuple[float, float]
    epsilon: float
    clip: float
    reduction: Literal["mean", "sum"]

    def __post_init__(self) -> None:
        _positive(self, "optimiser", "rate", "warm_up", "hold", "epsilon", "clip")
        if len(self.betas) != 2 or not all(0 <= beta < 1 for beta in self.betas):
            raise RecipeError(f"optimiser.betas is {list(self.betas)}; it must be two numbers from 0 to below 1")

    def rate_at(self, update: int) -> float:
        """The learning rate of an update (from 1): a linear warm-up, a plateau, then 1 / sqrt(updates)."""
        return self.rate * min(1.0, update / self.warm_up, (self.hold / update) ** 0.5)


@dataclass(frozen=True)
class Course:
    """Seed, averaging, and how often to look and to save."""

    seed: int
    average_every: int
    average_decay: float
    evaluate_pieces: int
    save_minutes: float

    def __post_init__(self) -> None:
        _positive(self, "training", "average_every", "evaluate_pieces", "save_minutes")
        if not 0 <= self.average_decay < 1:
            raise RecipeError(f"training.average_decay is {self.average_decay}; it must be from 0 to below 1")


@dataclass(frozen=True)
class Recipe:
    """A whole recipe. `name` is its file's."""

    name: str
    network: Sizes
    data: Data
    optimiser: Optimiser
    training: Course

    def to_dict(self) -> dict[str, Any]:
        """The recipe as a card or a saved state keeps it."""
        return {**asdict(self), "data": {**asdict(self.data), "copies": dict(self.data.copies)}}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` or a TOML file gives; raises RecipeError."""
        sections = {"network": Sizes, "data": Data, "optimiser": Optimiser, "training": Course}
        unknown, missing = set(given) - {*sections, "name"}, set(sections) - set(given)
        if unknown or missing:
            raise RecipeError(f"recipe: unknown sections {sorted(unknown)}, missing sections {sorted(missing)}")
        parts = {section: _read(kind, section, given[section]) for section, kind in sections.items()}
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
        path = FOLDER / f"{name_or_path}.toml"
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        known = ", ".join(sorted(recipe.stem for recipe in FOLDER.glob("*.toml")))
        raise RecipeError(f"there is no recipe {os.fspath(name_or_path)!r}; choose {known}, or give a .toml file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"the recipe {path} is not valid TOML: {error}") from error
    return Recipe.from_dict({"name": path.stem, **given})


def parse_name(name: str) -> tuple[Kind, int]:
    """`rnnsearch-50` -> ("rnnsearch", 50): the network and its longest training sentences, in whitespace words."""
    found = re.fullmatch(r"(rnnsearch|rnnencdec)-([1-9][0-9]{0,2})", name)
    if not found:
        raise RecipeError(f"the name {name!r} says neither network nor length; give one like rnnsearch-50 or rnnencdec-30")
    return cast(Kind, found[1]), int(found[2])


def _positive(section: Any, title: str, *names: str) -> None:
    for name in names:
        if getattr(section, name) <= 0:
            raise RecipeError(f"{title}.{name} is {getattr(section, name)}; it must be above 0")


def _read(kind: type[Any], section: str, given: Any) -> Any:
    """A section's dataclass, every key present, known and of its type."""
    if not isinstance(given, Mapping):
        raise RecipeError(f"recipe: {section} is {given!r}; it must be a section of keys")
    names = [field.name for field in fields(kind)]
    unknown, missing = sorted(set(given) - set(names)), [name for name in names if name not in given]
    if unknown or missing:
        raise RecipeError(f"recipe, section {section}: unknown keys {unknown}, missing keys {missing}")
    hints = get_type_hints(kind)
    return kind(**{name: _typed(f"{section}.{name}", given[name], hints[name]) for name in names})


def _typed(key: str, value: Any, hint: Any) -> Any:
    if get_args(hint) and isinstance(get_args(hint)[0], str):  # a Literal
        if value not in get_args(hint):
            raise RecipeError(f"{key} is {value!r}; allowed: {', '.join(get_args(hint))}")
        return value
    if hint in (int, float):
        if isinstance(value, bool) or not isinstance(value, int if hint is int else (int, float)):
            raise RecipeError(f"{key} is {value!r}; it must be a {'whole ' if hint is int else ''}number")
        return hint(value)
    if hint == tuple[float, float]:
        if not isinstance(value, (list, tuple)) or not all(isinstance(part, (int, float)) for part in value):
            raise RecipeError(f"{key} is {value!r}; it must be a list of two numbers")
        return tuple(float(part) for part in value)
    if not isinstance(value, Mapping):
        raise RecipeError(f"{key} is {value!r}; it must be a table such as {{ europarl = 1 }}")
    return dict(value)
