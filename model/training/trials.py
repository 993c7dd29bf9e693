"""Trials: short runs from one start that differ in one setting each, compared in one table.

A file of trials describes the start, and for each trial its changes of the recipe:

    [start]
    recipe = "everyday"          # by name, or a file in the same folder
    kind = "rnnsearch"
    longest_words = 50
    init = "rnnsearch-50"        # a checkpoint; "" for new weights
    pieces = 500_000             # target tokens of every trial
    cool_down = 150_000          # the last of these, over which the learning rate falls to zero; 0 for none

    [trials."half the rate"]
    optimiser.rate = 4.5e-4

The cost of a trial is its processor time, which does not depend on other programs. A trial whose updates take longer
may have fewer `pieces` (and `cool_down`) beside its changes. The folder of a trial is named by the letters and digits
of its name, so that names must differ in these.
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
from model.serialization.toml import SettingsFileError, check_range, load_toml, quote_value, read_section
from model.training.recipe import Plan, Recipe, load_recipe
from model.training.state import STATE
from model.training.trainer import Trainer

SCHEMA = 1
_TRIAL_KEYS = ("pieces", "cool_down")  # keys of a trial that are not changes of the recipe


@dataclass(frozen=True)
class Start:
    """The start and the length of all trials of a file."""

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
    """The result of a trial: its changes as "section.key = value", its cost, and the averaged weights' loss (nats per
    target token) and BLEU on the development set."""

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
    """The results of the trials of a file."""

    schema: int
    start: Start
    dev: str  # the development set and BLEU's signature
    trials: tuple[Trial, ...]

    def __post_init__(self) -> None:
        if self.schema != SCHEMA:
            raise codec.CodecError(f"trials of schema {self.schema}; this is schema {SCHEMA}")

    @classmethod
    def load(cls, path: Path) -> Trials:
        """Read a table of results. Raises CodecError or OSError."""
        return codec.read_record(cls, codec.parse_json(path.read_bytes(), "trials"), "trials")

    def save(self, path: Path) -> None:
        """Replace the table atomically."""
        replace_file(path, f"{codec.dump_json(codec.to_plain(self), indent=1)}\n".encode())


def load_trials(path: Path) -> tuple[Start, dict[str, dict[str, Any]]]:
    """Return the start and the settings of every trial by name. Raises SettingsFileError."""
    content = load_toml(path, "file of trials", f"there is no file of trials {path}")
    for key in content:
        if key not in ("start", "trials"):
            raise SettingsFileError(f"trials: the section {quote_value(key)} is not known; allowed: start, trials")
    trials = content.get("trials", {})
    if not isinstance(trials, dict) or not trials or not all(isinstance(keys, dict) for keys in trials.values()):
        raise SettingsFileError("trials: there is no section [trials.NAME]; give at least one")
    return read_section(Start, "start", content.get("start", {}), "file of trials"), trials


def apply_changes(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    """Return the recipe with changed keys; `data.copies` changes only the corpora it names.

    Raises SettingsFileError.
    """
    sections = recipe.to_dict()
    for name, keys in changes.items():
        if not isinstance(sections.get(name), Mapping) or not isinstance(keys, Mapping):
            raise SettingsFileError(f"a trial changes {quote_value(name)}; it can change keys of the recipe's sections")
        section = sections[name] = dict(sections[name])
        for key, value in keys.items():
            is_table = isinstance(value, Mapping) and isinstance(section.get(key), Mapping)
            section[key] = {**section[key], **value} if is_table else value
    return Recipe.from_dict(sections)


def _format_changes(changes: Mapping[str, Any], prefix: str = "") -> tuple[str, ...]:
    """Return changes as text, such as "data.copies.europarl = 0"."""
    lines: list[str] = []
    for key, value in changes.items():
        is_table = isinstance(value, Mapping)
        lines += _format_changes(value, f"{prefix}{key}.") if is_table else (f"{prefix}{key} = {value}",)
    return tuple(lines)


def run_trials(path: Path, data: Path, runs: Path, table_path: Path, *, threads: int | None = None) -> Iterator[Trial]:
    """Run the trials of a file that are missing in the table at `table_path`, and add each to it.

    The trial "no dropout" of rnnsearch.toml runs in `runs`/rnnsearch/no-dropout. A stopped trial is resumed. Raises as
    Trainer does, and SettingsFileError if the table has another start, a trial is invalid (before any runs), or its
    folder holds another run.
    """
    start, settings = load_trials(path)
    plan = Plan(start.kind, start.longest_words)
    table = Trials.load(table_path) if table_path.exists() else None
    if table is not None and table.start != start:
        raise SettingsFileError(f"{table_path} holds trials with another start than {path} says; move it away")
    planned_trials = _plan_trials(path, runs, start, settings)
    table_path.parent.mkdir(parents=True, exist_ok=True)  # an error here comes before hours of training
    for name, planned_trial in planned_trials.items():
        if table is not None and name in [trial.name for trial in table.trials]:
            continue
        if (planned_trial.folder / STATE).exists():
            trainer = Trainer.resume(planned_trial.folder, data, threads=threads)
            _check_resumed_run(trainer, plan, planned_trial)
        else:
            trainer = Trainer(planned_trial.folder, planned_trial.recipe, plan, data, initial=start.init or None,
                              threads=threads)
            if planned_trial.start.cool_down:
                trainer.schedule_cool_down(planned_trial.start.cool_down, max_tokens=planned_trial.start.pieces)
        with trainer.stop_on_signals():
            for _ in trainer.run(max_tokens=planned_trial.start.pieces):
                pass
        if trainer.progress.target_tokens < planned_trial.start.pieces:
            return  # stopped by a signal
        trainer.evaluate()
        last = trainer.progress.curve[-1]
        trial = Trial(name, planned_trial.changes, last["pieces"], planned_trial.start.cool_down, last["updates"],
                      round(60 * last["processor_hours"], 1), last["dev_loss"], last["bleu"], trainer.machine,
                      datetime.now(UTC).date().isoformat())
        previous = table.trials if table is not None else ()
        table = Trials(SCHEMA, start, trainer.development.description, (*previous, trial))
        table.save(table_path)
        yield trial


@dataclass(frozen=True)
class _PlannedTrial:
    """A valid trial: its folder, length, recipe, and changes as text."""

    folder: Path
    start: Start
    recipe: Recipe
    changes: tuple[str, ...]


def _plan_trials(path: Path, runs: Path, start: Start,
                 settings: Mapping[str, Mapping[str, Any]]) -> dict[str, _PlannedTrial]:
    """Return all trials of a file by name. Raises SettingsFileError that names the invalid trial."""
    base = load_recipe(path.parent / start.recipe if start.recipe.endswith(".toml") else start.recipe)
    planned_trials: dict[str, _PlannedTrial] = {}
    names: dict[Path, str] = {}
    for name, keys in settings.items():
        changes = {key: value for key, value in keys.items() if key not in _TRIAL_KEYS}
        lengths = {key: keys[key] for key in _TRIAL_KEYS if key in keys}
        try:
            recipe = apply_changes(base, changes)
            recipe.build_network_config(start.kind, recipe.vocabulary.size)
            trial_start = read_section(Start, "start", {**asdict(start), **lengths}, "file of trials")
        except SettingsFileError as error:
            raise SettingsFileError(f"the trial {quote_value(name)}: {error}") from error
        folder = runs / path.stem / re.sub(r"[^a-z0-9]+", "-", name.lower())
        if folder in names:
            raise SettingsFileError(f"the trials {quote_value(names[folder])} and {quote_value(name)} would both run "
                                    f"in {folder}; give one of them another name")
        names[folder] = name
        planned_trials[name] = _PlannedTrial(folder, trial_start, recipe, _format_changes(changes))
    return planned_trials


def _check_resumed_run(trainer: Trainer, plan: Plan, planned_trial: _PlannedTrial) -> None:
    """Raise SettingsFileError unless the resumed run is a run of this trial."""
    tokens, cool_down, init = planned_trial.start.pieces, planned_trial.start.cool_down, planned_trial.start.init
    fingerprint = checkpoint.read_card(checkpoint.find_checkpoint(init)).fingerprint if init else None
    differing = [name for name, actual, expected in (
        ("kind or longest sentence", trainer.plan, plan),
        ("recipe", trainer.recipe, planned_trial.recipe),
        ("first weights", trainer.origin["fingerprint"] if trainer.origin else None, fingerprint),
        ("cool-down", trainer.progress.cooling, (max(0, tokens - cool_down), tokens) if cool_down else None),
    ) if actual != expected]  # fmt: skip
    if differing:
        raise SettingsFileError(f"{planned_trial.folder} holds a run that is not this trial: its "
                                f"{', '.join(differing)} {'is' if len(differing) == 1 else 'are'} not what the file "
                                "says; move that folder away, or use another folder for the runs with --runs")
