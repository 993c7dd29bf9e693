"""What a matrix of weights is: its name, its layer and head where it has them, its axes, and whether its rows sum to 1.

A network says so of every map it makes before it makes one (`model.networks.base`), a checkpoint's card repeats it, and
each map of a Trace carries it along. The axes are pieces:

target x source   row i is about the step that wrote piece i; column j about source piece j
target x target   row i as above; column k about what the decoder was given at step k: nothing at the first one, then
                  the piece written at step k - 1. Columns from i + 1 on are 0
source x source   what the encoder's pieces give to one another
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from model.trace.checks import TraceError, check_text, quote_value

AXES = ("source", "target")
COVERAGE_MAP = (
    "coverage"  # the name of an account of looking: how much each source piece has been looked at before a step
)
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 -]{0,38}[A-Za-z0-9])?")
_MOST = 1000  # layers or heads: more than any network has, and few enough for a link


@dataclass(frozen=True)
class MapDescription:
    """One kind of weights a network makes. Layers and heads count from 1. Raises TraceError.

    `name`: letters, digits, spaces and hyphens, as a reader is shown it: "attention", "encoder self-attention".
    """

    name: str
    layer: int | None = None
    head: int | None = None
    rows: str = "target"
    columns: str = "source"
    rows_sum_to_one: bool = True

    def __post_init__(self) -> None:
        check_text("name of a weight map", self.name)
        if not _NAME.fullmatch(self.name):
            raise TraceError("The name of a weight map has letters, digits, spaces and hyphens: got "
                             f"{quote_value(self.name)}.")
        for what, number in (("layer", self.layer), ("head", self.head)):
            if number is not None and not 1 <= number <= _MOST:
                raise TraceError(f"The {what} of the map {quote_value(self.name)} counts from 1 to {_MOST}: got "
                                 f"{quote_value(number)}.")
        for axis in (self.rows, self.columns):
            if axis not in AXES:
                raise TraceError(
                    f'An axis of the map {quote_value(self.name)} is "target" or "source": got {quote_value(axis)}.'
                )
        if (self.rows, self.columns) == ("source", "target"):
            raise TraceError(f"The map {quote_value(self.name)} has source rows and target columns; turn it round.")

    @cached_property
    def key(self) -> str:
        """What tells this map from the network's others, fit for a link: "attention", "cross-attention-l2-h3"."""
        parts = [re.sub(r"[^a-z0-9]+", "-", self.name.lower())]
        parts += [f"l{self.layer}"] if self.layer is not None else []
        parts += [f"h{self.head}"] if self.head is not None else []
        return "-".join(parts)

    @property
    def is_source_attention(self) -> bool:
        """Whether it says where the decoder looked in the source."""
        return (self.rows, self.columns) == ("target", "source")


def find_main_map(maps: Iterable[MapDescription]) -> MapDescription | None:
    """The map that a reader sees first: the first target x source one; None for a network without attention."""
    return next((one for one in maps if one.is_source_attention), None)


def select_displayable_maps(maps: Iterable[MapDescription]) -> list[MapDescription]:
    """The maps that a picture of looking can show: those of the first look's name, and what else shares a row out over
    the source. An account of looking, such as coverage's, whose numbers grow from row to row, is none."""
    given = list(maps)
    first = find_main_map(given)
    return [
        one
        for one in given
        if one.is_source_attention and first is not None and (one.rows_sum_to_one or one.name == first.name)
    ]


def select_attention_maps(maps: Iterable[MapDescription]) -> list[MapDescription]:
    """The maps by which the decoder takes from the source: all of the name of the first look, every head for itself and
    not the means of several; [] without attention."""
    given = list(maps)
    first = find_main_map(given)
    found = [one for one in given if one.is_source_attention and first is not None and one.name == first.name]
    apart = {one.layer for one in found if one.head is not None}
    return [one for one in found if one.head is not None or one.layer not in apart]


def check_unique_keys(maps: Iterable[MapDescription]) -> None:
    """Refuse, with a TraceError, two maps that one key would name."""
    keys = [one.key for one in maps]
    if len(set(keys)) != len(keys):
        raise TraceError(f"Two weight maps have one name: got {quote_value(keys)}.")
