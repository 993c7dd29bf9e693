"""Short runs that claims compare. Their weights are not shipped, only their facts and measurements.

Two networks that differ in one thing are trained for equal hours from the same start and evaluated once. The facts of a
run are in `runs/run-NAME.json` of the folder of measurements, its evaluations beside it. Needs no torch.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import load_records
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Card
from model.serialization.codec import CodecError, dump_entries, read_record, to_plain
from model.serialization.timestamps import format_current_time

SCHEMA = 1
RUNS_FOLDER = "runs"  # in the folder of measurements
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class ShortRun:
    """The facts of a short run. The fields are JSON keys.

    Raises EvaluationError for values that no run of ours has, because the file may come from anywhere.

    Attributes:
        schema: the version of the format.
        model: its name (`name_run`).
        fingerprint: of the measured weights.
        network: the configuration of the network.
        longest_words: the longest training sentence in words.
        hours: of training.
        target_pieces: target tokens seen in training.
        machine: the machine.
        date: when the record was made.
        command: the command that made it.
    """

    schema: int
    model: str
    fingerprint: str
    network: dict[str, Any]
    longest_words: int
    hours: float
    target_pieces: int
    machine: str
    date: str
    command: str

    def __post_init__(self) -> None:
        if self.schema != SCHEMA:
            raise EvaluationError(f"This version reads short runs of schema {SCHEMA}: got {self.schema}.")
        if not _NAME.fullmatch(self.model):
            raise EvaluationError("The name of a short run is up to 100 letters, digits, dots, dashes and "
                                  f"underscores: got {self.model[:40]!r}.")
        if not re.fullmatch("[0-9a-f]{12}", self.fingerprint):
            raise EvaluationError(f"A fingerprint has 12 lower hexadecimal digits: got {self.fingerprint[:40]!r}.")
        if not (math.isfinite(self.hours) and self.hours >= 0):
            raise EvaluationError(f"Hours of training are a number from 0 up: got {self.hours}.")

    @property
    def name(self) -> str:
        """The name, as a card has it."""
        return self.model

    @property
    def kind(self) -> str:
        """The kind of its network, a key of `model.networks.registry`."""
        return str(self.network.get("kind", ""))

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"run-{self.model}.json"

    def to_json(self) -> str:
        """Return the content of its file, one entry per line."""
        return dump_entries({"kind": "run", **to_plain(self)})


def name_run(folder: Path, kind: str) -> str:
    """Return the name of a run, from its kind and folder: the names on cards need not be unique."""
    name = os.path.basename(os.path.abspath(folder))
    return name if name.startswith(kind) else f"{kind}-{name}"


def read_run_card(folder: Path) -> Card:
    """Return the card of the weights that a run kept, in its folder or its best/.

    Raises CheckpointError, and EvaluationError for whole words: the claims compare runs of subwords.
    """
    card = checkpoint.read_card(checkpoint.find_checkpoint(folder.resolve()))
    if card.has_unk:
        raise EvaluationError(f"{folder} is of whole words; the claims compare runs of subwords")
    return card


def build_run(card: Card, name: str, command: str) -> ShortRun:
    """Return the record of a run with that card. Raises EvaluationError for an invalid name."""
    return ShortRun(SCHEMA, name, card.fingerprint, card.network, card.longest_words, card.hours, card.target_tokens,
               str(card.training.get("machine", "")), format_current_time(), command)


def read_runs(folder: str | os.PathLike[str]) -> tuple[ShortRun, ...]:
    """Read the short runs beside the measurements of a folder, by file name; () if there are none.

    EvaluationError names an invalid file.
    """
    runs: list[ShortRun] = []
    for file, record in load_records("run", Path(folder) / RUNS_FOLDER).items():
        try:
            runs.append(read_record(ShortRun, {key: value for key, value in record.items() if key != "kind"}, "run"))
        except CodecError as error:
            raise EvaluationError(f"{file}: {error} Make it again.") from error
        if runs[-1].file != file:
            raise EvaluationError(f"{file} is of the run {runs[-1].model}; it must be called {runs[-1].file}.")
    return tuple(runs)
