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
updates take longer may be given fewer `pieces` (and `cool_down`) of its own, beside its changes. No two may have names
that differ in signs or capitals alone: a trial's folder is called by its letters and digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from model.checkpoints import checkpoint
from model.serialization import codec
from model.serialization.files import replace_file
from model.serialization.toml import SettingsError, check_range, load_toml, quote_value, read_section
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
        check_range(self, "start", 1, 10**12, "pieces")
        check_range(self, "start", 0, 10**12, "cool_down")


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
        return codec.read_record(cls, codec.parse_json(path.read_bytes(), "trials"), "trials")

    def save(self, path: Path) -> None:
        """Written beside and swapped."""
        replace_file(path, f"{codec.dump_json(codec.to_plain(self), indent=1)}\n".encode())


def load_trials(path: Path) -> tuple[Start, dict[str, dict[str, Any]]]:
    """The start and the changes of every trial by name. Raises SettingsError."""
    given = load_toml(path, "file of trials", f"there is no file of trials {path}")
    for key in given:
        if key not in ("start", "trials"):
            raise SettingsError(f"trials: the section {quote_value(key)} is not known; allowed: start, trials")
    trials = given.get("trials", {})
    if not isinstance(trials, dict) or not trials or not all(isinstance(one, dict) for one in trials.values()):
        raise SettingsError("trials: there is no section [trials.NAME]; give at least one")
    return read_section(Start, "start", given.get("start", {}), "file of trials"), trials


def apply_changes(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    """The recipe with the sections' keys of a trial in place of its own; of `data.copies`, the corpora that it names.
    Raises SettingsError."""
    whole = recipe.to_dict()
    for section, keys in changes.items():
        if section not in whole or not isinstance(keys, Mapping):
            raise SettingsError(f"a trial changes {quote_value(section)}; it can change keys of the recipe's sections")
        own = whole[section]
        whole[section] = {**own, **{key: {**own[key], **value} if _table(value) and _table(own.get(key)) else value
                                    for key, value in keys.items()}}  # fmt: skip
    return Recipe.from_dict(whole)


def _table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _said(changes: Mapping[str, Any], before: str = "") -> tuple[str, ...]:
    """Changes in words, a key each: "data.copies.europarl = 0"."""
    return tuple(said for key, value in changes.items()
                 for said in (_said(value, f"{before}{key}.") if _table(value) else (f"{before}{key} = {value}",)))


def run_trials(path: Path, data: Path, runs: Path, out: Path, *, threads: int | None = None) -> Iterator[Trial]:
    """Run those trials of a file that `out` does not hold yet; `out` grows with each. A trial called "no dropout" of
    the file rnnsearch.toml runs in `runs`/rnnsearch/no-dropout.

    What was stopped goes on where it stood. Raises what Trainer raises, and SettingsError where `out` began elsewhere,
    where a trial cannot be run (before any is), and where its folder holds a run of something else.
    """
    start, wanted = load_trials(path)
    plan = Plan(start.kind, start.longest_words)
    known = Trials.load(out) if out.exists() else None
    if known is not None and known.start != start:
        raise SettingsError(f"{out} holds trials with another start than {path} says; move it away")
    planned = _planned(path, runs, start, wanted)
    out.parent.mkdir(parents=True, exist_ok=True)  # before the hours that a first trial takes
    for name, one in planned.items():
        if known is not None and name in [trial.name for trial in known.trials]:
            continue
        if (one.folder / STATE).exists():
            trainer = Trainer.resume(one.folder, data, threads=threads)
            _check_resumed(trainer, plan, one)
        else:
            trainer = Trainer(one.folder, one.recipe, plan, data, initial=start.init or None, threads=threads)
            if one.start.cool_down:
                trainer.schedule_cool_down(one.start.cool_down, until=one.start.pieces)
        with trainer.stop_on_signals():
            for _ in trainer.run(max_tokens=one.start.pieces):
                pass
        if trainer.progress.pieces < one.start.pieces:
            return  # asked to stop
        trainer.evaluate()
        last = trainer.progress.curve[-1]
        trial = Trial(name, one.changes, last["pieces"], one.start.cool_down, last["updates"],
                      round(60 * last["processor_hours"], 1), last["dev_loss"], last["bleu"], trainer.machine,
                      datetime.now(UTC).date().isoformat())
        before = known.trials if known is not None else ()
        known = Trials(SCHEMA, start, trainer.development.description, (*before, trial))
        known.save(out)
        yield trial


@dataclass(frozen=True)
class _Planned:
    """A trial that can be run: where, how far, with which recipe, and what that changes, in words."""

    folder: Path
    start: Start
    recipe: Recipe
    changes: tuple[str, ...]


def _planned(path: Path, runs: Path, start: Start, wanted: Mapping[str, Mapping[str, Any]]) -> dict[str, _Planned]:
    """All trials of a file by name. Raises SettingsError naming the one that is off."""
    base = load_recipe(path.parent / start.recipe if start.recipe.endswith(".toml") else start.recipe)
    planned: dict[str, _Planned] = {}
    names: dict[Path, str] = {}
    for name, given in wanted.items():
        changes = {key: value for key, value in given.items() if key not in _OWN}
        own = {key: given[key] for key in _OWN if key in given}
        try:
            recipe = apply_changes(base, changes)
            recipe.build_network_config(start.kind, recipe.vocabulary.size)
            this = read_section(Start, "start", {**asdict(start), **own}, "file of trials")
        except SettingsError as error:
            raise SettingsError(f"the trial {quote_value(name)}: {error}") from error
        folder = runs / path.stem / re.sub(r"[^a-z0-9]+", "-", name.lower())
        if folder in names:
            raise SettingsError(
                f"the trials {quote_value(names[folder])} and {quote_value(name)} would both run in {folder}; give "
                "one of them another name"
            )
        names[folder] = name
        planned[name] = _Planned(folder, this, recipe, _said(changes))
    return planned


def _check_resumed(trainer: Trainer, plan: Plan, one: _Planned) -> None:
    """Raise SettingsError unless what a folder holds is the trial that is to go on in it."""
    pieces, cool_down, init = one.start.pieces, one.start.cool_down, one.start.init
    first = checkpoint.read_card(checkpoint.find_checkpoint(init)).fingerprint if init else None
    differing = [what for what, found, wanted in (
        ("kind or longest sentence", trainer.plan, plan),
        ("recipe", trainer.recipe, one.recipe),
        ("first weights", trainer.origin["fingerprint"] if trainer.origin else None, first),
        ("cool-down", trainer.progress.cooling, (max(0, pieces - cool_down), pieces) if cool_down else None),
    ) if found != wanted]  # fmt: skip
    if differing:
        raise SettingsError(f"{one.folder} holds a run that is not this trial: its {', '.join(differing)} "
                            f"{'is' if len(differing) == 1 else 'are'} not what the file says; move that folder away, "
                            "or have the runs elsewhere with --runs")
