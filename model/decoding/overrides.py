"""What a user overrides in a translation: attention rows, given or by rule, and the first tokens.

Overrides are part of the request, like the search settings. They are hashable and comparable, and have an exact text
form, which links and the provenance of a Trace hold:

    p55.812.9 attention@*:uniform attention@3=0.25,0.75,0 cross-attention-l2-h1@4=1,0,0

This begins the translation with the tokens 55, 812 and 9. It makes the map "attention" uniform at all steps
(`model.decoding.override_rules`) except step 3, whose row is given. Step 4 of another map has a given row too. A given
row takes precedence over a rule. An override of a step that a translation never reaches has no effect.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from model.decoding.override_rules import (
    MAX_STEPS,
    OverrideError,
    OverrideRule,
    format_number,
    parse_rule,
    sort_rules,
)
from model.serialization.messages import quote_value
from model.text.vocabulary import EOS
from model.trace import MapDescription

MAX_ROWS = 2_000
MAX_RULES = 200
MAX_TEXT_CHARACTERS = 200_000  # of the text form; 60 rows of 60 weights need about a sixth of that
SUM_TOLERANCE = 1e-3  # allowed difference between the sum of a row and 1
SUM_ROUNDING_ERROR = 8e-7
"""By how much the sum of a network's own row may differ from 1; below MAX_LOG_PROBABILITY of `model.trace.checks`."""
MAX_WEIGHT = 1e6  # of a row that need not sum to 1: float32 must hold the sum
_MAX_LISTED_MAPS = 8  # in a message

StepOverride = OverrideRule | tuple[float, ...]
"""A rule, or the given weights of a row."""

_PREFIX = re.compile(r"p(\d{1,9}(?:\.\d{1,9})*)")
_ROW = re.compile(r"([a-z0-9-]{1,60})@(\d{1,5})=([0-9eE.,+-]{1,20000})")


@dataclass(frozen=True)
class RowOverride:
    """The attention weights to use at one step. Raises OverrideError.

    `step` counts from 1. `map_key`: `MapDescription.key`. `weights`: one for each source token, with EOS; in a target x
    target map one for each step so far.
    """

    step: int
    map_key: str
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple(map(float, self.weights)))
        if not 1 <= self.step <= MAX_STEPS:
            raise OverrideError(f"A changed row belongs to a step from 1 to {MAX_STEPS:,}: got "
                                f"{quote_value(self.step)}.")
        if not self.weights or not all(math.isfinite(weight) for weight in self.weights):
            raise OverrideError(f"The row changed at step {self.step} must hold finite numbers, one a token.")


