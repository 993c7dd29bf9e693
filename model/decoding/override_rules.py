"""Override attention rows by rule: "uniform", "max", "never look at token 2" and so on.

A rule holds for one step, a range of steps, or all steps, including those that the changed translation adds:

    attention@*:uniform    attention@3-7:never=2.3    attention@4:temperature=0.5    attention@5-*:shuffled=7

A rule is written as the key of the map, the steps (`*` for all, `5-*` from the fifth on), the kind, and its parameter
or positions. `model.decoding.attention_override` computes the new rows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from model.serialization.messages import quote_value

MAX_STEPS = 10_000  # the last step that a rule can name; as `last_step` it means all further steps
MAX_POSITIONS = 500  # source positions in one rule

RuleKind = Literal["uniform", "max", "others", "before", "diagonal", "shuffled", "temperature", "never", "only"]
"""uniform: equal weights; max: all weight on the greatest; others: all weights but the greatest; before: the network's
own row of the previous step; diagonal: step i attends to token i; shuffled: the weights in a random order;
temperature: sharper below 1, flatter above; never, only: without some source positions, or with these alone."""
RULE_KINDS: tuple[RuleKind, ...] = get_args(RuleKind)
POSITION_KINDS: tuple[RuleKind, ...] = ("never", "only")
SOURCE_ONLY_KINDS: tuple[RuleKind, ...] = ("before", *POSITION_KINDS)
PARAMETER_RANGES: dict[RuleKind, tuple[float, float]] = {"shuffled": (0, 999_999), "temperature": (0.05, 20)}
"""The kinds that need a number, with its minimum and maximum: a seed, a temperature."""

_STEPS = r"\*|[1-9]\d{0,4}(?:-(?:\*|[1-9]\d{0,4}))?"
_RULE = re.compile(rf"([a-z0-9-]{{1,60}})@({_STEPS}):([a-z]{{1,20}})(?:=([0-9eE.+-]{{1,4000}}))?")


class OverrideError(ValueError):
    """Overrides that cannot be used. The message is one sentence that says what is wrong and what is allowed."""


@dataclass(frozen=True)
class OverrideRule:
    """A change to the rows of one attention map. Raises OverrideError.

    map_key: `MapDescription.key`.
    first_step, last_step: the steps it holds for, counted from 1, both included; MAX_STEPS means until the end.
    positions: source positions of "never" and "only", counted from 1.
    parameter: the seed of "shuffled" or the temperature of "temperature".
    """

    map_key: str
    kind: RuleKind
    first_step: int = 1
    last_step: int = MAX_STEPS
    positions: tuple[int, ...] = ()
    parameter: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", tuple(sorted({int(position) for position in self.positions})))
        object.__setattr__(self, "parameter", float(self.parameter))
        _check_kind(self.kind)
        if not 1 <= self.first_step <= self.last_step <= MAX_STEPS:
            raise OverrideError(f"A rule holds from a step to the same or a later one, from 1 to {MAX_STEPS:,}: got "
                                f"{quote_value(self.first_step)} to {quote_value(self.last_step)}.")
        if (self.kind in POSITION_KINDS) != bool(self.positions):
            raise OverrideError(f"The rule “{self.kind}” " + ("names at least one source token."
                                if self.kind in POSITION_KINDS else "names no source tokens."))
        if self.positions and not (self.positions[0] >= 1 and len(self.positions) <= MAX_POSITIONS):
            raise OverrideError(f"The rule “{self.kind}” names up to {MAX_POSITIONS} source tokens, which count "
                                "from 1.")
        minimum, maximum = PARAMETER_RANGES.get(self.kind, (0.0, 0.0))
        if not (math.isfinite(self.parameter) and minimum <= self.parameter <= maximum):
            raise OverrideError(
                f"The rule “{self.kind}” takes a number from {minimum:g} to {maximum:g}: got {self.parameter:g}."
                if self.kind in PARAMETER_RANGES else f"The rule “{self.kind}” takes no number.")
        if self.kind == "shuffled" and not self.parameter.is_integer():
            raise OverrideError(f"The seed of a shuffled row is a whole number: got {self.parameter:g}.")

    @property
    def step_count(self) -> int:
        """The number of steps the rule holds for."""
        return self.last_step - self.first_step + 1

    def holds_at(self, step: int) -> bool:
        """Tell whether the rule holds for this step, counted from 1."""
        return self.first_step <= step and (step <= self.last_step or self.last_step == MAX_STEPS)

    def to_text(self) -> str:
        """Return the text that `parse_rule` reads."""
        last = "*" if self.last_step == MAX_STEPS else str(self.last_step)
        steps = "*" if (self.first_step, last) == (1, "*") else \
            str(self.first_step) if self.first_step == self.last_step else f"{self.first_step}-{last}"
        value = ".".join(map(str, self.positions)) if self.positions else \
            format_number(self.parameter) if self.kind in PARAMETER_RANGES else ""
        return f"{self.map_key}@{steps}:{self.kind}" + (f"={value}" if value else "")

    def validate(self, source_length: int | None) -> None:
        """Raise OverrideError unless the rule fits a source of this many tokens, with EOS.

        None stands for a target x target map, whose rows grow.
        """
        if source_length is None:
            if self.kind in SOURCE_ONLY_KINDS:
                raise OverrideError(f"The rule “{self.kind}” is for maps over the source, and "
                                    f"{quote_value(self.map_key)} is over what is written: choose another rule.")
            return
        if self.positions and self.positions[-1] > source_length:
            raise OverrideError(f"The rule “{self.kind}” names source token {self.positions[-1]}, but the sentence "
                                f"has {source_length}, its end included: choose among these.")
        if self.kind == "never" and len(self.positions) == source_length:
            raise OverrideError("The rule “never” leaves nothing to look at here: leave at least one source token "
                                "out of it.")


def parse_rule(text: str) -> OverrideRule | None:
    """Parse a rule; return None for text of another form. Raises OverrideError."""
    match = _RULE.fullmatch(text)
    if match is None:
        return None
    key, steps, kind_name, value = match.groups()
    begin, _, end = ("1", "-", "*") if steps == "*" else steps.partition("-")
    first_step, last_step = int(begin), MAX_STEPS if end == "*" else int(end or begin)
    kind = _check_kind(kind_name)
    if kind in POSITION_KINDS:
        if value is None or not re.fullmatch(r"[1-9]\d{0,5}(?:\.[1-9]\d{0,5})*", value):
            raise OverrideError(f"The rule “{kind}” names source tokens by their numbers with dots between, as in "
                                f"{kind}=2.3.")
        return OverrideRule(key, kind, first_step, last_step, tuple(map(int, value.split("."))))
    if kind in PARAMETER_RANGES:
        try:
            parameter = float(value or "")
        except ValueError:
            raise OverrideError(f"The rule “{kind}” takes a number, as in {kind}=0.5.") from None
        return OverrideRule(key, kind, first_step, last_step, parameter=parameter)
    if value is not None:
        raise OverrideError(f"The rule “{kind}” takes no value: leave out what stands after it.")
    return OverrideRule(key, kind, first_step, last_step)


def _check_kind(name: str) -> RuleKind:
    for kind in RULE_KINDS:
        if name == kind:
            return kind
    raise OverrideError(f"A row can be changed by one of the rules {', '.join(RULE_KINDS)}: got {quote_value(name)}.")


def format_number(value: float) -> str:
    """Return a text that `float` reads as exactly this value: nine significant digits if they suffice, else its repr.
    """
    short = f"{value:.9g}"
    return short if float(short) == value else repr(value)


def sort_rules(rules: Sequence[OverrideRule]) -> tuple[OverrideRule, ...]:
    """Sort rules so that a later rule takes precedence.

    Of two rules for a step the one for fewer steps takes precedence, then the one that begins later. Raises
    OverrideError for two rules of one map for the same steps.
    """
    ordered = sorted(rules, key=lambda rule: (rule.map_key, -rule.step_count, rule.first_step))
    for first, second in pairwise(ordered):
        if (first.map_key, first.first_step, first.last_step) == (
                second.map_key, second.first_step, second.last_step):
            raise OverrideError(f"The rows of the map {quote_value(first.map_key)} are changed twice for the same "
                                "steps: give one.")
    return tuple(ordered)
