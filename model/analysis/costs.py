"""The record of the cost of attention: time of encoding and of one decoder step by source length. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from model.paths import ASSETS
from model.serialization.codec import CodecError, dump_json, parse_json, read_record, to_plain

FILE = ASSETS / "costs.json"
SCHEMA = 1
LENGTHS = (10, 20, 40, 60, 80, 120, 160, 240, 320, 400)
COMMAND = "python -m model costs --save"


@dataclass(frozen=True)
class Cost:
    """The cost of one kind of network. The fields are JSON keys.

    Attributes:
        kind: the kind of network.
        parameters: the number of parameters.
        has_attention: whether it has attention.
        encoding: median time of encoding a source of each length, in ms.
        step: median time of one decoder step after as many tokens, in ms.
    """

    kind: str
    parameters: int
    has_attention: bool
    encoding: tuple[float, ...]
    step: tuple[float, ...]


@dataclass(frozen=True)
class Costs:
    """All costs, and how they were measured. The fields are JSON keys.

    Attributes:
        lengths: source lengths in tokens.
        hidden: the hidden size d.
        layers: the number of layers.
        rounds: how often each was measured.
        costs: the cost of each kind.
        machine: the machine and its load.
        date: the date of the measurement.
    """

    lengths: tuple[int, ...]
    hidden: int
    layers: int
    rounds: int
    costs: tuple[Cost, ...]
    machine: str
    date: str
    command: str = COMMAND
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        """Raise CodecError for another schema, or unless each kind has a positive time for every length."""
        if self.schema != SCHEMA:
            raise CodecError(f"This version reads costs of schema {SCHEMA}: got schema {self.schema}.")
        for cost in self.costs:
            for times in (cost.encoding, cost.step):
                if len(times) != len(self.lengths) or not all(value > 0 for value in times):
                    raise CodecError(f"{cost.kind} must have a time above 0 for each of {len(self.lengths)} lengths")


def dump_costs(costs: Costs) -> str:
    """Return the content of the file."""
    return dump_json(to_plain(costs))


@cache
def load_costs(file: Path = FILE) -> Costs:
    """Load the shipped measurement. Raises CodecError or OSError."""
    return read_record(Costs, parse_json(file.read_bytes(), "the costs"), "costs")