@dataclass(frozen=True)
class Overrides:
    """All overrides of one translation. Raises OverrideError.

    `rows` are sorted by step and map, each given once; `prefix`: the ids of the first tokens; `rules` are sorted by
    `sort_rules`.
    """

    rows: tuple[RowOverride, ...] = ()
    prefix: tuple[int, ...] = ()
    rules: tuple[OverrideRule, ...] = ()

    def __post_init__(self) -> None:
        rows = tuple(sorted(self.rows, key=lambda row: (row.step, row.map_key)))
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "prefix", tuple(map(int, self.prefix)))
        object.__setattr__(self, "rules", sort_rules(self.rules))
        if len(self.rules) > MAX_RULES:
            raise OverrideError(f"At most {MAX_RULES:,} rules can be followed at once: got {len(self.rules):,}.")
        if len(rows) > MAX_ROWS:
            raise OverrideError(f"At most {MAX_ROWS:,} rows can be changed at once: got {len(rows):,}.")
        for first, second in pairwise(rows):
            if (first.step, first.map_key) == (second.step, second.map_key):
                raise OverrideError(f"The row of step {first.step} of the map {quote_value(first.map_key)} is changed "
                                    "twice: give it once.")
        if any(token < 0 for token in self.prefix):
            raise OverrideError(f"A token id is 0 or more: got {quote_value(min(self.prefix))}.")

    def __bool__(self) -> bool:
        return bool(self.rows or self.prefix or self.rules)

    def validate(self, maps: Sequence[MapDescription], source_length: int) -> None:
        """Raise OverrideError unless rows and rules fit a network with these maps and a source of this length."""
        maps_by_key = {description.key: description for description in maps if description.rows == "target"}
        for key in [*(row.map_key for row in self.rows), *(rule.map_key for rule in self.rules)]:
            if key not in maps_by_key:
                map_list = ", ".join([*maps_by_key][:_MAX_LISTED_MAPS]) or "none that looks at the source"
                unlisted_count = len(maps_by_key) - _MAX_LISTED_MAPS
                map_list += f" and {unlisted_count} more" if unlisted_count > 0 else ""
                raise OverrideError(f"The model has no map {quote_value(key)} to change; it has {map_list}.")
        for rule in self.rules:
            rule.validate(source_length if maps_by_key[rule.map_key].is_target_by_source else None)
        for row in self.rows:
            _validate_row(row, maps_by_key[row.map_key], source_length)

    def validate_prefix(self, vocabulary_size: int) -> None:
        """Raise OverrideError unless the prefix consists of tokens of a vocabulary of this size."""
        for token in self.prefix:
            if not EOS < token < vocabulary_size:
                raise OverrideError(f"A translation begins with tokens of the model, whose ids are {EOS + 1} to "
                                    f"{vocabulary_size - 1:,}: got {token:,}.")

    def normalise(self, maps: Sequence[MapDescription]) -> Overrides:
        """Divide the rows of maps whose rows sum to 1 by their sum, unless only rounding keeps it from 1."""
        keys = {description.key for description in maps if description.rows_sum_to_one}
        return replace(self, rows=tuple(_normalise_row(row) if row.map_key in keys else row for row in self.rows))

    def get_step_overrides(self, step: int) -> dict[str, StepOverride]:
        """Return the overrides of a step, counted from 1: for each map key the given weights or the rule."""
        overrides: dict[str, StepOverride] = {rule.map_key: rule for rule in self.rules if rule.holds_at(step)}
        return overrides | {row.map_key: row.weights for row in self.rows if row.step == step}

    def merge(self, later_overrides: Overrides) -> Overrides:
        """Add later overrides. They replace what they cover entirely, and the prefix if they have one.

        A rule that already holds at all its steps is not added again.
        """
        merged = self
        for rule in later_overrides.rules:  # each takes precedence over those before it, as `sort_rules` orders them
            if not merged._contains_rule(rule):
                merged = merged._add_rule(rule)
        row_keys = {(row.map_key, row.step, row.step) for row in later_overrides.rows}
        rows = tuple(row for row in merged.rows if (row.map_key, row.step, row.step) not in row_keys)
        rules = tuple(rule for rule in merged.rules
                      if (rule.map_key, rule.first_step, rule.last_step) not in row_keys)
        return Overrides(rows + later_overrides.rows, later_overrides.prefix or self.prefix, rules)

    def _add_rule(self, rule: OverrideRule) -> Overrides:
        """Add a rule in place of the rows and rules at whose steps it holds."""

        def is_covered(key: str, first: int, last: int) -> bool:
            return key == rule.map_key and rule.first_step <= first and last <= rule.last_step

        rows = tuple(row for row in self.rows if not is_covered(row.map_key, row.step, row.step))
        rules = tuple(other for other in self.rules
                      if not is_covered(other.map_key, other.first_step, other.last_step))
        return Overrides(rows, self.prefix, (*rules, rule))

    def _contains_rule(self, rule: OverrideRule) -> bool:
        """Tell whether these overrides already do the same at all steps of a rule."""
        overlapping = [other for other in self.rules
                       if other.map_key == rule.map_key and other.first_step <= rule.last_step
                       and rule.first_step <= other.last_step]
        if not overlapping or any(row.map_key == rule.map_key and rule.first_step <= row.step <= rule.last_step
                                  for row in self.rows):
            return False
        strongest = overlapping[-1]
        return strongest.first_step <= rule.first_step and rule.last_step <= strongest.last_step and replace(
            rule, first_step=strongest.first_step, last_step=strongest.last_step) == strongest

    def remove(self, removed_overrides: Overrides) -> Overrides:
        """Return these overrides without the rows, the rules and the prefix of others."""
        return Overrides(tuple(row for row in self.rows if row not in removed_overrides.rows),
                         () if removed_overrides.prefix == self.prefix else self.prefix,
                         tuple(rule for rule in self.rules if rule not in removed_overrides.rules))

    def to_text(self) -> str:
        """Return the text form. Equal overrides have equal texts."""
        parts = [f"p{'.'.join(map(str, self.prefix))}"] if self.prefix else []
        parts += [rule.to_text() for rule in self.rules]
        parts += [f"{row.map_key}@{row.step}={','.join(map(format_number, row.weights))}" for row in self.rows]
        return " ".join(parts)

    @classmethod
    def from_text(cls, text: str) -> Overrides:
        """Parse the text form, which may come from an untrusted link. Raises OverrideError."""
        if len(text) > MAX_TEXT_CHARACTERS:
            raise OverrideError(f"The changes have {len(text):,} characters, and at most {MAX_TEXT_CHARACTERS:,} can "
                                "be read: change fewer rows.")
        prefix: tuple[int, ...] = ()
        rows: list[RowOverride] = []
        rules: list[OverrideRule] = []
        for index, part in enumerate(text.split(" ") if text else ()):
            prefix_match, row_match = _PREFIX.fullmatch(part), _ROW.fullmatch(part)
            if prefix_match and index == 0:
                prefix = tuple(map(int, prefix_match[1].split(".")))
            elif row_match:
                weights = _parse_numbers(row_match[3].split(","), part)
                rows.append(RowOverride(int(row_match[2]), row_match[1], tuple(weights)))
            elif (rule := parse_rule(part)) is not None:
                rules.append(rule)
            else:
                raise OverrideError(f"The changes cannot be read at {quote_value(part[:60])}; a changed row is written "
                                    "map@step=weights with commas between the weights, a rule map@steps:rule.")
        return cls(tuple(rows), prefix, tuple(rules))


