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

STEPS = 10_000  # no translation is longer
PLACES = 500  # source pieces that one rule names

Way = Literal["uniform", "max", "others", "before", "diagonal", "shuffled", "temperature", "never", "only"]
"""uniform: the same weight everywhere; max: all on the greatest; others: all but the greatest; before: the network's
own row of the step before; diagonal: step i on piece i; shuffled: its weights in an order drawn with a seed;
temperature: sharper below 1, flatter above; never, only: without some source pieces, or with them alone."""
WAYS: tuple[Way, ...] = get_args(Way)
PLACED: tuple[Way, ...] = ("never", "only")
SOURCE_ONLY: tuple[Way, ...] = ("before", *PLACED)
NUMBERED: dict[Way, tuple[float, float]] = {"shuffled": (0, 999_999), "temperature": (0.05, 20)}
"""The ways that need a number, with its least and its greatest: a seed, a temperature."""

_STEPS = r"\*|[1-9]\d{0,4}(?:-(?:\*|[1-9]\d{0,4}))?"
_RULE = re.compile(rf"([a-z0-9-]{{1,60}})@({_STEPS}):([a-z]{{1,20}})(?:=([0-9eE.+-]{{1,4000}}))?")


class EditsError(ValueError):
    """Edits that cannot be used; the message is one sentence that says what was wrong and what is allowed."""


@dataclass(frozen=True, order=True)
class Rule:
    """What is made of the rows of a map (`MapDescription.key`) from step `first` to step `last`, which count from 1 and
    are both meant; `last` STEPS: to the end. `places`: source pieces, counted from 1, of "never" and "only"; `number`:
    of "shuffled" its seed, of "temperature" the temperature. Raises EditsError."""

    map: str
    way: Way
    first: int = 1
    last: int = STEPS
    places: tuple[int, ...] = ()
    number: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(sorted({int(place) for place in self.places})))
        object.__setattr__(self, "number", float(self.number))
        if self.way not in WAYS:
            raise EditsError(f"A row can be changed by one of the rules {', '.join(WAYS)}: got {quote_value(self.way)}.")
        if not 1 <= self.first <= self.last <= STEPS:
            raise EditsError(f"A rule holds from a step to the same or a later one, from 1 to {STEPS:,}: got "
                             f"{quote_value(self.first)} to {quote_value(self.last)}.")
        if (self.way in PLACED) != bool(self.places):
            raise EditsError(f"The rule “{self.way}” " + ("names at least one source piece."
                             if self.way in PLACED else "names no source pieces."))
        if self.places and not (self.places[0] >= 1 and len(self.places) <= PLACES):
            raise EditsError(f"The rule “{self.way}” names up to {PLACES} source pieces, which count from 1.")
        least, most = NUMBERED.get(self.way, (0.0, 0.0))
        if not (math.isfinite(self.number) and least <= self.number <= most):
            raise EditsError(f"The rule “{self.way}” takes a number from {least:g} to {most:g}: got {self.number:g}."
                             if self.way in NUMBERED else f"The rule “{self.way}” takes no number.")
        if self.way == "shuffled" and not self.number.is_integer():
            raise EditsError(f"The seed of a shuffled row is a whole number: got {self.number:g}.")

    @property
    def steps(self) -> int:
        """How many steps it holds for."""
        return self.last - self.first + 1

    def to_text(self) -> str:
        last = "*" if self.last == STEPS else str(self.last)
        where = "*" if (self.first, last) == (1, "*") else \
            str(self.first) if self.first == self.last else f"{self.first}-{last}"
        what = ".".join(map(str, self.places)) if self.places else number(self.number) if self.way in NUMBERED else ""
        return f"{self.map}@{where}:{self.way}" + (f"={what}" if what else "")

    def check(self, source_pieces: int | None) -> None:
        """Raise EditsError unless it can be followed in a source of so many pieces, the end included; None: in a map
        over the target, whose rows grow."""
        if source_pieces is None:
            if self.way in SOURCE_ONLY:
                raise EditsError(f"The rule “{self.way}” is for maps over the source, and {quote_value(self.map)} is over "
                                 "what is written: choose another rule.")
            return
        if self.places and self.places[-1] > source_pieces:
            raise EditsError(f"The rule “{self.way}” names source piece {self.places[-1]}, but the sentence has "
                             f"{source_pieces}, its end included: choose among these.")
        if self.way == "never" and len(self.places) == source_pieces:
            raise EditsError("The rule “never” leaves nothing to look at here: leave at least one source piece "
                             "out of it.")


def read_rule(text: str) -> Rule | None:
    """The rule of a written form; None for what is not written as one. Raises EditsError."""
    found = _RULE.fullmatch(text)
    if found is None:
        return None
    key, where, way, what = found.groups()
    begin, _, end = ("1", "-", "*") if where == "*" else where.partition("-")
    last = STEPS if end == "*" else int(end or begin)
    if way not in WAYS:
        raise EditsError(f"A row can be changed by one of the rules {', '.join(WAYS)}: got {quote_value(way)}.")
    if way in PLACED:
        if what is None or not re.fullmatch(r"[1-9]\d{0,5}(?:\.[1-9]\d{0,5})*", what):
            raise EditsError(f"The rule “{way}” names source pieces by their numbers with dots between, as in "
                             f"{way}=2.3.")
        return Rule(key, way, int(begin), last, tuple(map(int, what.split("."))))
    if way in NUMBERED:
        try:
            return Rule(key, way, int(begin), last, number=float(what or ""))
        except ValueError as error:
            if isinstance(error, EditsError):
                raise
            raise EditsError(f"The rule “{way}” takes a number, as in {way}=0.5.") from None
    if what is not None:
        raise EditsError(f"The rule “{way}” takes no value: leave out what stands after it.")
    return Rule(key, way, int(begin), last)


def number(value: float) -> str:
    """The shortest text that names the number: as float32, which is what networks compute in, where that is enough."""
    short = f"{value:.9g}"
    return short if float(short) == value else repr(value)


def in_order(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Rules in the order in which later ones count before earlier ones: of two that hold for a step the one for fewer
    steps counts, then the one that begins later. Raises EditsError for two of one map for the same steps."""
    ordered = sorted(rules, key=lambda one: (one.map, -one.steps, one.first, one))
    for one, other in pairwise(ordered):
        if (one.map, one.first, one.last) == (other.map, other.first, other.last):
            raise EditsError(f"The rows of the map {quote_value(one.map)} are changed twice for the same steps: give one.")
    return tuple(ordered)
