"""What a row of the table of links is (links.py): its name, the values it takes and how the link spells them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeVar
from urllib.parse import unquote

from model.decoding import NO_OVERRIDES, OverrideError, Overrides

Value = TypeVar("Value")
Option = TypeVar("Option", bound=str)

_EMPTY = "-"  # of several options none
_MAX_LISTED = 2  # numbers that are told one by one; more are told as a range


class ParamType(Protocol[Value]):
    """The values of a row, and how the link spells them."""

    def default(self) -> Value:
        """The value where neither the reader nor the link says another."""

    def read(self, given: str) -> tuple[Value | None, tuple[str, ...]]:
        """The value that is spelt `given`, None where nothing of it can be followed; and what of it is none of what is
        allowed."""

    def spell(self, value: Value) -> str | None:
        """How the link spells `value`; None for what is no value of this row."""

    def allowed(self) -> Sequence[str]:
        """What a reader is told is allowed."""


@dataclass(frozen=True)
class Choice(Generic[Option]):
    """One of some options, which may depend on what there is; the first one the default unless `usual` says another."""

    options: Callable[[], Sequence[Option]]
    usual: Callable[[Sequence[Option]], Option] = lambda options: options[0]

    def now(self) -> "Choice[Option]":
        """The same with the options there are now, looked for once."""
        options = tuple(self.options())
        return replace(self, options=lambda: options)

    def default(self) -> Option:
        return self.usual(self.options())

    def read(self, given: str) -> tuple[Option | None, tuple[str, ...]]:
        found = next((option for option in self.options() if option == given), None)
        return (None, (given,)) if found is None else (found, ())

    def spell(self, value: Option) -> str | None:
        return value if value in self.options() else None

    def allowed(self) -> Sequence[str]:
        return self.options()


@dataclass(frozen=True)
class MultiChoice:
    """Any number of some options, in their order; the link puts commas between, and a dash for none at all."""

    options: Callable[[], Sequence[str]]
    usual: Callable[[Sequence[str]], Sequence[str]]

    def now(self) -> "MultiChoice":
        """The same with the options there are now, looked for once."""
        options = tuple(self.options())
        return replace(self, options=lambda: options)

    def default(self) -> tuple[str, ...]:
        return tuple(self.usual(self.options()))

    def read(self, given: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        if given == _EMPTY:
            return (), ()
        options = self.options()
        asked = [unquote(part) for part in given.split(",") if part]
        unknown = tuple(part for part in asked if part not in options)
        return tuple(option for option in options if option in asked) or None, unknown

    def spell(self, value: Sequence[str]) -> str | None:
        options = self.options()
        if isinstance(value, str) or any(part not in options for part in value):
            return None
        return ",".join(_escape_option(option) for option in options if option in value) or _EMPTY

    def allowed(self) -> Sequence[str]:
        return self.options()


@dataclass(frozen=True)
class Text:
    """A text of up to `limit` characters. A longer one that a link brings is shown, and what it is for says that it is
    too long; no link is made of it."""

    limit: int
    usual: Callable[[], str] = lambda: ""

    def default(self) -> str:
        return self.usual()

    def read(self, given: str) -> tuple[str | None, tuple[str, ...]]:
        return given, ()

    def spell(self, value: str) -> str | None:
        return value if isinstance(value, str) and len(value) <= self.limit else None

    def allowed(self) -> Sequence[str]:
        return (f"1–{self.limit}",)


@dataclass(frozen=True)
class Number:
    """A whole number from 1 to `last`; `usual` may lie outside: it is no part of a link."""

    last: int
    usual: int = 1

    def default(self) -> int:
        return self.usual

    def read(self, given: str) -> tuple[int | None, tuple[str, ...]]:
        if re.fullmatch("[1-9][0-9]{0,8}", given) and int(given) <= self.last:
            return int(given), ()
        return None, (given,)

    def spell(self, value: int) -> str | None:
        return str(value) if type(value) is int and 1 <= value <= self.last else None

    def allowed(self) -> Sequence[str]:
        return [str(number) for number in range(1, self.last + 1)] if self.last <= _MAX_LISTED else (f"1–{self.last}",)


@dataclass(frozen=True)
class Flag:
    """On, where the link says 1; off where it says nothing."""

    def default(self) -> bool:
        return False

    def read(self, given: str) -> tuple[bool | None, tuple[str, ...]]:
        return (True, ()) if given == "1" else (None, (given,))

    def spell(self, value: bool) -> str | None:
        return "1" if value is True else None

    def allowed(self) -> Sequence[str]:
        return ("1",)


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of weights, with commas between: which models made what a link shows."""

    def default(self) -> tuple[str, ...]:
        return ()

    def read(self, given: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        parts = tuple(given.split(","))
        return (parts, ()) if all(map(self._one, parts)) else (None, (given,))

    def spell(self, value: Sequence[str]) -> str | None:
        return ",".join(value) if not isinstance(value, str) and all(map(self._one, value)) else None

    def allowed(self) -> Sequence[str]:
        return ("[0-9a-f]{12}",)

    @staticmethod
    def _one(part: object) -> bool:
        return isinstance(part, str) and re.fullmatch("[0-9a-f]{12}", part) is not None


@dataclass(frozen=True)
class OverridesText:
    """What a reader changed of a model's own doing (model/decoding/overrides.py)."""

    def default(self) -> Overrides:
        return NO_OVERRIDES

    def read(self, given: str) -> tuple[Overrides | None, tuple[str, ...]]:
        try:
            return Overrides.from_text(given), ()
        except OverrideError:
            return None, (given,)

    def spell(self, value: Overrides) -> str | None:
        return value.to_text() if isinstance(value, Overrides) else None

    def allowed(self) -> Sequence[str]:
        return ("p12.34", "map@step=0.25,0.75", "map@*:uniform")


@dataclass(frozen=True)
class Param(Generic[Value]):
    """One thing that can be chosen.

    `kept`: "link" where links to other pages carry it on, "page" where it stays in the link of its own page, because it
    is private or says nothing elsewhere, "session" where it is kept while the reader moves between pages, and is in
    no link.
    """

    name: str
    kind: ParamType[Value]
    pages: tuple[str, ...]
    kept: Literal["link", "page", "session"] = "link"
    own: bool = False
    """Whether each page has a default of its own: then a default that nobody chose is not taken along from page to
    page."""

    def spell(self, value: Value) -> str | None:
        """What the link says of `value`; None where it says nothing: of the default, or what is no value of this."""
        return None if value == self.kind.default() else self.kind.spell(value)


@dataclass(frozen=True)
class NumberParam(Param[int]):
    """A row of numbers, whose greatest one is known where something is shown."""

    def up_to(self, last: int) -> "NumberParam":
        """The same row where only the numbers up to `last` can be followed."""
        return replace(self, kind=replace(_get_number(self), last=last))


def _get_number(row: Param[int]) -> Number:
    assert isinstance(row.kind, Number)  # Counted is made of these
    return row.kind


def _escape_option(option: str) -> str:
    """An option in a list of them: what means something else there is spelt by its code."""
    return "%2D" if option == _EMPTY else option.replace("%", "%25").replace(",", "%2C")
