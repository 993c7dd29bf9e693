"""Rows of attention changed by rule: what is made of a network's own row at whatever step a translation comes to.

A rule holds for a step, a range of steps or all of them, those too that the changed translation adds, and is written

    attention@*:uniform    attention@3-7:never=2.3    attention@4:temperature=0.5    attention@5-*:shuffled=7

the map's key, the steps (`*` for all, `5-*` from the fifth on), the way, and what the way needs to know. What each way
makes of a row stands in `model.decoding.attention_override`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from model.trace.checks import quote_value

MAX_STEPS = 10_000  # no translation is longer
MAX_POSITIONS = 500  # source pieces that one rule names

RuleKind = Literal["uniform", "max", "others", "before", "diagonal", "shuffled", "temperature", "never", "only"]
"""uniform: the same weight everywhere; max: all on the greatest; others: all but the greatest; before: the network's
own row of the step before; diagonal: step i on piece i; shuffled: its weights in an order drawn with a seed;
temperature: sharper below 1, flatter above; never, only: without some source pieces, or with them alone."""
RULE_KINDS: tuple[RuleKind, ...] = get_args(RuleKind)
POSITION_KINDS: tuple[RuleKind, ...] = ("never", "only")
SOURCE_ONLY_KINDS: tuple[RuleKind, ...] = ("before", *POSITION_KINDS)
PARAMETER_RANGES: dict[RuleKind, tuple[float, float]] = {"shuffled": (0, 999_999), "temperature": (0.05, 20)}
"""The ways that need a number, with its least and its greatest: a seed, a temperature."""

_STEPS = r"\*|[1-9]\d{0,4}(?:-(?:\*|[1-9]\d{0,4}))?"
_RULE = re.compile(rf"([a-z0-9-]{{1,60}})@({_STEPS}):([a-z]{{1,20}})(?:=([0-9eE.+-]{{1,4000}}))?")


class OverrideError(ValueError):
    """Edits that cannot be used; the message is one sentence that says what was wrong and what is allowed."""


@dataclass(frozen=True, order=True)
class OverrideRule:
    """What is made of the rows of a map (`MapDescription.key`) from step `first` to step `last`, which count from 1 and
    are both meant; `last` STEPS: to the end. `places`: source pieces, counted from 1, of "never" and "only"; `number`:
    of "shuffled" its seed, of "temperature" the temperature. Raises EditsError."""

    map_key: str
    kind: RuleKind
    first_step: int = 1
    last_step: int = MAX_STEPS
    positions: tuple[int, ...] = ()
    parameter: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", tuple(sorted({int(place) for place in self.positions})))
        object.__setattr__(self, "parameter", float(self.parameter))
        if self.kind not in RULE_KINDS:
            raise OverrideError(
                f"A row can be changed by one of the rules {', '.join(RULE_KINDS)}: got {quote_value(self.kind)}."
            )
        if not 1 <= self.first_step <= self.last_step <= MAX_STEPS:
            raise OverrideError(f"A rule holds from a step to the same or a later one, from 1 to {MAX_STEPS:,}: got "
                             f"{quote_value(self.first_step)} to {quote_value(self.last_step)}.")
        if (self.kind in POSITION_KINDS) != bool(self.positions):
            raise OverrideError(f"The rule “{self.kind}” " + ("names at least one source piece."
                             if self.kind in POSITION_KINDS else "names no source pieces."))
        if self.positions and not (self.positions[0] >= 1 and len(self.positions) <= MAX_POSITIONS):
            raise OverrideError(f"The rule “{self.kind}” names up to {MAX_POSITIONS} source pieces, which count from 1.")
        least, most = PARAMETER_RANGES.get(self.kind, (0.0, 0.0))
        if not (math.isfinite(self.parameter) and least <= self.parameter <= most):
            raise OverrideError(f"The rule “{self.kind}” takes a number from {least:g} to {most:g}: got {self.parameter:g}."
                             if self.kind in PARAMETER_RANGES else f"The rule “{self.kind}” takes no number.")
        if self.kind == "shuffled" and not self.parameter.is_integer():
            raise OverrideError(f"The seed of a shuffled row is a whole number: got {self.parameter:g}.")

    @property
    def step_count(self) -> int:
        """How many steps it holds for."""
        return self.last_step - self.first_step + 1

    def to_text(self) -> str:
        last = "*" if self.last_step == MAX_STEPS else str(self.last_step)
        where = "*" if (self.first_step, last) == (1, "*") else \
            str(self.first_step) if self.first_step == self.last_step else f"{self.first_step}-{last}"
        what = ".".join(map(str, self.positions)) if self.positions else format_number(self.parameter) if self.kind in PARAMETER_RANGES else ""
        return f"{self.map_key}@{where}:{self.kind}" + (f"={what}" if what else "")

    def validate(self, source_pieces: int | None) -> None:
        """Raise EditsError unless it can be followed in a source of so many pieces, the end included; None: in a map
        over the target, whose rows grow."""
        if source_pieces is None:
            if self.kind in SOURCE_ONLY_KINDS:
                raise OverrideError(
                    f"The rule “{self.kind}” is for maps over the source, and {quote_value(self.map_key)} is over "
                    "what is written: choose another rule."
                )
            return
        if self.positions and self.positions[-1] > source_pieces:
            raise OverrideError(f"The rule “{self.kind}” names source piece {self.positions[-1]}, but the sentence has "
                             f"{source_pieces}, its end included: choose among these.")
        if self.kind == "never" and len(self.positions) == source_pieces:
            raise OverrideError("The rule “never” leaves nothing to look at here: leave at least one source piece "
                             "out of it.")


def parse_rule(text: str) -> OverrideRule | None:
    """The rule of a written form; None for what is not written as one. Raises EditsError."""
    found = _RULE.fullmatch(text)
    if found is None:
        return None
    key, where, way, what = found.groups()
    begin, _, end = ("1", "-", "*") if where == "*" else where.partition("-")
    last = MAX_STEPS if end == "*" else int(end or begin)
    if way not in RULE_KINDS:
        raise OverrideError(f"A row can be changed by one of the rules {', '.join(RULE_KINDS)}: got {quote_value(way)}.")
    if way in POSITION_KINDS:
        if what is None or not re.fullmatch(r"[1-9]\d{0,5}(?:\.[1-9]\d{0,5})*", what):
            raise OverrideError(f"The rule “{way}” names source pieces by their numbers with dots between, as in "
                             f"{way}=2.3.")
        return OverrideRule(key, way, int(begin), last, tuple(map(int, what.split("."))))
    if way in PARAMETER_RANGES:
        try:
            return OverrideRule(key, way, int(begin), last, parameter=float(what or ""))
        except ValueError as error:
            if isinstance(error, OverrideError):
                raise
            raise OverrideError(f"The rule “{way}” takes a number, as in {way}=0.5.") from None
    if what is not None:
        raise OverrideError(f"The rule “{way}” takes no value: leave out what stands after it.")
    return OverrideRule(key, way, int(begin), last)


def format_number(value: float) -> str:
    """The shortest text that names the number: as float32, which is what networks compute in, where that is enough."""
    short = f"{value:.9g}"
    return short if float(short) == value else repr(value)


def sort_rules(rules: Sequence[OverrideRule]) -> tuple[OverrideRule, ...]:
    """Rules in the order in which later ones count before earlier ones: of two that hold for a step the one for fewer
    steps counts, then the one that begins later. Raises EditsError for two of one map for the same steps."""
    ordered = sorted(rules, key=lambda one: (one.map_key, -one.step_count, one.first_step, one))
    for one, other in pairwise(ordered):
        if (one.map_key, one.first_step, one.last_step) == (other.map_key, other.first_step, other.last_step):
            raise OverrideError(
                f"The rows of the map {quote_value(one.map_key)} are changed twice for the same steps: give one."
            )
    return tuple(ordered)
