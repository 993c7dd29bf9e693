"""What teaches best in an hour: short runs from the same start that differ in one thing each, in one table.

A file of trials says where all begin and how far they go, and each trial what it changes in the recipe:

    [start]
    recipe = "everyday"          # by name, or a file beside this one
    kind = "rnnsearch"
    longest_words = 50
    init = "rnnsearch-50"        # a checkpoint; "" for a fresh network
    pieces = 500_000             # target pieces of every trial
    cool_down = 150_000          # of these the last ones, over which the rate falls to zero; 0 for none

    [trials."half the rate"]
    optimiser.rate = 4.5e-4

What a trial cost is measured in the processor's time, so that others on the machine do not count; a trial whose
updates take longer may be given fewer `pieces` (and `cool_down`) of its own, beside its changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from model import codec
from model.files import replace_file
from model.reading import SettingsError, load_toml, read, shown, within
from model.training.recipe import Plan, Recipe, load_recipe
from model.training.state import STATE
from model.training.trainer import Trainer

SCHEMA = 1
_OWN = ("pieces", "cool_down")  # what a trial may say beside its changes


@dataclass(frozen=True)
class Start:
    """Where all trials of a file begin and how far they go."""

    recipe: str
    kind: str
    longest_words: int
    init: str
    pieces: int
    cool_down: int

    def __post_init__(self) -> None:
        within(self, "start", 1, 10**12, "pieces")
        within(self, "start", 0, 10**12, "cool_down")


@dataclass(frozen=True)
class Trial:
    """What one trial came to: its changes as "section.key = value", what it cost, and the development set's loss (nats
    a target piece) and BLEU of the averaged weights at its end."""

    name: str
    changes: tuple[str, ...]
    pieces: int
    cool_down: int
    updates: int
    processor_minutes: float
    dev_loss: float
    bleu: dict[str, float]
    machine: str
    written: str


@dataclass(frozen=True)
class Trials:
    """The trials of one file, as kept in the repository."""

    schema: int
    start: Start
    dev: str  # what the development set is, and BLEU's signature
    trials: tuple[Trial, ...]

    def __post_init__(self) -> None:
        if self.schema != SCHEMA:
            raise codec.CodecError(f"trials of schema {self.schema}; this is schema {SCHEMA}")

    @classmethod
    def load(cls, path: Path) -> Trials:
        """Raises CodecError, or OSError where there is none."""
        return codec.read(cls, codec.parse(path.read_bytes(), "trials"), "trials")

    def save(self, path: Path) -> None:
        """Written beside and swapped."""
        replace_file(path, f"{codec.dump(codec.plain(self), indent=1)}\n".encode())


def load_plan(path: Path) -> tuple[Start, dict[str, dict[str, Any]]]:
    """The start and the changes of every trial by name. Raises SettingsError."""
    given = load_toml(path, "file of trials", f"there is no file of trials {path}")
    for key in given:
        if key not in ("start", "trials"):
            raise SettingsError(f"trials: the section {shown(key)} is not known; allowed: start, trials")
    trials = given.get("trials", {})
    if not isinstance(trials, dict) or not trials or not all(isinstance(one, dict) for one in trials.values()):
        raise SettingsError("trials: there is no section [trials.NAME]; give at least one")
    return read(Start, "start", given.get("start", {}), "file of trials"), trials


def changed(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    """The recipe with the sections' keys of a trial in place of its own. Raises SettingsError."""
    whole = recipe.to_dict()
    for section, keys in changes.items():
        if section not in whole or not isinstance(keys, Mapping):
            raise SettingsError(f"a trial changes {shown(section)}; it can change keys of the recipe's sections")
        whole[section] = {**whole[section], **keys}
    return Recipe.from_dict(whole)


def run(path: Path, data: Path, runs: Path, out: Path, *, threads: int | None = None) -> Iterator[Trial]:
    """Run those trials of a file that `out` does not hold yet, each in a folder of `runs`; `out` grows with each.

    What was stopped goes on where it stood. Raises what Trainer raises, and SettingsError where `out` began elsewhere.
    """
    start, wanted = load_plan(path)
    base = load_recipe(path.parent / start.recipe if start.recipe.endswith(".toml") else start.recipe)
    plan = Plan(start.kind, start.longest_words)
    known = Trials.load(out) if out.exists() else None
    if known is not None and known.start != start:
        raise SettingsError(f"{out} holds trials with another start than {path} says; move it away")
    for name, given in wanted.items():
        if known is not None and name in [one.name for one in known.trials]:
            continue
        own = {key: given[key] for key in _OWN if key in given}
        changes = {key: value for key, value in given.items() if key not in _OWN}
        recipe, this = changed(base, changes), replace(start, **own)
        folder = runs / re.sub(r"[^a-z0-9]+", "-", name.lower())
        if (folder / STATE).exists():
            trainer = Trainer.resume(folder, data, threads=threads)
        else:
            trainer = Trainer(folder, recipe, plan, data, initial=start.init or None, threads=threads)
            if this.cool_down:
                trainer.cool_down(this.cool_down, until=this.pieces)
        with trainer.stopping_on_signals():
            for _ in trainer.run(pieces=this.pieces):
                pass
        if trainer.progress.pieces < this.pieces:
            return  # asked to stop
        trainer.evaluate()
        last = trainer.progress.curve[-1]
        texts = tuple(f"{section}.{key} = {value}" for section, keys in changes.items() for key, value in keys.items())
        trial = Trial(name, texts, last["pieces"], this.cool_down, last["updates"],
                      round(60 * last["processor_hours"], 1), last["dev_loss"], last["bleu"], trainer.machine,
                      datetime.now(UTC).date().isoformat())
        before = known.trials if known is not None else ()
        known = Trials(SCHEMA, start, trainer.development.description, (*before, trial))
        known.save(out)
        yield trial
