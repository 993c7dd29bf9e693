"""Descriptions of attention maps: name, layer, head, axes, and whether rows sum to 1.

A network describes its maps (`model.networks.base`), a checkpoint's card repeats the descriptions, and each map of a
Trace carries its own. The axes are tokens:

target x source   row i belongs to the step that generated token i, column j to source token j
target x target   row i as above; column k is the decoder's input at step k: nothing at the first step, then the token
                  generated at step k - 1. Columns from i + 1 on are 0
source x source   encoder self-attention
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from model.serialization.messages import quote_value
from model.trace.checks import TraceError, check_text

AXES = ("source", "target")
COVERAGE_MAP = "coverage"  # name of the map of accumulated attention before each step
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 -]{0,38}[A-Za-z0-9])?")
_MAX_NUMBER = 1000  # of layers or heads


@dataclass(frozen=True)
class MapDescription:
    """One kind of attention weights of a network. Layers and heads count from 1. Raises TraceError.

    `name`: letters, digits, spaces and hyphens: "attention", "encoder self-attention".
    """

    name: str
    layer: int | None = None
    head: int | None = None
    rows: str = "target"
    columns: str = "source"
    rows_sum_to_one: bool = True

    def __post_init__(self) -> None:
        check_text("name of a weight map", self.name)
        name = quote_value(self.name)
        if not _NAME.fullmatch(self.name):
            raise TraceError(f"The name of a weight map has letters, digits, spaces and hyphens: got {name}.")
        for field, number in (("layer", self.layer), ("head", self.head)):
            if number is not None and not 1 <= number <= _MAX_NUMBER:
                raise TraceError(f"The {field} of the map {name} counts from 1 to {_MAX_NUMBER}: got "
                                 f"{quote_value(number)}.")  # fmt: skip
        for axis in (self.rows, self.columns):
            if axis not in AXES:
                raise TraceError(f'An axis of the map {name} is "target" or "source": got {quote_value(axis)}.')
        if (self.rows, self.columns) == ("source", "target"):
            raise TraceError(f"The map {name} has source rows and target columns; turn it round.")

    @cached_property
    def key(self) -> str:
        """Key of the map within its network, usable in links: "attention", "cross-attention-l2-h3"."""
        parts = [re.sub(r"[^a-z0-9]+", "-", self.name.lower())]
        parts += [f"l{self.layer}"] if self.layer is not None else []
        parts += [f"h{self.head}"] if self.head is not None else []
        return "-".join(parts)

    @property
    def is_target_by_source(self) -> bool:
        """Whether rows are target tokens and columns source tokens; true of coverage too."""
        return (self.rows, self.columns) == ("target", "source")


def find_main_map(maps: Iterable[MapDescription]) -> MapDescription | None:
    """Return the first target x source map; its key is a Trace's `displayed_map_key` unless given.

    None for a network without attention.
    """
    return next((description for description in maps if description.is_target_by_source), None)


def select_displayable_maps(maps: Iterable[MapDescription]) -> list[MapDescription]:
    """Return the target x source maps that are attention: those named like the main map, or with rows that sum to 1.

    Coverage, whose values grow from row to row, is left out.
    """
    maps = list(maps)
    main = find_main_map(maps)
    if main is None:
        return []
    return [description for description in maps if description.is_target_by_source
            and (description.rows_sum_to_one or description.name == main.name)]  # fmt: skip


def select_main_maps(maps: Iterable[MapDescription]) -> list[MapDescription]:
    """Return the maps named like the main map; [] without attention."""
    maps = list(maps)
    main = find_main_map(maps)
    return [description for description in maps
            if description.is_target_by_source and main is not None and description.name == main.name]  # fmt: skip


def select_head_maps(maps: Iterable[MapDescription]) -> list[MapDescription]:
    """Return the main maps without means over heads: each head, or the one map of a layer without heads."""
    selected = select_main_maps(maps)
    layers_with_heads = {description.layer for description in selected if description.head is not None}
    return [description for description in selected
            if description.head is not None or description.layer not in layers_with_heads]  # fmt: skip


def check_unique_keys(maps: Iterable[MapDescription]) -> None:
    """Raise TraceError if two maps have the same key."""
    keys = [description.key for description in maps]
    if len(set(keys)) != len(keys):
        raise TraceError(f"Two weight maps have one name: got {quote_value(keys)}.")
