"""What a reader changed of a model's own doing: rows of attention to use in place of its own, given or made by rule,
and forced pieces.

Edits are part of the question, like the settings of a search: hashable, compared by their content, and written as one
short text that a link and a Trace's provenance carry and from which they are read again exactly:

    p55.812.9 attention@*:uniform attention@3=0.25,0.75,0 cross-attention-l2-h1@4=1,0,0

begins the translation with the pieces 55, 812, 9 and lets all steps look at everything alike (`model.decoding.override_rules`)
but step 3, which looks as said with the map "attention", as step 4 does with another. A given row counts before a rule.
An edit for a step that a translation never reaches changes nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from model.decoding.override_rules import MAX_STEPS, OverrideError, OverrideRule, parse_rule, sort_rules
from model.decoding.override_rules import format_number as _number
from model.text.vocabulary import EOS
from model.trace import MapDescription
from model.trace.checks import quote_value

MAX_ROWS = 2_000  # changed rows in one question
MAX_RULES = 200
MAX_CHARACTERS = 200_000  # of the written form: 60 rows of 60 pieces are a tenth of that
_NAMED = 8  # maps that a message names
SUM_TOLERANCE = 1e-3  # how far the sum of a row may be from 1
ROUNDING_ERROR = 8e-7  # how far rounding may leave that of a network's own row; a Trace bears log-probabilities up to 1e-6
MAX_WEIGHT = 1e6  # the greatest of a row that need not sum to 1: far from what float32 cannot hold when it is added up

_PREFIX = re.compile(r"p(\d{1,9}(?:\.\d{1,9})*)")
_ROW = re.compile(r"([a-z0-9-]{1,60})@(\d{1,5})=([0-9eE.,+-]{1,20000})")


@dataclass(frozen=True, order=True)
class RowOverride:
    """The weights that one step is to use: `step` counts from 1, `map` is a `MapDescription.key`, and there is a weight
    for each source piece, the end of the sentence included, or in a target x target map for each step so far. Raises
    EditsError."""

    step: int
    map_key: str
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple(map(float, self.weights)))
        if not 1 <= self.step <= MAX_STEPS:
            raise OverrideError(f"A changed row belongs to a step from 1 to {MAX_STEPS:,}: got {quote_value(self.step)}.")
        if not self.weights or not all(math.isfinite(weight) for weight in self.weights):
            raise OverrideError(f"The row changed at step {self.step} must hold finite numbers, one a piece.")


@dataclass(frozen=True)
class Overrides:
    """Changed rows, in the order of step and map, each at most once; the ids of the pieces that a translation is to
    begin with; and rules, in the order of `rules.in_order`. Raises EditsError."""

    rows: tuple[RowOverride, ...] = ()
    prefix: tuple[int, ...] = ()
    rules: tuple[OverrideRule, ...] = ()

    def __post_init__(self) -> None:
        rows = tuple(sorted(self.rows, key=lambda one: (one.step, one.map_key)))
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "prefix", tuple(map(int, self.prefix)))
        object.__setattr__(self, "rules", sort_rules(self.rules))
        if len(self.rules) > MAX_RULES:
            raise OverrideError(f"At most {MAX_RULES:,} rules can be followed at once: got {len(self.rules):,}.")
        if len(rows) > MAX_ROWS:
            raise OverrideError(f"At most {MAX_ROWS:,} rows can be changed at once: got {len(rows):,}.")
        places = [(one.step, one.map_key) for one in rows]
        if len(set(places)) != len(places):
            twice = next(place for number, place in enumerate(places) if place in places[:number])
            raise OverrideError(
                f"The row of step {twice[0]} of the map {quote_value(twice[1])} is changed twice: give it once."
            )
        if any(piece < 0 for piece in self.prefix):
            raise OverrideError(f"The number of a piece counts from 0: got {quote_value(min(self.prefix))}.")

    def __bool__(self) -> bool:
        return bool(self.rows or self.prefix or self.rules)

    def validate(self, maps: Sequence[MapDescription], source_pieces: int) -> None:
        """Raise EditsError unless a network with these maps can use rows and rules for a source of so many pieces."""
        known = {one.key: one for one in maps if one.rows == "target"}
        for key in [*(row.map_key for row in self.rows), *(rule.map_key for rule in self.rules)]:
            if key not in known:
                has = ", ".join([*known][:_NAMED]) or "none that looks at the source"
                has += f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
                raise OverrideError(f"The model has no map {quote_value(key)} to change; it has {has}.")
        for rule in self.rules:
            rule.validate(source_pieces if known[rule.map_key].is_source_attention else None)
        for row in self.rows:
            if not known[row.map_key].is_source_attention and len(row.weights) != row.step:
                raise OverrideError(f"The row changed at step {row.step} has {len(row.weights)} weights, but of "
                                 f"{quote_value(row.map_key)} it has {row.step}: one for each step so far.")
            if known[row.map_key].is_source_attention and len(row.weights) != source_pieces:
                raise OverrideError(f"The row changed at step {row.step} has {len(row.weights)} weights, but the sentence "
                                 f"has {source_pieces} pieces, its end included: change it for this sentence anew.")
            if not known[row.map_key].rows_sum_to_one:
                greatest = max(row.weights, key=abs)
                if abs(greatest) > MAX_WEIGHT:
                    raise OverrideError(f"The row changed at step {row.step} has the weight {greatest:g}; choose weights "
                                     f"from {-MAX_WEIGHT:,.0f} to {MAX_WEIGHT:,.0f}.")
                continue
            if min(row.weights) < 0:
                raise OverrideError(f"The row changed at step {row.step} has a weight below 0: {min(row.weights):g}; "
                                 "choose shares of 1.")
            if abs(math.fsum(row.weights) - 1) > SUM_TOLERANCE:
                raise OverrideError(f"The row changed at step {row.step} must sum to 1: it sums to "
                                 f"{math.fsum(row.weights):.4f}.")

    def validate_prefix(self, vocabulary: int) -> None:
        """Raise EditsError unless a translation can begin so in a vocabulary of so many pieces."""
        for piece in self.prefix:
            if not EOS < piece < vocabulary:
                raise OverrideError(f"A translation begins with pieces of the model, which have the numbers {EOS + 1} to "
                                 f"{vocabulary - 1:,}: got {piece:,}.")

    def normalize(self, maps: Sequence[MapDescription]) -> Overrides:
        """The same, but that rows of maps whose rows sum to 1 do so beyond rounding: shares of their sum."""
        shared = {one.key for one in maps if one.rows_sum_to_one}
        return replace(self, rows=tuple(_summing(one) if one.map_key in shared else one for one in self.rows))

    def get_step(self, step: int) -> dict[str, OverrideRule | tuple[float, ...]]:
        """What is changed at a step, counted from 1, by the key of its map: the weights to use, or the rule for it."""
        found: dict[str, OverrideRule | tuple[float, ...]] = {
            one.map_key: one for one in self.rules if one.first_step <= step <= one.last_step}
        return found | {one.map_key: one.weights for one in self.rows if one.step == step}

    def merge(self, more: Overrides) -> Overrides:
        """These edits and further ones made after them: what those change entirely anew is theirs alone, a prefix among
        them takes the place of the one before, and a rule that holds at all its steps already is not given twice."""
        more = Overrides(more.rows, more.prefix, tuple(one for one in more.rules if not self._contains_rule(one)))
        rows = {(one.map_key, one.step) for one in more.rows}

        def anew(key: str, first: int, last: int) -> bool:
            covered = any(one.map_key == key and one.first_step <= first and last <= one.last_step for one in more.rules)
            return covered or (first == last and (key, first) in rows)

        kept = tuple(one for one in self.rows if not anew(one.map_key, one.step, one.step))
        rules = tuple(one for one in self.rules if not anew(one.map_key, one.first_step, one.last_step))
        return Overrides(kept + more.rows, more.prefix or self.prefix, rules + more.rules)

    def _contains_rule(self, rule: OverrideRule) -> bool:
        """Whether at all steps of a rule the same is done already."""
        over = [one for one in self.rules
                if one.map_key == rule.map_key and one.first_step <= rule.last_step and rule.first_step <= one.last_step]
        if not over or any(one.map_key == rule.map_key and rule.first_step <= one.step <= rule.last_step for one in self.rows):
            return False
        last = over[-1]  # that counts most
        return last.first_step <= rule.first_step and rule.last_step <= last.last_step and replace(
            rule, first_step=last.first_step, last_step=last.last_step) == last

    def remove(self, less: Overrides) -> Overrides:
        """These edits without the rows, the rules and the prefix of others."""
        return Overrides(tuple(one for one in self.rows if one not in less.rows),
                     () if less.prefix == self.prefix else self.prefix,
                     tuple(one for one in self.rules if one not in less.rules))

    def to_text(self) -> str:
        """The written form; equal edits have equal texts, and `from_text` gives back equal ones."""
        parts = [f"p{'.'.join(map(str, self.prefix))}"] if self.prefix else []
        parts += [one.to_text() for one in self.rules]
        parts += [f"{one.map_key}@{one.step}={','.join(map(_number, one.weights))}" for one in self.rows]
        return " ".join(parts)

    @classmethod
    def from_text(cls, text: str) -> Overrides:
        """The edits of a written form, which may come from anybody's link. Raises EditsError."""
        if len(text) > MAX_CHARACTERS:
            raise OverrideError(f"The changes have {len(text):,} characters, and at most {MAX_CHARACTERS:,} can be read: "
                             "change fewer rows.")
        prefix: tuple[int, ...] = ()
        rows: list[RowOverride] = []
        rules: list[OverrideRule] = []
        for number, part in enumerate(text.split(" ") if text else ()):
            begun, row = _PREFIX.fullmatch(part), _ROW.fullmatch(part)
            if begun and number == 0:
                prefix = tuple(map(int, begun[1].split(".")))
            elif row:
                rows.append(RowOverride(int(row[2]), row[1], tuple(_numbers(row[3].split(","), part))))
            elif (rule := parse_rule(part)) is not None:
                rules.append(rule)
            else:
                raise OverrideError(f"The changes cannot be read at {quote_value(part[:60])}; a changed row is written "
                                 "map@step=weights with commas between the weights, a rule map@steps:rule.")
        return cls(tuple(rows), prefix, tuple(rules))


NO_OVERRIDES = Overrides()


def _summing(row: RowOverride) -> RowOverride:
    """A row that `Edits.check` has found to sum to 1 nearly, divided by its sum; to the bit where only rounding is
    between them, so that a network's own row stays its own."""
    total = math.fsum(row.weights)
    return row if abs(total - 1) <= ROUNDING_ERROR else replace(row, weights=tuple(one / total for one in row.weights))


def _numbers(parts: Iterable[str], where: str) -> list[float]:
    try:
        return [float(part) for part in parts]
    except ValueError:
        raise OverrideError(f"The changes hold something that is no number at {quote_value(where[:60])}: write a number "
                         "there.") from None