NO_OVERRIDES = Overrides()


def _validate_row(row: RowOverride, description: MapDescription, source_length: int) -> None:
    count = len(row.weights)
    if not description.is_target_by_source and count != row.step:
        raise OverrideError(f"The row changed at step {row.step} has {count} weights, but of "
                            f"{quote_value(row.map_key)} it has {row.step}: one for each step so far.")
    if description.is_target_by_source and count != source_length:
        raise OverrideError(f"The row changed at step {row.step} has {count} weights, but the sentence has "
                            f"{source_length} tokens, its end included: change it for this sentence anew.")
    if not description.rows_sum_to_one:
        greatest = max(row.weights, key=abs)
        if abs(greatest) > MAX_WEIGHT:
            raise OverrideError(f"The row changed at step {row.step} has the weight {greatest:g}; choose weights "
                                f"from {-MAX_WEIGHT:,.0f} to {MAX_WEIGHT:,.0f}.")
        return
    if min(row.weights) < 0:
        raise OverrideError(f"The row changed at step {row.step} has a weight below 0: {min(row.weights):g}; choose "
                            "shares of 1.")
    total = math.fsum(row.weights)
    if abs(total - 1) > SUM_TOLERANCE:
        raise OverrideError(f"The row changed at step {row.step} must sum to 1: it sums to {total:.4f}.")


def _normalise_row(row: RowOverride) -> RowOverride:
    total = math.fsum(row.weights)
    return row if abs(total - 1) <= SUM_ROUNDING_ERROR else replace(row, weights=tuple(w / total for w in row.weights))


def _parse_numbers(parts: Iterable[str], context: str) -> list[float]:
    try:
        return [float(part) for part in parts]
    except ValueError:
        raise OverrideError(f"The changes hold something that is no number at {quote_value(context[:60])}: write a "
                            "number there.") from None
